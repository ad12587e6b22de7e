//! Memory that will be read, asked for in time.
//!
//! A walk over alike records takes less time than the memory of a large save needs to deliver them,
//! and it looks at one place after the other: most of the time it would wait. So what comes next is
//! fetched in blocks, from several places at once.
//!
//! A record is passed in 15 ns when it is in a cache and in 40 when it is not. A walk that passed 256 KiB looks at one byte
//! of each line of the next 32 KiB, in four places in turn, and many lines are on their way at once. It is done for alike
//! records only: other walks take longer than memory does. Rejected: prefetch instructions, which need `unsafe`.

use core::hint::black_box;

/// The number of bytes that are asked for at a time. They stay in a second-level cache until they are read.
const BLOCK: usize = 32 * 1024;

/// The bytes that memory delivers at once.
const LINE: usize = 64;

/// The number of bytes that a walk has passed before it asks. Smaller buffers are mostly in a cache already.
const MANY: usize = 256 * 1024;

/// How far the memory of a buffer was asked for by a walk.
#[derive(Clone, Copy, Debug, Default)]
pub(super) struct Ahead {
    /// The offset of the next block.
    next: usize,
}

impl Ahead {
    /// Asks for the next block when the walk over `bytes`, of which `rest` is left, comes to it.
    #[inline(always)]
    pub(super) fn reach(&mut self, bytes: &[u8], rest: &[u8]) {
        if bytes.len() - rest.len() >= self.next {
            *self = self.asked(bytes, rest);
        }
    }

    #[cold]
    #[inline(never)]
    fn asked(self, bytes: &[u8], rest: &[u8]) -> Ahead {
        let at = bytes.len() - rest.len();
        let next = if self.next == 0 {
            at + MANY
        } else {
            touch(rest.get(..BLOCK).unwrap_or(rest));
            at + BLOCK
        };
        Ahead { next }
    }
}

/// Looks at every line of a block, in each quarter in turn: so several are on their way at once.
fn touch(block: &[u8]) {
    let quarter = (block.len() / 4).max(1);
    let mut parts = block.chunks_exact(quarter);
    let mut quarters = [(); 4].map(|()| parts.next().unwrap_or_default().chunks(LINE));
    let mut seen = 0;
    for _ in 0..quarter.div_ceil(LINE) {
        for lines in &mut quarters {
            seen |= lines.next().and_then(<[u8]>::first).unwrap_or(&0);
        }
    }
    // The result does not matter, but the compiler must not know.
    black_box(seen);
}

#[cfg(test)]
mod tests {
    use super::{Ahead, BLOCK, MANY, touch};

    static LARGE: [u8; MANY + 5 * BLOCK] = [1; MANY + 5 * BLOCK];

    #[test]
    fn a_large_buffer_is_asked_for_block_by_block_after_a_while() {
        let mut ahead = Ahead::default();
        let mut next_of = |at: usize| {
            ahead.reach(&LARGE, &LARGE[at..]);
            ahead.next
        };
        let first = 100 + MANY;
        assert_eq!(next_of(100), first);
        assert_eq!(next_of(first - 1), first);
        assert_eq!(next_of(first), first + BLOCK);
        // A block is not asked for again, up to its last byte.
        assert_eq!(next_of(first + BLOCK - 1), first + BLOCK);
        assert_eq!(next_of(first + BLOCK), first + 2 * BLOCK);
        // A walk may go far between two looks, and the end is no whole block.
        let far = LARGE.len() - 7;
        assert_eq!(next_of(far), far + BLOCK);
        assert_eq!(next_of(LARGE.len()), far + BLOCK);
    }

    #[test]
    fn blocks_of_any_size_are_touched_without_a_panic() {
        for len in (0..300).chain([BLOCK - 1, BLOCK]) {
            touch(&LARGE[..len]);
        }
    }
}
