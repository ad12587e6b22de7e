//! Containers whose children are alike, or mostly so.

use gdvar_wire::Dialect;

use super::{numbers, siblings, templates::Templates, text};
use crate::{
    bytes::{
        marks::Marks,
        plain::{Pending, Words, fixed, pair, text_end},
    },
    options::ReadOptions,
};

#[cfg(all(test, feature = "alloc"))]
mod tests;

/// The number of children that records must be left of to be worth a look, once a shape was learned.
const SEVERAL: u32 = 8;

/// The number of children that any other container must have left: most dictionaries are records, not made of
/// records, and most lists are short.
pub(crate) const MANY: u32 = 32;

/// The number of children that must be left for records to be learned: a lesson costs as much as a dozen of them.
const MANY_RECORDS: u32 = 64;

/// The number of pairs of siblings in a row that must be alike before one is learned.
const PROOFS: u32 = 2;

/// Siblings that are not alike are not compared again before so many times the bytes that were compared; and a lesson
/// is not given again before so many times the bytes of the record that was learned.
const COMPARED: usize = 64;
const LESSON: usize = 400;

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
#[derive(Debug)]
pub(crate) struct Learned {
    records: Looks,
    leaves: Looks,
    templates: Templates,
    /// The number of children that must be left for any look, and for a look at records: fewer once a shape was
    /// learned.
    gate: u32,
    least: u32,
    /// The number of siblings in a row that are still to be proved alike before the next lesson.
    proofs: u32,
    /// The offset of the record that was looked at last for that, or 0.
    sibling: usize,
    /// The offset from which on a lesson may be given.
    lesson_from: usize,
}

impl Default for Learned {
    fn default() -> Learned {
        Learned {
            records: Looks::default(),
            leaves: Looks::default(),
            templates: Templates::default(),
            gate: MANY,
            least: MANY_RECORDS,
            proofs: PROOFS,
            sibling: 0,
            lesson_from: 0,
        }
    }
}

impl Learned {
    /// The number of children that a container must have left to be worth a look.
    #[inline(always)]
    pub(crate) fn gate(&self) -> u32 {
        self.gate
    }

    /// Opens a lesson if the record at `at` is like its sibling, as that was like its own, and there are enough of
    /// them to pay for it. Returns `false` if there is nothing to compare records with.
    fn prove(&mut self, bytes: &[u8], at: usize, left: u32, dialect: Dialect) -> bool {
        if left >= MANY_RECORDS && at >= self.lesson_from {
            let sibling = core::mem::replace(&mut self.sibling, at);
            if sibling > 0 {
                match siblings::compare(bytes, sibling, at, dialect) {
                    Ok(end) => self.proved(at, end),
                    Err(end) => {
                        self.proofs = PROOFS;
                        self.records.from = at + PAUSE + COMPARED * (end - at);
                    }
                }
            }
        }
        self.least == SEVERAL
    }

    /// The record from `at` to `end` is like its sibling.
    fn proved(&mut self, at: usize, end: usize) {
        self.proofs -= 1;
        if self.proofs == 0 {
            self.templates.open_lessons();
            self.lesson_from = at + LESSON * (end - at);
            (self.gate, self.least) = (SEVERAL, SEVERAL);
        }
    }
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
#[cold]
#[inline(never)]
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
    if now.is_dict && (is_value || now.left < MANY) {
        return (rest, now.left);
    }
    let at = bytes.len() - rest.len();
    // A dictionary is only looked at if its values are records.
    let is_records = now.is_dict || begins_with_dict(rest, options.dialect());
    let (looks, least) = if is_records {
        (&learned.records, learned.least)
    } else {
        (&learned.leaves, MANY)
    };
    if at < looks.from || now.left < least {
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
    let words = Words::of(options.dialect());
    if now.is_dict && !begins_with_record(bytes, at, words) {
        learned.records.fail(at, PAUSE, LONGEST_PAUSE);
        return (at, now.left);
    }
    if learned.proofs > 0 {
        let record = if now.is_dict {
            behind_text(bytes, at, words)
        } else {
            Some(at)
        };
        if !record.is_some_and(|record| learned.prove(bytes, record, now.left, options.dialect())) {
            return (at, now.left);
        }
    }
    let Learned {
        records, templates, ..
    } = learned;
    let run = if now.is_dict {
        Templates::run::<CHECK, true>
    } else {
        Templates::run::<CHECK, false>
    };
    let (at, left) = run(templates, bytes, at, now.left, options, depth, marks);
    if templates.is_spent() {
        records.fail(at, RECORDS_PAUSE, RECORDS_LONGEST_PAUSE);
        (learned.proofs, learned.sibling) = (PROOFS, 0);
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
    if !leaves_are_alike(bytes, at, dialect) {
        learned.leaves.fail(at, PAUSE, LONGEST_PAUSE);
        return (at, all);
    }
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
    let value = behind_text(bytes, at, words).and_then(|end| pair(bytes, end));
    value.is_some_and(|(word, _)| word == words.dict)
}

/// The end of the text at `at`, header first.
#[inline]
fn behind_text(bytes: &[u8], at: usize, words: Words) -> Option<usize> {
    let (word, len) = pair(bytes, at)?;
    text_end(bytes, at + 8, len).filter(|_| words.is_text(word))
}

/// True if the values at `at` and behind it are leaves with the same header.
#[inline]
fn leaves_are_alike(bytes: &[u8], at: usize, dialect: Dialect) -> bool {
    let header =
        |at: usize| -> Option<u32> { Some(u32::from_le_bytes(*bytes.get(at..)?.first_chunk()?)) };
    let next = header(at).and_then(|word| {
        let end = match fixed(word, dialect) {
            Some(size) => at + size,
            None => behind_text(bytes, at, Words::of(dialect))?,
        };
        Some(header(end)? == word)
    });
    next.unwrap_or(false)
}
