//! Serializes the components of a vector or matrix.

use gdvar_view::Kind;
use gdvar_write::Writer;
use serde_core::{Serialize, Serializer, ser::Impossible};

use super::{
    Output, Result,
    native::unfit,
    refuse::{refuse, refuse_lists, refuse_named, refuse_wrapped},
};
use crate::Error;

/// Returns `true` for a kind with a fixed number of components.
#[inline(always)]
pub(super) const fn is_math(kind: Kind) -> bool {
    kind.component_count() > 0
}

/// The greatest size of the components in bytes: a Projection of 64-bit reals.
const MOST: usize = 16 * 8;

/// Takes components one by one, and stores them in wire layout.
pub(super) struct NumberSerializer<'w, S: Output> {
    writer: &'w mut Writer<S>,
    kind: Kind,
    wide: bool,
    bytes: [u8; MOST],
    len: usize,
}

impl<'w, S: Output> NumberSerializer<'w, S> {
    #[inline(always)]
    pub(super) fn new(writer: &'w mut Writer<S>, kind: Kind, wide: bool) -> Self {
        NumberSerializer {
            writer,
            kind,
            wide,
            bytes: [0; MOST],
            len: 0,
        }
    }

    #[inline(always)]
    pub(super) fn take<T: Serialize + ?Sized>(&mut self, value: &T) -> Result<()> {
        value.serialize(ComponentSerializer(self))
    }

    #[inline(always)]
    fn push<const N: usize>(&mut self, number: [u8; N]) -> Result<()> {
        let room = self.bytes.get_mut(self.len..);
        let Some(place) = room.and_then(<[u8]>::first_chunk_mut) else {
            return Err(unfit(Some(self.kind)));
        };
        *place = number;
        self.len += N;
        Ok(())
    }

    #[inline(always)]
    pub(super) fn finish(self) -> Result<()> {
        let components = self.bytes.get(..self.len).unwrap_or_default();
        let done = self.writer.math_le(self.kind, self.wide, components);
        done.map_err(Error::write)
    }
}

/// Takes a component.
struct ComponentSerializer<'n, 'w, S: Output>(&'n mut NumberSerializer<'w, S>);

type No = Impossible<(), Error>;

impl<S: Output> Serializer for ComponentSerializer<'_, '_, S> {
    type Ok = ();
    type Error = Error;
    type SerializeSeq = No;
    type SerializeTuple = No;
    type SerializeTupleStruct = No;
    type SerializeTupleVariant = No;
    type SerializeMap = No;
    type SerializeStruct = No;
    type SerializeStructVariant = No;

    #[inline(always)]
    fn serialize_f32(self, value: f32) -> Result<()> {
        self.0.push(value.to_le_bytes())
    }

    #[inline(always)]
    fn serialize_f64(self, value: f64) -> Result<()> {
        self.0.push(value.to_le_bytes())
    }

    #[inline(always)]
    fn serialize_i32(self, value: i32) -> Result<()> {
        self.0.push(value.to_le_bytes())
    }

    fn serialize_newtype_struct<T: Serialize + ?Sized>(self, _: &'static str, _: &T) -> Result<()> {
        Err(unfit(Some(self.0.kind)))
    }

    refuse! {
        |this| unfit(Some(this.0.kind));
        serialize_bool(bool) serialize_i8(i8) serialize_i16(i16) serialize_i64(i64)
        serialize_u8(u8) serialize_u16(u16) serialize_u32(u32) serialize_u64(u64)
        serialize_char(char) serialize_str(&str) serialize_bytes(&[u8]) serialize_none()
        serialize_unit() serialize_unit_struct(&'static str)
        serialize_unit_variant(&'static str, u32, &'static str)
    }
    refuse_wrapped!(|this| unfit(Some(this.0.kind)));
    refuse_lists!(|this| unfit(Some(this.0.kind)));
    refuse_named!(|this| unfit(Some(this.0.kind)));

    fn is_human_readable(&self) -> bool {
        false
    }
}
