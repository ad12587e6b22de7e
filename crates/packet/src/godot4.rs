//! Packets of Godot 4's `SceneMultiplayer`: [`Packet`] reads them, [`Message`] writes them.
//!
//! The layouts are from Godot 4.6 (`modules/multiplayer/scene_multiplayer.cpp`,
//! `scene_rpc_interface.cpp`, `scene_cache_interface.cpp`, `scene_replication_interface.cpp`;
//! [`docs/PACKETS.md` §2]). All numbers are little-endian.
//!
//! ```
//! use gdvar_packet::{NodeRef, godot4::Packet};
//!
//! // Method 1 of the node with id 3, with one argument: 100.
//! let Packet::Call(call) = Packet::parse(&[0x00, 3, 1, 1, 0x02, 100])? else { panic!() };
//! assert_eq!((call.node(), call.method()), (NodeRef::Id(3), 1));
//! let mut args = call.args();
//! assert_eq!(args.try_next()?.unwrap().as_i64(), Some(100));
//! assert!(args.try_next()?.is_none());
//! # Ok::<(), gdvar_packet::Error>(())
//! ```
//!
//! [`docs/PACKETS.md` §2]: https://github.com/gdvar/gdvar/blob/main/docs/PACKETS.md#2-godot-4

mod message;
mod replication;

use gdvar_view::{Dialect, ReadOptions};

use crate::{
    byte_reader::ByteReader,
    error::{Error, PacketErrorKind},
    name::Name,
    node_ref::{NodeRef, PATH_BIT, path_at_end},
    value::Values,
};

pub use message::{Message, Properties};
pub use replication::{Delta, DeltaEntries, DeltaEntry, Spawn, Sync, SyncEntries, SyncEntry};

/// The bits of the first byte that hold the command (`CMD_MASK`).
pub(crate) const COMMAND_MASK: u8 = 7;
pub(crate) const NODE_SIZE_SHIFT: u32 = 4;
pub(crate) const WIDE_METHOD: u8 = 0x40;
pub(crate) const RAW_CALL: u8 = 0x80;
/// The first byte of a SYNC.
pub(crate) const SYNC: u8 = 6;

/// The bit that makes a SYNC a DELTA.
pub(crate) const DELTA: u8 = 0x10;
/// A packet that does nothing: the end of an authentication, which a connected peer ignores
/// silently (`scene_multiplayer.cpp`, `poll`). A proxy sends it in place of a reliable packet that
/// it drops, because ENet's receiver would wait for the missing packet forever.
pub const IGNORED: [u8; 2] = [7, 0];

/// The commands, in the order of their numbers.
#[derive(Clone, Copy, PartialEq, Eq, PartialOrd, Ord, Hash, Debug)]
#[non_exhaustive]
pub enum Command {
    /// Calls a method on a node of the receiver.
    Call,
    /// Gives an id to a path.
    SimplifyPath,
    /// Confirms an id.
    ConfirmPath,
    /// Bytes that the game sends with `send_bytes`.
    Raw,
    /// Spawns a node: sent by a MultiplayerSpawner.
    Spawn,
    /// Removes a spawned node.
    Despawn,
    /// The properties of MultiplayerSynchronizers that are always sent.
    Sync,
    /// Properties that are sent when they change. In the bytes, a SYNC with a flag.
    Delta,
    /// Messages of SceneMultiplayer itself: authentication, peers, relay.
    Sys,
}

impl Command {
    /// The name, such as `CALL` or `SIMPLIFY_PATH`.
    #[must_use]
    pub const fn name(self) -> &'static str {
        match self {
            Command::Call => "CALL",
            Command::SimplifyPath => "SIMPLIFY_PATH",
            Command::ConfirmPath => "CONFIRM_PATH",
            Command::Raw => "RAW",
            Command::Spawn => "SPAWN",
            Command::Despawn => "DESPAWN",
            Command::Sync => "SYNC",
            Command::Delta => "DELTA",
            Command::Sys => "SYS",
        }
    }
}

