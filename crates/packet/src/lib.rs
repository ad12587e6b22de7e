//! Reads and writes the multiplayer packets of Godot 4 and Godot 3, and the transports that carry them.
//!
//! | layer | what | module |
//! |---|---|---|
//! | capture | [`Reader`](capture::Reader), [`Segment`](capture::Segment), [`Listener`](capture::Listener): files of tcpdump | [`capture`], feature `capture` |
//! | session | [`Session`]: puts packets together, remembers peers, paths and nodes | feature `alloc` |
//! | transport | ENet datagrams and commands, WebSocket frames, debugger messages | [`enet`], [`websocket`], [`debugger`] |
//! | packet | [`Packet`](godot4::Packet) of Godot 4 and [of Godot 3](godot3::Packet), as views | [`godot4`], [`godot3`] |
//! | value | [`Value`]: an argument or property; most are a [`VariantRef`](gdvar_view::VariantRef) | |
//!
//! Each layer can be used alone: a server that receives packets needs no session, and a proxy that
//! only counts ENet commands parses no packets. A server or bot of your own for games of Godot 4 needs
//! `multiplayer` (feature `multiplayer`), which answers peers, confirms paths, and spawns nodes.
//!
//! Four types work on the events of a session: [`Filter`] selects them, [`PacketEditor`] rewrites their packets,
//! [`Replication`](replication::Replication) counts what spawners and synchronizers send, and
//! `names::Names` (feature `names`) finds the names of Godot 4's methods.
//!
//! ```
//! use gdvar_packet::{NodeRef, godot4::Packet};
//!
//! // The bytes of `rpc_id(1, "hit", 100, "fire")` in Godot 4.
//! let bytes = b"\0\x03\x01\x02\x02\x64\x04\0\0\0\x04\0\0\0fire";
//! let Packet::Call(call) = Packet::parse(bytes)? else { panic!() };
//! assert_eq!((call.node(), call.method()), (NodeRef::Id(3), 1));
//! let mut args = call.args();
//! assert_eq!(args.try_next()?.unwrap().as_i64(), Some(100));
//! assert_eq!(args.try_next()?.unwrap().as_str(), Some("fire"));
//! # Ok::<(), gdvar_packet::Error>(())
//! ```
//!
//! # Cost
//!
//! Parsing copies and allocates nothing. A value is validated when it is reached, in linear time. A
//! session allocates when it learns a peer or path and for fragmented packets, but not for a call
//! whose path is known.
//!
//! # Hostile packets
//!
//! Packets may come from anyone. No input causes a panic, every length is checked before it is
//! used, parsing reserves no memory for a count, and [`SessionLimits`] bounds what a session
//! remembers. See [`SECURITY.md`].
//!
//! # Features
//!
//! * `std` (default): writes to files and sockets. Implies `alloc`.
//! * `alloc`: [`Session`], [`Filter`], [`PacketEditor`], [`replication`], [`enet::Unpacker`].
//! * `compression`: FastLZ, zlib and Zstandard in ENet; Zstandard is the C library. The range coder, the
//!   default of Godot 3.6, needs no feature.
//! * `ruzstd`: the same with Zstandard in Rust, for example for WebAssembly.
//! * `capture`: pcap and pcapng, IP fragments, TCP streams.
//! * `names`: the names of Godot 4's methods.
//! * `multiplayer`: `multiplayer::Multiplayer` and `multiplayer::Replicator`.
//!
//! The layouts and their sources are in [`docs/PACKETS.md`].
//!
//! [`docs/PACKETS.md`]: https://github.com/gdvar/gdvar/blob/main/docs/PACKETS.md
//! [`SECURITY.md`]: https://github.com/gdvar/gdvar/blob/main/SECURITY.md
#![cfg_attr(docsrs, feature(doc_cfg))]
#![no_std]

#[cfg(feature = "alloc")]
extern crate alloc;
#[cfg(feature = "std")]
extern crate std;

mod arg;
mod byte_reader;
#[cfg(feature = "capture")]
pub mod capture;
#[cfg(feature = "alloc")]
mod compression;
pub mod debugger;
mod encode;
pub mod enet;
mod error;
#[cfg(feature = "alloc")]
mod filter;
pub mod godot3;
pub mod godot4;
#[cfg(any(feature = "multiplayer", feature = "names"))]
mod method_digest;
#[cfg(feature = "multiplayer")]
pub mod multiplayer;
mod name;
#[cfg(feature = "names")]
pub mod names;
mod node_ref;
#[cfg(feature = "alloc")]
pub mod replication;
#[cfg(feature = "alloc")]
mod rewrite;
#[cfg(feature = "alloc")]
mod session;
#[cfg(feature = "alloc")]
mod tls;
#[cfg(feature = "alloc")]
mod traffic;
mod value;
pub mod websocket;

pub use arg::{Arg, Encoded};
pub use encode::{Encode, WriteError};
pub use error::{Error, PacketErrorKind};
#[cfg(feature = "alloc")]
pub use filter::{Filter, FilterError};
pub use name::Name;
pub use node_ref::NodeRef;
#[cfg(feature = "alloc")]
pub use rewrite::{Forwarded, PacketEdit, PacketEditor};
#[cfg(feature = "alloc")]
pub use session::{Session, Undecided};
#[cfg(feature = "alloc")]
pub use traffic::{
    Direction, Engine, Message, Named, NodePath, SessionEvent, SessionLimits, SessionState,
    Spawned, Transport, TransportInfo,
};
pub use value::{Value, ValueContent, Values};

pub use gdvar_view::{self, Dialect};
pub use gdvar_write;

#[cfg(all(
    doctest,
    feature = "capture",
    feature = "compression",
    feature = "names"
))]
#[doc = include_str!("../README.md")]
struct Readme;
