//! The fast loop: one decision for each value, whatever container it is in.
//!
//! The loop takes common values ([`common::decode`]), and nearly all values are common. A value that is not
//! common, or not valid, ends the loop. Then a checked step (`walk/steps.rs`) takes that value or reports its
//! error, and the loop goes on after it. The loop itself never reports an error.
//!
//! ```text
//! now = the innermost open container: how many children are left, and how deep they are
//! loop:
//!     array with many children left → the shortcuts of `fast/` may skip some of them
//!     while children are left:
//!         text                 → ends after its length, if it is UTF-8
//!         int, float           → ends after 8 or 12 bytes
//!         any other fixed size → ends where the dialect's table says
//!         container            → suspend `now`, go on with the container's children
//!         packed array, path   → ends after its elements
//!         anything else        → stop
//!     now = the container suspended last; if there is none, stop
//! ```
//!
//! The tests are in the order of frequency. Text and numbers are recognized by their header alone, without the
//! table: the processor predicts the branch and begins with the next value instead of waiting for a load.
//!
//! What is checked is a parameter ([`Checks`]). Strict mode (`walk/strict.rs`) adds three things:
//!
//! ```text
//! value                  is of the type that its container names; text, floats and wide numbers are canonical
//! key                    is remembered
//! end of a dictionary    no key was remembered twice
//! ```

use gdvar_wire::Kind;

use crate::{
    bytes::{
        common::{self, Common, Rest, Words},
        observer::Observer,
        utf8,
    },
    fast,
    options::{ReadOptions, SHORTCUTS},
    walk::{
        checks::Checks,
        stack::{OpenContainer, Stack},
    },
};

pub(crate) use crate::fast::Backoff;

/// Advances over the children that are left in `now`, and over everything in them. The next child is at `at`.
/// Returns the offset and the container where the loop stopped.
///
/// Entering a container's last child does not suspend the container: nothing of it remains, so a chain of
/// single-child containers uses no stack. An observer with `M::ENDS`, and strict mode, are the exception,
/// because they must see every end.
#[inline(always)]
#[allow(clippy::too_many_arguments, reason = "each is the state of one thing")]
pub(crate) fn advance<C: Checks, M: Observer>(
    bytes: &[u8],
    at: usize,
    now: OpenContainer,
    options: ReadOptions,
    stack: &mut impl Stack,
    checks: &mut C,
    mut backoff: Option<&mut Backoff>,
    observer: &mut M,
) -> (usize, OpenContainer) {
    let dialect = options.dialect();
    let words = Words::of(dialect);
    let mut now = now;
    let mut rest = bytes.get(at..).unwrap_or_default();
    'containers: loop {
        if let Some(backoff) = backoff.as_mut().filter(|_| SHORTCUTS && !now.is_dict()) {
            let (at, left) = (bytes.len() - rest.len(), now.left());
            if backoff.is_due(at, left) {
                let (at, passed) =
                    fast::advance(bytes, at, left, dialect, C::TEXT, backoff, observer);
                rest = bytes.get(at..).unwrap_or_default();
                now = now.less_by(passed);
            }
        }
        while now.has_more(C::STRICT) {
            let Some((word, second)) = rest.first_chunk().map(common::words) else {
                // The last value of the buffer may be only four bytes long. It is nearly always null then.
                let Some(after) = common::nil(rest).filter(|_| now.admits(Kind::Nil)) else {
                    break 'containers;
                };
                observer.child(bytes.len() - rest.len(), 0);
                rest = after;
                now = now.less();
                continue;
            };
            let at = bytes.len() - rest.len();
            if C::STRICT && now.is_typed() && !now.admits(dialect.plain(word).kind) {
                break 'containers;
            }
            let fixed = |size: usize| {
                let after = rest.get(size..)?;
                let is_good = checks.admits_fixed(rest, (word, second), options);
                is_good.then_some(after)
            };
            let after = if words.is_text(word) {
                checks.text(rest, second)
            } else if word == common::INT || word == common::FLOAT {
                fixed(8)
            } else if word == common::WIDE_INT || word == common::WIDE_FLOAT {
                fixed(12)
            } else if let Some(size) = common::fixed(word, dialect) {
                fixed(size)
            } else {
                let value = if word == words.dict || word == words.array {
                    let Some(inside) = common::children(rest, 8, second, word == words.dict) else {
                        break 'containers;
                    };
                    Common {
                        kind: Kind::Array,
                        wide: false,
                        size: 8,
                        rest: Rest::Children(inside),
                    }
                } else {
                    let Some(common) = common::decode(rest, dialect) else {
                        break 'containers;
                    };
                    common
                };
                let size = value.size;
                match value.rest {
                    Rest::Children(inside) if inside.left > 0 => {
                        let outer = now.less();
                        let keep = outer.has_more(C::STRICT) || M::ENDS || C::STRICT;
                        let Some(mut inner) = now.inside(inside, options) else {
                            break 'containers;
                        };
                        if C::STRICT && !checks.types(&mut inner, rest, size, options) {
                            break 'containers;
                        }
                        // If the stack is full, stop before this value is reported. The caller takes it by a
                        // checked step or a walk.
                        if keep && !stack.suspend(outer) {
                            break 'containers;
                        }
                        if C::STRICT && now.is_before_key() {
                            checks.key(bytes, rest, now.depth(), options);
                        }
                        if C::STRICT && inside.is_dict {
                            checks.begin(at);
                        }
                        observer.child(at, 0);
                        observer.open(inside.left);
                        now = inner;
                        rest = rest.get(size..).unwrap_or_default();
                        continue 'containers;
                    }
                    Rest::Children(_) if size == 8 => rest.get(8..),
                    _ if C::STRICT => checks.rare(rest, value, options),
                    Rest::Fields(count) => {
                        let rest = rest.get(size..).unwrap_or_default();
                        strings(bytes, rest, count, C::TEXT)
                    }
                    _ => rest.get(size..),
                }
            };
            let Some(after) = after else {
                break 'containers;
            };
            if C::STRICT && now.is_before_key() {
                checks.key(bytes, rest, now.depth(), options);
            }
            observer.child(at, second);
            rest = after;
            now = now.less();
        }
        let Some(outer) = stack.resume(C::STRICT) else {
            break;
        };
        if C::STRICT && now.is_dict() && !checks.end() {
            // A checked step compares all keys, and leaves this container.
            stack.suspend(outer);
            break;
        }
        observer.close();
        now = outer;
    }
    (bytes.len() - rest.len(), now)
}

/// Returns the bytes after `count` string fields at the start of `rest`, the tail of `bytes`. `None` unless
/// all are there and, with `check`, their text is valid.
#[inline(never)]
fn strings<'a>(bytes: &'a [u8], rest: &'a [u8], count: u32, check: bool) -> Option<&'a [u8]> {
    // Many strings are validated together. The few of a NodePath are faster one by one.
    if check && SHORTCUTS && count >= fast::MIN_CHILDREN {
        let at = bytes.len() - rest.len();
        let (end, left) = fast::strings(bytes, at, count, None, &mut ());
        return bytes.get(end..).filter(|_| left == 0);
    }
    // Otherwise one by one. If a field is not valid, a checked step reports it.
    let mut rest = rest;
    for _ in 0..count {
        let (len, text) = rest.split_first_chunk()?;
        let len = u32::from_le_bytes(*len);
        let after = text.get(common::text_end(text, 0, len)?..)?;
        if check && !utf8::is_text(text, len as usize) {
            return None;
        }
        rest = after;
    }
    Some(rest)
}

#[cfg(all(test, feature = "alloc"))]
mod tests;
