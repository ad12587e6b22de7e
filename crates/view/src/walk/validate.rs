//! The loop over plain values: one decision for each value, whatever comes.
//!
//! A value is plain if its header alone says how it goes on ([`plain::look`]). A valid save consists of
//! little else. A value that is not plain, or not valid, ends the loop: the careful step
//! (`walk/steps.rs`) takes it, or reports what is wrong with it, and the loop goes on after it.
//!
//! ```text
//! now = the innermost open container: how many children are to come, and how deep they are
//! loop:
//!     if it is an array with many children to come → the shortcuts of `fast/` may pass some of them
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
//! guesses the branch and begins with the next value.
//!
//! How closely values are looked at is a parameter ([`Checks`]), so that skipping, engine mode and strict mode are
//! compiled from this one loop. What strict mode adds is in `walk/strict.rs`:
//!
//! ```text
//! value   is of the type that its container names; text, floats and wide numbers are canonical
//! key     is noted
//! end     of a dictionary: no key was noted twice
//! ```

use gdvar_wire::Kind;

use crate::{
    bytes::{
        marks::Marks,
        plain::{self, Plain, Rest, Words},
        text, utf8,
    },
    fast,
    options::{ReadOptions, SHORTCUTS},
    walk::{
        stack::Frame,
        strict::{self, Strict},
    },
};

pub(crate) use crate::fast::Looks;

#[cfg(all(test, feature = "alloc"))]
mod tests;

/// How closely values are looked at.
pub(crate) trait Checks {
    /// Text is looked at.
    const TEXT: bool;

    /// The rules of strict mode hold: all that follows is theirs ([`Strict`]).
    const STRICT: bool = false;

    /// The bytes after the String that `value` begins with, if it is valid.
    #[inline(always)]
    fn text<'a>(&self, value: &'a [u8], len: u32) -> Option<&'a [u8]> {
        text::behind(value, len, Self::TEXT)
    }

    /// True if a value of a fixed size may have its payload.
    #[inline(always)]
    fn admits_fixed(&self, _: &[u8], _: (u32, u32), _: ReadOptions) -> bool {
        true
    }

    /// The bytes after a value of a form that is rare, with which `rest` begins, if it is valid.
    #[inline(always)]
    fn rare<'a>(&self, _: &'a [u8], _: Plain, _: ReadOptions) -> Option<&'a [u8]> {
        None
    }

    /// Notes the types that a container, with which `rest` begins, names for its children; the first of them is after
    /// so many bytes. `false` if they are not valid.
    #[inline(always)]
    fn types(&self, _: &mut Frame, _: &[u8], _: usize, _: ReadOptions) -> bool {
        true
    }

    /// Notes the key that `rest`, the end of `bytes`, begins with, and that has that depth.
    #[inline(always)]
    fn key(&mut self, _: &[u8], _: &[u8], _: u16, _: ReadOptions) {}

    /// Notes that a dictionary begins at that offset.
    #[inline(always)]
    fn begin(&mut self, _: usize) {}

    /// Notes that the dictionary begun last ends. `false`, and nothing is noted, if a key of it may be there twice.
    #[inline(always)]
    fn end(&mut self) -> bool {
        true
    }
}

/// Text is not looked at.
pub(crate) struct Skip;

impl Checks for Skip {
    const TEXT: bool = false;
}

/// Validation in engine mode.
pub(crate) struct Engine;

impl Checks for Engine {
    const TEXT: bool = true;
}

/// The containers around the innermost one: one is put aside when its child is entered.
pub(crate) trait Stack {
    /// Puts the container aside whose child is entered. `false` if there is no room for it.
    fn put(&mut self, outer: Frame) -> bool;

    /// The container put aside last, if this walk may go on with it.
    fn back(&mut self, strict: bool) -> Option<Frame>;
}

