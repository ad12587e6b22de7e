//! Events.

use gdvar_view::{Dialect, Document, Event};

use super::{
    READS_ALL,
    values::{begun, scalar},
};
use crate::{
    harness::Suite,
    peers::VALIDATES,
    workloads::{Packets, Tree},
};

/// The entry that only pulls events: the plain walker, whatever fast paths validation has.
pub(crate) const EVENTS: &str = "gdvar events, not looked at";
/// The entry that reads everything by events.
pub(crate) const EVENTS_READ: &str = "gdvar events, all read";

/// Registers the events of a tree that nobody looks at.
pub(super) fn drained<'a>(suite: &mut Suite<'a>, tree: &'a Tree) {
    let size = tree.bytes.len();
    suite.add(EVENTS, VALIDATES, size, size as u64, || {
        let mut events = Document::new(&tree.bytes, Dialect::GODOT_4).events();
        while let Ok(Some(_)) = events.try_next() {}
        events.position() as u64
    });
}

/// Registers the reading of a tree.
pub(super) fn tree<'a>(suite: &mut Suite<'a>, tree: &'a Tree, dialect: Dialect) {
    let document = Document::new(&tree.bytes, dialect);
    let size = tree.bytes.len();
    suite.add(EVENTS_READ, READS_ALL, size, tree.answer, move || {
        read(document)
    });
}

/// Registers the reading of packets.
pub(super) fn packets<'a>(suite: &mut Suite<'a>, packets: &'a Packets) {
    let one = |bytes| read(Document::new(bytes, Dialect::GODOT_4));
    super::each(
        suite,
        (EVENTS_READ, READS_ALL),
        packets,
        packets.answer,
        one,
    );
}

fn read(document: Document<'_>) -> u64 {
    let mut sum = 0u64;
    let mut events = document.events();
    while let Ok(Some(event)) = events.try_next() {
        let part = match event {
            Event::Value(value) => scalar(value),
            Event::Begin(value) => begun(value),
            Event::Property(_) | Event::End => 0,
        };
        sum = sum.wrapping_add(part);
    }
    sum
}
