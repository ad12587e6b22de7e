//! Passes Godot's own types to visitors that accept anything, as `{"type": …, "args": […]}`, and
//! whole values to types that keep them.

use alloc::string::String;

use gdvar_view::{Cursor, Kind, NameIter, NodePathRef, PayloadWords, StrRef, VariantRef};
use gdvar_wire::native;
use serde_core::{
    Deserializer,
    de::{
        self, DeserializeSeed, IntoDeserializer, MapAccess, SeqAccess, Visitor,
        value::BorrowedBytesDeserializer,
    },
    forward_to_deserialize_any,
};

use super::{
    ValueDeserializer, borrowed,
    items::Texts,
    numbers::{self, Numbers, ReadNumber},
};
use crate::Error;

/// Returns the error for a visitor that asks for a value before its key, which serde forbids.
#[cold]
pub(super) fn misused() -> Error {
    Error::text("a Deserialize implementation asks for a value without its key")
}

macro_rules! all_to_any {
    () => {
        forward_to_deserialize_any! {
            bool i8 i16 i32 i64 i128 u8 u16 u32 u64 u128 f32 f64 char str string bytes byte_buf
            option unit unit_struct newtype_struct seq tuple tuple_struct map struct enum identifier
            ignored_any
        }
    };
}

/// A map for a value of one of Godot's own types: `{"type": …, "args": […]}`, with `"wide": true`
/// for 64-bit reals.
pub(super) struct Tagged<'de> {
    value: VariantRef<'de>,
    /// The number of the next member, and whether its name has been read.
    step: u8,
}

impl<'de> Tagged<'de> {
    pub(super) fn new(value: VariantRef<'de>) -> Tagged<'de> {
        Tagged { value, step: 0 }
    }

    fn members(&self) -> &'static [&'static str] {
        if self.value.is_wide() {
            &["type", "args", "wide"]
        } else {
            &["type", "args"]
        }
    }
}

impl<'de> Deserializer<'de> for Tagged<'de> {
    type Error = Error;

    fn deserialize_any<V: Visitor<'de>>(self, visitor: V) -> Result<V::Value, Error> {
        visitor.visit_map(self)
    }

    all_to_any!();
}

impl<'de> MapAccess<'de> for Tagged<'de> {
    type Error = Error;

    fn next_key_seed<K: DeserializeSeed<'de>>(
        &mut self,
        seed: K,
    ) -> Result<Option<K::Value>, Error> {
        let Some(name) = self.members().get(usize::from(self.step)) else {
            return Ok(None);
        };
        self.step += 1;
        seed.deserialize(borrowed(name)).map(Some)
    }

    fn next_value_seed<T: DeserializeSeed<'de>>(&mut self, seed: T) -> Result<T::Value, Error> {
        match self.step {
            1 => seed.deserialize(borrowed(self.value.kind().name())),
            2 => seed.deserialize(Args(self.value)),
            3 => seed.deserialize(true.into_deserializer()),
            _ => Err(misused()),
        }
    }

    fn size_hint(&self) -> Option<usize> {
        self.members().len().checked_sub(self.step.into())
    }
}

/// The components or parts of a value, in the order in which the engine lists them.
struct Args<'de>(VariantRef<'de>);

impl<'de> Deserializer<'de> for Args<'de> {
    type Error = Error;

    fn deserialize_any<V: Visitor<'de>>(self, visitor: V) -> Result<V::Value, Error> {
        let value = self.0;
        if let Some((bytes, form)) = numbers::packed(value) {
            return visitor.visit_seq(Numbers::new(bytes, form));
        }
        if let Some(texts) = value.as_strings() {
            return visitor.visit_seq(Texts::new(texts));
        }
        visitor.visit_seq(List { value, next: 0 })
    }

    all_to_any!();
}

/// A deserializer for a sequence.
pub(super) struct Seq<A>(pub(super) A);

impl<'de, A: SeqAccess<'de, Error = Error>> Deserializer<'de> for Seq<A> {
    type Error = Error;

    fn deserialize_any<V: Visitor<'de>>(self, visitor: V) -> Result<V::Value, Error> {
        visitor.visit_seq(self.0)
    }

    all_to_any!();
}

/// The components of a matrix in another order: by columns.
pub(super) struct Ordered<'de>(pub(super) Numbers<'de>, pub(super) &'static [usize]);

impl<'de> SeqAccess<'de> for Ordered<'de> {
    type Error = Error;

    fn next_element_seed<T: DeserializeSeed<'de>>(
        &mut self,
        seed: T,
    ) -> Result<Option<T::Value>, Error> {
        let Some((place, rest)) = self.1.split_first() else {
            return Ok(None);
        };
        self.1 = rest;
        seed.deserialize(self.0.at(*place)).map(Some)
    }

    fn size_hint(&self) -> Option<usize> {
        Some(self.1.len())
    }
}

