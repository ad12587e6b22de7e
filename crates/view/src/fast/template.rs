//! Templates of records: what is the same in all dictionaries of a kind, learned from one of them
//! and compared with the next in large blocks.
//!
//! A template is the record's bytes without its value strings, which cut it into segments. Of the
//! bytes between, headers, counts and keys must be equal; payloads of numbers and padding may
//! differ. A value that matches is a value in order: it has the learned one's structure, its keys
//! are the learned ones, and its value strings are looked at one by one.

use gdvar_wire::Dialect;

use super::run::string_end;
use crate::{
    marks::Marks,
    plain::{STRING, Words, fixed_size, pair},
};

/// How many bytes of a record a template holds.
const FIXED: usize = 512;

/// How many segments: one more than value strings.
const SEGMENTS: usize = 16;

/// How deep containers may be nested in a record, itself included.
const DEEP: usize = 8;

/// How many templates are kept. Fields change their width from record to record, so that one
/// kind of record has several shapes.
const KEPT: usize = 4;

/// How many records in a row may be learned without a match in between before learning pauses.
const PATIENCE: u32 = 6;

/// What is compared in one step.
const BLOCK: usize = 32;

/// One shape of records.
#[derive(Debug)]
struct Template {
    /// The bytes that must be equal, others zero.
    bytes: [u8; FIXED],
    /// 0xff where bytes must be equal.
    mask: [u8; FIXED],
    /// Where each segment ends in these.
    ends: [u16; SEGMENTS],
    segments: usize,
    /// How deep containers are nested in it, itself included.
    deep: usize,
}

impl Template {
    const EMPTY: Template = Template {
        bytes: [0; FIXED],
        mask: [0; FIXED],
        ends: [0; SEGMENTS],
        segments: 0,
        deep: 0,
    };

    /// Where the value at `at` ends if it has this shape and its text is in order.
    #[inline]
    fn end<const CHECK: bool>(&self, bytes: &[u8], at: usize) -> Option<usize> {
        let (mut at, mut from) = (at, 0);
        let ends = self.ends.get(..self.segments)?;
        for (n, &to) in ends.iter().enumerate() {
            let to = usize::from(to);
            if n > 0 {
                let len = u32::from_le_bytes(*bytes.get(at..)?.first_chunk()?);
                at = string_end::<CHECK>(bytes, at + 4, len)?;
            }
            let seen = bytes.get(at..)?.get(..to - from)?;
            if !equal(seen, self.bytes.get(from..to)?, self.mask.get(from..to)?) {
                return None;
            }
            at += to - from;
            from = to;
        }
        Some(at)
    }

    /// Learns the shape of the dictionary at `at`; returns its end. `None` if it is too large, or
    /// not in order, or of other values than these.
    fn learn<const CHECK: bool>(
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
        let mut size = 0;
        (self.segments, self.deep) = (0, 0);
        // The value itself is the only child of the outermost place.
        let mut left = 1;
        let mut pairs = false;
        loop {
            while left == 0 {
                if depth == 0 {
                    self.cut(size)?;
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
                    self.add(
                        bytes.get(at..at + 8 + len)?,
                        bytes.get(at + 8 + len..end)?,
                        &mut size,
                    )?;
                } else {
                    self.add(bytes.get(at..at + 4)?, &[], &mut size)?;
                    self.cut(size)?;
                }
                at = end;
            } else if word == words.dict || word == words.array {
                if second > FIXED as u32 || depth == DEEP {
                    return None;
                }
                self.add(bytes.get(at..at + 8)?, &[], &mut size)?;
                *open.get_mut(depth)? = (left, pairs);
                depth += 1;
                self.deep = self.deep.max(depth);
                pairs = word == words.dict;
                left = if pairs { 2 * second } else { second };
                at += 8;
            } else {
                let end = at + fixed_size(word, dialect)?;
                self.add(bytes.get(at..at + 4)?, bytes.get(at + 4..end)?, &mut size)?;
                at = end;
            }
        }
    }

    /// Adds bytes that must be equal and bytes that need not be.
    #[inline]
    fn add(&mut self, same: &[u8], any: &[u8], size: &mut usize) -> Option<()> {
        let (middle, end) = (*size + same.len(), *size + same.len() + any.len());
        self.bytes.get_mut(*size..middle)?.copy_from_slice(same);
        self.bytes.get_mut(middle..end)?.fill(0);
        self.mask.get_mut(*size..middle)?.fill(0xff);
        self.mask.get_mut(middle..end)?.fill(0);
        *size = end;
        Some(())
    }

