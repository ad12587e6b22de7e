//! Lists as packed arrays, for `#[serde(with = "gdvar::serde::packed")]`.
//!
//! Without this attribute, a `Vec` is an Array, whatever its elements. With it, the field is the
//! packed array of its element type, as compact as the engine's own and many times faster to read
//! and write:
//!
//! | elements | packed array |
//! |---|---|
//! | `u8` | `PackedByteArray` |
//! | `i32`, `i64`, `f32`, `f64` | `PackedInt32Array`, `PackedInt64Array`, `PackedFloat32Array`, `PackedFloat64Array` |
//! | `String`, `&str` | `PackedStringArray` |
//! | `Vector2`, `Vector3`, `Vector4` of `f32` or `f64` | `PackedVector2Array`, `PackedVector3Array`, `PackedVector4Array` |
//! | `Vector2`, `Vector3`, `Vector4` of `i32` | `PoolVector2iArray`, `PoolVector3iArray`, `PoolVector4iArray` of Pandemonium |
//! | `Color<f32>` | `PackedColorArray` |
//!
//! Vectors of glam and mint are treated as vectors of the same components (features `glam-033`,
//! `glam-034`, `mint`). The list is a `Vec`, an array, a `VecDeque` or a boxed slice, or an `Option` of one,
//! whose `None` is null. Bytes of `serde_bytes` are a `PackedByteArray` too, but not inside
//! untagged and internally tagged enums. To read without a copy, use
//! [`PackedRef`](gdvar_view::PackedRef), which needs no attribute.
//!
//! ```
//! use gdvar_serde::packed;
//! use gdvar_wire::math::Vector2;
//! use serde::{Deserialize, Serialize};
//!
//! #[derive(Serialize, Deserialize)]
//! struct Path {
//!     #[serde(with = "packed")]
//!     points: Vec<Vector2<f32>>,
//! }
//!
//! let path = Path { points: vec![Vector2 { x: 1.0, y: 2.0 }; 100] };
//! let bytes = gdvar_serde::to_vec(&path)?;
//! assert_eq!(bytes.len(), 8 + 16 + 8 + 100 * 8);
//! assert_eq!(gdvar_serde::from_slice::<Path>(&bytes)?.points.len(), 100);
//! # Ok::<(), gdvar_serde::Error>(())
//! ```

mod lists;

use alloc::{string::String, vec::Vec};
use core::marker::PhantomData;

use gdvar_wire::{
    Element, F32, F64, I32, I64, Kind,
    math::{Color, Vector2, Vector3, Vector4},
    native::{self, Bytes, Component, Content, Native, NativeVisitor},
};
use serde_core::{
    Deserializer, Serialize, Serializer,
    de::{self, SeqAccess},
    ser::SerializeSeq,
};
use zerocopy::{FromBytes, IntoBytes};

pub use lists::{FromPacked, PackedList};

mod sealed {
    pub trait Sealed {}
}

/// An element of a packed array: see the module's table.
pub trait PackedItem<'de>: Sized + sealed::Sealed {
    #[doc(hidden)]
    fn serialize<S: Serializer>(items: &[Self], serializer: S) -> Result<S::Ok, S::Error>;

    #[doc(hidden)]
    fn deserialize<D: Deserializer<'de>>(deserializer: D) -> Result<Vec<Self>, D::Error>;
}

/// Writes a list as the packed array of its element type.
///
/// # Errors
///
/// Fails if the target has no such array, or with the serializer's error.
pub fn serialize<'i, L, S>(list: &L, serializer: S) -> Result<S::Ok, S::Error>
where
    L: PackedList<'i> + ?Sized,
    S: Serializer,
{
    list.to_packed(serializer)
}

/// Reads a packed array of this element type. Numbers and strings can also be read from an Array.
///
/// # Errors
///
/// Fails if the input holds something else, or with the deserializer's error.
pub fn deserialize<'de, L, D>(deserializer: D) -> Result<L, D::Error>
where
    L: FromPacked<'de>,
    D: Deserializer<'de>,
{
    L::from_packed(deserializer)
}

/// The elements of a packed array that is being read.
struct Items<T>(Vec<T>);

/// Serializes the numbers of all items in one list, for human-readable formats.
struct Listed<'a, T, R, const N: usize>(&'a [T], PhantomData<[R; N]>);

