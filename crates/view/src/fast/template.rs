//! One template: the part that all records of a shape have in common, compared in large blocks.
//!
//! Records of a save mostly differ in numbers and texts alone: their keys, headers and counts are the same
//! bytes at the same places. A template is learned from one record. Its value texts, whose length
//! differs, cut it into segments:
//!
//! ```text
//! record   27 3 | 4 2 "id" | 2 17 | 4 4 "name" | 4 3 "Ari" | 4 2 "hp" | 2 80
//! bytes    DDDD   KKKKKKKK   H···   KKKKKKKKKK   H  text     KKKKKKKK   H···
//! segments [----------------- first ------------]           [--- second ---]
//! ```
//!
//! In a segment the bytes `D`, `K` and `H` must be equal: headers, counts and keys. The others count for
//! nothing, as payloads of numbers and padding may be anything: so a segment is bytes and a mask.
//!
//! ```text
//! pass:   for each segment:
//!             compare its first 32 bytes, its last 32 and the blocks between under their masks
//!             step over the text that follows, if it is in order
//! ```
//!
//! A value that passes is in order: it has the structure of the one that was learned, which was in
//! order, its keys are the learned ones, and its texts were looked at.

use gdvar_wire::{Body, Dialect};

use crate::{
    bytes::{
        ascii,
        plain::{self, Pending, Rest, pair, text_end},
        utf8::is_text,
    },
    options::ReadOptions,
};

#[cfg(all(test, feature = "alloc"))]
mod tests;

/// The number of bytes that are compared in one step.
const BLOCK: usize = 32;

/// The most segments of a template, one more than value strings.
const SEGMENTS: usize = 12;

/// The most blocks between the ends of its segments.
const BETWEEN: usize = 14;

/// The depth to which containers may be nested in a record, itself included.
pub(super) const DEEP: usize = 8;

/// Bytes to compare with, where the mask has ones; zeros elsewhere. Aligned, so that comparing
/// needs no loads of its own.
#[derive(Clone, Copy, Debug)]
#[repr(align(32))]
struct Block {
    bytes: [u64; BLOCK / 8],
    mask: [u64; BLOCK / 8],
}

impl Block {
    const EMPTY: Block = Block {
        bytes: [0; BLOCK / 8],
        mask: [0; BLOCK / 8],
    };

    /// Adds to `all` the bits in which `seen` differs.
    #[inline(always)]
    fn compare(&self, seen: &[u8; BLOCK], all: &mut [u64; BLOCK / 8]) {
        let words = seen.chunks_exact(8).zip(self.bytes.iter().zip(&self.mask));
        for ((word, (bytes, mask)), all) in words.zip(all) {
            let word = word
                .first_chunk()
                .map_or(u64::MAX, |raw| u64::from_le_bytes(*raw));
            *all |= (word & mask) ^ bytes;
        }
    }
}

/// A run of bytes between two strings.
#[derive(Clone, Copy, Debug)]
struct Segment {
    /// Its first bytes.
    first: Block,
    /// Its last bytes. In a segment that is shorter than two blocks both have bytes in common.
    last: Block,
    len: u16,
    /// The number of blocks between them.
    between: u16,
}

impl Segment {
    const EMPTY: Segment = Segment {
        first: Block::EMPTY,
        last: Block::EMPTY,
        len: 0,
        between: 0,
    };
}

/// Compares a segment that is shorter than a block together with what is behind it or before it.
#[inline(always)]
fn short(
    bytes: &[u8],
    at: usize,
    end: usize,
    segment: &Segment,
    all: &mut [u64; BLOCK / 8],
) -> Option<()> {
    if let Some(seen) = bytes.get(at..)?.first_chunk() {
        segment.first.compare(seen, all);
    } else if let Some(seen) = bytes.get(..end)?.last_chunk() {
        segment.last.compare(seen, all);
    } else {
        // All of the bytes are shorter than a block.
        let mut block = [0; BLOCK];
        let seen = bytes.get(at..end)?;
        block.get_mut(..seen.len())?.copy_from_slice(seen);
        segment.first.compare(&block, all);
    }
    Some(())
}

/// The end of the string whose length is `len` and whose text begins at `start`.
#[inline(always)]
fn string_end<const CHECK: bool>(bytes: &[u8], start: usize, len: u32) -> Option<usize> {
    let end = text_end(bytes, start, len)?;
    (!CHECK || is_text(bytes, start, len as usize)).then_some(end)
}

/// Steps over the text at the start of `rest`, the end of `bytes`, its length first. Returns the bytes
/// behind it, or `None` if it is not in order.
#[inline(always)]
pub(super) fn pass_text<'a, const CHECK: bool>(
    bytes: &'a [u8],
    rest: &'a [u8],
) -> Option<&'a [u8]> {
    if CHECK {
        let behind = match ascii::short_size(rest) {
            Some(size) => rest.get(size..)?,
            None => pass_any_text(bytes, rest)?,
        };
        return Some(behind);
    }
    let len = u32::from_le_bytes(*rest.first_chunk()?);
    rest.get(text_end(rest, 4, len)?..)
}

