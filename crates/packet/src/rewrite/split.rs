//! Packets that arrive in fragments and are sent on in fragments.

use alloc::vec::Vec;

use super::{
    decision::{EditedPacket, IgnoredPacket, PacketEdit},
    forwarded::Forwarded,
};
use crate::{
    enet::{Body, Command, Delivery, Fragment},
    traffic::{DEFAULT_MTU, HEADS, max_len},
};

/// The fragmented packets that were sent on last. A sender may repeat their fragments.
#[derive(Debug, Default)]
pub(crate) struct SplitHistory(Vec<SplitPacket>);

/// A packet that is sent on in fragments. A reliable packet is sent on in as many fragments as it
/// arrived in, because the receiver waits for the number of every fragment.
#[derive(Debug)]
pub(super) struct SplitPacket {
    channel: u8,
    start: u16,
    count: u32,
    reliable: bool,
    is_dropped: bool,
    ignored: IgnoredPacket,
    bytes: Vec<u8>,
}

impl SplitHistory {
    pub(crate) fn clear(&mut self) {
        self.0.clear();
    }

    /// Sends on a reliable fragment that its sender repeats. Returns `false`, and sends nothing, if
    /// the packet of this fragment was not sent on before.
    pub(crate) fn again(
        &self,
        command: Command<'_>,
        piece: Fragment<'_>,
        to: &mut Forwarded,
    ) -> bool {
        let same = |whole: &&SplitPacket| {
            let of = (whole.channel, whole.start, whole.count);
            whole.reliable && of == (command.channel, piece.start, piece.count)
        };
        let whole = self.0.iter().find(same);
        if let Some(whole) = whole {
            whole.forward(command, piece.number, to);
        }
        whole.is_some()
    }

    /// Sends on a complete packet in fragments, and remembers the last `remembered` packets.
    pub(crate) fn whole(
        &mut self,
        edited: &EditedPacket<'_>,
        command: Command<'_>,
        piece: Fragment<'_>,
        remembered: usize,
        to: &mut Forwarded,
    ) {
        let mut edit = edited.edit;
        let delivery = command.delivery().unwrap_or(Delivery::Reliable);
        if edit == PacketEdit::Rewritten && to.edited.len() > max_len(delivery, piece.count) {
            to.too_long += 1;
            edit = PacketEdit::Unchanged;
        }
        let bytes = match edit {
            PacketEdit::Rewritten => to.edited.clone(),
            _ => edited.packet.to_vec(),
        };
        let whole = SplitPacket {
            channel: command.channel,
            start: piece.start,
            count: match piece.reliable || bytes.len() <= edited.packet.len() {
                true => piece.count,
                false => piece.count.max(pieces(bytes.len())),
            },
            reliable: piece.reliable,
            is_dropped: edit == PacketEdit::Dropped,
            ignored: edited.ignored(command.channel),
            bytes,
        };
        whole.forward_all(command, to);
        if self.0.len() >= remembered.max(1) {
            self.0.remove(0);
        }
        self.0.push(whole);
    }

    /// Forgets an old packet whose number a new packet now uses.
    pub(crate) fn forget(&mut self, channel: u8, start: u16) {
        self.0
            .retain(|whole| (whole.channel, whole.start) != (channel, start));
    }
}

/// The number of fragments of a packet of `len` bytes. Each fragment fits into a datagram.
fn pieces(len: usize) -> u32 {
    len.div_ceil(DEFAULT_MTU - HEADS) as u32
}

impl SplitPacket {
    /// Creates the fragments of an unreliable packet that arrived in one command and has become too
    /// long for one command.
    pub(super) fn unreliable(command: Command<'_>, number: u16, packet: &[u8]) -> SplitPacket {
        SplitPacket {
            channel: command.channel,
            start: number,
            count: pieces(packet.len()),
            reliable: false,
            is_dropped: false,
            ignored: IgnoredPacket::default(),
            bytes: packet.to_vec(),
        }
    }

    pub(super) fn forward_all(&self, command: Command<'_>, to: &mut Forwarded) {
        (0..self.count).for_each(|number| self.forward(command, number, to));
        to.leave_out();
    }

    fn forward(&self, command: Command<'_>, number: u32, to: &mut Forwarded) {
        let sequence = match self.reliable {
            true => self.start.wrapping_add(number as u16),
            false => command.sequence,
        };
        let (count, len) = (u64::from(self.count), self.bytes.len() as u64);
        let body = if !self.is_dropped && len >= count {
            let place = |n: u64| (n * len / count) as usize;
            let (from, end) = (place(number.into()), place(u64::from(number) + 1));
            Body::Fragment(Fragment {
                reliable: self.reliable,
                start: self.start,
                count: self.count,
                number,
                total: len as u32,
                offset: from as u32,
                data: &self.bytes[from..end],
            })
        } else if !self.is_dropped && number == 0 {
            match self.reliable {
                true => Body::Reliable(&self.bytes),
                false => Body::Unreliable {
                    number: self.start,
                    packet: &self.bytes,
                },
            }
        } else if self.reliable {
            Body::Reliable(self.ignored.bytes())
        } else {
            return to.leave_out();
        };
        to.push_changed(Command {
            sequence,
            body,
            ..command
        });
    }
}
