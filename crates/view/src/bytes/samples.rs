//! Values of Godot 4 as bytes, for tests of shortcuts (`docs/FORMAT.md` §3).

use alloc::{vec, vec::Vec};

use crate::bytes::observer::Observer;

pub(crate) const DICT: u32 = 27;
pub(crate) const ARRAY: u32 = 28;

pub(crate) fn words(words: &[u32]) -> Vec<u8> {
    words.iter().flat_map(|word| word.to_le_bytes()).collect()
}

pub(crate) fn int(number: u32) -> Vec<u8> {
    words(&[2, number])
}

/// A String whose padding is not zero: engines ignore it.
pub(crate) fn string(text: &[u8]) -> Vec<u8> {
    let mut bytes = words(&[4]);
    bytes.extend(element(text));
    bytes
}

/// An element of a PackedStringArray: a String without a header.
pub(crate) fn element(text: &[u8]) -> Vec<u8> {
    let mut bytes = words(&[text.len() as u32]);
    bytes.extend(text);
    bytes.resize(bytes.len().next_multiple_of(4), b'~');
    bytes
}

pub(crate) fn array(children: &[Vec<u8>]) -> Vec<u8> {
    [words(&[ARRAY, children.len() as u32]), children.concat()].concat()
}

/// A Dictionary with String keys.
pub(crate) fn dict(pairs: &[(&str, Vec<u8>)]) -> Vec<u8> {
    let mut bytes = words(&[DICT, pairs.len() as u32]);
    for (key, value) in pairs {
        bytes.extend(string(key.as_bytes()));
        bytes.extend(value);
    }
    bytes
}

/// `value` inside of `depth` arrays of one child.
pub(crate) fn nested(depth: usize, value: Vec<u8>) -> Vec<u8> {
    (0..depth).fold(value, |inside, _| array(&[inside]))
}

/// Records the offsets at which children begin.
#[derive(Debug, Default, PartialEq, Eq)]
pub(crate) struct RecordedOffsets(pub(crate) Vec<usize>);

impl Observer for RecordedOffsets {
    const ENDS: bool = false;

    fn child(&mut self, at: usize, _: u32) {
        self.0.push(at);
    }

    fn children(&mut self, at: usize, size: usize, count: u32) {
        self.0.extend((0..count as usize).map(|n| at + n * size));
    }

    fn retract(&mut self, count: u32) {
        self.0.truncate(self.0.len() - count as usize);
    }

    fn open(&mut self, _: u32) {}

    fn close(&mut self) {}
}

/// The offset of each value, if the first is at `start`.
pub(crate) fn starts(start: usize, values: &[Vec<u8>]) -> Vec<usize> {
    let mut at = start;
    let mut all = vec![];
    for value in values {
        all.push(at);
        at += value.len();
    }
    all
}
