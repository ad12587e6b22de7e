//! Builds an index while the document is validated.

use alloc::vec::Vec;

use super::slots::{CONTAINER, Index, Slot};
use crate::{
    bytes::observer::Observer,
    document::Document,
    error::{Error, ErrorKind},
};

/// The number of slots that are cleared at a time. They fit the first-level cache, so that writing them again
/// costs little.
const STEP: usize = 2048;

/// The value of `next` in a container whose children cannot fit into the bytes.
const NOWHERE: usize = usize::MAX / 2;

impl Index {
    /// Validates a whole document ([`Document::validate`]), and indexes it in the same linear walk. The index
    /// may take twice its final memory while it is built.
    ///
    /// # Errors
    /// Returns the errors of [`Document::validate`]; [`IndexLimit`](ErrorKind::IndexLimit) for 4
    /// GiB or more.
    pub fn build(document: Document<'_>) -> Result<Index, Error> {
        let (options, len) = (document.options(), document.bytes().len());
        if u32::try_from(len).is_err() {
            return Err(Error::new(0, ErrorKind::IndexLimit));
        }
        let mut builder = Builder::new(len);
        document.events().drain(&mut builder)?;
        Ok(Index {
            options,
            len,
            slots: builder.finish(),
            keys: None,
        })
    }
}

/// Writes a slot for each value that validation visits.
#[derive(Debug)]
struct Builder {
    /// The most slots that values in the bytes can fill.
    limit: usize,
    /// The slots, cleared from `end` on.
    slots: Vec<Slot>,
    /// The end of the slots that are taken or reserved.
    end: usize,
    /// The slot of the next child.
    next: usize,
    /// For each open container, the slot of its next sibling.
    siblings: Vec<usize>,
}

impl Builder {
    /// Creates a builder for a document of `len` bytes.
    fn new(len: usize) -> Builder {
        // A value takes at least four bytes and has one slot; a container takes at least eight and has two.
        let mut builder = Builder {
            limit: len / 4,
            slots: Vec::new(),
            end: 1,
            next: 0,
            siblings: Vec::new(),
        };
        builder.clear_up_to(1);
        builder
    }

    /// Returns the slots of a valid document. Keeps the unused capacity: most of that memory was never
    /// written, so giving it back would gain little, and the next build would have to take fresh pages.
    fn finish(mut self) -> Vec<Slot> {
        self.slots.truncate(self.end);
        self.slots
    }

    /// Clears slots up to `end`. Returns `false` if the bytes cannot hold enough values for them.
    #[cold]
    #[inline(never)]
    fn clear_up_to(&mut self, end: usize) -> bool {
        let fits = end <= self.limit;
        if fits {
            let len = (end + STEP).min(self.limit);
            if len > self.slots.capacity() {
                let room = len.max(2 * self.slots.capacity()).min(self.limit);
                self.slots.reserve_exact(room - self.slots.len());
            }
            self.slots.resize(len, Slot::default());
        }
        fits
    }
}

impl Observer for Builder {
    const ENDS: bool = true;

    #[inline(always)]
    fn child(&mut self, at: usize, second: u32) {
        if let Some(slot) = self.slots.get_mut(self.next) {
            // The length was checked, so the offset fits.
            *slot = Slot {
                at: at as u32,
                more: second & !CONTAINER,
            };
        }
        self.next += 1;
    }

    fn children(&mut self, at: usize, size: usize, count: u32) {
        for n in 0..count as usize {
            self.child(at + n * size, 0);
        }
    }

    fn retract(&mut self, count: u32) {
        self.next -= count as usize;
    }

    #[inline(always)]
    fn open(&mut self, count: u32) {
        let (group, end) = (self.end, self.end + 1 + count as usize);
        self.siblings.push(self.next);
        if end > self.slots.len() && !self.clear_up_to(end) {
            // Validation will fail; nothing more is reserved.
            self.next = NOWHERE;
            return;
        }
        if let Some(own) = self.slots.get_mut(self.next.wrapping_sub(1)) {
            own.more = CONTAINER | group as u32;
        }
        if let Some(number) = self.slots.get_mut(group) {
            number.at = count;
        }
        (self.next, self.end) = (group + 1, end);
    }

    #[inline(always)]
    fn close(&mut self) {
        self.next = self.siblings.pop().unwrap_or(NOWHERE);
    }
}
