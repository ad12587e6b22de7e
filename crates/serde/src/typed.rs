//! Lists as typed Arrays of Godot 4.3 and later, for `#[serde(with = "gdvar::serde::typed")]`.
//!
//! Without this attribute a list is an untyped Array, which a script cannot assign to a variable of
//! the type `Array[int]`. With it, the Array has the type of the list's elements, even if the list
//! is empty. The list can be read from any Array. In other formats the attribute changes nothing.
//!
//! | elements | Array |
//! |---|---|
//! | `bool`, ints, floats, `String`, `&str`, `Cow<str>`, `char`, [`StringName`] | `Array[bool]`, `Array[int]`, `Array[float]`, `Array[String]`, `Array[StringName]` |
//! | `Vector2<f32>` and the other math types; [`Math`] of glam's types and of `[f32; 2]` to `[i32; 4]` | `Array[Vector2]` … |
//! | `Vec`, maps | `Array[Array]`, `Array[Dictionary]` |
//! | a type for which you implement [`TypedItem`] | the kind that you say |
//!
//! ```
//! use gdvar_serde::typed::{self, TypedItem};
//! use gdvar_wire::Kind;
//! use serde::{Deserialize, Serialize};
//!
//! #[derive(Serialize, Deserialize, PartialEq, Debug)]
//! struct Item {
//!     name: String,
//! }
//!
//! // A derived struct is written as a Dictionary.
//! impl TypedItem for Item {
//!     const KIND: Kind = Kind::Dictionary;
//! }
//!
//! #[derive(Serialize, Deserialize, PartialEq, Debug)]
//! struct Player {
//!     #[serde(with = "typed")]
//!     scores: Vec<i64>,
//!     #[serde(with = "typed")]
//!     bag: Vec<Item>,
//! }
//!
//! let player = Player { scores: vec![7], bag: Vec::new() };
//! let bytes = gdvar_serde::to_vec(&player)?;
//! // Array[int]([7]): bit 16 of the header announces the type 2.
//! assert_eq!(bytes[24..44], *b"\x1c\0\x01\0\x02\0\0\0\x01\0\0\0\x02\0\0\0\x07\0\0\0");
//! assert_eq!(gdvar_serde::from_slice::<Player>(&bytes)?, player);
//! # Ok::<(), gdvar_serde::Error>(())
//! ```
//!
//! There is no attribute for typed Dictionaries. Write them with a `gdvar::Dictionary` or a
//! [`Writer`](gdvar_write::Writer).

use alloc::{
    borrow::Cow,
    boxed::Box,
    collections::{BTreeMap, BTreeSet, VecDeque},
    string::String,
    vec::Vec,
};
use core::{fmt, marker::PhantomData};

use gdvar_wire::{
    Kind,
    math::{
        Aabb, Basis, Color, Plane, Projection, Quaternion, Rect2, Transform2D, Transform3D,
        Vector2, Vector3, Vector4,
    },
};
use serde_core::{Deserialize, Deserializer, Serialize, Serializer, de::Visitor};

use crate::{Math, StringName};

/// A type whose values all have the same kind in Godot. The module lists these types.
///
/// The kind is not compared with what the type's `Serialize` writes. An engine converts or drops
/// elements of another kind.
#[diagnostic::on_unimplemented(
    message = "the type that `{Self}` has in a typed Array is not known",
    note = "implement `TypedItem` for a type of your own: `Kind::Dictionary` for a derived struct"
)]
pub trait TypedItem {
    /// The kind that values of this type are written as.
    const KIND: Kind;
}

macro_rules! items {
    ($([$($param:tt)*] $ty:ty = $kind:ident;)*) => {$(
        impl<$($param)*> TypedItem for $ty {
            const KIND: Kind = Kind::$kind;
        }
    )*};
}
items! {
    [] bool = Bool;
    [] i8 = Int;
    [] i16 = Int;
    [] i32 = Int;
    [] i64 = Int;
    [] u8 = Int;
    [] u16 = Int;
    [] u32 = Int;
    [] u64 = Int;
    [] f32 = Float;
    [] f64 = Float;
    [] char = String;
    [] str = String;
    [] String = String;
    [] Cow<'_, str> = String;
    [T] StringName<T> = StringName;
    [] Vector2<i32> = Vector2i;
    [] Vector3<i32> = Vector3i;
    [] Vector4<i32> = Vector4i;
    [] Rect2<i32> = Rect2i;
    [] Color<f32> = Color;
    [T] Vec<T> = Array;
    [K, V] BTreeMap<K, V> = Dictionary;
}

#[cfg(feature = "std")]
items! {
    [K, V, S] std::collections::HashMap<K, V, S> = Dictionary;
}

macro_rules! reals {
    ($($name:ident)*) => {
        items! {$(
            [] $name<f32> = $name;
            [] $name<f64> = $name;
        )*}
    };
}
reals! { Vector2 Vector3 Vector4 Rect2 Plane Quaternion Transform2D Aabb Basis Transform3D Projection }

