//! W4 and W4p: text.

use super::{Size, Tree};
use crate::{model::Value, random::Random};

fn texts(size: Size) -> impl Iterator<Item = String> {
    let mut random = Random::new(0x5eed_0004);
    (0..size.pick(7_000, 1_000_000)).map(move |_| {
        let (chars, accents) = (random.between(5, 55) as usize, random.below(10) < 3);
        random.text(chars, accents)
    })
}

/// W4: an Array of 7 000 or 1 000 000 Strings of 5 to 55 characters, 30 % of them not ASCII. None
/// is longer than 127 bytes, so that headers and lengths are ASCII too and one UTF-8 validation
/// over all of the bytes can serve as a limit.
pub(crate) fn strings(size: Size) -> Tree {
    let value = Value::Array(texts(size).map(Value::Text).collect());
    Tree::new("W4", "an Array of Strings, 30 % of them not ASCII", value)
}

/// W4p: the same as a PackedStringArray.
pub(crate) fn packed_strings(size: Size) -> Tree {
    let texts: Vec<String> = texts(size).collect();
    let count = texts.len();
    let title = "the Strings of W4 as a PackedStringArray, each counted as a value";
    Tree {
        count,
        ..Tree::new("W4p", title, Value::Texts(texts))
    }
}
