//! The loop over plain values in engine mode: one decision for each value, whatever comes.
//!
//! A value is plain if its header alone says how it goes on ([`plain::look`]). A valid save consists of
//! little else. A value that is not plain, or not in order, ends the loop: the careful step
//! (`walk/steps.rs`) takes it, or reports what is wrong with it, and the loop goes on behind it.
//!
//! ```text
//! now = the innermost open container: how many children are to come, and how deep they stand
//! loop:
//!     if many children are to come          → the shortcuts of `fast/` may pass some of them
//!     while children are to come:
//!         text                 → ends after its length, if it is UTF-8
//!         int, float           → ends after 8 or 12 bytes
//!         any other fixed size → ends where the dialect's table says
//!         container            → put `now` aside, go on with its children
//!         packed array, path   → ends after its elements
//!         anything else        → stop
//!     now = the container put aside last, or stop
//! ```
//!
//! The order of the questions is that of frequency. Text and numbers do not wait for the table: the processor
//! guesses the branch and begins with the next value. The loop without the shortcuts takes 0.75 to
//! 0.9 of the time of the table-driven floor on every case of the matrix, in a small program with the
//! workloads of `cargo run --release --manifest-path benches/Cargo.toml -- --only matrix`.

use crate::{
    bytes::{
        marks::Marks,
        plain::{self, Rest, Words},
        text, utf8,
    },
    fast,
    options::{ReadOptions, SHORTCUTS},
    walk::stack::Frame,
};

pub(crate) use crate::fast::Learned;

#[cfg(all(test, feature = "alloc"))]
mod tests;

/// The containers around the innermost one: one is put aside when its child is entered.
pub(crate) trait Stack {
    /// Puts the container aside whose child is entered. `false` if there is no room for it.
    fn put(&mut self, outer: Frame) -> bool;

    /// The container put aside last, if this walk may go on with it.
    fn back(&mut self) -> Option<Frame>;
}

/// Advances over children of the innermost container `now`, the next of which stands at `at`, and of those
/// among them. Returns where it stopped. With `CHECK` text is validated.
///
/// A container whose last child is entered is not put aside, as nothing of it is to come: what
/// nests a single child a thousand times costs no more than what nests it once. Only `M`, if it is
/// told of ends, has to be told of all.
#[inline(always)]
pub(crate) fn advance<const CHECK: bool, M: Marks>(
    bytes: &[u8],
    at: usize,
    now: Frame,
    options: ReadOptions,
    stack: &mut impl Stack,
    mut learned: Option<&mut Learned>,
    marks: &mut M,
) -> (usize, Frame) {
    let dialect = options.dialect();
    let words = Words::of(dialect);
    let mut now = now;
    let mut rest = bytes.get(at..).unwrap_or_default();
    'containers: loop {
        let known = learned
            .as_mut()
            .filter(|known| SHORTCUTS && now.left() >= known.gate());
        if let Some(learned) = known {
            let (pending, depth) = (now.pending(), now.plain_depth());
            let left;
            (rest, left) =
                fast::advance::<CHECK>(bytes, rest, pending, options, depth, learned, marks);
            now = now.with_left(left);
        }
        while now.has_more() {
            let Some((word, second)) = rest.first_chunk().map(plain::words) else {
                // The last value may have four bytes: nearly always null.
                let Some(behind) = plain::nil(rest) else {
                    break 'containers;
                };
                marks.child(bytes.len() - rest.len());
                rest = behind;
                now = now.less();
                continue;
            };
            let behind = if words.is_text(word) {
                text::behind::<CHECK>(rest, second)
            } else if word == plain::INT || word == plain::FLOAT {
                rest.get(8..)
            } else if word == plain::WIDE_INT || word == plain::WIDE_FLOAT {
                rest.get(12..)
            } else if let Some(size) = plain::fixed(word, dialect) {
                rest.get(size..)
            } else {
                let (size, what) = if word == words.dict || word == words.array {
                    let Some(inside) = plain::children(rest, 8, second, word == words.dict) else {
                        break 'containers;
                    };
                    (8, Rest::Children(inside))
                } else {
                    let Some(plain) = plain::look(rest, dialect) else {
                        break 'containers;
                    };
                    (plain.size, plain.rest)
                };
                match what {
                    Rest::Children(inside) if inside.left > 0 => {
                        let outer = now.less();
                        let keep = outer.has_more() || M::ENDS;
                        let Some(inner) = now.inside(inside, options) else {
                            break 'containers;
                        };
                        if keep && !stack.put(outer) {
                            break 'containers;
                        }
                        marks.child(bytes.len() - rest.len());
                        marks.open();
                        now = inner;
                        rest = rest.get(size..).unwrap_or_default();
                        continue 'containers;
                    }
                    Rest::Fields(count) => {
                        let at = bytes.len() - rest.len() + size;
                        fields::<CHECK>(bytes, at, count)
                    }
                    _ => rest.get(size..),
                }
            };
            let Some(behind) = behind else {
                break 'containers;
            };
            marks.child(bytes.len() - rest.len());
            rest = behind;
            now = now.less();
        }
        let Some(outer) = stack.back() else {
            break;
        };
        marks.close(bytes.len() - rest.len());
        now = outer;
    }
    (bytes.len() - rest.len(), now)
}

