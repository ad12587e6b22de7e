//! Reads values in the order of the bytes, each of them once.
//!
//! Derived code calls itself for each nested value. Methods are forced inline only in optimised
//! builds: without optimisation, each field of a struct would enlarge the stack frame.

mod any;
mod children;
mod choice;
mod items;
mod numbers;
mod pairs;

use alloc::format;

use gdvar_view::{Cursor, Kind, StrRef, VariantRef};
use gdvar_wire::native;
use serde_core::{
    Deserializer,
    de::{self, Visitor, value::BorrowedStrDeserializer},
};

use self::{
    any::{HandOver, Tagged, validate},
    children::Children,
    choice::{Named, Single},
    items::{Elements, Texts},
    numbers::{Listed, NumberForm, Numbers},
    pairs::{Fields, Properties},
};
use crate::Error;

/// Reads a value. `&mut ValueDeserializer` is the `Deserializer` and moves past the value.
#[derive(Debug)]
pub(crate) struct ValueDeserializer<'de> {
    serial: Cursor<'de>,
    /// The number of further children for which visitors may reserve memory in advance. It begins
    /// at a quarter of the remaining bytes, because each child takes at least four. Each container
    /// subtracts its own children, so nested containers together cannot reserve more than the input
    /// could hold.
    room: u32,
}

impl<'de> ValueDeserializer<'de> {
    pub(crate) fn new(serial: Cursor<'de>) -> ValueDeserializer<'de> {
        let room = u32::try_from(serial.left() / 4).unwrap_or(u32::MAX);
        ValueDeserializer { serial, room }
    }

    /// Returns the error for a value of another kind than expected.
    #[cold]
    #[inline(never)]
    fn unexpected(&self, expected: &dyn de::Expected) -> Error {
        let value = match self.serial.value() {
            Ok(value) => value,
            Err(error) => return Error::read(error),
        };
        let found = unexpected(value);
        let error: Error = de::Error::invalid_type(found, expected);
        error.or_at(value.offset())
    }

    /// Returns the value at the cursor without its content. Used to find out why a fast method of
    /// the cursor did not read the value.
    #[inline]
    fn value(&self) -> Result<VariantRef<'de>, Error> {
        self.serial.value().map_err(Error::read)
    }

    /// Ends a container after the visitor has read it. Fails if the visitor left children unread.
    #[cfg_attr(not(debug_assertions), inline(always))]
    fn leave<T>(&mut self, value: T, left: u32, total: u32) -> Result<T, Error> {
        if left > 0 {
            return Err(too_many(left, total));
        }
        self.serial.leave();
        Ok(value)
    }

