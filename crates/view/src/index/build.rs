//! Building an index while validating.

use alloc::vec::Vec;

use super::{Entry, Index, LINK, SMALL};
use crate::bytes::observer::Observer;

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

    /// All that was collected.
    pub(super) fn finish(self) -> (Vec<Entry>, Vec<u32>) {
        (self.entries, self.slots)
    }

    /// Bytes fit [`Index::longest`], so the offset fits below the top bit.
    #[inline(always)]
    const fn slot(&self, at: usize) -> u32 {
        debug_assert!((at >> self.shift) << self.shift == at);
        (at >> self.shift) as u32
    }
}

impl Observer for Builder {
    const ENDS: bool = true;

    #[inline]
    fn child(&mut self, at: usize) {
        self.scratch.push(self.slot(at));
    }

    fn children(&mut self, at: usize, size: usize, count: u32) {
        let (first, step) = (self.slot(at), self.slot(size));
        self.scratch.extend((0..count).map(|n| first + n * step));
    }

    fn retract(&mut self, count: u32) {
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

impl Index {
    /// The most bytes that can be indexed with offsets in those units.
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
