//! WebSocket frames (RFC 6455): the transport of `WebSocketMultiplayerPeer` ([`docs/PACKETS.md`
//! §2]).
//!
//! [`Frame::parse`] reads the frame at the start of a stream's bytes. A message is one frame, or a
//! first frame and continuations. Clients mask their frames. Before the first frame both sides send
//! an HTTP header: [`http_head`] finds its end.
//!
//! [`docs/PACKETS.md` §2]: https://github.com/gdvar/gdvar/blob/main/docs/PACKETS.md#2-godot-4

use gdvar_write::Sink;

use crate::{
    byte_reader::ByteReader,
    encode::{Encode, WriteError, put},
    error::{Error, PacketErrorKind},
};

/// The kind of a frame.
#[derive(Clone, Copy, PartialEq, Eq, Hash, Debug)]
pub enum Opcode {
    /// The next part of the current message.
    Continuation,
    /// A message of text, or its first part.
    Text,
    /// A message of bytes, or its first part. Godot sends these.
    Binary,
    /// The sender closes the connection.
    Close,
    /// Asks whether the connection is alive. The other side answers with [`Opcode::Pong`].
    Ping,
    /// The answer to a ping.
    Pong,
}

impl Opcode {
    fn from_number(number: u8) -> Option<Opcode> {
        Some(match number {
            0 => Opcode::Continuation,
            1 => Opcode::Text,
            2 => Opcode::Binary,
            8 => Opcode::Close,
            9 => Opcode::Ping,
            10 => Opcode::Pong,
            _ => return None,
        })
    }

    const fn number(self) -> u8 {
        match self {
            Opcode::Continuation => 0,
            Opcode::Text => 1,
            Opcode::Binary => 2,
            Opcode::Close => 8,
            Opcode::Ping => 9,
            Opcode::Pong => 10,
        }
    }

    /// Returns `true` for the frames that concern the connection. They may come between the frames
    /// of a message.
    #[must_use]
    pub const fn is_control(self) -> bool {
        matches!(self, Opcode::Close | Opcode::Ping | Opcode::Pong)
    }

    /// The name, such as `CONTINUATION` or `BINARY`.
    #[must_use]
    pub const fn name(self) -> &'static str {
        match self {
            Opcode::Continuation => "CONTINUATION",
            Opcode::Text => "TEXT",
            Opcode::Binary => "BINARY",
            Opcode::Close => "CLOSE",
            Opcode::Ping => "PING",
            Opcode::Pong => "PONG",
        }
    }
}

/// One frame.
///
/// ```
/// use gdvar_packet::websocket::Frame;
///
/// let stream = b"\x82\x86\x40\x5f\x20\xa8\x42\x5e\x21\xa8\x40\x5f";
/// let (frame, len) = Frame::parse(stream)?;
/// let mut packet = [0; 6];
/// frame.copy_unmasked(&mut packet);
/// assert_eq!((len, packet), (12, [2, 1, 1, 0, 0, 0]));
/// # Ok::<(), gdvar_packet::Error>(())
/// ```
#[derive(Clone, Copy, PartialEq, Eq, Debug)]
pub struct Frame<'a> {
    /// `true` if this frame ends its message.
    pub is_last: bool,
    /// The kind of the frame.
    pub opcode: Opcode,
    /// The mask; only clients set one.
    pub mask: Option<[u8; 4]>,
    /// The payload, still masked if there is a mask.
    pub payload: &'a [u8],
}

impl<'a> Frame<'a> {
    /// Reads the frame at the start of `bytes`. Returns the frame and its length in bytes. O(1).
    ///
    /// # Errors
    /// If the frame is incomplete, returns an error for which [`Error::is_truncated`] is `true`, with
    /// the least number of missing bytes. Returns [`BadFrame`](PacketErrorKind::BadFrame) for extensions (Godot uses
    /// none), unknown opcodes, fragmented control frames, and lengths of 2⁶³ or more.
    pub fn parse(bytes: &'a [u8]) -> Result<(Frame<'a>, usize), Error> {
        let mut reader = ByteReader::new(bytes, 0);
        let (first, second) = (reader.u8()?, reader.u8()?);
        let bad = Error::new(0, PacketErrorKind::BadFrame);
        let opcode = Opcode::from_number(first & 0xf).ok_or(bad)?;
        let is_last = first & 0x80 != 0;
        let len = match second & 0x7f {
            126 => u64::from(reader.u16_be()?),
            127 => reader.u64_be()?,
            len => u64::from(len),
        };
        let extended = first & 0x70 != 0;
        let broken_control = opcode.is_control() && (!is_last || len > 125);
        if extended || broken_control || len > i64::MAX as u64 {
            return Err(bad);
        }
        let mask = match second & 0x80 {
            0 => None,
            _ => Some(reader.take(4)?.first_chunk().copied().unwrap_or_default()),
        };
        let payload = reader.take(usize::try_from(len).map_err(|_| bad)?)?;
        let frame = Frame {
            is_last,
            opcode,
            mask,
            payload,
        };
        Ok((frame, reader.at()))
    }

    /// Copies the unmasked payload to `out`, as far as it fits.
    pub fn copy_unmasked(&self, out: &mut [u8]) {
        let len = out.len().min(self.payload.len());
        out[..len].copy_from_slice(&self.payload[..len]);
        if let Some(mask) = self.mask {
            unmask(mask, &mut out[..len]);
        }
    }
}

/// Returns the length of a frame's header, with its mask. The second byte of the frame gives it.
#[cfg(feature = "alloc")]
pub(crate) const fn header_len(second: u8) -> usize {
    let length = match second & 0x7f {
        126 => 2,
        127 => 8,
        _ => 0,
    };
    let mask = if second & 0x80 != 0 { 4 } else { 0 };
    2 + length + mask
}

/// Applies `mask` to a payload in place: unmasks it if it is masked, and masks it if it is not.
/// O(n).
pub fn unmask(mask: [u8; 4], payload: &mut [u8]) {
    let mut words = payload.chunks_exact_mut(4);
    for word in &mut words {
        for (byte, mask) in word.iter_mut().zip(mask) {
            *byte ^= mask;
        }
    }
    for (byte, mask) in words.into_remainder().iter_mut().zip(mask) {
        *byte ^= mask;
    }
}

/// Writes the frame. Does not apply the mask: the payload must be masked already.
impl Encode for Frame<'_> {
    fn encode<S: Sink>(&self, sink: &mut S) -> Result<(), WriteError<S::Error>> {
        let first = self.opcode.number() | if self.is_last { 0x80 } else { 0 };
        let masked = if self.mask.is_some() { 0x80 } else { 0 };
        let len = self.payload.len();
        if len < 126 {
            put(&[first, masked | len as u8], sink)?;
        } else if let Ok(len) = u16::try_from(len) {
            put(&[first, masked | 126], sink)?;
            put(&len.to_be_bytes(), sink)?;
        } else {
            put(&[first, masked | 127], sink)?;
            put(&(len as u64).to_be_bytes(), sink)?;
        }
        if let Some(mask) = self.mask {
            put(&mask, sink)?;
        }
        put(self.payload, sink)
    }
}

/// The length of the HTTP header with the empty line at its end, or `None` if the end has not
/// arrived yet.
#[must_use]
pub fn http_head(bytes: &[u8]) -> Option<usize> {
    let end = bytes.windows(4).position(|window| window == b"\r\n\r\n")?;
    Some(end + 4)
}
