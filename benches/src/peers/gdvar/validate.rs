//! Validation, and the search for a value's end.

use gdvar_view::{Dialect, Document, ReadOptions, VariantRef};

use crate::{
    harness::{Note, Suite},
    peers::VALIDATES,
    workloads::{Packets, Tree},
};

/// The entry that validates.
pub(crate) const VALIDATE: &str = "gdvar validate";
/// The entry that validates strictly.
pub(crate) const STRICT: &str = "gdvar validate, strict";
/// The entry that looks for the end.
pub(crate) const SKIP: &str = "gdvar skip";

const SKIPS: Note = Note::new("structure", "nothing");

/// Registers the validation of a tree.
pub(crate) fn tree<'a>(suite: &mut Suite<'a>, tree: &'a Tree, dialect: Dialect) {
    let size = tree.bytes.len();
    let document = Document::new(&tree.bytes, dialect);
    suite.add(VALIDATE, VALIDATES, size, size as u64, move || {
        document.validate().unwrap_or(0) as u64
    });
}

/// Registers the strict validation of a tree.
pub(super) fn strict<'a>(suite: &mut Suite<'a>, tree: &'a Tree, dialect: Dialect) {
    let size = tree.bytes.len();
    let note = Note::new("all that an engine's own bytes are", "nothing");
    let document = Document::with_options(&tree.bytes, ReadOptions::new(dialect).strict());
    suite.add(STRICT, note, size, size as u64, move || {
        document.validate().unwrap_or(0) as u64
    });
}

/// Registers the search for the end.
pub(super) fn skip<'a>(suite: &mut Suite<'a>, tree: &'a Tree) {
    let size = tree.bytes.len();
    suite.add(SKIP, SKIPS, size, size as u64, || end(&tree.bytes));
}

/// Registers the validation of packets.
pub(crate) fn packets<'a>(suite: &mut Suite<'a>, packets: &'a Packets) {
    super::each(
        suite,
        (VALIDATE, VALIDATES),
        packets,
        packets.size,
        validate,
    );
}

/// Registers the search for the end of packets.
pub(super) fn skip_packets<'a>(suite: &mut Suite<'a>, packets: &'a Packets) {
    super::each(suite, (SKIP, SKIPS), packets, packets.size, end);
}

/// The number of bytes that the value takes; 0 if it is malformed.
pub(super) fn validate(bytes: &[u8]) -> u64 {
    let size = Document::new(bytes, Dialect::GODOT_4).validate();
    size.map_or(0, |size| size as u64)
}

fn end(bytes: &[u8]) -> u64 {
    let root = Document::new(bytes, Dialect::GODOT_4).root();
    root.and_then(VariantRef::end).map_or(0, |end| end as u64)
}
