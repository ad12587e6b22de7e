//! The templates that a walk has learned: which is tried first, and when learning pays.
//!
//! A match saves most of the time that a record's values take one by one. A lesson costs as much as a dozen
//! records, a record that matches nothing as much as a few of its values. So the first lesson waits until siblings
//! were proved to be alike (`siblings.rs`), and all that follows is paid for out of what the matches saved:
//!
//! ```text
//! siblings were proved alike                       → lessons at least 2
//! for each record:
//!     the first template matches, or another one   → credit + 2, at most 64
//!         a template's 16th match                  → lessons + 1, at most 4
//!     none does                                    → credit - 1
//!         and lessons > 0                          → lessons - 1: learn it in the place of the oldest
//!         else                                     → the loop over plain values takes this record
//!     credit = 0                                   → no record is looked at for a while
//! ```

use super::{
    ahead::Ahead,
    template::{Template, pass_text},
};
use crate::{
    bytes::{
        marks::Marks,
        plain::{Words, pair},
    },
    options::ReadOptions,
};

#[cfg(all(test, feature = "alloc"))]
mod tests;

/// The number of templates that are kept. Fields change their width from record to record, so that one
/// kind of record has several shapes.
const KEPT: usize = 4;

/// The credit of a walk that begins, and the most that it may save up.
const CREDIT: u32 = 8;
const MOST_CREDIT: u32 = 64;

/// The credit of a match; a miss takes 1.
const MATCH: u32 = 1;

/// The most lessons that may be open.
const LESSONS: u32 = 4;

/// The lessons that a proof opens: most records have a field whose width varies, so they have two shapes.
const FIRST_LESSONS: u32 = 2;

/// The number of matches that pay for another lesson.
const PAYS: u32 = 16;

/// Steps over the key, if there is one before each record, that `rest`, the end of `bytes`, begins with.
/// Returns the bytes that start at the record, or `None` if the key is not valid text.
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

/// The templates of a walk.
#[derive(Debug)]
pub(crate) struct Templates {
    /// Made when they are learned: they are large.
    kept: [Option<Template>; KEPT],
    /// The number of matches of each.
    matches: [u32; KEPT],
    /// The one that is tried first: one that matched twice in a row, so that a single odd record
    /// does not turn the order over.
    first: usize,
    /// The one that matched last.
    last: usize,
    /// The one to replace next.
    oldest: usize,
    /// The number of records that may still be learned.
    lessons: u32,
    /// Grows with matches and shrinks with misses; nothing is looked at without any.
    credit: u32,
    ahead: Ahead,
}

impl Default for Templates {
    fn default() -> Templates {
        Templates {
            kept: [None, None, None, None],
            matches: [0; KEPT],
            first: 0,
            last: 0,
            oldest: 0,
            lessons: 0,
            credit: CREDIT,
            ahead: Ahead::default(),
        }
    }
}

impl Templates {
    #[cfg(all(test, feature = "alloc"))]
    pub(super) fn has_learned(&self) -> bool {
        self.kept.iter().any(Option::is_some)
    }

    /// Lets the next records that match none be learned.
    #[inline]
    pub(super) fn open_lessons(&mut self) {
        self.lessons = self.lessons.max(FIRST_LESSONS);
    }

    /// True, once, if so little matched that records had better be left alone for a while.
    #[inline]
    pub(super) fn is_spent(&mut self) -> bool {
        let is_spent = self.credit == 0;
        if is_spent {
            self.credit = CREDIT / 2;
        }
        is_spent
    }

    /// One of them, if there is one and it may stand at that depth.
    #[inline]
    fn kept(&self, which: usize, options: ReadOptions, depth: u16) -> Option<&Template> {
        let template = self.kept.get(which)?.as_ref();
        template.filter(|template| template.fits(options, depth))
    }

    /// Notes that one of them matched so many records.
    #[inline]
    fn note(&mut self, which: usize, count: u32) {
        self.last = which;
        self.credit = MOST_CREDIT.min(self.credit.saturating_add(MATCH.saturating_mul(count)));
        if let Some(matches) = self.matches.get_mut(which) {
            let pays = *matches < PAYS;
            *matches = matches.saturating_add(count);
            if pays && *matches >= PAYS {
                self.lessons = LESSONS.min(self.lessons + 1);
            }
        }
    }

    /// Advances over dictionaries from `at` on that are alike, with a text as key before each if
    /// `KEYED`, over at most `left` children that stand at `depth`. Returns where it stopped and how many
    /// are left.
    #[inline(never)]
    pub(crate) fn run<const CHECK: bool, const KEYED: bool>(
        &mut self,
        bytes: &[u8],
        at: usize,
        left: u32,
        options: ReadOptions,
        depth: u16,
        marks: &mut impl Marks,
    ) -> (usize, u32) {
        let mut rest = bytes.get(at..).unwrap_or_default();
        let mut left = left;
        let children = if KEYED { 2 } else { 1 };
        let mut ahead = self.ahead;
        let words = Words::of(options.dialect());
        while left > 0 {
            let before = left;
            if let Some(template) = self.kept(self.first, options, depth) {
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
                self.note(self.first, (before - left) / children);
            }
            if left == 0 {
                break;
            }
            let Some(record) = pass_key::<CHECK, KEYED>(bytes, rest, words) else {
                break;
            };
            let found = self.find::<CHECK>(bytes, record, options, depth);
            let Some(behind) = found.or_else(|| self.miss::<CHECK>(bytes, record, options, depth))
            else {
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
        options: ReadOptions,
        depth: u16,
    ) -> Option<&'a [u8]> {
        for n in 1..KEPT {
            let which = (self.first + n) % KEPT;
            let Some(template) = self.kept(which, options, depth) else {
                continue;
            };
            if let Some(behind) = template.pass::<CHECK>(bytes, rest) {
                if self.last == which {
                    self.first = which;
                }
                self.note(which, 1);
                return Some(behind);
            }
        }
        None
    }

    /// Pays for a dictionary that no template matches. If a lesson is open, the dictionary that `rest`
    /// begins with is learned; then the bytes behind it are returned.
    fn miss<'a, const CHECK: bool>(
        &mut self,
        bytes: &'a [u8],
        rest: &[u8],
        options: ReadOptions,
        depth: u16,
    ) -> Option<&'a [u8]> {
        if pair(rest, 0)?.0 != Words::of(options.dialect()).dict {
            return None;
        }
        self.credit = self.credit.saturating_sub(1);
        if self.credit == 0 {
            return None;
        }
        self.lessons = self.lessons.checked_sub(1)?;
        // The first is only replaced while there is nothing in it.
        if self.oldest == self.first && self.kept(self.first, options, 0).is_some() {
            self.oldest = (self.oldest + 1) % KEPT;
        }
        let which = self.oldest;
        self.oldest = (which + 1) % KEPT;
        *self.matches.get_mut(which)? = 0;
        let template = self.kept.get_mut(which)?.get_or_insert(Template::EMPTY);
        let at = bytes.len() - rest.len();
        let end = template.learn::<CHECK>(bytes, at, options.dialect())?;
        bytes.get(end..).filter(|_| template.fits(options, depth))
    }
}
