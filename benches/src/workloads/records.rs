//! W1b: records that cannot be predicted.

use super::{Size, Tree};
use crate::{
    model::{Pair, Value},
    random::Random,
};

/// W1b: 1 000 or 200 000 dictionaries of 4 to 12 random keys with values of nine random types.
pub(crate) fn records(size: Size) -> Tree {
    let mut random = Random::new(0x5eed_001b);
    let keys = keys(&mut random);
    let records = (0..size.pick(1_000, 200_000)).map(|_| record(&keys, &mut random));
    let value = Value::dict([("records", Value::Array(records.collect()))]);
    Tree::new(
        "W1b",
        "hostile to prediction: random keys, types, widths",
        value,
    )
}

fn keys(random: &mut Random) -> Vec<String> {
    let mut keys: Vec<String> = Vec::new();
    while keys.len() < 64 {
        let chars = random.between(2, 14) as usize;
        let key = random.text(chars, false).replace(' ', "_");
        if !keys.contains(&key) {
            keys.push(key);
        }
    }
    keys
}

fn record(keys: &[String], random: &mut Random) -> Value {
    let mut pairs: Vec<Pair> = Vec::new();
    for _ in 0..random.between(4, 12) {
        let key = loop {
            let key = random.pick(keys);
            if pairs.iter().all(|pair| pair.key != *key) {
                break key.clone();
            }
        };
        let value = value(random);
        pairs.push(Pair { key, value });
    }
    Value::Dict(pairs)
}

fn value(random: &mut Random) -> Value {
    match random.below(9) {
        0 => Value::Nil,
        1 => Value::Bool(random.one_in(2)),
        2 => Value::Int(random.between(-1_000_000, 1_000_000)),
        3 => Value::Int(random.between(1 << 33, 1 << 52)),
        4 => Value::Float(f64::from(random.coordinate())),
        5 => Value::Float(random.between(1, 100_000_000) as f64 / 1e4),
        6 => {
            let (chars, accents) = (random.between(0, 40) as usize, random.one_in(8));
            Value::Text(random.text(chars, accents && chars > 0))
        }
        7 => Value::Vector3([
            random.coordinate(),
            random.coordinate(),
            random.coordinate(),
        ]),
        _ => Value::Array(
            (0..random.below(3))
                .map(|_| Value::Int(random.between(0, 99)))
                .collect(),
        ),
    }
}
