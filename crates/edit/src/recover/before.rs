//! Decides how much of the bytes before the damage is kept.

use super::{
    cut::Cut,
    level::{Lead, Level, Members},
    list::before_in_list,
    search::Search,
    walk::{Spot, is_blank},
};

/// Keeps what lies before `spot`. If bytes were removed or added (`is_moved`), a dictionary of a
/// known sort (`alike.rs`) is left out completely: two dictionaries may have been joined into it,
/// long before the damage was noticed.
pub(super) fn before(search: &mut Search<'_>, spot: &Spot, is_moved: bool) -> Cut {
    // A search that used up its work must not make what lies before the damage doubtful.
    search.renew();
    if is_moved {
        if let Some(cut) = before_in_list(search, spot) {
            return cut;
        }
        let likes = spot.levels.iter().position(|level| search.has_likes(level));
        if let Some(outer) = likes.and_then(|n| n.checked_sub(1)) {
            return Cut::before(&spot.levels[..=outer], spot.levels[outer].done);
        }
    }
    let whole = Cut::before(&spot.levels, proved(search, spot));
    let Some(level) = spot.levels.last() else {
        return whole;
    };
    // A container whose count is too large may have taken children of the containers around it.
    let overfull = spot
        .levels
        .iter()
        .position(|level| level.is_overfull && !level.is_row());
    if let Some(outer) = overfull.and_then(|n| n.checked_sub(1)) {
        return Cut::before(&spot.levels[..=outer], spot.levels[outer].done);
    }
    // A few elements without names do not prove that their number is right.
    if level.is_overfull && !has_names(level) && !level.is_row() {
        return Cut::before(&spot.levels, 0);
    }
    // The child is readable but in the wrong place: a container before it may have too many or too few
    // children. Zeros in its first words are the damage itself, as of a block that was not written.
    let is_zeroed = |n| is_blank(search.bytes, level.start + n);
    let is_moved = spot.is_odd && !(0..=8).step_by(4).any(is_zeroed);
    if !is_moved {
        return whole;
    }
    for (n, level) in spot.levels.iter().enumerate() {
        let is_innermost = n + 1 == spot.levels.len();
        let (kept, end) = match level.is_row() {
            true if is_innermost => flat_elements(search, level, n + 1, level.start),
            true => continue,
            false => proved_children(search, level, n + 1, level.start),
        };
        if end < level.start {
            return Cut {
                levels: spot.levels[..=n].to_vec(),
                kept,
                end,
                ..whole
            };
        }
    }
    whole
}

/// Returns how many children of the innermost container are certain without looking at the bytes after them.
pub(super) fn proved(search: &Search<'_>, spot: &Spot) -> usize {
    let Some(level) = spot.levels.last() else {
        return 0;
    };
    let done = level.done;
    match level.members {
        // A readable key after a value proves that the value ends there.
        // But a single key that is not text may be noise.
        Members::Pairs if level.lead != Some(Lead::Text) && !level.is_alike() => 0,
        Members::Pairs | Members::Properties if level.value_at.is_some() && !spot.is_odd => done,
        Members::Pairs | Members::Properties => done.saturating_sub(1),
        Members::Elements if level.is_mixed() || level.lead == Some(Lead::NULL) => 0,
        Members::Elements => {
            match is_own_head(search, level, spot) || has_fixed_size(search, level) {
                true => done,
                false => done.saturating_sub(1),
            }
        }
    }
}

/// Returns `true` if the keys or names of a container's children are text. Noise rarely is.
fn has_names(level: &Level) -> bool {
    match level.members {
        Members::Elements => false,
        Members::Pairs => level.lead == Some(Lead::Text),
        Members::Properties => true,
    }
}

/// Returns `true` if the element at `spot` begins like those before it. Then only its inside is damaged.
fn is_own_head(search: &Search<'_>, level: &Level, spot: &Spot) -> bool {
    let lead = Lead::of(search.bytes, level.start, search.options);
    !spot.is_odd && lead.is_some() && lead == level.lead
}

/// Returns `true` if all elements of a container have the same fixed size.
fn has_fixed_size(search: &Search<'_>, level: &Level) -> bool {
    let Some(header) = search
        .bytes
        .get(level.before..)
        .and_then(|rest| rest.first_chunk())
    else {
        return false;
    };
    let header = gdvar_view::HeaderWord(u32::from_le_bytes(*header));
    let dialect = search.options.dialect();
    let wide = dialect.is_wide(header);
    level.is_alike() && dialect.fixed_payload(header.type_id(), wide).is_some()
}

/// Returns the number and the end of the leading elements that contain only leaves. An element with deeper
/// containers may have taken a part of the next one.
pub(super) fn flat_elements(
    search: &mut Search<'_>,
    level: &Level,
    depth: usize,
    until: usize,
) -> (usize, usize) {
    let (mut kept, mut at) = (0, level.count_at + 4);
    while at < until && search.is_flat(at, depth) {
        let Some(end) = search.value(at, depth).filter(|end| *end <= until) else {
            break;
        };
        (kept, at) = (kept + 1, end);
    }
    (kept, at)
}

/// Returns the number and the end of the leading children that certainly belong to `level`, even if counts
/// inside it are wrong.
pub(super) fn proved_children(
    search: &mut Search<'_>,
    level: &Level,
    depth: usize,
    until: usize,
) -> (usize, usize) {
    let (mut kept, mut at) = (0, level.count_at + 4);
    if level.members == Members::Pairs && !has_names(level) && !level.is_alike() {
        return (kept, at);
    }
    while at < until {
        let Some(value) = search.key(level, at, depth) else {
            break;
        };
        if !search.is_proof_of_count(level, value, depth) {
            break;
        }
        let Some(end) = search.value(value, depth).filter(|end| *end <= until) else {
            break;
        };
        (kept, at) = (kept + 1, end);
    }
    (kept, at)
}
