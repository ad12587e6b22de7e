//! WebSocket frames (RFC 6455), which carry the packets of `WebSocketMultiplayerPeer`.
//!
//! [`Frame::parse`] reads one frame from the start of a stream's bytes. A message is one frame, or a first one
//! and continuations; clients mask what they send. Before the frames both sides send a head as in
//! HTTP: [`http_head`].

use gdvar_write::Sink;

use crate::{Encode, Error, PacketErrorKind, WriteError, arg::put, reader::Reader};

/// The kind of a frame.
#[derive(Clone, Copy, PartialEq, Eq, Hash, Debug)]
pub enum Opcode {
    /// More of the message before.
    Continuation,
    /// A message of text.
    Text,
    /// A message of bytes: what Godot sends.
    Binary,
    /// The sender goes.
    Close,
    /// The sender wants to hear that the line is alive.
    Ping,
    /// It is.
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

    /// Returns `true` if it concerns the connection and may stand between the frames of a message.
    #[must_use]
    pub const fn is_control(self) -> bool {
        matches!(self, Opcode::Close | Opcode::Ping | Opcode::Pong)
    }

    /// The name: `CONTINUATION`, `BINARY`.
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
    /// `true` if it is the last of its message.
    pub is_last: bool,
    /// The kind of the frame.
    pub opcode: Opcode,
    /// The mask of a client.
    pub mask: Option<[u8; 4]>,
    /// The bytes it carries, masked if there is a mask.
    pub payload: &'a [u8],
}

impl<'a> Frame<'a> {
    /// Reads the frame at the start of the bytes: it, and how many bytes it takes. O(1).
    ///
    /// # Errors
    /// [`Error::is_truncated`] if the frame has not arrived whole: the error says how many bytes are
    /// missing at least. [`BadFrame`](PacketErrorKind::BadFrame) for what is forbidden: extensions, which Godot
    /// does not use, unknown opcodes, control frames in pieces, lengths of 2⁶³ and more.
    pub fn parse(bytes: &'a [u8]) -> Result<(Frame<'a>, usize), Error> {
        let mut reader = Reader::new(bytes, 0);
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

    /// Copies the payload without its mask: as much as there is room for.
    pub fn copy_unmasked(&self, out: &mut [u8]) {
        let len = out.len().min(self.payload.len());
        out[..len].copy_from_slice(&self.payload[..len]);
        if let Some(mask) = self.mask {
            unmask(mask, &mut out[..len]);
        }
    }
}

/// Takes a mask away from the payload of a frame, or puts it on. O(n).
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

/// Writes the frame as it stands there: a payload that is to be masked must be masked before.
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

/// The number of bytes that the head of the HTTP handshake takes, with its empty line; `None` while
/// that has not arrived.
#[must_use]
pub fn http_head(bytes: &[u8]) -> Option<usize> {
    let end = bytes.windows(4).position(|window| window == b"\r\n\r\n")?;
    Some(end + 4)
}
