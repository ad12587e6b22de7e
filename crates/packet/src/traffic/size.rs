//! The lengths that transports allow, and the longest packet that may replace another one.

use crate::enet::{Delivery, MAX_DATAGRAM};

/// The longest payload of a UDP datagram over IPv4.
pub(crate) const MAX_UDP: usize = 65_507;
/// The longest fragmented packet that is held until it is complete. A longer packet would never
/// become complete: the sender waits for acknowledgements when half of ENet's window (64 KiB) is in
/// flight, and held fragments are not acknowledged.
pub(crate) const MAX_HELD: usize = 32 << 10;
/// ENet's default MTU: a datagram of this size passes every usual network.
pub(crate) const DEFAULT_MTU: usize = 1392;
/// Room for the datagram's header and the longest header of a command.
pub(crate) const HEADS: usize = 32;
/// The longest packet in one command.
const MAX_PACKET: usize = MAX_DATAGRAM - HEADS;
/// The longest unreliable packet, which may be sent in any number of fragments.
const MAX_UNRELIABLE: usize = 1 << 20;

/// The longest packet that can replace a packet that arrived in `fragments` ENet commands.
///
/// Each fragment of a reliable packet takes one of the channel's sequence numbers, and the receiver waits
/// for every one of them, so the number of fragments cannot change. Fragments of an unreliable packet share
/// one number. An unsequenced packet has no number that fragments could share.
pub(crate) fn max_len(delivery: Delivery, fragments: u32) -> usize {
    match delivery {
        Delivery::Reliable => (fragments as usize).saturating_mul(MAX_PACKET),
        Delivery::UnreliableOrdered => MAX_UNRELIABLE,
        Delivery::Unreliable => MAX_PACKET,
    }
}
