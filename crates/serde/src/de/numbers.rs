//! Reads the numbers of vectors, matrices and packed arrays from their wire layout.

use alloc::format;

use gdvar_view::{Kind, Packed, PackedRef, Real, VariantRef, narrow, widen};
use gdvar_wire::{fits_f32, native};
use serde_core::{
    Deserializer,
    de::{self, DeserializeSeed, IntoDeserializer, MapAccess, SeqAccess, Visitor},
    forward_to_deserialize_any,
};

use super::{any, borrowed};
use crate::Error;

/// The wire form of a number.
#[derive(Clone, Copy, PartialEq, Eq, Debug)]
pub(super) enum NumberForm {
    Byte,
    Int32,
    Int64,
    Single,
    Double,
}

impl NumberForm {
    /// Returns this form, or for reals its 64-bit form if `wide`.
    #[inline(always)]
    pub(super) fn of(self, wide: bool) -> NumberForm {
        match self {
            NumberForm::Single if wide => NumberForm::Double,
            form => form,
        }
    }

    #[inline(always)]
    pub(super) const fn size(self) -> usize {
        match self {
            NumberForm::Byte => 1,
            NumberForm::Int32 | NumberForm::Single => 4,
            NumberForm::Int64 | NumberForm::Double => 8,
        }
    }
}

/// Returns the form of a math type's components without the 64-bit flag. `None` for other kinds.
#[inline(always)]
pub(super) const fn form(kind: Kind) -> Option<NumberForm> {
    match kind.component_count() {
        0 => None,
        _ if kind.has_ints() => Some(NumberForm::Int32),
        _ => Some(NumberForm::Single),
    }
}

/// Returns the kind of the vectors in a packed array, and the number of components of each.
pub(super) const fn element(kind: Kind) -> Option<(Kind, usize)> {
    match (kind.element_kind(), kind.element_components()) {
        (Some(element), components @ 2..) => Some((element, components)),
        _ => None,
    }
}

/// Returns the bytes of a packed array and the form of its numbers.
pub(super) fn packed(value: VariantRef<'_>) -> Option<(&[u8], NumberForm)> {
    fn reals<'a, S: gdvar_view::Element, D: gdvar_view::Element>(
        all: Real<PackedRef<'a, S>, PackedRef<'a, D>>,
    ) -> (&'a [u8], NumberForm) {
        match all {
            Real::Single(all) => (all.as_bytes(), NumberForm::Single),
            Real::Double(all) => (all.as_bytes(), NumberForm::Double),
        }
    }
    Some(match value.as_packed()? {
        Packed::Bytes(bytes) => (bytes, NumberForm::Byte),
        Packed::Int32(all) => (all.as_bytes(), NumberForm::Int32),
        Packed::Int64(all) => (all.as_bytes(), NumberForm::Int64),
        Packed::Float32(all) => (all.as_bytes(), NumberForm::Single),
        Packed::Float64(all) => (all.as_bytes(), NumberForm::Double),
        Packed::Vector2(all) => reals(all),
        Packed::Vector2i(all) => (all.as_bytes(), NumberForm::Int32),
        Packed::Vector3(all) => reals(all),
        Packed::Vector3i(all) => (all.as_bytes(), NumberForm::Int32),
        Packed::Vector4(all) => reals(all),
        Packed::Vector4i(all) => (all.as_bytes(), NumberForm::Int32),
        Packed::Color(all) => (all.as_bytes(), NumberForm::Single),
    })
}

/// A sequence of numbers in wire layout.
#[derive(Clone, Copy, Debug)]
pub(super) struct Numbers<'de> {
    bytes: &'de [u8],
    form: NumberForm,
}