    #[cfg_attr(not(debug_assertions), inline(always))]
    fn take_array<V: Visitor<'de>>(&mut self, count: u32, visitor: V) -> Result<V::Value, Error> {
        let mut items = Children::new(self, count);
        let value = visitor.visit_seq(&mut items)?;
        let left = items.left();
        self.leave(value, left, count)
    }

    #[cfg_attr(not(debug_assertions), inline(always))]
    fn take_dict<V: Visitor<'de>>(&mut self, count: u32, visitor: V) -> Result<V::Value, Error> {
        let mut pairs = Children::new(self, count);
        let value = visitor.visit_map(&mut pairs)?;
        let left = pairs.left();
        self.leave(value, left, count)
    }

    fn take_object<V: Visitor<'de>>(&mut self, count: u32, visitor: V) -> Result<V::Value, Error> {
        let mut properties = Properties::new(self, count);
        let value = visitor.visit_map(&mut properties)?;
        let left = properties.left();
        self.leave(value, left, count)
    }

    /// Visits a packed array as a sequence.
    #[inline(never)]
    fn packed_seq<V: Visitor<'de>>(&mut self, visitor: V) -> Result<V::Value, Error> {
        let value = self.value()?;
        if let Some(texts) = value.as_strings() {
            let result = visitor.visit_seq(Texts::new(texts))?;
            self.serial.skip()?;
            return Ok(result);
        }
        if numbers::form(value.kind()).is_some() {
            return Err(no_list(value.kind()).or_at(value.offset()));
        }
        let Some(mut elements) = Elements::of(value) else {
            return Err(self.unexpected(&visitor));
        };
        let result = visitor.visit_seq(&mut elements)?;
        if elements.left() > 0 {
            return Err(too_many(elements.left() as u32, elements.total() as u32));
        }
        self.serial.skip()?;
        Ok(result)
    }

    /// Visits a value as one of Godot's own types. The caller asked for this type by name.
    #[cfg_attr(not(debug_assertions), inline(always))]
    fn native<V: Visitor<'de>>(
        &mut self,
        (kind, wide): (Kind, bool),
        visitor: V,
    ) -> Result<V::Value, Error> {
        if let Some(form) = numbers::form(kind) {
            // The two widths are separate calls, so that the compiler specialises each.
            return match self.serial.payload(kind)? {
                Some((payload, false)) => visitor.visit_seq(Numbers::new(payload, form)),
                Some((payload, true)) => wide_numbers(payload, form, visitor),
                None => Err(self.unexpected(&visitor)),
            };
        }
        self.other_native(kind, wide, visitor)
    }

    #[inline(never)]
    fn other_native<V: Visitor<'de>>(
        &mut self,
        kind: Kind,
        wide: bool,
        visitor: V,
    ) -> Result<V::Value, Error> {
        let value = self.value()?;
        let result = if kind == Kind::StringName {
            match value.as_text() {
                Some(text) => visitor.visit_borrowed_str(text.with_mark().to_str()?),
                None => return Err(self.unexpected(&visitor)),
            }
        } else if kind == Kind::String {
            // The text may not be UTF-8.
            match value.as_text().map(StrRef::with_mark) {
                Some(text) => match text.to_str() {
                    Ok(text) => visitor.visit_borrowed_str(text),
                    Err(_) => visitor.visit_borrowed_bytes(text.as_bytes()),
                },
                None => return Err(self.unexpected(&visitor)),
            }
        } else if kind.is_packed() && value.as_array().is_some() {
            return self.deserialize_seq(visitor);
        } else if value.kind() != kind {
            return Err(self.unexpected(&visitor));
        } else {
            match kind {
                Kind::Rid => visitor.visit_u64(value.as_rid().unwrap_or(0)),
                Kind::Object => match value.as_object() {
                    Some(object) if object.is_null() => visitor.visit_u64(0),
                    Some(object) => match object.id() {
                        Some(id) => visitor.visit_u64(id),
                        None => return Err(self.unexpected(&visitor)),
                    },
                    None => return Err(self.unexpected(&visitor)),
                },
                Kind::NodePath | Kind::Signal => visitor.visit_seq(any::parts(value)),
                Kind::Callable => visitor.visit_unit(),
                Kind::PackedStringArray => return self.packed_seq(visitor),
                _ => match numbers::packed(value) {
                    Some((bytes, _)) if value.is_wide() == wide => {
                        visitor.visit_borrowed_bytes(bytes)
                    }
                    Some((bytes, form)) => visitor.visit_seq(Numbers::new(bytes, form)),
                    None => return Err(self.unexpected(&visitor)),
                },
            }
        }?;
        self.serial.skip()?;
        Ok(result)
    }
}

/// Visits 64-bit components. Fails if the components are not reals.
#[inline(never)]
fn wide_numbers<'de, V: Visitor<'de>>(
    payload: &'de [u8],
    form: NumberForm,
    visitor: V,
) -> Result<V::Value, Error> {
    visitor.visit_seq(Numbers::new(payload, form.of(true)))
}

/// Returns the error for reading the components of a vector as a list: the list would be written back
/// as an Array.
#[cold]
#[inline(never)]
fn no_list(kind: Kind) -> Error {
    Error::text(format!(
        "expected a list, found a {kind}, and a list would be written as an Array; use the type of \
         gdvar::math, or mark the field with #[serde(with = \"gdvar::serde::math\")] (keys and \
         elements: gdvar::serde::Math)"
    ))
}

/// Returns the error for a visitor that did not read all children of a container.
#[cold]
#[inline(never)]
fn too_many(left: u32, total: u32) -> Error {
    let wanted = total - left;
    Error::text(format!(
        "expected {wanted} elements or pairs, found {total}"
    ))
}