/// The parts of a value such as a RID, a Signal, a NodePath or an object, which may have different
/// types.
struct List<'de> {
    value: VariantRef<'de>,
    next: usize,
}

impl<'de> SeqAccess<'de> for List<'de> {
    type Error = Error;

    fn next_element_seed<T: DeserializeSeed<'de>>(
        &mut self,
        seed: T,
    ) -> Result<Option<T::Value>, Error> {
        let n = self.next;
        self.next += 1;
        let value = self.value;
        let id = |id: u64| -> <u64 as IntoDeserializer<'de, Error>>::Deserializer {
            id.into_deserializer()
        };
        if let Some(rid) = value.as_rid() {
            return match n {
                0 => seed.deserialize(id(rid)).map(Some),
                _ => Ok(None),
            };
        }
        if let Some((name, object)) = value.as_signal() {
            return match n {
                0 => seed.deserialize(Text(name, Kind::String)).map(Some),
                1 => seed.deserialize(id(object)).map(Some),
                _ => Ok(None),
            };
        }
        if let Some(path) = value.as_node_path() {
            return match n {
                0 => seed
                    .deserialize(path_text(path)?.into_deserializer())
                    .map(Some),
                _ => Ok(None),
            };
        }
        if let Some(object) = value.as_object() {
            return match (n, object.id(), object.class()) {
                (0, Some(own), _) => seed.deserialize(id(own)).map(Some),
                (0, _, Some(class)) => seed.deserialize(Text(class, Kind::String)).map(Some),
                (1, None, Some(_)) => seed.deserialize(Inside(value)).map(Some),
                _ => Ok(None),
            };
        }
        if let Some(image) = value.as_image() {
            let number = [image.format, image.mipmaps, image.width, image.height];
            return match number.get(n) {
                Some(&number) => seed.deserialize(id(number.into())).map(Some),
                None if n == 4 => seed
                    .deserialize(BorrowedBytesDeserializer::new(image.data))
                    .map(Some),
                None => Ok(None),
            };
        }
        if let Some(event) = value.as_input_event() {
            return match n {
                0 => seed.deserialize(id(event.kind.into())).map(Some),
                1 => seed
                    .deserialize(ReadNumber::Int(event.device.into()))
                    .map(Some),
                2 => seed
                    .deserialize(BorrowedBytesDeserializer::new(event.body))
                    .map(Some),
                _ => Ok(None),
            };
        }
        Ok(None)
    }
}

/// A deserializer for the properties of an object, as a map.
struct Inside<'de>(VariantRef<'de>);

impl<'de> Deserializer<'de> for Inside<'de> {
    type Error = Error;

    fn deserialize_any<V: Visitor<'de>>(self, visitor: V) -> Result<V::Value, Error> {
        ValueDeserializer::new(Cursor::of(self.0)).deserialize_map(visitor)
    }

    all_to_any!();
}

/// Returns a path in the form that scripts use. Fails if scripts would read another path from it.
fn path_text(path: NodePathRef<'_>) -> Result<String, Error> {
    let mut text = String::new();
    if path.is_absolute() {
        text.push('/');
    }
    for (n, name) in path.names().enumerate() {
        if n > 0 {
            text.push('/');
        }
        text.push_str(path_name(name?)?);
    }
    for name in path.subnames() {
        text.push(':');
        text.push_str(path_name(name?)?);
    }
    Ok(text)
}

/// Returns a name of a path. Fails if it is empty or contains a separator.
fn path_name(name: StrRef<'_>) -> Result<&str, Error> {
    match name.with_mark().to_str()? {
        "" => Err(Error::text(native::NO_PATH_TEXT)),
        text if text.contains(['/', ':']) => Err(Error::text(native::NO_PATH_TEXT)),
        text => Ok(text),
    }
}

/// A deserializer for a name or another text, which may not be UTF-8.
pub(super) struct Text<'de>(pub(super) StrRef<'de>, pub(super) Kind);

