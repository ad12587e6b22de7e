//! W6: depth.

use super::{Size, Tree};
use crate::{model::Value, random::Random};

/// W6: an Array of 200 or 20 000 ints, each nested 100 deep in Arrays and Dictionaries in turn.
pub(crate) fn nested(size: Size) -> Tree {
    let mut random = Random::new(0x5eed_0006);
    let values = (0..size.pick(200, 20_000)).map(|_| {
        deep(&mut random, |child| match child {
            Level::Array(value) => Value::Array(vec![value]),
            Level::Dict(value) => Value::dict([("next", value)]),
        })
    });
    Tree::new(
        "W6",
        "values nested 100 deep",
        Value::Array(values.collect()),
    )
}

/// W6s: 100 or 10 000 such values with an int behind each child, so that walks come back to every
/// level.
pub(crate) fn nested_with_siblings(size: Size) -> Tree {
    let mut random = Random::new(0x5eed_0066);
    let values = (0..size.pick(100, 10_000)).map(|_| {
        deep(&mut random, |child| match child {
            Level::Array(value) => Value::Array(vec![value, Value::Int(1)]),
            Level::Dict(value) => Value::dict([("next", value), ("n", Value::Int(2))]),
        })
    });
    let title = "values nested 100 deep, with a sibling behind each";
    Tree::new("W6s", title, Value::Array(values.collect()))
}

/// W6f: as many containers of one as W6 has, but none deeper than two.
pub(crate) fn shallow(size: Size) -> Tree {
    let mut random = Random::new(0x5eed_0666);
    let values = (0..size.pick(200, 20_000) * 100).map(|level| {
        let value = Value::Int(random.between(0, 1_000_000));
        match level % 2 {
            0 => Value::Array(vec![value]),
            _ => Value::dict([("next", value)]),
        }
    });
    Tree::new(
        "W6f",
        "the containers of W6 side by side",
        Value::Array(values.collect()),
    )
}

enum Level {
    Array(Value),
    Dict(Value),
}

fn deep(random: &mut Random, wrap: impl Fn(Level) -> Value) -> Value {
    let mut value = Value::Int(random.between(0, 1_000_000));
    for level in 0..100 {
        value = match level % 2 {
            0 => wrap(Level::Array(value)),
            _ => wrap(Level::Dict(value)),
        };
    }
    value
}
