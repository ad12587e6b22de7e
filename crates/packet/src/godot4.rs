//! Packets of Godot 4's `SceneMultiplayer`: [`Packet`] to read them, [`Message`] to write them.
//!
//! Layouts as in Godot 4.6 (`modules/multiplayer/scene_multiplayer.cpp`, `scene_rpc_interface.cpp`,
//! `scene_cache_interface.cpp`, `scene_replication_interface.cpp`). All numbers are little-endian.
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

mod message;
mod replication;

use gdvar_view::{Dialect, ReadOptions};

use crate::{Error, Name, NodeRef, PacketErrorKind, Values, reader::Reader};

pub use message::{Message, Properties};
pub use replication::{Delta, DeltaEntries, DeltaEntry, Spawn, Sync, SyncEntries, SyncEntry};

/// The three bits of the first byte that are the command (`CMD_MASK`).
pub(crate) const COMMAND_MASK: u8 = 7;
pub(crate) const NODE_SIZE_SHIFT: u32 = 4;
pub(crate) const WIDE_METHOD: u8 = 0x40;
pub(crate) const RAW_CALL: u8 = 0x80;
/// The bit of a SYNC that makes it a DELTA.
pub(crate) const DELTA: u8 = 0x10;
/// The bit of a node id of four bytes that says its path stands at the end of the packet, and of a
/// synchronizer's id that it is the id of a path.
pub(crate) const PATH_BIT: u32 = 0x8000_0000;

/// A packet that does nothing: the end of an authentication, which a peer that was let in long ago passes
/// over without a word (`scene_multiplayer.cpp`, `poll`). It takes the place of a reliable packet that is
/// dropped on its way, as ENet's receiver would wait for that one for ever.
pub const IGNORED: [u8; 2] = [7, 0];

/// The commands, by their numbers.
#[derive(Clone, Copy, PartialEq, Eq, PartialOrd, Ord, Hash, Debug)]
#[non_exhaustive]
pub enum Command {
    /// A method is called on a node of the receiver.
    Call,
    /// A path is given an id.
    SimplifyPath,
    /// That id was understood.
    ConfirmPath,
    /// Bytes of the game's own.
    Raw,
    /// A MultiplayerSpawner made a node.
    Spawn,
    /// That node is gone.
    Despawn,
    /// Properties of a MultiplayerSynchronizer that are sent always.
    Sync,
    /// Properties that are sent when they change. On the wire a SYNC with a flag.
    Delta,
    /// Matters of SceneMultiplayer itself: authentication, peers, relay.
    Sys,
}

