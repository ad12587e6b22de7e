//! Vectors for the dialects that have no engine here to ask, made with the
//! [assembler](crate::assembler) by the rules of `docs/FORMAT.md`.
//!
//! Accepted ones come with the value that engine mode (§6, "lenient") reports, refused ones
//! with the name of the error. Nothing here needs the reader or the writer.

mod containers;
mod math;
mod packed;
mod rejects;
mod samples;
mod scalars;
mod strict;

use crate::assembler::{Assembler, Column};
use serde_json::Value;

/// The dialects without an engine.
const COLUMNS: [Column; 4] = [Column::G2, Column::D29, Column::P33, Column::P38];

/// Bytes that engine mode accepts, and what they mean.
#[derive(Clone, Debug)]
pub struct Vector {
    /// `group/name`, unique in the dialect.
    pub id: String,
    /// The dialect's name on the command line.
    pub dialect: &'static str,
    /// The bytes: one value, nothing behind it.
    pub bytes: Vec<u8>,
    /// The value as tagged JSON, without the `dec` of floats.
    ///
    /// Two tags belong to Godot 2 alone: `Image` with `format`, `mipmaps`, `width`, `height` and
    /// `data` (hex), `InputEvent` with `kind`, `device` and `body` (hex). The shared bit of
    /// Godot 2 does not show.
    pub value: Value,
    /// A writer given `value` produces `bytes`, and strict mode accepts them. Values that hold
    /// an Image, an InputEvent or an object of Godot 2 are never marked: `docs/FORMAT.md` does
    /// not ask a writer for them.
    pub canonical: bool,
    /// Reading needs leave for whole objects.
    pub full_objects: bool,
}

/// Bytes that are refused.
#[derive(Clone, Debug)]
pub struct Reject {
    /// `group/name`, unique in the dialect and the list.
    pub id: String,
    /// The dialect's name on the command line.
    pub dialect: &'static str,
    /// The bytes.
    pub bytes: Vec<u8>,
    /// The error's name in `docs/FORMAT.md` §6.
    pub error: &'static str,
    /// Read with leave for whole objects; without it, unless set.
    pub full_objects: bool,
}

/// The bytes that engine mode accepts, for `godot2`, `godot4-docs`, `pandemonium3` and
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

/// The bytes that engine mode refuses. Strict mode refuses it too, though not always for the same
/// reason: some inputs have a second fault that only strict mode minds, and it comes first.
pub fn derived_rejects() -> Vec<Reject> {
    refused(rejects::add)
}

/// The bytes that only strict mode refuses.
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

/// The vectors that are being collected for one dialect.
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

    /// Empty, to be filled by hand.
    fn bytes(&self) -> Assembler {
        Assembler::new(self.column)
    }

    /// The bytes of a value by rule.
    fn value(&self, value: &Value) -> Vec<u8> {
        self.bytes().value(value).done()
    }

    /// A value in its canonical bytes, if the dialect has its type.
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

    /// Bytes that read as `value` but are not what a writer makes of it.
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

    /// Bytes that are refused. In the group `object/` whole objects are allowed.
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