/// Describes a value in serde's terms, for error messages.
fn unexpected(value: VariantRef<'_>) -> de::Unexpected<'_> {
    use de::Unexpected as U;
    match value.kind() {
        Kind::Nil => U::Unit,
        Kind::Bool => U::Bool(value.as_bool().unwrap_or_default()),
        Kind::Int => U::Signed(value.as_i64().unwrap_or_default()),
        Kind::Float => U::Float(value.as_f64().unwrap_or_default()),
        Kind::String => match value.as_str() {
            Some(text) => U::Str(text),
            None => U::Other("a String that is not UTF-8"),
        },
        Kind::Array => U::Seq,
        Kind::Dictionary => U::Map,
        Kind::PackedByteArray => U::Bytes(&[]),
        kind => U::Other(kind.name()),
    }
}

macro_rules! ints {
    ($($method:ident)*) => {$(
        #[cfg_attr(not(debug_assertions), inline(always))]
        fn $method<V: Visitor<'de>>(self, visitor: V) -> Result<V::Value, Error> {
            match self.serial.int() {
                Some(int) => visitor.visit_i64(int),
                None => self.odd_number(visitor),
            }
        }
    )*};
}

macro_rules! texts {
    ($($method:ident = $get:ident)*) => {$(
        #[cfg_attr(not(debug_assertions), inline(always))]
        fn $method<V: Visitor<'de>>(self, visitor: V) -> Result<V::Value, Error> {
            match self.serial.$get()? {
                Some(text) => visitor.visit_borrowed_str(text),
                None => Err(self.unexpected(&visitor)),
            }
        }
    )*};
}

impl ValueDeserializer<'_> {
    /// Reads a float that `Cursor::float` does not read: one with an unusual header, or an int that
    /// a float can hold exactly.
    #[inline(never)]
    fn odd_float(&self) -> Result<Option<f64>, Error> {
        let value = self.value()?;
        let Some(int) = value.as_i64() else {
            return Ok(value.as_f64());
        };
        let float = int as f64;
        // `i64::MAX` rounds up to 2⁶³, which saturates back to `i64::MAX`.
        if float as i64 != int || float == 9_223_372_036_854_775_808.0 {
            return Err(Error::text(format!(
                "a float cannot hold the int {int} exactly; use an i64 for the field"
            )));
        }
        Ok(Some(float))
    }

    /// Reads a float, or an int that a float can hold exactly.
    #[cfg_attr(not(debug_assertions), inline(always))]
    fn float(&mut self, expected: &dyn de::Expected) -> Result<f64, Error> {
        if let Some(float) = self.serial.float() {
            return Ok(float);
        }
        match self.odd_float()? {
            Some(float) => {
                self.serial.skip()?;
                Ok(float)
            }
            None => Err(self.unexpected(expected)),
        }
    }

    /// Visits a number of a type that was not asked for, or with an unusual header. The visitor
    /// decides whether to accept it.
    #[inline(never)]
    fn odd_number<'de, V: Visitor<'de>>(&mut self, visitor: V) -> Result<V::Value, Error> {
        let value = self.value()?;
        if let Some(int) = value.as_i64() {
            self.serial.skip()?;
            return visitor.visit_i64(int);
        }
        if let Some(float) = value.as_f64() {
            self.serial.skip()?;
            return visitor.visit_f64(float);
        }
        Err(self.unexpected(&visitor))
    }
}

