//! The changes without a switch, by cargo-mutants: a build each. First the crate's own tests are asked, which
//! are few and quickly built, then all others about what those let pass.

use std::{fs, process::Command};

use crate::{
    Options, Result,
    copy::Copy,
    list::Mutant,
    record::{CAUGHT, MISSED, OLD_WAY, Records, TIMEOUT, UNVIABLE},
    run::MUTATIONS,
    suite::LEFT_OUT,
};

/// Tries what the run with switches left.
pub fn run(options: &Options, mutants: &[Mutant], records: &mut Records) -> Result<()> {
    let left = mutants.iter().filter(|mutant| left_over(records, mutant));
    let left: Vec<&Mutant> = left.collect();
    println!("{} changes", left.len());
    let copy = Copy::of(&options.root, options.work.join("plain"))?;
    // Quick tests come first: an interrupted run then knows most of the verdicts.
    for asked in [Asked::Own, Asked::All] {
        for some in left.chunk_by(|one, next| one.file == next.file) {
            let some = some.iter().copied();
            let some: Vec<&Mutant> = some.filter(|one| left_over(records, one)).collect();
            if some.is_empty() {
                continue;
            }
            copy.write()?;
            cargo_mutants(options, &copy, &some, asked)?;
            note(options, &some, records, asked.verdicts())?;
        }
    }
    Ok(())
}

/// Returns `true` if it is still to be tried.
fn left_over(records: &Records, mutant: &Mutant) -> bool {
    let known = records.get(mutant);
    known.is_some_and(|known| known.verdict == OLD_WAY)
}

/// The packages whose tests are asked. Unchanged they pass, which the run with switches has seen.
#[derive(Clone, Copy, PartialEq, Eq)]
enum Asked {
    Own,
    All,
}

impl Asked {
    /// The verdicts that they can decide: others may catch what the crate's own miss.
    fn verdicts(self) -> &'static [&'static str] {
        match self {
            Asked::Own => &[CAUGHT, TIMEOUT, UNVIABLE],
            Asked::All => &[CAUGHT, MISSED, TIMEOUT, UNVIABLE],
        }
    }
}

/// Those of one file: cargo-mutants picks deleted fields by their file alone, whatever names are asked for.
fn cargo_mutants(options: &Options, copy: &Copy, mutants: &[&Mutant], asked: Asked) -> Result<()> {
    let Mutant { package, file, .. } = mutants[0];
    let mut command = Command::new("cargo");
    command.args(["mutants", "--in-place", "--no-shuffle", "--timeout", "600"]);
    command.args(["--baseline", "skip", "--profile", "mutants"]);
    command.args(["--package", package, "--file", file]);
    let tested = match asked {
        Asked::Own => package,
        Asked::All => "gdvar-mutants",
    };
    command.args(["--test-package", tested]);
    command.arg("--output").arg(&options.work);
    for mutant in mutants {
        command.arg("--re");
        command.arg(format!("^{}$", literally(&mutant.name)));
    }
    command.arg("--");
    match asked {
        Asked::Own => command.arg("--tests"),
        Asked::All => command.args(["--test", "all", "--"]),
    };
    for test in LEFT_OUT.iter().filter(|_| asked == Asked::All) {
        command.args(["--skip", test]);
    }
    command.current_dir(&copy.folder);
    command.env("CARGO_TARGET_DIR", options.work.join("target-plain"));
    command.env(MUTATIONS.0, MUTATIONS.1);
    // 2, 3 and 0 say that some were missed, ran out of time, or neither.
    match command.status()?.code() {
        Some(0 | 2 | 3) => Ok(()),
        code => Err(format!("cargo mutants ended with {code:?}").into()),
    }
}

fn note(
    options: &Options,
    mutants: &[&Mutant],
    records: &mut Records,
    verdicts: &[&str],
) -> Result<()> {
    for &verdict in verdicts {
        let list = options.work.join(format!("mutants.out/{verdict}.txt"));
        let list = fs::read_to_string(list)?;
        for mutant in mutants {
            if list.lines().any(|line| line == mutant.name) {
                records.note(mutant, verdict, "by cargo mutants")?;
            }
        }
    }
    Ok(())
}

/// A regular expression for just this text.
fn literally(text: &str) -> String {
    let mut expression = String::new();
    for letter in text.chars() {
        if r"\.+*?()|[]{}^$#&-~".contains(letter) {
            expression.push('\\');
        }
        expression.push(letter);
    }
    expression
}
