//! The tests without any change: which pass, how long they take, which changes they reach.

use std::{
    collections::BTreeSet,
    fs,
    path::{Path, PathBuf},
    time::Duration,
};

use crate::{
    Result,
    run::{End, Limits, Runner},
};

/// The test that only starts the switch; before all others, as the order is that of names.
pub const FIRST: &str = "a_first";

/// Takes the longest of them many times over: nothing that hangs shall stop a run for good.
const LONGEST: Limits = Limits {
    seconds: 900,
    processor_seconds: 900,
};

/// Not asked: they need an optimised build for their small stack, a clock, or the whole repository.
pub const LEFT_OUT: [&str; 3] = [
    "small_stack",
    "conformance_dependencies",
    "two_threads_agree_with_one_over_damaged_values",
];

pub struct Test {
    /// Which of the programs it is in.
    pub program: usize,
    pub name: String,
    pub time: Duration,
    pub reached: BTreeSet<u16>,
}

/// Runs every test of the programs alone. The quickest come first.
pub fn measure(
    programs: &[PathBuf],
    folder: &Path,
    work: &Path,
    longest: Duration,
) -> Result<Vec<Test>> {
    let runner = Runner::new(programs, folder, &work.join("baseline"));
    let mut tests = Vec::new();
    for program in 0..programs.len() {
        measure_one(&runner, program, work, longest, &mut tests)?;
    }
    if tests.is_empty() {
        return Err("no test passes".into());
    }
    tests.sort_by_key(|test| test.time);
    Ok(tests)
}

fn measure_one(
    runner: &Runner,
    program: usize,
    work: &Path,
    longest: Duration,
    tests: &mut Vec<Test>,
) -> Result<()> {
    let listed = runner.list(program)?;
    let names = listed
        .lines()
        .filter_map(|line| line.strip_suffix(": test"));
    let reached = work.join("reached");
    for name in names.filter(|&name| name != FIRST) {
        if LEFT_OUT.iter().any(|part| name.contains(part)) {
            println!("left out: {name}");
            continue;
        }
        let _ = fs::remove_file(&reached);
        let (end, time) = runner.run(program, None, Some(&reached), &[name], LONGEST)?;
        if end != End::Passed {
            println!("left out, as it fails here without any change: {name}");
            continue;
        }
        if time > longest {
            println!("left out, as it takes {:.1} s: {name}", time.as_secs_f64());
            continue;
        }
        let numbers = fs::read(&reached).unwrap_or_default();
        let numbers = numbers
            .chunks_exact(2)
            .map(|two| u16::from_le_bytes([two[0], two[1]]));
        tests.push(Test {
            program,
            name: name.to_owned(),
            time,
            reached: numbers.collect(),
        });
    }
    Ok(())
}
