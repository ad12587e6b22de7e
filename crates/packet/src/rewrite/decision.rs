//! [`PacketEdit`]: the decision about a packet, and [`EditedPacket`]: a packet and the decision.

use crate::{
    godot3, godot4,
    traffic::{Direction, Engine},
};

/// What becomes of a packet.
#[derive(Clone, Copy, PartialEq, Eq, Debug)]
pub enum PacketEdit {
    /// Send [`SessionEvent::bytes`](crate::SessionEvent::bytes) on unchanged.
    Unchanged,
    /// Send the bytes in the buffer on instead of
    /// [`SessionEvent::bytes`](crate::SessionEvent::bytes).
    Rewritten,
    /// Drop the packet. An ENet receiver waits forever for a missing reliable packet, so
    /// [`Session::rewrite`](crate::Session::rewrite) replaces it by a packet that does nothing:
    /// [`godot4::IGNORED`] or [`godot3::ignored`].
    Dropped,
    /// Leave the packet out as if the network had lost it. The sender of a reliable ENet packet
    /// sends the packet again, and the caller of [`Session::rewrite`](crate::Session::rewrite)
    /// decides again. Any other packet is dropped.
    Withheld,
}

/// A packet, and the decision about it.
pub(crate) struct EditedPacket<'a> {
    pub(crate) engine: Engine,
    pub(crate) direction: Direction,
    pub(crate) edit: PacketEdit,
    /// The original packet.
    pub(crate) packet: &'a [u8],
}

impl EditedPacket<'_> {
    /// A packet that the receiver ignores. It replaces a dropped reliable packet, because ENet's
    /// receiver would wait for the missing number forever.
    pub(super) fn ignored(&self, channel: u8) -> IgnoredPacket {
        match self.engine {
            Engine::Godot4 => IgnoredPacket::new(&godot4::IGNORED),
            Engine::Godot3 => {
                let to_server = self.direction == Direction::ToServer;
                IgnoredPacket::new(&godot3::ignored(self.packet, channel, to_server))
            }
        }
    }
}

/// A packet of at most nine bytes that a receiver ignores.
#[derive(Clone, Copy, Debug, Default)]
pub(super) struct IgnoredPacket {
    bytes: [u8; 9],
    len: usize,
}

impl IgnoredPacket {
    fn new(packet: &[u8]) -> IgnoredPacket {
        let mut ignored = IgnoredPacket {
            len: packet.len().min(9),
            ..IgnoredPacket::default()
        };
        ignored.bytes[..ignored.len].copy_from_slice(&packet[..ignored.len]);
        ignored
    }

    pub(super) fn bytes(&self) -> &[u8] {
        &self.bytes[..self.len]
    }
}
