//! [`Value`]: an argument or property in a packet, and [`Values`], a sequence of them.

use gdvar_view::{Document, Kind, Mode, Path, ReadOptions, VariantRef};
use gdvar_write::wire::Body;

use crate::{
    byte_reader::ByteReader,
    error::{Error, PacketErrorKind},
};

/// An argument of a call, or a replicated property.
///
/// Godot 4 shortens two types in packets (`scene/main/multiplayer_api.cpp:57`): a bool takes one
/// byte, an int two to nine. Everything else, and every value of Godot 3, is an ordinary value
/// ([`docs/PACKETS.md` §2]).
///
/// [`docs/PACKETS.md` §2]: https://github.com/gdvar/gdvar/blob/main/docs/PACKETS.md#2-godot-4
#[derive(Clone, Copy, Debug)]
pub struct Value<'a> {
    offset: usize,
    len: usize,
    content: ValueContent<'a>,
}

/// The contents of a value, by the form that it has in the packet.
#[derive(Clone, Copy, Debug)]
pub enum ValueContent<'a> {
    /// A bool in one byte.
    Bool(bool),
    /// An int in two to nine bytes.
    Int(i64),
    /// The only argument of a Godot 4 call, a PackedByteArray without a header.
    Bytes(&'a [u8]),
    /// An ordinary value, validated to its end. Its offsets are relative to its first byte.
    Variant(VariantRef<'a>),
}

impl<'a> Value<'a> {
    pub(crate) const fn bytes(offset: usize, bytes: &'a [u8]) -> Value<'a> {
        Value {
            offset,
            len: bytes.len(),
            content: ValueContent::Bytes(bytes),
        }
    }

    /// The offset in the packet of the value's first byte.
    #[must_use]
    pub const fn offset(self) -> usize {
        self.offset
    }

    /// The number of bytes that the value takes in the packet.
    #[must_use]
    pub const fn size(self) -> usize {
        self.len
    }

    /// The contents, in the form that the packet has.
    #[must_use]
    pub const fn content(self) -> ValueContent<'a> {
        self.content
    }

    /// The kind of the value.
    #[must_use]
    pub const fn kind(self) -> Kind {
        match self.content {
            ValueContent::Bool(_) => Kind::Bool,
            ValueContent::Int(_) => Kind::Int,
            ValueContent::Bytes(_) => Kind::PackedByteArray,
            ValueContent::Variant(value) => value.kind(),
        }
    }

    /// The `bool`, or `None` for another type.
    #[must_use]
    pub fn as_bool(self) -> Option<bool> {
        match self.content {
            ValueContent::Bool(value) => Some(value),
            ValueContent::Variant(value) => value.as_bool(),
            _ => None,
        }
    }

    /// The `int`, or `None` for another type.
    #[must_use]
    pub fn as_i64(self) -> Option<i64> {
        match self.content {
            ValueContent::Int(value) => Some(value),
            ValueContent::Variant(value) => value.as_i64(),
            _ => None,
        }
    }

    /// The `float`, or `None` for another type. [`Value::as_number`] accepts an `int` too.
    #[must_use]
    pub fn as_f64(self) -> Option<f64> {
        self.as_variant()?.as_f64()
    }

    /// The `float`, or the `int` converted to a float. `None` for another type.
    #[must_use]
    pub fn as_number(self) -> Option<f64> {
        match self.content {
            ValueContent::Int(value) => Some(value as f64),
            ValueContent::Variant(value) => value.as_number(),
            _ => None,
        }
    }

    /// The text of a String or StringName, or `None` for another type.
    #[must_use]
    pub fn as_str(self) -> Option<&'a str> {
        self.as_variant()?.as_str()
    }

    /// The ordinary value, or `None` if the packet has it in a short form.
    #[must_use]
    pub const fn as_variant(self) -> Option<VariantRef<'a>> {
        match self.content {
            ValueContent::Variant(value) => Some(value),
            _ => None,
        }
    }

    /// Finds the value at `path` inside this value. Returns `Ok(None)` if there is no value at the
    /// path.
    ///
    /// # Errors
    /// Fails if a value on the path cannot be read.
    pub fn get_path(self, path: &Path<'_>) -> Result<Option<Value<'a>>, Error> {
        if path.steps().is_empty() {
            return Ok(Some(self));
        }
        let ValueContent::Variant(value) = self.content else {
            return Ok(None);
        };
        let at = |error| Error::value(self.offset, error);
        let Some(found) = value.get_path(path).map_err(at)? else {
            return Ok(None);
        };
        let end = found.end().map_err(at)?;
        Ok(Some(Value {
            offset: self.offset + found.offset(),
            len: end - found.offset(),
            content: ValueContent::Variant(found),
        }))
    }
}

/// The values of a packet, in sequence. Each value is validated when it is read. Ends after an
/// error.
///
/// Reading a value takes one walk over its bytes, and allocates nothing.
#[derive(Clone, Copy, Debug)]
pub struct Values<'a> {
    /// The packet up to the last byte that values may use.
    bytes: &'a [u8],
    at: usize,
    /// The number of values left, or `None` if the packet does not count them.
    left: Option<u32>,
    options: ReadOptions,
    compact: bool,
    /// The only value is a PackedByteArray without a header.
    raw: bool,
}

