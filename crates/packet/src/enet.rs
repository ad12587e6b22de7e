//! ENet: reads and writes a [`Datagram`] and its [`Command`]s.
//!
//! The layouts are from ENet 1.3 (`protocol.h`), which Godot 3 and Godot 4 use ([`docs/PACKETS.md`
//! §1]). All numbers are big-endian. Everything after a datagram's header may be compressed:
//! `Unpacker` (feature `alloc`) unpacks it.
//!
//! | channel | Godot 4 | Godot 3 |
//! |---|---|---|
//! | 0 | reliable | peers that join and leave |
//! | 1 | unreliable and ordered | reliable |
//! | 2 | channel 1 of the game | unreliable |
//! | n | channel n - 1 of the game | |
//!
//! [`docs/PACKETS.md` §1]: https://github.com/gdvar/gdvar/blob/main/docs/PACKETS.md#1-enet

mod command;
#[cfg(feature = "alloc")]
mod range;
#[cfg(feature = "alloc")]
mod unpack;
mod window;

use gdvar_write::Sink;

use crate::{
    byte_reader::ByteReader,
    encode::{Encode, WriteError, put},
    error::{Error, PacketErrorKind},
};

#[cfg(feature = "alloc")]
pub use crate::compression::{Candidates, Compression};
pub use command::{Body, Command, Delivery, Fragment, Handshake};
#[cfg(feature = "alloc")]
pub use unpack::Unpacker;
pub use window::Window;

/// The longest datagram, and the longest contents of a compressed one, in bytes
/// (`ENET_PROTOCOL_MAXIMUM_MTU`).
pub const MAX_DATAGRAM: usize = 4096;

/// The peer number in headers of a sender that has not been given one yet.
pub const NO_PEER: u16 = 0xfff;

const SENT_TIME: u16 = 0x8000;
const COMPRESSED: u16 = 0x4000;

/// The header of a datagram: peer number, session and flags.
#[derive(Clone, Copy, PartialEq, Eq, Hash, Debug, Default)]
pub struct Header {
    /// The number that the receiver gave to the sender, or [`NO_PEER`].
    pub peer: u16,
    /// The counter of the connections that used this peer number, modulo 4.
    pub session: u8,
    /// `true` if everything after the header is compressed.
    pub compressed: bool,
    /// The sender's clock in milliseconds, present if a command wants to be acknowledged.
    pub sent_time: Option<u16>,
}

impl Header {
    /// Creates the header of a client's first datagram.
    #[must_use]
    pub const fn connecting(sent_time: u16) -> Header {
        Header {
            peer: NO_PEER,
            session: 0,
            compressed: false,
            sent_time: Some(sent_time),
        }
    }

    /// Creates the header that the receiver of a [`Handshake`] uses from then on.
    #[must_use]
    pub const fn answering(handshake: &Handshake, sent_time: u16) -> Header {
        Header {
            peer: handshake.peer & NO_PEER,
            session: handshake.outgoing_session & 3,
            compressed: false,
            sent_time: Some(sent_time),
        }
    }

    fn read(reader: &mut ByteReader<'_>) -> Result<Header, Error> {
        let word = reader.u16_be()?;
        Ok(Header {
            peer: word & NO_PEER,
            session: (word >> 12 & 3) as u8,
            compressed: word & COMPRESSED != 0,
            sent_time: match word & SENT_TIME {
                0 => None,
                _ => Some(reader.u16_be()?),
            },
        })
    }
}

impl Encode for Header {
    fn encode<S: Sink>(&self, sink: &mut S) -> Result<(), WriteError<S::Error>> {
        let word = self.peer & NO_PEER
            | u16::from(self.session & 3) << 12
            | if self.compressed { COMPRESSED } else { 0 }
            | if self.sent_time.is_some() {
                SENT_TIME
            } else {
                0
            };
        put(&word.to_be_bytes(), sink)?;
        match self.sent_time {
            Some(time) => put(&time.to_be_bytes(), sink),
            None => Ok(()),
        }
    }
}

/// A datagram: a header and commands.
///
/// ```
/// use gdvar_packet::enet::{Body, Datagram};
///
/// // Channel 0, number 2, reliable: CONFIRM_PATH of Godot 4.
/// let datagram = Datagram::parse(b"\x80\0\x9f\xc9\x86\0\0\x01\0\x06\x02\x01\x01\0\0\0")?;
/// let command = datagram.commands()?.next().unwrap()?;
/// assert!(matches!(command.body, Body::Reliable(packet) if packet.len() == 6));
/// # Ok::<(), gdvar_packet::Error>(())
/// ```
#[derive(Clone, Copy, Debug)]
pub struct Datagram<'a> {
    header: Header,
    bytes: &'a [u8],
    start: usize,
}

impl<'a> Datagram<'a> {
    /// Reads the header. O(1).
    ///
    /// # Errors
    /// Fails if the header is cut.
    #[inline]
    pub fn parse(bytes: &'a [u8]) -> Result<Datagram<'a>, Error> {
        let mut reader = ByteReader::new(bytes, 0);
        let header = Header::read(&mut reader)?;
        Ok(Datagram {
            header,
            bytes,
            start: reader.at(),
        })
    }

    /// Returns the header of the datagram: peer, session and flags.
    #[must_use]
    pub const fn header(self) -> Header {
        self.header
    }

    /// The bytes after the header, compressed or not.
    #[must_use]
    pub fn body(self) -> &'a [u8] {
        self.bytes.get(self.start..).unwrap_or_default()
    }

    #[cfg(feature = "alloc")]
    const fn body_start(self) -> usize {
        self.start
    }

    /// The commands.
    ///
    /// # Errors
    /// Fails if the datagram is compressed: pass the output of `Unpacker::body` to [`commands`].
    #[inline]
    pub fn commands(self) -> Result<Commands<'a>, Error> {
        if self.header.compressed {
            return Err(Error::new(self.start, PacketErrorKind::Compressed));
        }
        Ok(Commands {
            reader: ByteReader::new(self.bytes, self.start),
            done: false,
        })
    }
}

/// Iterates over the commands in `body`, the body of a datagram. A compressed body must be unpacked
/// first.
#[must_use]
pub const fn commands(body: &[u8]) -> Commands<'_> {
    Commands {
        reader: ByteReader::new(body, 0),
        done: false,
    }
}

/// An iterator over commands. Ends after an error.
#[derive(Clone, Copy, Debug)]
pub struct Commands<'a> {
    reader: ByteReader<'a>,
    done: bool,
}

impl<'a> Commands<'a> {
    /// Reads the next command. O(1). Returns `Ok(None)` after the last one and after an error.
    ///
    /// # Errors
    /// Fails if the command is cut or its number is unknown. The commands before it remain valid:
    /// ENet executes them, too.
    #[inline]
    pub fn try_next(&mut self) -> Result<Option<Command<'a>>, Error> {
        if self.done || self.reader.is_done() {
            return Ok(None);
        }
        self.done = true;
        let command = Command::read(&mut self.reader)?;
        self.done = false;
        Ok(Some(command))
    }

    /// The offset of the first byte that was not read yet.
    #[must_use]
    pub const fn position(&self) -> usize {
        self.reader.at()
    }
}

impl<'a> Iterator for Commands<'a> {
    type Item = Result<Command<'a>, Error>;

    #[inline]
    fn next(&mut self) -> Option<Self::Item> {
        self.try_next().transpose()
    }
}
