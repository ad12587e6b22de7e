//! Templates of records: what is the same in all dictionaries of a kind, learned from one of them
//! and compared with the next in large blocks.
//!
//! A template is the record's bytes without its value strings, which cut it into segments. Of the
//! bytes between, headers, counts and keys must be equal; payloads of numbers and padding may
//! differ. A value that matches is a value in order: it has the learned one's structure, its keys
//! are the learned ones, and its value strings are looked at one by one.

use gdvar_wire::{Dialect, pad4};

use super::{ascii, run::string_end};
use crate::{
    marks::Marks,
    plain::{STRING, Words, fixed_size, pair},
};

#[cfg(all(test, feature = "alloc"))]
mod tests;

/// How many bytes are compared in one step.
const BLOCK: usize = 32;

/// How many blocks of a record a template holds.
const BLOCKS: usize = 24;

/// How many segments, one more than value strings: each has two blocks at least.
const SEGMENTS: usize = BLOCKS / 2;

/// How deep containers may be nested in a record, itself included.
const DEEP: usize = 8;

/// How many templates are kept. Fields change their width from record to record, so that one
/// kind of record has several shapes.
const KEPT: usize = 4;

/// How many records in a row may be learned without a match in between before learning pauses.
const PATIENCE: u32 = 6;

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

/// A run of bytes between two strings: blocks from its start, whole but for that of a segment
/// shorter than a block, and one more that ends where it ends.
#[derive(Clone, Copy, Debug)]
struct Segment {
    len: u16,
    whole: u16,
}

/// The end of the segment that begins at `at`, if its bytes are the same. Takes its blocks.
#[inline(always)]
fn pass(bytes: &[u8], at: usize, segment: Segment, blocks: &mut &[Block]) -> Option<usize> {
    let end = at + usize::from(segment.len);
    let seen = bytes.get(at..end)?;
    let (whole, rest) = blocks.split_at_checked(segment.whole.into())?;
    let (last, rest) = rest.split_first()?;
    *blocks = rest;
    let mut all = [0; BLOCK / 8];
    if seen.len() < BLOCK {
        short(bytes, at, end, whole.first()?, last, &mut all)?;
    } else {
        for (seen, block) in seen.chunks_exact(BLOCK).zip(whole) {
            block.compare(seen.first_chunk()?, &mut all);
        }
        last.compare(seen.last_chunk()?, &mut all);
    }
    (all.iter().fold(0, |all, word| all | word) == 0).then_some(end)
}

/// Compares what is shorter than a block together with what is behind it or before it.
#[inline(always)]
fn short(
    bytes: &[u8],
    at: usize,
    end: usize,
    from_start: &Block,
    to_end: &Block,
    all: &mut [u64; BLOCK / 8],
) -> Option<()> {
    if let Some(seen) = bytes.get(at..)?.first_chunk() {
        from_start.compare(seen, all);
    } else if let Some(seen) = bytes.get(..end)?.last_chunk() {
        to_end.compare(seen, all);
    } else {
        // All of the bytes are shorter than a block.
        let mut block = [0; BLOCK];
        let seen = bytes.get(at..end)?;
        block.get_mut(..seen.len())?.copy_from_slice(seen);
        from_start.compare(&block, all);
    }
    Some(())
}

/// One shape of records.
#[derive(Clone, Debug)]
pub(crate) struct Template {
    blocks: [Block; BLOCKS],
    segments: [Segment; SEGMENTS],
    /// How many segments; none if nothing was learned.
    count: u8,
    /// How deep containers are nested in it, itself included.
    deep: u8,
}

impl Template {
    pub(crate) const EMPTY: Template = Template {
        blocks: [Block::EMPTY; BLOCKS],
        segments: [Segment { len: 0, whole: 0 }; SEGMENTS],
        count: 0,
        deep: 0,
    };

    /// Whether there is one, and it is not nested too deep.
    #[inline]
    pub(crate) fn fits(&self, room: usize) -> bool {
        self.count > 0 && usize::from(self.deep) <= room
    }

    /// Where the value at `at` ends if it has this shape and its text is in order.
    #[inline(always)]
    pub(crate) fn end<const CHECK: bool>(&self, bytes: &[u8], at: usize) -> Option<usize> {
        let (first, others) = self.segments.get(..self.count.into())?.split_first()?;
        let mut blocks = self.blocks.as_slice();
        let mut at = pass(bytes, at, *first, &mut blocks)?;
        for segment in others {
            // The header of the string is the last word of the segment before.
            let value = bytes.get(at - 4..)?;
            let len = u32::from_le_bytes(*value.get(4..)?.first_chunk()?);
            at = match ascii::short_ascii(value, len as usize) {
                Some(text) if CHECK => at + 4 + pad4(text.len()),
                _ => string_end::<CHECK>(bytes, at + 4, len)?,
            };
            at = pass(bytes, at, *segment, &mut blocks)?;
        }
        Some(at)
    }

