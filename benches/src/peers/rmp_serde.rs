//! rmp-serde: MessagePack through serde.

use serde::{Deserialize, Serialize, de::IgnoredAny};

use super::{LOOKS_AT_TEXT, structs::Format};
use crate::{
    harness::{Note, Suite},
    model::Value,
    question::{self, Answer},
    workloads::{Packets, Tree},
};

/// MessagePack as a format for structs.
#[derive(Clone, Copy, Debug)]
pub(crate) enum MessagePack {}

/// The entry that validates.
pub(crate) const IGNORED: &str = "rmp-serde IgnoredAny";
/// The entry that reads everything by a visitor of serde's.
pub(crate) const READ: &str = "rmp-serde visitor, all read";
/// The entry that fills structs.
pub(crate) const TYPED: &str = "rmp-serde structs";
/// The entry that writes structs with names.
pub(crate) const WRITE: &str = "rmp-serde write_named";

/// MessagePack of a value, read back to be sure.
pub(crate) fn encoded(value: &Value, answer: u64) -> Vec<u8> {
    let bytes = ::rmp_serde::to_vec(value).expect("any value can be MessagePack");
    assert_eq!(
        ::rmp_serde::from_slice::<Answer>(&bytes).ok(),
        Some(Answer(answer))
    );
    bytes
}

/// Registers what reads a tree.
pub(crate) fn tree<'a>(suite: &mut Suite<'a>, tree: &'a Tree) {
    let bytes = encoded(&tree.value, tree.answer);
    let note = Note::new(LOOKS_AT_TEXT, "nothing");
    suite.add(IGNORED, note, bytes.len(), 1, move || {
        u64::from(::rmp_serde::from_slice::<IgnoredAny>(&bytes).is_ok())
    });
}

/// Registers what validates a tree and what reads all of it.
pub(crate) fn judged<'a>(suite: &mut Suite<'a>, own: &'a Tree) {
    tree(suite, own);
    let bytes = encoded(&own.value, own.answer);
    let note = Note::new("structure, text", "nothing; reads all");
    suite.add(READ, note, bytes.len(), own.answer, move || {
        ::rmp_serde::from_slice::<Answer>(&bytes).map_or(0, |answer| answer.0)
    });
}

/// Registers what reads packets.
pub(crate) fn packets<'a>(suite: &mut Suite<'a>, packets: &'a Packets) {
    let (bytes, ranges) = all_encoded(packets);
    let count = ranges.len() as u64;
    let note = Note::new(LOOKS_AT_TEXT, "nothing");
    suite.add(IGNORED, note, bytes.len(), count, move || {
        let packets = ranges.iter().map(|range| &bytes[range.clone()]);
        packets
            .map(|packet| u64::from(::rmp_serde::from_slice::<IgnoredAny>(packet).is_ok()))
            .sum()
    });
}

/// Registers what validates messages and what reads all of them.
pub(crate) fn messages<'a>(suite: &mut Suite<'a>, own: &'a Packets) {
    packets(suite, own);
    let (bytes, ranges) = all_encoded(own);
    let note = Note::new("structure, text", "nothing; reads all");
    suite.add(READ, note, bytes.len(), own.answer, move || {
        let packets = ranges.iter().map(|range| &bytes[range.clone()]);
        let answers = packets
            .map(|packet| ::rmp_serde::from_slice::<Answer>(packet).map_or(0, |answer| answer.0));
        answers.fold(0, u64::wrapping_add)
    });
}

/// MessagePack of all packets, one behind the other.
pub(crate) fn all_encoded(packets: &Packets) -> (Vec<u8>, Vec<std::ops::Range<usize>>) {
    let mut bytes = Vec::new();
    let ranges = packets.values.iter().map(|value| {
        let start = bytes.len();
        bytes.extend(encoded(value, question::answer(value)));
        start..bytes.len()
    });
    let ranges: Vec<_> = ranges.collect();
    (bytes, packets.in_order(&ranges))
}

impl Format for MessagePack {
    const READ: &str = TYPED;
    const WRITE: &str = WRITE;

    type Vector3 = [f32; 3];
    type Vector2 = [f32; 2];
    type Vector2i = [i32; 2];
    type Transform = [f32; 12];
    type Color = [f32; 4];
    type Path = String;

    fn encoded(tree: &Tree) -> Vec<u8> {
        encoded(&tree.value, tree.answer)
    }

    fn read<'a, T: Deserialize<'a>>(bytes: &'a [u8], _: bool) -> Option<T> {
        ::rmp_serde::from_slice(bytes).ok()
    }

    fn write<T: Serialize>(to: &mut Vec<u8>, value: &T) -> Option<()> {
        ::rmp_serde::encode::write_named(to, value).ok()
    }
}
