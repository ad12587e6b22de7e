//! Memory that will be read, asked for in time.
//!
//! A walk over alike records takes less time than the memory of a large save needs to deliver them,
//! and it looks at one place after the other: most of the time it would wait. So what comes next is
//! fetched in blocks, from several places at once.

use core::hint::black_box;

/// How many bytes are asked for at a time. They stay in a second-level cache until they are read.
const BLOCK: usize = 32 * 1024;

/// What memory delivers at once.
const LINE: usize = 64;

/// Buffers up to this size are left alone: mostly they are in a cache already.
const SMALL: usize = 1 << 20;

/// How far the memory of a buffer was asked for.
#[derive(Clone, Copy)]
pub(super) struct Ahead {
    /// How many bytes at the end of the buffer were not.
    left: usize,
}

impl Ahead {
    pub(super) fn of(bytes: &[u8]) -> Ahead {
        let is_large = bytes.len() > SMALL;
        Ahead {
            left: if is_large { usize::MAX } else { 0 },
        }
    }

    /// Asks for the next block when the walk, of which `rest` is left, comes to it.
    #[inline(always)]
    pub(super) fn reach(&mut self, rest: &[u8]) {
        if rest.len() < self.left {
            let (block, others) = rest.split_at(rest.len().min(BLOCK));
            touch(block);
            self.left = others.len();
        }
    }
}

/// Looks at every line of a block, in each quarter in turn: so several are on their way at once.
#[inline(never)]
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
    // What was seen does not matter, but the compiler must not know.
    black_box(seen);
}

#[cfg(test)]
mod tests {
    use super::{Ahead, BLOCK, SMALL, touch};

    static LARGE: [u8; SMALL + 3 * BLOCK] = [1; SMALL + 3 * BLOCK];

    #[test]
    fn a_large_buffer_is_asked_for_block_by_block() {
        let mut ahead = Ahead::of(&LARGE);
        let mut at_places = |at: usize| {
            let before = ahead.left;
            ahead.reach(&LARGE[at..]);
            (ahead.left != before).then(|| LARGE.len() - ahead.left)
        };
        assert_eq!(at_places(100), Some(100 + BLOCK));
        // What was asked for is not asked for again, up to its last byte.
        assert_eq!(at_places(101), None);
        assert_eq!(at_places(100 + BLOCK), None);
        assert_eq!(at_places(101 + BLOCK), Some(101 + 2 * BLOCK));
        // A walk may go far between two looks, and the end is no whole block.
        assert_eq!(at_places(LARGE.len() - 7), Some(LARGE.len()));
        assert_eq!(at_places(LARGE.len()), None);
    }

    #[test]
    fn a_small_buffer_is_left_alone() {
        let small = &LARGE[..SMALL];
        let mut ahead = Ahead::of(small);
        ahead.reach(small);
        assert_eq!(ahead.left, 0);
    }

    #[test]
    fn blocks_of_any_size_are_touched_without_a_panic() {
        for len in (0..300).chain([BLOCK - 1, BLOCK]) {
            touch(&LARGE[..len]);
        }
    }
}
