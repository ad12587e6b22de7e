//! Reads maps whose keys are names: the fields of structs, the properties of objects.

use alloc::format;
use core::slice;

use gdvar_view::Kind;
use serde_core::{
    Deserializer,
    de::{DeserializeSeed, MapAccess, Visitor},
    forward_to_deserialize_any,
};

use super::{ValueDeserializer, any::Text, borrowed, children::Children};
use crate::Error;

/// The pairs of a Dictionary that is read as a struct. If the keys are the field names in
/// declaration order, each key costs one comparison, and its text needs no validation.
pub(super) struct Fields<'r, 'de> {
    pairs: Children<'r, 'de>,
    names: &'static [&'static str],
    /// The field names from the expected one on.
    next: slice::Iter<'static, &'static str>,
}

impl<'r, 'de> Fields<'r, 'de> {
    #[cfg_attr(not(debug_assertions), inline(always))]
    pub(super) fn new(
        reader: &'r mut ValueDeserializer<'de>,
        count: u32,
        names: &'static [&'static str],
    ) -> Fields<'r, 'de> {
        Fields {
            pairs: Children::new(reader, count),
            names,
            next: names.iter(),
        }
    }

    #[cfg_attr(not(debug_assertions), inline(always))]
    pub(super) fn left(&self) -> u32 {
        self.pairs.left()
    }

    /// Looks up a key that is not the expected one: first among the later fields, then among the
    /// earlier ones.
    #[inline(never)]
    fn other_key<K: DeserializeSeed<'de>>(&mut self, seed: K) -> Result<K::Value, Error> {
        let at = self.pairs.reader.serial.offset();
        let from = self.names.len() - self.next.as_slice().len();
        if let Some(place) = self.pairs.reader.serial.one_of(self.names, from) {
            let (_, found) = self.names.split_at_checked(place).unwrap_or_default();
            self.next = found.iter();
            let name = self.next.next().copied().unwrap_or_default();
            return seed
                .deserialize(borrowed(name))
                .map_err(|error| error.or_at(at));
        }
        let Some(text) = self.pairs.reader.serial.text()? else {
            // The key is not text. It must not be read as the number of a field.
            let value = self.pairs.reader.value()?;
            let text = match value.as_i64() {
                Some(int) => format!("the int {int}"),
                None => format!("a key of type {}", value.kind()),
            };
            self.pairs.reader.serial.skip()?;
            return seed
                .deserialize(NoName(&text))
                .map_err(|error| error.or_at(at));
        };
        seed.deserialize(borrowed(text))
            .map_err(|error| error.or_at(at))
    }
}

impl<'de> MapAccess<'de> for Fields<'_, 'de> {
    type Error = Error;

    #[cfg_attr(not(debug_assertions), inline(always))]
    fn next_key_seed<K: DeserializeSeed<'de>>(
        &mut self,
        seed: K,
    ) -> Result<Option<K::Value>, Error> {
        let Some(()) = self.pairs.take() else {
            return Ok(None);
        };
        if let Some(name) = self.next.as_slice().first() {
            let before = self.pairs.reader.serial.left();
            if self.pairs.reader.serial.name(name) {
                self.next.next();
                return match seed.deserialize(borrowed(name)) {
                    Ok(key) => Ok(Some(key)),
                    Err(error) => Err(error.or_at(self.pairs.reader.serial.offset_of(before))),
                };
            }
        }
        self.other_key(seed).map(Some)
    }

    #[cfg_attr(not(debug_assertions), inline(always))]
    fn next_value_seed<T: DeserializeSeed<'de>>(&mut self, seed: T) -> Result<T::Value, Error> {
        self.pairs.reader.give(seed)
    }

    #[inline]
    fn size_hint(&self) -> Option<usize> {
        self.pairs.hint()
    }
}

/// A deserializer for a key that is not text, although a field name is expected.
struct NoName<'a>(&'a str);

impl<'de> Deserializer<'de> for NoName<'_> {
    type Error = Error;

    fn deserialize_any<V: Visitor<'de>>(self, visitor: V) -> Result<V::Value, Error> {
        visitor.visit_str(self.0)
    }

    forward_to_deserialize_any! {
        bool i8 i16 i32 i64 i128 u8 u16 u32 u64 u128 f32 f64 char str string bytes byte_buf option
        unit unit_struct newtype_struct seq tuple tuple_struct map struct enum identifier ignored_any
    }
}

/// The properties of an object whose header has been read.
pub(super) struct Properties<'r, 'de>(Children<'r, 'de>);

impl<'r, 'de> Properties<'r, 'de> {
    pub(super) fn new(reader: &'r mut ValueDeserializer<'de>, count: u32) -> Properties<'r, 'de> {
        Properties(Children::new(reader, count))
    }

    pub(super) fn left(&self) -> u32 {
        self.0.left()
    }
}

impl<'de> MapAccess<'de> for Properties<'_, 'de> {
    type Error = Error;

    fn next_key_seed<K: DeserializeSeed<'de>>(
        &mut self,
        seed: K,
    ) -> Result<Option<K::Value>, Error> {
        let Some(()) = self.0.take() else {
            return Ok(None);
        };
        let name = self.0.reader.serial.property()?;
        let key = seed.deserialize(Text(name, Kind::String));
        key.map(Some).map_err(|error| error.or_at(name.offset()))
    }

    fn next_value_seed<T: DeserializeSeed<'de>>(&mut self, seed: T) -> Result<T::Value, Error> {
        self.0.reader.give(seed)
    }

    fn size_hint(&self) -> Option<usize> {
        self.0.hint()
    }
}
