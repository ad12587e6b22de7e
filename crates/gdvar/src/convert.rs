//! Conversions from Rust values to [`Variant`], and the macro `variant!`.

use std::{
    borrow::Cow,
    collections::{BTreeMap, HashMap, VecDeque},
    fmt,
};

use gdvar_view::{
    Real,
    math::{
        Aabb, Basis, Color, Plane, Projection, Quaternion, Rect2, Transform2D, Transform3D,
        Vector2, Vector3, Vector4,
    },
};

use crate::{
    Array, Dictionary, Variant,
    text::Text,
    variant::{FullObject, Image, InputEvent, NodePath, Object, Signal},
};

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
    isize => |value| Variant::Int(value as i64);
    f32 => |value| Variant::Float(gdvar_view::widen(value));
    f64 => |value| Variant::Float(value);
    &str => |value| Variant::String(value.into());
    String => |value| Variant::String(value.into());
    &String => |value| Variant::String(value.into());
    Box<str> => |value| Variant::String(value.into());
    Cow<'_, str> => |value| Variant::String(value.into());
    char => |value| Variant::String(value.into());
    Text => |value| Variant::String(value);
    Vector2<i32> => |value| Variant::Vector2i(value);
    Vector3<i32> => |value| Variant::Vector3i(value);
    Vector4<i32> => |value| Variant::Vector4i(value);
    Rect2<i32> => |value| Variant::Rect2i(value);
    Color<f32> => |value| Variant::Color(value);
    Image => |value| Variant::Image(value.into());
    InputEvent => |value| Variant::InputEvent(value.into());
    NodePath => |value| Variant::NodePath(value.into());
    Object => |value| Variant::Object(value);
    FullObject => |value| Variant::Object(Object::Full(value.into()));
    Signal => |value| Variant::Signal(value.into());
    &Variant => |value| value.clone();
    Array => |value| Variant::Array(value);
    Dictionary => |value| Variant::Dictionary(value);
}

/// The error for a number above 2⁶³ − 1, the largest int of Godot.
#[derive(Clone, Copy, PartialEq, Eq)]
pub struct IntTooLarge(u64);

impl fmt::Display for IntTooLarge {
    fn fmt(&self, f: &mut fmt::Formatter<'_>) -> fmt::Result {
        let most = i64::MAX;
        write!(f, "{} is more than Godot's largest int, {most}", self.0)
    }
}

gdvar_wire::debug_is_display!(IntTooLarge);

impl std::error::Error for IntTooLarge {}

macro_rules! try_from {
    ($($ty:ty)*) => {$(
        impl TryFrom<$ty> for Variant {
            type Error = IntTooLarge;

            /// Converts to an Int. Fails if the number is above 2⁶³ − 1, the largest int of Godot.
            ///
            /// ```
            /// use gdvar::Variant;
            ///
            #[doc = concat!("assert_eq!(Variant::try_from(7_", stringify!($ty), "), Ok(Variant::Int(7)));")]
            #[doc = concat!("assert!(Variant::try_from(", stringify!($ty), "::MAX).is_err());")]
            /// ```
            fn try_from(value: $ty) -> Result<Variant, IntTooLarge> {
                match i64::try_from(value) {
                    Ok(int) => Ok(Variant::Int(int)),
                    Err(_) => Err(IntTooLarge(value as u64)),
                }
            }
        }
    )*};
}
try_from! { u64 usize }

macro_rules! from_reals {
    ($($name:ident)*) => {$(
        impl From<$name<f32>> for Variant {
            fn from(value: $name<f32>) -> Variant {
                Variant::$name(Real::Single(value).into())
            }
        }

        impl From<$name<f64>> for Variant {
            fn from(value: $name<f64>) -> Variant {
                Variant::$name(Real::Double(value.into()).into())
            }
        }
    )*};
}
from_reals! { Vector2 Vector3 Vector4 Rect2 Plane Quaternion Transform2D Aabb Basis Transform3D Projection }

mod sealed {
    pub trait Sealed {}
}

/// The element type of a packed array: see [`Variant::packed`].
pub trait PackedElement: sealed::Sealed + Sized {
    #[doc(hidden)]
    fn packed(all: Vec<Self>) -> Variant;
}

macro_rules! packed {
    ($($ty:ty => |$all:ident| $variant:expr;)*) => {$(
        impl sealed::Sealed for $ty {}
        impl PackedElement for $ty {
            fn packed($all: Vec<Self>) -> Variant {
                $variant
            }
        }
    )*};
}
packed! {
    u8 => |all| Variant::PackedByteArray(all);
    i32 => |all| Variant::PackedInt32Array(all);
    i64 => |all| Variant::PackedInt64Array(all);
    f32 => |all| Variant::PackedFloat32Array(all);
    f64 => |all| Variant::PackedFloat64Array(all);
    Text => |all| Variant::PackedStringArray(all);
    String => |all| Variant::PackedStringArray(all.into_iter().map(Text::from).collect());
    &str => |all| Variant::PackedStringArray(all.into_iter().map(Text::from).collect());
    Color<f32> => |all| Variant::PackedColorArray(all);
    Vector2<f32> => |all| Variant::PackedVector2Array(Real::Single(all).into());
    Vector2<f64> => |all| Variant::PackedVector2Array(Real::Double(all).into());
    Vector2<i32> => |all| Variant::PackedVector2iArray(all);
    Vector3<f32> => |all| Variant::PackedVector3Array(Real::Single(all).into());
    Vector3<f64> => |all| Variant::PackedVector3Array(Real::Double(all).into());
    Vector3<i32> => |all| Variant::PackedVector3iArray(all);
    Vector4<f32> => |all| Variant::PackedVector4Array(Real::Single(all).into());
    Vector4<f64> => |all| Variant::PackedVector4Array(Real::Double(all).into());
    Vector4<i32> => |all| Variant::PackedVector4iArray(all);
}

