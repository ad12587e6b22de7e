//! [`TextOnly`]: a serializer that accepts only texts, for names of properties and for keys in
//! error messages.

use alloc::{borrow::ToOwned, string::String, vec::Vec};

use gdvar_view::Kind;
use gdvar_wire::native;
use serde_core::{Serialize, Serializer, ser::Impossible};

use super::{
    misused,
    refuse::{refuse, refuse_lists, refuse_named, refuse_wrapped},
};
use crate::Error;

/// Serializes a text to its bytes, and refuses everything else. Text of Godot 3 and 2 that is not
/// UTF-8 arrives as bytes inside the newtype of String.
#[derive(Default)]
pub(super) struct TextOnly {
    in_string: bool,
}

type No = Impossible<Vec<u8>, Error>;

impl Serializer for TextOnly {
    type Ok = Vec<u8>;
    type Error = Error;
    type SerializeSeq = No;
    type SerializeTuple = No;
    type SerializeTupleStruct = No;
    type SerializeTupleVariant = No;
    type SerializeMap = No;
    type SerializeStruct = No;
    type SerializeStructVariant = No;

    fn serialize_str(self, value: &str) -> Result<Vec<u8>, Error> {
        Ok(value.as_bytes().to_owned())
    }

    fn serialize_bytes(self, value: &[u8]) -> Result<Vec<u8>, Error> {
        match self.in_string {
            true => Ok(value.to_owned()),
            false => Err(misused("no text")),
        }
    }

    fn serialize_char(self, value: char) -> Result<Vec<u8>, Error> {
        Ok(String::from(value).into_bytes())
    }

    fn serialize_unit_variant(
        self,
        _: &'static str,
        _: u32,
        variant: &'static str,
    ) -> Result<Vec<u8>, Error> {
        Ok(variant.as_bytes().to_owned())
    }

    fn serialize_newtype_struct<T: Serialize + ?Sized>(
        self,
        name: &'static str,
        value: &T,
    ) -> Result<Vec<u8>, Error> {
        value.serialize(TextOnly {
            in_string: native::kind(name) == Some((Kind::String, false)),
        })
    }

    refuse! {
        |_this| misused("no text");
        serialize_bool(bool) serialize_i8(i8) serialize_i16(i16) serialize_i32(i32)
        serialize_i64(i64) serialize_u8(u8) serialize_u16(u16) serialize_u32(u32)
        serialize_u64(u64) serialize_f32(f32) serialize_f64(f64)
        serialize_none() serialize_unit() serialize_unit_struct(&'static str)
    }
    refuse_wrapped!(|_this| misused("no text"));
    refuse_lists!(|_this| misused("no text"));
    refuse_named!(|_this| misused("no text"));

    fn is_human_readable(&self) -> bool {
        false
    }
}
