//! rkyv: archives that are read in place, of any value and of structs.

use ::rkyv::{Archived, access, api::high::to_bytes_in, rancor::Error, util::AlignedVec};

use super::structs::Leaves;
use crate::{
    harness::{Note, Suite},
    model::{ArchivedValue, Value},
    question,
    workloads::{Entity, Lookup, Tree},
};

/// The entry that reads everything.
pub(crate) const READ: &str = "rkyv enum, checked, all read";
/// The entry that validates an archive of any value.
pub(crate) const CHECKED: &str = "rkyv enum, checked";

/// An archive, aligned.
pub(crate) type Bytes = AlignedVec<16>;

pub(crate) fn encoded(value: &Value) -> Bytes {
    ::rkyv::to_bytes::<Error>(value).expect("any value can be archived")
}

/// Registers what reads a tree.
pub(crate) fn tree<'a>(suite: &mut Suite<'a>, tree: &'a Tree) {
    let bytes = encoded(&tree.value);
    let same = bytes.clone();
    let size = bytes.len();
    suite.add(CHECKED, super::VALIDATES, size, 1, move || {
        u64::from(access::<ArchivedValue, Error>(&bytes).is_ok())
    });
    let note = Note::new("structure, text", "nothing; reads all");
    suite.add(READ, note, size, tree.answer, move || {
        access::<ArchivedValue, Error>(&same).map_or(0, answer)
    });
}

fn answer(value: &ArchivedValue) -> u64 {
    fn each<T>(items: &[T], start: u64, one: impl Fn(&T) -> u64) -> u64 {
        items
            .iter()
            .fold(start, |sum, item| sum.wrapping_add(one(item)))
    }
    match value {
        ArchivedValue::Nil => question::NIL,
        ArchivedValue::Bool(value) => question::bool(*value),
        ArchivedValue::Int(value) => question::int(value.to_native()),
        ArchivedValue::Float(value) => question::float(value.to_native()),
        ArchivedValue::Text(text) | ArchivedValue::Name(text) | ArchivedValue::Path(text) => {
            question::text(text.as_bytes())
        }
        ArchivedValue::Vector2(value) => question::vector(value.map(|c| c.to_native())),
        ArchivedValue::Vector3(value) => question::vector(value.map(|c| c.to_native())),
        ArchivedValue::Vector2i(value) => question::vector_of_ints(value.map(|c| c.to_native())),
        ArchivedValue::Vector3i(value) => question::vector_of_ints(value.map(|c| c.to_native())),
        ArchivedValue::Transform(value) => question::vector(value.map(|c| c.to_native())),
        ArchivedValue::Color(value) => question::vector(value.map(|c| c.to_native())),
        ArchivedValue::Array(items) | ArchivedValue::TypedArray(_, items) => {
            each(items, question::array(items.len()), answer)
        }
        ArchivedValue::Dict(pairs)
        | ArchivedValue::Named(pairs)
        | ArchivedValue::TypedDict(_, pairs) => each(pairs, question::dict(pairs.len()), |pair| {
            question::text(pair.key.as_bytes()).wrapping_add(answer(&pair.value))
        }),
        ArchivedValue::Map(entries) => each(entries, question::dict(entries.len()), |entry| {
            answer(&entry.key).wrapping_add(answer(&entry.value))
        }),
        ArchivedValue::Bytes(bytes) => question::text(bytes),
        ArchivedValue::Ints(items) => each(items, question::array(items.len()), |item| {
            question::int(item.to_native().into())
        }),
        ArchivedValue::Floats(items) => each(items, question::array(items.len()), |item| {
            question::float(item.to_native().into())
        }),
        ArchivedValue::Vectors(items) => each(items, question::array(items.len()), |item| {
            question::vector(item.map(|c| c.to_native()))
        }),
        ArchivedValue::Texts(items) => each(items, question::array(items.len()), |item| {
            question::text(item.as_bytes())
        }),
    }
}