    /// Learns the shape of the value at `at`; returns its end. `None` if it is too large, or
    /// not in order, or of other values than these.
    pub(crate) fn learn<const CHECK: bool>(
        &mut self,
        bytes: &[u8],
        at: usize,
        dialect: Dialect,
    ) -> Option<usize> {
        let words = Words::of(dialect);
        // What is left of the containers that are open: children, and whether they are pairs.
        let mut open = [(0_u32, false); DEEP];
        let mut depth = 0;
        let mut at = at;
        let mut segment = Draft::EMPTY;
        (self.count, self.deep) = (0, 0);
        // The value itself is the only child of the outermost place.
        let mut left = 1;
        let mut pairs = false;
        loop {
            while left == 0 {
                if depth == 0 {
                    self.cut(&mut segment)?;
                    return Some(at);
                }
                depth -= 1;
                (left, pairs) = *open.get(depth)?;
            }
            left -= 1;
            // A null may be the last of all bytes; then this is no template.
            let (word, second) = pair(bytes, at)?;
            if word == STRING {
                let end = string_end::<CHECK>(bytes, at + 8, second)?;
                // The children of a dictionary are an even number: before a value, one is left.
                if pairs && left % 2 == 1 {
                    let len = second as usize;
                    segment.add(bytes.get(at..at + 8 + len)?, 0xff)?;
                    segment.add(bytes.get(at + 8 + len..end)?, 0)?;
                } else {
                    segment.add(bytes.get(at..at + 4)?, 0xff)?;
                    self.cut(&mut segment)?;
                }
                at = end;
            } else if words.is_container(word) {
                if second > DRAFT as u32 || depth == DEEP {
                    return None;
                }
                segment.add(bytes.get(at..at + 8)?, 0xff)?;
                *open.get_mut(depth)? = (left, pairs);
                depth += 1;
                self.deep = self.deep.max(depth as u8);
                pairs = word == words.dict;
                left = if pairs { 2 * second } else { second };
                at += 8;
            } else {
                let end = at + fixed_size(word, dialect)?;
                segment.add(bytes.get(at..at + 4)?, 0xff)?;
                segment.add(bytes.get(at + 4..end)?, 0)?;
                at = end;
            }
        }
    }

    /// Ends a segment.
    fn cut(&mut self, draft: &mut Draft) -> Option<()> {
        let used = self.segments.iter().take(self.count.into());
        let mut next: usize = used.map(|segment| usize::from(segment.whole) + 1).sum();
        let starts = (0..draft.len.saturating_sub(BLOCK).max(1)).step_by(BLOCK);
        let whole = starts.len() as u16;
        for start in starts {
            *self.blocks.get_mut(next)? = draft.block(start)?;
            next += 1;
        }
        // What is before the segment does not count.
        *self.blocks.get_mut(next)? = draft.block_before(draft.len)?;
        let len = draft.len as u16;
        *self.segments.get_mut(usize::from(self.count))? = Segment { len, whole };
        self.count += 1;
        *draft = Draft::EMPTY;
        Some(())
    }
}

/// The longest segment.
const DRAFT: usize = 512;

/// A segment while it is learned.
struct Draft {
    bytes: [u8; DRAFT],
    mask: [u8; DRAFT],
    len: usize,
}

impl Draft {
    const EMPTY: Draft = Draft {
        bytes: [0; DRAFT],
        mask: [0; DRAFT],
        len: 0,
    };

    /// Adds bytes, which count or do not.
    fn add(&mut self, bytes: &[u8], mask: u8) -> Option<()> {
        let end = self.len + bytes.len();
        self.mask.get_mut(self.len..end)?.fill(mask);
        for (to, byte) in self.bytes.get_mut(self.len..end)?.iter_mut().zip(bytes) {
            *to = byte & mask;
        }
        self.len = end;
        Some(())
    }

    /// The block that begins at `start`.
    fn block(&self, start: usize) -> Option<Block> {
        let mut block = Block::EMPTY;
        for (n, (bytes, mask)) in block.bytes.iter_mut().zip(&mut block.mask).enumerate() {
            let word = start + 8 * n;
            *bytes = u64::from_le_bytes(*self.bytes.get(word..)?.first_chunk()?);
            *mask = u64::from_le_bytes(*self.mask.get(word..)?.first_chunk()?);
        }
        Some(block)
    }

    /// The block that ends at `end`; nothing of what is before the segment counts.
    fn block_before(&self, end: usize) -> Option<Block> {
        if let Some(start) = end.checked_sub(BLOCK) {
            return self.block(start);
        }
        let mut moved = Draft::EMPTY;
        moved.add(&[0; BLOCK][end..], 0)?;
        for (byte, mask) in self.bytes.get(..end)?.iter().zip(&self.mask) {
            moved.add(&[*byte], *mask)?;
        }
        moved.block(0)
    }
}

