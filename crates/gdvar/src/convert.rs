//! From Rust values to [`Variant`], and the macro that writes them like GDScript.

use gdvar_view::{
    Real,
    math::{
        Aabb, Basis, Color, Plane, Projection, Quaternion, Rect2, Transform2D, Transform3D,
        Vector2, Vector3, Vector4,
    },
};

use crate::{Array, Dictionary, NodePath, Object, Signal, Text, Variant};

macro_rules! from {
    ($($ty:ty => |$value:ident| $variant:expr;)*) => {$(
        impl From<$ty> for Variant {
            fn from($value: $ty) -> Variant {
                $variant
            }
        }
    )*};
}

from! {
    () => |_nothing| Variant::Nil;
    bool => |value| Variant::Bool(value);
    i8 => |value| Variant::Int(value.into());
    i16 => |value| Variant::Int(value.into());
    i32 => |value| Variant::Int(value.into());
    i64 => |value| Variant::Int(value);
    u8 => |value| Variant::Int(value.into());
    u16 => |value| Variant::Int(value.into());
    u32 => |value| Variant::Int(value.into());
    f32 => |value| Variant::Float(gdvar_view::widen(value));
    f64 => |value| Variant::Float(value);
    &str => |value| Variant::String(value.into());
    String => |value| Variant::String(value.into());
    Text => |value| Variant::String(value);
    Vector2<i32> => |value| Variant::Vector2i(value);
    Vector3<i32> => |value| Variant::Vector3i(value);
    Vector4<i32> => |value| Variant::Vector4i(value);
    Rect2<i32> => |value| Variant::Rect2i(value);
    Color<f32> => |value| Variant::Color(value);
    NodePath => |value| Variant::NodePath(value);
    Object => |value| Variant::Object(value);
    Signal => |value| Variant::Signal(value);
    Array => |value| Variant::Array(value);
    Dictionary => |value| Variant::Dictionary(value);
    Vec<u8> => |value| Variant::PackedByteArray(value);
    Vec<i32> => |value| Variant::PackedInt32Array(value);
    Vec<i64> => |value| Variant::PackedInt64Array(value);
    Vec<f32> => |value| Variant::PackedFloat32Array(value);
    Vec<f64> => |value| Variant::PackedFloat64Array(value);
    Vec<Text> => |value| Variant::PackedStringArray(value);
    Vec<Color<f32>> => |value| Variant::PackedColorArray(value);
    Vec<Variant> => |items| Variant::Array(Array { items, ..Array::default() });
    Vec<(Variant, Variant)> => |pairs| Variant::Dictionary(Dictionary { pairs, ..Dictionary::default() });
}

macro_rules! from_reals {
    ($($name:ident)*) => {$(
        impl From<$name<f32>> for Variant {
            fn from(value: $name<f32>) -> Variant {
                Variant::$name(Real::Single(value).into())
            }
        }

        impl From<$name<f64>> for Variant {
            fn from(value: $name<f64>) -> Variant {
                Variant::$name(Real::Double(value).into())
            }
        }
    )*};
}
from_reals! { Vector2 Vector3 Vector4 Rect2 Plane Quaternion Transform2D Aabb Basis Transform3D Projection }

macro_rules! from_packed_reals {
    ($($name:ident $variant:ident;)*) => {$(
        impl From<Vec<$name<f32>>> for Variant {
            fn from(all: Vec<$name<f32>>) -> Variant {
                Variant::$variant(Real::Single(all))
            }
        }

        impl From<Vec<$name<f64>>> for Variant {
            fn from(all: Vec<$name<f64>>) -> Variant {
                Variant::$variant(Real::Double(all))
            }
        }
    )*};
}
from_packed_reals! {
    Vector2 PackedVector2Array;
    Vector3 PackedVector3Array;
    Vector4 PackedVector4Array;
}

impl<T: Into<Variant>> From<Option<T>> for Variant {
    /// `None` is null.
    fn from(value: Option<T>) -> Variant {
        value.map_or(Variant::Nil, Into::into)
    }
}

impl<V: Into<Variant>> FromIterator<V> for Array {
    fn from_iter<I: IntoIterator<Item = V>>(items: I) -> Array {
        let items = items.into_iter().map(Into::into).collect();
        Array {
            items,
            ..Array::default()
        }
    }
}

