//! flexbuffers.

use ::flexbuffers::{FlexBufferType as Type, FlexbufferSerializer, Reader};
use serde::Serialize;

use super::{middle, tail};
use crate::{
    harness::{Note, Suite},
    model::Value,
    question,
    workloads::{Entity, Keys, Lookup, Tree},
};

/// The entry that looks up random records.
pub(crate) const LOOKUP: &str = "flexbuffers lookup";

/// The entry that reads everything.
pub(crate) const READ: &str = "flexbuffers, all read";

pub(crate) fn encoded(value: &Value) -> Vec<u8> {
    let mut serializer = FlexbufferSerializer::new();
    value
        .serialize(&mut serializer)
        .expect("any value can be a flexbuffer");
    serializer.take_buffer()
}

/// Registers what reads a tree.
pub(crate) fn tree<'a>(suite: &mut Suite<'a>, tree: &'a Tree) {
    let bytes = encoded(&tree.value);
    let note = Note::new("bounds, text", "nothing; reads all");
    suite.add(READ, note, bytes.len(), tree.answer, move || {
        Reader::get_root(bytes.as_slice()).map_or(0, answer)
    });
}

fn answer(value: Reader<&[u8]>) -> u64 {
    match value.flexbuffer_type() {
        Type::Null => question::NIL,
        Type::Bool => question::bool(value.as_bool()),
        Type::Int | Type::UInt | Type::IndirectInt | Type::IndirectUInt => {
            question::int(value.as_i64())
        }
        Type::Float | Type::IndirectFloat => question::float(value.as_f64()),
        Type::String | Type::Key => question::text(value.as_str().as_bytes()),
        Type::Map => {
            let map = value.as_map();
            let sum = question::dict(map.len());
            map.iter_keys()
                .zip(map.iter_values())
                .fold(sum, |sum, (key, value)| {
                    sum.wrapping_add(question::text(key.as_bytes()))
                        .wrapping_add(answer(value))
                })
        }
        Type::Blob => question::text(value.as_blob().0),
        _ => {
            let items = value.as_vector();
            let sum = question::array(items.len());
            items
                .iter()
                .fold(sum, |sum, item| sum.wrapping_add(answer(item)))
        }
    }
}

/// Registers the lookups of W5.
pub(crate) fn path<'a>(suite: &mut Suite<'a>, tree: &'a Tree, in_tail: bool) {
    let bytes = encoded(&tree.value);
    let (at, found) = middle(tree);
    let found = if in_tail { tail() } else { found };
    let note = Note::new("bounds", "nothing");
    suite.add(LOOKUP, note, bytes.len(), found, move || {
        let Ok(root) = Reader::get_root(bytes.as_slice()) else {
            return 0;
        };
        let root = root.as_map();
        if in_tail {
            let inventory = root.idx("player").as_map().idx("inventory").as_map();
            let slot = inventory.idx("slots").as_vector().idx(3).as_map();
            return question::text(slot.idx("item").as_str().as_bytes());
        }
        let entity = root.idx("entities").as_vector().idx(at).as_map();
        question::int(entity.idx("items").as_vector().idx(1).as_i64())
    });
}

/// Registers the random lookups in W1.
pub(crate) fn lookup<'a>(suite: &mut Suite<'a>, bytes: &'a [u8], lookup: &'a Lookup) {
    let note = Note::new("bounds", "nothing");
    suite.add(LOOKUP, note, bytes.len(), lookup.answer, move || {
        let Ok(root) = Reader::get_root(bytes) else {
            return 0;
        };
        lookup.sum(|place| {
            let entities = root.as_map().idx("entities").as_vector();
            let items = entities.idx(place).as_map().idx("items").as_vector();
            Some(items.idx(1).as_i64())
        })
    });
}

/// Registers `actors[i].id` of a realistic save.
pub(crate) fn actors<'a>(suite: &mut Suite<'a>, bytes: &'a [u8], lookup: &'a Lookup) {
    let note = Note::new("bounds", "nothing");
    suite.add(LOOKUP, note, bytes.len(), lookup.answer, move || {
        let Ok(root) = Reader::get_root(bytes) else {
            return 0;
        };
        lookup.sum(|place| {
            let actors = root.as_map().idx("actors").as_vector();
            Some(actors.idx(place).as_map().idx("id").as_i64())
        })
    });
}

/// Registers the search for names in a leaderboard.
pub(crate) fn names<'a>(suite: &mut Suite<'a>, bytes: &'a [u8], keys: &'a Keys<String>) {
    let note = Note::new("bounds", "nothing");
    suite.add(LOOKUP, note, bytes.len(), keys.answer, move || {
        let Ok(root) = Reader::get_root(bytes) else {
            return 0;
        };
        let board = root.as_map();
        keys.sum(|key| Some(question::int(board.idx(key.as_str()).as_i64())))
    });
}

/// Registers the writer of W1's records.
pub(crate) fn write<'a>(suite: &mut Suite<'a>, batches: &'a [Vec<Entity>]) {
    let mut serializer = FlexbufferSerializer::new();
    let mut write = move || {
        let sizes = batches.iter().map(|batch| {
            serializer.reset();
            let done = batch.serialize(&mut serializer);
            done.map_or(0, |()| serializer.view().len() as u64)
        });
        sizes.sum()
    };
    let size: u64 = write();
    suite.add(
        "flexbuffers serde",
        Note::new("", "bytes"),
        size as usize,
        size,
        write,
    );
}
