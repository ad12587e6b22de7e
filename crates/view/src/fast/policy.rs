//! Decides when a shortcut is tried: where a run of similar texts or numbers is likely, and after a failed
//! attempt only some bytes later.

use gdvar_wire::Dialect;

use super::{numbers, text};
use crate::bytes::{
    common::{Words, fixed, pair, text_end},
    observer::Observer,
};

#[cfg(all(test, feature = "alloc"))]
mod tests;

/// Arrays with fewer elements left are not tried. Most arrays are smaller.
pub(crate) const MIN_CHILDREN: u32 = 128;

/// A run of fewer values is faster one by one.
const MIN_RUN: u32 = 8;

/// After a failed attempt no array is tried for this many bytes. [`PAUSE`] is the first pause; each further
/// failure in a row doubles it, up to [`LONGEST_PAUSE`].
const PAUSE: usize = 512;
const LONGEST_PAUSE: usize = 64 * 1024;

/// When to try an array next.
#[derive(Debug, Default)]
pub(crate) struct Backoff {
    /// Arrays are tried from this offset on.
    from: usize,
    /// The pause after the last attempt, in bytes. 0 after a success.
    pause: usize,
}

impl Backoff {
    /// True if an array with `left` more elements, the next of them at `at`, should be tried.
    #[inline(always)]
    pub(crate) fn is_due(&self, at: usize, left: u32) -> bool {
        left >= MIN_CHILDREN && at >= self.from
    }

    /// Stores that an attempt ended at `at`, and whether it skipped anything.
    fn record(&mut self, at: usize, has_passed: bool) {
        self.pause = if has_passed {
            0
        } else {
            (2 * self.pause).clamp(PAUSE, LONGEST_PAUSE)
        };
        self.from = at + self.pause;
    }
}

/// Skips elements of an array while there are runs of similar ones. The next element is at `at`, and `left`
/// are left. Text is validated only with `check`. Returns where it stopped and how many elements it skipped.
///
/// ```text
/// if the first elements have one header:
///     repeat:
///         texts   → validate them together (`text.rs`)
///         numbers → compare their headers in blocks (`numbers.rs`)
///     until a run was short
/// if nothing was skipped: pause, longer each time
/// ```
#[cold]
#[inline(never)]
pub(crate) fn advance(
    bytes: &[u8],
    at: usize,
    left: u32,
    dialect: Dialect,
    check: bool,
    backoff: &mut Backoff,
    observer: &mut impl Observer,
) -> (usize, u32) {
    let (start, all, mut at, mut left) = (at, left, at, left);
    let mut goes_on = is_run_likely(bytes, at, dialect);
    while goes_on {
        let before = left;
        (at, left) = run(bytes, at, left, dialect, check, observer);
        goes_on = before - left >= MIN_RUN;
    }
    backoff.record(at, at > start);
    (at, all - left)
}

/// Skips elements that have the header of the first one.
fn run(
    bytes: &[u8],
    at: usize,
    left: u32,
    dialect: Dialect,
    check: bool,
    observer: &mut impl Observer,
) -> (usize, u32) {
    let Some((word, _)) = pair(bytes, at) else {
        return (at, left);
    };
    if let Some(size) = fixed(word, dialect) {
        let count = numbers::run(bytes, at, word, size, left);
        observer.children(at, size, count);
        return (at + count as usize * size, left - count);
    }
    // Skips a run of texts at once only if they are validated. Otherwise one by one is as fast.
    if check && Words::of(dialect).is_text(word) {
        return text::run(bytes, at, left, Some(word), observer);
    }
    (at, left)
}

/// The number of elements that are compared before a run is tried.
const SAMPLE: usize = 4;

/// True if the first elements at `at` have the same header and are numbers or texts. Texts are a run only if
/// one of them is slow to validate: short ASCII is as fast one by one.
fn is_run_likely(bytes: &[u8], at: usize, dialect: Dialect) -> bool {
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

/// A larger text, header included, is slower to validate alone than together with others.
const LONG: usize = 40;