impl<T: TypedItem + ?Sized> TypedItem for &T {
    const KIND: Kind = T::KIND;
}

/// Implements `TypedItem` for types of other libraries that [`Math`] writes as ours.
#[cfg(any(feature = "glam-033", feature = "glam-034"))]
macro_rules! by_way_of {
    ($($theirs:ty = $ours:ty;)*) => {$(
        impl TypedItem for Math<$theirs> {
            const KIND: Kind = <$ours>::KIND;
        }
    )*};
}
#[cfg(feature = "glam-033")]
gdvar_wire::for_glam!(by_way_of, glam_033);
#[cfg(feature = "glam-034")]
gdvar_wire::for_glam!(by_way_of, glam_034);

macro_rules! lists_of_numbers {
    ($($number:ty: $two:ident $three:ident $four:ident;)*) => {
        items! {$(
            [] Math<[$number; 2]> = $two;
            [] Math<[$number; 3]> = $three;
            [] Math<[$number; 4]> = $four;
        )*}
    };
}
lists_of_numbers! {
    f32: Vector2 Vector3 Vector4;
    f64: Vector2 Vector3 Vector4;
    i32: Vector2i Vector3i Vector4i;
}

/// A list that can be written as a typed Array: a slice, a boxed slice, a `Vec`, an array, a
/// `VecDeque`, a set, or an `Option` of one of these, whose `None` is null.
pub trait TypedList {
    /// The kind of the elements.
    const ITEM: Kind;
}

macro_rules! lists {
    ($([$($param:tt)*] $list:ty;)*) => {$(
        impl<T: TypedItem, $($param)*> TypedList for $list {
            const ITEM: Kind = T::KIND;
        }
    )*};
}
lists! {
    [] [T];
    [] Vec<T>;
    [] Box<[T]>;
    [] VecDeque<T>;
    [] BTreeSet<T>;
    [const N: usize] [T; N];
}

#[cfg(feature = "std")]
lists! {
    [S] std::collections::HashSet<T, S>;
}

impl<L: TypedList + ?Sized> TypedList for &L {
    const ITEM: Kind = L::ITEM;
}

impl<L: TypedList> TypedList for Option<L> {
    const ITEM: Kind = L::ITEM;
}

/// Writes a list as an Array that has the type of its elements.
///
/// # Errors
///
/// Fails if the target has no typed Arrays, or with the serializer's error.
pub fn serialize<L, S>(list: &L, serializer: S) -> Result<S::Ok, S::Error>
where
    L: TypedList + Serialize + ?Sized,
    S: Serializer,
{
    serializer.serialize_newtype_struct(name(L::ITEM), list)
}

/// Reads a list from any Array.
///
/// # Errors
///
/// Returns the deserializer's error.
pub fn deserialize<'de, L, D>(deserializer: D) -> Result<L, D::Error>
where
    L: TypedList + Deserialize<'de>,
    D: Deserializer<'de>,
{
    struct Inside<L>(PhantomData<L>);

    impl<'de, L: Deserialize<'de>> Visitor<'de> for Inside<L> {
        type Value = L;

        fn expecting(&self, f: &mut fmt::Formatter<'_>) -> fmt::Result {
            f.write_str("an Array")
        }

        fn visit_newtype_struct<D: Deserializer<'de>>(self, inner: D) -> Result<L, D::Error> {
            L::deserialize(inner)
        }
    }

    deserializer.deserialize_newtype_struct(name(L::ITEM), Inside(PhantomData))
}

/// The start of the newtype names. One more byte follows: [`FIRST`] plus the index of the kind in
/// [`Kind::ALL`].
const PREFIX: [u8; 8] = *b"$gdvar[]";
const FIRST: u8 = b'0';

macro_rules! names {
    ($($n:literal)*) => {
        [$({
            const RAW: [u8; 9] = {
                let [a, b, c, d, e, f, g, h] = PREFIX;
                [a, b, c, d, e, f, g, h, FIRST + $n]
            };
            match core::str::from_utf8(&RAW) {
                Ok(name) => name,
                Err(_) => "",
            }
        },)*]
    };
}

/// The newtype names of typed Arrays, by the kind of their elements. In formats other than
/// `gdvar-serde`'s they are newtypes like any other.
static NAMES: [&str; Kind::ALL.len()] = names! {
    0 1 2 3 4 5 6 7 8 9 10 11 12 13 14 15 16 17 18 19 20 21 22 23 24
    25 26 27 28 29 30 31 32 33 34 35 36 37 38 39 40 41 42 43 44 45
};

fn name(kind: Kind) -> &'static str {
    NAMES[kind as usize]
}

/// Returns the kind of the elements for the newtype name of a typed Array. `None` for other names.
#[inline(always)]
pub(crate) fn item(name: &str) -> Option<Kind> {
    match *name.as_bytes() {
        [b'$', b'g', b'd', b'v', b'a', b'r', b'[', b']', n] => {
            Kind::ALL.get(usize::from(n.wrapping_sub(FIRST))).copied()
        }
        _ => None,
    }
}
