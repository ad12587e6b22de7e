//! Instructions per value, counted by callgrind: the same on a busy machine as on a quiet one.

use std::{env, process::Command};

use crate::{
    harness::Suite,
    peers::gdvar,
    plan::{self, Visit, Who},
    workloads::Size,
};

/// How often the entry runs while instructions are counted.
const PASSES: usize = 5;

/// Workload, entry, and the most instructions per value that are allowed.
const COUNTED: [(&str, &str, Option<f64>); 11] = [
    ("W1", gdvar::validate::VALIDATE, Some(55.0)),
    ("W1b", gdvar::validate::VALIDATE, Some(65.0)),
    ("W3", gdvar::validate::VALIDATE, None),
    ("W4", gdvar::validate::VALIDATE, None),
    ("W6", gdvar::validate::VALIDATE, None),
    ("W7", gdvar::validate::VALIDATE, None),
    ("W1", gdvar::validate::SKIP, Some(50.0)),
    ("W1", gdvar::events::EVENTS_READ, None),
    ("W1 write", gdvar::write::WRITE, Some(25.0)),
    ("W1 write", gdvar::write::BURST, Some(25.0)),
    ("W1 write", gdvar::write::SLOTS, None),
];

/// Runs one entry alone, for callgrind and perf.
struct Alone<'a> {
    workload: &'a str,
    entry: &'a str,
    passes: usize,
    values: Option<usize>,
}

impl Visit for Alone<'_> {
    fn suite(&mut self, mut suite: Suite<'_>) {
        if suite.workload() == self.workload {
            self.values = suite.run_alone(self.entry, self.passes);
        }
    }
}

/// Runs one entry of a small workload alone, so many times and once before; prints how many values
/// a pass has. Returns `true` if there is such an entry.
pub(crate) fn run_alone(workload: &str, entry: &str, passes: usize) -> bool {
    let mut alone = Alone {
        workload,
        entry,
        passes,
        values: None,
    };
    for name in plan::WORKLOADS.iter().filter(|name| **name == workload) {
        plan::visit(name, Size::Small, Who::All, &mut alone);
    }
    if let Some(values) = alone.values {
        println!("{values}");
    }
    alone.values.is_some()
}

/// Counts, prints one JSON line for each, and says whether all are within bounds. `None` without
/// callgrind.
pub(crate) fn count() -> Option<bool> {
    let mut good = true;
    for (workload, entry, bound) in COUNTED {
        let found = instructions(workload, entry)?;
        good &= bound.is_none_or(|bound| found <= bound);
        let bound = bound.map_or("null".to_owned(), |bound| bound.to_string());
        println!(
            r#"{{"instructions per value":"{workload}: {entry}","found":{found:.1},"at_most":{bound}}}"#
        );
    }
    Some(good)
}

fn instructions(workload: &str, entry: &str) -> Option<f64> {
    let run = Command::new("valgrind")
        .args(["--tool=callgrind", "--callgrind-out-file=/dev/null"])
        .arg("--toggle-collect=*counted_pass*")
        .arg(env::current_exe().ok()?)
        .args(["--alone", workload, entry, &PASSES.to_string()])
        .output()
        .ok()?;
    let values: f64 = String::from_utf8_lossy(&run.stdout).trim().parse().ok()?;
    let log = String::from_utf8_lossy(&run.stderr).into_owned();
    let total = log
        .lines()
        .find_map(|line| line.split("Collected :").nth(1))?;
    let total: f64 = total.trim().parse().ok()?;
    Some(total / values / PASSES as f64)
}