impl<K: Into<Variant>, V: Into<Variant>> FromIterator<(K, V)> for Dictionary {
    fn from_iter<I: IntoIterator<Item = (K, V)>>(pairs: I) -> Dictionary {
        let pairs = pairs
            .into_iter()
            .map(|(key, value)| (key.into(), value.into()))
            .collect();
        Dictionary {
            pairs,
            ..Dictionary::default()
        }
    }
}

/// Writes a [`Variant`] the way GDScript and JSON do: `null`, `[…]`, `{key: value}`, and any Rust
/// expression that turns into a `Variant`. Keys may be any value too; a key that is more than
/// one token stands in parentheses.
///
/// ```
/// use gdvar::{Variant, math::Vector2, variant};
///
/// let level = 3;
/// let save = variant!({
///     "name": "Ann",
///     "level": level + 1,
///     "pos": Vector2 { x: 1.5_f32, y: -2.0 },
///     "friends": [null, "Bob", { 7: true }],
///     (Vector2 { x: 0, y: 1 }): "a key",
/// });
/// assert_eq!(save.as_dict().unwrap().get("level"), Some(&Variant::Int(4)));
/// assert_eq!(save.as_dict().unwrap().len(), 5);
/// ```
#[macro_export]
macro_rules! variant {
    (null) => { $crate::Variant::Nil };
    ([ $($items:tt)* ]) => {
        $crate::Variant::from($crate::__variant_items!([] $($items)*))
    };
    ({ $($pairs:tt)* }) => {
        $crate::Variant::from($crate::__variant_pairs!([] $($pairs)*))
    };
    ($value:expr) => { $crate::Variant::from($value) };
}

/// The elements of an array: each is one token tree, or an expression up to the next comma.
#[doc(hidden)]
#[macro_export]
macro_rules! __variant_items {
    ([ $($done:expr,)* ]) => { ::std::vec::Vec::<$crate::Variant>::from([ $($done),* ]) };
    ([ $($done:expr,)* ] null $(, $($rest:tt)*)?) => {
        $crate::__variant_items!([ $($done,)* $crate::variant!(null), ] $($($rest)*)?)
    };
    ([ $($done:expr,)* ] [ $($inner:tt)* ] $(, $($rest:tt)*)?) => {
        $crate::__variant_items!([ $($done,)* $crate::variant!([ $($inner)* ]), ] $($($rest)*)?)
    };
    ([ $($done:expr,)* ] { $($inner:tt)* } $(, $($rest:tt)*)?) => {
        $crate::__variant_items!([ $($done,)* $crate::variant!({ $($inner)* }), ] $($($rest)*)?)
    };
    ([ $($done:expr,)* ] $item:expr $(, $($rest:tt)*)?) => {
        $crate::__variant_items!([ $($done,)* $crate::variant!($item), ] $($($rest)*)?)
    };
}

/// The pairs of a dictionary: `key: value`, where the key is one token tree.
#[doc(hidden)]
#[macro_export]
macro_rules! __variant_pairs {
    ([ $($done:expr,)* ]) => {
        ::std::vec::Vec::<($crate::Variant, $crate::Variant)>::from([ $($done),* ])
    };
    ([ $($done:expr,)* ] $key:tt : null $(, $($rest:tt)*)?) => {
        $crate::__variant_pairs!([ $($done,)* ($crate::variant!($key), $crate::variant!(null)), ] $($($rest)*)?)
    };
    ([ $($done:expr,)* ] $key:tt : [ $($inner:tt)* ] $(, $($rest:tt)*)?) => {
        $crate::__variant_pairs!([ $($done,)* ($crate::variant!($key), $crate::variant!([ $($inner)* ])), ] $($($rest)*)?)
    };
    ([ $($done:expr,)* ] $key:tt : { $($inner:tt)* } $(, $($rest:tt)*)?) => {
        $crate::__variant_pairs!([ $($done,)* ($crate::variant!($key), $crate::variant!({ $($inner)* })), ] $($($rest)*)?)
    };
    ([ $($done:expr,)* ] $key:tt : $value:expr $(, $($rest:tt)*)?) => {
        $crate::__variant_pairs!([ $($done,)* ($crate::variant!($key), $crate::variant!($value)), ] $($($rest)*)?)
    };
}
