//! [`SessionLimits`]: bounds on the memory of a session.

/// Bounds on the memory of a [`Session`](crate::Session). No traffic makes a session exceed them.
#[derive(Clone, Copy, PartialEq, Eq, Debug)]
pub struct SessionLimits {
    /// The number of clients. A new client replaces the one that was silent longest.
    pub links: usize,
    /// The number of paths with ids, and the number of spawned nodes, for each peer. Further paths and
    /// nodes are not remembered: [`SessionState::refused`](crate::SessionState::refused) counts them.
    pub names_per_peer: usize,
    /// The longest path or name that is remembered, in bytes.
    pub name_len: usize,
    /// The number of incomplete fragmented packets for each client and direction. A new one
    /// replaces the oldest.
    pub fragmented: usize,
    /// The longest fragmented packet, WebSocket message or record, in bytes.
    pub packet_len: usize,
}

impl Default for SessionLimits {
    /// 1024 clients, 16 384 names of 1024 bytes each, 4 packets of 1 MiB in flight.
    fn default() -> SessionLimits {
        SessionLimits {
            links: 1024,
            names_per_peer: 16_384,
            name_len: 1024,
            fragmented: 4,
            packet_len: 1 << 20,
        }
    }
}
