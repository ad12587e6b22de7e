//! W7: scalars of one type.

use super::{Size, Tree};
use crate::{model::Value, random::Random};

/// W7: an Array of 32 768 or 4 194 304 ints.
pub(crate) fn ints(size: Size) -> Tree {
    let mut random = Random::new(0x5eed_0007);
    let ints = (0..size.pick(1 << 15, 1 << 22)).map(|_| Value::Int(random.between(0, 1 << 30)));
    Tree::new("W7", "an Array of ints", Value::Array(ints.collect()))
}
