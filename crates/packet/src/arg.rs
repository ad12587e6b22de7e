//! [`Arg`]: a value to be written into a packet.

use gdvar_view::{Dialect, Document, VariantRef};
use gdvar_write::{Sink, Target, Writer};

use crate::{
    byte_reader::ByteReader,
    encode::WriteError,
    error::Error,
    value::{self, Value, ValueContent},
};

/// A value to be written into a packet.
///
/// For a type that has no variant here, build the value with `gdvar-write` and pass its bytes to
/// [`Arg::encoded`].
///
/// ```
/// use gdvar_packet::{Arg, Dialect, gdvar_write::{Target, Writer, wire::math::Vector2}};
///
/// let mut writer = Writer::new(Vec::new(), Target::GODOT_4);
/// writer.vector2(Vector2 { x: 1.0, y: 2.0 })?;
/// let position = writer.finish()?;
/// let args = [Arg::from("Ann"), Arg::from(100), Arg::encoded(&position, Dialect::GODOT_4)?];
/// # Ok::<(), Box<dyn std::error::Error>>(())
/// ```
#[derive(Clone, Copy, PartialEq, Debug)]
#[non_exhaustive]
pub enum Arg<'a> {
    /// `null`.
    Nil,
    /// A `bool`, which takes one byte in a packet of Godot 4.
    Bool(bool),
    /// An `int`, which takes two to nine bytes in a packet of Godot 4.
    Int(i64),
    /// A `float`.
    Float(f64),
    /// A String.
    Text(&'a str),
    /// The contents of a PackedByteArray.
    Bytes(&'a [u8]),
    /// Any value, as the ordinary bytes of the engine that receives the packet.
    Encoded(Encoded<'a>),
}

/// The validated bytes of one ordinary value. Made by [`Arg::encoded`] and [`Arg::copy`].
#[derive(Clone, Copy, PartialEq, Eq, Debug)]
pub struct Encoded<'a>(&'a [u8]);

impl<'a> Encoded<'a> {
    /// Returns the bytes, in the format of `var_to_bytes`.
    #[must_use]
    pub const fn bytes(self) -> &'a [u8] {
        self.0
    }
}

impl<'a> Arg<'a> {
    /// Creates an argument from `bytes`, the output of `var_to_bytes` (Godot 3: `var2bytes`). In a
    /// packet of Godot 4, a bool or an int is then written in the short form.
    ///
    /// # Errors
    /// Fails if `bytes` is not exactly one valid value.
    pub fn encoded(bytes: &'a [u8], dialect: Dialect) -> Result<Arg<'a>, Error> {
        let document = Document::new(bytes, dialect);
        let at = |error| Error::value(0, error);
        let end = document.validate().map_err(at)?;
        ByteReader::new(bytes, end).done()?;
        Arg::ordinary(document.root().map_err(at)?).map_err(at)
    }

    /// Creates an argument from `value`, a value in another packet. Both packets must have the same
    /// dialect.
    ///
    /// # Errors
    /// Fails if `value` cannot be read to its end.
    pub fn copy(value: Value<'a>) -> Result<Arg<'a>, Error> {
        match value.content() {
            ValueContent::Bool(value) => Ok(Arg::Bool(value)),
            ValueContent::Int(value) => Ok(Arg::Int(value)),
            ValueContent::Bytes(bytes) => Ok(Arg::Bytes(bytes)),
            ValueContent::Variant(variant) => {
                Arg::ordinary(variant).map_err(|error| Error::value(value.offset(), error))
            }
        }
    }

    fn ordinary(value: VariantRef<'a>) -> Result<Arg<'a>, gdvar_view::Error> {
        if let Some(value) = value.as_bool() {
            return Ok(Arg::Bool(value));
        }
        if let Some(value) = value.as_i64() {
            return Ok(Arg::Int(value));
        }
        // The last value of a packet may lack its padding, which the engine does not require. So
        // the bytes are written again with padding instead of copied.
        if let Some(bytes) = value.as_bytes() {
            return Ok(Arg::Bytes(bytes));
        }
        Ok(Arg::Encoded(Encoded(value.raw()?)))
    }

    /// Writes the value in Godot 4's short form. Only bools and ints have a short form; all other
    /// values are written in the format of `var_to_bytes`.
    pub(crate) fn write_compact<S: Sink>(self, sink: &mut S) -> Result<(), WriteError<S::Error>> {
        match self {
            Arg::Bool(value) => {
                let head = value::BOOL | if value { value::TRUE } else { 0 };
                sink.put(&[head]).map_err(WriteError::Sink)
            }
            Arg::Int(value) => put_int(value, sink).map_err(WriteError::Sink),
            _ => self.write_ordinary(sink, Target::GODOT_4),
        }
    }

    /// Writes the value for the engine `target`, in the format of `var_to_bytes`.
    pub(crate) fn write_ordinary<S: Sink>(
        self,
        sink: &mut S,
        target: Target,
    ) -> Result<(), WriteError<S::Error>> {
        let mut writer = Writer::new(sink, target);
        match self {
            Arg::Nil => writer.nil(),
            Arg::Bool(value) => writer.bool(value),
            Arg::Int(value) => writer.int(value),
            Arg::Float(value) => writer.float(value),
            Arg::Text(text) => writer.string(text),
            Arg::Bytes(bytes) => writer.packed_bytes(bytes),
            Arg::Encoded(value) => writer.raw_bytes(value.0),
        }?;
        Ok(())
    }
}

fn put_int<S: Sink>(value: i64, sink: &mut S) -> Result<(), S::Error> {
    let bytes = value.to_le_bytes();
    let (width, len) = if i8::try_from(value).is_ok() {
        (0, 1)
    } else if i16::try_from(value).is_ok() {
        (1, 2)
    } else if i32::try_from(value).is_ok() {
        (2, 4)
    } else {
        (3, 8)
    };
    sink.put(&[value::INT | width << 6])?;
    sink.put(&bytes[..len])
}

macro_rules! from {
    ($($type:ty => $variant:ident;)*) => {$(
        impl<'a> From<$type> for Arg<'a> {
            fn from(value: $type) -> Arg<'a> {
                Arg::$variant(value.into())
            }
        }
    )*};
}

from! {
    bool => Bool;
    i64 => Int;
    i32 => Int;
    f64 => Float;
    &'a str => Text;
    &'a [u8] => Bytes;
}
