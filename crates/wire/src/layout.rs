//! Sizes of payloads and elements, and the smallest size of each kind of child
//! ([`docs/FORMAT.md` §3]).
//!
//! [`docs/FORMAT.md` §3]: https://github.com/gdvar/gdvar/blob/main/docs/FORMAT.md#3-payload-layouts

use crate::Kind;

/// The size of the header word.
pub const HEADER: usize = 4;

/// The size of the smallest value: a header. No Array element is shorter.
pub const MIN_VALUE: usize = 4;

/// The size of the smallest Dictionary pair: two headers.
pub const MIN_PAIR: usize = 8;

/// The size of the smallest Object property: the length of its name and a header.
pub const MIN_PROPERTY: usize = 8;

/// The size of the smallest string field: its length word. No element of a PackedStringArray and no
/// name of a NodePath is shorter.
pub const MIN_STRING: usize = 4;

/// The greatest count, string length or value size that the engines can hold, because they use
/// signed 32-bit numbers ([`docs/FORMAT.md` §3.5]).
///
/// [`docs/FORMAT.md` §3.5]: https://github.com/gdvar/gdvar/blob/main/docs/FORMAT.md#35-size-limits
pub const MAX_SIZE: usize = i32::MAX as usize;

/// Returns the payload size of a kind with a fixed payload, else `None` ([`docs/FORMAT.md` §3.1]).
/// Pass `wide` only if the 64-bit flag applies to this kind in the dialect; `rid_has_id` is
/// [`Dialect::rid_has_id`](crate::Dialect::rid_has_id).
/// [`Dialect::fixed_payload`](crate::Dialect::fixed_payload) looks the result up in a table.
///
/// An Object given by its id has a fixed size too. This function returns `None` for it, because a
/// flag of the header decides whether there is an id.
///
/// [`docs/FORMAT.md` §3.1]: https://github.com/gdvar/gdvar/blob/main/docs/FORMAT.md#31-fixed-size-types
#[must_use]
pub const fn fixed_payload(kind: Kind, wide: bool, rid_has_id: bool) -> Option<usize> {
    if kind.is_packed() {
        return None;
    }
    if let Some((number, names)) = numbers(kind) {
        return Some(number.size(wide) * names.len());
    }
    match kind {
        Kind::Nil | Kind::Callable => Some(0),
        Kind::Bool => Some(4),
        Kind::Rid if rid_has_id => Some(8),
        Kind::Rid => Some(0),
        _ => None,
    }
}

/// Returns the element size of a packed array with fixed-size elements, else `None`
/// ([`docs/FORMAT.md` §3.4]).
///
/// [`docs/FORMAT.md` §3.4]: https://github.com/gdvar/gdvar/blob/main/docs/FORMAT.md#34-packed-arrays
#[must_use]
pub const fn packed_element(kind: Kind, wide: bool) -> Option<usize> {
    match numbers(kind) {
        Some((number, names)) if kind.is_packed() => Some(number.size(wide) * names.len()),
        _ => None,
    }
}

/// A type of number in the bytes.
#[derive(Clone, Copy, PartialEq, Eq, Hash, Debug)]
pub enum Number {
    /// `u8`.
    U8,
    /// `i32`.
    I32,
    /// `i64`.
    I64,
    /// `f32` in every build.
    F32,
    /// `f64`.
    F64,
    /// `i32`, or `i64` with the 64-bit flag.
    Int,
    /// `f32`, or `f64` with the 64-bit flag: *r* in [`docs/FORMAT.md` §3.1].
    ///
    /// [`docs/FORMAT.md` §3.1]: https://github.com/gdvar/gdvar/blob/main/docs/FORMAT.md#31-fixed-size-types
    Real,
}

impl Number {
    /// Returns the size in bytes; `wide` is the 64-bit flag.
    #[must_use]
    pub const fn size(self, wide: bool) -> usize {
        match (self, wide) {
            (Number::U8, _) => 1,
            (Number::I64 | Number::F64, _) | (Number::Int | Number::Real, true) => 8,
            (Number::I32 | Number::F32, _) | (Number::Int | Number::Real, false) => 4,
        }
    }

    /// Returns the name of the matching Rust type; `wide` is the 64-bit flag.
    #[must_use]
    pub const fn name(self, wide: bool) -> &'static str {
        match (self, wide) {
            (Number::U8, _) => "u8",
            (Number::I64, _) | (Number::Int, true) => "i64",
            (Number::F64, _) | (Number::Real, true) => "f64",
            (Number::I32 | Number::Int, _) => "i32",
            (Number::F32 | Number::Real, _) => "f32",
        }
    }
}

