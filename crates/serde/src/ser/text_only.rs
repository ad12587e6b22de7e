//! The name of a key that is text: for messages.

use alloc::{borrow::ToOwned, string::String};

use serde_core::{Serialize, Serializer, ser::Impossible};

use super::{
    misused,
    refuse::{refuse, refuse_lists, refuse_named, refuse_wrapped},
};
use crate::Error;

/// Takes text and nothing else.
pub(super) struct TextOnly;

type No = Impossible<String, Error>;

impl Serializer for TextOnly {
    type Ok = String;
    type Error = Error;
    type SerializeSeq = No;
    type SerializeTuple = No;
    type SerializeTupleStruct = No;
    type SerializeTupleVariant = No;
    type SerializeMap = No;
    type SerializeStruct = No;
    type SerializeStructVariant = No;

    fn serialize_str(self, value: &str) -> Result<String, Error> {
        Ok(value.to_owned())
    }

    fn serialize_char(self, value: char) -> Result<String, Error> {
        Ok(value.into())
    }

    fn serialize_unit_variant(
        self,
        _: &'static str,
        _: u32,
        variant: &'static str,
    ) -> Result<String, Error> {
        Ok(variant.to_owned())
    }

    fn serialize_newtype_struct<T: Serialize + ?Sized>(
        self,
        _: &'static str,
        value: &T,
    ) -> Result<String, Error> {
        value.serialize(self)
    }

    refuse! {
        |_this| misused("no text");
        serialize_bool(bool) serialize_i8(i8) serialize_i16(i16) serialize_i32(i32)
        serialize_i64(i64) serialize_u8(u8) serialize_u16(u16) serialize_u32(u32)
        serialize_u64(u64) serialize_f32(f32) serialize_f64(f64) serialize_bytes(&[u8])
        serialize_none() serialize_unit() serialize_unit_struct(&'static str)
    }
    refuse_wrapped!(|_this| misused("no text"));
    refuse_lists!(|_this| misused("no text"));
    refuse_named!(|_this| misused("no text"));

    fn is_human_readable(&self) -> bool {
        false
    }
}
