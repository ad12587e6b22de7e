//! Which entries belong to which workload.

use ::gdvar_write::Target;
use gdvar_view::{Dialect, Document};

use crate::{
    encode,
    harness::{Effort, Note, Suite, Table},
    limits,
    peers::{self, gdvar_read, gdvar_tree, gdvar_write, rmp_serde},
    workloads::{self, Entity, Lookup, Size, Tree},
};

/// The workloads' names, in the order of the report.
pub(crate) const WORKLOADS: [&str; 24] = [
    "W1",
    "W1b",
    "W1 lookup",
    "W1 structs",
    "W1 write",
    "W1f",
    "W1f write",
    "W1n",
    "W1n write",
    "W2",
    "W2 write",
    "W3",
    "W3 move",
    "W3 chat",
    "W3 hit",
    "W3 state",
    "W4",
    "W4p",
    "W5 middle",
    "W5 tail",
    "W6",
    "W6s",
    "W6f",
    "W7",
];

/// The workloads of packets of one kind, in the order of the kinds.
pub(crate) const KINDS: [&str; 4] = ["W3 move", "W3 chat", "W3 hit", "W3 state"];

/// The workloads whose limit is memory: measured large even in a quick run, without the peers that
/// no goal names there.
pub(crate) const MEMORY_BOUND: [&str; 5] = ["W1", "W1 lookup", "W2", "W2 write", "W7"];


/// Who takes part.
#[derive(Clone, Copy, PartialEq, Eq, Debug)]
pub(crate) enum Who {
    /// gdvar, the limits and all peers.
    All,
    /// What is held against a limit, and the limits.
    Limits,
}