/// Advances over children of the innermost container `now`, the next of which begins at `at`, and over the children
/// of those among them. Returns where it stopped.
///
/// A container whose last child is entered is not put aside, as nothing of it is to come: what
/// nests a single child a thousand times costs no more than what nests it once. Only who has to be told of ends, `M` or
/// strict mode, has to be told of all.
#[inline(always)]
#[allow(clippy::too_many_arguments, reason = "each is the state of one thing")]
pub(crate) fn advance<C: Checks, M: Marks>(
    bytes: &[u8],
    at: usize,
    now: Frame,
    options: ReadOptions,
    stack: &mut impl Stack,
    checks: &mut C,
    mut looks: Option<&mut Looks>,
    marks: &mut M,
) -> (usize, Frame) {
    let dialect = options.dialect();
    let words = Words::of(dialect);
    let mut now = now;
    let mut rest = bytes.get(at..).unwrap_or_default();
    'containers: loop {
        if let Some(looks) = looks.as_mut().filter(|_| SHORTCUTS && !now.is_dict()) {
            let (at, left) = (bytes.len() - rest.len(), now.left());
            if looks.are_due(at, left) {
                let (at, passed) = fast::advance(bytes, at, left, dialect, C::TEXT, looks, marks);
                rest = bytes.get(at..).unwrap_or_default();
                now = now.less_by(passed);
            }
        }
        while now.has_more(C::STRICT) {
            let Some((word, second)) = rest.first_chunk().map(plain::words) else {
                // The last value may have four bytes: nearly always null.
                let Some(behind) = plain::nil(rest).filter(|_| now.admits(Kind::Nil)) else {
                    break 'containers;
                };
                marks.child(bytes.len() - rest.len());
                rest = behind;
                now = now.less();
                continue;
            };
            let at = bytes.len() - rest.len();
            if C::STRICT && now.is_typed() && !now.admits(dialect.plain(word).kind) {
                break 'containers;
            }
            let fixed = |size: usize| {
                let behind = rest.get(size..)?;
                let is_good = checks.admits_fixed(rest, (word, second), options);
                is_good.then_some(behind)
            };
            let behind = if words.is_text(word) {
                checks.text(rest, second)
            } else if word == plain::INT || word == plain::FLOAT {
                fixed(8)
            } else if word == plain::WIDE_INT || word == plain::WIDE_FLOAT {
                fixed(12)
            } else if let Some(size) = plain::fixed(word, dialect) {
                fixed(size)
            } else {
                let plain = if word == words.dict || word == words.array {
                    let Some(inside) = plain::children(rest, 8, second, word == words.dict) else {
                        break 'containers;
                    };
                    Plain {
                        kind: Kind::Array,
                        wide: false,
                        size: 8,
                        rest: Rest::Children(inside),
                    }
                } else {
                    let Some(plain) = plain::look(rest, dialect) else {
                        break 'containers;
                    };
                    plain
                };
                let size = plain.size;
                match plain.rest {
                    Rest::Children(inside) if inside.left > 0 => {
                        let outer = now.less();
                        let keep = outer.has_more(C::STRICT) || M::ENDS || C::STRICT;
                        let Some(mut inner) = now.inside(inside, options) else {
                            break 'containers;
                        };
                        if C::STRICT && !checks.types(&mut inner, rest, size, options) {
                            break 'containers;
                        }
                        if keep && !stack.put(outer) {
                            break 'containers;
                        }
                        if C::STRICT && now.is_before_key() {
                            checks.key(bytes, rest, now.depth(), options);
                        }
                        if C::STRICT && inside.is_dict {
                            checks.begin(at);
                        }
                        marks.child(at);
                        marks.open();
                        now = inner;
                        rest = rest.get(size..).unwrap_or_default();
                        continue 'containers;
                    }
                    Rest::Children(_) if size == 8 => rest.get(8..),
                    _ if C::STRICT => checks.rare(rest, plain, options),
                    Rest::Fields(count) => {
                        let rest = rest.get(size..).unwrap_or_default();
                        fields(bytes, rest, count, C::TEXT)
                    }
                    _ => rest.get(size..),
                }
            };
            let Some(behind) = behind else {
                break 'containers;
            };
            if C::STRICT && now.is_before_key() {
                checks.key(bytes, rest, now.depth(), options);
            }
            marks.child(at);
            rest = behind;
            now = now.less();
        }
        let Some(outer) = stack.back(C::STRICT) else {
            break;
        };
        if C::STRICT && now.is_dict() && !checks.end() {
            // The careful step looks at all keys, and leaves this container.
            stack.put(outer);
            break;
        }
        marks.close(bytes.len() - rest.len());
        now = outer;
    }
    (bytes.len() - rest.len(), now)
}

/// The bytes after the `count` string fields that `rest`, the end of `bytes`, begins with, if they are valid. With
/// `check` their text is looked at.
#[inline(never)]
fn fields<'a>(bytes: &'a [u8], rest: &'a [u8], count: u32, check: bool) -> Option<&'a [u8]> {
    // A NodePath has few, which are passed faster one by one.
    if check && SHORTCUTS && count >= fast::MANY {
        let at = bytes.len() - rest.len();
        let (end, left) = fast::strings(bytes, at, count, None, &mut ());
        return bytes.get(end..).filter(|_| left == 0);
    }
    // One by one; a field that is not valid is for the careful step.
    let mut rest = rest;
    for _ in 0..count {
        let (len, text) = rest.split_first_chunk()?;
        let len = u32::from_le_bytes(*len);
        let behind = text.get(plain::text_end(text, 0, len)?..)?;
        if check && !utf8::is_text(text, len as usize) {
            return None;
        }
        rest = behind;
    }
    Some(rest)
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
    fn back(&mut self, _: bool) -> Option<Frame> {
        let last = self.count.checked_sub(1)?;
        self.count = last;
        self.outer.get(last).copied()
    }
}

/// The end of the value that `bytes`, which are few, begin with, if it is plain and valid: what
/// most packets are. A walk's preparations would cost as much as the packet itself.
#[inline]
pub(crate) fn small(bytes: &[u8], options: ReadOptions) -> Option<usize> {
    if bytes.len() > SMALL {
        return None;
    }
    if options.is_strict() {
        return small_strict(bytes, options);
    }
    flat(bytes, 0, 1, options, 0, &mut Engine, &mut ())
}

/// [`small`] in strict mode, where the value takes all of the bytes.
#[inline(never)]
fn small_strict(bytes: &[u8], options: ReadOptions) -> Option<usize> {
    let mut keys = strict::KeyLog::default();
    let end = flat(
        bytes,
        0,
        1,
        options,
        0,
        &mut Strict { keys: &mut keys },
        &mut (),
    )?;
    (end == bytes.len()).then_some(end)
}

/// The end of so many values from `at` on, whose depth is `depth`, if they are plain, valid, and not nested
/// deep.
#[inline(always)]
pub(crate) fn flat<C: Checks, M: Marks>(
    bytes: &[u8],
    at: usize,
    count: u64,
    options: ReadOptions,
    depth: u16,
    checks: &mut C,
    marks: &mut M,
) -> Option<usize> {
    if options.wants_careful_steps() || options.is_strict() != C::STRICT || !options.admits(depth) {
        return None;
    }
    let mut stack = Few {
        outer: [Frame::DONE; FEW],
        count: 0,
    };
    let start = Frame::side_by_side(count, options, depth);
    let (end, now) = advance(bytes, at, start, options, &mut stack, checks, None, marks);
    (!now.has_more(C::STRICT) && stack.count == 0).then_some(end)
}
