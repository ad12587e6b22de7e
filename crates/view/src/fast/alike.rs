//! Containers whose children are alike, or mostly so.

use gdvar_wire::Dialect;

use super::{numbers, template::Templates, text};
use crate::bytes::{
    marks::Marks,
    plain::{Pending, Words, fixed, pair, text_end},
};

#[cfg(all(test, feature = "alloc"))]
mod tests;

/// How many children an array must have left to be worth a look.
const ENOUGH: u32 = 8;

/// How many a dictionary must have: most dictionaries are records, not made of records.
const MANY_PAIRS: u32 = 32;

/// How many bytes are not looked at for children that are alike after some that were not: at first,
/// and at most. Each time in a row it is twice as many.
const PAUSE: usize = 512;
const LONGEST_PAUSE: usize = 64 * 1024;

/// When containers are looked at for children that are alike.
#[derive(Debug, Default)]
struct Looks {
    /// From where on.
    from: usize,
    /// How many bytes they were not looked at the last time, none after a success.
    pause: usize,
}

impl Looks {
    /// From where on containers are looked at again.
    #[inline(always)]
    fn from(&self) -> usize {
        self.from
    }

    /// Whether such a container has enough children left.
    #[inline(always)]
    fn suffice(left: u32, is_dict: bool) -> bool {
        left >= if is_dict { MANY_PAIRS } else { ENOUGH }
    }

    /// A look ended at `at` and passed so many children.
    #[inline(always)]
    fn note(&mut self, at: usize, passed: u32) {
        if passed < ENOUGH {
            self.pause = (2 * self.pause).clamp(PAUSE, LONGEST_PAUSE);
            self.from = at + self.pause;
        } else {
            self.pause = 0;
        }
    }
}

/// What the shortcuts learned on the way and keep from one call to the next.
#[derive(Debug, Default)]
pub(crate) struct Learned {
    looks: Looks,
    templates: Templates,
}

#[cfg(all(test, feature = "alloc"))]
impl Learned {
    /// From where on containers are looked at again, and whether a template was learned.
    pub(crate) fn state(&self) -> (usize, bool) {
        (self.looks.from(), self.templates.has_learned())
    }
}

/// Passes children of the container `now`, the first of which `rest`, the end of `bytes`, begins with, if
/// they are like their neighbours. Containers may be nested `room` deep. Returns the rest and how many
/// children are left.
#[inline(always)]
pub(crate) fn advance<'a, const CHECK: bool>(
    bytes: &'a [u8],
    rest: &'a [u8],
    now: Pending,
    dialect: Dialect,
    room: u16,
    learned: &mut Learned,
    marks: &mut impl Marks,
) -> (&'a [u8], u32) {
    let at = bytes.len() - rest.len();
    let is_key = now.is_dict && now.left % 2 == 1;
    if !Looks::suffice(now.left, now.is_dict) || at < learned.looks.from() || is_key {
        return (rest, now.left);
    }
    let templates = &mut learned.templates;
    let (at, left) = alike::<CHECK>(bytes, at, now, dialect, room.into(), templates, marks);
    learned.looks.note(at, now.left - left);
    (bytes.get(at..).unwrap_or_default(), left)
}

/// How many children a look must pass on average; fewer are passed faster one at a time.
const WORTH: u32 = 6;

/// How much the looks so far may save up for later ones.
const SAVED: u32 = 64;

/// Advances over children of a container that are like their neighbours, as long as there are
/// enough of them in a row: where it stopped and what is left. Containers may be nested `room` deep.
#[inline(never)]
fn alike<const CHECK: bool>(
    bytes: &[u8],
    at: usize,
    now: Pending,
    dialect: Dialect,
    room: usize,
    templates: &mut Templates,
    marks: &mut impl Marks,
) -> (usize, u32) {
    let words = Words::of(dialect);
    let (mut at, mut left, mut credit) = (at, now.left, WORTH);
    if now.is_dict {
        // Of dictionaries only those of records are looked at.
        if !begins_with_record(bytes, at, words) {
            return (at, now.left);
        }
        return templates.run::<CHECK, true>(bytes, at, now.left, dialect, room, marks);
    }
    while left > 0 && credit >= WORTH {
        let Some(raw) = bytes.get(at..).and_then(<[u8]>::first_chunk) else {
            break;
        };
        let word = u32::from_le_bytes(*raw);
        let before = left;
        if word == words.dict {
            (at, left) = templates.run::<CHECK, false>(bytes, at, left, dialect, room, marks);
        } else if words.is_text(word) && CHECK {
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
    (at, left)
}

/// Whether the key at `at` is a text and its value a dictionary.
#[inline]
fn begins_with_record(bytes: &[u8], at: usize, words: Words) -> bool {
    let value = pair(bytes, at)
        .filter(|(word, _)| words.is_text(*word))
        .and_then(|(_, len)| text_end(bytes, at + 8, len))
        .and_then(|end| pair(bytes, end));
    value.is_some_and(|(word, _)| word == words.dict)
}