impl<'de> Numbers<'de> {
    #[inline(always)]
    pub(super) fn new(bytes: &'de [u8], form: NumberForm) -> Numbers<'de> {
        Numbers { bytes, form }
    }

    /// Returns the number at index `place`.
    #[inline]
    pub(super) fn at(self, place: usize) -> ReadNumber {
        let size = self.form.size();
        let bytes = self.bytes.get(place * size..).unwrap_or_default();
        Numbers { bytes, ..self }.first()
    }

    /// Returns the first number. A 64-bit real becomes [`ReadNumber::Float`], because it is a value
    /// of its own and not a component.
    #[inline(always)]
    pub(super) fn alone(self) -> ReadNumber {
        match self.first() {
            ReadNumber::Double(float) => ReadNumber::Float(float),
            number => number,
        }
    }

    /// Returns the first number, or 0 if there is none.
    #[inline(always)]
    pub(super) fn first(self) -> ReadNumber {
        Numbers { ..self }.next().unwrap_or(ReadNumber::Int(0))
    }

    pub(super) fn len(self) -> usize {
        self.bytes.len() / self.form.size()
    }

    #[inline(always)]
    fn next(&mut self) -> Option<ReadNumber> {
        Some(match self.form {
            NumberForm::Single => ReadNumber::Single(f32::from_le_bytes(self.take()?)),
            NumberForm::Double => ReadNumber::Double(f64::from_le_bytes(self.take()?)),
            NumberForm::Int32 => ReadNumber::Int(i32::from_le_bytes(self.take()?).into()),
            NumberForm::Int64 => ReadNumber::Int(i64::from_le_bytes(self.take()?)),
            NumberForm::Byte => ReadNumber::Int(u8::from_le_bytes(self.take()?).into()),
        })
    }

    #[inline(always)]
    fn take<const N: usize>(&mut self) -> Option<[u8; N]> {
        let (number, rest) = self.bytes.split_first_chunk()?;
        self.bytes = rest;
        Some(*number)
    }
}

impl<'de> SeqAccess<'de> for Numbers<'de> {
    type Error = Error;

    #[inline(always)]
    fn next_element_seed<T: DeserializeSeed<'de>>(
        &mut self,
        seed: T,
    ) -> Result<Option<T::Value>, Error> {
        match self.next() {
            Some(number) => seed.deserialize(number).map(Some),
            None => Ok(None),
        }
    }

    fn size_hint(&self) -> Option<usize> {
        Some(self.len())
    }
}

/// A number that was read.
#[derive(Clone, Copy, Debug)]
pub(super) enum ReadNumber {
    Int(i64),
    Single(f32),
    /// A 64-bit component.
    Double(f64),
    /// An element of a PackedFloat64Array.
    Float(f64),
}

/// Checks that a float can be read as an `f32`, which takes the nearest value. Refuses a finite
/// float that would become infinite.
#[inline(always)]
pub(super) fn in_range(float: f64) -> Result<f64, Error> {
    if narrow(float).is_infinite() && float.is_finite() {
        return Err(too_large(float));
    }
    Ok(float)
}

#[cold]
#[inline(never)]
fn too_large(float: f64) -> Error {
    Error::text(format!(
        "expected a float that 32 bits can hold, found {float:?}; use an f64 for the field"
    ))
}

/// Converts a 64-bit component to an `f32`. Refuses a number that an `f32` cannot hold exactly.
#[cold]
#[inline(never)]
fn narrowed(float: f64) -> Result<f32, Error> {
    if fits_f32(float) || float.is_nan() {
        return Ok(narrow(float));
    }
    Err(Error::text(format!(
        "32 bits cannot hold the 64-bit real {float:?} exactly; ask for the type of f64, and narrow it with `map`"
    )))
}

impl<'de> Deserializer<'de> for ReadNumber {
    type Error = Error;

    #[inline(always)]
    fn deserialize_any<V: Visitor<'de>>(self, visitor: V) -> Result<V::Value, Error> {
        match self {
            ReadNumber::Int(int) => visitor.visit_i64(int),
            ReadNumber::Single(float) => visitor.visit_f32(float),
            ReadNumber::Double(float) | ReadNumber::Float(float) => visitor.visit_f64(float),
        }
    }

    #[inline(always)]
    fn deserialize_f32<V: Visitor<'de>>(self, visitor: V) -> Result<V::Value, Error> {
        match self {
            ReadNumber::Double(float) => visitor.visit_f32(narrowed(float)?),
            ReadNumber::Float(float) => visitor.visit_f64(in_range(float)?),
            number => number.deserialize_any(visitor),
        }
    }

    #[inline(always)]
    fn deserialize_f64<V: Visitor<'de>>(self, visitor: V) -> Result<V::Value, Error> {
        match self {
            ReadNumber::Single(float) => visitor.visit_f64(widen(float)),
            number => number.deserialize_any(visitor),
        }
    }

    fn deserialize_option<V: Visitor<'de>>(self, visitor: V) -> Result<V::Value, Error> {
        visitor.visit_some(self)
    }

    fn deserialize_newtype_struct<V: Visitor<'de>>(
        self,
        _: &'static str,
        visitor: V,
    ) -> Result<V::Value, Error> {
        visitor.visit_newtype_struct(self)
    }

    #[inline]
    fn is_human_readable(&self) -> bool {
        false
    }

    forward_to_deserialize_any! {
        bool i8 i16 i32 i64 i128 u8 u16 u32 u64 u128 char str string bytes byte_buf unit
        unit_struct seq tuple tuple_struct map struct enum identifier ignored_any
    }
}

