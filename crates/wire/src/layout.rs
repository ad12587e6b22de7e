//! Sizes of payloads and elements, and the smallest size of each kind of child
//! (`docs/FORMAT.md` §3).

use crate::Kind;

/// Bytes of the header word.
pub const HEADER: usize = 4;

/// The smallest encoded value: a header. Array elements are at least this long.
pub const MIN_VALUE: usize = 4;

/// The smallest pair of a Dictionary: two headers.
pub const MIN_PAIR: usize = 8;

/// The smallest property of an Object: the length of its name and a header.
pub const MIN_PROPERTY: usize = 8;

/// The smallest string field: its length. Elements of a PackedStringArray and names of a
/// NodePath are at least this long.
pub const MIN_STRING: usize = 4;

/// The longest count, string length or value size the engines can hold: they use signed
/// 32-bit numbers (`docs/FORMAT.md` §3.5).
pub const MAX_SIZE: usize = i32::MAX as usize;

/// Bytes of the payload of a kind whose payload does not vary, else `None`
/// (`docs/FORMAT.md` §3.1). `wide` is the 64-bit flag, already known to count for this kind
/// in the dialect; `rid_has_id` is [`Dialect::rid_has_id`](crate::Dialect::rid_has_id).
/// [`Dialect::fixed_payload`](crate::Dialect::fixed_payload) has the result in a table.
///
/// An Object as id is not in here: its size depends on a flag of its own.
#[must_use]
pub const fn fixed_payload(kind: Kind, wide: bool, rid_has_id: bool) -> Option<usize> {
    let real = if wide { 8 } else { 4 };
    Some(match kind {
        Kind::Nil | Kind::Callable => 0,
        Kind::Bool => 4,
        Kind::Int | Kind::Float => real,
        Kind::Vector2i => 8,
        Kind::Vector3i => 12,
        Kind::Rect2i | Kind::Vector4i | Kind::Color => 16,
        Kind::Vector2 => 2 * real,
        Kind::Vector3 => 3 * real,
        Kind::Rect2 | Kind::Vector4 | Kind::Plane | Kind::Quaternion => 4 * real,
        Kind::Transform2D | Kind::Aabb => 6 * real,
        Kind::Basis => 9 * real,
        Kind::Transform3D => 12 * real,
        Kind::Projection => 16 * real,
        Kind::Rid => {
            if rid_has_id {
                8
            } else {
                0
            }
        }
        _ => return None,
    })
}

/// Bytes of one element of a packed array whose elements have a fixed size, else `None`
/// (`docs/FORMAT.md` §3.4).
#[must_use]
pub const fn packed_element(kind: Kind, wide: bool) -> Option<usize> {
    let real = if wide { 8 } else { 4 };
    Some(match kind {
        Kind::PackedByteArray => 1,
        Kind::PackedInt32Array | Kind::PackedFloat32Array => 4,
        Kind::PackedInt64Array | Kind::PackedFloat64Array | Kind::PackedVector2iArray => 8,
        Kind::PackedVector3iArray => 12,
        Kind::PackedVector4iArray | Kind::PackedColorArray => 16,
        Kind::PackedVector2Array => 2 * real,
        Kind::PackedVector3Array => 3 * real,
        Kind::PackedVector4Array => 4 * real,
        _ => return None,
    })
}
