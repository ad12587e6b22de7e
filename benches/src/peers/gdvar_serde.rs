//! gdvar's reader behind serde.

use super::rmp_serde::SaveRef;
use crate::{
    harness::{Note, Suite},
    workloads::Tree,
};

/// The entry that fills structs by derived code.
pub(crate) const STRUCTS: &str = "gdvar serde, into structs";

/// Registers the structs of W1, by serde's derived code.
pub(crate) fn typed<'a>(suite: &mut Suite<'a>, tree: &'a Tree, expected: u64) {
    let bytes = tree.bytes.as_slice();
    let note = Note::new("structure, text of fields", "structs, borrowed text");
    suite.add(STRUCTS, note, bytes.len(), expected, || {
        gdvar_serde::from_slice::<SaveRef<'_>>(bytes).map_or(0, |save| save.answer())
    });
}