impl<'de> Deserializer<'de> for &mut ValueDeserializer<'de> {
    type Error = Error;

    #[inline]
    fn deserialize_any<V: Visitor<'de>>(self, visitor: V) -> Result<V::Value, Error> {
        let kind = match self.serial.common_kind() {
            Some(kind) => kind,
            None => self.value()?.kind(),
        };
        match kind {
            Kind::Nil => self.deserialize_unit(visitor),
            Kind::Bool => self.deserialize_bool(visitor),
            Kind::Int => self.deserialize_i64(visitor),
            Kind::Float => self.deserialize_f64(visitor),
            Kind::String | Kind::StringName => self.deserialize_str(visitor),
            Kind::Array | Kind::TypedArray | Kind::PackedTypedArray => {
                self.deserialize_seq(visitor)
            }
            Kind::Dictionary => self.deserialize_map(visitor),
            kind => self.any_native(kind, visitor),
        }
    }

    #[cfg_attr(not(debug_assertions), inline(always))]
    fn deserialize_bool<V: Visitor<'de>>(self, visitor: V) -> Result<V::Value, Error> {
        if let Some(bool) = self.serial.bool() {
            return visitor.visit_bool(bool);
        }
        let Some(bool) = self.value()?.as_bool() else {
            return Err(self.unexpected(&visitor));
        };
        self.serial.skip()?;
        visitor.visit_bool(bool)
    }

    ints! {
        deserialize_i8 deserialize_i16 deserialize_i32 deserialize_i64
        deserialize_u8 deserialize_u16 deserialize_u32 deserialize_u64
    }

    fn deserialize_i128<V: Visitor<'de>>(self, _: V) -> Result<V::Value, Error> {
        Err(no_i128())
    }

    fn deserialize_u128<V: Visitor<'de>>(self, _: V) -> Result<V::Value, Error> {
        Err(no_i128())
    }

    #[cfg_attr(not(debug_assertions), inline(always))]
    fn deserialize_f32<V: Visitor<'de>>(self, visitor: V) -> Result<V::Value, Error> {
        let float = numbers::in_range(self.float(&visitor)?)?;
        visitor.visit_f64(float)
    }

    #[cfg_attr(not(debug_assertions), inline(always))]
    fn deserialize_f64<V: Visitor<'de>>(self, visitor: V) -> Result<V::Value, Error> {
        let float = self.float(&visitor)?;
        visitor.visit_f64(float)
    }

    // A text may be written again, so its byte order mark is kept. Field names are compared as the
    // engine reads them.
    texts! {
        deserialize_char = marked_text
        deserialize_str = marked_text
        deserialize_string = marked_text
    }

    /// Deserializes the name of a field. A key that is no text goes to the visitor as what it is: `flatten` keeps
    /// keys of any number or bool for the map it fills, and names of fields and variants are refused by theirs.
    #[cfg_attr(not(debug_assertions), inline(always))]
    fn deserialize_identifier<V: Visitor<'de>>(self, visitor: V) -> Result<V::Value, Error> {
        match self.serial.text()? {
            Some(text) => visitor.visit_borrowed_str(text),
            None => self.deserialize_any(visitor),
        }
    }

    fn deserialize_bytes<V: Visitor<'de>>(self, visitor: V) -> Result<V::Value, Error> {
        let Some(bytes) = self.value()?.as_bytes() else {
            return Err(self.unexpected(&visitor));
        };
        self.serial.skip()?;
        visitor.visit_borrowed_bytes(bytes)
    }

    fn deserialize_byte_buf<V: Visitor<'de>>(self, visitor: V) -> Result<V::Value, Error> {
        self.deserialize_bytes(visitor)
    }

    #[cfg_attr(not(debug_assertions), inline(always))]
    fn deserialize_option<V: Visitor<'de>>(self, visitor: V) -> Result<V::Value, Error> {
        if self.serial.nil() {
            return visitor.visit_none();
        }
        if self.serial.may_be_null() && self.value()?.is_nil() {
            self.serial.skip()?;
            return visitor.visit_none();
        }
        visitor.visit_some(self)
    }

    fn deserialize_unit<V: Visitor<'de>>(self, visitor: V) -> Result<V::Value, Error> {
        if !self.serial.nil() {
            if !self.value()?.is_nil() {
                return Err(self.unexpected(&visitor));
            }
            self.serial.skip()?;
        }
        visitor.visit_unit()
    }

    fn deserialize_unit_struct<V: Visitor<'de>>(
        self,
        _: &'static str,
        visitor: V,
    ) -> Result<V::Value, Error> {
        self.deserialize_unit(visitor)
    }

    #[cfg_attr(not(debug_assertions), inline(always))]
    fn deserialize_newtype_struct<V: Visitor<'de>>(
        self,
        name: &'static str,
        visitor: V,
    ) -> Result<V::Value, Error> {
        if let Some(kind) = native::kind(name) {
            return self.native(kind, visitor);
        }
        if name == native::RAW {
            let value = self.value()?;
            // Checks the whole value now: code that keeps it may rely on its being complete, and an error has its
            // own place only here.
            validate(value)?;
            let before = self.serial.left();
            self.serial.skip()?;
            let size = before - self.serial.left();
            return visitor.visit_map(HandOver::new(value, size));
        }
        visitor.visit_newtype_struct(self)
    }

    #[cfg_attr(not(debug_assertions), inline(always))]
    fn deserialize_seq<V: Visitor<'de>>(self, visitor: V) -> Result<V::Value, Error> {
        match self.serial.enter_array()? {
            Some(count) => self.take_array(count, visitor),
            None => self.packed_seq(visitor),
        }
    }

    #[cfg_attr(not(debug_assertions), inline(always))]
    fn deserialize_tuple<V: Visitor<'de>>(self, _: usize, visitor: V) -> Result<V::Value, Error> {
        self.deserialize_seq(visitor)
    }

    #[cfg_attr(not(debug_assertions), inline(always))]
    fn deserialize_tuple_struct<V: Visitor<'de>>(
        self,
        _: &'static str,
        _: usize,
        visitor: V,
    ) -> Result<V::Value, Error> {
        self.deserialize_seq(visitor)
    }

    #[cfg_attr(not(debug_assertions), inline(always))]
    fn deserialize_map<V: Visitor<'de>>(self, visitor: V) -> Result<V::Value, Error> {
        if let Some(count) = self.serial.enter_dict()? {
            return self.take_dict(count, visitor);
        }
        match self.serial.enter_object()? {
            Some(count) => self.take_object(count, visitor),
            None => Err(self.unexpected(&visitor)),
        }
    }

    #[cfg_attr(not(debug_assertions), inline(always))]
    fn deserialize_struct<V: Visitor<'de>>(
        self,
        _: &'static str,
        fields: &'static [&'static str],
        visitor: V,
    ) -> Result<V::Value, Error> {
        let Some(count) = self.serial.enter_dict()? else {
            return self.odd_struct(visitor);
        };
        let mut pairs = Fields::new(self, count, fields);
        let value = visitor.visit_map(&mut pairs)?;
        let left = pairs.left();
        self.leave(value, left, count)
    }

    fn deserialize_enum<V: Visitor<'de>>(
        self,
        _: &'static str,
        _: &'static [&'static str],
        visitor: V,
    ) -> Result<V::Value, Error> {
        if let Some(text) = self.serial.text()? {
            return visitor.visit_enum(Named(text));
        }
        let at = self.serial.offset();
        let Some(count) = self.serial.enter_dict()? else {
            return Err(self.unexpected(&visitor));
        };
        if count != 1 {
            let error = Error::text(format!(
                "expected a Dictionary with the name of a variant as its only key, found one of \
                 {count} pairs; if the variant's name is among its fields, mark the enum with \
                 #[serde(tag = \"…\")]"
            ));
            return Err(error.or_at(at));
        }
        let value = visitor.visit_enum(Single(self))?;
        self.serial.leave();
        Ok(value)
    }

    fn deserialize_ignored_any<V: Visitor<'de>>(self, visitor: V) -> Result<V::Value, Error> {
        self.serial.skip()?;
        visitor.visit_unit()
    }

    #[inline]
    fn is_human_readable(&self) -> bool {
        false
    }
}

