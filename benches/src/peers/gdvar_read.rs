//! gdvar's reader.

use gdvar_view::{
    ArrayIter, Dialect, DictIter, Document, Error, Event, Fields, Index, Key, Kind, PackedStrings,
    Record, VariantRef, math::Vector3,
};

use super::{
    VALIDATES, middle,
    rmp_serde::{EntityRef, SaveRef},
    tail,
};
use crate::{
    harness::{Note, Suite},
    model::Value,
    question,
    workloads::{Lookup, Packets, Tree},
};

/// The entry that validates.
pub(crate) const VALIDATE: &str = "gdvar validate";
/// The entry that only pulls events: the plain walker, whatever fast paths validation has.
pub(crate) const EVENTS: &str = "gdvar events, not looked at";
/// The entry that reads everything by events.
pub(crate) const EVENTS_READ: &str = "gdvar events, all read";
/// The entry that reads everything by recursion over lazy values.
pub(crate) const LAZY_READ: &str = "gdvar lazy values, all read";
/// The entry that looks for the end.
pub(crate) const SKIP: &str = "gdvar skip";
/// The entry that looks up a path.
pub(crate) const PATH: &str = "gdvar path, no index";
/// The entry that validates and indexes.
pub(crate) const INDEX: &str = "gdvar index";
/// The entry that looks up random records by an index.
pub(crate) const LOOKUP: &str = "gdvar index lookup";
/// The entry that sums floats through the view.
pub(crate) const SUM: &str = "gdvar sum of floats through the view";
/// The entry that fills structs from fields in their expected order.
pub(crate) const STRUCTS: &str = "gdvar fields, into structs";

/// Registers what is held against the limits of memory.
pub(crate) fn validating<'a>(suite: &mut Suite<'a>, tree: &'a Tree) {
    let bytes = tree.bytes.as_slice();
    suite.add(VALIDATE, VALIDATES, bytes.len(), bytes.len() as u64, || {
        validate(bytes)
    });
}

/// Registers all walks over a tree.
pub(crate) fn tree<'a>(suite: &mut Suite<'a>, tree: &'a Tree) {
    validating(suite, tree);
    let bytes = tree.bytes.as_slice();
    let (size, whole) = (bytes.len(), bytes.len() as u64);
    suite.add(EVENTS, VALIDATES, size, whole, || drain(bytes));
    let note = Note::new("structure, text", "nothing; reads all");
    suite.add(EVENTS_READ, note, size, tree.answer, || events(bytes));
    let note = Note::new("structure", "nothing; reads all");
    suite.add(LAZY_READ, note, size, tree.answer, || lazy(bytes));
    let note = Note::new("structure", "nothing");
    suite.add(SKIP, note, size, whole, || skip(bytes));
    let note = Note::new("structure, text", "index");
    let expected = index(bytes);
    suite.add(INDEX, note, size, expected, || index(bytes));
}

/// Registers what reads packets.
pub(crate) fn packets<'a>(suite: &mut Suite<'a>, packets: &'a Packets) {
    let each = || {
        packets
            .ranges
            .iter()
            .map(|range| &packets.bytes[range.clone()])
    };
    let (size, whole) = (packets.bytes.len(), packets.bytes.len() as u64);
    let sum = |read: fn(&[u8]) -> u64| move || each().map(read).fold(0, u64::wrapping_add);
    suite.add(VALIDATE, VALIDATES, size, whole, sum(validate));
    let note = Note::new("structure, text", "nothing; reads all");
    suite.add(EVENTS_READ, note, size, packets.answer, sum(events));
    let note = Note::new("structure", "nothing; reads all");
    suite.add(LAZY_READ, note, size, packets.answer, sum(lazy));
    suite.add(
        SKIP,
        Note::new("structure", "nothing"),
        size,
        whole,
        sum(skip),
    );
}

/// Registers the lookups of W5.
pub(crate) fn path<'a>(suite: &mut Suite<'a>, tree: &'a Tree, in_tail: bool) {
    let bytes = tree.bytes.as_slice();
    let (at, found) = middle(tree);
    let (path, found) = match in_tail {
        true => ("player.inventory.slots[3].item".to_owned(), tail()),
        false => (format!("entities[{at}].items[1]"), found),
    };
    let note = Note::new("structure up to there", "nothing");
    suite.add(PATH, note, bytes.len(), found, move || {
        let value = Document::new(bytes, Dialect::GODOT_4).get(&path);
        value.ok().flatten().map_or(0, scalar)
    });
}