/// [`pass_text`] for a text of any length and any characters.
#[cold]
#[inline(never)]
fn pass_any_text<'a>(bytes: &'a [u8], rest: &'a [u8]) -> Option<&'a [u8]> {
    let len = u32::from_le_bytes(*rest.first_chunk()?);
    let start = bytes.len() - rest.len() + 4;
    bytes.get(string_end::<true>(bytes, start, len)?..)
}

/// One shape of records.
#[derive(Clone, Debug)]
pub(super) struct Template {
    segments: [Segment; SEGMENTS],
    between: [Block; BETWEEN],
    /// The number of segments; none if nothing was learned.
    count: u8,
    /// The depth to which containers are nested in it, itself included.
    deep: u8,
}

impl Template {
    pub(super) const EMPTY: Template = Template {
        segments: [Segment::EMPTY; SEGMENTS],
        between: [Block::EMPTY; BETWEEN],
        count: 0,
        deep: 0,
    };

    /// True if there is one, and it may stand at that depth.
    #[inline]
    pub(super) fn fits(&self, options: ReadOptions, depth: u16) -> bool {
        self.count > 0 && options.admits(depth.saturating_add(self.deep.into()))
    }

    /// Steps over the value at the start of `rest`, the end of `bytes`. Returns the bytes behind it, or
    /// `None` if it has not this shape or its text is not in order.
    #[inline(always)]
    pub(super) fn pass<'a, const CHECK: bool>(
        &self,
        bytes: &'a [u8],
        rest: &'a [u8],
    ) -> Option<&'a [u8]> {
        let mut next = 0;
        let mut rest = self.pass_segment(bytes, rest, 0, &mut next)?;
        for n in 1..usize::from(self.count) {
            // The header of the string is the last word of the segment before.
            rest = pass_text::<CHECK>(bytes, rest)?;
            rest = self.pass_segment(bytes, rest, n, &mut next)?;
        }
        Some(rest)
    }

    /// Steps over a segment at the start of `rest`, the end of `bytes`. Returns the bytes behind it, or `None`
    /// if its bytes are others. Its blocks between the ends are the `next`. Segments and blocks are found by their
    /// numbers: so the compiler knows that they are aligned.
    #[inline(always)]
    fn pass_segment<'a>(
        &self,
        bytes: &'a [u8],
        rest: &'a [u8],
        n: usize,
        next: &mut usize,
    ) -> Option<&'a [u8]> {
        let segment = self.segments.get(n)?;
        let (seen, behind) = rest.split_at_checked(segment.len.into())?;
        let mut all = [0; BLOCK / 8];
        if let (Some(first), Some(last)) = (seen.first_chunk(), seen.last_chunk()) {
            segment.first.compare(first, &mut all);
            segment.last.compare(last, &mut all);
            let between = usize::from(segment.between);
            if between > 0 {
                let blocks = self.between.get(*next..*next + between)?;
                *next += between;
                let seen = seen.get(BLOCK..)?.chunks_exact(BLOCK);
                for (seen, block) in seen.zip(blocks) {
                    block.compare(seen.first_chunk()?, &mut all);
                }
            }
        } else {
            let end = bytes.len() - behind.len();
            short(bytes, end - seen.len(), end, segment, &mut all)?;
        }
        (all.iter().fold(0, |all, word| all | word) == 0).then_some(behind)
    }

    /// Learns the shape of the value at `at`; returns its end. `None` if it is too large, or
    /// not in order, or of other values than these.
    pub(super) fn learn<const CHECK: bool>(
        &mut self,
        bytes: &[u8],
        at: usize,
        dialect: Dialect,
    ) -> Option<usize> {
        let end = self.learn_all::<CHECK>(bytes, at, dialect);
        if end.is_none() {
            self.count = 0;
        }
        end
    }

    fn learn_all<const CHECK: bool>(
        &mut self,
        bytes: &[u8],
        at: usize,
        dialect: Dialect,
    ) -> Option<usize> {
        // The rest of the containers that are open: children, and whether they are pairs.
        let mut open = [(0_u32, false); DEEP];
        let mut depth = 0;
        let mut at = at;
        let mut draft = Draft::EMPTY;
        (self.count, self.deep) = (0, 0);
        // The value itself is the only child of the outermost place.
        let mut left = 1;
        let mut pairs = false;
        loop {
            while left == 0 {
                if depth == 0 {
                    self.cut(&mut draft)?;
                    return Some(at);
                }
                depth -= 1;
                (left, pairs) = *open.get(depth)?;
            }
            left -= 1;
            // A null may be the last of all bytes; then this is no template.
            let rest = bytes.get(at..)?;
            let plain = plain::look(rest, dialect)?;
            match plain.rest {
                Rest::Text(len) => {
                    let len = len as usize;
                    let end = string_end::<CHECK>(bytes, at + 8, len as u32)?;
                    // The children of a dictionary are an even number: before a value, one is left.
                    if pairs && left % 2 == 1 {
                        draft.add_all(rest.get(..8 + (len & !3))?, u32::MAX)?;
                        // Padding does not count.
                        if len % 4 > 0 {
                            let (_, last) = pair(rest, 4 + (len & !3))?;
                            draft.add(last, u32::MAX >> (32 - 8 * (len % 4)))?;
                        }
                    } else {
                        draft.add_all(rest.get(..4)?, u32::MAX)?;
                        self.cut(&mut draft)?;
                    }
                    at = end;
                }
                Rest::Children(inside) => {
                    if inside.left > 4 * DRAFT as u32 || depth == DEEP {
                        return None;
                    }
                    draft.add_all(rest.get(..plain.size)?, u32::MAX)?;
                    *open.get_mut(depth)? = (left, pairs);
                    depth += 1;
                    self.deep = self.deep.max(depth as u8);
                    Pending {
                        left,
                        is_dict: pairs,
                    } = inside;
                    at += plain.size;
                }
                // The count of a packed array would have to be the same.
                Rest::Nothing if dialect.plain(pair(rest, 0)?.0).body == Body::Fixed => {
                    draft.add_all(rest.get(..4)?, u32::MAX)?;
                    draft.add_all(rest.get(4..plain.size)?, 0)?;
                    at += plain.size;
                }
                _ => return None,
            }
        }
    }

    /// Ends a segment.
    fn cut(&mut self, draft: &mut Draft) -> Option<()> {
        let used = self.segments.iter().take(self.count.into());
        let used: usize = used.map(|segment| usize::from(segment.between)).sum();
        let len = 4 * draft.len;
        let starts = (BLOCK..len.saturating_sub(BLOCK)).step_by(BLOCK);
        *self.segments.get_mut(usize::from(self.count))? = Segment {
            first: draft.block(0)?,
            // Nothing of the block that lies before the segment counts.
            last: draft.block_before(draft.len)?,
            len: len as u16,
            between: starts.len() as u16,
        };
        for (n, start) in (used..).zip(starts) {
            *self.between.get_mut(n)? = draft.block(start / 4)?;
        }
        self.count += 1;
        draft.clear();
        Some(())
    }
}

