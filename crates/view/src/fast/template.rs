//! Templates of records: what is the same in all dictionaries of a kind, learned from one of them
//! and compared with the next in large blocks.
//!
//! A template is the record's bytes without its value strings, which cut it into segments. Of the
//! bytes between, headers, counts and keys must be equal; payloads of numbers and padding may
//! differ. A value that matches is a value in order: it has the learned one's structure, its keys
//! are the learned ones, and its value strings are looked at one by one.

use gdvar_wire::{Body, Dialect};

use super::ahead::Ahead;
use crate::bytes::{
    ascii,
    marks::Marks,
    plain::{self, Pending, Rest, Words, pair, text_end},
    utf8::is_text,
};

#[cfg(all(test, feature = "alloc"))]
mod tests;

/// How many bytes are compared in one step.
const BLOCK: usize = 32;

/// How many segments a template has, one more than value strings.
const SEGMENTS: usize = 12;

/// How many blocks it has between the ends of its segments.
const BETWEEN: usize = 14;

/// How deep containers may be nested in a record, itself included.
pub(super) const DEEP: usize = 8;

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

/// A run of bytes between two strings.
#[derive(Clone, Copy, Debug)]
struct Segment {
    /// What it begins with.
    first: Block,
    /// What it ends with. In a segment that is shorter than two blocks both have bytes in common.
    last: Block,
    len: u16,
    /// How many blocks are between them.
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

/// Where the string ends whose length is `len` and whose text begins at `start`.
#[inline(always)]
fn string_end<const CHECK: bool>(bytes: &[u8], start: usize, len: u32) -> Option<usize> {
    let end = text_end(bytes, start, len)?;
    (!CHECK || is_text(bytes, start, len as usize)).then_some(end)
}

/// What is behind the text that `rest`, the end of `bytes`, begins with, its length first, if it is
/// in order.
#[inline(always)]
fn pass_text<'a, const CHECK: bool>(bytes: &'a [u8], rest: &'a [u8]) -> Option<&'a [u8]> {
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

/// The same of any length and any characters.
#[cold]
#[inline(never)]
fn pass_any_text<'a>(bytes: &'a [u8], rest: &'a [u8]) -> Option<&'a [u8]> {
    let len = u32::from_le_bytes(*rest.first_chunk()?);
    let start = bytes.len() - rest.len() + 4;
    bytes.get(string_end::<true>(bytes, start, len)?..)
}

/// One shape of records.
#[derive(Clone, Debug)]
struct Template {
    segments: [Segment; SEGMENTS],
    between: [Block; BETWEEN],
    /// How many segments; none if nothing was learned.
    count: u8,
    /// How deep containers are nested in it, itself included.
    deep: u8,
}

impl Template {
    const EMPTY: Template = Template {
        segments: [Segment::EMPTY; SEGMENTS],
        between: [Block::EMPTY; BETWEEN],
        count: 0,
        deep: 0,
    };

    /// Whether there is one, and it is not nested too deep.
    #[inline]
    fn fits(&self, room: usize) -> bool {
        self.count > 0 && usize::from(self.deep) <= room
    }

    /// What is behind the value that `rest`, the end of `bytes`, begins with, if it has this shape
    /// and its text is in order.
    #[inline(always)]
    fn pass<'a, const CHECK: bool>(&self, bytes: &'a [u8], rest: &'a [u8]) -> Option<&'a [u8]> {
        let mut next = 0;
        let mut rest = self.pass_segment(bytes, rest, 0, &mut next)?;
        for n in 1..usize::from(self.count) {
            // The header of the string is the last word of the segment before.
            rest = pass_text::<CHECK>(bytes, rest)?;
            rest = self.pass_segment(bytes, rest, n, &mut next)?;
        }
        Some(rest)
    }

    /// What is behind a segment that `rest`, the end of `bytes`, begins with, if its bytes are the
    /// same. Its blocks between the ends are the `next`. Segments and blocks are found by their
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
    fn learn<const CHECK: bool>(
        &mut self,
        bytes: &[u8],
        at: usize,
        dialect: Dialect,
    ) -> Option<usize> {
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
            let rest = bytes.get(at..)?;
            let plain = plain::look(rest, dialect)?;
            match plain.rest {
                Rest::Text(len) => {
                    let len = len as usize;
                    let end = string_end::<CHECK>(bytes, at + 8, len as u32)?;
                    // The children of a dictionary are an even number: before a value, one is left.
                    if pairs && left % 2 == 1 {
                        segment.add(rest.get(..8 + len)?, 0xff)?;
                        segment.add(bytes.get(at + 8 + len..end)?, 0)?;
                    } else {
                        segment.add(rest.get(..4)?, 0xff)?;
                        self.cut(&mut segment)?;
                    }
                    at = end;
                }
                Rest::Children(inside) => {
                    if inside.left > DRAFT as u32 || depth == DEEP {
                        return None;
                    }
                    segment.add(rest.get(..plain.size)?, 0xff)?;
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
                    segment.add(rest.get(..4)?, 0xff)?;
                    segment.add(rest.get(4..plain.size)?, 0)?;
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
        let starts = (BLOCK..draft.len.saturating_sub(BLOCK)).step_by(BLOCK);
        *self.segments.get_mut(usize::from(self.count))? = Segment {
            first: draft.block(0)?,
            // What is before the segment does not count.
            last: draft.block_before(draft.len)?,
            len: draft.len as u16,
            between: starts.len() as u16,
        };
        for (n, start) in (used..).zip(starts) {
            *self.between.get_mut(n)? = draft.block(start)?;
        }
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

/// What begins with the record whose key, if it has one, `rest`, the end of `bytes`, begins with, if
/// that is in order.
#[inline(always)]
fn pass_key<'a, const CHECK: bool, const KEYED: bool>(
    bytes: &'a [u8],
    rest: &'a [u8],
    words: Words,
) -> Option<&'a [u8]> {
    if !KEYED {
        return Some(rest);
    }
    let (word, _) = pair(rest, 0)?;
    if !words.is_text(word) {
        return None;
    }
    pass_text::<CHECK>(bytes, rest.get(4..)?)
}

/// Tells of the record that begins with `record`, and of its key, with which `rest` begins.
#[inline(always)]
fn tell<const KEYED: bool>(marks: &mut impl Marks, bytes: &[u8], rest: &[u8], record: &[u8]) {
    if KEYED {
        marks.child(bytes.len() - rest.len());
    }
    marks.child(bytes.len() - record.len());
}

/// The templates of a walk, and how well they did.
#[derive(Debug, Default)]
pub(crate) struct Templates {
    /// Made when they are learned: they are large.
    kept: [Option<Template>; KEPT],
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
    ahead: Ahead,
}

impl Templates {
    #[cfg(all(test, feature = "alloc"))]
    pub(super) fn has_learned(&self) -> bool {
        self.kept.iter().any(Option::is_some)
    }

    /// One of them, if there is one and it is not nested too deep.
    #[inline]
    fn kept(&self, which: usize, room: usize) -> Option<&Template> {
        let template = self.kept.get(which)?.as_ref();
        template.filter(|template| template.fits(room))
    }

    /// Advances over dictionaries from `at` on that are alike, with a text as key before each if
    /// `KEYED`, over at most `left` children: where it stopped and how many are left. Containers may
    /// be nested `room` deep.
    #[inline(never)]
    pub(crate) fn run<const CHECK: bool, const KEYED: bool>(
        &mut self,
        bytes: &[u8],
        at: usize,
        left: u32,
        dialect: Dialect,
        room: usize,
        marks: &mut impl Marks,
    ) -> (usize, u32) {
        let mut rest = bytes.get(at..).unwrap_or_default();
        let mut left = left;
        let children = if KEYED { 2 } else { 1 };
        let mut ahead = self.ahead;
        let words = Words::of(dialect);
        while left > 0 {
            if self.pause > 0 {
                self.pause -= 1;
                break;
            }
            let before = left;
            if let Some(template) = self.kept(self.first, room) {
                while left > 0 {
                    ahead.reach(bytes, rest);
                    let Some(record) = pass_key::<CHECK, KEYED>(bytes, rest, words) else {
                        break;
                    };
                    let Some(behind) = template.pass::<CHECK>(bytes, record) else {
                        break;
                    };
                    tell::<KEYED>(marks, bytes, rest, record);
                    rest = behind;
                    left -= children;
                }
            }
            if left < before {
                (self.misses, self.last) = (0, self.first);
            }
            if left == 0 {
                break;
            }
            let Some(record) = pass_key::<CHECK, KEYED>(bytes, rest, words) else {
                break;
            };
            let behind = match self.find::<CHECK>(bytes, record, room) {
                Some(behind) => {
                    self.misses = 0;
                    Some(behind)
                }
                None => self.learn::<CHECK>(bytes, record, dialect, room),
            };
            let Some(behind) = behind else {
                break;
            };
            tell::<KEYED>(marks, bytes, rest, record);
            rest = behind;
            left -= children;
        }
        self.ahead = ahead;
        (bytes.len() - rest.len(), left)
    }

    /// The bytes behind the value that `rest` begins with, if a template other than the first matches.
    fn find<'a, const CHECK: bool>(
        &mut self,
        bytes: &'a [u8],
        rest: &'a [u8],
        room: usize,
    ) -> Option<&'a [u8]> {
        for n in 1..KEPT {
            let which = (self.first + n) % KEPT;
            let Some(template) = self.kept(which, room) else {
                continue;
            };
            if let Some(behind) = template.pass::<CHECK>(bytes, rest) {
                if self.last == which {
                    self.first = which;
                }
                self.last = which;
                return Some(behind);
            }
        }
        None
    }

    /// Gives the oldest template the shape of the dictionary that `rest` begins with. Returns the bytes
    /// behind that.
    #[cold]
    fn learn<'a, const CHECK: bool>(
        &mut self,
        bytes: &'a [u8],
        rest: &[u8],
        dialect: Dialect,
        room: usize,
    ) -> Option<&'a [u8]> {
        if pair(rest, 0)?.0 != Words::of(dialect).dict {
            return None;
        }
        self.misses += 1;
        if self.misses > PATIENCE {
            self.pause = 8 << (self.misses - PATIENCE).min(7);
        }
        // The first is only replaced while there is nothing in it.
        if self.oldest == self.first && self.kept(self.first, DEEP).is_some() {
            self.oldest = (self.oldest + 1) % KEPT;
        }
        let which = self.oldest;
        self.oldest = (which + 1) % KEPT;
        let kept = self.kept.get_mut(which)?;
        let template = kept.get_or_insert(Template::EMPTY);
        let at = bytes.len() - rest.len();
        let end = template.learn::<CHECK>(bytes, at, dialect);
        if end.is_none() {
            template.count = 0;
        }
        bytes.get(end.filter(|_| template.fits(room))?..)
    }
}
