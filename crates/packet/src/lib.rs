//! Packets of Godot's multiplayer.
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
mod value;
pub mod websocket;

pub use arg::{Arg, Encode, Encoded, WriteError};
#[cfg(feature = "alloc")]
pub use edit::{Edit, PacketEditor};
pub use error::{Error, ErrorKind};
#[cfg(feature = "alloc")]
pub use filter::{Filter, FilterError};
pub use name::{Name, NodeRef};
#[cfg(feature = "alloc")]
pub use session::{
    Carriage, Carrier, Direction, Engine, Item, Known, Limits, Message, Named, NodePath, Session,
    Spawned,
};
pub use value::{Content, Value, Values};

pub use gdvar_view::{self, Dialect};
pub use gdvar_write;
