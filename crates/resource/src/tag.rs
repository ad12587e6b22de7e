//! The type numbers of values in resources. They are not the numbers of the Variant wire format.

use gdvar_wire::Kind;

/// The form of the data after a type number.
#[derive(Clone, Copy, PartialEq, Eq, Debug)]
pub(crate) enum Payload {
    Nil,
    Bool,
    Int32,
    Int64,
    /// A real: 32 bits, or 64 in files of `precision=double`.
    Real,
    Float64,
    String,
    StringName,
    /// A type that consists of this many reals.
    Reals(Kind, usize),
    /// A type that consists of this many 32-bit integers.
    Ints(Kind, usize),
    /// Four reals, which have 32 bits in every file.
    Color,
    NodePath,
    Rid,
    Object,
    Callable,
    Signal,
    Dictionary,
    Array,
    Bytes,
    /// A packed array, whose elements have this many reals each.
    PackedReals(Kind, usize),
    /// A packed array, whose elements have this many numbers each. A number has this width in bytes
    /// in every file.
    Packed(Kind, usize, usize),
    Strings,
}

/// Returns the form of the data after a type number. `None` if the engine has no such type.
pub(crate) fn payload(number: u32, is_godot4: bool) -> Option<Payload> {
    Some(match number {
        1 => Payload::Nil,
        2 => Payload::Bool,
        3 => Payload::Int32,
        4 => Payload::Real,
        5 => Payload::String,
        10 => Payload::Reals(Kind::Vector2, 2),
        11 => Payload::Reals(Kind::Rect2, 4),
        12 => Payload::Reals(Kind::Vector3, 3),
        13 => Payload::Reals(Kind::Plane, 4),
        14 => Payload::Reals(Kind::Quaternion, 4),
        15 => Payload::Reals(Kind::Aabb, 6),
        16 => Payload::Reals(Kind::Basis, 9),
        17 => Payload::Reals(Kind::Transform3D, 12),
        18 => Payload::Reals(Kind::Transform2D, 6),
        20 => Payload::Color,
        22 => Payload::NodePath,
        23 => Payload::Rid,
        24 => Payload::Object,
        26 => Payload::Dictionary,
        30 => Payload::Array,
        31 => Payload::Bytes,
        32 => Payload::Packed(Kind::PackedInt32Array, 1, 4),
        33 => Payload::Packed(Kind::PackedFloat32Array, 1, 4),
        34 => Payload::Strings,
        35 => Payload::PackedReals(Kind::PackedVector3Array, 3),
        36 => Payload::Packed(Kind::PackedColorArray, 4, 4),
        37 => Payload::PackedReals(Kind::PackedVector2Array, 2),
        40 => Payload::Int64,
        41 => Payload::Float64,
        _ if !is_godot4 => return None,
        42 => Payload::Callable,
        43 => Payload::Signal,
        44 => Payload::StringName,
        45 => Payload::Ints(Kind::Vector2i, 2),
        46 => Payload::Ints(Kind::Rect2i, 4),
        47 => Payload::Ints(Kind::Vector3i, 3),
        48 => Payload::Packed(Kind::PackedInt64Array, 1, 8),
        49 => Payload::Packed(Kind::PackedFloat64Array, 1, 8),
        50 => Payload::Reals(Kind::Vector4, 4),
        51 => Payload::Ints(Kind::Vector4i, 4),
        52 => Payload::Reals(Kind::Projection, 16),
        53 => Payload::PackedReals(Kind::PackedVector4Array, 4),
        _ => return None,
    })
}
