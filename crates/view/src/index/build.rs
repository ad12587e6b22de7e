//! Building an index while validating.

use alloc::vec::Vec;

use super::{Entry, Index, LINK, SMALL};
use crate::marks::Marks;

/// Collects where the children of open containers begin, and keeps those of large ones.
#[derive(Debug)]
pub(super) struct Builder {
    /// Offsets are in units of `1 << shift` bytes.
    shift: u32,
    entries: Vec<Entry>,
    slots: Vec<u32>,
    /// The children so far of all open containers, those of the innermost last. A container's own
    /// slot stands right before its children's.
    scratch: Vec<u32>,
    /// For each open container where its children begin in that.
    open: Vec<usize>,
}

impl Builder {
    /// For a buffer of so many bytes.
    pub(super) fn new(shift: u32, len: usize) -> Builder {
        // About as many children as an array of records has, as growing step by step costs more.
        let children = (len / 128).min(1024);
        Builder {
            shift,
            entries: Vec::new(),
            slots: Vec::new(),
            scratch: Vec::with_capacity(children),
            open: Vec::new(),
        }
    }

    /// What was collected.
    pub(super) fn finish(self) -> (Vec<Entry>, Vec<u32>) {
        (self.entries, self.slots)
    }

    #[cfg(feature = "rayon")]
    fn entry(&self, number: u32) -> Entry {
        let none = Entry { at: 0, end: 0 };
        self.entries.get(number as usize).copied().unwrap_or(none)
    }

    /// Bytes fit [`Index::longest`], so the offset fits below the top bit.
    #[inline(always)]
    const fn slot(&self, at: usize) -> u32 {
        debug_assert!((at >> self.shift) << self.shift == at);
        (at >> self.shift) as u32
    }
}

impl Marks for Builder {
    const ENDS: bool = true;

    #[inline]
    fn child(&mut self, at: usize) {
        self.scratch.push(self.slot(at));
    }

    fn children(&mut self, at: usize, size: usize, count: u32) {
        let (first, step) = (self.slot(at), self.slot(size));
        self.scratch.extend((0..count).map(|n| first + n * step));
    }

    fn take_back(&mut self, count: u32) {
        let len = self.scratch.len().saturating_sub(count as usize);
        self.scratch.truncate(len);
    }

    #[inline]
    fn open(&mut self) {
        self.open.push(self.scratch.len());
    }

    #[inline]
    fn close(&mut self, end: usize) {
        let first = self.open.pop().unwrap_or_default();
        let Some(own) = first
            .checked_sub(1)
            .and_then(|own| self.scratch.get_mut(own))
        else {
            return;
        };
        if end - ((*own as usize) << self.shift) > SMALL {
            let at = core::mem::replace(own, LINK | self.entries.len() as u32);
            self.slots
                .extend(self.scratch.get(first..).unwrap_or_default());
            let end = self.slots.len() as u32;
            self.entries.push(Entry { at, end });
        }
        self.scratch.truncate(first);
    }
}

#[cfg(feature = "rayon")]
impl crate::parallel::Parts for Builder {
    fn beside(&self) -> Builder {
        Builder::new(self.shift, usize::MAX)
    }

    /// Entries keep their order, so a container's are moved with the last child that has one, before
    /// the container itself is closed.
    fn append(&mut self, ahead: Builder, runs: &[u32]) {
        let mut children = ahead.scratch.as_slice();
        // What was moved so far of the other's entries and slots.
        let (mut entries, mut slots) = (0, 0);
        for (n, &count) in runs.iter().enumerate() {
            if let (1.., Some(&next)) = (n, children.first()) {
                let at = match next & LINK {
                    0 => next,
                    _ => ahead.entry(next & !LINK).at,
                };
                self.close((at as usize) << self.shift);
            }
            let (run, rest) = children
                .split_at_checked(count as usize)
                .unwrap_or_default();
            children = rest;
            let last = run.iter().rfind(|slot| **slot & LINK != 0);
            let up_to = last.map_or(entries, |slot| (slot & !LINK) + 1);
            let slots_up_to = last.map_or(slots, |slot| ahead.entry(slot & !LINK).end);
            let by = (self.entries.len() as u32).wrapping_sub(entries);
            let slots_by = (self.slots.len() as u32).wrapping_sub(slots);
            let moved = |slot: &u32| match slot & LINK {
                0 => *slot,
                _ => slot.wrapping_add(by),
            };
            let range = entries as usize..up_to as usize;
            let moving = ahead.entries.get(range).unwrap_or_default().iter();
            self.entries.extend(moving.map(|entry| Entry {
                at: entry.at,
                end: entry.end.wrapping_add(slots_by),
            }));
            let range = slots as usize..slots_up_to as usize;
            let moving = ahead.slots.get(range).unwrap_or_default();
            self.slots.extend(moving.iter().map(moved));
            self.scratch.extend(run.iter().map(moved));
            (entries, slots) = (up_to, slots_up_to);
        }
    }
}

impl Index {
    /// How many bytes can be indexed, where offsets are in those units.
    pub(super) const fn longest(shift: u32) -> usize {
        // On 32-bit targets no buffer is larger than the half of this.
        let longest = (LINK as u64) << shift;
        if longest > usize::MAX as u64 {
            usize::MAX
        } else {
            longest as usize
        }
    }
}
