//! [`CallError`]: why a method could not be called.

use core::{convert::Infallible, fmt};

use crate::encode::WriteError;

/// Why [`Multiplayer::call`](super::Multiplayer::call) sent nothing.
#[derive(Clone, Copy, PartialEq, Eq, Debug)]
#[non_exhaustive]
pub enum CallError {
    /// There are too many arguments, a path contains a NUL, or a value cannot be written.
    Write(WriteError<Infallible>),
    /// The node was not added to this [`Multiplayer`](super::Multiplayer).
    NoSuchNode,
    /// The node has no method with this index.
    NoSuchMethod {
        /// The number of methods that were passed to
        /// [`Multiplayer::add_node`](super::Multiplayer::add_node).
        methods: usize,
    },
    /// This peer is not connected.
    NoSuchPeer(i32),
}

impl From<WriteError<Infallible>> for CallError {
    fn from(error: WriteError<Infallible>) -> CallError {
        CallError::Write(error)
    }
}

impl fmt::Display for CallError {
    fn fmt(&self, f: &mut fmt::Formatter<'_>) -> fmt::Result {
        match self {
            CallError::Write(error) => error.fmt(f),
            CallError::NoSuchNode => f.write_str("the node was not added to this Multiplayer"),
            CallError::NoSuchMethod { methods } => {
                write!(
                    f,
                    "the node was added with {methods} methods, counted from 0"
                )
            }
            CallError::NoSuchPeer(peer) => write!(f, "peer {peer} is not connected"),
        }
    }
}

impl core::error::Error for CallError {}