impl<T: Copy, R: Serialize, const N: usize> Serialize for Listed<'_, T, R, N>
where
    T: Numbers<R, N>,
{
    fn serialize<S: Serializer>(&self, serializer: S) -> Result<S::Ok, S::Error> {
        let mut list = serializer.serialize_seq(Some(N * self.0.len()))?;
        for &item in self.0 {
            for number in item.numbers() {
                list.serialize_element(&number)?;
            }
        }
        list.end()
    }
}

/// Converts an item to and from numbers.
trait Numbers<R, const N: usize>: Sized {
    fn numbers(self) -> [R; N];
    fn of(numbers: [R; N]) -> Self;
}

/// Serializes items as bytes in wire layout.
struct Compact<'a, T, L>(&'a [T], PhantomData<L>);

impl<T, L: Element<Native = T>> Serialize for Compact<'_, T, L>
where
    T: Copy,
{
    fn serialize<S: Serializer>(&self, serializer: S) -> Result<S::Ok, S::Error> {
        let all: Vec<L> = self.0.iter().map(|&item| L::new(item)).collect();
        serializer.serialize_bytes(all.as_bytes())
    }
}

macro_rules! items {
    ($($item:ty as $le:ty = $kind:ident, $wide:literal, [$number:ty; $n:literal]
        |$self:ident| $get:expr, |$all:ident| $make:expr, |$items:ident| $compact:expr;)*
    ) => {$(
        impl Numbers<$number, $n> for $item {
            fn numbers(self) -> [$number; $n] {
                let $self = self;
                $get
            }
            fn of($all: [$number; $n]) -> Self {
                $make
            }
        }

        impl sealed::Sealed for $item {}

        impl<'de> PackedItem<'de> for $item {
            fn serialize<S: Serializer>($items: &[Self], serializer: S) -> Result<S::Ok, S::Error> {
                let kind = Kind::$kind;
                let args = Listed::<$item, $number, $n>($items, PhantomData);
                let compact = $compact;
                Content { kind, args, compact }.pass($wide, serializer)
            }

            fn deserialize<D: Deserializer<'de>>(deserializer: D) -> Result<Vec<Self>, D::Error> {
                let Items(items) = native::deserialize(deserializer)?;
                Ok(items)
            }
        }

        impl<'de> Native<'de> for Items<$item> {
            const KIND: Kind = Kind::$kind;
            const WIDE: bool = $wide;

            fn ask<D: Deserializer<'de>>(
                deserializer: D,
                visitor: NativeVisitor<Self>,
            ) -> Result<Self, D::Error> {
                deserializer.deserialize_bytes(visitor)
            }

            fn from_bytes<E: de::Error>(bytes: &[u8]) -> Result<Self, E> {
                match <[$le]>::ref_from_bytes(bytes) {
                    Ok(all) => Ok(Items(all.iter().map(|&item| Element::get(item)).collect())),
                    Err(_) => Err(E::invalid_length(bytes.len(), &"the bytes of whole elements")),
                }
            }

            fn from_seq<A: SeqAccess<'de>>(parts: A, _: bool) -> Result<Self, A::Error> {
                let numbers = native::all::<<$number as Component>::Read, A>(parts)?;
                let numbers: Vec<$number> = numbers.into_iter().map(Into::into).collect();
                let chunks = numbers.chunks_exact($n);
                if !chunks.remainder().is_empty() {
                    let expected = "the numbers of whole elements";
                    return Err(de::Error::invalid_length(numbers.len(), &expected));
                }
                let items = chunks.filter_map(|all| all.first_chunk());
                Ok(Items(items.map(|&all| <$item>::of(all)).collect()))
            }
        }
    )*};
}

macro_rules! scalars {
    ($($item:ident as $le:ident = $kind:ident;)*) => {
        items! {$(
            $item as $le = $kind, false, [$item; 1]
                |item| [item], |all| all[0], |items| InPlace(items);
        )*}
    };
}

macro_rules! vectors {
    ($($name:ident<$number:ident> as $le:ident = $kind:ident, $wide:literal, $n:literal;)*) => {
        items! {$(
            $name<$number> as $name<$le> = $kind, $wide, [$number; $n]
                |item| item.into(), |all| all.into(),
                |items| Compact::<_, $name<$le>>(items, PhantomData);
        )*}
    };
}

