//! Packets in pieces.

use alloc::{vec, vec::Vec};

use super::Limits;
use crate::{Error, PacketErrorKind, enet::Fragment};

/// The packets of one line and direction that have not arrived whole.
#[derive(Debug, Default)]
pub(super) struct Fragments {
    open: Vec<Open>,
    /// Memory of a packet that is done, to be used again.
    spare: Vec<u8>,
}

#[derive(Debug)]
struct Open {
    channel: u8,
    start: u16,
    reliable: bool,
    count: u32,
    missing: u32,
    /// The number of bytes of all pieces that are there.
    filled: usize,
    bytes: Vec<u8>,
    /// A bit for each piece.
    seen: Vec<u64>,
}

impl Fragments {
    /// Takes a piece; the packet, if it was the last one missing. It is valid until the next call.
    pub(super) fn insert(
        &mut self,
        channel: u8,
        piece: Fragment<'_>,
        limits: Limits,
    ) -> Result<Option<&[u8]>, Error> {
        let total = piece.total as usize;
        if total > limits.packet_len || limits.fragmented == 0 {
            return Err(Error::new(0, PacketErrorKind::OverLimit));
        }
        let same = |open: &Open| {
            (open.channel, open.start, open.reliable) == (channel, piece.start, piece.reliable)
        };
        let place = match self.open.iter().position(same) {
            Some(place) => place,
            None => {
                if self.open.len() >= limits.fragmented {
                    self.open.remove(0);
                }
                let mut bytes = core::mem::take(&mut self.spare);
                bytes.clear();
                bytes.resize(total, 0);
                self.open.push(Open {
                    channel,
                    start: piece.start,
                    reliable: piece.reliable,
                    count: piece.count,
                    missing: piece.count,
                    filled: 0,
                    bytes,
                    seen: vec![0; piece.count.div_ceil(64) as usize],
                });
                self.open.len() - 1
            }
        };
        let open = &mut self.open[place];
        let bad = Error::new(0, PacketErrorKind::BadFragment);
        if open.count != piece.count || open.bytes.len() != total {
            return Err(bad);
        }
        let (word, bit) = (piece.number / 64, 1 << (piece.number % 64));
        let seen = open.seen.get_mut(word as usize).ok_or(bad)?;
        if *seen & bit != 0 {
            return Ok(None);
        }
        let offset = piece.offset as usize;
        let room = open.bytes.get_mut(offset..offset + piece.data.len());
        room.ok_or(bad)?.copy_from_slice(piece.data);
        *seen |= bit;
        open.missing -= 1;
        open.filled = open.filled.saturating_add(piece.data.len());
        if open.missing > 0 {
            return Ok(None);
        }
        let open = self.open.remove(place);
        self.spare = open.bytes;
        // Nobody sent the rest, and few bytes would become many.
        if open.filled < total {
            return Err(bad);
        }
        Ok(Some(&self.spare))
    }

    /// The number of bytes of memory the packets in flight have.
    pub(super) fn pending(&self) -> usize {
        self.open.iter().map(|open| open.bytes.len()).sum()
    }

    pub(super) fn clear(&mut self) {
        self.open.clear();
    }
}
