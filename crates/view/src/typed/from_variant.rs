//! [`FromVariant`]: Rust types that a value can be asked for.
//!
//! - [`convert`]: the trait behind it, which records use to read fields without handles
//! - [`scalars`], [`texts`]: bool, numbers, text
//! - [`handles`]: math types, views of packed arrays and containers
//! - [`sequences`]: tuples, arrays, vectors, maps
//! - [`glam`]: the types of glam

use crate::{typed::mismatch::Mismatch, value::variant::VariantRef};

pub(crate) mod convert;
#[cfg(feature = "glam-034")]
mod glam;
mod handles;
mod scalars;
mod sequences;
mod texts;

use convert::{Convert, LEVELS, Place};

/// A type that a value turns into: what [`VariantRef::read`], [`Document::get_as`](crate::Document::get_as)
/// and the fields of a [`Record`](crate::Record) can be asked for.
///
/// Nothing is converted between kinds: an `int` is no `f64`.
///
/// | Rust type | value |
/// |---|---|
/// | `bool` | Bool |
/// | `i8` … `i64`, `isize`, `u8` … `u64`, `usize` | Int in the range of the type |
/// | `f64`, `f32` | Float; `f32` narrows as a single-precision engine does |
/// | `&str`, [`StrRef`](crate::StrRef), `String`, `Cow<str>` | String or StringName |
/// | [`Vector2<f32>`](crate::math::Vector2) and the other math types, those of glam | that type; reals of either width |
/// | `(A, B)` to eight elements, `[T; N]` | Array of so many elements |
/// | `Vec<T>` | Array; for numbers and `String` also their packed arrays |
/// | `BTreeMap<K, V>`, `HashMap<K, V>` | Dictionary; the last of repeated keys wins |
/// | `Option<T>` | null, which is `None`, or `T` |
/// | a [`Record`](crate::Record) | Dictionary with its keys |
/// | `&[u8]`, [`PackedRef<T>`](crate::PackedRef), [`PackedStrings`](crate::PackedStrings) | packed array |
/// | `&[i32]`, `&[i64]`, `&[f32]`, `&[f64]` | packed array, where its address is aligned |
/// | [`VariantRef`] | anything |
///
/// `String`, `Cow`, `Vec` and `BTreeMap` need the feature `alloc`, `HashMap` needs `std`. A type of one's own
/// is a [`Record`](crate::Record); the trait is sealed. Types that contain themselves, as a record with a `Vec`
/// of itself does, are read 64 levels deep and refused below.
#[diagnostic::on_unimplemented(
    message = "no value turns into `{Self}`",
    label = "not a type that a value can be asked for",
    note = "a struct of your own is read from a Dictionary if it implements or derives `Record`"
)]
pub trait FromVariant<'a>: Convert<'a> {
    /// The value as this type.
    ///
    /// # Errors
    /// If the value is of another kind, outside the range or of another length, or if something in it
    /// cannot be read.
    fn from_variant(value: VariantRef<'a>) -> Result<Self, Mismatch> {
        if let Some(found) = Place::before(value).and_then(Self::at) {
            return Ok(found);
        }
        Self::convert(value, LEVELS)
    }
}

impl<'a> VariantRef<'a> {
    /// The value as a Rust type: [`FromVariant`] has the table.
    ///
    /// ```
    /// use gdvar_view::{Dialect, Document};
    ///
    /// // [1, 2, 300]
    /// let bytes = b"\x1c\0\0\0\x03\0\0\0\x02\0\0\0\x01\0\0\0\x02\0\0\0\x02\0\0\0\x02\0\0\0\x2c\x01\0\0";
    /// let root = Document::new(bytes, Dialect::GODOT_4).root()?;
    /// assert_eq!(root.read::<[i32; 3]>()?, [1, 2, 300]);
    /// let wrong = root.read::<(u8, u8, u8)>().unwrap_err();
    /// assert_eq!(wrong.to_string(), "the int 300 does not fit the type that was asked for at byte 0x18");
    /// # Ok::<(), Box<dyn std::error::Error>>(())
    /// ```
    ///
    /// # Errors
    /// As [`FromVariant::from_variant`].
    pub fn read<T: FromVariant<'a>>(self) -> Result<T, Mismatch> {
        T::from_variant(self)
    }
}

impl<'a> FromVariant<'a> for VariantRef<'a> {}

impl<'a> Convert<'a> for VariantRef<'a> {
    fn convert(value: VariantRef<'a>, _: u8) -> Result<Self, Mismatch> {
        Ok(value)
    }
}

impl<'a, T: FromVariant<'a>> FromVariant<'a> for Option<T> {}

impl<'a, T: FromVariant<'a>> Convert<'a> for Option<T> {
    #[inline]
    fn convert(value: VariantRef<'a>, levels: u8) -> Result<Self, Mismatch> {
        if value.is_nil() {
            return Ok(None);
        }
        T::convert(value, levels).map(Some)
    }

    #[inline(always)]
    fn expect(header: u32, value: &'a [u8], place: Place<'a>) -> Option<(Self, &'a [u8])> {
        if header == crate::bytes::common::NIL {
            return Some((None, value.get(4..)?));
        }
        let (found, behind) = T::expect(header, value, place)?;
        Some((Some(found), behind))
    }
}

#[cfg(all(test, feature = "alloc", feature = "std"))]
mod tests;