impl Variant {
    /// Creates a packed array. Every other conversion from a `Vec` creates an Array, whatever its
    /// elements, as serde does.
    ///
    /// ```
    /// use gdvar::{Kind, Variant, variant};
    ///
    /// assert_eq!(variant!(vec![1, 2]), variant!([1, 2]));
    /// assert_eq!(Variant::packed(vec![1, 2]).kind(), Kind::PackedInt32Array);
    /// assert_eq!(Variant::packed([0.5_f32; 3]).as_f32s(), Some(&[0.5; 3][..]));
    /// ```
    #[must_use]
    pub fn packed<T: PackedElement>(all: impl Into<Vec<T>>) -> Variant {
        T::packed(all.into())
    }
}

impl<T: Into<Variant>> From<Vec<T>> for Variant {
    /// Creates an Array, whatever the elements. For a packed array use [`Variant::packed`].
    fn from(items: Vec<T>) -> Variant {
        Variant::Array(items.into_iter().collect())
    }
}

impl<T: Into<Variant>, const N: usize> From<[T; N]> for Variant {
    /// Creates an Array, whatever the elements. For a packed array use [`Variant::packed`].
    fn from(items: [T; N]) -> Variant {
        Variant::Array(items.into_iter().collect())
    }
}

impl<T: Into<Variant> + Clone> From<&[T]> for Variant {
    /// Creates an Array, whatever the elements. For a packed array use [`Variant::packed`].
    fn from(items: &[T]) -> Variant {
        Variant::Array(items.iter().cloned().collect())
    }
}

impl<T: Into<Variant>> From<VecDeque<T>> for Variant {
    fn from(items: VecDeque<T>) -> Variant {
        Variant::Array(items.into_iter().collect())
    }
}

impl<K: Into<Variant>, V: Into<Variant>, S> From<HashMap<K, V, S>> for Variant {
    /// Creates a Dictionary in the map's iteration order, which is arbitrary.
    fn from(map: HashMap<K, V, S>) -> Variant {
        Variant::Dictionary(map.into_iter().collect())
    }
}

impl<K: Into<Variant>, V: Into<Variant>> From<BTreeMap<K, V>> for Variant {
    fn from(map: BTreeMap<K, V>) -> Variant {
        Variant::Dictionary(map.into_iter().collect())
    }
}

impl<V: Into<Variant>> FromIterator<V> for Variant {
    /// Creates an Array.
    fn from_iter<I: IntoIterator<Item = V>>(items: I) -> Variant {
        Variant::Array(items.into_iter().collect())
    }
}

impl<K: Into<Variant>, V: Into<Variant>> FromIterator<(K, V)> for Variant {
    /// Creates a Dictionary. If a key is repeated, keeps the last value.
    fn from_iter<I: IntoIterator<Item = (K, V)>>(pairs: I) -> Variant {
        Variant::Dictionary(pairs.into_iter().collect())
    }
}

impl<T: Into<Variant>> From<Option<T>> for Variant {
    /// Converts `None` to null.
    fn from(value: Option<T>) -> Variant {
        value.map_or(Variant::Nil, Into::into)
    }
}

/// Creates a [`Variant`] from an expression like GDScript or JSON: `null`, `[…]`, `{key: value}`,
/// and any Rust expression that converts to a `Variant`. A key may also be any value; put a key of
/// more than one token into parentheses.
///
/// ```
/// use gdvar::{math::Vector2, variant};
///
/// let level = 3;
/// let save = variant!({
///     "name": "Ann",
///     "level": level + 1,
///     "pos": Vector2 { x: 1.5_f32, y: -2.0 },
///     "friends": [null, "Bob", { 7: true }],
///     (Vector2 { x: 0, y: 1 }): "a key",
/// });
/// assert_eq!(save["level"], 4);
/// assert_eq!(save.as_dict().unwrap().len(), 5);
/// ```
#[macro_export]
macro_rules! variant {
    (null) => { $crate::Variant::Nil };
    ([ $($items:tt)* ]) => {
        $crate::Variant::from($crate::__variant_items!([] $($items)*))
    };
    ({ $($pairs:tt)* }) => {
        $crate::Variant::Dictionary(
            <$crate::Dictionary as ::std::iter::FromIterator<($crate::Variant, $crate::Variant)>>::from_iter(
                $crate::__variant_pairs!([] $($pairs)*),
            ),
        )
    };
    ($value:expr) => { $crate::Variant::from($value) };
}

/// Parses the elements of an array: each is one token tree, or an expression up to the next comma.
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

/// Parses the pairs of a dictionary: `key: value`, where the key is one token tree.
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
