//! The desk that JavaScript and this module share: buffers by number, and the answer to the last
//! question.

use std::cell::RefCell;

use crate::{decode::Open, keys::Keys};

/// Words of the answer that JavaScript reads at one place.
pub(crate) const WORDS: usize = 16;

/// All state there is. One thread, one question at a time.
#[derive(Default)]
pub(crate) struct Desk {
    /// Number 0 is scratch: whatever one call needs.
    buffers: Vec<Option<Vec<u8>>>,
    free: Vec<u32>,
    /// Numbers of the answer.
    pub(crate) words: [u32; WORDS],
    /// Text or bytes of the answer.
    pub(crate) out: Vec<u8>,
    /// The tape of the answer.
    pub(crate) tape: Vec<u64>,
    /// The place in `out` where each block of text of the tape ends.
    pub(crate) blocks: Vec<u32>,
    /// Containers that are open while a value is laid out; kept, so that a packet takes no memory.
    pub(crate) open: Vec<Open>,
    /// Keys that JavaScript knows already.
    pub(crate) keys: Keys,
}

thread_local! {
    static DESK: RefCell<Desk> = RefCell::default();
}

/// Does something at the desk.
pub(crate) fn with<T>(work: impl FnOnce(&mut Desk) -> T) -> T {
    DESK.with_borrow_mut(work)
}

impl Desk {
    /// Says in the words where the answer is.
    pub(crate) fn tell(&mut self) {
        self.words[8] = self.out.as_ptr() as usize as u32;
        self.words[9] = self.out.len() as u32;
        self.words[10] = self.tape.as_ptr() as usize as u32;
        self.words[11] = self.tape.len() as u32;
        self.words[12] = self.blocks.as_ptr() as usize as u32;
        self.words[13] = self.blocks.len() as u32;
    }

    /// The bytes of a buffer; none for a number that is not in use.
    pub(crate) fn buffer(&self, number: u32) -> &[u8] {
        let buffer = self.buffers.get(number as usize).and_then(Option::as_ref);
        buffer.map_or(&[], Vec::as_slice)
    }

    /// A new buffer of that length, or number 0 with at least that length. `None` if there is no memory.
    pub(crate) fn reserve(&mut self, scratch: bool, len: usize) -> Option<u32> {
        if self.buffers.is_empty() {
            self.buffers.push(Some(Vec::new()));
        }
        if scratch {
            if let Some(Some(buffer)) = self.buffers.first_mut() {
                grow(buffer, len)?;
            }
            return Some(0);
        }
        // Asked for twice: once to find out whether there is memory, once to get it zeroed, which fresh memory is.
        Vec::<u8>::new().try_reserve_exact(len).ok()?;
        Some(self.keep(vec![0; len]))
    }

    /// Puts bytes into a new buffer.
    pub(crate) fn keep(&mut self, bytes: Vec<u8>) -> u32 {
        if self.buffers.is_empty() {
            self.buffers.push(Some(Vec::new()));
        }
        match self.free.pop() {
            Some(number) => {
                self.buffers[number as usize] = Some(bytes);
                number
            }
            None => {
                self.buffers.push(Some(bytes));
                self.buffers.len() as u32 - 1
            }
        }
    }

    /// Gives the memory of a buffer back.
    pub(crate) fn free(&mut self, number: u32) {
        if number == 0 {
            return;
        }
        if let Some(place @ Some(_)) = self.buffers.get_mut(number as usize) {
            *place = None;
            self.free.push(number);
        }
    }

    /// Takes the bytes of a buffer out for the time of a call, so that the rest of the desk can be changed.
    pub(crate) fn take(&mut self, number: u32) -> Vec<u8> {
        let buffer = self.buffers.get_mut(number as usize);
        buffer
            .and_then(Option::as_mut)
            .map(std::mem::take)
            .unwrap_or_default()
    }

    /// Puts them back.
    pub(crate) fn put_back(&mut self, number: u32, bytes: Vec<u8>) {
        if let Some(Some(place)) = self.buffers.get_mut(number as usize) {
            *place = bytes;
        }
    }
}

fn grow(buffer: &mut Vec<u8>, len: usize) -> Option<()> {
    let more = len.saturating_sub(buffer.len());
    buffer.try_reserve_exact(more).ok()?;
    buffer.resize(len.max(buffer.len()), 0);
    Some(())
}
