//! Shows a fair comparison: every reader answers the same question, and its answer is checked
//! before it is timed.
//!
//! `cargo run --release --example compare`

use std::time::Instant;

use gdvar::{Dialect, Document, Variant, walk::Event};

/// A way to read, and what it does besides answering.
trait Engine {
    /// The name for the table.
    const NAME: &'static str;
    /// What it checks and builds.
    const DOES: &'static str;

    /// Returns the sum of all ints of the input.
    fn run(input: &[u8]) -> Result<i64, gdvar::Error>;
}

struct ByEvents;
struct ByTree;

impl Engine for ByEvents {
    const NAME: &'static str = "events";
    const DOES: &'static str = "validates everything, builds nothing";

    fn run(input: &[u8]) -> Result<i64, gdvar::Error> {
        let mut sum = 0;
        let mut events = Document::new(input, Dialect::GODOT_4).events();
        while let Some(event) = events.try_next()? {
            if let Event::Value(value) = event {
                sum += value.as_i64().unwrap_or(0);
            }
        }
        Ok(sum)
    }
}

impl Engine for ByTree {
    const NAME: &'static str = "tree";
    const DOES: &'static str = "validates everything, builds an owned tree";

    fn run(input: &[u8]) -> Result<i64, gdvar::Error> {
        fn sum(value: &Variant) -> i64 {
            match value {
                Variant::Int(int) => *int,
                Variant::Array(array) => array.iter().map(sum).sum(),
                Variant::Dictionary(dict) => {
                    dict.iter().map(|(key, value)| sum(key) + sum(value)).sum()
                }
                _ => 0,
            }
        }
        Ok(sum(&Variant::from_slice(input, Dialect::GODOT_4)?))
    }
}

fn verify<E: Engine>(input: &[u8], expected: i64) {
    assert_eq!(E::run(input), Ok(expected), "{}", E::NAME);
}

fn time<E: Engine>(input: &[u8]) {
    let start = Instant::now();
    let rounds = 20;
    for _ in 0..rounds {
        std::hint::black_box(E::run(std::hint::black_box(input)).ok());
    }
    let each = start.elapsed() / rounds;
    println!("{:8} {each:>12.1?}  {}", E::NAME, E::DOES);
}

fn main() -> Result<(), Box<dyn std::error::Error>> {
    let record = |n: i64| gdvar::variant!({ "id": n, "name": "Ann", "items": [1, 2, 3] });
    let records: gdvar::Array = (0..10_000).map(record).collect();
    let input = Variant::from(records).to_vec(Dialect::GODOT_4)?;
    let expected = 10_000 * 9_999 / 2 + 10_000 * 6;
    verify::<ByEvents>(&input, expected);
    verify::<ByTree>(&input, expected);
    time::<ByEvents>(&input);
    time::<ByTree>(&input);
    Ok(())
}
