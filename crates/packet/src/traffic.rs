//! The traffic between a server and its clients: [`SessionEvent`], and the [`SessionState`] that
//! each event refers to.

mod event;
mod limits;
mod message;
mod parse;
mod size;
mod state;
mod transport;

pub use event::SessionEvent;
pub use limits::SessionLimits;
pub use message::{Message, Named};
pub(crate) use parse::{options, parse3, parse4};
pub(crate) use size::{DEFAULT_MTU, HEADS, MAX_HELD, MAX_UDP, max_len};
pub use state::{NodePath, SessionState, Spawned};
pub use transport::{Direction, Engine, Transport, TransportInfo};
