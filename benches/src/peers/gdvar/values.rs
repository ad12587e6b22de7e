//! The answer to the question for what gdvar hands out.

use gdvar_view::{Kind, NodePathRef, PackedStrings, StrRef, VariantRef};

use crate::question;

/// The addition of a container besides its children. Inlined, so that handles of values need not be
/// in memory.
#[inline(always)]
pub(super) fn begun(value: VariantRef<'_>) -> u64 {
    match value.as_array() {
        Some(array) => question::array(array.len()),
        None => value.as_dict().map_or(0, |dict| question::dict(dict.len())),
    }
}

/// The addition of a value without children. Inlined, so that handles of values need not be in
/// memory.
#[inline(always)]
pub(super) fn scalar(value: VariantRef<'_>) -> u64 {
    match value.kind() {
        Kind::Nil => question::NIL,
        Kind::Bool => value.as_bool().map_or(0, question::bool),
        Kind::Int => value.as_i64().map_or(0, question::int),
        Kind::Float => value.as_f64().map_or(0, question::float),
        Kind::String | Kind::StringName => {
            value.as_text().map_or(0, |text| question::text(text.raw()))
        }
        Kind::Vector2 => value
            .as_vector2()
            .map_or(0, |v| question::vector([v.x, v.y])),
        Kind::Vector2i => value
            .as_vector2i()
            .map_or(0, |v| question::vector_of_ints([v.x, v.y])),
        Kind::Vector3i => value
            .as_vector3i()
            .map_or(0, |v| question::vector_of_ints([v.x, v.y, v.z])),
        Kind::Color => value
            .as_color()
            .map_or(0, |c| question::vector([c.r, c.g, c.b, c.a])),
        Kind::Transform3D => value
            .as_transform3d()
            .map_or(0, |t| question::vector(<[f32; 12]>::from(t))),
        Kind::NodePath => value.as_node_path().map_or(0, path_text),
        Kind::PackedByteArray => value.as_bytes().map_or(0, question::text),
        Kind::PackedFloat32Array => value.as_f32s().map_or(0, |floats| {
            let floats = floats.as_le();
            let sum = question::array(floats.len());
            floats.iter().fold(sum, |sum, float| {
                sum.wrapping_add(question::float(f64::from(float.get())))
            })
        }),
        Kind::Vector3 => value
            .as_vector3()
            .map_or(0, |v| question::vector([v.x, v.y, v.z])),
        Kind::PackedStringArray => value.as_strings().map_or(0, strings),
        _ => 0,
    }
}

/// The answer for a NodePath: that of its text.
fn path_text(path: NodePathRef<'_>) -> u64 {
    let separators = path.name_count().saturating_sub(1) + path.subname_count();
    let parts = path.parts().flatten().map(StrRef::raw);
    joined(path.is_absolute(), separators as usize, parts)
}

/// The answer for the text of a NodePath whose names and sub-names these are.
pub(super) fn joined<'p>(
    absolute: bool,
    separators: usize,
    parts: impl Iterator<Item = &'p [u8]>,
) -> u64 {
    let mut len = separators + usize::from(absolute);
    let mut first = absolute.then_some(b'/');
    let mut last = first;
    for part in parts {
        len += part.len();
        first = first.or(part.first().copied());
        last = part.last().copied().or(last);
    }
    match (first, last) {
        (Some(first), Some(last)) => question::ends(len, first, last),
        _ => question::text(b""),
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