/// The longest segment, in words of four bytes.
const DRAFT: usize = 128;

/// A segment while it is learned, with zeros before it and behind it, which count for nothing.
struct Draft {
    words: [(u32, u32); BEFORE + DRAFT + BEFORE],
    /// The number of its words.
    len: usize,
}

/// The words of a block.
const BEFORE: usize = BLOCK / 4;

impl Draft {
    const EMPTY: Draft = Draft {
        words: [(0, 0); BEFORE + DRAFT + BEFORE],
        len: 0,
    };

    /// Adds a word; the bits count that the mask has.
    #[inline]
    fn add(&mut self, word: u32, mask: u32) -> Option<()> {
        if self.len == DRAFT {
            return None;
        }
        *self.words.get_mut(BEFORE + self.len)? = (word & mask, mask);
        self.len += 1;
        Some(())
    }

    /// Adds bytes, a multiple of four, all of which count or none.
    #[inline]
    fn add_all(&mut self, bytes: &[u8], mask: u32) -> Option<()> {
        for raw in bytes.chunks_exact(4) {
            self.add(
                raw.first_chunk().map_or(0, |raw| u32::from_le_bytes(*raw)),
                mask,
            )?;
        }
        Some(())
    }

    /// Begins the next segment.
    fn clear(&mut self) {
        let used = self.words.iter_mut().take(BEFORE + self.len);
        used.for_each(|word| *word = (0, 0));
        self.len = 0;
    }

    /// The block that begins with that word.
    fn block(&self, start: usize) -> Option<Block> {
        self.block_at(BEFORE + start)
    }

    /// The block that ends before that word.
    fn block_before(&self, end: usize) -> Option<Block> {
        self.block_at(end)
    }

    fn block_at(&self, at: usize) -> Option<Block> {
        let mut block = Block::EMPTY;
        let words = self.words.get(at..at + BEFORE)?.chunks_exact(2);
        let both = block.bytes.iter_mut().zip(&mut block.mask).zip(words);
        for ((bytes, mask), words) in both {
            if let [(low, low_mask), (high, high_mask)] = words {
                *bytes = u64::from(*low) | u64::from(*high) << 32;
                *mask = u64::from(*low_mask) | u64::from(*high_mask) << 32;
            }
        }
        Some(block)
    }
}
