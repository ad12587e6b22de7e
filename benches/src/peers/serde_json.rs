//! serde_json.

use serde::de::IgnoredAny;

use super::structs::{EntityRef, SaveRef};
use crate::{
    harness::{Note, Suite},
    question::{self, Answer},
    workloads::{Entity, Tree},
};

/// The entry that validates.
pub(crate) const IGNORED: &str = "serde_json IgnoredAny";
/// The entry that reads everything.
pub(crate) const READ: &str = "serde_json Value, all read";
/// The entry that writes.
pub(crate) const WRITE: &str = "serde_json to_writer";

/// JSON of a tree, read back to be sure.
pub(crate) fn encoded(tree: &Tree) -> Vec<u8> {
    let bytes = ::serde_json::to_vec(&tree.value).expect("any value can be JSON");
    let answer = ::serde_json::from_slice::<Answer>(&bytes).ok();
    assert_eq!(answer, Some(Answer(tree.answer)));
    bytes
}

/// Registers what reads a tree.
pub(crate) fn tree<'a>(suite: &mut Suite<'a>, tree: &'a Tree) {
    let bytes = encoded(tree);
    let same = bytes.clone();
    let note = Note::new("structure", "nothing");
    suite.add(IGNORED, note, bytes.len(), 1, move || {
        u64::from(::serde_json::from_slice::<IgnoredAny>(&bytes).is_ok())
    });
    let note = Note::new("structure, text", "tree");
    suite.add(READ, note, same.len(), tree.answer, move || {
        ::serde_json::from_slice(&same).map_or(0, |value| answer(&value))
    });
}

fn answer(value: &::serde_json::Value) -> u64 {
    use ::serde_json::Value;
    match value {
        Value::Null => question::NIL,
        Value::Bool(value) => question::bool(*value),
        Value::Number(number) => match number.as_i64() {
            Some(int) => question::int(int),
            None => number.as_f64().map_or(0, question::float),
        },
        Value::String(text) => question::text(text.as_bytes()),
        Value::Array(items) => {
            let sum = question::array(items.len());
            items
                .iter()
                .fold(sum, |sum, item| sum.wrapping_add(answer(item)))
        }
        Value::Object(pairs) => {
            let sum = question::dict(pairs.len());
            pairs.iter().fold(sum, |sum, (key, value)| {
                let key = question::text(key.as_bytes());
                sum.wrapping_add(key).wrapping_add(answer(value))
            })
        }
    }
}

/// Registers the structs of W1.
pub(crate) fn typed<'a>(suite: &mut Suite<'a>, tree: &'a Tree, expected: u64) {
    let bytes = encoded(tree);
    let note = Note::new("structure, text", "structs, borrowed text");
    suite.add(
        "serde_json structs",
        note,
        bytes.len(),
        expected,
        move || {
            ::serde_json::from_slice::<SaveRef<EntityRef<'_>>>(&bytes)
                .map_or(0, |save| save.answer())
        },
    );
}

/// Registers the writer of W1's records.
pub(crate) fn write<'a>(suite: &mut Suite<'a>, batches: &'a [Vec<Entity>]) {
    let mut buffer = Vec::new();
    let mut write = move || {
        let sizes = batches.iter().map(|batch| {
            buffer.clear();
            let done = ::serde_json::to_writer(&mut buffer, batch);
            done.map_or(0, |()| buffer.len() as u64)
        });
        sizes.sum()
    };
    let size: u64 = write();
    suite.add(WRITE, Note::new("", "bytes"), size as usize, size, write);
}
