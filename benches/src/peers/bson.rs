//! bson: raw documents.

use ::bson::{RawArray, RawBsonRef, RawDocument, error::Result};
use serde::Serialize;

use super::{middle, tail};
use crate::{
    harness::{Note, Suite},
    model::Value,
    question,
    workloads::{Entity, Tree},
};

/// The entry that reads everything.
pub(crate) const READ: &str = "bson raw, all read";

/// A document of one field: BSON's outermost value cannot be an array.
#[derive(Serialize)]
struct Root<'a, T: ?Sized> {
    v: &'a T,
}

fn encoded(value: &Value) -> Vec<u8> {
    ::bson::serialize_to_vec(&Root { v: value }).expect("any value can be BSON")
}

/// Registers what reads a tree.
pub(crate) fn tree<'a>(suite: &mut Suite<'a>, tree: &'a Tree) {
    let bytes = encoded(&tree.value);
    let note = Note::new("structure, text", "nothing; reads all");
    suite.add(READ, note, bytes.len(), tree.answer, move || {
        let root = RawDocument::from_bytes(&bytes).and_then(|root| root.get("v"));
        root.ok()
            .flatten()
            .and_then(|root| answer(root).ok())
            .unwrap_or(0)
    });
}

fn answer(value: RawBsonRef<'_>) -> Result<u64> {
    Ok(match value {
        RawBsonRef::Null => question::NIL,
        RawBsonRef::Boolean(value) => question::bool(value),
        RawBsonRef::Int32(value) => question::int(value.into()),
        RawBsonRef::Int64(value) => question::int(value),
        RawBsonRef::Double(value) => question::float(value),
        RawBsonRef::String(text) => question::text(text.as_bytes()),
        RawBsonRef::Array(items) => array(items)?,
        RawBsonRef::Document(pairs) => {
            let (mut len, mut sum) = (0, 0u64);
            for pair in pairs {
                let (key, value) = pair?;
                len += 1;
                sum = sum.wrapping_add(question::text(key.as_str().as_bytes()));
                sum = sum.wrapping_add(answer(value)?);
            }
            sum.wrapping_add(question::dict(len))
        }
        _ => 0,
    })
}

fn array(items: &RawArray) -> Result<u64> {
    let (mut len, mut sum) = (0, 0u64);
    for item in items {
        len += 1;
        sum = sum.wrapping_add(answer(item?)?);
    }
    Ok(sum.wrapping_add(question::array(len)))
}

/// Registers the lookups of W5.
pub(crate) fn path<'a>(suite: &mut Suite<'a>, tree: &'a Tree, in_tail: bool) {
    let bytes = encoded(&tree.value);
    let (at, found) = middle(tree);
    let found = if in_tail { tail() } else { found };
    let note = Note::new("structure on the way", "nothing");
    suite.add("bson raw get", note, bytes.len(), found, move || {
        let find = || -> Option<u64> {
            let root = RawDocument::from_bytes(&bytes)
                .ok()?
                .get_document("v")
                .ok()?;
            if !in_tail {
                let entity = root.get_array("entities").ok()?.get_document(at).ok()?;
                let item = entity.get_array("items").ok()?.get_i32(1).ok()?;
                return Some(question::int(item.into()));
            }
            let inventory = root
                .get_document("player")
                .ok()?
                .get_document("inventory")
                .ok()?;
            let slot = inventory.get_array("slots").ok()?.get_document(3).ok()?;
            Some(question::text(slot.get_str("item").ok()?.as_bytes()))
        };
        find().unwrap_or(0)
    });
}

/// Registers the writer of W1's records.
pub(crate) fn write<'a>(suite: &mut Suite<'a>, batches: &'a [Vec<Entity>]) {
    let mut buffer = Vec::new();
    let mut write = move || {
        let sizes = batches.iter().map(|batch| {
            buffer.clear();
            let done = ::bson::serialize_to_buffer(&Root { v: batch }, &mut buffer);
            done.map_or(0, |()| buffer.len() as u64)
        });
        sizes.sum()
    };
    let size: u64 = write();
    suite.add(
        "bson serialize_to_buffer",
        Note::new("", "bytes"),
        size as usize,
        size,
        write,
    );
}