/// Where the record begins whose key, if it has one, is at `at` and in order.
#[inline(always)]
fn record<const CHECK: bool, const KEYED: bool>(bytes: &[u8], at: usize) -> Option<usize> {
    if !KEYED {
        return Some(at);
    }
    let value = bytes.get(at..)?;
    let both = u64::from_le_bytes(*value.first_chunk()?);
    let (word, len) = (both as u32, (both >> 32) as u32);
    if word != STRING {
        return None;
    }
    match ascii::short_ascii(value, len as usize) {
        Some(text) if CHECK => Some(at + 8 + pad4(text.len())),
        _ => string_end::<CHECK>(bytes, at + 8, len),
    }
}

#[inline(always)]
fn mark<const KEYED: bool>(marks: &mut impl Marks, key: usize, record: usize) {
    if KEYED {
        marks.child(key);
    }
    marks.child(record);
}

/// The templates of a walk, and how well they did.
#[derive(Debug)]
pub(super) struct Templates {
    kept: [Template; KEPT],
    /// The one that is tried first: one that matched twice in a row, so that a single odd record
    /// does not turn the order over.
    first: usize,
    /// The one that matched last.
    last: usize,
    /// The one to replace next.
    oldest: usize,
    /// How many records were learned since the last match.
    misses: u32,
    /// How many records are still left to others before the next is learned.
    pause: u32,
}

impl Templates {
    pub(super) const EMPTY: Templates = Templates {
        kept: [const { Template::EMPTY }; KEPT],
        first: 0,
        last: 0,
        oldest: 0,
        misses: 0,
        pause: 0,
    };

    /// Advances over dictionaries from `at` on that are alike, with a text as key before each if
    /// `KEYED`, over at most `left` children: where it stopped and how many are left. Containers may
    /// be nested `room` deep.
    #[inline(never)]
    pub(super) fn run<const CHECK: bool, const KEYED: bool>(
        &mut self,
        bytes: &[u8],
        at: usize,
        left: u32,
        dialect: Dialect,
        room: usize,
        marks: &mut impl Marks,
    ) -> (usize, u32) {
        let (mut at, mut left) = (at, left);
        let children = if KEYED { 2 } else { 1 };
        while left > 0 {
            if self.pause > 0 {
                self.pause -= 1;
                break;
            }
            let before = left;
            if let Some(template) = self.kept.get(self.first).filter(|kept| kept.fits(room)) {
                while left > 0 {
                    let Some(start) = record::<CHECK, KEYED>(bytes, at) else {
                        break;
                    };
                    let Some(end) = template.end::<CHECK>(bytes, start) else {
                        break;
                    };
                    mark::<KEYED>(marks, at, start);
                    at = end;
                    left -= children;
                }
            }
            if left < before {
                (self.misses, self.last) = (0, self.first);
                continue;
            }
            let Some(start) = record::<CHECK, KEYED>(bytes, at) else {
                break;
            };
            let next = match self.find::<CHECK>(bytes, start, room) {
                Some(end) => {
                    self.misses = 0;
                    Some(end)
                }
                None => self.learn::<CHECK>(bytes, start, dialect, room),
            };
            let Some(end) = next else {
                break;
            };
            mark::<KEYED>(marks, at, start);
            at = end;
            left -= children;
        }
        (at, left)
    }

    /// The end of the value at `at` by a template that it matches, but the first.
    fn find<const CHECK: bool>(&mut self, bytes: &[u8], at: usize, room: usize) -> Option<usize> {
        for n in 1..KEPT {
            let which = (self.first + n) % KEPT;
            let Some(template) = self.kept.get(which) else {
                continue;
            };
            if !template.fits(room) {
                continue;
            }
            if let Some(end) = template.end::<CHECK>(bytes, at) {
                if self.last == which {
                    self.first = which;
                }
                self.last = which;
                return Some(end);
            }
        }
        None
    }

    /// The end of the dictionary at `at`, whose shape replaces that of the oldest template.
    #[cold]
    fn learn<const CHECK: bool>(
        &mut self,
        bytes: &[u8],
        at: usize,
        dialect: Dialect,
        room: usize,
    ) -> Option<usize> {
        if pair(bytes, at)?.0 != Words::of(dialect).dict {
            return None;
        }
        self.misses += 1;
        if self.misses > PATIENCE {
            self.pause = 8 << (self.misses - PATIENCE).min(7);
        }
        // The first is only replaced while there is nothing in it.
        if self.oldest == self.first && self.kept.get(self.first).is_some_and(|kept| kept.count > 0)
        {
            self.oldest = (self.oldest + 1) % KEPT;
        }
        let which = self.oldest;
        self.oldest = (which + 1) % KEPT;
        let template = self.kept.get_mut(which)?;
        let end = template.learn::<CHECK>(bytes, at, dialect);
        if end.is_none() {
            template.count = 0;
        }
        end.filter(|_| usize::from(template.deep) <= room)
    }
}
