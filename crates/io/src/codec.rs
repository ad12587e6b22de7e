//! A codec for `tokio_util::codec::Framed` that reads and writes records: values with a length
//! prefix.

use std::{convert::Infallible, fmt};

use bytes::{Bytes, BytesMut};
use gdvar_view::PrefixOrder;
use gdvar_write::{Patch, Sink, Target, Writer};
use tokio_util::codec::{Decoder, Encoder};

use crate::{
    Error, FileErrorKind, Limits, StreamError,
    records::prefix::{prefix, prefix_bytes},
};

/// Limits the memory that is reserved for bytes that have not arrived: at most this many bytes, or
/// the number of bytes that have arrived if that is greater.
const PIECE: usize = 64 * 1024;

/// Decodes and encodes the frames of `StreamPeer.put_var` and `PacketPeerStream`
/// ([`docs/FORMAT.md` §7.1]). A decoded item is the bytes of one value. It shares memory with the
/// receive buffer and is not copied. For a frame that has not arrived completely, at most 64 KiB are reserved, or the
/// number of bytes that have arrived if that is greater.
///
/// The codec encodes two kinds of items: bytes that are already a value, and a [`Value`], whose
/// closure writes directly into the send buffer.
///
/// ```
/// use bytes::BytesMut;
/// use gdvar_io::{Limits, codec::{RecordCodec, Value}, records::PrefixOrder};
/// use gdvar_write::Target;
/// use tokio_util::codec::{Decoder, Encoder};
///
/// let mut codec = RecordCodec::new(Target::GODOT_4, PrefixOrder::Little, Limits::STREAM);
/// let mut wire = BytesMut::new();
/// codec.encode(Value(|value: &mut gdvar_io::codec::ValueWriter<'_>| value.int(5)), &mut wire)?;
/// assert_eq!(wire[..], b"\x08\0\0\0\x02\0\0\0\x05\0\0\0"[..]);
/// let packet = codec.decode(&mut wire)?.unwrap();
/// assert_eq!(packet[..], b"\x02\0\0\0\x05\0\0\0"[..]);
/// # Ok::<(), gdvar_io::StreamError>(())
/// ```
///
/// [`docs/FORMAT.md` §7.1]: https://github.com/gdvar/gdvar/blob/main/docs/FORMAT.md#71-length-prefixed-values
#[derive(Clone, Copy, Debug)]
pub struct RecordCodec {
    target: Target,
    order: PrefixOrder,
    limits: Limits,
}

impl RecordCodec {
    /// Creates a codec. The length prefixes have the byte order `order`, and each [`Value`] is
    /// encoded for `target`.
    #[must_use]
    pub fn new(target: impl Into<Target>, order: PrefixOrder, limits: Limits) -> RecordCodec {
        RecordCodec {
            target: target.into(),
            order,
            limits,
        }
    }

    /// Returns `length` as the word of a prefix. Fails if it is above 2³¹ − 1, which the engines
    /// cannot send, or above the limit.
    fn admit(&self, length: usize) -> Result<u32, Error> {
        let limit = self.limits.max_len;
        match u32::try_from(length) {
            Ok(length) if length > i32::MAX as u32 => {
                Err(Error::new(0, FileErrorKind::BadLength { length }))
            }
            Ok(length) if length <= limit => Ok(length),
            other => {
                let length = other.unwrap_or(u32::MAX);
                Err(Error::new(0, FileErrorKind::TooLong { length, limit }))
            }
        }
    }
}

impl Decoder for RecordCodec {
    type Item = Bytes;
    type Error = StreamError;

    /// Decodes the next frame. Offsets in errors count from the start of the faulty frame.
    fn decode(&mut self, source: &mut BytesMut) -> Result<Option<Bytes>, StreamError> {
        let Some(four) = source.first_chunk() else {
            return Ok(None);
        };
        let length = self.admit(prefix(*four, self.order) as usize)? as usize;
        let missing = (4 + length).saturating_sub(source.len());
        if missing > 0 {
            source.reserve(missing.min(source.len().max(PIECE)));
            return Ok(None);
        }
        let mut frame = source.split_to(4 + length);
        Ok(Some(frame.split_off(4).freeze()))
    }