/// Registers the random lookups in W1, by an index that was built once.
pub(crate) fn lookup<'a>(suite: &mut Suite<'a>, tree: &'a Tree, lookup: &'a Lookup) {
    let document = Document::new(&tree.bytes, Dialect::GODOT_4);
    let index = Index::build(document).expect("it was encoded");
    let note = Note::new("structure on the way", "nothing");
    let size = tree.bytes.len();
    suite.add(LOOKUP, note, size, lookup.answer, move || {
        let Ok(root) = index.open(document) else {
            return 0;
        };
        lookup.sum(|place| {
            let entities = root.as_dict()?.get("entities").ok()??.as_array()?;
            let entity = entities.get(place).ok()??.as_dict()?;
            let items = entity.get("items").ok()??.as_array()?;
            items.get(1).ok()??.as_i64()
        })
    });
}

/// Registers the sum of W2's floats.
pub(crate) fn floats<'a>(suite: &mut Suite<'a>, bytes: &'a [u8], size: usize, expected: u64) {
    let note = Note::new("structure up to there", "nothing");
    suite.add(SUM, note, size, expected, move || {
        let value = Document::new(bytes, Dialect::GODOT_4)
            .get("floats")
            .ok()
            .flatten();
        match value.and_then(VariantRef::as_f32s) {
            Some(floats) => sum_lanes(floats.as_le(), |float| float.get()).to_bits(),
            None => 0,
        }
    });
}

/// Registers the structs of W1, by names.
pub(crate) fn typed<'a>(suite: &mut Suite<'a>, tree: &'a Tree, expected: u64) {
    let bytes = tree.bytes.as_slice();
    let note = Note::new("structure, text of fields", "structs, borrowed text");
    suite.add(STRUCTS, note, bytes.len(), expected, || {
        structs(bytes).unwrap_or(0)
    });
}

/// A sum in lanes, which a processor can do side by side.
pub(crate) fn sum_lanes<T: Copy>(floats: &[T], get: impl Fn(T) -> f32) -> f64 {
    let mut lanes = [0f32; 32];
    let blocks = floats.chunks_exact(lanes.len());
    let rest: f64 = blocks
        .remainder()
        .iter()
        .map(|&float| f64::from(get(float)))
        .sum();
    for block in blocks {
        for (lane, &float) in lanes.iter_mut().zip(block) {
            *lane += get(float);
        }
    }
    rest + lanes.iter().copied().map(f64::from).sum::<f64>()
}

fn validate(bytes: &[u8]) -> u64 {
    let size = Document::new(bytes, Dialect::GODOT_4).validate();
    size.map_or(0, |size| size as u64)
}

/// How many bytes the index takes.
fn index(bytes: &[u8]) -> u64 {
    let index = Index::build(Document::new(bytes, Dialect::GODOT_4));
    index.map_or(0, |index| index.size() as u64)
}

fn drain(bytes: &[u8]) -> u64 {
    let mut events = Document::new(bytes, Dialect::GODOT_4).events();
    while let Ok(Some(_)) = events.try_next() {}
    events.position() as u64
}

fn skip(bytes: &[u8]) -> u64 {
    let root = Document::new(bytes, Dialect::GODOT_4).root();
    root.and_then(VariantRef::end).map_or(0, |end| end as u64)
}

