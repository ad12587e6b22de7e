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
/// The entry that reads into a tree and looks at all of it.
pub(crate) const READ: &str = "serde_json Value, all read";
/// The entry that writes a tree.
pub(crate) const WRITE_TREE: &str = "serde_json Value, written";
/// The entry that writes structs.
pub(crate) const WRITE: &str = "serde_json to_writer";

/// JSON of a tree, read back to be sure.
pub(crate) fn encoded(tree: &Tree) -> Vec<u8> {
    let bytes = ::serde_json::to_vec(&tree.value).expect("any value can be JSON");
    let answer = ::serde_json::from_slice::<Answer>(&bytes).ok();
    assert_eq!(answer, Some(Answer(tree.answer)));
    bytes
}

/// Registers what validates a tree.
pub(crate) fn tree<'a>(suite: &mut Suite<'a>, tree: &'a Tree) {
    let bytes = encoded(tree);
    let note = Note::new("structure", "nothing");
    suite.add(IGNORED, note, bytes.len(), 1, move || {
        u64::from(::serde_json::from_slice::<IgnoredAny>(&bytes).is_ok())
    });
}

/// Registers what reads into a tree and what writes one.
pub(crate) fn owned(suite: &mut Suite<'_>, tree: &Tree) {
    let bytes = Json::encoded(tree);
    // Floats of 32 bits have fewer digits here than those of 64, so the answer may be another.
    let expected = ::serde_json::from_slice::<Answer>(&bytes).map_or(0, |answer| answer.0);
    let value: ::serde_json::Value = ::serde_json::from_slice(&bytes).expect("it was encoded");
    let note = Note::new("structure, text", "tree");
    suite.add(READ, note, bytes.len(), expected, move || {
        ::serde_json::from_slice(&bytes).map_or(0, |value| answer(&value))
    });
    let size = ::serde_json::to_vec(&value).map_or(0, |bytes| bytes.len());
    let mut buffer = Vec::new();
    let note = Note::new("", "bytes, from a tree");
    suite.add(WRITE_TREE, note, size, size as u64, move || {
        buffer.clear();
        ::serde_json::to_writer(&mut buffer, &value).map_or(0, |()| buffer.len() as u64)
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
