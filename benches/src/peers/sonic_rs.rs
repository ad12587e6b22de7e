//! sonic-rs: JSON with SIMD.

use ::sonic_rs::{JsonContainerTrait, JsonType, JsonValueTrait, LazyValue, PointerNode, Value};
use serde::{Deserialize, Serialize};

use super::{VALIDATES, middle, serde_json, structs::Format, tail};
use crate::{
    harness::{Note, Suite},
    question::{self, Answer},
    workloads::{Lookup, Tree},
};

/// The entry that validates.
pub(crate) const LAZY: &str = "sonic-rs LazyValue";
/// The entry that reads into a tree and looks at all of it.
pub(crate) const READ: &str = "sonic-rs Value, all read";
/// The entry that writes a tree.
pub(crate) const WRITE_TREE: &str = "sonic-rs Value, written";
/// The entry that fills structs.
pub(crate) const TYPED: &str = "sonic-rs structs";
/// The entry that looks up a path.
pub(crate) const PATH: &str = "sonic-rs get, checked";

/// Registers what validates a tree.
pub(crate) fn tree<'a>(suite: &mut Suite<'a>, tree: &'a Tree) {
    let bytes = serde_json::encoded(tree);
    suite.add(LAZY, VALIDATES, bytes.len(), 1, move || {
        u64::from(::sonic_rs::from_slice::<LazyValue<'_>>(&bytes).is_ok())
    });
}

/// Registers what reads into a tree and what writes one.
pub(crate) fn owned(suite: &mut Suite<'_>, tree: &Tree) {
    let bytes = Sonic::encoded(tree);
    // Floats of 32 bits have fewer digits here than those of 64, so the answer may be another.
    let expected = ::sonic_rs::from_slice::<Answer>(&bytes).map_or(0, |answer| answer.0);
    let value: Value = ::sonic_rs::from_slice(&bytes).expect("it was encoded");
    let note = Note::new("structure, text", "tree");
    suite.add(READ, note, bytes.len(), expected, move || {
        ::sonic_rs::from_slice::<Value>(&bytes).map_or(0, |value| answer(&value))
    });
    let size = ::sonic_rs::to_vec(&value).map_or(0, |bytes| bytes.len());
    let mut buffer = Vec::new();
    let note = Note::new("", "bytes, from a tree");
    suite.add(WRITE_TREE, note, size, size as u64, move || {
        buffer.clear();
        ::sonic_rs::to_writer(&mut buffer, &value).map_or(0, |()| buffer.len() as u64)
    });
}

fn answer(value: &Value) -> u64 {
    match value.get_type() {
        JsonType::Null => question::NIL,
        JsonType::Boolean => value.as_bool().map_or(0, question::bool),
        JsonType::Number => match value.as_i64() {
            Some(int) => question::int(int),
            None => value.as_f64().map_or(0, question::float),
        },
        JsonType::String => value
            .as_str()
            .map_or(0, |text| question::text(text.as_bytes())),
        JsonType::Array => value.as_array().map_or(0, |items| {
            let sum = question::array(items.len());
            items
                .iter()
                .fold(sum, |sum, item| sum.wrapping_add(answer(item)))
        }),
        JsonType::Object => value.as_object().map_or(0, |pairs| {
            let sum = question::dict(pairs.len());
            pairs.iter().fold(sum, |sum, (key, value)| {
                let key = question::text(key.as_bytes());
                sum.wrapping_add(key).wrapping_add(answer(value))
            })
        }),
    }
}

/// Registers the lookups of W5.
pub(crate) fn path<'a>(suite: &mut Suite<'a>, tree: &'a Tree, in_tail: bool) {
    let bytes = serde_json::encoded(tree);
    let (at, found) = middle(tree);
    let key = |key: &str| PointerNode::Key(key.to_owned().into());
    let index = PointerNode::Index;
    let (path, found) = match in_tail {
        true => (
            vec![
                key("player"),
                key("inventory"),
                key("slots"),
                index(3),
                key("item"),
            ],
            tail(),
        ),
        false => (
            vec![key("entities"), index(at), key("items"), index(1)],
            found,
        ),
    };
    let note = Note::new("structure, text", "nothing");
    suite.add(PATH, note, bytes.len(), found, move || {
        let Ok(value) = ::sonic_rs::get(bytes.as_slice(), &path) else {
            return 0;
        };
        match value.as_i64() {
            Some(int) => question::int(int),
            None => value
                .as_str()
                .map_or(0, |text| question::text(text.as_bytes())),
        }
    });
}

/// Registers the random lookups in W1, in a tree that was built once.
pub(crate) fn lookup<'a>(suite: &mut Suite<'a>, tree: &Tree, lookup: &'a Lookup) {
    let bytes = serde_json::encoded(tree);
    let root: Value = ::sonic_rs::from_slice(&bytes).expect("it was encoded");
    let note = Note::new("nothing any more", "nothing");
    let name = "sonic-rs Value lookup";
    suite.add(name, note, bytes.len(), lookup.answer, move || {
        lookup.sum(|place| {
            let items = root.get("entities")?.get(place)?.get("items")?;
            items.get(1)?.as_i64()
        })
    });
}

/// sonic-rs as a format for structs.
#[derive(Clone, Copy, Debug)]
pub(crate) enum Sonic {}

impl Format for Sonic {
    const READ: &str = TYPED;
    const WRITE: &str = "sonic-rs to_writer";

    type Vector3 = [f32; 3];
    type Vector2 = [f32; 2];
    type Vector2i = [i32; 2];
    type Transform = [f32; 12];
    type Color = [f32; 4];
    type Path = String;

    fn encoded(tree: &Tree) -> Vec<u8> {
        serde_json::Json::encoded(tree)
    }

    fn read<'a, T: Deserialize<'a>>(bytes: &'a [u8], _: bool) -> Option<T> {
        ::sonic_rs::from_slice(bytes).ok()
    }

    fn write<T: Serialize>(to: &mut Vec<u8>, value: &T) -> Option<()> {
        ::sonic_rs::to_writer(to, value).ok()
    }
}
