//! Small values: the fast loop with a stack of a few words, and no walk.
//!
//! A [`Walk`](super::steps::Walk) has space for a thousand open containers. Preparing a walk takes longer than
//! reading most packets, and longer than skipping most values.

use crate::{
    bytes::observer::Observer,
    options::ReadOptions,
    walk::{
        checks::Checks,
        fast_loop,
        stack::{OpenContainer, ShortStack},
    },
};

/// Returns the offset after `count` values from `at` on, whose depth is `depth`. `None` unless all of them
/// are common and valid and not nested deep; a walk has to decide then.
#[inline(always)]
pub(crate) fn end<C: Checks, M: Observer>(
    bytes: &[u8],
    at: usize,
    count: u64,
    options: ReadOptions,
    depth: u16,
    checks: &mut C,
    observer: &mut M,
) -> Option<usize> {
    if options.wants_checked_steps() || options.is_strict() != C::STRICT || !options.admits(depth) {
        return None;
    }
    let mut stack = ShortStack::new();
    let start = OpenContainer::side_by_side(count, options, depth);
    let (end, now) = fast_loop::advance(
        bytes, at, start, options, &mut stack, checks, None, observer,
    );
    (!now.has_more(C::STRICT) && stack.is_empty()).then_some(end)
}