impl<'de> ValueDeserializer<'de> {
    /// Visits one of Godot's own types for a visitor that accepts anything. The map is wrapped in
    /// `Some`, so that a type that keeps unknown values can distinguish it from a Dictionary of the
    /// same form.
    #[inline(never)]
    fn any_native<V: Visitor<'de>>(&mut self, kind: Kind, visitor: V) -> Result<V::Value, Error> {
        if let Some(form) = numbers::form(kind) {
            if let Some((payload, wide)) = self.serial.payload(kind)? {
                let numbers = Numbers::new(payload, form.of(wide));
                return visitor.visit_some(Listed::new(kind, wide, numbers));
            }
        }
        let value = self.value()?;
        if value.is_nil() {
            // It is a null object.
            self.serial.skip()?;
            return visitor.visit_unit();
        }
        let result = visitor.visit_some(Tagged::new(value))?;
        self.serial.skip()?;
        Ok(result)
    }

    /// Visits a value other than a Dictionary as a struct: an array by position, or an object by its
    /// properties.
    #[inline(never)]
    fn odd_struct<V: Visitor<'de>>(&mut self, visitor: V) -> Result<V::Value, Error> {
        if let Some(count) = self.serial.enter_array()? {
            return self.take_array(count, visitor);
        }
        match self.serial.enter_object()? {
            Some(count) => self.take_object(count, visitor),
            None => Err(self.unexpected(&visitor)),
        }
    }
}

#[cold]
fn no_i128() -> Error {
    Error::text("Godot's ints have 64 bits, not 128; use an i64 or a String for the field")
}

/// Returns a deserializer for the name of a field or variant.
fn borrowed<'de>(name: &'de str) -> BorrowedStrDeserializer<'de, Error> {
    BorrowedStrDeserializer::new(name)
}
