//! [`Received`]: what a packet means to the program.

use super::node::NodeId;
use crate::godot4::{Call, Packet};

/// What a packet means to the program. Peers and paths are answered already.
#[derive(Clone, Copy, Debug)]
#[non_exhaustive]
pub enum Received<'a> {
    /// A call of a method of a node that was added.
    Call {
        /// The caller. The program decides whether it may call the method.
        source: i32,
        /// The node.
        node: NodeId,
        /// The method, by its place in the list that `add_node` got.
        method: usize,
        /// The arguments. Their number and types are whatever the caller sent.
        call: Call<'a>,
    },
    /// The bytes of `send_bytes`.
    Bytes {
        /// The sender.
        source: i32,
        /// The bytes.
        bytes: &'a [u8],
    },
    /// The server reports a client: sent to clients only.
    PeerConnected(i32),
    /// The server reports that a client left.
    PeerDisconnected(i32),
    /// A peer announced a path for which no node was added. It goes on to send the path.
    UnknownPath {
        /// The peer.
        source: i32,
        /// The path, relative to `/root`.
        path: &'a str,
    },
    /// The peer's node has other remote methods: calls would reach the wrong ones.
    Mismatch {
        /// The peer.
        source: i32,
        /// The node.
        node: NodeId,
    },
    /// Any other packet: SPAWN, DESPAWN, SYNC, DELTA, or a call of a node or method that was not
    /// added.
    Other {
        /// The sender.
        source: i32,
        /// The packet, validated.
        packet: Packet<'a>,
    },
    /// Nothing for the program.
    Nothing,
}