/// A packet, parsed without a copy. Its fields of fixed size and all lengths are checked. Values
/// are validated only when they are read.
#[derive(Clone, Copy, Debug)]
pub enum Packet<'a> {
    /// Calls a method.
    Call(Call<'a>),
    /// Gives an id to a path.
    SimplifyPath(SimplifyPath<'a>),
    /// Confirms an id.
    ConfirmPath(ConfirmPath),
    /// The bytes of `send_bytes`.
    Raw(&'a [u8]),
    /// Spawns a node.
    Spawn(Spawn<'a>),
    /// Removes a spawned node.
    Despawn {
        /// The id that the SPAWN gave to the node.
        net_id: u32,
    },
    /// Properties that are always sent.
    Sync(Sync<'a>),
    /// Properties that changed.
    Delta(Delta<'a>),
    /// A message of SceneMultiplayer itself.
    Sys(Sys<'a>),
}

impl<'a> Packet<'a> {
    /// Parses a packet. The time is constant, plus the length of a path or name. Nothing is
    /// allocated.
    ///
    /// # Errors
    /// Fails if the engine would not act on the packet (without `allow_object_decoding`). Values
    /// are not checked yet: see [`Packet::validate`].
    #[inline]
    pub fn parse(bytes: &'a [u8]) -> Result<Packet<'a>, Error> {
        Packet::parse_with(bytes, ReadOptions::new(Dialect::GODOT_4))
    }

    /// Parses a packet whose values are read with `options`: for a game with
    /// `allow_object_decoding`.
    ///
    /// # Errors
    /// Returns the errors of [`Packet::parse`].
    #[inline]
    pub fn parse_with(bytes: &'a [u8], options: ReadOptions) -> Result<Packet<'a>, Error> {
        let mut reader = ByteReader::new(bytes, 0);
        let head = reader.u8()?;
        Ok(match head & COMMAND_MASK {
            0 => Packet::Call(Call::read(bytes, head, reader, options)?),
            1 => Packet::SimplifyPath(SimplifyPath::read(reader)?),
            2 => {
                let confirm = ConfirmPath {
                    matches: reader.u8()? != 0,
                    id: reader.u32()?,
                };
                reader.done()?;
                Packet::ConfirmPath(confirm)
            }
            3 => Packet::Raw(reader.rest()),
            4 => Packet::Spawn(Spawn::read(bytes, reader, options)?),
            5 => {
                let net_id = reader.u32()?;
                reader.done()?;
                Packet::Despawn { net_id }
            }
            SYNC if head & DELTA != 0 => Packet::Delta(Delta::new(bytes, options)),
            SYNC => Packet::Sync(Sync::read(bytes, reader, options)?),
            _ => Packet::Sys(Sys::read(reader)?),
        })
    }

    /// Returns the command of the packet, from its first byte.
    #[must_use]
    pub const fn command(self) -> Command {
        match self {
            Packet::Call(_) => Command::Call,
            Packet::SimplifyPath(_) => Command::SimplifyPath,
            Packet::ConfirmPath(_) => Command::ConfirmPath,
            Packet::Raw(_) => Command::Raw,
            Packet::Spawn(_) => Command::Spawn,
            Packet::Despawn { .. } => Command::Despawn,
            Packet::Sync(_) => Command::Sync,
            Packet::Delta(_) => Command::Delta,
            Packet::Sys(_) => Command::Sys,
        }
    }

    /// Validates everything to the last byte, in linear time, except a relayed packet: parse and
    /// validate the packet of a [`Sys::Relay`] separately.
    ///
    /// # Errors
    /// Fails if anything cannot be read, or bytes follow the end.
    pub fn validate(self) -> Result<(), Error> {
        match self {
            Packet::Call(call) => call.args().validate(),
            Packet::Spawn(spawn) => {
                if let Some(custom) = spawn.custom() {
                    custom.validate()?;
                }
                spawn.state().validate()
            }
            Packet::Sync(sync) => {
                let mut entries = sync.entries();
                while let Some(entry) = entries.try_next()? {
                    entry.values().validate()?;
                }
                Ok(())
            }
            Packet::Delta(delta) => {
                let mut entries = delta.entries();
                while let Some(entry) = entries.try_next()? {
                    entry.values().validate()?;
                }
                Ok(())
            }
            _ => Ok(()),
        }
    }
}

/// A call (`scene_rpc_interface.cpp:155`).
#[derive(Clone, Copy, Debug)]
pub struct Call<'a> {
    node: NodeRef<'a>,
    method: u16,
    /// The packet without the path at its end, which does not belong to the arguments.
    body: &'a [u8],
    /// The offset of the first argument.
    first: usize,
    /// The number of arguments, or `None` for a raw call.
    count: Option<u8>,
    options: ReadOptions,
}

/// Set in a method's number if `rpc_config()` made the method remote, clear if `@rpc` did.
const CONFIGURED: u16 = 0x8000;

impl<'a> Call<'a> {
    #[inline]
    fn read(
        bytes: &'a [u8],
        head: u8,
        mut reader: ByteReader<'a>,
        options: ReadOptions,
    ) -> Result<Call<'a>, Error> {
        let node = match head >> NODE_SIZE_SHIFT & 3 {
            0 => u32::from(reader.u8()?),
            1 => u32::from(reader.u16()?),
            2 => reader.u32()?,
            _ => return Err(Error::new(0, PacketErrorKind::BadNodeIdSize)),
        };
        let method = match head & WIDE_METHOD {
            0 => u16::from(reader.u8()?),
            _ => reader.u16()?,
        };
        let (node, body) = if node & PATH_BIT == 0 {
            (NodeRef::Id(node), bytes)
        } else {
            path_at_end(bytes, node & !PATH_BIT, reader.at())?
        };
        let count = match head & RAW_CALL {
            0 => Some(ByteReader::new(body, reader.at()).u8()?),
            _ => None,
        };
        Ok(Call {
            node,
            method,
            body,
            first: reader.at() + usize::from(count.is_some()),
            count,
            options,
        })
    }

    /// Returns the node that the packet is for, by id or by path.
    #[must_use]
    pub const fn node(self) -> NodeRef<'a> {
        self.node
    }

    /// The number of the method. It is the index among the sorted names of the script's `@rpc`
    /// functions. If [`Call::is_configured`], it is the index among the methods that `rpc_config()`
    /// made remote. The bit that distinguishes the two is not included.
    #[must_use]
    pub const fn method(self) -> u16 {
        self.method & !CONFIGURED
    }

    /// Returns `true` if `rpc_config()` made the method remote, `false` if `@rpc` did.
    #[must_use]
    pub const fn is_configured(self) -> bool {
        self.method & CONFIGURED != 0
    }

    /// The number of the method as in the packet, including the bit of [`Call::is_configured`].
    #[must_use]
    pub const fn method_id(self) -> u16 {
        self.method
    }

    /// Returns `true` if the call has the short form for no argument or one PackedByteArray.
    #[must_use]
    pub const fn is_raw(self) -> bool {
        self.count.is_none()
    }

    /// The arguments. A call in the short form has none, or one PackedByteArray.
    #[inline]
    #[must_use]
    pub const fn args(self) -> Values<'a> {
        match self.count {
            Some(count) => Values::compact(self.body, self.first, Some(count as u32), self.options),
            None => Values::raw(self.body, self.first, self.options),
        }
    }
}

/// Assigns an id to a path (`scene_cache_interface.cpp:96`).
#[derive(Clone, Copy, PartialEq, Eq, Debug)]
pub struct SimplifyPath<'a> {
    /// The MD5, as hexadecimal digits, of the names of the node's remote methods, joined without
    /// separators: first the names from `rpc_config()`, sorted, then the names from `@rpc`, sorted.
    pub md5: &'a [u8; 32],
    /// The id that the sender uses instead of the path after the receiver's CONFIRM_PATH.
    pub id: u32,
    /// The path, relative to the root of the multiplayer API.
    pub path: Name<'a>,
}

impl<'a> SimplifyPath<'a> {
    fn read(mut reader: ByteReader<'a>) -> Result<SimplifyPath<'a>, Error> {
        let at = reader.at();
        let md5 = reader.take(33)?;
        let Some((md5, [0])) = md5.split_first_chunk() else {
            return Err(Error::new(at + 32, PacketErrorKind::MissingNul));
        };
        Ok(SimplifyPath {
            md5,
            id: reader.u32()?,
            path: reader.last_name()?,
        })
    }
}

/// An answer to [`SimplifyPath`] (`scene_cache_interface.cpp:141`).
#[derive(Clone, Copy, PartialEq, Eq, Debug)]
pub struct ConfirmPath {
    /// `true` if the receiver's node has the same remote methods. Otherwise client and server have
    /// different scripts, and may number their methods differently.
    pub matches: bool,
    /// The id from the [`SimplifyPath`] that this packet answers.
    pub id: u32,
}

/// A message of SceneMultiplayer itself (`scene_multiplayer.cpp:455`).
#[derive(Clone, Copy, PartialEq, Eq, Debug)]
pub enum Sys<'a> {
    /// A message of the authentication. An empty message ends the sender's part of the
    /// authentication.
    Auth(&'a [u8]),
    /// The server reports that a peer joined.
    AddPeer(i32),
    /// The server reports that a peer left.
    DelPeer(i32),
    /// A packet that the server relays. On its way to the server it names the target; on its way
    /// from the server it names the source.
    Relay {
        /// The target or source. As a target, 0 is everybody, and `-n` everybody but `n`.
        peer: i32,
        /// The packet, to be parsed separately.
        packet: &'a [u8],
    },
}

impl<'a> Sys<'a> {
    fn read(mut reader: ByteReader<'a>) -> Result<Sys<'a>, Error> {
        let at = reader.at();
        let sys = match reader.u8()? {
            0 => return Ok(Sys::Auth(reader.rest())),
            1 => Sys::AddPeer(reader.i32()?),
            2 => Sys::DelPeer(reader.i32()?),
            3 => {
                return Ok(Sys::Relay {
                    peer: reader.i32()?,
                    packet: reader.rest(),
                });
            }
            number => return Err(Error::new(at, PacketErrorKind::UnknownCommand { number })),
        };
        reader.done()?;
        Ok(sys)
    }

    /// The name: `AUTH`, `ADD_PEER`, `DEL_PEER` or `RELAY`.
    #[must_use]
    pub const fn name(self) -> &'static str {
        match self {
            Sys::Auth(_) => "AUTH",
            Sys::AddPeer(_) => "ADD_PEER",
            Sys::DelPeer(_) => "DEL_PEER",
            Sys::Relay { .. } => "RELAY",
        }
    }
}
