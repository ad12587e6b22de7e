//! The shortcut for plain data in engine mode: numbers, vectors, text, untyped arrays and
//! dictionaries.

use gdvar_wire::{Dialect, HeaderWord, Kind, layout::MAX_SIZE, pad4};

use super::ascii;

/// The children of a container that are still to come.
#[derive(Clone, Copy, Debug)]
pub(crate) struct Pending {
    pub(crate) left: u32,
    pub(crate) is_dict: bool,
}

/// Where containers go that are entered, and come from when one is done.
pub(crate) trait Stack {
    /// Puts the container aside whose child is entered. `false` if it may not be entered.
    fn enter(&mut self, outer: Pending) -> bool;

    /// The container around the one that is done, if it is of a kind that this walk knows.
    fn leave(&mut self) -> Option<Pending>;
}

/// The words that begin an untyped array and an untyped dictionary.
#[derive(Clone, Copy)]
struct Words {
    array: u32,
    dict: u32,
}

impl Words {
    fn of(dialect: Dialect) -> Words {
        let word = |kind| dialect.type_id(kind).map_or(u32::MAX, |id| u32::from(id.0));
        Words {
            array: word(Kind::Array),
            dict: word(Kind::Dictionary),
        }
    }
}

// These have the same numbers and sizes in every dialect (`docs/FORMAT.md` §1.1), and most values
// are one of them. Comparing with constants lets the processor guess where the next value begins
// instead of waiting for a table.
const NIL: u32 = 0;
const BOOL: u32 = 1;
const INT: u32 = 2;
const FLOAT: u32 = 3;
const STRING: u32 = 4;
const WIDE: u32 = 1 << 16;
const WIDE_INT: u32 = INT | WIDE;
const WIDE_FLOAT: u32 = FLOAT | WIDE;

/// The eight bytes at `at`.
#[inline(always)]
fn pair(bytes: &[u8], at: usize) -> Option<(u32, u32)> {
    let raw = bytes.get(at..at.checked_add(8)?)?.first_chunk::<8>()?;
    let both = u64::from_le_bytes(*raw);
    Some((both as u32, (both >> 32) as u32))
}

/// Where the string ends whose length is `len` and whose text begins at `start`.
#[inline(always)]
fn string_end<const CHECK: bool>(bytes: &[u8], start: usize, len: u32) -> Option<usize> {
    let len = len as usize;
    let end = start + pad4(len);
    let fits = len <= MAX_SIZE - 3 && end <= bytes.len();
    if fits && (!CHECK || is_text(bytes, start, len)) {
        return Some(end);
    }
    None
}

/// Advances over children of `now` and of the containers among them, starting at `at`. Returns
/// where it stopped and what is left of the container that it stopped in. With `CHECK` text is
/// validated.
#[inline]
pub(crate) fn advance<const CHECK: bool>(
    bytes: &[u8],
    mut at: usize,
    dialect: Dialect,
    mut now: Pending,
    stack: &mut impl Stack,
) -> (usize, Pending) {
    let words = Words::of(dialect);
    // Godot 2 compares the whole word: a flag there is left to the plain walk.
    let flags_count = !dialect.compares_whole_header();
    loop {
        if now.left == 0 {
            match stack.leave() {
                Some(outer) => {
                    now = outer;
                    continue;
                }
                None => return (at, now),
            }
        }
        let Some((mut word, mut second)) = pair(bytes, at) else {
            return (at, now);
        };
        // Keys have a branch of their own: they are strings, whatever the values are.
        if now.is_dict && now.left % 2 == 0 && word == STRING {
            let Some(end) = string_end::<CHECK>(bytes, at + 8, second) else {
                return (at, now);
            };
            at = end;
            now.left -= 1;
            match pair(bytes, at) {
                Some(next) => (word, second) = next,
                None => return (at, now),
            }
        }
        let end = match word {
            INT | BOOL | FLOAT => at + 8,
            STRING => match string_end::<CHECK>(bytes, at + 8, second) {
                Some(end) => end,
                None => return (at, now),
            },
            WIDE_INT | WIDE_FLOAT if flags_count => at + 12,
            NIL => at + 4,
            _ if word == words.dict || word == words.array => {
                let is_dict = word == words.dict;
                let min = if is_dict { 8 } else { 4 };
                let after = bytes.len() - at - 8;
                // A count with the shared bit is not ours.
                if second > i32::MAX as u32 || (second as usize).saturating_mul(min) > after {
                    return (at, now);
                }
                if second > 0 {
                    if !stack.enter(Pending {
                        left: now.left - 1,
                        ..now
                    }) {
                        return (at, now);
                    }
                    let left = if is_dict { 2 * second } else { second };
                    now = Pending { left, is_dict };
                    at += 8;
                    continue;
                }
                at + 8
            }
            _ => {
                let wide = word & WIDE != 0;
                let known = word & !(WIDE | 0xff) == 0 && (flags_count || !wide);
                // The flag is ignored where it means nothing, as the engines do.
                match dialect.fixed_payload(HeaderWord(word).type_id(), wide) {
                    Some(size) if known => at + 4 + size,
                    _ => return (at, now),
                }
            }
        };
        if end > bytes.len() {
            return (at, now);
        }
        at = end;
        now.left -= 1;
    }
}

/// Whether text is in order for every engine: the part up to a NUL is, if the whole is.
#[inline]
fn is_text(bytes: &[u8], start: usize, len: usize) -> bool {
    ascii::is_ascii(bytes, start, len)
        || bytes
            .get(start..start + len)
            .is_some_and(|text| simdutf8::basic::from_utf8(text).is_ok())
}
