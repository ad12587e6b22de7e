//! Writes Godot's own types, whose parts arrive inside a newtype with a special name.

use alloc::{format, vec::Vec};

use gdvar_view::{F32, F64, I32, I64, Kind};
use gdvar_wire::math::{Color, Vector2, Vector3, Vector4};
use gdvar_write::{Precision, Writer};
use serde_core::{Serialize, Serializer, ser::Impossible};
use zerocopy::FromBytes;

use super::{
    Output, Result, misused,
    numbers::is_math,
    parts::Parts,
    refuse::{refuse, refuse_named, refuse_wrapped},
};
use crate::Error;

/// Takes the newtype's content: the parts of a value of one of Godot's own types.
pub(super) struct NativeSerializer<'w, S: Output> {
    writer: &'w mut Writer<S>,
    /// The kind of the value. `None` for a whole value in its bytes, from a `RawVariant`.
    kind: Option<Kind>,
    /// `true` if the newtype holds its reals as `f64`, `false` if as `f32`.
    wide: bool,
}

#[cold]
pub(super) fn unfit(kind: Option<Kind>) -> Error {
    match kind {
        Some(kind) => misused(&format!("these are not the parts of a {}", kind.name())),
        None => misused("this is not a kept value"),
    }
}

impl<'w, S: Output> NativeSerializer<'w, S> {
    #[inline(always)]
    pub(super) fn new(writer: &'w mut Writer<S>, kind: Kind, wide: bool) -> Self {
        NativeSerializer {
            writer,
            kind: Some(kind),
            wide,
        }
    }

    pub(super) fn raw(writer: &'w mut Writer<S>) -> Self {
        NativeSerializer {
            writer,
            kind: None,
            wide: false,
        }
    }

    fn packed(self, bytes: &[u8]) -> Result<()> {
        let (writer, wide) = (self.writer, self.wide);
        let as_given = match writer.target().precision() {
            Precision::Single => !wide,
            Precision::Double => wide,
            Precision::AsGiven => true,
        };
        macro_rules! all {
            ($le:ty) => {
                <[$le]>::ref_from_bytes(bytes).map_err(|_| unfit(self.kind))?
            };
        }
        macro_rules! reals {
            ($kind:ident, $vector:ident, $method:ident) => {
                match (as_given, wide) {
                    (true, false) => writer.packed_le(Kind::$kind, all!($vector<F32>)),
                    (true, true) => writer.packed_le(Kind::$kind, all!($vector<F64>)),
                    // Here the target decides the width.
                    (false, false) => {
                        let all: Vec<$vector<f32>> = natives(all!($vector<F32>));
                        writer.$method(&all)
                    }
                    (false, true) => {
                        let all: Vec<$vector<f64>> = natives(all!($vector<F64>));
                        writer.$method(&all)
                    }
                }
            };
        }
        let done = match self.kind {
            Some(Kind::PackedByteArray) => writer.packed_bytes(bytes),
            Some(Kind::PackedInt32Array) => writer.packed_le(Kind::PackedInt32Array, all!(I32)),
            Some(Kind::PackedInt64Array) => writer.packed_le(Kind::PackedInt64Array, all!(I64)),
            Some(Kind::PackedFloat32Array) => writer.packed_le(Kind::PackedFloat32Array, all!(F32)),
            Some(Kind::PackedFloat64Array) => writer.packed_le(Kind::PackedFloat64Array, all!(F64)),
            Some(Kind::PackedColorArray) => {
                writer.packed_le(Kind::PackedColorArray, all!(Color<F32>))
            }
            Some(Kind::PackedVector2iArray) => {
                writer.packed_le(Kind::PackedVector2iArray, all!(Vector2<I32>))
            }
            Some(Kind::PackedVector3iArray) => {
                writer.packed_le(Kind::PackedVector3iArray, all!(Vector3<I32>))
            }
            Some(Kind::PackedVector4iArray) => {
                writer.packed_le(Kind::PackedVector4iArray, all!(Vector4<I32>))
            }
            Some(Kind::PackedVector2Array) => reals!(PackedVector2Array, Vector2, packed_vector2),
            Some(Kind::PackedVector3Array) => reals!(PackedVector3Array, Vector3, packed_vector3),
            Some(Kind::PackedVector4Array) => reals!(PackedVector4Array, Vector4, packed_vector4),
            kind => return Err(unfit(kind)),
        };
        done.map_err(Error::write)
    }
}

fn natives<T: gdvar_view::Element>(all: &[T]) -> Vec<T::Native> {
    all.iter().map(|element| element.get()).collect()
}

impl<'w, S: Output> Serializer for NativeSerializer<'w, S> {
    type Ok = ();
    type Error = Error;
    type SerializeSeq = Parts<'w, S>;
    type SerializeTuple = Parts<'w, S>;
    type SerializeTupleStruct = Impossible<(), Error>;
    type SerializeTupleVariant = Impossible<(), Error>;
    type SerializeMap = Impossible<(), Error>;
    type SerializeStruct = Impossible<(), Error>;
    type SerializeStructVariant = Impossible<(), Error>;

    fn serialize_str(self, value: &str) -> Result<()> {
        let done = match self.kind {
            Some(Kind::StringName) => self.writer.string_name(value),
            Some(Kind::String) => self.writer.string(value),
            kind => return Err(unfit(kind)),
        };
        done.map_err(Error::write)
    }

    fn serialize_u64(self, value: u64) -> Result<()> {
        let done = match (self.kind, value) {
            (Some(Kind::Rid), id) => self.writer.rid(id),
            (Some(Kind::Object), 0) => self.writer.null_object(),
            (Some(Kind::Object), id) => self.writer.object_id(id),
            (kind, _) => return Err(unfit(kind)),
        };
        done.map_err(Error::write)
    }

    fn serialize_bytes(self, value: &[u8]) -> Result<()> {
        match self.kind {
            Some(Kind::String) => self.writer.string_bytes(value).map_err(Error::write),
            _ => self.packed(value),
        }
    }

    fn serialize_unit(self) -> Result<()> {
        match self.kind {
            Some(Kind::Callable) => self.writer.callable().map_err(Error::write),
            kind => Err(unfit(kind)),
        }
    }

    fn serialize_seq(self, len: Option<usize>) -> Result<Parts<'w, S>> {
        self.serialize_tuple(len.unwrap_or(0))
    }

    #[inline(always)]
    fn serialize_tuple(self, len: usize) -> Result<Parts<'w, S>> {
        if let Some(kind) = self.kind {
            if is_math(kind) {
                return Ok(Parts::numbers(self.writer, kind, self.wide));
            }
        }
        Ok(Parts::mixed(self.writer, self.kind, len))
    }

    refuse! {
        |this| unfit(this.kind);
        serialize_bool(bool) serialize_i8(i8) serialize_i16(i16) serialize_i32(i32)
        serialize_i64(i64) serialize_u8(u8) serialize_u16(u16) serialize_u32(u32)
        serialize_f32(f32) serialize_f64(f64) serialize_char(char) serialize_none()
        serialize_unit_struct(&'static str)
        serialize_unit_variant(&'static str, u32, &'static str)
    }

    fn serialize_newtype_struct<T: Serialize + ?Sized>(
        self,
        _: &'static str,
        value: &T,
    ) -> Result<()> {
        value.serialize(self)
    }

    refuse_wrapped!(|this| unfit(this.kind));
    refuse_named!(|this| unfit(this.kind));

    #[inline]
    fn is_human_readable(&self) -> bool {
        false
    }
}
