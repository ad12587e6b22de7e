//! [`Outgoing`]: a packet to be sent.

use alloc::vec::Vec;

use crate::enet::Delivery;

/// A packet that the transport is to send.
#[derive(Clone, PartialEq, Eq, Debug)]
pub struct Outgoing {
    /// The peer on the other end of the connection; 1 is the server.
    pub peer: i32,
    /// How the packet is sent. WebSocket sends everything reliably.
    pub delivery: Delivery,
    /// The bytes of the packet, without the framing of the transport.
    pub bytes: Vec<u8>,
}

impl Outgoing {
    pub(super) const fn new(peer: i32, delivery: Delivery, bytes: Vec<u8>) -> Outgoing {
        Outgoing {
            peer,
            delivery,
            bytes,
        }
    }

    /// The ENet channel on which Godot 4 sends the packet: 0 if it is reliable, 1 otherwise
    /// (`enet_multiplayer_peer.cpp`, `put_packet`).
    #[must_use]
    pub const fn enet_channel(&self) -> u8 {
        match self.delivery {
            Delivery::Reliable => 0,
            _ => 1,
        }
    }
}
