//! gdvar: one file for each way of reading and writing.

pub(crate) mod events;
pub(crate) mod floats;
pub(crate) mod index;
pub(crate) mod lazy;
pub(crate) mod path;
pub(crate) mod record;
pub(crate) mod serde;
pub(crate) mod text;
pub(crate) mod tree;
pub(crate) mod validate;
mod values;
pub(crate) mod write;

use gdvar_view::Dialect;

use crate::{
    harness::{Note, Suite},
    workloads::{Packets, Tree},
};

const READS_ALL: Note = Note::new("structure, text", "nothing; reads all");
const READS_LAZILY: Note = Note::new("structure", "nothing; reads all");

/// Registers all walks over a tree of Godot 4.
pub(crate) fn tree<'a>(suite: &mut Suite<'a>, tree: &'a Tree) {
    let dialect = Dialect::GODOT_4;
    validate::tree(suite, tree, dialect);
    events::drained(suite, tree);
    events::tree(suite, tree, dialect);
    lazy::tree(suite, tree, dialect);
    validate::skip(suite, tree);
    index::build(suite, tree, dialect);
}

/// Registers what is measured of each case of the matrix and of each save.
pub(crate) fn judged<'a>(suite: &mut Suite<'a>, tree: &'a Tree, dialect: Dialect) {
    validate::tree(suite, tree, dialect);
    validate::strict(suite, tree, dialect);
    events::tree(suite, tree, dialect);
    lazy::tree(suite, tree, dialect);
    lazy::loops(suite, tree, dialect);
    index::build(suite, tree, dialect);
    index::read(suite, tree, dialect);
}

/// Registers what reads packets.
pub(crate) fn packets<'a>(suite: &mut Suite<'a>, packets: &'a Packets) {
    validate::packets(suite, packets);
    events::packets(suite, packets);
    lazy::packets(suite, packets);
    validate::skip_packets(suite, packets);
}

/// Registers what is measured of many kinds of packets.
pub(crate) fn messages<'a>(suite: &mut Suite<'a>, packets: &'a Packets) {
    validate::packets(suite, packets);
    events::packets(suite, packets);
    lazy::packets(suite, packets);
}

/// Registers what is measured of one large dictionary.
pub(crate) fn table<'a>(suite: &mut Suite<'a>, tree: &'a Tree) {
    let dialect = Dialect::GODOT_4;
    validate::tree(suite, tree, dialect);
    validate::strict(suite, tree, dialect);
    events::tree(suite, tree, dialect);
    index::build(suite, tree, dialect);
}

/// Registers an entry that reads each packet and adds up.
fn each<'a>(
    suite: &mut Suite<'a>,
    (name, note): (&'static str, Note),
    packets: &'a Packets,
    expected: u64,
    read: impl Fn(&'a [u8]) -> u64 + 'a,
) {
    suite.add(name, note, packets.bytes.len(), expected, move || {
        packets.iter().map(&read).fold(0, u64::wrapping_add)
    });
}
