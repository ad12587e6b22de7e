//! gdvar's owned tree, for comparison with those who build one.

use gdvar::{Variant, write::Writer};
use gdvar_view::{Dialect, Real};
use gdvar_write::Target;

use super::values::joined;
use crate::{
    harness::{Note, Suite},
    question,
    workloads::Tree,
};

/// The entry that reads into a tree and looks at all of it.
pub(crate) const READ: &str = "gdvar Variant, all read";
/// The entry that writes a tree.
pub(crate) const WRITE: &str = "gdvar Variant, written";

/// Registers the reading of a tree that is written in that dialect.
pub(crate) fn tree<'a>(suite: &mut Suite<'a>, tree: &'a Tree, dialect: Dialect) {
    let bytes = tree.bytes.as_slice();
    let note = Note::new("structure, text", "tree");
    suite.add(READ, note, bytes.len(), tree.answer, move || {
        Variant::from_slice(bytes, dialect).map_or(0, |value| answer(&value))
    });
}

/// Registers the writing of a tree for a target.
pub(crate) fn write<'a>(suite: &mut Suite<'a>, tree: &'a Tree, dialect: Dialect, target: Target) {
    let value = Variant::from_slice(&tree.bytes, dialect).expect("it is well-formed");
    let same = value.to_vec(target).is_ok_and(|bytes| bytes == tree.bytes);
    assert!(same, "gdvar writes other bytes");
    let size = tree.bytes.len();
    let note = Note::new("counts, depth, order", "bytes, from a tree");
    let mut buffer = Vec::new();
    suite.add(WRITE, note, size, size as u64, move || {
        buffer.clear();
        let mut writer = Writer::new(&mut buffer, target);
        let done = value.write(&mut writer);
        let done = done.and_then(|()| writer.finish().map(drop));
        done.map_or(0, |()| buffer.len() as u64)
    });
}

fn answer(value: &Variant) -> u64 {
    match value {
        Variant::Nil => question::NIL,
        Variant::Bool(value) => question::bool(*value),
        Variant::Int(value) => question::int(*value),
        Variant::Float(value) => question::float(*value),
        Variant::String(text) | Variant::StringName(text) => question::text(text.as_bytes()),
        Variant::Vector2(Real::Single(v)) => question::vector([v.x, v.y]),
        Variant::Vector2i(v) => question::vector_of_ints([v.x, v.y]),
        Variant::Vector3i(v) => question::vector_of_ints([v.x, v.y, v.z]),
        Variant::Color(c) => question::vector([c.r, c.g, c.b, c.a]),
        Variant::Transform3D(transform) => match **transform {
            Real::Single(transform) => question::vector(<[f32; 12]>::from(transform)),
            Real::Double(_) => 0,
        },
        Variant::NodePath(path) => {
            let separators = path.names.len().saturating_sub(1) + path.subnames.len();
            let parts = path.names.iter().chain(&path.subnames);
            joined(path.absolute, separators, parts.map(|part| part.as_bytes()))
        }
        Variant::PackedByteArray(bytes) => question::text(bytes),
        Variant::PackedFloat32Array(floats) => {
            let sum = question::array(floats.len());
            floats.iter().fold(sum, |sum, float| {
                sum.wrapping_add(question::float(f64::from(*float)))
            })
        }
        Variant::Vector3(Real::Single(v)) => question::vector([v.x, v.y, v.z]),
        Variant::Array(array) => {
            let sum = question::array(array.len());
            array
                .iter()
                .fold(sum, |sum, item| sum.wrapping_add(answer(item)))
        }
        Variant::Dictionary(dict) => {
            let sum = question::dict(dict.len());
            dict.iter().fold(sum, |sum, (key, value)| {
                sum.wrapping_add(answer(key)).wrapping_add(answer(value))
            })
        }
        Variant::PackedStringArray(texts) => {
            let sum = question::array(texts.len());
            texts.iter().fold(sum, |sum, text| {
                sum.wrapping_add(question::text(text.as_bytes()))
            })
        }
        _ => 0,
    }
}