/// What to do with a suite that is ready.
pub(crate) trait Visit {
    /// Called once for each suite.
    fn suite(&mut self, suite: Suite<'_>);
}

/// Measures every suite.
#[derive(Debug)]
pub(crate) struct Measure {
    /// How long.
    pub(crate) effort: Effort,
    /// What was measured.
    pub(crate) tables: Vec<Table>,
}

impl Visit for Measure {
    fn suite(&mut self, suite: Suite<'_>) {
        let table = suite.measure(self.effort);
        eprintln!("{table}");
        self.tables.push(table);
    }
}

/// Makes the suites of one of [`WORKLOADS`] and hands them on.
pub(crate) fn visit(name: &str, size: Size, who: Who, visit: &mut dyn Visit) {
    let all = who == Who::All;
    match name {
        "W1" => tree(&save(size), all, visit),
        "W1b" => tree(&workloads::records(size), all, visit),
        "W1 lookup" => lookup(size, all, visit),
        "W1 structs" => structs(size, visit),
        "W1 write" => write(size, visit),
        "W1f" => flat(size, visit),
        "W1f write" => flat_write(size, visit),
        "W1n" => plain(size, visit),
        "W1n write" => plain_write(size, visit),
        "W2" => floats(size, all, visit),
        "W2 write" => packed(size, visit),
        "W3" => packets(size, all, visit),
        "W3 move" | "W3 chat" | "W3 hit" | "W3 state" => kind(name, size, visit),
        "W4" => text(&workloads::strings(size), all, false, visit),
        "W4p" => text(&workloads::packed_strings(size), all, true, visit),
        "W5 middle" => path(size, false, visit),
        "W5 tail" => path(size, true, visit),
        "W6" => tree(&workloads::nested(size), all, visit),
        "W6s" => tree(&workloads::nested_with_siblings(size), all, visit),
        "W6f" => tree(&workloads::shallow(size), all, visit),
        "W7" => tree(&workloads::ints(size), all, visit),
        other => unreachable!("there is no workload {other}"),
    }
}

fn save(size: Size) -> Tree {
    workloads::save(&workloads::entities(size))
}

fn tree(tree: &Tree, all: bool, visit: &mut dyn Visit) {
    walks(tree, all, |_| (), visit);
}

fn text(tree: &Tree, all: bool, packed: bool, visit: &mut dyn Visit) {
    walks(tree, all, |suite| limits::text(suite, tree, packed), visit);
}

fn walks<'a>(
    tree: &'a Tree,
    all: bool,
    limits: impl FnOnce(&mut Suite<'a>),
    visit: &mut dyn Visit,
) {
    let mut suite = Suite::new(tree.id, tree.title, tree.count);
    limits::read(&mut suite, &tree.bytes);
    limits(&mut suite);
    if all {
        peers::read(&mut suite, tree);
    } else {
        gdvar_read::validating(&mut suite, tree);
    }
    visit.suite(suite);
}

fn lookup(size: Size, all: bool, visit: &mut dyn Visit) {
    let entities = workloads::entities(size);
    let tree = workloads::save(&entities);
    let lookup = Lookup::new(size, &entities);
    // What they look into lives longer than the suite.
    let flexbuffer = peers::flexbuffers::encoded(&tree.value);
    let archive = all.then(|| peers::rkyv::encoded(&tree.value));
    let title = "W1: items[1] of random records, after reading or indexing";
    let mut suite = Suite::new("W1 lookup", title, lookup.places.len());
    gdvar_read::lookup(&mut suite, &tree, &lookup);
    peers::flexbuffers::lookup(&mut suite, &flexbuffer, &lookup);
    if let Some(archive) = &archive {
        peers::rkyv::lookup(&mut suite, archive, &lookup);
        peers::sonic_rs::lookup(&mut suite, &tree, &lookup);
    }
    visit.suite(suite);
}

fn structs(size: Size, visit: &mut dyn Visit) {
    let entities = workloads::entities(size);
    let tree = workloads::save(&entities);
    let expected = rmp_serde::typed_answer(&entities);
    let mut suite = Suite::new("W1 structs", "W1 into Rust structs", tree.count);
    gdvar_read::typed(&mut suite, &tree, expected);
    peers::gdvar_serde::typed(&mut suite, &tree, expected);
    rmp_serde::typed(&mut suite, &tree, expected);
    peers::serde_json::typed(&mut suite, &tree, expected);
    peers::sonic_rs::typed(&mut suite, &tree, expected);
    peers::rkyv::typed(&mut suite, &entities, expected);
    visit.suite(suite);
}

fn write(size: Size, visit: &mut dyn Visit) {
    let batches = workloads::batches(size);
    let values = batches.iter().map(|batch| 1 + batch.len() * 20).sum();
    let title = "W1's records from structs, 400 at a time into a buffer that is used again";
    let mut suite = Suite::new("W1 write", title, values);
    gdvar_write::records(&mut suite, &batches);
    peers::rmp::write(&mut suite, &batches);
    rmp_serde::write(&mut suite, &batches);
    peers::serde_json::write(&mut suite, &batches);
    peers::sonic_rs::write(&mut suite, &batches);
    peers::bson::write(&mut suite, &batches);
    peers::flexbuffers::write(&mut suite, &batches);
    peers::rkyv::write(&mut suite, &batches);
    visit.suite(suite);
}

fn flat_tree(size: Size) -> Tree {
    workloads::flat_save(size, &workloads::entities(size))
}

fn flat(size: Size, visit: &mut dyn Visit) {
    let tree = flat_tree(size);
    let mut suite = Suite::new("W1f", tree.title, tree.count);
    gdvar_read::tree(&mut suite, &tree);
    gdvar_tree::tree(&mut suite, &tree, Dialect::GODOT_4);
    peers::godot_binary_serialization::tree(&mut suite, &tree);
    visit.suite(suite);
}

fn flat_write(size: Size, visit: &mut dyn Visit) {
    let entities = workloads::entities(size);
    let tree = workloads::flat_save(size, &entities);
    let records = size.pick(1_000, 20_000);
    let keyed = |entity: Entity| (format!("e{}", entity.id), entity);
    let records: Vec<_> = entities.into_iter().take(records).map(keyed).collect();
    let title = "W1f from structs or from a tree, each as its writer takes it";
    let mut suite = Suite::new("W1f write", title, tree.count);
    gdvar_write::flat(&mut suite, &tree, &records);
    gdvar_write::tree(&mut suite, &tree);
    gdvar_tree::write(&mut suite, &tree, Dialect::GODOT_4, Target::GODOT_4);
    peers::godot_binary_serialization::write(&mut suite, &tree);
    visit.suite(suite);
}

/// For packages of npm, which add themselves: see `outside`.
fn plain(size: Size, visit: &mut dyn Visit) {
    let tree = workloads::plain_save(size);
    let mut suite = Suite::new("W1n", tree.title, tree.count);
    let whole = tree.bytes.len();
    let note = Note::new("structure, text", "nothing");
    suite.add(gdvar_read::VALIDATE, note, whole, whole as u64, || {
        let size = Document::new(&tree.bytes, Dialect::GODOT_3).validate();
        size.map_or(0, |size| size as u64)
    });
    gdvar_tree::tree(&mut suite, &tree, Dialect::GODOT_3);
    visit.suite(suite);
}

fn plain_write(size: Size, visit: &mut dyn Visit) {
    let tree = workloads::plain_save(size);
    let title = "W1n from a tree, each as its writer takes it";
    let mut suite = Suite::new("W1n write", title, tree.count);
    gdvar_tree::write(&mut suite, &tree, Dialect::GODOT_3, Target::GODOT_3);
    visit.suite(suite);
}

fn floats(size: Size, all: bool, visit: &mut dyn Visit) {
    let tree = workloads::packed(size);
    let Some((floats, expected)) = gdvar_read::floats_of(&tree) else {
        return;
    };
    let mut suite = Suite::new("W2", "the sum of a packed array of floats", 1);
    let run = floats.len() * 4;
    // The floats' own bytes: behind two headers with counts and the key.
    let own = &tree.bytes[32..32 + run];
    limits::read(&mut suite, own);
    gdvar_read::floats(&mut suite, &tree.bytes, run, expected);
    if all {
        peers::rkyv::floats(&mut suite, floats, expected);
    }
    visit.suite(suite);
}

fn packed(size: Size, visit: &mut dyn Visit) {
    let tree = workloads::packed(size);
    let Some((floats, _)) = gdvar_read::floats_of(&tree) else {
        return;
    };
    let bytes = encode::bytes(&crate::model::Value::Floats(floats.to_vec()));
    let mut suite = Suite::new("W2 write", "a packed array of floats into a warm buffer", 1);
    gdvar_write::packed(&mut suite, floats, &bytes);
    visit.suite(suite);
}

fn packets(size: Size, all: bool, visit: &mut dyn Visit) {
    let packets = workloads::packets(size);
    let title = "packets of four kinds in random order";
    let mut suite = Suite::new("W3", title, packets.count);
    limits::read(&mut suite, &packets.bytes);
    gdvar_read::packets(&mut suite, &packets);
    if all {
        rmp_serde::packets(&mut suite, &packets);
        peers::rmpv::packets(&mut suite, &packets);
    }
    visit.suite(suite);
}

fn kind(name: &str, size: Size, visit: &mut dyn Visit) {
    let Some(kind) = KINDS.iter().position(|kind| *kind == name) else {
        return;
    };
    let packets = workloads::packets_of(size, kind);
    let mut suite = Suite::new(KINDS[kind], "packets of one kind", packets.count);
    limits::read(&mut suite, &packets.bytes);
    gdvar_read::packets(&mut suite, &packets);
    rmp_serde::packets(&mut suite, &packets);
    visit.suite(suite);
}

fn path(size: Size, in_tail: bool, visit: &mut dyn Visit) {
    let tree = save(size);
    let (name, title) = match in_tail {
        true => ("W5 tail", "W1: player.inventory.slots[3].item"),
        false => ("W5 middle", "W1: items[1] of the middle record"),
    };
    let mut suite = Suite::new(name, title, tree.count);
    gdvar_read::path(&mut suite, &tree, in_tail);
    peers::sonic_rs::path(&mut suite, &tree, in_tail);
    peers::bson::path(&mut suite, &tree, in_tail);
    peers::flexbuffers::path(&mut suite, &tree, in_tail);
    visit.suite(suite);
}
