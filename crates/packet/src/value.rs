//! [`Value`]: one argument or property in a packet, and [`Values`], the sequence of them.

use gdvar_view::{Document, Kind, Mode, Path, ReadOptions, VariantRef};
use gdvar_write::wire::Body;

use crate::{Error, PacketErrorKind, reader::Reader};

/// An argument of a call, or a property that is replicated.
///
/// Godot 4 shortens two types in packets (`scene/main/multiplayer_api.cpp:57`): a bool takes one byte,
/// an int two to nine. Everything else, and everything in Godot 3, is an ordinary value.
#[derive(Clone, Copy, Debug)]
pub struct Value<'a> {
    offset: usize,
    len: usize,
    content: Content<'a>,
}

/// The value itself.
#[derive(Clone, Copy, Debug)]
pub enum Content<'a> {
    /// A bool in one byte.
    Bool(bool),
    /// An int in two to nine bytes.
    Int(i64),
    /// The sole argument of a call of Godot 4, a PackedByteArray without a header.
    Bytes(&'a [u8]),
    /// An ordinary value. All of it was validated; its offsets count from its own first byte.
    Variant(VariantRef<'a>),
}

impl<'a> Value<'a> {
    pub(crate) const fn bytes(offset: usize, bytes: &'a [u8]) -> Value<'a> {
        Value {
            offset,
            len: bytes.len(),
            content: Content::Bytes(bytes),
        }
    }

    /// The first byte of it in the packet.
    #[must_use]
    pub const fn offset(self) -> usize {
        self.offset
    }

    /// The number of bytes that it takes in the packet.
    #[must_use]
    pub const fn size(self) -> usize {
        self.len
    }

    /// The value itself.
    #[must_use]
    pub const fn content(self) -> Content<'a> {
        self.content
    }

    /// The kind of the value.
    #[must_use]
    pub const fn kind(self) -> Kind {
        match self.content {
            Content::Bool(_) => Kind::Bool,
            Content::Int(_) => Kind::Int,
            Content::Bytes(_) => Kind::PackedByteArray,
            Content::Variant(value) => value.kind(),
        }
    }

    /// A `bool`.
    #[must_use]
    pub fn as_bool(self) -> Option<bool> {
        match self.content {
            Content::Bool(value) => Some(value),
            Content::Variant(value) => value.as_bool(),
            _ => None,
        }
    }

    /// An `int`.
    #[must_use]
    pub fn as_i64(self) -> Option<i64> {
        match self.content {
            Content::Int(value) => Some(value),
            Content::Variant(value) => value.as_i64(),
            _ => None,
        }
    }

    /// A `float`; for an `int` it is `None`: see [`Value::as_number`].
    #[must_use]
    pub fn as_f64(self) -> Option<f64> {
        self.as_variant()?.as_f64()
    }

    /// A `float` or an `int` as a float.
    #[must_use]
    pub fn as_number(self) -> Option<f64> {
        match self.content {
            Content::Int(value) => Some(value as f64),
            Content::Variant(value) => value.as_number(),
            _ => None,
        }
    }

    /// The text of a String or a StringName.
    #[must_use]
    pub fn as_str(self) -> Option<&'a str> {
        self.as_variant()?.as_str()
    }

    /// The value where it is an ordinary one.
    #[must_use]
    pub const fn as_variant(self) -> Option<VariantRef<'a>> {
        match self.content {
            Content::Variant(value) => Some(value),
            _ => None,
        }
    }

    /// The value at a path below this one. `Ok(None)` if there is none.
    ///
    /// # Errors
    /// If a value on the way cannot be read.
    pub fn get_path(self, path: &Path<'_>) -> Result<Option<Value<'a>>, Error> {
        if path.steps().is_empty() {
            return Ok(Some(self));
        }
        let Content::Variant(value) = self.content else {
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
            content: Content::Variant(found),
        }))
    }
}

/// Values of a packet, one behind the other: validated as they are reached, fused after an error.
///
/// It costs a walk over each value, and no allocation.
#[derive(Clone, Copy, Debug)]
pub struct Values<'a> {
    /// The packet up to where the values may reach.
    bytes: &'a [u8],
    at: usize,
    /// The number of bytes that come for it; `None` for all that fit.
    left: Option<u32>,
    options: ReadOptions,
    compact: bool,
    /// A sole PackedByteArray without a header.
    raw: bool,
}

impl<'a> Values<'a> {
    /// The compact values of Godot 4 in `bytes` from `at` on.
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

    /// The bytes of a sole argument: none if there are none.
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

    /// The number of values that are announced and not read yet; `None` where the packet does not
    /// count them.
    #[must_use]
    pub const fn announced(self) -> Option<u32> {
        self.left
    }

    /// The first byte that was not read yet.
    #[must_use]
    pub const fn position(&self) -> usize {
        self.at
    }

    /// The next value; `Ok(None)` after the last, and after an error.
    ///
    /// # Errors
    /// If the bytes are no value.
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

    /// Reads all that are left; nothing may stand behind them.
    ///
    /// # Errors
    /// The first value that cannot be read, or
    /// [`TrailingBytes`](crate::PacketErrorKind::TrailingBytes).
    pub fn validate(mut self) -> Result<(), Error> {
        while self.try_next()?.is_some() {}
        Reader::new(self.bytes, self.at).done()
    }

    // Left to itself the compiler calls it, and copies each value three times: a call of three arguments takes 31 ns
    // in place of 45, and in a datagram of ENet 26 in place of 52 (`--example speed`).
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
                BOOL => return Ok(value(1, Content::Bool(head & TRUE != 0))),
                INT => {
                    let (int, len) = int(Reader::new(self.bytes, at + 1), head >> 6)?;
                    return Ok(value(1 + len, Content::Int(int)));
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
        Ok(value(len, Content::Variant(root)))
    }

    /// The length of a value that is nothing but numbers: its header and its size, which are all there is to
    /// check, were looked at already. Vector4 and Projection have options of their own.
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

/// Bits 0-5 of a compact value's first byte: its type.
pub(crate) const TYPE_MASK: u8 = 0x3f;
pub(crate) const BOOL: u8 = 1;
pub(crate) const INT: u8 = 2;
/// The bit of a bool that is true.
pub(crate) const TRUE: u8 = 0x80;

/// An int of so many bytes: 1, 2, 4 or 8 by the two bits of its width.
fn int(mut reader: Reader<'_>, width: u8) -> Result<(i64, usize), Error> {
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

/// The rest of a length that a sender gives, as a place in the packet.
pub(crate) fn end_of(reader: &Reader<'_>, len: u32) -> Result<usize, Error> {
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