impl<'de> Deserializer<'de> for Text<'de> {
    type Error = Error;

    fn deserialize_any<V: Visitor<'de>>(self, visitor: V) -> Result<V::Value, Error> {
        visitor.visit_borrowed_str(self.0.with_mark().to_str()?)
    }

    /// Deserializes the name of a field without its byte order mark, as the engine reads it.
    fn deserialize_identifier<V: Visitor<'de>>(self, visitor: V) -> Result<V::Value, Error> {
        visitor.visit_borrowed_str(self.0.to_str()?)
    }

    fn deserialize_newtype_struct<V: Visitor<'de>>(
        self,
        name: &'static str,
        visitor: V,
    ) -> Result<V::Value, Error> {
        match native::kind(name) {
            Some((kind, _)) if kind == self.1 => {
                let text = self.0.with_mark();
                match text.to_str() {
                    Ok(text) => visitor.visit_borrowed_str(text),
                    Err(_) => visitor.visit_borrowed_bytes(text.as_bytes()),
                }
            }
            _ => visitor.visit_newtype_struct(self),
        }
    }

    forward_to_deserialize_any! {
        bool i8 i16 i32 i64 i128 u8 u16 u32 u64 u128 f32 f64 char str string bytes byte_buf
        option unit unit_struct seq tuple tuple_struct map struct enum ignored_any
    }
}

/// Returns the parts of a value. The parts of a NodePath are: whether it is absolute, the number of
/// its names, the names, and the sub-names. The parts of a Signal are its name and the id of its
/// object.
pub(super) fn parts(value: VariantRef<'_>) -> impl SeqAccess<'_, Error = Error> {
    NodePathParts {
        value,
        next: 0,
        names: value.as_node_path().map(NodePathRef::parts),
    }
}

struct NodePathParts<'de> {
    value: VariantRef<'de>,
    next: usize,
    /// The position among the names. Looking up each name from the start would take quadratic
    /// time.
    names: Option<NameIter<'de>>,
}

impl<'de> SeqAccess<'de> for NodePathParts<'de> {
    type Error = Error;

    fn next_element_seed<T: DeserializeSeed<'de>>(
        &mut self,
        seed: T,
    ) -> Result<Option<T::Value>, Error> {
        let n = self.next;
        self.next += 1;
        let Some(path) = self.value.as_node_path() else {
            let Some((name, id)) = self.value.as_signal() else {
                return Ok(None);
            };
            return match n {
                0 => seed.deserialize(Text(name, Kind::String)).map(Some),
                1 => seed.deserialize(id.into_deserializer()).map(Some),
                _ => Ok(None),
            };
        };
        match n {
            0 => seed
                .deserialize(path.is_absolute().into_deserializer())
                .map(Some),
            1 => seed
                .deserialize(path.name_count().into_deserializer())
                .map(Some),
            _ => match self.names.as_mut().and_then(Iterator::next) {
                Some(name) => seed.deserialize(Text(name?, Kind::String)).map(Some),
                None => Ok(None),
            },
        }
    }
}

/// Validates a value and everything in it. A function of its own, because the walk takes 8 KiB of the stack, which no
/// level of a recursive type should take.
#[inline(never)]
pub(super) fn validate(value: VariantRef<'_>) -> Result<(), Error> {
    let mut events = value.events();
    while events.try_next()?.is_some() {}
    Ok(())
}

/// A map with one pair that passes a whole value to a type that keeps it.
pub(super) struct HandOver<'de> {
    value: VariantRef<'de>,
    size: usize,
    is_read: bool,
}

impl<'de> HandOver<'de> {
    pub(super) fn new(value: VariantRef<'de>, size: usize) -> HandOver<'de> {
        HandOver {
            value,
            size,
            is_read: false,
        }
    }
}

impl<'de> MapAccess<'de> for HandOver<'de> {
    type Error = Error;

    fn next_key_seed<K: DeserializeSeed<'de>>(
        &mut self,
        seed: K,
    ) -> Result<Option<K::Value>, Error> {
        if self.is_read {
            return Ok(None);
        }
        self.is_read = true;
        seed.deserialize(borrowed(native::RAW_KEY)).map(Some)
    }

    fn next_value_seed<T: DeserializeSeed<'de>>(&mut self, seed: T) -> Result<T::Value, Error> {
        let PayloadWords {
            bytes,
            offset,
            reading,
        } = PayloadWords::of(self.value);
        seed.deserialize(Seq(Handed {
            bytes: Some(bytes),
            numbers: [offset, reading, self.size as u64].into_iter(),
        }))
    }
}

struct Handed<'de> {
    bytes: Option<&'de [u8]>,
    numbers: core::array::IntoIter<u64, 3>,
}

impl<'de> SeqAccess<'de> for Handed<'de> {
    type Error = Error;

    fn next_element_seed<T: DeserializeSeed<'de>>(
        &mut self,
        seed: T,
    ) -> Result<Option<T::Value>, Error> {
        if let Some(bytes) = self.bytes.take() {
            return seed
                .deserialize(BorrowedBytesDeserializer::<Error>::new(bytes))
                .map(Some);
        }
        match self.numbers.next() {
            Some(number) => {
                let number: de::value::U64Deserializer<Error> = number.into_deserializer();
                seed.deserialize(number).map(Some)
            }
            None => Ok(None),
        }
    }
}
