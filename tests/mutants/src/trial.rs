//! A trial: does a test notice a change?

use std::{collections::BTreeMap, time::Duration};

use crate::{
    Result,
    run::{End, Limits, Runner},
    suite::Test,
};

/// The tests that are asked first, second: the quickest tests that together take so long. All others
/// come at last.
const BATCHES: [Duration; 2] = [Duration::from_millis(500), Duration::from_secs(5)];

#[derive(Clone, Debug, PartialEq, Eq)]
pub enum Verdict {
    /// By this test, as far as it is known.
    Caught(String),
    Timeout,
    Missed,
}

/// The tests of one change, the quickest first, in batches of one program each.
fn batches<'a>(tests: &[&'a Test]) -> Vec<Vec<&'a Test>> {
    let mut batches = BTreeMap::<_, Vec<&Test>>::new();
    let mut sum = Duration::ZERO;
    for &test in tests {
        sum += test.time;
        let number = BATCHES.iter().filter(|&&limit| sum > limit).count();
        batches
            .entry((number, test.program))
            .or_default()
            .push(test);
    }
    batches.into_values().collect()
}

/// Runs the tests that reach the change until one fails.
pub fn judge(runner: &Runner, mutant: u16, tests: &[&Test]) -> Result<Verdict> {
    for batch in batches(tests) {
        let names: Vec<&str> = batch.iter().map(|test| test.name.as_str()).collect();
        let seconds = batch
            .iter()
            .map(|test| test.time)
            .sum::<Duration>()
            .as_secs_f64();
        let limits = Limits {
            seconds: (seconds * 20.0) as u64 + 60,
            processor_seconds: (seconds * 6.0) as u64 + 5,
        };
        match runner
            .run(batch[0].program, Some(mutant), None, &names, limits)?
            .0
        {
            End::Passed => {}
            End::Failed(test) => return Ok(Verdict::Caught(test)),
            End::TimedOut => return Ok(Verdict::Timeout),
        }
    }
    Ok(Verdict::Missed)
}
