//! rmpv: MessagePack as a tree, borrowed or owned.

use ::rmpv::{Value, ValueRef};

use super::{LOOKS_AT_TEXT, rmp_serde};
use crate::{
    harness::{Note, Suite},
    question,
    workloads::{Packets, Tree},
};

/// The entry that reads and touches all.
pub(crate) const READ: &str = "rmpv ValueRef, all read";

/// The entry that reads into an owned tree and looks at all of it.
pub(crate) const READ_OWNED: &str = "rmpv Value, all read";
/// The entry that writes a tree.
pub(crate) const WRITE_TREE: &str = "rmpv Value, written";
/// The entry that reads into an owned tree by serde.
pub(crate) const READ_SERDE: &str = "rmp-serde into rmpv Value, all read";
/// The entry that writes a tree by serde.
pub(crate) const WRITE_SERDE: &str = "rmp-serde of rmpv Value, written";

const NOTE: Note = Note::new(LOOKS_AT_TEXT, "tree, borrowed text");

/// Registers what reads a tree.
pub(crate) fn tree<'a>(suite: &mut Suite<'a>, tree: &'a Tree) {
    let bytes = rmp_serde::encoded(&tree.value, tree.answer);
    suite.add(READ, NOTE, bytes.len(), tree.answer, move || read(&bytes));
}

/// Registers what reads into an owned tree and what writes one, with and without serde.
pub(crate) fn owned(suite: &mut Suite<'_>, tree: &Tree) {
    let bytes = rmp_serde::encoded(&tree.value, tree.answer);
    let value = ::rmpv::decode::read_value(&mut bytes.as_slice()).expect("it was encoded");
    let (size, same, tree_of_serde) = (bytes.len(), bytes.clone(), value.clone());
    let note = Note::new(LOOKS_AT_TEXT, "tree");
    suite.add(READ_OWNED, note, size, tree.answer, move || {
        let value = ::rmpv::decode::read_value(&mut same.as_slice());
        value.map_or(0, |value| owned_answer(&value))
    });
    suite.add(READ_SERDE, note, size, tree.answer, move || {
        ::rmp_serde::from_slice(&bytes).map_or(0, |value| owned_answer(&value))
    });
    let note = Note::new("", "bytes, from a tree");
    let mut buffer = Vec::new();
    ::rmpv::encode::write_value(&mut buffer, &value).expect("a vector takes all");
    let size = buffer.len();
    suite.add(WRITE_TREE, note, size, size as u64, move || {
        buffer.clear();
        ::rmpv::encode::write_value(&mut buffer, &value).map_or(0, |()| buffer.len() as u64)
    });
    let mut buffer = Vec::new();
    suite.add(WRITE_SERDE, note, size, size as u64, move || {
        buffer.clear();
        let done = ::rmp_serde::encode::write(&mut buffer, &tree_of_serde);
        done.map_or(0, |()| buffer.len() as u64)
    });
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

/// The answer of a tree, borrowed or owned.
macro_rules! answer {
    ($name:ident: $tree:ty, $kind:ident) => {
        fn $name(value: &$tree) -> u64 {
            match value {
                $kind::Nil => question::NIL,
                $kind::Boolean(value) => question::bool(*value),
                $kind::Integer(value) => value.as_i64().map_or(0, question::int),
                $kind::F32(value) => question::float(f64::from(*value)),
                $kind::F64(value) => question::float(*value),
                $kind::String(text) => question::text(text.as_bytes()),
                $kind::Binary(bytes) => question::text(bytes),
                $kind::Array(items) => {
                    let sum = question::array(items.len());
                    items
                        .iter()
                        .fold(sum, |sum, item| sum.wrapping_add($name(item)))
                }
                $kind::Map(pairs) => {
                    let sum = question::dict(pairs.len());
                    pairs.iter().fold(sum, |sum, (key, value)| {
                        sum.wrapping_add($name(key)).wrapping_add($name(value))
                    })
                }
                $kind::Ext(..) => 0,
            }
        }
    };
}
answer!(answer: ValueRef<'_>, ValueRef);
answer!(owned_answer: Value, Value);
