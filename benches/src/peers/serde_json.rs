//! serde_json.

use serde::{Deserialize, Serialize, de::IgnoredAny};

use super::structs::Format;
use crate::{
    harness::{Note, Suite},
    question::{self, Answer},
    workloads::Tree,
};

/// JSON as a format for structs.
#[derive(Clone, Copy, Debug)]
pub(crate) enum Json {}

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

impl Format for Json {
    const READ: &str = "serde_json structs";
    const WRITE: &str = WRITE;

    type Vector3 = [f32; 3];
    type Vector2 = [f32; 2];
    type Vector2i = [i32; 2];
    type Transform = [f32; 12];
    type Color = [f32; 4];
    type Path = String;

    /// Floats of 32 bits have fewer digits than those of 64: the structs know which they are.
    fn encoded(tree: &Tree) -> Vec<u8> {
        ::serde_json::to_vec(&tree.value).expect("any value can be JSON")
    }

    fn read<'a, T: Deserialize<'a>>(bytes: &'a [u8], _: bool) -> Option<T> {
        ::serde_json::from_slice(bytes).ok()
    }

    fn write<T: Serialize>(to: &mut Vec<u8>, value: &T) -> Option<()> {
        ::serde_json::to_writer(to, value).ok()
    }
}
