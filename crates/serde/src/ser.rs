//! Serializes values with a [`Writer`], which also checks the counts of children. Methods are
//! forced inline only in optimised builds, as in `de.rs`.

mod native;
mod numbers;
mod open;
mod output;
mod parts;
mod refuse;
mod text_only;

use alloc::format;

use gdvar_view::widen;
use gdvar_wire::{Kind, native as names};
use gdvar_write::Writer;
use serde_core::{Serialize, Serializer, ser};

pub(crate) use self::output::Output;
#[cfg(feature = "std")]
pub(crate) use self::output::Spill;
use self::{native::NativeSerializer, open::ContainerSerializer};
use crate::{Error, typed};

type Result<T> = core::result::Result<T, Error>;

/// Serializes a value.
pub(crate) struct ValueSerializer<'w, S: Output> {
    writer: &'w mut Writer<S>,
    /// `true` inside a newtype with the name [`names::VARIANT`].
    in_variant: bool,
    /// The element type, if the value must be written as a typed Array.
    element: Option<Kind>,
}

impl<'w, S: Output> ValueSerializer<'w, S> {
    #[cfg_attr(not(debug_assertions), inline(always))]
    pub(crate) fn new(writer: &'w mut Writer<S>) -> Self {
        ValueSerializer {
            writer,
            in_variant: false,
            element: None,
        }
    }

    /// Begins a Dictionary whose only key is the name of a variant. The caller writes the value.
    #[cfg_attr(not(debug_assertions), inline(always))]
    fn begin_variant(&mut self, variant: &str) -> Result<()> {
        self.writer.begin_dict(1).map_err(Error::write)?;
        self.writer.string(variant).map_err(Error::write)
    }
}

macro_rules! ints {
    ($($method:ident: $int:ty;)*) => {$(
        #[cfg_attr(not(debug_assertions), inline(always))]
        fn $method(self, value: $int) -> Result<()> {
            self.serialize_i64(value.into())
        }
    )*};
}

#[cold]
fn no_i128() -> Error {
    Error::text("Godot's ints have 64 bits, not 128; use an i64 or a String for the field")
}

#[cold]
fn too_large(value: u64) -> Error {
    Error::text(format!(
        "{value} is more than Godot's largest int, {}; use an i64, an f64 or a String for the field",
        i64::MAX
    ))
}

impl<'w, S: Output> Serializer for ValueSerializer<'w, S> {
    type Ok = ();
    type Error = Error;
    type SerializeSeq = ContainerSerializer<'w, S>;
    type SerializeTuple = ContainerSerializer<'w, S>;
    type SerializeTupleStruct = ContainerSerializer<'w, S>;
    type SerializeTupleVariant = ContainerSerializer<'w, S>;
    type SerializeMap = ContainerSerializer<'w, S>;
    type SerializeStruct = ContainerSerializer<'w, S>;
    type SerializeStructVariant = ContainerSerializer<'w, S>;

    #[cfg_attr(not(debug_assertions), inline(always))]
    fn serialize_bool(self, value: bool) -> Result<()> {
        self.writer.bool(value).map_err(Error::write)
    }

    ints! {
        serialize_i8: i8;
        serialize_i16: i16;
        serialize_i32: i32;
        serialize_u8: u8;
        serialize_u16: u16;
        serialize_u32: u32;
    }

    #[cfg_attr(not(debug_assertions), inline(always))]
    fn serialize_i64(self, value: i64) -> Result<()> {
        self.writer.int(value).map_err(Error::write)
    }

    #[cfg_attr(not(debug_assertions), inline(always))]
    fn serialize_u64(self, value: u64) -> Result<()> {
        match i64::try_from(value) {
            Ok(value) => self.serialize_i64(value),
            Err(_) => Err(too_large(value)),
        }
    }

    fn serialize_i128(self, _: i128) -> Result<()> {
        Err(no_i128())
    }

    fn serialize_u128(self, _: u128) -> Result<()> {
        Err(no_i128())
    }

    #[cfg_attr(not(debug_assertions), inline(always))]
    fn serialize_f32(self, value: f32) -> Result<()> {
        self.serialize_f64(widen(value))
    }

    #[cfg_attr(not(debug_assertions), inline(always))]
    fn serialize_f64(self, value: f64) -> Result<()> {
        self.writer.float(value).map_err(Error::write)
    }

    fn serialize_char(self, value: char) -> Result<()> {
        self.serialize_str(value.encode_utf8(&mut [0; 4]))
    }

