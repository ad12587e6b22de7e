//! Describes the types that consist of numbers (docs/FORMAT.md §3.1, §3.4).

use gdvar::Kind;

/// The form of the numbers in a type.
#[derive(Clone, Copy, PartialEq, Eq)]
pub(super) enum NumberKind {
    /// An f32, or an f64 if the flag is set.
    Real,
    F32,
    F64,
    I32,
    I64,
}

pub(super) fn has_reals(kind: Kind) -> bool {
    !is_other(kind) && layout(kind).1 == NumberKind::Real
}

/// Returns `true` if the type consists of something other than numbers.
fn is_other(kind: Kind) -> bool {
    matches!(
        kind,
        Kind::Nil
            | Kind::Bool
            | Kind::Int
            | Kind::Float
            | Kind::String
            | Kind::StringName
            | Kind::NodePath
            | Kind::Rid
            | Kind::Callable
            | Kind::Signal
            | Kind::Object
            | Kind::Image
            | Kind::InputEvent
            | Kind::Array
            | Kind::TypedArray
            | Kind::PackedTypedArray
            | Kind::Dictionary
            | Kind::PackedByteArray
            | Kind::PackedStringArray
    )
}

/// Returns the count and the kind of the numbers in a value, or in an element of a packed array (§3.1, §3.4).
pub(super) fn layout(kind: Kind) -> (usize, NumberKind) {
    match kind {
        Kind::Vector2 | Kind::PackedVector2Array => (2, NumberKind::Real),
        Kind::Vector3 | Kind::PackedVector3Array => (3, NumberKind::Real),
        Kind::Vector4 | Kind::PackedVector4Array | Kind::Rect2 | Kind::Plane | Kind::Quaternion => {
            (4, NumberKind::Real)
        }
        Kind::Transform2D | Kind::Aabb => (6, NumberKind::Real),
        Kind::Basis => (9, NumberKind::Real),
        Kind::Transform3D => (12, NumberKind::Real),
        Kind::Projection => (16, NumberKind::Real),
        Kind::Color | Kind::PackedColorArray => (4, NumberKind::F32),
        Kind::Vector2i | Kind::PackedVector2iArray => (2, NumberKind::I32),
        Kind::Vector3i | Kind::PackedVector3iArray => (3, NumberKind::I32),
        Kind::Vector4i | Kind::PackedVector4iArray | Kind::Rect2i => (4, NumberKind::I32),
        Kind::PackedInt32Array => (1, NumberKind::I32),
        Kind::PackedInt64Array => (1, NumberKind::I64),
        Kind::PackedFloat32Array => (1, NumberKind::F32),
        Kind::PackedFloat64Array => (1, NumberKind::F64),
        other => unreachable!("{other} is not made of numbers alone"),
    }
}
