//! Conversions from [`Variant`] to Rust values.

use std::fmt;

use gdvar_view::{
    Kind,
    math::{
        Aabb, Basis, Color, Plane, Projection, Quaternion, Rect2, Transform2D, Transform3D,
        Vector2, Vector3, Vector4,
    },
};

use crate::{
    Array, Dictionary, Variant,
    text::Text,
    variant::{NodePath, Signal},
};

/// The error of a conversion: the value is of another kind, or does not fit the Rust type.
#[derive(Clone, Copy, PartialEq, Eq)]
pub struct WrongKind {
    /// The name of the requested Rust type.
    pub expected: &'static str,
    /// The kind that the value has.
    pub found: Kind,
}

impl fmt::Display for WrongKind {
    fn fmt(&self, f: &mut fmt::Formatter<'_>) -> fmt::Result {
        let WrongKind { expected, found } = self;
        match found {
            Kind::Int => write!(
                f,
                "expected {expected}, found an int, or one beyond its range"
            ),
            _ => write!(f, "expected {expected}, found a {found}"),
        }
    }
}

gdvar_wire::debug_is_display!(WrongKind);

impl std::error::Error for WrongKind {}

fn wrong(expected: &'static str, found: &Variant) -> WrongKind {
    let found = found.kind();
    WrongKind { expected, found }
}

macro_rules! copies {
    ($($ty:ty, $what:literal => |$value:ident| $get:expr;)*) => {$(
        impl TryFrom<&Variant> for $ty {
            type Error = WrongKind;

            fn try_from($value: &Variant) -> Result<$ty, WrongKind> {
                $get.ok_or_else(|| wrong($what, $value))
            }
        }

        impl TryFrom<Variant> for $ty {
            type Error = WrongKind;

            fn try_from(value: Variant) -> Result<$ty, WrongKind> {
                <$ty>::try_from(&value)
            }
        }
    )*};
}

fn int<T: TryFrom<i64>>(value: &Variant) -> Option<T> {
    value.as_i64()?.try_into().ok()
}

/// Converts the elements of an Array, or returns `None` if one cannot be converted.
fn list<T>(value: &Variant, one: impl Fn(&Variant) -> Option<T>) -> Option<Vec<T>> {
    value.as_array()?.iter().map(one).collect()
}

/// Returns a number as `f32`, or `None` if the conversion would change it.
fn single(value: &Variant) -> Option<f32> {
    let wide = value.as_number()?;
    (f64::from(wide as f32) == wide || wide.is_nan()).then(|| gdvar_view::narrow(wide))
}

copies! {
    bool, "a bool" => |value| value.as_bool();
    i8, "an int of 8 bits" => |value| int(value);
    i16, "an int of 16 bits" => |value| int(value);
    i32, "an int of 32 bits" => |value| int(value);
    i64, "an int" => |value| int(value);
    isize, "an int" => |value| int(value);
    u8, "an int from 0 to 255" => |value| int(value);
    u16, "an int from 0 to 65535" => |value| int(value);
    u32, "an int from 0 to 4294967295" => |value| int(value);
    u64, "an int that is not negative" => |value| int(value);
    usize, "an int that is not negative" => |value| int(value);
    f32, "a number that 32 bits hold exactly" => |value| single(value);
    f64, "a number" => |value| value.as_number();
    String, "a String" => |value| value.as_str().map(str::to_owned);
    Color<f32>, "a Color" => |value| value.as_color();
    Vector2<i32>, "a Vector2i" => |value| value.as_vector2i();
    Vector3<i32>, "a Vector3i" => |value| value.as_vector3i();
    Vector4<i32>, "a Vector4i" => |value| value.as_vector4i();
    Rect2<i32>, "a Rect2i" => |value| value.as_rect2i();
    Vec<f32>, "a PackedFloat32Array, or an Array of numbers that 32 bits hold" => |value| match value {
        Variant::PackedFloat32Array(all) => Some(all.clone()),
        other => list(other, single),
    };
    Vec<f64>, "a PackedFloat64Array, or an Array of numbers" => |value| match value {
        Variant::PackedFloat64Array(all) => Some(all.clone()),
        other => list(other, Variant::as_number),
    };
    Vec<String>, "a PackedStringArray, or an Array of Strings" => |value| match value {
        Variant::PackedStringArray(all) => all.iter().map(|text| text.as_str().map(str::to_owned)).collect(),
        other => list(other, |text| text.as_str().map(str::to_owned)),
    };
    Vec<u8>, "a PackedByteArray, or an Array of ints from 0 to 255" => |value| match value {
        Variant::PackedByteArray(all) => Some(all.clone()),
        other => list(other, int),
    };
    Vec<i32>, "a PackedInt32Array, or an Array of ints of 32 bits" => |value| match value {
        Variant::PackedInt32Array(all) => Some(all.clone()),
        other => list(other, int),
    };
    Vec<i64>, "a PackedInt64Array, or an Array of ints" => |value| match value {
        Variant::PackedInt64Array(all) => Some(all.clone()),
        other => list(other, int),
    };
}

