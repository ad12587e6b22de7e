//! [`Fragments`]: puts packets together from ENet fragments.

use alloc::{vec, vec::Vec};

use crate::{
    enet::Fragment,
    error::{Error, PacketErrorKind},
    traffic::SessionLimits,
};

/// The incomplete packets of one link and direction.
#[derive(Debug, Default)]
pub(super) struct Fragments {
    partial: Vec<PartialPacket>,
    /// The memory of the last complete packet, which the next packet reuses.
    spare: Vec<u8>,
    /// The number of incomplete packets that were given up.
    given_up: u64,
}

#[derive(Debug)]
struct PartialPacket {
    of: PacketId,
    count: u32,
    missing: u32,
    /// The total length of the fragments that arrived.
    filled: usize,
    bytes: Vec<u8>,
    /// A bit for each fragment, set once it has arrived.
    arrived: Vec<u64>,
}

/// What the fragments of one packet have in common: the channel, the start number, and for an
/// unreliable packet the number of the reliable packet before it. After each reliable packet, the
/// start numbers of unreliable packets begin again at 1.
type PacketId = (u8, u16, Option<u16>);

impl Fragments {
    /// Takes a fragment, and the number of its command. Returns the packet, valid until the next
    /// call, if this was its last missing fragment.
    pub(super) fn insert(
        &mut self,
        (channel, sequence): (u8, u16),
        piece: Fragment<'_>,
        limits: SessionLimits,
    ) -> Result<Option<&[u8]>, Error> {
        let of = (channel, piece.start, (!piece.reliable).then_some(sequence));
        let total = piece.total as usize;
        if total > limits.packet_len || limits.fragmented == 0 {
            return Err(Error::new(0, PacketErrorKind::OverLimit));
        }
        let same = |partial: &PartialPacket| partial.of == of;
        let place = match self.partial.iter().position(same) {
            Some(place) => place,
            None => {
                if self.partial.len() >= limits.fragmented {
                    self.partial.remove(0);
                    self.given_up += 1;
                }
                let mut bytes = core::mem::take(&mut self.spare);
                bytes.clear();
                bytes.resize(total, 0);
                self.partial.push(PartialPacket {
                    of,
                    count: piece.count,
                    missing: piece.count,
                    filled: 0,
                    bytes,
                    arrived: vec![0; piece.count.div_ceil(64) as usize],
                });
                self.partial.len() - 1
            }
        };
        let partial = &mut self.partial[place];
        let bad = Error::new(0, PacketErrorKind::BadFragment);
        if partial.count != piece.count || partial.bytes.len() != total {
            return Err(bad);
        }
        let (word, bit) = (piece.number / 64, 1 << (piece.number % 64));
        let arrived = partial.arrived.get_mut(word as usize).ok_or(bad)?;
        if *arrived & bit != 0 {
            return Ok(None);
        }
        let offset = piece.offset as usize;
        let room = partial.bytes.get_mut(offset..offset + piece.data.len());
        room.ok_or(bad)?.copy_from_slice(piece.data);
        *arrived |= bit;
        partial.missing -= 1;
        partial.filled = partial.filled.saturating_add(piece.data.len());
        if partial.missing > 0 {
            return Ok(None);
        }
        let partial = self.partial.remove(place);
        self.spare = partial.bytes;
        // Not all bytes were sent. Without this check a few bytes could become a large packet.
        if partial.filled < total {
            return Err(bad);
        }
        Ok(Some(&self.spare))
    }

    /// Returns the number of bytes held for incomplete packets.
    pub(super) fn pending(&self) -> usize {
        self.partial.iter().map(|partial| partial.bytes.len()).sum()
    }

    /// Returns the number of packets of which fragments arrived, but not all.
    pub(super) fn incomplete(&self) -> u64 {
        self.given_up + self.partial.len() as u64
    }

    pub(super) fn clear(&mut self) {
        self.given_up = self.incomplete();
        self.partial.clear();
    }
}
