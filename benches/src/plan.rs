//! Which entries belong to which workload.

mod formats;
mod names;

pub(crate) use names::{JUDGED, MEMORY_BOUND, READ_ONCE, TYPED, WORKLOADS, chosen};

use ::gdvar_write::Target;
use gdvar_view::{Dialect, Document};

use crate::{
    encode,
    harness::{Effort, Note, Suite, Table},
    limits,
    peers::{
        self, gdvar,
        gdvar::serde::Godot,
        rmp_serde::{self, MessagePack},
        serde_json::Json,
        sonic_rs::Sonic,
        structs::records::{self, Form, typed_answer},
    },
    workloads::{self, Engine, Entity, Lookup, Packets, Size, Tree},
};

/// The entries that take part.
#[derive(Clone, Copy, PartialEq, Eq, Debug)]
pub(crate) enum Who {
    /// gdvar, the limits and all peers.
    All,
    /// The entries that are held against a limit, and the limits.
    Limits,
}

/// The treatment of a suite that is ready.
pub(crate) trait Visit {
    /// Called once for each suite.
    fn suite(&mut self, suite: Suite<'_>);
}

/// Measures every suite.
#[derive(Debug)]
pub(crate) struct Measure {
    /// How long.
    pub(crate) effort: Effort,
    /// `true` for inputs that are larger than the caches.
    pub(crate) is_large: bool,
    /// The measurements.
    pub(crate) tables: Vec<Table>,
}

impl Visit for Measure {
    fn suite(&mut self, suite: Suite<'_>) {
        let table = suite.measure(self.effort, self.is_large);
        eprintln!("{table}");
        self.tables.push(table);
    }
}

/// Makes the suites of one of [`WORKLOADS`] and hands them on.
pub(crate) fn visit(name: &str, size: Size, who: Who, visit: &mut dyn Visit) {
    let all = who == Who::All;
    match name {
        "W1" => tree(&save(size), all, visit),
        "S4" => judged(
            &workloads::realistic(size, Engine::Four),
            Dialect::GODOT_4,
            Ask::of(size),
            visit,
        ),
        "S3" => judged(
            &workloads::realistic(size, Engine::Three),
            Dialect::GODOT_3,
            Ask::of(size),
            visit,
        ),
        "R4" => ints(4, visit),
        "R64" => ints(64, visit),
        "S4 lookup" => actors(size, visit),
        "S4 path" => actor_path(size, visit),
        "P" => messages(
            "P",
            "packets of nine kinds",
            &workloads::nine_kinds(size),
            visit,
        ),
        "P scattered" => messages(
            "P scattered",
            "the packets of nine kinds, read in another order than they lie in",
            &workloads::nine_kinds_scattered(size),
            visit,
        ),
        "F" => messages(
            "F",
            "small records in frames",
            &workloads::framed(size),
            visit,
        ),
        "T" => messages(
            "T",
            "different saves of a thousand records",
            &workloads::thousands(size),
            visit,
        ),
        "T shapes" => messages(
            "T shapes",
            "different saves of a thousand records, each save of another shape",
            &workloads::shapes(size),
            visit,
        ),
        "L" => table(&workloads::leaderboard(size).0, visit),
        "L lookup" => names(size, visit),
        "V" => table(&workloads::voxels(size).0, visit),
        "V lookup" => places(size, visit),
        "S4 text" => engine_text("S4 text", &workloads::realistic(size, Engine::Four), visit),
        "K text" => engine_text("K text", &workloads::five_thousand_keys(), visit),
        "B text" => engine_text("B text", &workloads::megabyte(), visit),
        name if name.starts_with("M ") => matrix(name, size, visit),
        "W1b" => tree(&workloads::records(size), all, visit),
        "W1 lookup" => lookup(size, all, visit),
        "W1 structs" => structs(size, visit),
        "W1 write" => write(size, visit),
        "S4 write" => formats::save_write(size, visit),
        "math write" => formats::math_write(visit),
        "E packets" => formats::enums("E packets", false, visit),
        "E inside" => formats::enums("E inside", true, visit),
        "E packets write" => formats::enums_write("E packets write", false, visit),
        "E inside write" => formats::enums_write("E inside write", true, visit),
        "W1f" => flat(size, visit),
        "W1f write" => flat_write(size, visit),
        "W1n" => plain(size, visit),
        "W1n write" => plain_write(size, visit),
        "W2" => floats(size, all, visit),
        "W2 write" => packed(size, visit),
        "W3" => packets(size, all, visit),
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

fn matrix(name: &str, size: Size, visit: &mut dyn Visit) {
    for case in workloads::CASES.iter().filter(|case| case.id == name) {
        let tree = workloads::case(size, case);
        let form = match name {
            "M missing" => Form::Parts,
            "M vector2i" => Form::Vector2i,
            "M typed array" => Form::Ints,
            "M typed dict" => Form::Stats,
            "M lists" => Form::Lists,
            "M all" => Form::All,
            _ => Form::Whole,
        };
        judged(&tree, Dialect::GODOT_4, Ask::Hot(Some(form)), visit);
    }
}

/// Besides what is measured of all cases and saves.
enum Ask {
    /// Structs of that form, if there are such.
    Hot(Option<Form>),
    /// Single passes with cold caches.
    Cold,
}

impl Ask {
    /// The question about a save. A large one is always read with cold caches.
    fn of(size: Size) -> Ask {
        size.pick(Ask::Cold, Ask::Hot(None))
    }
}

/// The entries that every reader must be good at: measured on each case of the matrix and each
/// save.
fn judged(tree: &Tree, dialect: Dialect, ask: Ask, visit: &mut dyn Visit) {
    let target = match dialect {
        Dialect::GODOT_3 => Target::GODOT_3,
        _ => Target::GODOT_4,
    };
    let mut suite = Suite::new(tree.id, tree.title, tree.count);
    gdvar::judged(&mut suite, tree, dialect);
    peers::floor::tree(&mut suite, tree, dialect);
    rmp_serde::judged(&mut suite, tree);
    peers::owned(&mut suite, tree, dialect, target);
    match ask {
        Ask::Hot(Some(form)) => {
            // Fields of other types have no `Record` here.
            if matches!(form, Form::Whole | Form::Parts) {
                gdvar::record::typed(&mut suite, tree, form);
            }
            records::typed::<Godot>(&mut suite, tree, form);
            records::typed::<MessagePack>(&mut suite, tree, form);
            records::typed::<Sonic>(&mut suite, tree, form);
        }
        Ask::Hot(None) => formats::saves(&mut suite, tree, dialect),
        Ask::Cold => {
            formats::saves(&mut suite, tree, dialect);
            suite.also_cold();
        }
    }
    visit.suite(suite);
}

fn ints(fields: usize, visit: &mut dyn Visit) {
    let tree = workloads::many_fields(fields);
    let values = fields * 1_000;
    let mut suite = Suite::new(tree.id, tree.title, values);
    gdvar::record::ints(&mut suite, &tree);
    visit.suite(suite);
}

fn messages(id: &'static str, title: &'static str, packets: &Packets, visit: &mut dyn Visit) {
    let mut suite = Suite::new(id, title, packets.count);
    gdvar::messages(&mut suite, packets);
    peers::floor::packets(&mut suite, packets);
    rmp_serde::messages(&mut suite, packets);
    visit.suite(suite);
}

fn table(tree: &Tree, visit: &mut dyn Visit) {
    let mut suite = Suite::new(tree.id, tree.title, tree.count);
    gdvar::table(&mut suite, tree);
    peers::floor::tree(&mut suite, tree, Dialect::GODOT_4);
    rmp_serde::judged(&mut suite, tree);
    visit.suite(suite);
}

fn actors(size: Size, visit: &mut dyn Visit) {
    let tree = workloads::realistic(size, Engine::Four);
    let lookup = Lookup::actors(size, &tree.value);
    let flexbuffer = peers::flexbuffers::encoded(&tree.value);
    let title = "S4: id of random actors, after reading or indexing";
    let mut suite = Suite::new("S4 lookup", title, lookup.places.len());
    gdvar::index::actors(&mut suite, &tree, &lookup);
    peers::flexbuffers::actors(&mut suite, &flexbuffer, &lookup);
    visit.suite(suite);
}

fn actor_path(size: Size, visit: &mut dyn Visit) {
    let tree = workloads::realistic(size, Engine::Four);
    let (path, found) = workloads::middle_actor(&tree.value);
    let title = "S4: the name of the middle actor, without an index";
    let mut suite = Suite::new("S4 path", title, tree.count);
    gdvar::path::at_path(&mut suite, &tree, path, found);
    gdvar::validate::tree(&mut suite, &tree, Dialect::GODOT_4);
    visit.suite(suite);
}

fn names(size: Size, visit: &mut dyn Visit) {
    let (tree, keys) = workloads::leaderboard(size);
    let flexbuffer = peers::flexbuffers::encoded(&tree.value);
    let title = "L: random names, after reading or indexing";
    let mut suite = Suite::new("L lookup", title, keys.keys.len());
    gdvar::index::names(&mut suite, &tree, &keys);
    peers::flexbuffers::names(&mut suite, &flexbuffer, &keys);
    visit.suite(suite);
}

fn places(size: Size, visit: &mut dyn Visit) {
    let (tree, keys) = workloads::voxels(size);
    let title = "V: random places, after indexing";
    let mut suite = Suite::new("V lookup", title, keys.keys.len());
    gdvar::index::places(&mut suite, &tree, &keys);
    visit.suite(suite);
}

/// The text that the engine prints, from the bytes.
fn engine_text(name: &'static str, tree: &Tree, visit: &mut dyn Visit) {
    let mut suite = Suite::new(name, tree.title, tree.count);
    gdvar::text::godot(&mut suite, tree);
    visit.suite(suite);
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
        gdvar::validate::tree(&mut suite, tree, Dialect::GODOT_4);
    }
    visit.suite(suite);
}

fn lookup(size: Size, all: bool, visit: &mut dyn Visit) {
    let entities = workloads::entities(size);
    let tree = workloads::save(&entities);
    let lookup = Lookup::new(size, &entities);
    // The bytes they look into live longer than the suite.
    let flexbuffer = peers::flexbuffers::encoded(&tree.value);
    let archive = all.then(|| peers::rkyv::encoded(&tree.value));
    let title = "W1: items[1] of random records, after reading or indexing";
    let mut suite = Suite::new("W1 lookup", title, lookup.places.len());
    gdvar::index::lookup(&mut suite, &tree, &lookup);
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
    let expected = typed_answer(&tree.value);
    let mut suite = Suite::new("W1 structs", "W1 into Rust structs", tree.count);
    gdvar::record::typed(&mut suite, &tree, Form::Whole);
    records::typed::<Godot>(&mut suite, &tree, Form::Whole);
    records::typed::<MessagePack>(&mut suite, &tree, Form::Whole);
    records::typed::<Json>(&mut suite, &tree, Form::Whole);
    records::typed::<Sonic>(&mut suite, &tree, Form::Whole);
    peers::rkyv::typed(&mut suite, &entities, expected);
    visit.suite(suite);
}

fn write(size: Size, visit: &mut dyn Visit) {
    let batches = workloads::batches(size);
    let values = batches.iter().map(|batch| 1 + batch.len() * 20).sum();
    let title = "W1's records from structs, 400 at a time into a buffer that is used again";
    let mut suite = Suite::new("W1 write", title, values);
    gdvar::write::records(&mut suite, &batches);
    peers::rmp::write(&mut suite, &batches);
    records::write::<Godot>(&mut suite, &batches);
    records::write::<MessagePack>(&mut suite, &batches);
    records::write::<Json>(&mut suite, &batches);
    records::write::<Sonic>(&mut suite, &batches);
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
    gdvar::tree(&mut suite, &tree);
    gdvar::tree::tree(&mut suite, &tree, Dialect::GODOT_4);
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
    gdvar::write::flat(&mut suite, &tree, &records);
    gdvar::write::tree(&mut suite, &tree);
    gdvar::tree::write(&mut suite, &tree, Dialect::GODOT_4, Target::GODOT_4);
    peers::godot_binary_serialization::write(&mut suite, &tree);
    visit.suite(suite);
}

/// For packages of npm, which add themselves: see `outside`.
fn plain(size: Size, visit: &mut dyn Visit) {
    let tree = workloads::plain_save(size);
    let mut suite = Suite::new("W1n", tree.title, tree.count);
    let whole = tree.bytes.len();
    let note = Note::new("structure, text", "nothing");
    suite.add(gdvar::validate::VALIDATE, note, whole, whole as u64, || {
        let size = Document::new(&tree.bytes, Dialect::GODOT_3).validate();
        size.map_or(0, |size| size as u64)
    });
    gdvar::tree::tree(&mut suite, &tree, Dialect::GODOT_3);
    visit.suite(suite);
}

fn plain_write(size: Size, visit: &mut dyn Visit) {
    let tree = workloads::plain_save(size);
    let title = "W1n from a tree, each as its writer takes it";
    let mut suite = Suite::new("W1n write", title, tree.count);
    gdvar::tree::write(&mut suite, &tree, Dialect::GODOT_3, Target::GODOT_3);
    visit.suite(suite);
}

fn floats(size: Size, all: bool, visit: &mut dyn Visit) {
    let tree = workloads::packed(size);
    let Some((floats, expected)) = gdvar::floats::floats_of(&tree) else {
        return;
    };
    let mut suite = Suite::new("W2", "the sum of a packed array of floats", 1);
    let run = floats.len() * 4;
    // The floats' own bytes: behind two headers with counts and the key.
    let own = &tree.bytes[32..32 + run];
    limits::read(&mut suite, own);
    gdvar::floats::floats(&mut suite, &tree.bytes, run, expected);
    if all {
        peers::rkyv::floats(&mut suite, floats, expected);
    }
    visit.suite(suite);
}

fn packed(size: Size, visit: &mut dyn Visit) {
    let tree = workloads::packed(size);
    let Some((floats, _)) = gdvar::floats::floats_of(&tree) else {
        return;
    };
    let bytes = encode::bytes(&crate::model::Value::Floats(floats.to_vec()));
    let mut suite = Suite::new("W2 write", "a packed array of floats into a warm buffer", 1);
    gdvar::write::packed(&mut suite, floats, &bytes);
    visit.suite(suite);
}

fn packets(size: Size, all: bool, visit: &mut dyn Visit) {
    let packets = workloads::packets(size);
    let title = "packets of four kinds in random order";
    let mut suite = Suite::new("W3", title, packets.count);
    limits::read(&mut suite, &packets.bytes);
    gdvar::packets(&mut suite, &packets);
    peers::floor::packets(&mut suite, &packets);
    if all {
        rmp_serde::packets(&mut suite, &packets);
        peers::rmpv::packets(&mut suite, &packets);
    }
    visit.suite(suite);
}

fn path(size: Size, in_tail: bool, visit: &mut dyn Visit) {
    let tree = save(size);
    let (name, title) = match in_tail {
        true => ("W5 tail", "W1: player.inventory.slots[3].item"),
        false => ("W5 middle", "W1: items[1] of the middle record"),
    };
    let mut suite = Suite::new(name, title, tree.count);
    gdvar::path::path(&mut suite, &tree, in_tail);
    peers::sonic_rs::path(&mut suite, &tree, in_tail);
    peers::bson::path(&mut suite, &tree, in_tail);
    peers::flexbuffers::path(&mut suite, &tree, in_tail);
    visit.suite(suite);
}
