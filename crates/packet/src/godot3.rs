//! Packets of Godot 3's `MultiplayerAPI`: [`Packet`] reads them, [`Message`] writes them.
//!
//! The layouts are from Godot 3.2 and 3.6 (`core/io/multiplayer_api.cpp`; [`docs/PACKETS.md` §3]).
//! All numbers are little-endian. Every packet contains the name of its method or property.
//!
//! ENet and WebSocket put an envelope with the sender and the receiver before each packet:
//! [`Enveloped`].
//!
//! [`docs/PACKETS.md` §3]: https://github.com/gdvar/gdvar/blob/main/docs/PACKETS.md#3-godot-3

mod envelope;
mod message;

use gdvar_view::{Dialect, ReadOptions};

use crate::{
    byte_reader::ByteReader,
    error::{Error, PacketErrorKind},
    name::Name,
    node_ref::{NodeRef, PATH_BIT, path_at_end},
    value::Values,
};

#[cfg(feature = "alloc")]
pub(crate) use envelope::is_ignored;
pub use envelope::{Enveloped, Notice, ignored, put_ends};
pub use message::Message;

/// The commands, in the order of their numbers.
#[derive(Clone, Copy, PartialEq, Eq, PartialOrd, Ord, Hash, Debug)]
#[non_exhaustive]
pub enum Command {
    /// Calls a method on a node of the receiver.
    Call,
    /// Sets a property: `rset`.
    Set,
    /// Gives an id to a path.
    SimplifyPath,
    /// Confirms that the path was found.
    ConfirmPath,
    /// Bytes that the game sends with `send_bytes`.
    Raw,
}

impl Command {
    /// The name, such as `CALL` or `SET`.
    #[must_use]
    pub const fn name(self) -> &'static str {
        match self {
            Command::Call => "CALL",
            Command::Set => "SET",
            Command::SimplifyPath => "SIMPLIFY_PATH",
            Command::ConfirmPath => "CONFIRM_PATH",
            Command::Raw => "RAW",
        }
    }
}

/// A packet, parsed without a copy. Its lengths are checked. Values are validated only when they
/// are read.
#[derive(Clone, Copy, Debug)]
pub enum Packet<'a> {
    /// Calls a method.
    Call(Call<'a>),
    /// Sets a property. The new value is the only one of [`Call::args`].
    Set(Call<'a>),
    /// Gives an id to a path.
    SimplifyPath {
        /// The id that the sender uses instead of the path after the receiver's CONFIRM_PATH.
        id: u32,
        /// The path, relative to the root node.
        path: Name<'a>,
    },
    /// Confirms that a path was found.
    ConfirmPath {
        /// The path of the node, relative to the root node.
        path: Name<'a>,
    },
    /// The bytes of `send_bytes`.
    Raw(&'a [u8]),
}

impl<'a> Packet<'a> {
    /// Parses a packet. The time is linear in the length of its names. Nothing is allocated.
    ///
    /// # Errors
    /// Fails if the engine would not act on the packet (without `allow_object_decoding`). Values
    /// are not checked yet: see [`Packet::validate`].
    pub fn parse(bytes: &'a [u8]) -> Result<Packet<'a>, Error> {
        Packet::parse_with(bytes, ReadOptions::new(Dialect::GODOT_3))
    }

    /// Parses a packet whose values are read with `options`: for a game with
    /// `allow_object_decoding`.
    ///
    /// # Errors
    /// Returns the errors of [`Packet::parse`].
    pub fn parse_with(bytes: &'a [u8], options: ReadOptions) -> Result<Packet<'a>, Error> {
        let mut reader = ByteReader::new(bytes, 0);
        Ok(match reader.u8()? {
            0 => Packet::Call(Call::read(bytes, reader, true, options)?),
            1 => Packet::Set(Call::read(bytes, reader, false, options)?),
            2 => Packet::SimplifyPath {
                id: reader.u32()?,
                path: reader.last_name()?,
            },
            3 => Packet::ConfirmPath {
                path: reader.last_name()?,
            },
            4 => Packet::Raw(reader.rest()),
            number => return Err(Error::new(0, PacketErrorKind::UnknownCommand { number })),
        })
    }

    /// Returns the command of the packet, its first byte.
    #[must_use]
    pub const fn command(self) -> Command {
        match self {
            Packet::Call(_) => Command::Call,
            Packet::Set(_) => Command::Set,
            Packet::SimplifyPath { .. } => Command::SimplifyPath,
            Packet::ConfirmPath { .. } => Command::ConfirmPath,
            Packet::Raw(_) => Command::Raw,
        }
    }

    /// Validates everything to the last byte, in linear time.
    ///
    /// # Errors
    /// Fails if a value cannot be read, or bytes follow the last value.
    pub fn validate(self) -> Result<(), Error> {
        match self {
            Packet::Call(call) | Packet::Set(call) => call.args().validate(),
            _ => Ok(()),
        }
    }
}

/// A call, or a property that is set (`core/io/multiplayer_api.cpp:277`, `:331`).
#[derive(Clone, Copy, Debug)]
pub struct Call<'a> {
    node: NodeRef<'a>,
    name: Name<'a>,
    /// The packet without the path at its end, which does not belong to the arguments.
    body: &'a [u8],
    first: usize,
    count: u8,
    options: ReadOptions,
}

impl<'a> Call<'a> {
    fn read(
        bytes: &'a [u8],
        mut reader: ByteReader<'a>,
        counted: bool,
        options: ReadOptions,
    ) -> Result<Call<'a>, Error> {
        let node = reader.u32()?;
        let name_at = reader.at();
        let (node, body) = if node & PATH_BIT == 0 {
            (NodeRef::Id(node), bytes)
        } else {
            path_at_end(bytes, node & !PATH_BIT, name_at)?
        };
        reader = ByteReader::new(body, name_at);
        let name = reader.name()?;
        let count = if counted { reader.u8()? } else { 1 };
        Ok(Call {
            node,
            name,
            body,
            first: reader.at(),
            count,
            options,
        })
    }

    /// Returns the node that the packet is for, by id or by path.
    #[must_use]
    pub const fn node(self) -> NodeRef<'a> {
        self.node
    }

    /// The name of the method or property.
    #[must_use]
    pub const fn name(self) -> Name<'a> {
        self.name
    }

    /// The arguments of a call, or the new value of a property.
    #[must_use]
    pub const fn args(self) -> Values<'a> {
        Values::ordinary(self.body, self.first, self.count as u32, self.options)
    }
}
