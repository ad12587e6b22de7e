//! The changes without a switch, by cargo-mutants: a build and a run of all tests each.

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
    let left = |mutant: &&Mutant| {
        let known = records.get(mutant);
        known.is_some_and(|known| known.verdict == OLD_WAY)
    };
    let left: Vec<&Mutant> = mutants.iter().filter(left).collect();
    println!("{} changes", left.len());
    let copy = Copy::of(&options.root, options.work.join("plain"))?;
    // Unchanged all must pass, or nothing would mean anything.
    let mut baseline = "run";
    for some in left.chunk_by(|one, next| one.file == next.file) {
        copy.write()?;
        cargo_mutants(options, &copy, some, baseline)?;
        note(options, some, records)?;
        baseline = "skip";
    }
    Ok(())
}

/// Those of one file: cargo-mutants picks deleted fields by their file alone, whatever names are asked for.
fn cargo_mutants(
    options: &Options,
    copy: &Copy,
    mutants: &[&Mutant],
    baseline: &str,
) -> Result<()> {
    let mut command = Command::new("cargo");
    command.args(["mutants", "--in-place", "--no-shuffle", "--timeout", "600"]);
    command.args(["--baseline", baseline, "--profile", "mutants"]);
    command.args(["--package", &mutants[0].package, "--file", &mutants[0].file]);
    command.args(["--test-package", "gdvar-mutants"]);
    command.arg("--output").arg(&options.work);
    for mutant in mutants {
        command.arg("--re");
        command.arg(format!("^{}$", literally(&mutant.name)));
    }
    command.args(["--", "--test", "all", "--"]);
    for test in LEFT_OUT {
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

fn note(options: &Options, mutants: &[&Mutant], records: &mut Records) -> Result<()> {
    for verdict in [CAUGHT, MISSED, TIMEOUT, UNVIABLE] {
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
