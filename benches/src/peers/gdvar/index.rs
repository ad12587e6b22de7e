//! Indexes: building one, looking into values through it, reading all.

use gdvar_view::{Dialect, Document, Index, Indexed, VariantRef};

use super::{
    READS_ALL,
    values::{begun, scalar},
};
use crate::{
    harness::{Note, Suite},
    workloads::{Keys, Lookup, Tree},
};

/// The entry that validates and indexes.
pub(crate) const INDEX: &str = "gdvar index";
/// The entry that looks up by an index.
pub(crate) const LOOKUP: &str = "gdvar index lookup";
/// The entry that reads everything through an index.
pub(crate) const INDEX_READ: &str = "gdvar indexed values, all read";
/// The entry that builds an index and then reads everything through it.
pub(crate) const BUILT_READ: &str = "gdvar index, built and all read";

const LOOKS_UP: Note = Note::new("structure on the way", "nothing");

/// Registers the building of an index.
pub(super) fn build<'a>(suite: &mut Suite<'a>, tree: &'a Tree, dialect: Dialect) {
    let note = Note::new("structure, text", "index");
    let document = Document::new(&tree.bytes, dialect);
    // The number of bytes that it takes.
    let build = move || Index::build(document).map_or(0, |index| index.size() as u64);
    suite.add(INDEX, note, tree.bytes.len(), build(), build);
}

/// Registers the reading of a tree through an index that was built once, and with the building.
pub(super) fn read<'a>(suite: &mut Suite<'a>, tree: &'a Tree, dialect: Dialect) {
    let document = Document::new(&tree.bytes, dialect);
    let index = Index::build(document).expect("it was encoded");
    let size = tree.bytes.len();
    suite.add(INDEX_READ, READS_ALL, size, tree.answer, move || {
        index.open(document).map_or(0, all)
    });
    suite.add(BUILT_READ, READS_ALL, size, tree.answer, move || {
        let index = Index::build(document);
        index.map_or(0, |index| index.open(document).map_or(0, all))
    });
}

fn all(value: Indexed<'_, VariantRef<'_>>) -> u64 {
    let sum = begun(*value);
    if let Some(dict) = value.as_dict() {
        dict.iter().fold(sum, |sum, (key, value)| {
            sum.wrapping_add(all(key)).wrapping_add(all(value))
        })
    } else if let Some(array) = value.as_array() {
        array
            .iter()
            .fold(sum, |sum, item| sum.wrapping_add(all(item)))
    } else {
        scalar(*value)
    }
}

/// Registers the random lookups in W1, by an index that was built once.
pub(crate) fn lookup<'a>(suite: &mut Suite<'a>, tree: &'a Tree, lookup: &'a Lookup) {
    let document = Document::new(&tree.bytes, Dialect::GODOT_4);
    let index = Index::build(document).expect("it was encoded");
    let size = tree.bytes.len();
    suite.add(LOOKUP, LOOKS_UP, size, lookup.answer, move || {
        let Ok(root) = index.open(document) else {
            return 0;
        };
        lookup.sum(|place| {
            let entities = root.as_dict()?.get("entities")?.as_array()?;
            let entity = entities.get(place)?.as_dict()?;
            let items = entity.get("items")?.as_array()?;
            items.get(1)?.as_i64()
        })
    });
}

/// Registers `actors[i].id` of a realistic save.
pub(crate) fn actors<'a>(suite: &mut Suite<'a>, tree: &'a Tree, lookup: &'a Lookup) {
    let document = Document::new(&tree.bytes, Dialect::GODOT_4);
    let index = Index::build(document).expect("it was encoded");
    let size = tree.bytes.len();
    suite.add(LOOKUP, LOOKS_UP, size, lookup.answer, move || {
        let Ok(root) = index.open(document) else {
            return 0;
        };
        lookup.sum(|place| {
            let actors = root.as_dict()?.get("actors")?.as_array()?;
            let actor = actors.get(place)?.as_dict()?;
            actor.get("id")?.as_i64()
        })
    });
}

/// Registers the search for names in a leaderboard, whose keys were sorted once.
pub(crate) fn names<'a>(suite: &mut Suite<'a>, tree: &'a Tree, keys: &'a Keys<String>) {
    let document = Document::new(&tree.bytes, Dialect::GODOT_4);
    let mut index = Index::build(document).expect("it was encoded");
    index.sort_keys(document).expect("it is its own");
    suite.add(LOOKUP, LOOKS_UP, tree.bytes.len(), keys.answer, move || {
        let Some(board) = index.open(document).ok().and_then(Indexed::as_dict) else {
            return 0;
        };
        keys.sum(|key| board.get(key).map(|value| scalar(*value)))
    });
}

/// Registers the search for places in a world of voxels, whose keys were sorted once.
pub(crate) fn places<'a>(suite: &mut Suite<'a>, tree: &'a Tree, keys: &'a Keys<Vec<u8>>) {
    let document = Document::new(&tree.bytes, Dialect::GODOT_4);
    let mut index = Index::build(document).expect("it was encoded");
    index.sort_keys(document).expect("it is its own");
    suite.add(LOOKUP, LOOKS_UP, tree.bytes.len(), keys.answer, move || {
        let Some(world) = index.open(document).ok().and_then(Indexed::as_dict) else {
            return 0;
        };
        keys.sum(|key| {
            let key = Document::new(key, Dialect::GODOT_4).root().ok()?;
            world.get_value(key).map(|value| scalar(*value))
        })
    });
}
