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

const STRING: u32 = 4;
const WIDE: u32 = 1 << 16;

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
        let Some(head) = bytes.get(at..).and_then(|rest| rest.first_chunk::<8>()) else {
            return (at, now);
        };
        let head = u64::from_le_bytes(*head);
        let (word, second) = (head as u32, (head >> 32) as u32);
        let after = bytes.len() - at - 8;
        if word == STRING {
            let len = second as usize;
            let size = pad4(len);
            if len > MAX_SIZE || size > after || (CHECK && !is_text(bytes, at + 8, len)) {
                return (at, now);
            }
            at += 8 + size;
            now.left -= 1;
        } else if word & !(WIDE | 0xff) == 0 {
            let id = HeaderWord(word).type_id();
            // The flag is ignored where it means nothing, as the engines do.
            if let Some(size) = dialect.fixed_payload(id, word & WIDE != 0) {
                let size = 4 + size;
                // Godot 2 compares the whole word, so it may have no flag but on numbers.
                let odd = word & WIDE != 0 && dialect.compares_whole_header();
                if size > after + 8 || odd {
                    return (at, now);
                }
                at += size;
                now.left -= 1;
                continue;
            }
            let is_dict = word == words.dict;
            if !is_dict && word != words.array {
                return (at, now);
            }
            let min = if is_dict { 8 } else { 4 };
            // A count with the shared bit is not ours.
            if second > i32::MAX as u32 || (second as usize).saturating_mul(min) > after {
                return (at, now);
            }
            let outer = Pending {
                left: now.left - 1,
                ..now
            };
            if second == 0 {
                now = outer;
            } else if stack.enter(outer) {
                let left = if is_dict { 2 * second } else { second };
                now = Pending { left, is_dict };
            } else {
                return (at, now);
            }
            at += 8;
        } else {
            return (at, now);
        }
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
