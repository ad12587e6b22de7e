//! The record of each change: `results.tsv`, one line each as it comes, and lists by verdict.
//!
//! A second run over the same files goes on where the first ended. One after changes takes over what was caught,
//! if it is asked to.

use std::{
    collections::{BTreeMap, HashMap},
    fs::{self, File},
    io::Write,
    path::{Path, PathBuf},
};

use crate::{Result, list::Mutant};

/// The verdicts, each with a list of its own. The last is not one yet.
pub const CAUGHT: &str = "caught";
pub const TIMEOUT: &str = "timeout";
pub const MISSED: &str = "missed";
pub const UNREACHED: &str = "unreached";
pub const UNVIABLE: &str = "unviable";
pub const OLD_WAY: &str = "old-way";
const ALL: [&str; 6] = [CAUGHT, TIMEOUT, MISSED, UNREACHED, UNVIABLE, OLD_WAY];

/// The verdicts that stay true when tests are added.
const LASTING: [&str; 3] = [CAUGHT, TIMEOUT, UNVIABLE];

const FILE: &str = "results.tsv";

#[derive(Clone)]
pub struct Known {
    pub verdict: String,
    pub note: String,
}

pub struct Records {
    work: PathBuf,
    file: File,
    known: HashMap<String, Known>,
}

impl Records {
    /// Opens those of this work folder. They are begun anew if they are of other files.
    pub fn open(work: &Path, fingerprint: &str, missed_of: Option<&Path>) -> Result<Records> {
        let path = work.join(FILE);
        let title = format!("# {fingerprint}");
        let own = fs::read_to_string(&path).unwrap_or_default();
        let mut known = HashMap::new();
        if let Some(other) = missed_of {
            let other = other.join(FILE);
            let text = fs::read_to_string(&other)
                .map_err(|error| format!("{}: {error}", other.display()))?;
            known = read(&text);
            known.retain(|_, known: &mut Known| LASTING.contains(&known.verdict.as_str()));
        }
        let mut file = if own.lines().next() == Some(title.as_str()) {
            known.extend(read(&own));
            File::options().append(true).open(&path)?
        } else {
            if !own.is_empty() {
                fs::write(work.join("results.old.tsv"), own)?;
            }
            let mut file = File::create(&path)?;
            writeln!(file, "{title}")?;
            for (key, known) in &known {
                writeln!(file, "{}\t{}\t\t{key}", known.verdict, known.note)?;
            }
            file
        };
        file.flush()?;
        Ok(Records {
            work: work.to_owned(),
            file,
            known,
        })
    }

    pub fn get(&self, mutant: &Mutant) -> Option<&Known> {
        self.known.get(&mutant.key)
    }

    /// Notes a verdict, for good.
    pub fn note(&mut self, mutant: &Mutant, verdict: &str, note: &str) -> Result<()> {
        let known = Known {
            verdict: verdict.to_owned(),
            note: note.to_owned(),
        };
        writeln!(
            self.file,
            "{verdict}\t{note}\t{}\t{}",
            mutant.name, mutant.key
        )?;
        self.known.insert(mutant.key.clone(), known);
        self.append(mutant, verdict)
    }

    fn append(&self, mutant: &Mutant, verdict: &str) -> Result<()> {
        let list = self.work.join(format!("{verdict}.txt"));
        let mut list = File::options().append(true).create(true).open(list)?;
        writeln!(list, "{}", mutant.name)?;
        Ok(())
    }

    /// Writes the lists of what is known.
    pub fn lists(&self, mutants: &[Mutant]) -> Result<()> {
        let mut lists: BTreeMap<&str, String> = ALL
            .iter()
            .map(|&verdict| (verdict, String::new()))
            .collect();
        for mutant in mutants {
            if let Some(list) = self
                .get(mutant)
                .and_then(|known| lists.get_mut(known.verdict.as_str()))
            {
                *list += &format!("{}\n", mutant.name);
            }
        }
        for (verdict, list) in lists {
            fs::write(self.work.join(format!("{verdict}.txt")), list)?;
        }
        Ok(())
    }

    /// The number of changes of each crate and verdict, as a table. Those that do not compile are
    /// no mutants.
    pub fn summary(&self, mutants: &[Mutant]) -> String {
        let mut crates = BTreeMap::<&str, BTreeMap<&str, usize>>::new();
        for mutant in mutants {
            let verdict = self
                .get(mutant)
                .map_or("untried", |known| known.verdict.as_str());
            *crates
                .entry(&mutant.package)
                .or_default()
                .entry(verdict)
                .or_default() += 1;
        }
        let mut text = "package          viable  caught  timeout   caught  missed  unreached  unviable  old-way\n".to_owned();
        for (package, counts) in crates {
            let count = |verdict| counts.get(verdict).copied().unwrap_or(0);
            let caught = count(CAUGHT) + count(TIMEOUT);
            let viable = caught + count(MISSED) + count(UNREACHED);
            let percent = 100.0 * caught as f64 / viable.max(1) as f64;
            text += &format!(
                "{package:<16}{viable:>7}{:>8}{:>9}{percent:>7.1} %{:>8}{:>11}{:>10}{:>9}\n",
                count(CAUGHT),
                count(TIMEOUT),
                count(MISSED),
                count(UNREACHED),
                count(UNVIABLE),
                count(OLD_WAY)
            );
        }
        text
    }
}

fn read(text: &str) -> HashMap<String, Known> {
    let lines = text.lines().filter(|line| !line.starts_with('#'));
    let fields = lines.filter_map(|line| {
        let mut fields = line.splitn(4, '\t');
        let (verdict, note) = (fields.next()?.to_owned(), fields.next()?.to_owned());
        Some((fields.nth(1)?.to_owned(), Known { verdict, note }))
    });
    fields.collect()
}
