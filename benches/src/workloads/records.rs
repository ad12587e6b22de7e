//! W1b: records that cannot be predicted. T shapes: saves of records, each of a shape of its own.

use super::{Packets, Size, Tree};
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

/// T shapes: 20 or 200 saves of a thousand records, each read once. All records of a save have the
/// same 4 to 12 keys with values of the same types; no two saves have the same.
pub(crate) fn shapes(size: Size) -> Packets {
    let mut random = Random::new(0x5eed_005b);
    let keys = keys(&mut random);
    let saves = (0..size.pick(20, 200)).map(|_| {
        let Value::Dict(mut shape) = record(&keys, &mut random) else {
            return Value::Nil;
        };
        let kinds: Vec<usize> = shape.iter().map(|_| random.below(KINDS)).collect();
        let records = (0..1_000).map(|_| {
            for (pair, kind) in shape.iter_mut().zip(&kinds) {
                pair.value = value(*kind, &mut random);
            }
            Value::Dict(shape.clone())
        });
        let records: Vec<Value> = records.collect();
        Value::dict([("records", Value::Array(records))])
    });
    Packets::new(saves.collect())
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
        let value = value(random.below(KINDS), random);
        pairs.push(Pair { key, value });
    }
    Value::Dict(pairs)
}

/// The number of kinds of values.
const KINDS: usize = 9;

fn value(kind: usize, random: &mut Random) -> Value {
    match kind {
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
