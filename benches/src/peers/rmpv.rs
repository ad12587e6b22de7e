//! rmpv: MessagePack as a borrowed tree.

use ::rmpv::ValueRef;

use super::{LOOKS_AT_TEXT, rmp_serde};
use crate::{
    harness::{Note, Suite},
    question,
    workloads::{Packets, Tree},
};

/// The entry that reads and touches all.
pub(crate) const READ: &str = "rmpv ValueRef, all read";

const NOTE: Note = Note::new(LOOKS_AT_TEXT, "tree, borrowed text");

/// Registers what reads a tree.
pub(crate) fn tree<'a>(suite: &mut Suite<'a>, tree: &'a Tree) {
    let bytes = rmp_serde::encoded(&tree.value, tree.answer);
    suite.add(READ, NOTE, bytes.len(), tree.answer, move || read(&bytes));
}

/// Registers what reads packets.
pub(crate) fn packets<'a>(suite: &mut Suite<'a>, packets: &'a Packets) {
    let (bytes, ranges) = rmp_serde::all_encoded(packets);
    suite.add(READ, NOTE, bytes.len(), packets.answer, move || {
        let packets = ranges.iter().map(|range| &bytes[range.clone()]);
        packets.map(read).fold(0, u64::wrapping_add)
    });
}

fn read(mut bytes: &[u8]) -> u64 {
    ::rmpv::decode::read_value_ref(&mut bytes).map_or(0, |value| answer(&value))
}

fn answer(value: &ValueRef<'_>) -> u64 {
    match value {
        ValueRef::Nil => question::NIL,
        ValueRef::Boolean(value) => question::bool(*value),
        ValueRef::Integer(value) => value.as_i64().map_or(0, question::int),
        ValueRef::F32(value) => question::float(f64::from(*value)),
        ValueRef::F64(value) => question::float(*value),
        ValueRef::String(text) => question::text(text.as_bytes()),
        ValueRef::Binary(bytes) => question::text(bytes),
        ValueRef::Array(items) => {
            let sum = question::array(items.len());
            items
                .iter()
                .fold(sum, |sum, item| sum.wrapping_add(answer(item)))
        }
        ValueRef::Map(pairs) => {
            let sum = question::dict(pairs.len());
            pairs.iter().fold(sum, |sum, (key, value)| {
                sum.wrapping_add(answer(key)).wrapping_add(answer(value))
            })
        }
        ValueRef::Ext(..) => 0,
    }
}
