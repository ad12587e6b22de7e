//! The shortcut for plain data in engine mode: numbers, vectors, text, untyped arrays and
//! dictionaries.

use gdvar_wire::Dialect;

use super::{
    alike::{ENOUGH, alike},
    template::Templates,
    text,
};
use crate::{
    marks::Marks,
    plain::{
        BOOL, FLOAT, INT, NIL, STRING, WIDE_FLOAT, WIDE_INT, Words, fixed_size, pair, text_end,
    },
};

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

/// How many bytes are not looked at for children that are alike after some that were not.
const UNALIKE: usize = 512;

/// Where the string ends whose length is `len` and whose text begins at `start`.
#[inline(always)]
pub(super) fn string_end<const CHECK: bool>(bytes: &[u8], start: usize, len: u32) -> Option<usize> {
    let end = text_end(bytes, start, len)?;
    (!CHECK || text::is_text(bytes, start, len as usize)).then_some(end)
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
    marks: &mut impl Marks,
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
                    marks.close(at);
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
            (at, now.left) = alike::<CHECK>(bytes, at, now.left, dialect, room, templates, marks);
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
            marks.child(at);
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
                    marks.child(at);
                    marks.open();
                    let left = if is_dict { 2 * second } else { second };
                    now = Pending { left, is_dict };
                    at += 8;
                    look = true;
                    continue;
                }
                at + 8
            }
            _ if word == words.strings && CHECK && second <= i32::MAX as u32 => {
                let (end, left) = text::run::<false>(bytes, at + 8, second, &mut ());
                if left > 0 {
                    return (at, now);
                }
                marks.child(at);
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
        marks.child(at);
        at = end;
        now.left -= 1;
    }
}
