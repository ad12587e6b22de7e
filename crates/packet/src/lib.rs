//! The traffic of a Godot game: the packets of its multiplayer, their carriers, and how to write
//! them.
//!
//! | layer | what | module |
//! |---|---|---|
//! | a file of tcpdump | [`Reader`](capture::Reader), [`Segment`](capture::Segment), [`Listener`](capture::Listener) | [`capture`], feature `capture` |
//! | a conversation | [`Session`]: packets put together, peers, paths, nodes | feature `alloc` |
//! | a carrier | ENet's datagrams and commands; WebSocket's frames; the debugger's messages | [`enet`], [`websocket`], [`debugger`] |
//! | a packet | [`Packet`](godot4::Packet) of Godot 4 and [of Godot 3](godot3::Packet), as views | [`godot4`], [`godot3`] |
//! | a value | [`Value`]: an argument or property; most are [`VariantRef`](gdvar_view::VariantRef)s | |
//!
//! Each layer stands alone: a server that has the packets already needs no session, and a proxy that only
//! counts commands of ENet needs no packets. On top of a session are [`Filter`], which asks, and
//! [`PacketEditor`], which rewrites; and `names::Names`, which finds the names of Godot 4's methods.
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
//! Nothing is copied and nothing allocated to read a packet; a value is validated when it is reached, in linear
//! time. A session allocates when it learns something, and for packets in pieces; not for a call whose path is known.
//!
//! # Hostile packets
//!
//! are the normal case. Nothing panics, every length is checked before it is used, no count buys memory, and what a
//! session remembers is bounded by [`Limits`]: see `SECURITY.md`.
//!
//! # Features
//!
//! * `std` (default): implies `alloc`; sinks for files and sockets.
//! * `alloc`: [`Session`], [`Filter`], [`PacketEditor`], [`enet::Unpacker`].
//! * `compression`: FastLZ, zlib and Zstandard in ENet. The range coder, which is the default of Godot 3.6, needs
//!   no feature. Zstandard is the C library; with `ruzstd` in place of `compression` it is Rust alone, as for WebAssembly.
//! * `capture`: pcap and pcapng, TCP put in order.
//! * `names`: the names of methods of Godot 4.
//!
//! Layouts and their sources are in `docs/PACKETS.md`.
#![no_std]

#[cfg(feature = "alloc")]
extern crate alloc;
#[cfg(feature = "std")]
extern crate std;

mod arg;
#[cfg(feature = "capture")]
pub mod capture;
pub mod debugger;
#[cfg(feature = "alloc")]
mod edit;
pub mod enet;
mod error;
#[cfg(feature = "alloc")]
mod filter;
pub mod godot3;
pub mod godot4;
mod name;
#[cfg(feature = "names")]
pub mod names;
mod reader;
#[cfg(feature = "alloc")]
mod session;
#[cfg(feature = "alloc")]
mod tls;
mod value;
pub mod websocket;

pub use arg::{Arg, Encode, Encoded, WriteError};
#[cfg(feature = "alloc")]
pub use edit::{Edit, PacketEditor};
pub use error::{Error, PacketErrorKind};
#[cfg(feature = "alloc")]
pub use filter::{Filter, FilterError};
pub use name::{Name, NodeRef};
#[cfg(feature = "alloc")]
pub use session::{
    Carriage, Carrier, Direction, Engine, Item, Known, Limits, Message, Named, NodePath, Onward,
    Session, Spawned, Undecided,
};
pub use value::{Content, Value, Values};

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
