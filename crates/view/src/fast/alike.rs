//! Arrays of texts or numbers in a row.

use gdvar_wire::Dialect;

use super::{numbers, text};
use crate::bytes::{
    marks::Marks,
    plain::{Words, fixed, pair, text_end},
};

#[cfg(all(test, feature = "alloc"))]
mod tests;

/// The number of elements that an array must have left to be worth a look: most lists are shorter.
pub(crate) const MANY: u32 = 128;

/// The number of values that a run must have; fewer are passed faster one at a time.
const WORTH: u32 = 8;

/// The number of bytes that are passed one by one after a look that passed little: at first, and at most. Each time
/// in a row it is twice as many.
const PAUSE: usize = 512;
const LONGEST_PAUSE: usize = 64 * 1024;

/// When arrays are looked at for runs.
#[derive(Debug, Default)]
pub(crate) struct Looks {
    /// The offset from which on they are looked at.
    from: usize,
    /// The number of bytes they were not looked at the last time, none after a success.
    pause: usize,
}

impl Looks {
    /// True if an array with `left` elements to come, the first of them at `at`, is worth a look.
    #[inline(always)]
    pub(crate) fn are_due(&self, at: usize, left: u32) -> bool {
        left >= MANY && at >= self.from
    }

    /// Ends a look, at `at`.
    fn end(&mut self, at: usize, has_passed: bool) {
        self.pause = if has_passed {
            0
        } else {
            (2 * self.pause).clamp(PAUSE, LONGEST_PAUSE)
        };
        self.from = at + self.pause;
    }
}

/// Passes elements of an array, `left` of which are to come, the first at `at`, as long as there are enough of a kind
/// in a row. Text is looked at if `check` is set. Returns where it stopped and how many were passed.
///
/// ```text
/// if the first elements have one header:
///     repeat:
///         texts   → judged together (`text.rs`)
///         numbers → their headers are compared in blocks (`numbers.rs`)
///     until a run was short
/// if nothing was passed: no look for a while, longer each time
/// ```
#[cold]
#[inline(never)]
pub(crate) fn advance(
    bytes: &[u8],
    at: usize,
    left: u32,
    dialect: Dialect,
    check: bool,
    looks: &mut Looks,
    marks: &mut impl Marks,
) -> (usize, u32) {
    let (start, all, mut at, mut left) = (at, left, at, left);
    let mut goes_on = are_alike(bytes, at, dialect);
    while goes_on {
        let before = left;
        (at, left) = run(bytes, at, left, dialect, check, marks);
        goes_on = before - left >= WORTH;
    }
    looks.end(at, at > start);
    (at, all - left)
}

/// Passes elements with the header of the first.
fn run(
    bytes: &[u8],
    at: usize,
    left: u32,
    dialect: Dialect,
    check: bool,
    marks: &mut impl Marks,
) -> (usize, u32) {
    let Some((word, _)) = pair(bytes, at) else {
        return (at, left);
    };
    if let Some(size) = fixed(word, dialect) {
        let count = numbers::run(bytes, at, word, size, left);
        marks.children(at, size, count);
        return (at + count as usize * size, left - count);
    }
    // Without a look at text it is no faster to pass several.
    if check && Words::of(dialect).is_text(word) {
        return text::run(bytes, at, left, Some(word), marks);
    }
    (at, left)
}

/// The number of elements that are compared before a run is tried.
const SAMPLE: usize = 4;

/// True if the first elements at `at` have the same header, and are numbers, or texts of which one takes long to judge:
/// short ASCII is passed as fast one text at a time.
fn are_alike(bytes: &[u8], at: usize, dialect: Dialect) -> bool {
    let Some((first, _)) = pair(bytes, at) else {
        return false;
    };
    let size = fixed(first, dialect);
    if size.is_none() && !Words::of(dialect).is_text(first) {
        return false;
    }
    let (mut at, mut is_worth) = (at, size.is_some());
    for _ in 0..SAMPLE {
        let Some((_, second)) = pair(bytes, at).filter(|(word, _)| *word == first) else {
            return false;
        };
        let end = match size {
            Some(size) => Some(at + size),
            None => text_end(bytes, at + 8, second),
        };
        let Some(end) = end else {
            return false;
        };
        is_worth |= end - at > LONG || !bytes.get(at + 8..end).is_some_and(<[u8]>::is_ascii);
        at = end;
    }
    is_worth
}

/// The size of a text, header included, from which on judging it alone takes longer than in a row with others.
const LONG: usize = 40;