copies! {
    Vector2<f64>, "a Vector2" => |value| value.as_vector2_f64();
    Vector3<f64>, "a Vector3" => |value| value.as_vector3_f64();
    Vector4<f64>, "a Vector4" => |value| value.as_vector4_f64();
    Rect2<f64>, "a Rect2" => |value| value.as_rect2_f64();
    Plane<f64>, "a Plane" => |value| value.as_plane_f64();
    Quaternion<f64>, "a Quaternion" => |value| value.as_quaternion_f64();
    Transform2D<f64>, "a Transform2D" => |value| value.as_transform2d_f64();
    Aabb<f64>, "an AABB" => |value| value.as_aabb_f64();
    Basis<f64>, "a Basis" => |value| value.as_basis_f64();
    Transform3D<f64>, "a Transform3D" => |value| value.as_transform3d_f64();
    Projection<f64>, "a Projection" => |value| value.as_projection_f64();
}

copies! {
    Vector2<f32>, "a Vector2 of 32-bit reals" => |value| value.as_vector2();
    Vector3<f32>, "a Vector3 of 32-bit reals" => |value| value.as_vector3();
    Vector4<f32>, "a Vector4 of 32-bit reals" => |value| value.as_vector4();
    Rect2<f32>, "a Rect2 of 32-bit reals" => |value| value.as_rect2();
    Plane<f32>, "a Plane of 32-bit reals" => |value| value.as_plane();
    Quaternion<f32>, "a Quaternion of 32-bit reals" => |value| value.as_quaternion();
    Transform2D<f32>, "a Transform2D of 32-bit reals" => |value| value.as_transform2d();
    Aabb<f32>, "an AABB of 32-bit reals" => |value| value.as_aabb();
    Basis<f32>, "a Basis of 32-bit reals" => |value| value.as_basis();
    Transform3D<f32>, "a Transform3D of 32-bit reals" => |value| value.as_transform3d();
    Projection<f32>, "a Projection of 32-bit reals" => |value| value.as_projection();
}

/// Implements conversions of another library's types. They are converted to our types first.
#[cfg(any(feature = "glam-033", feature = "glam-034", feature = "mint"))]
macro_rules! by_way_of {
    ($($theirs:ty = $ours:ty;)*) => {$(
        impl From<$theirs> for Variant {
            fn from(value: $theirs) -> Variant {
                <$ours>::from(value).into()
            }
        }

        impl TryFrom<&Variant> for $theirs {
            type Error = $crate::error::WrongKind;

            fn try_from(value: &Variant) -> Result<$theirs, $crate::error::WrongKind> {
                <$ours>::try_from(value).map(Into::into)
            }
        }

        impl TryFrom<Variant> for $theirs {
            type Error = $crate::error::WrongKind;

            fn try_from(value: Variant) -> Result<$theirs, $crate::error::WrongKind> {
                <$theirs>::try_from(&value)
            }
        }
    )*};
}
#[cfg(any(feature = "glam-033", feature = "glam-034", feature = "mint"))]
pub(crate) use by_way_of;

impl<'v> TryFrom<&'v Variant> for &'v str {
    type Error = WrongKind;

    fn try_from(value: &'v Variant) -> Result<&'v str, WrongKind> {
        value.as_str().ok_or_else(|| wrong("a String", value))
    }
}

macro_rules! moves {
    ($($ty:ty, $what:literal => $pattern:pat => $make:expr;)*) => {$(
        impl TryFrom<Variant> for $ty {
            type Error = WrongKind;

            fn try_from(value: Variant) -> Result<$ty, WrongKind> {
                match value {
                    $pattern => Ok($make),
                    other => Err(wrong($what, &other)),
                }
            }
        }
    )*};
}
moves! {
    Array, "an Array" => Variant::Array(array) => array;
    Vec<Variant>, "an Array" => Variant::Array(array) => array.into_vec();
    Dictionary, "a Dictionary" => Variant::Dictionary(dict) => dict;
    Text, "a String" => Variant::String(text) | Variant::StringName(text) => text;
    NodePath, "a NodePath" => Variant::NodePath(path) => *path;
    Signal, "a Signal" => Variant::Signal(signal) => *signal;
}