/// Serializes numbers as bytes in wire layout. Where their layout in memory is the same, nothing is copied.
struct InPlace<'a, T>(&'a [T]);

macro_rules! native_bytes {
    ($($number:ident as $le:ident),*) => {$(
        impl Serialize for InPlace<'_, $number> {
            fn serialize<S: Serializer>(&self, serializer: S) -> Result<S::Ok, S::Error> {
                if cfg!(target_endian = "little") {
                    return Bytes(self.0.as_bytes()).serialize(serializer);
                }
                Compact::<_, $le>(self.0, PhantomData).serialize(serializer)
            }
        }
    )*};
}
native_bytes!(i32 as I32, i64 as I64, f32 as F32, f64 as F64);

scalars! {
    i32 as I32 = PackedInt32Array;
    i64 as I64 = PackedInt64Array;
    f32 as F32 = PackedFloat32Array;
    f64 as F64 = PackedFloat64Array;
}

vectors! {
    Vector2<f32> as F32 = PackedVector2Array, false, 2;
    Vector2<f64> as F64 = PackedVector2Array, true, 2;
    Vector2<i32> as I32 = PackedVector2iArray, false, 2;
    Vector3<f32> as F32 = PackedVector3Array, false, 3;
    Vector3<f64> as F64 = PackedVector3Array, true, 3;
    Vector3<i32> as I32 = PackedVector3iArray, false, 3;
    Vector4<f32> as F32 = PackedVector4Array, false, 4;
    Vector4<f64> as F64 = PackedVector4Array, true, 4;
    Vector4<i32> as I32 = PackedVector4iArray, false, 4;
    Color<f32> as F32 = PackedColorArray, false, 4;
}

impl sealed::Sealed for u8 {}

impl<'de> PackedItem<'de> for u8 {
    fn serialize<S: Serializer>(items: &[Self], serializer: S) -> Result<S::Ok, S::Error> {
        let (kind, args, compact) = (Kind::PackedByteArray, items, Bytes(items));
        Content {
            kind,
            args,
            compact,
        }
        .pass(false, serializer)
    }

    fn deserialize<D: Deserializer<'de>>(deserializer: D) -> Result<Vec<Self>, D::Error> {
        let Items(items) = native::deserialize(deserializer)?;
        Ok(items)
    }
}

impl<'de> Native<'de> for Items<u8> {
    const KIND: Kind = Kind::PackedByteArray;

    fn ask<D: Deserializer<'de>>(
        deserializer: D,
        visitor: NativeVisitor<Self>,
    ) -> Result<Self, D::Error> {
        deserializer.deserialize_bytes(visitor)
    }

    fn from_bytes<E: de::Error>(bytes: &[u8]) -> Result<Self, E> {
        Ok(Items(bytes.to_vec()))
    }

    fn from_seq<A: SeqAccess<'de>>(parts: A, _: bool) -> Result<Self, A::Error> {
        native::all(parts).map(Items)
    }
}

macro_rules! texts {
    ([$($life:lifetime)?] $text:ty, $read:ty) => {
        impl<'de $(: $life, $life)?> PackedItem<'de> for $text {
            fn serialize<S: Serializer>(items: &[Self], serializer: S) -> Result<S::Ok, S::Error> {
                let (kind, args, compact) = (Kind::PackedStringArray, items, items);
                Content { kind, args, compact }.pass(false, serializer)
            }

            fn deserialize<D: Deserializer<'de>>(deserializer: D) -> Result<Vec<Self>, D::Error> {
                let Items(items) = native::deserialize::<Items<$read>, D>(deserializer)?;
                Ok(items)
            }
        }

        impl<'de> Native<'de> for Items<$read> {
            const KIND: Kind = Kind::PackedStringArray;

            fn ask<D: Deserializer<'de>>(
                deserializer: D,
                visitor: NativeVisitor<Self>,
            ) -> Result<Self, D::Error> {
                deserializer.deserialize_seq(visitor)
            }

            fn from_seq<A: SeqAccess<'de>>(parts: A, _: bool) -> Result<Self, A::Error> {
                native::all(parts).map(Items)
            }
        }
    };
}

impl sealed::Sealed for String {}
impl sealed::Sealed for &str {}
texts!([] String, String);
texts!(['a] &'a str, &'de str);
