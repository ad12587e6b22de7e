//! [`Received`]: what a packet means for the program.

use super::node::NodeId;
use crate::godot4::{Call, Packet};

/// What a packet means for the program. Messages about peers and paths are answered already.
#[derive(Clone, Copy, Debug)]
#[non_exhaustive]
pub enum Received<'a> {
    /// A call of a method of a node that was added.
    Call {
        /// The caller. The program decides whether the caller may call the method.
        source: i32,
        /// The node, as `add_node` returned it.
        node: NodeId,
        /// The method, by its index in the list that was passed to `add_node`.
        method: usize,
        /// The call, with its arguments. The number and the types of the arguments are not checked.
        call: Call<'a>,
    },
    /// The bytes of `send_bytes`.
    Bytes {
        /// The peer id of the sender.
        source: i32,
        /// The bytes that the sender passed to `send_bytes`.
        bytes: &'a [u8],
    },
    /// The server reports that a client joined. Only clients receive this.
    PeerConnected(i32),
    /// The server reports that a client left. Only clients receive this.
    PeerDisconnected(i32),
    /// A peer announced a path for which no node was added. The peer goes on sending the path
    /// instead of the id.
    UnknownPath {
        /// The peer id of the sender.
        source: i32,
        /// The path, relative to `/root`.
        path: &'a str,
    },
    /// The peer's node has other remote methods, so calls would reach the wrong methods.
    Mismatch {
        /// The peer id of the sender.
        source: i32,
        /// The node whose remote methods differ.
        node: NodeId,
    },
    /// Any other packet: SPAWN, DESPAWN, SYNC, DELTA, or a call of a node or method that was not
    /// added.
    Other {
        /// The peer id of the sender.
        source: i32,
        /// The packet, validated.
        packet: Packet<'a>,
    },
    /// The packet does not concern the program.
    Nothing,
}