    fn decode_eof(&mut self, source: &mut BytesMut) -> Result<Option<Bytes>, StreamError> {
        match self.decode(source)? {
            None if !source.is_empty() => {
                let length = source
                    .first_chunk()
                    .map_or(0, |four| prefix(*four, self.order));
                let missing = 4 + u64::from(length) - source.len() as u64;
                Err(Error::truncated(source.len() as u64, missing).into())
            }
            frame => Ok(frame),
        }
    }
}

impl Encoder<&[u8]> for RecordCodec {
    type Error = StreamError;

    fn encode(&mut self, value: &[u8], out: &mut BytesMut) -> Result<(), StreamError> {
        let length = self.admit(value.len())?;
        out.reserve(4 + value.len());
        out.extend_from_slice(&prefix_bytes(length, self.order));
        out.extend_from_slice(value);
        Ok(())
    }
}

impl Encoder<Bytes> for RecordCodec {
    type Error = StreamError;

    fn encode(&mut self, value: Bytes, out: &mut BytesMut) -> Result<(), StreamError> {
        self.encode(&value[..], out)
    }
}

/// The writer that the closure of a [`Value`] gets.
pub type ValueWriter<'a> = Writer<Buffer<'a>>;

/// An item to encode: a closure that writes one value.
#[derive(Clone, Copy)]
pub struct Value<F>(pub F);

impl<F> fmt::Debug for Value<F> {
    fn fmt(&self, f: &mut fmt::Formatter<'_>) -> fmt::Result {
        f.write_str("Value(..)")
    }
}

/// The send buffer as a sink.
#[derive(Debug)]
pub struct Buffer<'a>(&'a mut BytesMut);

impl Sink for Buffer<'_> {
    type Error = Infallible;

    fn put(&mut self, bytes: &[u8]) -> Result<(), Infallible> {
        self.0.extend_from_slice(bytes);
        Ok(())
    }

    fn taken(&self) -> Option<u64> {
        Some(self.0.len() as u64)
    }

    fn reserve(&mut self, additional: usize) {
        self.0.reserve(additional);
    }
}

/// Containers of unknown length can be written, because the buffer can be patched.
impl Patch for Buffer<'_> {
    fn position(&self) -> u64 {
        self.0.len() as u64
    }

    fn patch(&mut self, at: u64, bytes: &[u8]) -> Result<(), Infallible> {
        let place = usize::try_from(at).ok().and_then(|at| self.0.get_mut(at..));
        if let Some(place) = place.and_then(|place| place.get_mut(..bytes.len())) {
            place.copy_from_slice(bytes);
        }
        Ok(())
    }
}

/// The closure may also fail with its own error, such as serde's.
impl<F, E> Encoder<Value<F>> for RecordCodec
where
    F: FnOnce(&mut ValueWriter<'_>) -> Result<(), E>,
    E: Into<StreamError>,
{
    type Error = StreamError;

    /// Encodes the value. The buffer is unchanged if that fails.
    fn encode(&mut self, value: Value<F>, out: &mut BytesMut) -> Result<(), StreamError> {
        let start = out.len();
        out.extend_from_slice(&[0; 4]);
        let mut writer = Writer::new(Buffer(out), self.target);
        let written = (value.0)(&mut writer).map_err(Into::into);
        let whole = written.and_then(|()| writer.next_value().map_err(StreamError::from));
        let done = whole.and_then(|_| Ok(self.admit(out.len() - start - 4)?));
        match done {
            Ok(length) => {
                out[start..start + 4].copy_from_slice(&prefix_bytes(length, self.order));
                Ok(())
            }
            Err(error) => {
                out.truncate(start);
                Err(error)
            }
        }
    }
}
