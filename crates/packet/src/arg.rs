//! [`Arg`]: a value to be written into a packet, and [`Encode`], what all that can be written shares.

use core::{convert::Infallible, fmt};

use gdvar_view::{Dialect, Document, VariantRef};
use gdvar_write::{BufferFull, Measure, Sink, SliceSink, Target, Writer};

use crate::{Content, Error, Value, value};

/// A value to be written into a packet.
///
/// Anything without a variant of its own is given as the bytes of `var_to_bytes`, which
/// `gdvar-write` makes: [`Arg::encoded`].
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
    /// A `bool`.
    Bool(bool),
    /// An `int`.
    Int(i64),
    /// A `float`.
    Float(f64),
    /// A String.
    Text(&'a str),
    /// The contents of a PackedByteArray.
    Bytes(&'a [u8]),
    /// Any value, as ordinary bytes of the engine that the packet is for.
    Encoded(Encoded<'a>),
}

/// The bytes of one ordinary value, validated.
#[derive(Clone, Copy, PartialEq, Eq, Debug)]
pub struct Encoded<'a>(&'a [u8]);

impl<'a> Encoded<'a> {
    /// The bytes.
    #[must_use]
    pub const fn bytes(self) -> &'a [u8] {
        self.0
    }
}

impl<'a> Arg<'a> {
    /// A value as the bytes of `var_to_bytes` (Godot 3: `var2bytes`). Bools and ints of Godot 4 are
    /// shortened when they are written.
    ///
    /// # Errors
    /// If the bytes are not one value and nothing else.
    pub fn encoded(bytes: &'a [u8], dialect: Dialect) -> Result<Arg<'a>, Error> {
        let document = Document::new(bytes, dialect);
        let at = |error| Error::value(0, error);
        let end = document.validate().map_err(at)?;
        crate::reader::Reader::new(bytes, end).done()?;
        Arg::ordinary(document.root().map_err(at)?).map_err(at)
    }

    /// A value that was read elsewhere, in the dialect that the packet is for.
    ///
    /// # Errors
    /// If it cannot be read to its end.
    pub fn copy(value: Value<'a>) -> Result<Arg<'a>, Error> {
        match value.content() {
            Content::Bool(value) => Ok(Arg::Bool(value)),
            Content::Int(value) => Ok(Arg::Int(value)),
            Content::Bytes(bytes) => Ok(Arg::Bytes(bytes)),
            Content::Variant(variant) => {
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
        // At the end of a packet it may lack its padding, which the engine does not miss.
        if let Some(bytes) = value.as_bytes() {
            return Ok(Arg::Bytes(bytes));
        }
        Ok(Arg::Encoded(Encoded(value.raw()?)))
    }

    /// Writes it as Godot 4 does in packets: shortened.
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

    /// Writes it as `var_to_bytes` does.
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

/// Why a packet could not be written.
#[derive(Clone, Copy, PartialEq, Eq, Debug)]
#[non_exhaustive]
pub enum WriteError<E> {
    /// The sink did not take the bytes.
    Sink(E),
    /// A value that the writer of values refused.
    Value(gdvar_write::WriteErrorKind<Infallible>),
    /// More arguments, names or bytes than the field for their number can say.
    TooLong {
        /// The number of arguments.
        len: usize,
        /// The most there can be.
        most: usize,
    },
    /// A name or path with a NUL inside: the engine would cut it there.
    EmbeddedNul,
}

impl<E> From<gdvar_write::Error<E>> for WriteError<E> {
    fn from(error: gdvar_write::Error<E>) -> WriteError<E> {
        match error.into_kind().without_sink() {
            Ok(kind) => WriteError::Value(kind),
            Err(error) => WriteError::Sink(error),
        }
    }
}

impl<E: fmt::Display> fmt::Display for WriteError<E> {
    fn fmt(&self, f: &mut fmt::Formatter<'_>) -> fmt::Result {
        match self {
            WriteError::Sink(error) => error.fmt(f),
            WriteError::Value(kind) => write!(f, "a value cannot be written: {kind}"),
            WriteError::TooLong { len, most } => {
                write!(
                    f,
                    "{len} is more than a packet can hold there, which is {most}"
                )
            }
            WriteError::EmbeddedNul => f.write_str("a name or path has a NUL inside"),
        }
    }
}

impl<E: core::error::Error> core::error::Error for WriteError<E> {}

/// Anything that can be written: packets and their carriers.
pub trait Encode {
    /// Writes it. Nothing is allocated but by the sink.
    ///
    /// # Errors
    /// If the sink does not take the bytes, or a field cannot hold what it is given.
    fn encode<S: Sink>(&self, sink: &mut S) -> Result<(), WriteError<S::Error>>;

    /// Writes it to the start of a buffer; returns what was written.
    ///
    /// # Errors
    /// As [`Encode::encode`]; the buffer may be too small.
    fn encode_into<'b>(
        &self,
        buffer: &'b mut [u8],
    ) -> Result<&'b mut [u8], WriteError<BufferFull>> {
        let mut sink = SliceSink::new(buffer);
        self.encode(&mut sink)?;
        Ok(sink.into_written())
    }

    /// The number of bytes that it takes: as long as writing it.
    ///
    /// # Errors
    /// If a field cannot hold what it is given.
    fn size(&self) -> Result<usize, WriteError<Infallible>> {
        let mut measure = Measure::new();
        self.encode(&mut measure)?;
        Ok(measure.len() as usize)
    }
}

/// Puts a text and its NUL.
pub(crate) fn put_name<S: Sink>(name: &[u8], sink: &mut S) -> Result<(), WriteError<S::Error>> {
    if name.contains(&0) {
        return Err(WriteError::EmbeddedNul);
    }
    put(name, sink)?;
    put(&[0], sink)
}

/// Puts bytes.
pub(crate) fn put<S: Sink>(bytes: &[u8], sink: &mut S) -> Result<(), WriteError<S::Error>> {
    sink.put(bytes).map_err(WriteError::Sink)
}

/// A length as a field of four bytes.
pub(crate) fn word<E>(len: usize) -> Result<u32, WriteError<E>> {
    // The engines take lengths as signed.
    let most = i32::MAX as usize;
    u32::try_from(len)
        .ok()
        .filter(|&len| len <= most as u32)
        .ok_or(WriteError::TooLong { len, most })
}

/// The error of a measurement, which no sink causes, as that of another sink.
pub(crate) fn measured<E>(error: WriteError<Infallible>) -> WriteError<E> {
    match error {
        WriteError::Sink(never) => match never {},
        WriteError::Value(kind) => WriteError::Value(kind),
        WriteError::TooLong { len, most } => WriteError::TooLong { len, most },
        WriteError::EmbeddedNul => WriteError::EmbeddedNul,
    }
}
