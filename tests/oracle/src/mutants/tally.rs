//! Disagreements, counted by class, with a file of samples for each.

use std::{
    collections::BTreeMap,
    fs,
    io::{self, Write},
    path::Path,
};

use serde_json::json;

use super::judge::Judgement;
use crate::{
    Asked,
    mutants::classes::{MUTANTS, Mutant},
};
use gdvar_conformance::vectors::hex;

/// The number of inputs of a class that go into its file.
const SAMPLES: usize = 200;

/// A class of disagreements.
#[derive(Clone, PartialEq, Eq, PartialOrd, Ord, Debug)]
pub struct Class {
    /// `true` if nothing explains it.
    pub unexplained: bool,
    /// The aspect, and the trait that explains it or else what was seen.
    pub name: String,
}

/// An input of a class.
#[derive(Clone, Debug)]
struct Sample {
    number: u64,
    input: Vec<u8>,
    full_objects: bool,
    ours: String,
    theirs: String,
}

/// The number of inputs that are in a class, and what came of the second question about them.
#[derive(Clone, Debug, Default)]
pub struct Count {
    /// Inputs.
    pub inputs: u64,
    /// The inputs among them whose rewritten bytes the engine was asked about.
    pub asked_again: u64,
    /// The inputs among those that it made the same of.
    pub same_again: u64,
    samples: Vec<Sample>,
}

/// The inputs that were asked about, and what came of them.
#[derive(Clone, Debug, Default)]
pub struct Tally {
    /// Inputs.
    pub asked: u64,
    /// The inputs among them that the engine accepted.
    pub accepted: u64,
    /// The inputs among them on which it agrees with the project in every aspect.
    pub agreed: u64,
    /// The inputs among them whose rewritten bytes the engine was asked about.
    pub asked_again: u64,
    /// The inputs among those that it made the same of.
    pub same_again: u64,
    classes: BTreeMap<Class, Count>,
}

/// The entry of [`deliberate::MUTANTS`] that explains a disagreement.
fn explanation(asked: Asked, aspect: &str, judgement: &Judgement) -> Option<&'static Mutant> {
    MUTANTS.iter().find(|known| {
        known.aspect == aspect && known.is_of(asked) && judgement.traits.contains(known.has)
    })
}

/// The classes that a judged input belongs to.
#[must_use]
pub fn classes(asked: Asked, judgement: &Judgement) -> Vec<Class> {
    let mut out = Vec::new();
    for departure in &judgement.departures {
        let known = explanation(asked, departure.aspect, judgement);
        let traits: Vec<_> = judgement.traits.iter().copied().collect();
        let name = match known {
            Some(known) => format!("{}/{}", departure.aspect, known.has),
            None => format!(
                "{}/{} [{}]",
                departure.aspect,
                departure.seen,
                traits.join(" ")
            ),
        };
        out.push(Class {
            unexplained: known.is_none(),
            name,
        });
    }
    out
}

impl Tally {
    /// Counts an input.
    pub fn add(
        &mut self,
        asked: Asked,
        number: u64,
        input: &[u8],
        full_objects: bool,
        accepted: bool,
        judgement: &Judgement,
    ) {
        self.asked += 1;
        self.accepted += u64::from(accepted);
        self.agreed += u64::from(judgement.departures.is_empty());
        let asked_again = u64::from(judgement.again.is_some());
        let same_again = u64::from(judgement.again == Some(true));
        self.asked_again += asked_again;
        self.same_again += same_again;
        for (class, departure) in classes(asked, judgement)
            .into_iter()
            .zip(&judgement.departures)
        {
            let count = self.classes.entry(class).or_default();
            count.inputs += 1;
            count.asked_again += asked_again;
            count.same_again += same_again;
            if count.samples.len() < SAMPLES {
                count.samples.push(Sample {
                    number,
                    input: input.to_vec(),
                    full_objects,
                    ours: departure.ours.clone(),
                    theirs: departure.theirs.clone(),
                });
            }
        }
    }

    /// The classes and how many inputs are in each.
    pub fn counts(&self) -> impl Iterator<Item = (&Class, &Count)> {
        self.classes.iter()
    }

    /// Returns `true` if every disagreement is explained.
    #[must_use]
    pub fn all_explained(&self) -> bool {
        self.classes.keys().all(|class| !class.unexplained)
    }

    /// Writes a file of JSON lines for each class, shortest inputs first: `number`, `hex`, `engine`,
    /// `full_objects`, `ours` and `theirs`.
    ///
    /// # Errors
    /// If one cannot be written.
    pub fn save(&self, asked: Asked, folder: &Path) -> io::Result<()> {
        for (class, Count { samples, .. }) in &self.classes {
            let sort = if class.unexplained {
                "unexplained"
            } else {
                "explained"
            };
            let folder = folder.join(asked.name).join(sort);
            fs::create_dir_all(&folder)?;
            let name = class
                .name
                .replace(|sign: char| !sign.is_ascii_alphanumeric(), "-");
            let mut file = io::BufWriter::new(fs::File::create(folder.join(name + ".jsonl"))?);
            let mut samples: Vec<_> = samples.iter().collect();
            samples.sort_by_key(|sample| sample.input.len());
            for sample in samples {
                let line = json!({
                    "number": sample.number,
                    "engine": asked.name,
                    "full_objects": sample.full_objects,
                    "hex": hex(&sample.input),
                    "ours": sample.ours,
                    "theirs": sample.theirs,
                });
                writeln!(file, "{line}")?;
            }
            file.flush()?;
        }
        Ok(())
    }
}
