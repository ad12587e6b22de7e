//! Explains damage by damaged children: a single one, several elements of an array, or a leaf of another length.

use gdvar_view::ErrorKind;

use super::{
    before::proved,
    cut::{Cut, Resume},
    level::{Lead, Level, Members},
    search::Search,
    walk::{Spot, Walk, Walked, is_blank},
};

/// Explains the damage by one damaged child. All other children of all containers must be present.
pub(super) fn one_child(search: &mut Search<'_>, spot: &Spot) -> Option<Cut> {
    let levels = &spot.levels;
    let level = levels.last()?;
    // Damage to the first key can be recognised only if the key is text.
    let has_key = level.done > 0 || level.lead == Some(Lead::Text);
    if level.members == Members::Elements && level.is_mixed()
        || level.members == Members::Pairs && !has_key
    {
        return None;
    }
    let own = single(
        search,
        levels,
        level.done,
        level.start,
        level.value_at.filter(|_| !spot.is_odd),
    );
    // The damage may lie in the previous child, which then only appears to end here.
    let is_sure = proved(search, spot) == level.done;
    let before = match level.done.checked_sub(1) {
        Some(done) if !is_sure && !is_blank(search.bytes, level.start) => {
            let value = search.key(level, level.before, levels.len());
            value.and_then(|value| single(search, levels, done, level.before, Some(value)))
        }
        _ => None,
    };
    let (kept, end, at) = match (own, before) {
        // If both explanations end at the same offset, either will do.
        (Some(own), Some(before)) if own == before => (level.done - 1, level.before, own),
        (Some(own), None) if is_sure || level.done == 0 => (level.done, level.start, own),
        // The damage may lie inside the previous child.
        (Some(own), None) => (level.done - 1, level.before, own),
        (None, Some(before)) => (level.done - 1, level.before, before),
        _ => return None,
    };
    let tail = level.count.checked_sub(level.done + 1)? + usize::from(own.is_none());
    Some(Cut {
        levels: levels.clone(),
        kept,
        end,
        resume: Some(Resume {
            level: levels.len() - 1,
            at,
            tail,
        }),
        is_leaf: false,
    })
}

/// Tests whether damage to a single child explains the error: child number `nth` of the innermost container. The
/// child begins at `start`. `value_at` is the start of its value, or `None` if its key may be damaged. Returns the
/// end of this child, if all bytes after it can be read as the remaining children. Returns `None` if no such end is
/// found, or if these children also fit from an earlier offset.
fn single(
    search: &mut Search<'_>,
    levels: &[Level],
    nth: usize,
    start: usize,
    value_at: Option<usize>,
) -> Option<usize> {
    let level = levels.last()?;
    let depth = levels.len();
    let left = level.count.checked_sub(nth + 1)?;
    // Find the container of the child that follows.
    let next = match left {
        0 => levels[..depth - 1]
            .iter()
            .rposition(|outer| outer.left() > 0),
        _ => Some(depth - 1),
    };
    let len = search.bytes.len();
    let first = value_at.unwrap_or(start) + 4;
    let mut from = first;
    loop {
        let at = match next {
            Some(n) => search.next(&levels[n], from)?,
            None => len,
        };
        if search.is_one_child(level, (start, at), value_at, depth)
            && search.is_the_rest(levels, left, at)
        {
            // If the rest also fits from an earlier offset, neither offset is proved: one wrong word does not
            // explain the earlier one, so more than a word is damaged.
            return match next {
                Some(n) if fits_earlier(search, levels, (n, left), (first, at)) => None,
                _ => Some(at),
            };
        }
        if next.is_none() || !search.spend(0) {
            return None;
        }
        from = at + 1;
    }
}

/// Returns `true` if the remaining children also fit from another offset between `from` and `until`. `left`
/// children follow there, and then everything reads to the end. `next` is the index of their container.
fn fits_earlier(
    search: &mut Search<'_>,
    levels: &[Level],
    (next, left): (usize, usize),
    (mut from, until): (usize, usize),
) -> bool {
    while let Some(at) = search.next(&levels[next], from).filter(|at| *at < until) {
        if search.is_the_rest(levels, left, at) {
            return true;
        }
        from = at + 1;
    }
    false
}

/// Explains the damage by several damaged children of an array, or of a dictionary without text keys. Keeps what
/// follows them.
pub(super) fn several_children(search: &mut Search<'_>, spot: &Spot) -> Option<Cut> {
    let levels = &spot.levels;
    let damage = levels.last()?.start;
    for n in (0..levels.len()).rev() {
        let level = &levels[n];
        let has_text = level.members != Members::Elements && level.lead == Some(Lead::Text);
        if !level.is_alike() || level.members == Members::Properties || has_text {
            continue;
        }
        let is_innermost = n + 1 == levels.len();
        // The current element is among the damaged ones.
        let most = if is_innermost {
            level.count - level.done
        } else {
            level.left()
        };
        if let Some((at, tail)) = elements(search, &levels[..=n], damage + 4, most) {
            return Some(
                Cut {
                    levels: levels.clone(),
                    kept: proved(search, spot),
                    end: 0,
                    resume: Some(Resume { level: n, at, tail }),
                    is_leaf: false,
                }
                .at_the_end_of_what_is_kept(),
            );
        }
    }
    None
}

/// Finds the elements of the last of `levels` that follow the damage, from the offset `from` on. Returns the
/// offset of the first and their number. `None` if there is no offset from which everything reads to the end.
fn elements(
    search: &mut Search<'_>,
    levels: &[Level],
    from: usize,
    most: usize,
) -> Option<(usize, usize)> {
    let (level, outer) = levels.split_last()?;
    let depth = levels.len();
    let mut from = from;
    loop {
        let start = search.next(level, from)?;
        let (mut at, mut count) = (start, 0);
        while count < most {
            let Some(end) = search.child(level, at, depth) else {
                break;
            };
            (at, count) = (end, count + 1);
        }
        let left = outer.last().map_or(0, Level::left);
        if count > 0 && search.is_the_rest(outer, left, at) {
            return Some((start, count));
        }
        if !search.spend(0) {
            return None;
        }
        // A later start within the same run of elements would lead to the same end.
        from = if count > 1 && count < most {
            at
        } else {
            start + 1
        };
    }
}

/// Explains the damage by one leaf that is `change` bytes too long (negative: too short). The leaf's own length
/// and the bytes after it must agree on its end.
pub(super) fn resized_leaf(search: &mut Search<'_>, walked: &Walked, change: isize) -> Option<Cut> {
    let bytes = search.bytes;
    let unread = walked.spots.last().and_then(|spot| {
        let start = spot.levels.last()?.value_at?;
        match walked.error?.kind() {
            ErrorKind::Truncated { missing } => Some((start, bytes.len() + missing as usize)),
            _ => None,
        }
    });
    unread
        .into_iter()
        .chain(walked.leaves.iter().rev().copied())
        .find_map(|(start, end)| {
            let at = end.checked_add_signed(change)?;
            if at < start + 8 || at > bytes.len() {
                return None;
            }
            let found = Walk::until(bytes, search.options, &search.alike, start);
            let levels = found.spots.into_iter().last()?.levels;
            let level = levels.last()?;
            let left = level.left();
            if level.value_at != Some(start) || !search.is_the_rest(&levels, left, at) {
                return None;
            }
            Some(Cut {
                kept: level.done,
                end: level.start,
                resume: Some(Resume {
                    level: levels.len() - 1,
                    at,
                    tail: left,
                }),
                is_leaf: true,
                levels,
            })
        })
}
