//! Paths without an index.

use gdvar_view::{Dialect, Document};

use super::values::scalar;
use crate::{
    harness::{Note, Suite},
    peers::{middle, tail},
    workloads::Tree,
};

/// The entry that looks up a path.
pub(crate) const PATH: &str = "gdvar path, no index";

const NOTE: Note = Note::new("structure up to there", "nothing");

/// Registers the lookups of W5.
pub(crate) fn path<'a>(suite: &mut Suite<'a>, tree: &'a Tree, in_tail: bool) {
    let (at, found) = middle(tree);
    let (path, found) = match in_tail {
        true => ("player.inventory.slots[3].item".to_owned(), tail()),
        false => (format!("entities[{at}].items[1]"), found),
    };
    at_path(suite, tree, path, found);
}

/// Registers the lookup of a value.
pub(crate) fn at_path<'a>(suite: &mut Suite<'a>, tree: &'a Tree, path: String, found: u64) {
    let bytes = tree.bytes.as_slice();
    suite.add(PATH, NOTE, bytes.len(), found, move || {
        let value = Document::new(bytes, Dialect::GODOT_4).get(&path);
        value.ok().flatten().map_or(0, scalar)
    });
}