/// A vector in a packed array.
pub(super) struct Element<'de> {
    pub(super) kind: Kind,
    pub(super) numbers: Numbers<'de>,
}

impl<'de> Deserializer<'de> for Element<'de> {
    type Error = Error;

    fn deserialize_any<V: Visitor<'de>>(self, visitor: V) -> Result<V::Value, Error> {
        let wide = self.numbers.form == NumberForm::Double;
        visitor.visit_some(Listed::new(self.kind, wide, self.numbers))
    }

    fn deserialize_option<V: Visitor<'de>>(self, visitor: V) -> Result<V::Value, Error> {
        visitor.visit_some(self)
    }

    #[inline]
    fn deserialize_newtype_struct<V: Visitor<'de>>(
        self,
        name: &'static str,
        visitor: V,
    ) -> Result<V::Value, Error> {
        match native::kind(name) {
            Some((kind, _)) if kind == self.kind => visitor.visit_seq(self.numbers),
            Some(_) => {
                let found = de::Unexpected::Other(self.kind.name());
                Err(de::Error::invalid_type(found, &visitor))
            }
            None => visitor.visit_newtype_struct(self),
        }
    }

    fn deserialize_seq<V: Visitor<'de>>(self, _: V) -> Result<V::Value, Error> {
        Err(super::no_list(self.kind))
    }

    fn deserialize_tuple<V: Visitor<'de>>(self, _: usize, _: V) -> Result<V::Value, Error> {
        Err(super::no_list(self.kind))
    }

    fn deserialize_tuple_struct<V: Visitor<'de>>(
        self,
        _: &'static str,
        _: usize,
        _: V,
    ) -> Result<V::Value, Error> {
        Err(super::no_list(self.kind))
    }

    fn is_human_readable(&self) -> bool {
        false
    }

    forward_to_deserialize_any! {
        bool i8 i16 i32 i64 i128 u8 u16 u32 u64 u128 f32 f64 char str string bytes byte_buf unit
        unit_struct map struct enum identifier ignored_any
    }
}

/// A map for a vector or matrix, for visitors that accept anything: `{"type": …, "args": […]}`,
/// with `"wide": true` for 64-bit reals.
pub(super) struct Listed<'de> {
    kind: Kind,
    wide: bool,
    numbers: Numbers<'de>,
    /// The number of the next member whose name is read.
    step: u8,
}

impl<'de> Listed<'de> {
    pub(super) fn new(kind: Kind, wide: bool, numbers: Numbers<'de>) -> Listed<'de> {
        Listed {
            kind,
            wide,
            numbers,
            step: 0,
        }
    }
}

impl<'de> Deserializer<'de> for Listed<'de> {
    type Error = Error;

    #[inline]
    fn deserialize_any<V: Visitor<'de>>(self, visitor: V) -> Result<V::Value, Error> {
        visitor.visit_map(self)
    }

    forward_to_deserialize_any! {
        bool i8 i16 i32 i64 i128 u8 u16 u32 u64 u128 f32 f64 char str string bytes byte_buf option
        unit unit_struct newtype_struct seq tuple tuple_struct map struct enum identifier ignored_any
    }
}

impl<'de> MapAccess<'de> for Listed<'de> {
    type Error = Error;

    #[inline]
    fn next_key_seed<K: DeserializeSeed<'de>>(
        &mut self,
        seed: K,
    ) -> Result<Option<K::Value>, Error> {
        let name = match self.step {
            0 => "type",
            1 => "args",
            2 if self.wide => "wide",
            _ => return Ok(None),
        };
        self.step += 1;
        seed.deserialize(borrowed(name)).map(Some)
    }

    #[inline]
    fn next_value_seed<T: DeserializeSeed<'de>>(&mut self, seed: T) -> Result<T::Value, Error> {
        match self.step {
            1 => seed.deserialize(borrowed(self.kind.name())),
            2 => match native::engine_order(self.kind) {
                None => seed.deserialize(any::Seq(self.numbers)),
                Some(order) => seed.deserialize(any::Seq(any::Ordered(self.numbers, order))),
            },
            3 => seed.deserialize(true.into_deserializer()),
            _ => Err(any::misused()),
        }
    }

    #[inline]
    fn size_hint(&self) -> Option<usize> {
        (2 + usize::from(self.wide)).checked_sub(self.step.into())
    }
}