impl Command {
    /// The name: `CALL`, `SIMPLIFY_PATH`.
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

/// One packet, looked at and not copied. Its fields of fixed size and the bounds of the others were
/// checked; values are validated when they are reached.
#[derive(Clone, Copy, Debug)]
pub enum Packet<'a> {
    /// A method is called.
    Call(Call<'a>),
    /// A path is given an id.
    SimplifyPath(SimplifyPath<'a>),
    /// An id was understood.
    ConfirmPath(ConfirmPath),
    /// The bytes of `send_bytes`.
    Raw(&'a [u8]),
    /// A node was made.
    Spawn(Spawn<'a>),
    /// A node is gone.
    Despawn {
        /// The id that the spawn gave it.
        net_id: u32,
    },
    /// Properties that are sent always.
    Sync(Sync<'a>),
    /// Properties that changed.
    Delta(Delta<'a>),
    /// Matters of SceneMultiplayer itself.
    Sys(Sys<'a>),
}

impl<'a> Packet<'a> {
    /// Reads a packet. O(1) but for a path's length; nothing is allocated.
    ///
    /// # Errors
    /// If it is no packet that the engine would act on without `allow_object_decoding`. Values in it are not looked at yet: see
    /// [`Packet::validate`].
    #[inline]
    pub fn parse(bytes: &'a [u8]) -> Result<Packet<'a>, Error> {
        Packet::parse_with(bytes, ReadOptions::new(Dialect::GODOT_4))
    }

    /// Parses with values read as the options say: for a game with `allow_object_decoding`.
    ///
    /// # Errors
    /// As [`Packet::parse`].
    #[inline]
    pub fn parse_with(bytes: &'a [u8], options: ReadOptions) -> Result<Packet<'a>, Error> {
        let mut reader = Reader::new(bytes, 0);
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
            6 if head & DELTA != 0 => Packet::Delta(Delta::new(bytes, options)),
            6 => Packet::Sync(Sync::read(bytes, reader, options)?),
            _ => Packet::Sys(Sys::read(reader)?),
        })
    }

    /// Which command it is.
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

    /// Reads everything in it to the last byte, in linear time. A relayed packet within is validated
    /// by itself: [`Sys::Relay`].
    ///
    /// # Errors
    /// The first thing that cannot be read, and bytes behind the end.
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

/// A call of a method (`scene_rpc_interface.cpp:155`).
#[derive(Clone, Copy, Debug)]
pub struct Call<'a> {
    node: NodeRef<'a>,
    method: u16,
    /// The packet up to where the arguments may reach.
    body: &'a [u8],
    /// The place where the arguments begin.
    first: usize,
    /// The number of arguments; `None` for a raw one.
    count: Option<u8>,
    options: ReadOptions,
}

/// The bit of a method's number that says it was configured by `rpc_config()` and not by `@rpc`.
const CONFIGURED: u16 = 0x8000;

impl<'a> Call<'a> {
    #[inline]
    fn read(
        bytes: &'a [u8],
        head: u8,
        mut reader: Reader<'a>,
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
            0 => Some(Reader::new(body, reader.at()).u8()?),
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

    /// The node.
    #[must_use]
    pub const fn node(self) -> NodeRef<'a> {
        self.node
    }

    /// The number of the method: the place of its name among the sorted names of the script's `@rpc`
    /// functions. The number counts those that `rpc_config()` made remote if
    /// [`Call::is_configured`]; the bit that says so is left out here.
    #[must_use]
    pub const fn method(self) -> u16 {
        self.method & !CONFIGURED
    }

    /// Returns `true` if `rpc_config()` made the method remote, and not `@rpc`.
    #[must_use]
    pub const fn is_configured(self) -> bool {
        self.method & CONFIGURED != 0
    }

    /// The method as the packet has it, with the bit of [`Call::is_configured`].
    #[must_use]
    pub const fn method_id(self) -> u16 {
        self.method
    }

    /// Returns `true` if it is in the short form for no argument or one PackedByteArray.
    #[must_use]
    pub const fn is_raw(self) -> bool {
        self.count.is_none()
    }

    /// The arguments.
    #[inline]
    #[must_use]
    pub const fn args(self) -> Values<'a> {
        match self.count {
            Some(count) => Values::compact(self.body, self.first, Some(count as u32), self.options),
            None => Values::raw(self.body, self.first, self.options),
        }
    }
}

/// A path that stands at the end of a packet, and the packet without it.
pub(crate) fn path_at_end(
    bytes: &[u8],
    offset: u32,
    args: usize,
) -> Result<(NodeRef<'_>, &[u8]), Error> {
    let start = offset as usize;
    let body = match bytes.get(..start) {
        Some(body) if start >= args && start < bytes.len() => body,
        _ => return Err(Error::new(1, PacketErrorKind::BadPathOffset { offset })),
    };
    let path = Reader::new(bytes, start).last_name()?;
    Ok((NodeRef::Path(path), body))
}

/// A path and its id (`scene_cache_interface.cpp:96`).
#[derive(Clone, Copy, PartialEq, Eq, Debug)]
pub struct SimplifyPath<'a> {
    /// The MD5, in hexadecimal digits, of the names of the node's remote methods: those of
    /// `rpc_config()` first, then those of `@rpc`, each sorted, without anything between them.
    pub md5: &'a [u8; 32],
    /// The id that the sender uses from now on, once it is confirmed.
    pub id: u32,
    /// The path, relative to the root of the multiplayer API.
    pub path: Name<'a>,
}

impl<'a> SimplifyPath<'a> {
    fn read(mut reader: Reader<'a>) -> Result<SimplifyPath<'a>, Error> {
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
    /// `true` if the receiver has the very same remote methods there. If not, client and server
    /// differ, and the numbers of methods mean different things to them.
    pub matches: bool,
    /// The id.
    pub id: u32,
}

/// Matters of SceneMultiplayer itself (`scene_multiplayer.cpp:455`).
#[derive(Clone, Copy, PartialEq, Eq, Debug)]
pub enum Sys<'a> {
    /// A message of the authentication; an empty one says that the sender is content.
    Auth(&'a [u8]),
    /// The server tells of a peer.
    AddPeer(i32),
    /// The server tells that a peer is gone.
    DelPeer(i32),
    /// A packet that the server hands on: to the server with the target, from the server with the source.
    Relay {
        /// Target or source. As a target 0 is all, and `-n` all but `n`.
        peer: i32,
        /// The packet, to be parsed by itself.
        packet: &'a [u8],
    },
}

impl<'a> Sys<'a> {
    fn read(mut reader: Reader<'a>) -> Result<Sys<'a>, Error> {
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

    /// The name: `AUTH`, `ADD_PEER`, `DEL_PEER`, `RELAY`.
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
