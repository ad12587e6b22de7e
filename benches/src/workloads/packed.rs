//! W2: packed arrays.

use super::{Size, Tree};
use crate::{model::Value, random::Random};

/// W2: a Dictionary of four packed arrays of 64 KB or 67 MB each.
///
/// The floats are small whole numbers, so that every order of adding gives the same sum.
pub(crate) fn packed(size: Size) -> Tree {
    let mut random = Random::new(0x5eed_0002);
    let len: usize = size.pick(1 << 16, 1 << 26);
    let mut random = || random.bits() as u32;
    let value = Value::dict([
        (
            "floats",
            Value::Floats((0..len / 4).map(|_| (random() >> 28) as f32).collect()),
        ),
        (
            "ints",
            Value::Ints((0..len / 4).map(|_| random() as i32).collect()),
        ),
        (
            "vectors",
            Value::Vectors(
                (0..len / 12)
                    .map(|_| [(); 3].map(|()| (random() >> 28) as f32))
                    .collect(),
            ),
        ),
        (
            "bytes",
            Value::Bytes((0..len).map(|_| random() as u8).collect()),
        ),
    ]);
    Tree::new("W2", "a Dictionary of four packed arrays", value)
}