fn events(bytes: &[u8]) -> u64 {
    let mut sum = 0u64;
    let mut events = Document::new(bytes, Dialect::GODOT_4).events();
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

fn lazy(bytes: &[u8]) -> u64 {
    let Ok(root) = Document::new(bytes, Dialect::GODOT_4).root() else {
        return 0;
    };
    let sum = if let Some(dict) = root.as_dict() {
        lazy_pairs(&mut dict.iter())
    } else if let Some(array) = root.as_array() {
        lazy_items(&mut array.iter())
    } else {
        Ok(scalar(root))
    };
    sum.map_or(0, |sum| sum.wrapping_add(begun(root)))
}

fn lazy_pairs(pairs: &mut DictIter<'_>) -> Result<u64, Error> {
    let mut sum = 0u64;
    while let Some((key, value)) = pairs.try_next()? {
        let part = if let Some(dict) = value.as_dict() {
            let mut inner = dict.iter();
            let part = lazy_pairs(&mut inner)?;
            pairs.pass(&inner)?;
            part.wrapping_add(question::dict(dict.len()))
        } else if let Some(array) = value.as_array() {
            let mut inner = array.iter();
            let part = lazy_items(&mut inner)?;
            pairs.pass(&inner)?;
            part.wrapping_add(question::array(array.len()))
        } else {
            scalar(value)
        };
        sum = sum.wrapping_add(scalar(key)).wrapping_add(part);
    }
    Ok(sum)
}

fn lazy_items(items: &mut ArrayIter<'_>) -> Result<u64, Error> {
    let mut sum = 0u64;
    while let Some(value) = items.try_next()? {
        let part = if let Some(dict) = value.as_dict() {
            let mut inner = dict.iter();
            let part = lazy_pairs(&mut inner)?;
            items.pass(&inner)?;
            part.wrapping_add(question::dict(dict.len()))
        } else if let Some(array) = value.as_array() {
            let mut inner = array.iter();
            let part = lazy_items(&mut inner)?;
            items.pass(&inner)?;
            part.wrapping_add(question::array(array.len()))
        } else {
            scalar(value)
        };
        sum = sum.wrapping_add(part);
    }
    Ok(sum)
}

/// What a container adds besides its children. Inlined, so that handles of values need not be in
/// memory.
#[inline(always)]
fn begun(value: VariantRef<'_>) -> u64 {
    match value.as_array() {
        Some(array) => question::array(array.len()),
        None => value.as_dict().map_or(0, |dict| question::dict(dict.len())),
    }
}

/// What a value without children adds. Inlined, so that handles of values need not be in memory.
#[inline(always)]
fn scalar(value: VariantRef<'_>) -> u64 {
    match value.kind() {
        Kind::Nil => question::NIL,
        Kind::Bool => value.as_bool().map_or(0, question::bool),
        Kind::Int => value.as_i64().map_or(0, question::int),
        Kind::Float => value.as_f64().map_or(0, question::float),
        Kind::String => value.as_text().map_or(0, |text| question::text(text.raw())),
        Kind::Vector3 => value
            .as_vector3()
            .map_or(0, |v| question::vector([v.x, v.y, v.z])),
        Kind::PackedStringArray => value.as_strings().map_or(0, strings),
        _ => 0,
    }
}

fn strings(strings: PackedStrings<'_>) -> u64 {
    let mut sum = question::array(strings.len());
    let mut strings = strings.iter();
    while let Ok(Some(string)) = strings.try_next() {
        let raw = string.raw();
        let text = raw.strip_suffix(b"\0").unwrap_or(raw);
        sum = sum.wrapping_add(question::text(text));
    }
    sum
}

impl<'a> Record<'a> for EntityRef<'a> {
    const KEYS: &'static [Key] =
        &Key::all(["id", "name", "hp", "pos", "alive", "level", "items", "gold"]);

    #[inline(always)]
    fn read(fields: &mut impl Fields<'a>) -> Option<Self> {
        Some(EntityRef {
            id: fields.next()?,
            name: fields.next()?,
            hp: fields.next()?,
            pos: fields.next().map(|v: Vector3<f32>| [v.x, v.y, v.z])?,
            alive: fields.next()?,
            level: fields.next()?,
            items: fields.next()?,
            gold: fields.next()?,
        })
    }
}

/// W1's records as structs, whose fields are expected in order.
fn structs(bytes: &[u8]) -> Result<u64, Error> {
    let mut entities = Vec::new();
    let Some(root) = Document::new(bytes, Dialect::GODOT_4).root()?.as_dict() else {
        return Ok(0);
    };
    let mut pairs = root.iter();
    while let Some((key, value)) = pairs.try_next()? {
        let is_wanted = key.as_text().is_some_and(|key| key == "entities");
        let (true, Some(array)) = (is_wanted, value.as_array()) else {
            continue;
        };
        entities.reserve(array.len());
        let mut records = array.iter();
        records.for_each_record(|record| entities.extend(record))?;
        pairs.pass(&records)?;
    }
    Ok(SaveRef { entities }.answer())
}

/// The bytes that W2's floats take, and the sum to expect.
pub(crate) fn floats_of(tree: &Tree) -> Option<(&[f32], u64)> {
    let Value::Dict(pairs) = &tree.value else {
        return None;
    };
    let Value::Floats(floats) = &pairs.first()?.value else {
        return None;
    };
    let sum: f64 = floats.iter().copied().map(f64::from).sum();
    Some((floats, sum.to_bits()))
}
