//! W3: packets.

use std::ops::Range;

use super::Size;
use crate::{encode, model::Value, question, random::Random};

/// Packets one behind the other.
#[derive(Debug)]
pub(crate) struct Packets {
    /// The plain data.
    pub(crate) values: Vec<Value>,
    /// All of their bytes.
    pub(crate) bytes: Vec<u8>,
    /// The place of each.
    pub(crate) ranges: Vec<Range<usize>>,
    /// The number of Variants they hold.
    pub(crate) count: usize,
    /// The sum of their answers.
    pub(crate) answer: u64,
    /// The order in which they are read, if not that in which they lie.
    order: Vec<usize>,
    /// The number of bytes they have, without what may stand between them.
    pub(crate) size: u64,
}

/// W3: 1 000 or 1 000 000 packets of four kinds in random order.
pub(crate) fn packets(size: Size) -> Packets {
    let mut random = Random::new(0x5eed_0003);
    let values = (0..size.pick(1_000, 1_000_000)).map(|_| packet(&mut random));
    Packets::new(values.collect())
}

impl Packets {
    /// Encodes them one behind the other.
    pub(super) fn new(values: Vec<Value>) -> Packets {
        let mut bytes = Vec::new();
        let ranges = values.iter().map(|value| {
            let start = bytes.len();
            bytes.extend(encode::bytes(value));
            start..bytes.len()
        });
        Packets {
            ranges: ranges.collect(),
            count: values.iter().map(Value::count).sum(),
            answer: values
                .iter()
                .map(question::answer)
                .fold(0, u64::wrapping_add),
            size: bytes.len() as u64,
            bytes,
            values,
            order: Vec::new(),
        }
    }

    /// Reads them in random order from now on; they stay where they lie.
    pub(super) fn scatter(&mut self, random: &mut Random) {
        self.order = (0..self.ranges.len()).collect();
        for n in (1..self.order.len()).rev() {
            self.order.swap(n, random.below(n + 1));
        }
        self.ranges = self.in_order(&self.ranges);
    }

    /// The bytes of each.
    pub(crate) fn iter(&self) -> impl Iterator<Item = &[u8]> {
        self.ranges.iter().map(|range| &self.bytes[range.clone()])
    }

    /// The things that belong to the values, in the order in which they are read.
    pub(crate) fn in_order<T: Clone>(&self, each: &[T]) -> Vec<T> {
        if self.order.is_empty() {
            return each.to_vec();
        }
        self.order.iter().map(|&n| each[n].clone()).collect()
    }
}

fn packet(random: &mut Random) -> Value {
    let mut vector = || {
        Value::Vector3([
            random.coordinate(),
            random.coordinate(),
            random.coordinate(),
        ])
    };
    let (position, velocity) = (vector(), vector());
    let id = Value::Int(random.between(1, 5_000));
    let tick = Value::Int(random.between(0, 10_000_000));
    match random.below(4) {
        0 => Value::Array(vec![Value::text("move"), id, position, velocity, tick]),
        1 => {
            let (chars, accents) = (random.between(5, 60) as usize, random.one_in(5));
            let text = Value::Text(random.text(chars, accents));
            Value::dict([("type", Value::text("chat")), ("from", id), ("text", text)])
        }
        2 => Value::dict([
            ("type", Value::text("hit")),
            ("source", id),
            ("target", Value::Int(random.between(1, 5_000))),
            (
                "damage",
                Value::Float(random.between(0, 10_000) as f64 / 100.0),
            ),
            ("critical", Value::Bool(random.one_in(8))),
        ]),
        _ => Value::Array(vec![
            Value::text("state"),
            tick,
            Value::Array(
                (0..3)
                    .map(|_| Value::Int(random.between(1, 5_000)))
                    .collect(),
            ),
            Value::dict([
                ("hp", Value::Int(random.between(0, 100))),
                ("mp", Value::Int(random.between(0, 100))),
            ]),
        ]),
    }
}