    #[cfg_attr(not(debug_assertions), inline(always))]
    fn serialize_str(self, value: &str) -> Result<()> {
        self.writer.string(value).map_err(Error::write)
    }

    fn serialize_bytes(self, value: &[u8]) -> Result<()> {
        self.writer.packed_bytes(value).map_err(Error::write)
    }

    #[inline]
    fn serialize_none(self) -> Result<()> {
        self.serialize_unit()
    }

    #[cfg_attr(not(debug_assertions), inline(always))]
    fn serialize_some<T: Serialize + ?Sized>(self, value: &T) -> Result<()> {
        value.serialize(self)
    }

    #[cfg_attr(not(debug_assertions), inline(always))]
    fn serialize_unit(self) -> Result<()> {
        self.writer.nil().map_err(Error::write)
    }

    #[inline]
    fn serialize_unit_struct(self, _: &'static str) -> Result<()> {
        self.serialize_unit()
    }

    #[cfg_attr(not(debug_assertions), inline(always))]
    fn serialize_unit_variant(self, _: &'static str, _: u32, variant: &'static str) -> Result<()> {
        self.serialize_str(variant)
    }

    #[cfg_attr(not(debug_assertions), inline(always))]
    fn serialize_newtype_struct<T: Serialize + ?Sized>(
        self,
        name: &'static str,
        value: &T,
    ) -> Result<()> {
        if let Some((kind, wide)) = names::kind(name) {
            return value.serialize(NativeSerializer::new(self.writer, kind, wide));
        }
        if name == names::RAW {
            return value.serialize(NativeSerializer::raw(self.writer));
        }
        if name == names::VARIANT {
            return value.serialize(ValueSerializer {
                writer: self.writer,
                in_variant: true,
                element: None,
            });
        }
        if let Some(kind) = typed::item(name) {
            return value.serialize(ValueSerializer {
                element: Some(kind),
                ..self
            });
        }
        value.serialize(self)
    }

    #[cfg_attr(not(debug_assertions), inline(always))]
    fn serialize_newtype_variant<T: Serialize + ?Sized>(
        mut self,
        _: &'static str,
        _: u32,
        variant: &'static str,
        value: &T,
    ) -> Result<()> {
        self.begin_variant(variant)?;
        let done = value.serialize(ValueSerializer::new(&mut *self.writer));
        done.map_err(|error| error.inside(&open::step(variant)))?;
        self.writer.end().map_err(Error::write)
    }

    #[inline]
    fn serialize_seq(self, len: Option<usize>) -> Result<ContainerSerializer<'w, S>> {
        match self.element {
            None => ContainerSerializer::array(self.writer, len),
            Some(kind) => ContainerSerializer::typed_array(self.writer, kind, len),
        }
    }

    #[inline]
    fn serialize_tuple(self, len: usize) -> Result<ContainerSerializer<'w, S>> {
        self.serialize_seq(Some(len))
    }

    #[inline]
    fn serialize_tuple_struct(
        self,
        _: &'static str,
        len: usize,
    ) -> Result<ContainerSerializer<'w, S>> {
        ContainerSerializer::array(self.writer, Some(len))
    }

    #[cfg_attr(not(debug_assertions), inline(always))]
    fn serialize_tuple_variant(
        mut self,
        _: &'static str,
        _: u32,
        variant: &'static str,
        len: usize,
    ) -> Result<ContainerSerializer<'w, S>> {
        self.begin_variant(variant)?;
        Ok(ContainerSerializer::array(self.writer, Some(len))?.of_variant(variant))
    }

    #[inline]
    fn serialize_map(self, len: Option<usize>) -> Result<ContainerSerializer<'w, S>> {
        ContainerSerializer::dict(self.writer, len)
    }

    #[cfg_attr(not(debug_assertions), inline(always))]
    fn serialize_struct(self, _: &'static str, len: usize) -> Result<ContainerSerializer<'w, S>> {
        ContainerSerializer::dict(self.writer, Some(len))
    }

    #[cfg_attr(not(debug_assertions), inline(always))]
    fn serialize_struct_variant(
        mut self,
        _: &'static str,
        _: u32,
        variant: &'static str,
        len: usize,
    ) -> Result<ContainerSerializer<'w, S>> {
        self.begin_variant(variant)?;
        Ok(ContainerSerializer::dict(self.writer, Some(len))?.of_variant(variant))
    }

    #[inline]
    fn is_human_readable(&self) -> bool {
        self.in_variant
    }
}

/// Returns the error for a wrong implementation of `Serialize`.
#[cold]
fn misused(what: &str) -> Error {
    <Error as ser::Error>::custom(what)
}
