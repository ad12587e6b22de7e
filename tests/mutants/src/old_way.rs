//! The changes without a switch, by cargo-mutants: a build and a run of all tests each.

use std::{fs, process::Command};

use crate::{
    Options, Result,
    copy::Copy,
    list::Mutant,
    record::{CAUGHT, MISSED, OLD_WAY, Records, TIMEOUT, UNVIABLE},
    suite::LEFT_OUT,
};

/// Tries what the run with switches left, package by package.
pub fn run(options: &Options, mutants: &[Mutant], records: &mut Records) -> Result<()> {
    let left = |mutant: &&Mutant| {
        records
            .get(mutant)
            .is_some_and(|known| known.verdict == OLD_WAY)
    };
    let left: Vec<&Mutant> = mutants.iter().filter(left).collect();
    println!("{} changes", left.len());
    let copy = Copy::of(&options.root, options.work.join("plain"))?;
    for package in &options.packages {
        let left: Vec<&Mutant> = left
            .iter()
            .filter(|mutant| mutant.package == *package)
            .copied()
            .collect();
        if left.is_empty() {
            continue;
        }
        copy.write()?;
        let mut command = Command::new("cargo");
        command.args([
            "mutants",
            "--in-place",
            "--no-shuffle",
            "--baseline",
            "skip",
            "--timeout",
            "600",
        ]);
        command.args([
            "--profile",
            "mutants",
            "--package",
            package,
            "--test-package",
            "gdvar-mutants",
        ]);
        command.arg("--output").arg(&options.work);
        for mutant in &left {
            command
                .arg("--re")
                .arg(format!("^{}$", literally(&mutant.name)));
        }
        command.args(["--", "--test", "all", "--", "--test-threads", "1"]);
        for test in LEFT_OUT {
            command.args(["--skip", test]);
        }
        command
            .current_dir(&copy.folder)
            .env("CARGO_TARGET_DIR", options.work.join("target-plain"));
        command
            .env("GDVAR_MUTATIONS", "1")
            .env("RUSTFLAGS", "--cap-lints allow");
        // It fails if anything is missed.
        command.status()?;
        for verdict in [CAUGHT, MISSED, TIMEOUT, UNVIABLE] {
            let list = options
                .work
                .join("mutants.out")
                .join(format!("{verdict}.txt"));
            let list = fs::read_to_string(list)?;
            for mutant in left
                .iter()
                .filter(|mutant| list.lines().any(|line| line == mutant.name))
            {
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
        if !letter.is_alphanumeric() && letter != ' ' && letter.is_ascii() {
            expression.push('\\');
        }
        expression.push(letter);
    }
    expression
}
