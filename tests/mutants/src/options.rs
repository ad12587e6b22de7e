//! The options of the command line and the environment.

use std::{env, path::PathBuf, time::Duration};

use crate::Result;

/// The packages whose code is changed, in the order they are tried.
const PACKAGES: [&str; 3] = ["gdvar-wire", "gdvar-write", "gdvar-view"];

const USAGE: &str = "usage: scripts/checks/mutants [PACKAGE...] [OPTION...]
  PACKAGE            gdvar-wire, gdvar-write, gdvar-view; all three without one
  --file FILE        only changes in that file, crates/view/src/skip.rs; as often as needed
  --missed-of DIR    only what was missed in that MUTANTS_DIR, what else is known there is taken over
  --longest SECONDS  asks tests that take up to so long, 5 without it; the longest make each missed change dear
  --jobs N           so many at once, 1 without it
  --old-way          those that only a build of their own can try, by cargo mutants; after a run without it
environment:
  MUTANTS_DIR        where it works and writes its lists, target/mutants without it";

pub struct Options {
    /// The repository.
    pub root: PathBuf,
    /// The folder of the copy, its target folder and the lists.
    pub work: PathBuf,
    pub packages: Vec<String>,
    pub files: Vec<String>,
    pub missed_of: Option<PathBuf>,
    pub longest: Duration,
    pub jobs: usize,
    pub old_way: bool,
}

impl Options {
    pub fn read() -> Result<Options> {
        let root = env::current_dir()?;
        let work =
            env::var_os("MUTANTS_DIR").map_or_else(|| root.join("target/mutants"), PathBuf::from);
        let mut options = Options {
            work: root.join(work),
            root,
            packages: Vec::new(),
            files: Vec::new(),
            missed_of: None,
            longest: Duration::from_secs(5),
            jobs: 1,
            old_way: false,
        };
        let mut words = env::args().skip(1);
        while let Some(word) = words.next() {
            let mut value = || {
                words
                    .next()
                    .ok_or_else(|| format!("{word} needs a value\n{USAGE}"))
            };
            match word.as_str() {
                "--file" => options.files.push(value()?),
                "--missed-of" => options.missed_of = Some(options.root.join(value()?)),
                "--longest" => options.longest = Duration::from_secs(value()?.parse()?),
                "--jobs" => options.jobs = value()?.parse::<usize>()?.max(1),
                "--old-way" => options.old_way = true,
                "-h" | "--help" => {
                    println!("{USAGE}");
                    std::process::exit(0);
                }
                package if PACKAGES.contains(&package) => options.packages.push(word),
                _ => return Err(format!("{word} is none of these\n{USAGE}").into()),
            }
        }
        if options.packages.is_empty() {
            options.packages = PACKAGES.map(str::to_owned).to_vec();
        }
        Ok(options)
    }
}
