//! The shortcut for plain data in engine mode: numbers, vectors, text, untyped arrays and
//! dictionaries.

use gdvar_wire::Dialect;

use crate::bytes::{
    marks::Marks,
    plain::{self, Pending, Rest, Words, text_end},
    utf8,
};
#[cfg(not(gdvar_plain))]
use crate::fast;

#[cfg(not(gdvar_plain))]
pub(crate) use crate::fast::Learned;

/// Without shortcuts nothing is learned.
#[cfg(gdvar_plain)]
#[derive(Debug, Default)]
pub(crate) struct Learned;

#[cfg(all(test, feature = "alloc"))]
mod tests;

/// The containers around the innermost one: one is put aside when its child is entered.
pub(crate) trait Stack {
    /// Puts the container aside whose child is entered; its own children stand at `depth`. `false`
    /// if there is no room for it.
    fn enter(&mut self, outer: Pending, depth: u16) -> bool;

    /// The container around the one that is done, if it is of a kind that this walk knows.
    fn leave(&mut self) -> Option<(Pending, u16)>;
}

/// The bytes behind the text value that `rest` begins with, if its `len` bytes of text are in order.
/// Header and length stand before the text, so eight bytes end where the text ends: most texts are
/// judged by one load or two.
#[inline(always)]
fn behind_text<const CHECK: bool>(rest: &[u8], len: u32) -> Option<&[u8]> {
    let (value, behind) = rest.split_at_checked(text_end(rest, 8, len)?)?;
    if !CHECK {
        return Some(behind);
    }
    let len = len as usize;
    let mut seen = u64::from_le_bytes(*value.get(len..)?.first_chunk()?);
    if len < 8 {
        // Bytes of the header and the length do not count.
        seen &= !(u64::MAX >> (8 * len));
    }
    let mut at = 8;
    while at < len {
        seen |= u64::from_le_bytes(*value.get(at..)?.first_chunk()?);
        at += 8;
    }
    if seen & HIGH_BITS == 0 || utf8::is_other_text(rest.get(8..)?, len) {
        return Some(behind);
    }
    None
}

const HIGH_BITS: u64 = 0x8080_8080_8080_8080;

/// The place of a walk: the offset, the innermost container and how deep its children are.
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
    #[cfg_attr(gdvar_plain, expect(unused))] mut learned: Option<&mut Learned>,
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
        #[cfg(not(gdvar_plain))]
        if let Some(learned) = &mut learned {
            let now = Pending { left, is_dict };
            let room = max_depth.saturating_sub(depth);
            (rest, left) = fast::advance::<CHECK>(bytes, rest, now, dialect, room, learned, marks);
        }
        while left > 0 {
            let Some((word, second)) = rest.first_chunk().map(plain::words) else {
                break 'containers;
            };
            // Text is every other value of most saves, as a key, and numbers are most of the others: each
            // has a branch of its own here, so that nothing is decided twice on their way.
            let behind = if words.is_text(word) {
                behind_text::<CHECK>(rest, second)
            } else if let Some(size) = plain::fixed(word, dialect) {
                rest.get(size..)
            } else {
                let Some(plain) = plain::look(rest, dialect) else {
                    break 'containers;
                };
                match plain.rest {
                    Rest::Children(inside) if inside.left > 0 => {
                        let outer = Pending {
                            left: left - 1,
                            is_dict,
                        };
                        let keep = outer.left > 0 || M::ENDS;
                        if depth >= max_depth || keep && !stack.enter(outer, depth) {
                            break 'containers;
                        }
                        marks.child(bytes.len() - rest.len());
                        marks.open();
                        depth += 1;
                        Pending { left, is_dict } = inside;
                        rest = rest.get(plain.size..).unwrap_or_default();
                        continue 'containers;
                    }
                    Rest::Fields(count) => {
                        let at = bytes.len() - rest.len() + plain.size;
                        fields::<CHECK>(bytes, at, count)
                    }
                    _ => rest.get(plain.size..),
                }
            };
            let Some(behind) = behind else {
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

/// The bytes behind `count` string fields at `at`, if their text is in order; without a look at text
/// that is for others.
#[inline(never)]
fn fields<const CHECK: bool>(bytes: &[u8], at: usize, count: u32) -> Option<&[u8]> {
    if !CHECK {
        return None;
    }
    #[cfg(not(gdvar_plain))]
    if let (end, 0) = fast::strings(bytes, at, count, None, &mut ()) {
        return bytes.get(end..);
    }
    // One by one; what is not in order is for the careful step.
    #[cfg(gdvar_plain)]
    {
        let mut at = at;
        for _ in 0..count {
            let len = u32::from_le_bytes(*bytes.get(at..)?.first_chunk()?);
            let end = plain::text_end(bytes, at + 4, len)?;
            if !utf8::is_any_text(bytes, at + 4, len as usize) {
                return None;
            }
            at = end;
        }
        return bytes.get(at..);
    }
    #[cfg(not(gdvar_plain))]
    None
}

/// The largest value that is tried as a small one.
const SMALL: usize = 1024;

/// The most containers of a small value that may be put aside.
const FEW: usize = 8;

/// The containers of a small value.
struct Few {
    outer: [(Pending, u16); FEW],
    count: usize,
}

impl Stack for Few {
    #[inline(always)]
    fn enter(&mut self, outer: Pending, depth: u16) -> bool {
        match self.outer.get_mut(self.count) {
            Some(place) => {
                *place = (outer, depth);
                self.count += 1;
                true
            }
            None => false,
        }
    }

    #[inline(always)]
    fn leave(&mut self) -> Option<(Pending, u16)> {
        let last = self.count.checked_sub(1)?;
        self.count = last;
        self.outer.get(last).copied()
    }
}

/// The end of the value that `bytes`, which are few, begin with, if it is plain and in order: what
/// most packets are. A walk's preparations would cost as much as the packet itself.
#[inline]
pub(crate) fn small(bytes: &[u8], dialect: Dialect, max_depth: u16) -> Option<usize> {
    if bytes.len() > SMALL {
        return None;
    }
    let none = Pending {
        left: 0,
        is_dict: false,
    };
    let mut stack = Few {
        outer: [(none, 0); FEW],
        count: 0,
    };
    let start = Place {
        at: 0,
        now: Pending { left: 1, ..none },
        depth: 0,
    };
    let end = advance::<true, ()>(bytes, start, dialect, max_depth, &mut stack, None, &mut ());
    (end.now.left == 0 && stack.count == 0).then_some(end.at)
}
