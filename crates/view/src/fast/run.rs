//! The shortcut for plain data in engine mode: numbers, vectors, text, untyped arrays and
//! dictionaries.

use gdvar_wire::{Dialect, HeaderWord, Kind, layout::MAX_SIZE, pad4};

use super::{
    alike::{ENOUGH, alike},
    template::Templates,
    text,
};

/// The children of a container that are still to come.
#[derive(Clone, Copy, Debug)]
pub(crate) struct Pending {
    pub(crate) left: u32,
    pub(crate) is_dict: bool,
}

impl Pending {
    /// An only child.
    pub(crate) const ONE: Pending = Pending {
        left: 1,
        is_dict: false,
    };
}

/// Where containers go that are entered, and come from when one is done.
pub(crate) trait Stack {
    /// Puts the container aside whose child is entered. `false` if it may not be entered.
    fn enter(&mut self, outer: Pending) -> bool;

    /// The container around the one that is done, if it is of a kind that this walk knows.
    fn leave(&mut self) -> Option<Pending>;

    /// How many containers may be entered, one inside the other.
    fn room(&self) -> usize;
}

/// What the shortcuts learned on the way and keep from one call to the next.
#[derive(Debug, Default)]
pub(crate) struct Learned {
    /// Where arrays are looked at again for children that are alike.
    look_from: usize,
    /// Made when the first record is met: it is large.
    templates: Option<Templates>,
}

/// The words that begin an untyped array, an untyped dictionary and a PackedStringArray.
#[derive(Clone, Copy)]
pub(super) struct Words {
    pub(super) array: u32,
    pub(super) dict: u32,
    strings: u32,
}

impl Words {
    pub(super) fn of(dialect: Dialect) -> Words {
        let word = |kind| dialect.type_id(kind).map_or(u32::MAX, |id| u32::from(id.0));
        Words {
            array: word(Kind::Array),
            dict: word(Kind::Dictionary),
            strings: word(Kind::PackedStringArray),
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
pub(super) const STRING: u32 = 4;
const WIDE: u32 = 1 << 16;
const WIDE_INT: u32 = INT | WIDE;
const WIDE_FLOAT: u32 = FLOAT | WIDE;

/// How many bytes are not looked at for children that are alike after some that were not.
const UNALIKE: usize = 512;

/// The eight bytes at `at`.
#[inline(always)]
pub(super) fn pair(bytes: &[u8], at: usize) -> Option<(u32, u32)> {
    let raw = bytes.get(at..at.checked_add(8)?)?.first_chunk::<8>()?;
    let both = u64::from_le_bytes(*raw);
    Some((both as u32, (both >> 32) as u32))
}

/// Bytes of a value with this header, if they are the same for all.
#[inline(always)]
pub(super) fn fixed_size(word: u32, dialect: Dialect) -> Option<usize> {
    let wide = word & WIDE != 0;
    // Godot 2 compares the whole word: a flag there is left to the plain walk. The flag is ignored
    // where it means nothing, as the engines do.
    let known = word & !(WIDE | 0xff) == 0 && !(wide && dialect.compares_whole_header());
    let size = dialect.fixed_payload(HeaderWord(word).type_id(), wide)?;
    known.then_some(4 + size)
}

/// Where the string ends whose length is `len` and whose text begins at `start`.
#[inline(always)]
pub(super) fn string_end<const CHECK: bool>(bytes: &[u8], start: usize, len: u32) -> Option<usize> {
    let len = len as usize;
    let end = start + pad4(len);
    let fits = len <= MAX_SIZE - 3 && end <= bytes.len();
    if fits && (!CHECK || text::is_text(bytes, start, len)) {
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
    learned: &mut Learned,
) -> (usize, Pending) {
    let words = Words::of(dialect);
    // Godot 2 compares the whole word: a flag there is left to the plain walk.
    let flags_count = !dialect.compares_whole_header();
    // Arrays are looked at for children that are alike when they are entered and come back to.
    let mut look = true;
    loop {
        if now.left == 0 {
            match stack.leave() {
                Some(outer) => {
                    now = outer;
                    look = true;
                    continue;
                }
                None => return (at, now),
            }
        }
        if look && now.left >= ENOUGH && !now.is_dict && at >= learned.look_from {
            let before = now.left;
            let (room, templates) = (stack.room(), &mut learned.templates);
            (at, now.left) = alike::<CHECK>(bytes, at, now.left, dialect, room, templates);
            if before - now.left < ENOUGH {
                learned.look_from = at + UNALIKE;
            }
            look = false;
            continue;
        }
        look = false;
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
                    look = true;
                    continue;
                }
                at + 8
            }
            _ if word == words.strings && CHECK && second <= i32::MAX as u32 => {
                let (end, left) = text::run::<false>(bytes, at + 8, second);
                if left > 0 {
                    return (at, now);
                }
                at = end;
                now.left -= 1;
                continue;
            }
            _ => match fixed_size(word, dialect) {
                Some(size) => at + size,
                None => return (at, now),
            },
        };
        if end > bytes.len() {
            return (at, now);
        }
        at = end;
        now.left -= 1;
    }
}