    fn cut(&mut self, size: usize) -> Option<()> {
        *self.ends.get_mut(self.segments)? = size as u16;
        self.segments += 1;
        Some(())
    }
}

/// Whether the bytes are equal where the mask says so. All three are of one length, a multiple of
/// four; the last step takes bytes again that were compared before.
#[inline(always)]
fn equal(seen: &[u8], bytes: &[u8], mask: &[u8]) -> bool {
    let len = seen.len().min(bytes.len()).min(mask.len());
    if len >= BLOCK {
        return steps::<BLOCK>(seen, bytes, mask, len);
    }
    if len >= 8 {
        return steps::<8>(seen, bytes, mask, len);
    }
    let word = |from: &[u8]| from.first_chunk().map_or(0, |raw| u32::from_le_bytes(*raw));
    len == 0 || (word(seen) & word(mask)) ^ word(bytes) == 0
}

#[inline(always)]
fn steps<const STEP: usize>(seen: &[u8], bytes: &[u8], mask: &[u8], len: usize) -> bool {
    let mut all = 0;
    let each = seen.chunks_exact(STEP).zip(bytes.chunks_exact(STEP));
    for ((seen, bytes), mask) in each.zip(mask.chunks_exact(STEP)) {
        all |= differences(seen, bytes, mask);
    }
    let last = len - STEP;
    if let (Some(seen), Some(bytes), Some(mask)) = (
        seen.get(last..len),
        bytes.get(last..len),
        mask.get(last..len),
    ) {
        all |= differences(seen, bytes, mask);
    }
    all == 0
}

#[inline(always)]
fn differences(seen: &[u8], bytes: &[u8], mask: &[u8]) -> u64 {
    let words = |from: &[u8]| -> [u64; BLOCK / 8] {
        let mut words = [0; BLOCK / 8];
        for (word, raw) in words.iter_mut().zip(from.chunks_exact(8)) {
            *word = raw.first_chunk().map_or(0, |raw| u64::from_le_bytes(*raw));
        }
        words
    };
    let (seen, bytes, mask) = (words(seen), words(bytes), words(mask));
    let mut all = 0;
    for ((seen, bytes), mask) in seen.iter().zip(bytes).zip(mask) {
        all |= (seen & mask) ^ bytes;
    }
    all
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

    /// Advances over dictionaries from `at` on that are alike, at most `left`: where it stopped
    /// and how many children are left. Containers may be nested `room` deep.
    #[inline(never)]
    pub(super) fn run<const CHECK: bool>(
        &mut self,
        bytes: &[u8],
        at: usize,
        left: u32,
        dialect: Dialect,
        room: usize,
        marks: &mut impl Marks,
    ) -> (usize, u32) {
        let (mut at, mut left) = (at, left);
        while left > 0 {
            if self.pause > 0 {
                self.pause -= 1;
                break;
            }
            let next = match self.find::<CHECK>(bytes, at, room) {
                Some(end) => {
                    self.misses = 0;
                    Some(end)
                }
                None => self.learn::<CHECK>(bytes, at, dialect, room),
            };
            let Some(end) = next else {
                break;
            };
            marks.child(at);
            at = end;
            left -= 1;
        }
        (at, left)
    }

    /// The end of the value at `at` by the template that it matches.
    #[inline]
    fn find<const CHECK: bool>(&mut self, bytes: &[u8], at: usize, room: usize) -> Option<usize> {
        for n in 0..KEPT {
            let which = (self.first + n) % KEPT;
            let Some(template) = self.kept.get(which) else {
                continue;
            };
            if template.segments == 0 || template.deep > room {
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
        if self.oldest == self.first {
            self.oldest = (self.oldest + 1) % KEPT;
        }
        let which = self.oldest;
        self.oldest = (which + 1) % KEPT;
        let template = self.kept.get_mut(which)?;
        let end = template.learn::<CHECK>(bytes, at, dialect);
        if end.is_none() {
            template.segments = 0;
        }
        end.filter(|_| template.deep <= room)
    }
}
