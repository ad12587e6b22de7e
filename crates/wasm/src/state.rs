//! [`State`]: the state of a module, which lasts between calls: numbered buffers, and the answer to the last
//! call.

use std::cell::RefCell;

use crate::{decode::OpenContainer, keys::Keys};

/// The number of words in an answer.
pub(crate) const WORDS: usize = 16;

/// All state of the module. There is one thread, and one call at a time.
#[derive(Default)]
pub(crate) struct State {
    /// The buffers by number. Number 0 is the scratch buffer, for the input of a single call.
    buffers: Vec<Option<Vec<u8>>>,
    free: Vec<u32>,
    /// The numbers of the answer.
    pub(crate) words: [u32; WORDS],
    /// The text or bytes of the answer.
    pub(crate) out: Vec<u8>,
    /// The decoded value of the answer, as a tape (`src/tape.rs`).
    pub(crate) tape: Vec<u64>,
    /// The end of each text block of the tape in `out`.
    pub(crate) blocks: Vec<u32>,
    /// The containers that are open while a value is decoded. They are kept between calls, so that a small
    /// value needs no allocation.
    pub(crate) open: Vec<OpenContainer>,
    /// The keys that JavaScript already knows.
    pub(crate) keys: Keys,
}

thread_local! {
    static STATE: RefCell<State> = RefCell::default();
}

/// Runs `work` with the state.
pub(crate) fn with<T>(work: impl FnOnce(&mut State) -> T) -> T {
    STATE.with_borrow_mut(work)
}

impl State {
    /// Stores the addresses and lengths of the answer in the words.
    pub(crate) fn locate_answer(&mut self) {
        self.words[8] = self.out.as_ptr() as usize as u32;
        self.words[9] = self.out.len() as u32;
        self.words[10] = self.tape.as_ptr() as usize as u32;
        self.words[11] = self.tape.len() as u32;
        self.words[12] = self.blocks.as_ptr() as usize as u32;
        self.words[13] = self.blocks.len() as u32;
    }

    /// Returns the bytes of a buffer. If the number is not in use, the result is empty.
    pub(crate) fn buffer(&self, number: u32) -> &[u8] {
        let buffer = self.buffers.get(number as usize).and_then(Option::as_ref);
        buffer.map_or(&[], Vec::as_slice)
    }

    /// Creates a buffer of `len` bytes. If `scratch`, extends buffer 0 to at least this length instead.
    /// Returns `None` if there is not enough memory.
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
        // Allocates twice: the first request tests whether there is enough memory, and the second gets it
        // zeroed, which costs nothing for fresh memory.
        Vec::<u8>::new().try_reserve_exact(len).ok()?;
        Some(self.keep(vec![0; len]))
    }

    /// Puts bytes into a new buffer and returns its number.
    fn keep(&mut self, bytes: Vec<u8>) -> u32 {
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

    /// Frees a buffer.
    pub(crate) fn free(&mut self, number: u32) {
        if number == 0 {
            return;
        }
        if let Some(place @ Some(_)) = self.buffers.get_mut(number as usize) {
            *place = None;
            self.free.push(number);
        }
    }

    /// Takes the bytes out of a buffer during a call, so that the rest of the state can be changed.
    pub(crate) fn take(&mut self, number: u32) -> Vec<u8> {
        let buffer = self.buffers.get_mut(number as usize);
        buffer
            .and_then(Option::as_mut)
            .map(std::mem::take)
            .unwrap_or_default()
    }

    /// Puts bytes back into the buffer from which they were taken.
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
