//! [`RawVariant`]: a value that is kept as its bytes.

use core::fmt;

use gdvar_view::{Dialect, PayloadWords, VariantRef};
use gdvar_wire::native::{self, Bytes};
use serde_core::{
    Deserialize, Deserializer, Serialize, Serializer,
    de::{self, MapAccess, SeqAccess, Visitor},
    ser::SerializeTuple,
};

/// A field that is kept as its bytes. Reading only finds the end of the value, and writing copies
/// the bytes. [`RawVariant::get`] gives access to the content. Use this if a program changes one
/// part of a message and passes on the rest, or if one field decides how to read another.
///
/// A `RawVariant` borrows from the input and works in this format only. The value can be written
/// only for the dialect in which it was read; for another dialect, read a `gdvar::Variant` instead.
/// It does not work in untagged and internally tagged enums and under `flatten`, where serde does
/// not keep the bytes: see [the crate's page](crate#values-of-any-type).
///
/// ```
/// use gdvar_serde::RawVariant;
/// use serde::{Deserialize, Serialize};
///
/// #[derive(Serialize, Deserialize)]
/// struct Save<'a> {
///     version: u32,
///     #[serde(borrow)]
///     rest: RawVariant<'a>,
/// }
///
/// let bytes = gdvar_serde::to_vec(&Save2 { version: 1, rest: ([1, 2], "three") })?;
/// let mut save: Save<'_> = gdvar_serde::from_slice(&bytes)?;
/// save.version = 2;
/// let changed = gdvar_serde::to_vec(&save)?;
/// assert_eq!(changed, gdvar_serde::to_vec(&Save2 { version: 2, rest: ([1, 2], "three") })?);
/// # #[derive(Serialize)]
/// # struct Save2<T> { version: u32, rest: T }
/// # Ok::<(), gdvar_serde::Error>(())
/// ```
#[derive(Clone, Copy)]
pub struct RawVariant<'a> {
    value: VariantRef<'a>,
    bytes: &'a [u8],
}

impl<'a> RawVariant<'a> {
    /// Keeps the bytes of a borrowed value. Walks over the value once to find its end.
    ///
    /// # Errors
    ///
    /// Fails if anything inside the value cannot be read.
    pub fn new(value: VariantRef<'a>) -> Result<RawVariant<'a>, gdvar_view::Error> {
        let bytes = value.raw()?;
        Ok(RawVariant { value, bytes })
    }

    /// Returns the value. Its content is decoded when it is accessed.
    #[must_use]
    pub const fn get(self) -> VariantRef<'a> {
        self.value
    }

    /// Returns the bytes of the value, including its header.
    #[must_use]
    pub const fn as_bytes(self) -> &'a [u8] {
        self.bytes
    }
}

impl fmt::Debug for RawVariant<'_> {
    fn fmt(&self, f: &mut fmt::Formatter<'_>) -> fmt::Result {
        f.debug_struct("RawVariant")
            .field("value", &self.value)
            .field("len", &self.bytes.len())
            .finish()
    }
}

impl PartialEq for RawVariant<'_> {
    /// Returns `true` if dialect and bytes are equal.
    fn eq(&self, other: &Self) -> bool {
        self.value.dialect() == other.value.dialect() && self.bytes == other.bytes
    }
}

impl Eq for RawVariant<'_> {}

impl<'de: 'a, 'a> Deserialize<'de> for RawVariant<'a> {
    fn deserialize<D: Deserializer<'de>>(deserializer: D) -> Result<Self, D::Error> {
        deserializer.deserialize_newtype_struct(native::RAW, Whole)
    }
}

/// Visits the map in which the format passes a whole value.
struct Whole;

const HOW: &str = "a value of Godot's format; untagged and internally tagged enums, and flatten, \
                   cannot pass one on: read the Dictionary around it as a gdvar::Variant";

impl<'de> Visitor<'de> for Whole {
    type Value = RawVariant<'de>;

    fn expecting(&self, f: &mut fmt::Formatter<'_>) -> fmt::Result {
        f.write_str(HOW)
    }

    fn visit_map<A: MapAccess<'de>>(self, mut map: A) -> Result<RawVariant<'de>, A::Error> {
        match map.next_key::<&str>() {
            Ok(Some(native::RAW_KEY)) => Ok(map.next_value::<Handed<'de>>()?.0),
            _ => Err(de::Error::invalid_type(de::Unexpected::Map, &self)),
        }
    }
}

/// The value under [`native::RAW_KEY`], by which the format passes a whole value.
#[doc(hidden)]
#[derive(Debug)]
pub struct Handed<'de>(pub RawVariant<'de>);

impl<'de> Deserialize<'de> for Handed<'de> {
    fn deserialize<D: Deserializer<'de>>(deserializer: D) -> Result<Self, D::Error> {
        struct Taken;
        impl<'de> Visitor<'de> for Taken {
            type Value = Handed<'de>;
            fn expecting(&self, f: &mut fmt::Formatter<'_>) -> fmt::Result {
                f.write_str(HOW)
            }
            fn visit_seq<A: SeqAccess<'de>>(self, mut parts: A) -> Result<Handed<'de>, A::Error> {
                let missing = || de::Error::invalid_length(0, &HOW);
                let bytes: &'de [u8] = parts.next_element()?.ok_or_else(missing)?;
                let offset = parts.next_element()?.ok_or_else(missing)?;
                let reading = parts.next_element()?.ok_or_else(missing)?;
                let size: u64 = parts.next_element()?.ok_or_else(missing)?;
                let parts = PayloadWords {
                    bytes,
                    offset,
                    reading,
                };
                let value = parts.value().map_err(de::Error::custom)?;
                let from = bytes.get(value.offset()..).unwrap_or_default();
                let bytes = usize::try_from(size).ok().and_then(|size| from.get(..size));
                let bytes = bytes.ok_or_else(missing)?;
                Ok(Handed(RawVariant { value, bytes }))
            }
        }
        deserializer.deserialize_seq(Taken)
    }
}

/// The parts that [`RawVariant`] serializes: the name of its dialect, and its bytes.
struct Given<'a>(RawVariant<'a>);

impl Serialize for Given<'_> {
    fn serialize<S: Serializer>(&self, serializer: S) -> Result<S::Ok, S::Error> {
        let dialect: Dialect = self.0.value.dialect();
        let mut pair = serializer.serialize_tuple(2)?;
        pair.serialize_element(dialect.name())?;
        pair.serialize_element(&Bytes(self.0.bytes))?;
        pair.end()
    }
}

impl Serialize for RawVariant<'_> {
    fn serialize<S: Serializer>(&self, serializer: S) -> Result<S::Ok, S::Error> {
        serializer.serialize_newtype_struct(native::RAW, &Given(*self))
    }
}