/// The bytes behind `count` string fields at `at`, if they are in order. With `CHECK` their text is looked at.
#[inline(never)]
fn fields<const CHECK: bool>(bytes: &[u8], at: usize, count: u32) -> Option<&[u8]> {
    // A NodePath has few, which are passed faster one by one.
    if CHECK && SHORTCUTS && count >= fast::MANY {
        let (end, left) = fast::strings(bytes, at, count, None, &mut ());
        return bytes.get(end..).filter(|_| left == 0);
    }
    // One by one; a field that is not in order is for the careful step.
    let mut at = at;
    for _ in 0..count {
        let len = u32::from_le_bytes(*bytes.get(at..)?.first_chunk()?);
        let end = plain::text_end(bytes, at + 4, len)?;
        if CHECK && !utf8::is_text(bytes, at + 4, len as usize) {
            return None;
        }
        at = end;
    }
    bytes.get(at..)
}

/// The largest value that is tried as a small one.
const SMALL: usize = 1024;

/// The most containers of a small value that may be put aside.
const FEW: usize = 8;

/// The containers of a small value.
struct Few {
    outer: [Frame; FEW],
    count: usize,
}

impl Stack for Few {
    #[inline(always)]
    fn put(&mut self, outer: Frame) -> bool {
        match self.outer.get_mut(self.count) {
            Some(place) => {
                *place = outer;
                self.count += 1;
                true
            }
            None => false,
        }
    }

    #[inline(always)]
    fn back(&mut self) -> Option<Frame> {
        let last = self.count.checked_sub(1)?;
        self.count = last;
        self.outer.get(last).copied()
    }
}

/// The end of the value that `bytes`, which are few, begin with, if it is plain and in order: what
/// most packets are. A walk's preparations would cost as much as the packet itself.
#[inline]
pub(crate) fn small(bytes: &[u8], options: ReadOptions) -> Option<usize> {
    if bytes.len() > SMALL {
        return None;
    }
    flat::<true>(bytes, 0, 1, options, 0)
}

/// The end of so many values from `at` on, which stand at that depth, if they are plain, in order, and not nested
/// deep.
#[inline]
pub(crate) fn flat<const CHECK: bool>(
    bytes: &[u8],
    at: usize,
    count: u64,
    options: ReadOptions,
    depth: u16,
) -> Option<usize> {
    if options.is_special() || !options.admits(depth) {
        return None;
    }
    let mut stack = Few {
        outer: [Frame::DONE; FEW],
        count: 0,
    };
    let start = Frame::side_by_side(count, options, depth);
    let (end, now) = advance::<CHECK, ()>(bytes, at, start, options, &mut stack, None, &mut ());
    (!now.has_more() && stack.count == 0).then_some(end)
}
