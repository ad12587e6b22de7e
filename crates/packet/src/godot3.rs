//! Packets of Godot 3's `MultiplayerAPI`: [`Packet`] to read them, [`Message`] to write them.
//!
//! Layouts as in Godot 3.2 and 3.6 (`core/io/multiplayer_api.cpp`). All numbers are little-endian. Names
//! of methods and properties stand in every packet.
//!
//! ENet and WebSocket put a header before each packet that says from whom it is and for whom:
//! [`Enveloped`].

mod envelope;
mod message;

use gdvar_view::{Dialect, ReadOptions};

use crate::{
    Error, Name, NodeRef, PacketErrorKind, Values,
    godot4::{PATH_BIT, path_at_end},
    reader::Reader,
};

pub use envelope::{Enveloped, Notice, ignored, put_ends};
pub use message::Message;

/// The commands, by their numbers.
#[derive(Clone, Copy, PartialEq, Eq, PartialOrd, Ord, Hash, Debug)]
#[non_exhaustive]
pub enum Command {
    /// A method is called on a node of the receiver.
    Call,
    /// A property is set: `rset`.
    Set,
    /// A path is given an id.
    SimplifyPath,
    /// That path was found.
    ConfirmPath,
    /// Bytes of the game's own.
    Raw,
}

impl Command {
    /// The name: `CALL`, `SET`.
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

/// One packet, looked at and not copied. Its bounds were checked; values are validated when they are
/// reached.
#[derive(Clone, Copy, Debug)]
pub enum Packet<'a> {
    /// A method is called.
    Call(Call<'a>),
    /// A property is set. Its one value is in [`Call::args`].
    Set(Call<'a>),
    /// A path is given an id.
    SimplifyPath {
        /// The id that the sender uses from now on, once it is confirmed.
        id: u32,
        /// The path, relative to the root node.
        path: Name<'a>,
    },
    /// A path was found.
    ConfirmPath {
        /// The path.
        path: Name<'a>,
    },
    /// The bytes of `send_bytes`.
    Raw(&'a [u8]),
}

impl<'a> Packet<'a> {
    /// Reads a packet. O(1) but for the lengths of names; nothing is allocated.
    ///
    /// # Errors
    /// If it is no packet that the engine would act on without `allow_object_decoding`. Values in it are not looked at yet: see
    /// [`Packet::validate`].
    pub fn parse(bytes: &'a [u8]) -> Result<Packet<'a>, Error> {
        Packet::parse_with(bytes, ReadOptions::new(Dialect::GODOT_3))
    }

    /// Parses with values read as the options say: for a game with `allow_object_decoding`.
    ///
    /// # Errors
    /// As [`Packet::parse`].
    pub fn parse_with(bytes: &'a [u8], options: ReadOptions) -> Result<Packet<'a>, Error> {
        let mut reader = Reader::new(bytes, 0);
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

    /// Which command it is.
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

    /// Reads everything in it to the last byte, in linear time.
    ///
    /// # Errors
    /// The first value that cannot be read, and bytes behind the end.
    pub fn validate(self) -> Result<(), Error> {
        match self {
            Packet::Call(call) | Packet::Set(call) => call.args().validate(),
            _ => Ok(()),
        }
    }
}

/// A call of a method, or a property that is set (`core/io/multiplayer_api.cpp:277`, `:331`).
#[derive(Clone, Copy, Debug)]
pub struct Call<'a> {
    node: NodeRef<'a>,
    name: Name<'a>,
    /// The packet up to where the arguments may reach.
    body: &'a [u8],
    first: usize,
    count: u8,
    options: ReadOptions,
}

impl<'a> Call<'a> {
    fn read(
        bytes: &'a [u8],
        mut reader: Reader<'a>,
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
        reader = Reader::new(body, name_at);
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

    /// The node.
    #[must_use]
    pub const fn node(self) -> NodeRef<'a> {
        self.node
    }

    /// The name of the method or property.
    #[must_use]
    pub const fn name(self) -> Name<'a> {
        self.name
    }

    /// The arguments, or the property's value.
    #[must_use]
    pub const fn args(self) -> Values<'a> {
        Values::ordinary(self.body, self.first, self.count as u32, self.options)
    }
}
