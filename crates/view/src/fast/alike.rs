//! Containers whose children are alike, or mostly so.

use gdvar_wire::Dialect;

use super::{numbers, templates::Templates, text};
use crate::{
    bytes::{
        marks::Marks,
        plain::{Pending, Words, fixed, pair, text_end},
    },
    options::ReadOptions,
};

#[cfg(all(test, feature = "alloc"))]
mod tests;

/// The number of children that a container must have left to be worth a look.
pub(crate) const SEVERAL: u32 = 8;

/// The number that a dictionary must have left: most dictionaries are records, not made of records.
const MANY_PAIRS: u32 = 32;

/// The number of bytes that are passed one by one after looks at leaves that passed little: at first, and
/// at most. Each time in a row it is twice as many.
const PAUSE: usize = 512;
const LONGEST_PAUSE: usize = 64 * 1024;

/// These pauses for records, which are larger, and whose looks cost more.
const RECORDS_PAUSE: usize = 64 * 1024;
const RECORDS_LONGEST_PAUSE: usize = 1024 * 1024;

/// When containers are looked at for children that are alike.
#[derive(Debug, Default)]
struct Looks {
    /// The offset from which on they are looked at again.
    from: usize,
    /// The number of bytes they were not looked at the last time, none after a success.
    pause: usize,
}

impl Looks {
    /// A look that ended at `at` was in vain.
    fn fail(&mut self, at: usize, least: usize, most: usize) {
        self.pause = (2 * self.pause).clamp(least, most);
        self.from = at + self.pause;
    }
}

/// The knowledge that shortcuts gain on the way and keep from one call to the next.
#[derive(Debug, Default)]
pub(crate) struct Learned {
    records: Looks,
    leaves: Looks,
    templates: Templates,
}

#[cfg(all(test, feature = "alloc"))]
impl Learned {
    /// The offset from which on leaves are looked at again, and true if a template was learned.
    pub(crate) fn state(&self) -> (usize, bool) {
        (self.leaves.from, self.templates.has_learned())
    }
}

/// Passes children of the container `now`, the first of which `rest`, the end of `bytes`, begins with, if
/// they are like their neighbours. They stand at `depth`. Returns the rest and how many children are left.
#[inline(always)]
pub(crate) fn advance<'a, const CHECK: bool>(
    bytes: &'a [u8],
    rest: &'a [u8],
    now: Pending,
    options: ReadOptions,
    depth: u16,
    learned: &mut Learned,
    marks: &mut impl Marks,
) -> (&'a [u8], u32) {
    let is_value = now.left % 2 == 1;
    if now.is_dict && (is_value || now.left < MANY_PAIRS) {
        return (rest, now.left);
    }
    let at = bytes.len() - rest.len();
    // A dictionary is only looked at if its values are records.
    let is_records = now.is_dict || begins_with_dict(rest, options.dialect());
    let looks = if is_records {
        &learned.records
    } else {
        &learned.leaves
    };
    if at < looks.from {
        return (rest, now.left);
    }
    let (at, left) = if is_records {
        records::<CHECK>(bytes, at, now, options, depth, learned, marks)
    } else {
        leaves::<CHECK>(bytes, at, now.left, options.dialect(), learned, marks)
    };
    (bytes.get(at..).unwrap_or_default(), left)
}

#[inline(always)]
fn begins_with_dict(rest: &[u8], dialect: Dialect) -> bool {
    let word = rest.first_chunk().map(|raw| u32::from_le_bytes(*raw));
    word == Some(Words::of(dialect).dict)
}

/// Advances over children of an array or dictionary that are alike records.
#[cold]
#[inline(never)]
fn records<const CHECK: bool>(
    bytes: &[u8],
    at: usize,
    now: Pending,
    options: ReadOptions,
    depth: u16,
    learned: &mut Learned,
    marks: &mut impl Marks,
) -> (usize, u32) {
    let Learned {
        records, templates, ..
    } = learned;
    if now.is_dict && !begins_with_record(bytes, at, Words::of(options.dialect())) {
        records.fail(at, PAUSE, LONGEST_PAUSE);
        return (at, now.left);
    }
    let run = if now.is_dict {
        Templates::run::<CHECK, true>
    } else {
        Templates::run::<CHECK, false>
    };
    let (at, left) = run(templates, bytes, at, now.left, options, depth, marks);
    if templates.is_spent() {
        records.fail(at, RECORDS_PAUSE, RECORDS_LONGEST_PAUSE);
    } else if now.left - left > SEVERAL {
        records.pause = 0;
    }
    (at, left)
}

/// The number of children that a look must pass on average; fewer are passed faster one at a time.
const WORTH: u32 = 6;

/// The most that the looks so far may save up for later ones.
const SAVED: u32 = 64;

/// Advances over texts and numbers of an array, as long as there are enough of a kind in a row. Returns
/// where it stopped and how many children are left.
#[cold]
#[inline(never)]
fn leaves<const CHECK: bool>(
    bytes: &[u8],
    at: usize,
    all: u32,
    dialect: Dialect,
    learned: &mut Learned,
    marks: &mut impl Marks,
) -> (usize, u32) {
    let words = Words::of(dialect);
    let (mut at, mut left, mut credit) = (at, all, WORTH);
    while left > 0 && credit >= WORTH {
        let Some(raw) = bytes.get(at..).and_then(<[u8]>::first_chunk) else {
            break;
        };
        let word = u32::from_le_bytes(*raw);
        let before = left;
        if words.is_text(word) && CHECK {
            (at, left) = text::run(bytes, at, left, Some(word), marks);
        } else if let Some(size) = fixed(word, dialect) {
            let count = numbers::run(bytes, at, word, size, left);
            marks.children(at, size, count);
            at += count as usize * size;
            left -= count;
        }
        let passed = before - left;
        if passed == 0 {
            break;
        }
        credit = SAVED.min((credit - WORTH).saturating_add(passed));
    }
    if all - left < SEVERAL {
        learned.leaves.fail(at, PAUSE, LONGEST_PAUSE);
    } else {
        learned.leaves.pause = 0;
    }
    (at, left)
}

/// True if the key at `at` is a text and its value a dictionary.
#[inline]
fn begins_with_record(bytes: &[u8], at: usize, words: Words) -> bool {
    let value = pair(bytes, at)
        .filter(|(word, _)| words.is_text(*word))
        .and_then(|(_, len)| text_end(bytes, at + 8, len))
        .and_then(|end| pair(bytes, end));
    value.is_some_and(|(word, _)| word == words.dict)
}
