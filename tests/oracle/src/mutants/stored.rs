//! Mutants with the engines' verdicts, for machines without an engine
//! (`testdata/vectors/mutants4.txt`, `mutants3.txt`).

use std::{
    collections::BTreeMap,
    fs,
    io::{self, Write},
    path::{Path, PathBuf},
};

use gdvar::Document;

use super::{
    ask::{Answer, ask},
    judge::options,
    make::Maker,
};
use crate::Asked;
use gdvar_conformance::vectors::{hex, testdata, unhex};

/// The longest input that is stored.
const LONGEST: usize = 56;
/// The number of inputs that an engine is asked about, to choose from.
const CANDIDATES: u64 = 60_000;

/// An input and what the engine said of it.
#[derive(Clone, PartialEq, Eq, Debug)]
pub struct Stored {
    /// The bytes.
    pub bytes: Vec<u8>,
    /// `true` if the engine reads them, without leave for whole objects.
    pub accepted: bool,
}

/// The file of an engine.
#[must_use]
pub fn file(asked: Asked) -> PathBuf {
    testdata("vectors").join(format!("mutants{}.txt", asked.number()))
}

/// The inputs that are stored for an engine.
///
/// # Panics
/// If it cannot be read, or a line is none.
#[must_use]
pub fn load(asked: Asked) -> Vec<Stored> {
    let path = file(asked);
    let text =
        fs::read_to_string(&path).unwrap_or_else(|error| panic!("{}: {error}", path.display()));
    let lines = text.lines().filter(|line| !line.starts_with('#'));
    lines
        .map(|line| {
            let (verdict, digits) = line.split_at(1);
            assert!(matches!(verdict, "+" | "-"), "{line}");
            Stored {
                bytes: unhex(digits),
                accepted: verdict == "+",
            }
        })
        .collect()
}

/// Asks the engine about short inputs of a seed and keeps `count` of them: as many as possible of each
/// error and each kind of value, and none twice.
///
/// # Errors
/// If the engine is missing or the file cannot be written.
pub fn store(asked: Asked, seed: u64, count: usize, path: &Path) -> io::Result<usize> {
    let maker = Maker::new(asked, seed);
    let mut inputs: Vec<Vec<u8>> = (0..CANDIDATES).map(|n| maker.input(n, false)).collect();
    inputs.retain(|input| (1..=LONGEST).contains(&input.len()));
    inputs.sort();
    inputs.dedup();
    let answers = ask(asked, &inputs, false)?;
    let mut classes: BTreeMap<String, Vec<Stored>> = BTreeMap::new();
    for (bytes, answer) in inputs.into_iter().zip(answers) {
        let accepted = match answer {
            Answer::Accepted { .. } => true,
            Answer::Refused => false,
            Answer::Crashed | Answer::Hung => continue,
        };
        let document = Document::with_options(&bytes, options(asked, false));
        let root = document.root().map_or("none", |root| root.kind().name());
        let class = match document.validate() {
            Ok(_) => format!("{accepted} {root}"),
            Err(error) => format!("{accepted} {root} {}", error.kind().name()),
        };
        classes
            .entry(class)
            .or_default()
            .push(Stored { bytes, accepted });
    }
    let mut chosen = Vec::new();
    // One of each class in turn; of a class those from all over its order.
    for round in 0.. {
        let before = chosen.len();
        for list in classes.values_mut() {
            if chosen.len() < count && !list.is_empty() {
                let at = (round * 7919) % list.len();
                chosen.push(list.swap_remove(at));
            }
        }
        if chosen.len() == before {
            break;
        }
    }
    chosen.sort_by(|a, b| a.bytes.cmp(&b.bytes));
    let mut file = io::BufWriter::new(fs::File::create(path)?);
    writeln!(
        file,
        "# Mutants and whether {} reads (+) or refuses (-) them; see README.md.",
        asked.name
    )?;
    for stored in &chosen {
        let sign = if stored.accepted { '+' } else { '-' };
        writeln!(file, "{sign}{}", hex(&stored.bytes))?;
    }
    file.flush()?;
    Ok(chosen.len())
}
