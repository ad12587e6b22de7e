//! [`Forwarded`]: the bytes that a proxy sends on.

use alloc::vec::Vec;

use crate::{
    encode::Encode,
    enet::{Command, Header},
    traffic::DEFAULT_MTU,
};

/// The output of [`Session::rewrite`](crate::Session::rewrite): datagrams, or pieces of a stream.
/// Reuse one value for many calls: its memory is kept.
#[derive(Debug, Default)]
pub struct Forwarded {
    bytes: Vec<u8>,
    ends: Vec<usize>,
    /// The buffer into which the caller writes the rewritten bytes of the current packet.
    pub(crate) edited: Vec<u8>,
    /// A buffer for one command.
    command: Vec<u8>,
    /// The header of the ENet datagrams.
    header: Header,
    /// The size limit of an ENet datagram. A command that alone is larger gets a datagram of its
    /// own.
    room: usize,
    is_changed: bool,
    is_uncompressed: bool,
    pub(super) too_long: usize,
}

impl Forwarded {
    /// Creates an empty output.
    #[must_use]
    pub fn new() -> Forwarded {
        Forwarded::default()
    }

    /// Sends every compressed ENet datagram on without compression. The receiver then reads exactly
    /// the bytes that the rules have checked. If the receiver unpacked a datagram with another
    /// compression, it could get other bytes.
    #[must_use]
    pub fn without_compression(self) -> Forwarded {
        Forwarded {
            is_uncompressed: true,
            ..self
        }
    }

    /// The datagrams, or the pieces of the stream, in the order of sending. There may be none.
    pub fn pieces(&self) -> impl Iterator<Item = &[u8]> {
        let mut start = 0;
        self.ends.iter().map(move |&end| {
            let piece = self.bytes.get(start..end).unwrap_or_default();
            start = end;
            piece
        })
    }

    /// The number of packets in these pieces that are sent on unchanged because their replacement
    /// is longer than [`SessionEvent::max_len`](crate::SessionEvent::max_len).
    #[must_use]
    pub fn too_long(&self) -> usize {
        self.too_long
    }

    pub(crate) fn clear(&mut self) {
        self.bytes.clear();
        self.ends.clear();
        self.is_changed = false;
        self.too_long = 0;
    }

    pub(crate) fn push(&mut self, bytes: &[u8]) {
        self.bytes.extend_from_slice(bytes);
        self.ends.push(self.bytes.len());
    }

    pub(crate) fn push_encoded(&mut self, piece: &impl Encode) {
        // Writing to a `Vec` only fails if there is no memory.
        let _ = piece.encode(&mut self.bytes);
        self.ends.push(self.bytes.len());
    }

    /// Appends the original of a datagram whose replacement is too long.
    pub(crate) fn push_too_long(&mut self, bytes: &[u8]) {
        self.too_long += 1;
        self.push(bytes);
    }

    /// Begins an ENet datagram. `len` is the length of the original.
    pub(crate) fn begin(&mut self, header: Header, len: usize) {
        self.header = Header {
            compressed: false,
            ..header
        };
        self.room = DEFAULT_MTU.max(len);
        self.is_changed |= self.is_uncompressed && header.compressed;
    }

    /// Ends the ENet datagrams. If nothing was changed, the original replaces them, compressed if
    /// the original was compressed.
    pub(crate) fn end(&mut self, came: &[u8]) {
        if !self.is_changed {
            self.bytes.clear();
            self.ends.clear();
            self.push(came);
        }
    }

    /// Appends the bytes of an ENet command, in a new datagram if the current one has no room left.
    pub(crate) fn push_command(&mut self, command: &[u8]) {
        let start = match self.ends[..] {
            [] => None,
            [.., last] => Some(last - self.last_start()),
        };
        if start.is_none_or(|len| len + command.len() > self.room) {
            // Writing to a `Vec` only fails if there is no memory.
            let _ = self.header.encode(&mut self.bytes);
            self.ends.push(self.bytes.len());
        }
        self.bytes.extend_from_slice(command);
        if let Some(end) = self.ends.last_mut() {
            *end = self.bytes.len();
        }
    }

    fn last_start(&self) -> usize {
        match self.ends[..] {
            [.., before, _] => before,
            _ => 0,
        }
    }

    /// Appends a changed ENet command.
    pub(crate) fn push_changed(&mut self, command: Command<'_>) {
        let mut bytes = core::mem::take(&mut self.command);
        bytes.clear();
        if command.encode(&mut bytes).is_ok() {
            self.push_command(&bytes);
        }
        self.command = bytes;
        self.is_changed = true;
    }

    /// Notes that a command is left out, or sent on later.
    pub(crate) fn leave_out(&mut self) {
        self.is_changed = true;
    }
}
