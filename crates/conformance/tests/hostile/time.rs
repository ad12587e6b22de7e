//! All entries take linear time: twice the bytes take about twice the time. Only ratios of the processor
//! time of one thread are compared, not absolute times.

use std::time::Duration;

use gdvar::Limits;
use gdvar_conformance::{
    hostile::{self, Hostile},
    with_big_stack,
};

use crate::{
    clock,
    entries::{self, Entry},
};

/// Bytes of the smallest input; the others have twice and four times as many.
const SMALL: usize = 1 << 15;

/// The most that the time may grow for four times the bytes. Linear is 4, sorting is less than 5, quadratic
/// is 16.
const MOST: f64 = 9.0;

/// A pair is measured up to this many times before it is called slow, because caches and other programs
/// disturb the times.
const TRIES: u32 = 6;

/// A run that takes longer than this is measured only once: it is long enough to be exact, and the test has
/// hundreds of pairs to measure. The run does not fail for it.
const LONG: Duration = Duration::from_millis(300);

/// Measures the time of one run: the least of three measurements. Each is the mean of as many runs as fill
/// one millisecond.
fn time(entry: &Entry, bytes: &[u8]) -> Duration {
    let one = || {
        let start = clock::now();
        for runs in 1.. {
            (entry.run)(entries::open(bytes).with_limits(Limits::MOST));
            let spent = clock::now().saturating_sub(start);
            if spent >= Duration::from_millis(1) {
                return spent / runs;
            }
        }
        Duration::ZERO
    };
    let first = one();
    if first > LONG {
        return first;
    }
    first.min(one()).min(one())
}

/// The smallest input of a try. Later tries use larger inputs: their growth no longer crosses the size of a
/// cache, and quadratic time shows even more clearly.
fn small(attempt: u32) -> usize {
    if attempt < TRIES / 2 {
        SMALL
    } else {
        4 * SMALL
    }
}

/// The factor by which the time grows for four times the bytes, and for twice the bytes.
fn growth(entry: &Entry, hostile: &Hostile, small: usize) -> (f64, f64) {
    let [one, two, four] = [1, 2, 4].map(|factor| (hostile.make)(factor * small));
    let [t1, t2, t4] = [&one, &two, &four].map(|bytes| time(entry, bytes).as_secs_f64());
    // The inputs have only about the size that was asked for, so the times are scaled to it.
    let [n1, n2, n4] = [&one, &two, &four].map(|bytes| bytes.len() as f64);
    let scale = |time: f64, size: f64, factor: f64| time / t1 * (factor * n1 / size);
    (scale(t4, n4, 4.0), scale(t2, n2, 2.0))
}

#[test]
fn twice_the_bytes_take_twice_the_time_whatever_they_are() {
    with_big_stack(measure);
}

fn measure() {
    let mut worst = (0.0, String::new());
    let mut slow = Vec::new();
    for entry in &entries::ALL {
        for hostile in hostile::ALL.iter().chain(&hostile::DEEPER) {
            let mut least = f64::MAX;
            let mut twice = f64::MAX;
            for attempt in 0..TRIES {
                let (four, two) = growth(entry, hostile, small(attempt));
                (least, twice) = (least.min(four), twice.min(two));
                // A factor above 15 in two measurements is not an accident, so no further try is made.
                if least <= MOST || attempt > 0 && least > 15.0 {
                    break;
                }
            }
            let name = format!("{}: {}", entry.name, hostile.name);
            if least > MOST {
                slow.push(format!("{name}: ×{twice:.1} for 2×, ×{least:.1} for 4×"));
            }
            if least > worst.0 {
                worst = (least, name);
            }
        }
    }
    println!(
        "{} pairs; the worst takes ×{:.1} for four times the bytes: {}",
        entries::ALL.len() * (hostile::ALL.len() + hostile::DEEPER.len()),
        worst.0,
        worst.1
    );
    assert!(slow.is_empty(), "{slow:#?}");
}