impl<'a> Values<'a> {
    /// The compact values of Godot 4 in `bytes` from offset `at` on.
    pub(crate) const fn compact(
        bytes: &'a [u8],
        at: usize,
        left: Option<u32>,
        options: ReadOptions,
    ) -> Values<'a> {
        Values {
            bytes,
            at,
            left,
            options,
            compact: true,
            raw: false,
        }
    }

    /// The ordinary values of Godot 3.
    pub(crate) const fn ordinary(
        bytes: &'a [u8],
        at: usize,
        left: u32,
        options: ReadOptions,
    ) -> Values<'a> {
        Values {
            bytes,
            at,
            left: Some(left),
            options,
            compact: false,
            raw: false,
        }
    }

    /// The rest of `bytes` as one PackedByteArray. No value if nothing is left.
    pub(crate) const fn raw(bytes: &'a [u8], at: usize, options: ReadOptions) -> Values<'a> {
        Values {
            bytes,
            at,
            left: Some((bytes.len() > at) as u32),
            options,
            compact: true,
            raw: true,
        }
    }

    /// The number of values that are left according to the packet's count, or `None` if the packet
    /// has no count.
    #[must_use]
    pub const fn announced(self) -> Option<u32> {
        self.left
    }

    /// The offset of the first byte that was not read yet.
    #[must_use]
    pub const fn position(&self) -> usize {
        self.at
    }

    /// Reads the next value. Returns `Ok(None)` after the last one and after an error.
    ///
    /// # Errors
    /// Fails if the bytes are not a valid value.
    #[inline(always)]
    pub fn try_next(&mut self) -> Result<Option<Value<'a>>, Error> {
        match &mut self.left {
            Some(0) => return Ok(None),
            Some(left) => *left -= 1,
            None if self.at >= self.bytes.len() => return Ok(None),
            None => {}
        }
        match self.read() {
            Ok(value) => {
                self.at += value.len;
                Ok(Some(value))
            }
            Err(error) => {
                self.left = Some(0);
                Err(error)
            }
        }
    }

    /// Reads all remaining values, which must end where the packet ends.
    ///
    /// # Errors
    /// Fails if a value cannot be read, or bytes follow the last one
    /// ([`TrailingBytes`](crate::PacketErrorKind::TrailingBytes)).
    pub fn validate(mut self) -> Result<(), Error> {
        while self.try_next()?.is_some() {}
        ByteReader::new(self.bytes, self.at).done()
    }

    // Inlined by force: otherwise the compiler makes a call and copies each value three times. A
    // call of three arguments then takes 45 ns in place of 31, and 52 in place of 26 in a datagram
    // of ENet (`--example speed`).
    #[inline(always)]
    fn read(&self) -> Result<Value<'a>, Error> {
        let (at, rest) = (self.at, self.bytes.get(self.at..).unwrap_or_default());
        if self.raw {
            return Ok(Value::bytes(at, rest));
        }
        let value = |len, content| Value {
            offset: at,
            len,
            content,
        };
        if self.compact {
            let Some(&head) = rest.first() else {
                return Err(Error::truncated(at, 1));
            };
            match head & TYPE_MASK {
                BOOL => return Ok(value(1, ValueContent::Bool(head & TRUE != 0))),
                INT => {
                    let (int, len) = int(ByteReader::new(self.bytes, at + 1), head >> 6)?;
                    return Ok(value(1 + len, ValueContent::Int(int)));
                }
                _ => {}
            }
        }
        let document = Document::with_options(rest, self.options);
        let checked = |error| Error::value(at, error);
        let root = document.root().map_err(checked)?;
        let len = match self.plain_len(rest) {
            Some(len) => len,
            None => document.validate().map_err(checked)?,
        };
        Ok(value(len, ValueContent::Variant(root)))
    }

    /// Returns the length of a value of fixed size in engine mode, or `None` if a walk must
    /// validate the value. A value of fixed size needs no walk: only its header and its size can be
    /// wrong, and `root()` has checked both. Vector4 and Projection need the walk, because more
    /// options apply to them.
    #[inline]
    fn plain_len(&self, rest: &[u8]) -> Option<usize> {
        let header = u32::from_le_bytes(*rest.first_chunk()?);
        let plain = self.options.dialect().plain(header);
        let is_plain = plain.body == Body::Fixed
            && !matches!(plain.kind, Kind::Vector4 | Kind::Projection)
            && self.options.mode() == Mode::Engine;
        let len = usize::from(plain.size);
        (is_plain && rest.len() >= len).then_some(len)
    }
}

/// The type of a compact value: bits 0–5 of its first byte.
pub(crate) const TYPE_MASK: u8 = 0x3f;
pub(crate) const BOOL: u8 = 1;
pub(crate) const INT: u8 = 2;
/// The bit that is set in a compact `true`.
pub(crate) const TRUE: u8 = 0x80;

/// Reads an int of 1, 2, 4 or 8 bytes, and returns it with this size. `width` is the code of the
/// size: 0 to 3.
fn int(mut reader: ByteReader<'_>, width: u8) -> Result<(i64, usize), Error> {
    Ok(match width {
        0 => (i64::from(reader.u8()? as i8), 1),
        1 => (i64::from(reader.u16()? as i16), 2),
        2 => (i64::from(reader.i32()?), 4),
        _ => (reader.u64()? as i64, 8),
    })
}

impl<'a> Iterator for Values<'a> {
    type Item = Result<Value<'a>, Error>;

    #[inline]
    fn next(&mut self) -> Option<Self::Item> {
        self.try_next().transpose()
    }
}

/// The offset after the next `len` bytes, or an error if the packet is shorter.
pub(crate) fn end_of(reader: &ByteReader<'_>, len: u32) -> Result<usize, Error> {
    let len = len as usize;
    if len > reader.rest().len() {
        let length = u32::try_from(len).unwrap_or(u32::MAX);
        return Err(Error::new(
            reader.at(),
            PacketErrorKind::BadLength { length },
        ));
    }
    Ok(reader.at() + len)
}