/// Registers the random lookups in W1, in an archive that was validated once.
pub(crate) fn lookup<'a>(suite: &mut Suite<'a>, bytes: &'a Bytes, lookup: &'a Lookup) {
    let root = access::<ArchivedValue, Error>(bytes).expect("it was archived");
    let note = Note::new("nothing any more", "nothing");
    let name = "rkyv enum lookup";
    suite.add(name, note, bytes.len(), lookup.answer, move || {
        lookup.sum(|place| {
            let items = field(item(field(root, "entities")?, place)?, "items")?;
            match item(items, 1)? {
                ArchivedValue::Int(value) => Some(value.to_native()),
                _ => None,
            }
        })
    });
}

fn field<'a>(value: &'a ArchivedValue, key: &str) -> Option<&'a ArchivedValue> {
    let ArchivedValue::Dict(pairs) = value else {
        return None;
    };
    let pair = pairs.iter().find(|pair| pair.key.as_str() == key)?;
    Some(&pair.value)
}

fn item(value: &ArchivedValue, n: usize) -> Option<&ArchivedValue> {
    match value {
        ArchivedValue::Array(items) => items.get(n),
        _ => None,
    }
}

/// Registers the sum of W2's floats.
pub(crate) fn floats<'a>(suite: &mut Suite<'a>, floats: &[f32], expected: u64) {
    let bytes = ::rkyv::to_bytes::<Error>(&floats.to_vec()).expect("floats can be archived");
    let note = Note::new("bounds", "nothing");
    suite.add(
        "rkyv sum of floats, checked",
        note,
        bytes.len(),
        expected,
        move || match access::<Archived<Vec<f32>>, Error>(&bytes) {
            Ok(floats) => {
                super::gdvar::floats::sum_lanes(floats, |float| float.to_native()).to_bits()
            }
            Err(_) => 0,
        },
    );
}

/// Registers the structs of W1.
pub(crate) fn typed<'a>(suite: &mut Suite<'a>, entities: &[Entity], expected: u64) {
    let bytes = ::rkyv::to_bytes::<Error>(&entities.to_vec()).expect("records can be archived");
    let note = Note::new("structure, text", "nothing; reads in place");
    suite.add(
        "rkyv structs, checked",
        note,
        bytes.len(),
        expected,
        move || {
            let Ok(entities) = access::<Archived<Vec<Entity>>, Error>(&bytes) else {
                return 0;
            };
            entities.iter().fold(0u64, |sum, e| {
                let ints = e.id.to_native() as i64
                    + e.level.to_native() as i64
                    + e.gold.to_native() as i64;
                let items = &e.items;
                sum.wrapping_add(question::int(ints))
                    .wrapping_add(question::text(e.name.as_bytes()))
                    .wrapping_add(question::float(e.hp.to_native()))
                    .wrapping_add(question::vector(e.pos.map(|c| c.to_native())))
                    .wrapping_add(question::bool(e.alive))
                    .wrapping_add({
                        let (count, quality) = (items.1.to_native(), items.2.to_native());
                        (items.0.as_str(), count, quality).leaves()
                    })
            })
        },
    );
}

/// Registers the writer of W1's records.
pub(crate) fn write<'a>(suite: &mut Suite<'a>, batches: &'a [Vec<Entity>]) {
    let mut spare = Some(Bytes::new());
    let mut write = move || {
        let mut size = 0;
        for batch in batches {
            let mut buffer = spare.take().unwrap_or_default();
            buffer.clear();
            if let Ok(buffer) = to_bytes_in::<_, Error>(batch, buffer) {
                size += buffer.len() as u64;
                spare = Some(buffer);
            }
        }
        size
    };
    let size: u64 = write();
    suite.add(
        "rkyv structs",
        Note::new("", "bytes"),
        size as usize,
        size,
        write,
    );
}
