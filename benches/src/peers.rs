//! The entries that are measured: one file each.
//!
//! To add an entry, write one function that returns the answer and register it with one
//! [`Suite::add`]. It is verified before it is timed.

pub(crate) mod bson;
pub(crate) mod flexbuffers;
pub(crate) mod floor;
pub(crate) mod gdvar;
pub(crate) mod godot_binary_serialization;
pub(crate) mod rkyv;
pub(crate) mod rmp;
pub(crate) mod rmp_serde;
pub(crate) mod rmpv;
pub(crate) mod serde_json;
pub(crate) mod simd_json;
pub(crate) mod sonic_rs;
pub(crate) mod structs;

use gdvar_view::Dialect;
use gdvar_write::Target;

use crate::{harness::Suite, model::Value, workloads::Tree};

/// Registers everyone who reads any tree.
pub(crate) fn read<'a>(suite: &mut Suite<'a>, tree: &'a Tree) {
    gdvar::tree(suite, tree);
    floor::tree(suite, tree, Dialect::GODOT_4);
    rmp_serde::tree(suite, tree);
    rmpv::tree(suite, tree);
    serde_json::tree(suite, tree);
    sonic_rs::tree(suite, tree);
    simd_json::tree(suite, tree);
    bson::tree(suite, tree);
    rkyv::tree(suite, tree);
    flexbuffers::tree(suite, tree);
    owned(suite, tree, Dialect::GODOT_4, Target::GODOT_4);
}

/// Registers everyone who reads into an owned tree, and who writes one.
pub(crate) fn owned<'a>(suite: &mut Suite<'a>, tree: &'a Tree, dialect: Dialect, target: Target) {
    gdvar::tree::tree(suite, tree, dialect);
    rmpv::owned(suite, tree);
    serde_json::owned(suite, tree);
    sonic_rs::owned(suite, tree);
    gdvar::tree::write(suite, tree, dialect, target);
}

/// The notes of those who check everything and build nothing.
const VALIDATES: crate::harness::Note = crate::harness::Note::new("structure, text", "nothing");

/// For those who validate text on the way but take it all the same where it is malformed.
const LOOKS_AT_TEXT: &str = "structure; text, but takes any";

/// The place W5 looks at: the middle of the array of entities.
pub(crate) fn middle(tree: &Tree) -> (usize, u64) {
    let entities = match &tree.value {
        Value::Dict(pairs) => match &pairs[0].value {
            Value::Array(entities) => entities.len(),
            _ => 0,
        },
        _ => 0,
    };
    let at = entities / 2;
    let Value::Dict(pairs) = &tree.value else {
        return (at, 0);
    };
    let Value::Array(entities) = &pairs[0].value else {
        return (at, 0);
    };
    let Value::Dict(fields) = &entities[at] else {
        return (at, 0);
    };
    match &fields[6].value {
        Value::Array(items) => (at, crate::question::answer(&items[1])),
        _ => (at, 0),
    }
}

/// The value that W5 finds in the tail.
pub(crate) fn tail() -> u64 {
    crate::question::text(b"potion")
}

#[cfg(test)]
mod tests {
    use serde::de::IgnoredAny;

    /// The notes must be true about text: who refuses text that is not UTF-8.
    #[test]
    fn the_notes_on_text_are_true() {
        let json = b"[\"a\xffb\"]";
        assert!(::serde_json::from_slice::<IgnoredAny>(json).is_ok());
        assert!(::serde_json::from_slice::<::serde_json::Value>(json).is_err());
        // With debug assertions it stops at one of its own before it looks.
        if !cfg!(debug_assertions) {
            assert!(::sonic_rs::from_slice::<::sonic_rs::LazyValue<'_>>(json).is_err());
        }
        assert!(::sonic_rs::from_slice::<::sonic_rs::Value>(json).is_err());
        assert!(::simd_json::to_tape(&mut json.to_vec()).is_err());
        let pack = b"\x91\xa3a\xffb";
        assert!(::rmp_serde::from_slice::<IgnoredAny>(pack).is_ok());
        assert!(::rmp_serde::from_slice::<Vec<&str>>(pack).is_err());
        assert!(::rmpv::decode::read_value_ref(&mut pack.as_slice()).is_ok());
    }
}
