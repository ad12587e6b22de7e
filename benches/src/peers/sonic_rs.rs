//! sonic-rs: JSON with SIMD.

use ::sonic_rs::{JsonContainerTrait, JsonType, JsonValueTrait, LazyValue, PointerNode, Value};

use super::{
    VALIDATES, middle, serde_json,
    structs::{EntityRef, SaveRef},
    tail,
};
use crate::{
    harness::{Note, Suite},
    question,
    workloads::{Entity, Lookup, Tree},
};

/// The entry that validates.
pub(crate) const LAZY: &str = "sonic-rs LazyValue";
/// The entry that reads and touches all.
pub(crate) const READ: &str = "sonic-rs Value, all read";
/// The entry that looks up a path.
pub(crate) const PATH: &str = "sonic-rs get, checked";

/// Registers what reads a tree.
pub(crate) fn tree<'a>(suite: &mut Suite<'a>, tree: &'a Tree) {
    let bytes = serde_json::encoded(tree);
    let same = bytes.clone();
    let size = bytes.len();
    suite.add(LAZY, VALIDATES, size, 1, move || {
        u64::from(::sonic_rs::from_slice::<LazyValue<'_>>(&bytes).is_ok())
    });
    let note = Note::new("structure, text", "tree");
    suite.add(READ, note, size, tree.answer, move || {
        ::sonic_rs::from_slice::<Value>(&same).map_or(0, |value| answer(&value))
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

/// Registers the structs of W1.
pub(crate) fn typed<'a>(suite: &mut Suite<'a>, tree: &'a Tree, expected: u64) {
    let bytes = serde_json::encoded(tree);
    let note = Note::new("structure, text", "structs, borrowed text");
    suite.add("sonic-rs structs", note, bytes.len(), expected, move || {
        ::sonic_rs::from_slice::<SaveRef<EntityRef<'_>>>(&bytes).map_or(0, |save| save.answer())
    });
}

/// Registers the writer of W1's records.
pub(crate) fn write<'a>(suite: &mut Suite<'a>, batches: &'a [Vec<Entity>]) {
    let mut buffer = Vec::new();
    let mut write = move || {
        let sizes = batches.iter().map(|batch| {
            buffer.clear();
            let done = ::sonic_rs::to_writer(&mut buffer, batch);
            done.map_or(0, |()| buffer.len() as u64)
        });
        sizes.sum()
    };
    let size: u64 = write();
    suite.add(
        "sonic-rs to_writer",
        Note::new("", "bytes"),
        size as usize,
        size,
        write,
    );
}
