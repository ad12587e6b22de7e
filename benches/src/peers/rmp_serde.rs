//! rmp-serde: MessagePack through serde.

use serde::{Deserialize, de::IgnoredAny};

use super::LOOKS_AT_TEXT;
use crate::{
    harness::{Note, Suite},
    model::Value,
    question::{self, Answer},
    workloads::{Entity, Packets, Tree},
};

/// The entry that validates.
pub(crate) const IGNORED: &str = "rmp-serde IgnoredAny";
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

/// MessagePack of all packets, one behind the other.
pub(crate) fn all_encoded(packets: &Packets) -> (Vec<u8>, Vec<std::ops::Range<usize>>) {
    let mut bytes = Vec::new();
    let ranges = packets.values.iter().map(|value| {
        let start = bytes.len();
        bytes.extend(encoded(value, question::answer(value)));
        start..bytes.len()
    });
    let ranges = ranges.collect();
    (bytes, ranges)
}

/// A record of W1 that borrows its text.
#[derive(Clone, Debug, Deserialize)]
pub(crate) struct EntityRef<'a> {
    pub(crate) id: i32,
    pub(crate) name: &'a str,
    pub(crate) hp: f64,
    pub(crate) pos: [f32; 3],
    pub(crate) alive: bool,
    pub(crate) level: i32,
    #[serde(borrow)]
    pub(crate) items: (&'a str, i32, i32),
    pub(crate) gold: i32,
}

/// W1, of which only the records are wanted.
#[derive(Clone, Debug, Deserialize)]
pub(crate) struct SaveRef<'a> {
    /// The records.
    #[serde(borrow)]
    pub(crate) entities: Vec<EntityRef<'a>>,
}

impl SaveRef<'_> {
    /// The answer to the question for structs.
    pub(crate) fn answer(&self) -> u64 {
        self.entities.iter().fold(0, |sum, e| {
            let (item, count, quality) = e.items;
            sum.wrapping_add(question::int(
                i64::from(e.id) + i64::from(e.level) + i64::from(e.gold),
            ))
            .wrapping_add(question::text(e.name.as_bytes()))
            .wrapping_add(question::float(e.hp))
            .wrapping_add(question::vector(e.pos))
            .wrapping_add(question::bool(e.alive))
            .wrapping_add(typed_answer_of_items(item, count, quality))
        })
    }
}

/// What the small array in a record adds.
pub(crate) fn typed_answer_of_items(item: &str, count: i32, quality: i32) -> u64 {
    question::text(item.as_bytes())
        .wrapping_add(question::int(i64::from(count) + i64::from(quality)))
}

/// The answer for structs, from the records themselves.
pub(crate) fn typed_answer(entities: &[Entity]) -> u64 {
    let entities = entities.iter().map(|e| EntityRef {
        id: e.id,
        name: &e.name,
        hp: e.hp,
        pos: e.pos,
        alive: e.alive,
        level: e.level,
        items: (&e.items.0, e.items.1, e.items.2),
        gold: e.gold,
    });
    let entities = entities.collect();
    SaveRef { entities }.answer()
}

/// Registers the structs of W1.
pub(crate) fn typed<'a>(suite: &mut Suite<'a>, tree: &'a Tree, expected: u64) {
    let bytes = encoded(&tree.value, tree.answer);
    let note = Note::new("structure, text", "structs, borrowed text");
    suite.add(TYPED, note, bytes.len(), expected, move || {
        ::rmp_serde::from_slice::<SaveRef<'_>>(&bytes).map_or(0, |save| save.answer())
    });
}

/// Registers the writer of W1's records.
pub(crate) fn write<'a>(suite: &mut Suite<'a>, batches: &'a [Vec<Entity>]) {
    let mut buffer = Vec::new();
    let mut write = move || {
        let sizes = batches.iter().map(|batch| {
            buffer.clear();
            let done = ::rmp_serde::encode::write_named(&mut buffer, batch);
            done.map_or(0, |()| buffer.len() as u64)
        });
        sizes.sum()
    };
    let size: u64 = write();
    suite.add(WRITE, Note::new("", "bytes"), size as usize, size, write);
}
