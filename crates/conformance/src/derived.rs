//! Vectors for the dialects whose engines are not available. They are made from the rules of `docs/FORMAT.md`
//! with the [assembler](crate::assembler).
//!
//! A vector that must be accepted has the value that engine mode (§6, "lenient") reads. A vector
//! that must be refused has the name of the error. This module does not use the reader or the
//! writer.

mod containers;
mod math;
mod packed;
mod rejects;
mod samples;
mod scalars;
mod strict;

use crate::assembler::{Assembler, Column};
use serde_json::Value;

/// The dialects whose engines are not available.
const COLUMNS: [Column; 4] = [Column::G2, Column::D29, Column::P33, Column::P38];

/// Bytes that engine mode accepts, and the value they contain.
#[derive(Clone, Debug)]
pub struct Vector {
    /// `group/name`, unique within the dialect.
    pub id: String,
    /// The dialect's name on the command line.
    pub dialect: &'static str,
    /// The bytes of one value, with nothing after it.
    pub bytes: Vec<u8>,
    /// The value as tagged JSON, without the `dec` of floats.
    ///
    /// Two tags belong to Godot 2 alone: `Image` with `format`, `mipmaps`, `width`, `height` and `data`
    /// (hex), and `InputEvent` with `kind`, `device` and `body` (hex). The JSON does not show the *shared* bit
    /// that Godot 2 has in the count word of arrays and dictionaries.
    pub value: Value,
    /// `true` if a writer makes `bytes` from `value` and strict mode accepts them. Never set for values with
    /// an Image, an InputEvent or an object of Godot 2, because `docs/FORMAT.md` does not require a writer
    /// for them.
    pub canonical: bool,
    /// `true` if reading the bytes requires permission for whole objects.
    pub full_objects: bool,
}

/// Bytes that are refused.
#[derive(Clone, Debug)]
pub struct Reject {
    /// `group/name`, unique within the dialect and the list.
    pub id: String,
    /// The dialect's name on the command line.
    pub dialect: &'static str,
    /// The bytes that must be refused.
    pub bytes: Vec<u8>,
    /// The error's name in `docs/FORMAT.md` §6.
    pub error: &'static str,
    /// `true` if the bytes are read with permission for whole objects.
    pub full_objects: bool,
}

/// Returns the bytes that engine mode accepts, for `godot2`, `godot4-docs`, `pandemonium3` and
/// `pandemonium4`.
pub fn derived_vectors() -> Vec<Vector> {
    let mut out = Vec::new();
    for column in COLUMNS {
        let mut set = Set::new(column);
        scalars::add(&mut set);
        math::add(&mut set);
        packed::add(&mut set);
        containers::add(&mut set);
        if column == Column::G2 {
            containers::add_godot2(&mut set);
        }
        out.append(&mut set.vectors);
    }
    out
}

/// Returns the bytes that engine mode refuses. Strict mode refuses them too, but sometimes with
/// another error: some inputs have a second fault that only strict mode reports, and that fault
/// comes first.
pub fn derived_rejects() -> Vec<Reject> {
    refused(rejects::add)
}

/// Returns the bytes that only strict mode refuses.
pub fn derived_strict_rejects() -> Vec<Reject> {
    refused(strict::add)
}

fn refused(add: fn(&mut Set)) -> Vec<Reject> {
    let mut out = Vec::new();
    for column in COLUMNS {
        let mut set = Set::new(column);
        add(&mut set);
        out.append(&mut set.rejects);
    }
    out
}

/// The vectors collected so far for one dialect.
struct Set {
    column: Column,
    vectors: Vec<Vector>,
    rejects: Vec<Reject>,
}

impl Set {
    fn new(column: Column) -> Self {
        Set {
            column,
            vectors: Vec::new(),
            rejects: Vec::new(),
        }
    }

    fn has(&self, type_name: &str) -> bool {
        self.column.number(type_name).is_some()
    }

    fn is_godot2(&self) -> bool {
        self.column == Column::G2
    }

    /// Returns an empty assembler for the dialect.
    fn bytes(&self) -> Assembler {
        Assembler::new(self.column)
    }

    /// Returns the bytes of a value as a correct encoder writes it.
    fn value(&self, value: &Value) -> Vec<u8> {
        self.bytes().value(value).done()
    }

    /// Adds a value in canonical form, if the dialect has its type.
    fn canonical(&mut self, id: impl Into<String>, value: Value) {
        let tag = value
            .as_object()
            .and_then(|map| map.keys().next())
            .expect("a tag");
        if matches!(tag.as_str(), "Nest" | "ObjectId") || self.has(tag) {
            let bytes = self.value(&value);
            self.push(id.into(), bytes, value, true);
        }
    }

    /// Adds bytes from which `value` is read, although a writer would encode it differently.
    fn accepted(&mut self, id: impl Into<String>, bytes: Assembler, value: Value) {
        self.push(id.into(), bytes.done(), value, false);
    }

    fn push(&mut self, id: String, bytes: Vec<u8>, value: Value, canonical: bool) {
        let full_objects = id.starts_with("object/");
        let dialect = self.column.name();
        self.vectors.push(Vector {
            id,
            dialect,
            bytes,
            value,
            canonical,
            full_objects,
        });
    }

    /// Adds bytes that must be refused. In the group `object/`, whole objects are permitted.
    fn reject(&mut self, id: impl Into<String>, bytes: Vec<u8>, error: &'static str) {
        let id = id.into();
        let full_objects = id.starts_with("object/");
        let dialect = self.column.name();
        self.rejects.push(Reject {
            id,
            dialect,
            bytes,
            error,
            full_objects,
        });
    }
}

#[cfg(test)]
mod tests;