/// Describes the numbers that make up a value of `kind`, or one element if it is a packed array. Returns their type, and their names in stream order ([`docs/FORMAT.md` §3.1], §3.4). A
/// name is the path that scripts use, such as `position.x`; it is empty if there is only one number.
/// Returns `None` for all other kinds. The sizes of [`fixed_payload`] and [`packed_element`] come
/// from here.
///
/// ```
/// use gdvar_wire::{Kind, layout::{Number, numbers}};
///
/// let (number, names) = numbers(Kind::Rect2).unwrap();
/// assert_eq!(number, Number::Real);
/// assert_eq!(names, ["position.x", "position.y", "size.x", "size.y"]);
/// ```
///
/// [`docs/FORMAT.md` §3.1]: https://github.com/gdvar/gdvar/blob/main/docs/FORMAT.md#31-fixed-size-types
#[inline]
#[must_use]
pub const fn numbers(kind: Kind) -> Option<(Number, &'static [&'static str])> {
    use Number::{F32, F64, I32, I64, Int, Real, U8};
    const ONE: &[&str] = &[""];
    const XYZW: &[&str] = &["x", "y", "z", "w"];
    const XYZ: &[&str] = &["x", "y", "z"];
    const XY: &[&str] = &["x", "y"];
    const RECT: &[&str] = &["position.x", "position.y", "size.x", "size.y"];
    const COLOR: &[&str] = &["r", "g", "b", "a"];
    Some(match kind {
        Kind::Int => (Int, ONE),
        Kind::Float => (Real, ONE),
        Kind::Vector2 | Kind::PackedVector2Array => (Real, XY),
        Kind::Vector3 | Kind::PackedVector3Array => (Real, XYZ),
        Kind::Vector4 | Kind::Quaternion | Kind::PackedVector4Array => (Real, XYZW),
        Kind::Vector2i | Kind::PackedVector2iArray => (I32, XY),
        Kind::Vector3i | Kind::PackedVector3iArray => (I32, XYZ),
        Kind::Vector4i | Kind::PackedVector4iArray => (I32, XYZW),
        Kind::Rect2 => (Real, RECT),
        Kind::Rect2i => (I32, RECT),
        Kind::Plane => (Real, &["normal.x", "normal.y", "normal.z", "d"]),
        Kind::Color | Kind::PackedColorArray => (F32, COLOR),
        Kind::Transform2D => (Real, &["x.x", "x.y", "y.x", "y.y", "origin.x", "origin.y"]),
        Kind::Aabb => (
            Real,
            &[
                "position.x",
                "position.y",
                "position.z",
                "size.x",
                "size.y",
                "size.z",
            ],
        ),
        Kind::Basis => (
            Real,
            &[
                "x.x", "y.x", "z.x", "x.y", "y.y", "z.y", "x.z", "y.z", "z.z",
            ],
        ),
        Kind::Transform3D => (
            Real,
            &[
                "basis.x.x",
                "basis.y.x",
                "basis.z.x",
                "basis.x.y",
                "basis.y.y",
                "basis.z.y",
                "basis.x.z",
                "basis.y.z",
                "basis.z.z",
                "origin.x",
                "origin.y",
                "origin.z",
            ],
        ),
        Kind::Projection => (
            Real,
            &[
                "x.x", "x.y", "x.z", "x.w", "y.x", "y.y", "y.z", "y.w", "z.x", "z.y", "z.z", "z.w",
                "w.x", "w.y", "w.z", "w.w",
            ],
        ),
        Kind::PackedByteArray => (U8, ONE),
        Kind::PackedInt32Array => (I32, ONE),
        Kind::PackedInt64Array => (I64, ONE),
        Kind::PackedFloat32Array => (F32, ONE),
        Kind::PackedFloat64Array => (F64, ONE),
        // No `_` arm: a new kind does not compile before its layout is known.
        Kind::Nil
        | Kind::Bool
        | Kind::String
        | Kind::Image
        | Kind::StringName
        | Kind::NodePath
        | Kind::Rid
        | Kind::Object
        | Kind::InputEvent
        | Kind::Callable
        | Kind::Signal
        | Kind::Dictionary
        | Kind::Array
        | Kind::TypedArray
        | Kind::PackedTypedArray
        | Kind::PackedStringArray => return None,
    })
}

/// What [`Kind`] says of its numbers agrees with [`numbers`].
const _: () = {
    let mut n = 0;
    while n < Kind::COUNT {
        let kind = Kind::ALL[n];
        let (has_reals, has_ints) = match numbers(kind) {
            Some((Number::Real, _)) => (!matches!(kind, Kind::Float), false),
            Some((Number::I32, _)) => (false, !kind.is_packed()),
            _ => (false, false),
        };
        assert!(
            kind.has_reals() == has_reals,
            "Kind::has_reals lacks a kind"
        );
        assert!(kind.has_ints() == has_ints, "Kind::has_ints lacks a kind");
        n += 1;
    }
};
