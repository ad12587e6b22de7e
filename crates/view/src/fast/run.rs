//! The shortcut for plain data in engine mode: numbers, vectors, text, untyped arrays and
//! dictionaries.

use gdvar_wire::{Dialect, pad4};

use super::{
    alike::{ENOUGH, alike},
    ascii,
    template::Templates,
    text,
};
use crate::{
    marks::Marks,
    plain::{BOOL, FLOAT, INT, STRING, Words, container, pair, plain, text_end},
};

/// The children of a container that are still to come.
#[derive(Clone, Copy, Debug)]
pub(crate) struct Pending {
    pub(crate) left: u32,
    pub(crate) is_dict: bool,
}

/// Where containers go that are entered, and come from when one is done.
pub(crate) trait Stack {
    /// Puts the container aside whose child is entered; its own children stand at `depth`.
    fn enter(&mut self, outer: Pending, depth: u16);

    /// The container around the one that is done, if it is of a kind that this walk knows.
    fn leave(&mut self) -> Option<(Pending, u16)>;
}

/// What the shortcuts learned on the way and keep from one call to the next.
#[derive(Debug, Default)]
pub(crate) struct Learned {
    /// Where containers are looked at again for children that are alike.
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

/// The same out of line.
#[inline(never)]
fn any_string_end<const CHECK: bool>(bytes: &[u8], start: usize, len: u32) -> Option<usize> {
    string_end::<CHECK>(bytes, start, len)
}

/// The size of the String that `rest`, the end of `bytes`, begins with.
#[inline(always)]
fn string_size<const CHECK: bool>(bytes: &[u8], rest: &[u8], len: u32) -> Option<usize> {
    if !CHECK {
        return text_end(rest, 8, len);
    }
    if ascii::short_ascii(rest, len as usize).is_some() {
        return Some(8 + pad4(len as usize));
    }
    let start = bytes.len() - rest.len();
    Some(any_string_end::<CHECK>(bytes, start + 8, len)? - start)
}

/// Where a walk stands: the offset, the innermost container and how deep its children are.
#[derive(Clone, Copy, Debug)]
pub(crate) struct Place {
    pub(crate) at: usize,
    pub(crate) now: Pending,
    pub(crate) depth: u16,
}

/// Advances over children of the innermost container and of those among them, down to `max_depth`.
/// Returns where it stopped. With `CHECK` text is validated.
///
/// A container whose last child is entered is not put aside, as nothing of it is to come: what
/// nests a single child a thousand times costs no more than what nests it once. Only `M`, if it is
/// told of ends, has to be told of all.
#[inline(always)]
pub(crate) fn advance<const CHECK: bool, M: Marks>(
    bytes: &[u8],
    place: Place,
    dialect: Dialect,
    max_depth: u16,
    stack: &mut impl Stack,
    learned: &mut Learned,
    marks: &mut M,
) -> Place {
    let words = Words::of(dialect);
    let Place { at, now, mut depth } = place;
    let Pending {
        mut left,
        mut is_dict,
    } = now;
    let mut rest = bytes.get(at..).unwrap_or_default();
    'containers: loop {
        // Containers are looked at for children that are alike when they are entered and come
        // back to.
        if left >= ENOUGH && (!is_dict || left % 2 == 0) {
            let at = bytes.len() - rest.len();
            if at >= learned.look_from {
                let now = Pending { left, is_dict };
                let room = usize::from(max_depth.saturating_sub(depth));
                let templates = &mut learned.templates;
                let passed = alike::<CHECK>(bytes, at, now, dialect, room, templates, marks);
                if left - passed.1 < ENOUGH {
                    learned.look_from = passed.0 + UNALIKE;
                }
                rest = bytes.get(passed.0..).unwrap_or_default();
                left = passed.1;
            }
        }
        while left > 0 {
            // Keys have a branch of their own: they are text, whatever the values are.
            if is_dict && left % 2 == 0 {
                if let Some((STRING, len)) = pair(rest, 0) {
                    let Some(size) = string_size::<CHECK>(bytes, rest, len) else {
                        break 'containers;
                    };
                    marks.child(bytes.len() - rest.len());
                    rest = rest.get(size..).unwrap_or_default();
                    left -= 1;
                }
            }
            let Some((word, second)) = pair(rest, 0) else {
                break 'containers;
            };
            let size = match word {
                INT | BOOL | FLOAT => 8,
                STRING => match string_size::<CHECK>(bytes, rest, second) {
                    Some(size) => size,
                    None => break 'containers,
                },
                _ if word == words.dict || word == words.array => {
                    let Some((_, inside)) = container(rest, dialect) else {
                        break 'containers;
                    };
                    if inside.left > 0 {
                        if depth >= max_depth {
                            break 'containers;
                        }
                        marks.child(bytes.len() - rest.len());
                        marks.open();
                        left -= 1;
                        if left > 0 || M::ENDS {
                            stack.enter(Pending { left, is_dict }, depth);
                        }
                        depth += 1;
                        Pending { left, is_dict } = inside;
                        rest = rest.get(8..).unwrap_or_default();
                        continue 'containers;
                    }
                    8
                }
                _ if word == words.strings && CHECK && second <= i32::MAX as u32 => {
                    let at = bytes.len() - rest.len();
                    let (end, others) = text::run::<false>(bytes, at + 8, second, &mut ());
                    if others > 0 {
                        break 'containers;
                    }
                    end - at
                }
                _ => match plain(rest, dialect) {
                    Some(plain) => plain.size,
                    None => break 'containers,
                },
            };
            let Some(behind) = rest.get(size..) else {
                break 'containers;
            };
            marks.child(bytes.len() - rest.len());
            rest = behind;
            left -= 1;
        }
        let Some((outer, its_depth)) = stack.leave() else {
            break;
        };
        marks.close(bytes.len() - rest.len());
        depth = its_depth;
        Pending { left, is_dict } = outer;
    }
    Place {
        at: bytes.len() - rest.len(),
        now: Pending { left, is_dict },
        depth,
    }
}
