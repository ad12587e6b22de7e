//! What of a damaged value can be proved, from the best proof to the least.
//!
//! ```text
//! 1. the head of the outermost value, or a count that is more than the bytes can hold, is the one wrong word
//! 2. a container has the wrong number of children: from its end on everything reads to the very end
//! 3. one child is damaged: one wrong word explains its bytes, and the rest reads to the very end
//! 4. several elements of an array are damaged: from the next one like the others everything reads to the end
//! 5. what lies before the damage
//! ```
//!
//! "Reads to the very end" means: as many children as every container around it still has, and then the last
//! byte of the value.

use gdvar_view::{Document, Kind, ReadOptions};

use super::{
    Recovered,
    cut::{Cut, Resume},
    level::{Lead, Level, Members, SHARED, is_name},
    search::Search,
    splice,
    walk::{Spot, Walk, Walked, is_blank},
};
use crate::{ReadError, plan::word};

/// Finds what is left of the value of `document`, which ends with the first `error`. With `is_cut` bytes are missing at
/// the end, and likely nothing else is wrong.
pub(super) fn rescue(document: Document<'_>, error: ReadError, is_cut: bool) -> Recovered<'_> {
    let (bytes, options) = (document.bytes(), document.options());
    let walked = Walk::run(bytes, options);
    let mut search = Search::new(bytes, options);
    let Some(last) = walked.spots.last().filter(|_| walked.error.is_some()) else {
        // Strict mode minds something about the value as a whole.
        return Recovered::nothing(error);
    };
    if last.levels.is_empty() {
        let mended = head(&mut search).filter(|_| !is_cut);
        return mended.unwrap_or_else(|| Recovered::nothing(error));
    }
    let error = walked.error.unwrap_or(error);
    let is_cut = is_cut || ends_in_text(last, bytes, options);
    if is_cut && walked.spots.len() == 1 && !is_all_but_the_last(last, bytes) {
        let done = last.levels.last().map_or(0, |level| level.done);
        return Cut::before(&last.levels, done).recovered(bytes, options, error);
    }
    match explained(&mut search, &walked, error) {
        Some(found) => found,
        None => before(&mut search, &walked.spots[0]).recovered(bytes, options, error),
    }
}

/// What is left of a value that is valid, of a record with another length: it may be that bytes of it are missing. `None` if
/// nothing in it is odd.
pub(super) fn doubted(document: Document<'_>) -> Option<Recovered<'_>> {
    let (bytes, options) = (document.bytes(), document.options());
    let walked = Walk::run(bytes, options);
    let first = walked.spots.first().filter(|_| walked.error.is_none())?;
    let mut search = Search::new(bytes, options);
    let error = super::truncated(first.levels.last()?.start);
    Some(before(&mut search, first).recovered(bytes, options, error))
}

/// Returns `true` if a text begins in the bytes that is longer than they are, and all that is there of it is text.
fn ends_in_text(spot: &Spot, bytes: &[u8], options: ReadOptions) -> bool {
    let value = spot.levels.last().and_then(|level| level.value_at);
    let Some(at) = value.filter(|at| Lead::of(bytes, *at, options) == Some(Lead::Text)) else {
        return false;
    };
    let text = bytes.get(at + 8..).unwrap_or_default();
    let is_longer = word(bytes, at + 4) as usize > text.len();
    // The end of the bytes may be inside a character.
    is_longer && (0..3).any(|cut| text.len() > cut && is_name(&text[..text.len() - cut]))
}

/// Returns `true` if only the outermost container lacks children, and the bytes end between two of them: then it may as
/// well be a container inside it that took them.
fn is_all_but_the_last(spot: &Spot, bytes: &[u8]) -> bool {
    spot.levels.len() == 1 && spot.levels[0].start == bytes.len()
}

/// What is left if one of the explanations holds at one of the spots.
pub(super) fn explained<'a>(
    search: &mut Search<'a>,
    walked: &Walked,
    error: ReadError,
) -> Option<Recovered<'a>> {
    let (bytes, options) = (search.bytes, search.options);
    // What follows a key that is none, or zeros that are read as null, is no better than they are. Elements that are
    // unlike others are common in whole arrays.
    let first_wrong = walked.spots.iter().position(|spot| {
        let level = spot.levels.last();
        let is_wrong =
            |level: &Level| level.members != Members::Elements || is_blank(bytes, level.start);
        !spot.is_odd || level.is_some_and(is_wrong)
    });
    let spots = first_wrong.map_or(walked.spots.len(), |wrong| wrong + 1);
    walked.spots[..spots].iter().find_map(|spot| {
        if let Some(splices) = overfull(search, spot) {
            let found = Recovered::mended(bytes, splices, error, &spot.levels, options);
            return Some(found).filter(|found| has_no_repeats(found, options));
        }
        let explanations = [wrong_count, one_child, several_children];
        explanations.into_iter().find_map(|explanation| {
            let cut = explanation(search, spot)?;
            let found = cut.recovered(bytes, options, error);
            has_no_repeats(&found, options).then_some(found)
        })
    })
}

/// What lies before a spot.
pub(super) fn before(search: &mut Search<'_>, spot: &Spot) -> Cut {
    let whole = Cut::before(&spot.levels, proved(search, spot));
    let Some(level) = spot.levels.last() else {
        return whole;
    };
    // A container with a count that is too large may have taken what belongs to those around it.
    let overfull = spot
        .levels
        .iter()
        .position(|level| level.is_overfull && !level.is_row());
    if let Some(outer) = overfull.and_then(|n| n.checked_sub(1)) {
        return Cut::before(&spot.levels[..=outer], spot.levels[outer].done);
    }
    // Nor do a few elements show that their number is where it should be.
    if level.is_overfull && level.members == Members::Elements && !level.is_row() {
        return Cut::before(&spot.levels, 0);
    }
    // A child that is readable and in the wrong place: some container before may have too many or too few children.
    let is_moved = spot.is_odd && !is_blank(search.bytes, level.start);
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

/// Returns `true` if no dictionary has a key twice.
fn has_no_repeats(found: &Recovered<'_>, options: ReadOptions) -> bool {
    let Some(plan) = found.plan() else {
        return false;
    };
    let bytes = plan.to_vec();
    Walk::run(&bytes, options).has_no_repeats
}

/// The outermost value with another type, if just one lets everything read to the very end.
fn head<'a>(search: &mut Search<'a>) -> Option<Recovered<'a>> {
    let (bytes, options) = (search.bytes, search.options);
    let error = Document::with_options(bytes, options).validate().err()?;
    let dialect = options.dialect();
    let mut found = None;
    for kind in [Kind::Dictionary, Kind::Array] {
        let header = u32::from(dialect.type_id(kind)?.0).to_le_bytes();
        let mut mended = bytes.to_vec();
        mended.get_mut(..4)?.copy_from_slice(&header);
        let reads = search.size(&mended, options, 0) == Some(bytes.len());
        if reads && word(bytes, 4) & !SHARED > 0 {
            if found.is_some() {
                return None;
            }
            found = Some(header);
        }
    }
    let splices = vec![splice(0, 4, found?.to_vec())];
    Some(Recovered::mended(bytes, splices, error, &[], options))
}

/// The count that lets everything read to the very end, for a container with more than the bytes can hold.
fn overfull(search: &mut Search<'_>, spot: &Spot) -> Option<Vec<crate::plan::Splice<'static>>> {
    let (level, outer) = spot.levels.split_last()?;
    if !level.is_overfull || !is_at_a_border(level, spot) {
        return None;
    }
    let bytes = search.bytes;
    // It took the children of the containers around it for its own.
    let mut theirs = 0;
    for (n, around) in outer.iter().enumerate().rev() {
        let count = level.done.checked_sub(theirs)?;
        let is_end = search.is_the_rest(&outer[..=n], around.left(), level.start);
        if is_end {
            return mended(search, level, count);
        }
        theirs += around.left();
    }
    let count = level.done.checked_sub(theirs)?;
    if level.start == bytes.len() {
        return mended(search, level, count);
    }
    None
}

fn mended(
    search: &mut Search<'_>,
    level: &Level,
    count: usize,
) -> Option<Vec<crate::plan::Splice<'static>>> {
    let at = level.count_at;
    let shared = word(search.bytes, at) & SHARED;
    let shared = if search.options.dialect().has_shared_containers() {
        shared
    } else {
        0
    };
    let new = (u32::try_from(count).ok()? | shared).to_le_bytes();
    let mut all = search.bytes.to_vec();
    all[at..at + 4].copy_from_slice(&new);
    let reads = count > 0 && search.size(&all, search.options, 0) == Some(all.len());
    reads.then(|| vec![splice(at, at + 4, new.to_vec())])
}

/// Returns `true` if the child at hand was not begun: it is unreadable from its key on, or odd.
fn is_at_a_border(level: &Level, spot: &Spot) -> bool {
    spot.is_odd || level.value_at.is_none() || level.members == Members::Elements
}

/// The container whose children end here, although its count or the count of one inside it says otherwise.
fn wrong_count(search: &mut Search<'_>, spot: &Spot) -> Option<Cut> {
    let levels = &spot.levels;
    let level = levels.last()?;
    if !is_at_a_border(level, spot) {
        return None;
    }
    let at = level.start;
    let outer = (0..levels.len() - 1)
        .rev()
        .find(|&n| search.is_the_rest(&levels[..=n], levels[n].left(), at));
    if outer.is_none() && at != search.bytes.len() {
        return None;
    }
    let wrong = outer.map_or(0, |n| n + 1);
    let (kept, end) = leading(search, levels, wrong, at);
    Some(Cut {
        levels: levels[..=wrong].to_vec(),
        kept,
        end,
        resume: outer.map(|level| Resume {
            level,
            at,
            tail: levels[level].left(),
        }),
        is_leaf: end == at,
    })
}

/// The children of a container with a wrong count in it that are its own in any case, and where they end.
fn leading(
    search: &mut Search<'_>,
    levels: &[Level],
    wrong: usize,
    until: usize,
) -> (usize, usize) {
    let level = &levels[wrong];
    let start = match wrong.checked_sub(1) {
        Some(outer) => levels[outer].value_at.unwrap_or(until),
        None => 0,
    };
    let is_row = level.members == Members::Elements && !level.is_alike();
    if is_row || has_other_type(search, start..until, wrong) {
        return (0, level.count_at + 4);
    }
    let is_innermost = wrong + 1 == levels.len();
    if is_innermost && level.is_row() {
        return flat_elements(search, level, wrong + 1, until);
    }
    proved_children(search, level, wrong + 1, until)
}

/// Returns `true` if the bytes are one container with another type: then its count may be right and its type wrong.
fn has_other_type(search: &mut Search<'_>, range: std::ops::Range<usize>, depth: usize) -> bool {
    let Some(value) = search.bytes.get(range).filter(|value| !value.is_empty()) else {
        return false;
    };
    let dialect = search.options.dialect();
    let mut other = value.to_vec();
    [Kind::Dictionary, Kind::Array].into_iter().any(|kind| {
        let Some(id) = dialect
            .type_id(kind)
            .filter(|id| value.first() != Some(&id.0))
        else {
            return false;
        };
        other[0] = id.0;
        search.size(&other, search.options, depth) == Some(other.len())
    })
}

/// The elements of a row that have no children but leaves, and where they end: of others some may have taken what belongs
/// to the next.
fn flat_elements(
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

/// The children of `level` that are its own whatever counts are wrong in it, and where they end.
pub(super) fn proved_children(
    search: &mut Search<'_>,
    level: &Level,
    depth: usize,
    until: usize,
) -> (usize, usize) {
    let (mut kept, mut at) = (0, level.count_at + 4);
    while at < until {
        let Some(value) = search.key(level, at, depth) else {
            break;
        };
        if !search.is_proof_of_count(value, depth) {
            break;
        }
        let Some(end) = search.value(value, depth).filter(|end| *end <= until) else {
            break;
        };
        (kept, at) = (kept + 1, end);
    }
    (kept, at)
}

/// The number of children of the innermost container that are certain, if nothing after them is.
fn proved(search: &Search<'_>, spot: &Spot) -> usize {
    let Some(level) = spot.levels.last() else {
        return 0;
    };
    let done = level.done;
    match level.members {
        // Its key says that the value before it ends there.
        Members::Pairs | Members::Properties if level.value_at.is_some() && !spot.is_odd => done,
        Members::Pairs | Members::Properties => done.saturating_sub(1),
        Members::Elements if level.alike < done => 0,
        Members::Elements => {
            match is_own_head(search, level, spot) || has_fixed_size(search, level) {
                true => done,
                false => done.saturating_sub(1),
            }
        }
    }
}

/// Returns `true` if an element like those before begins here, and only its inside is damaged.
fn is_own_head(search: &Search<'_>, level: &Level, spot: &Spot) -> bool {
    let lead = Lead::of(search.bytes, level.start, search.options);
    !spot.is_odd && lead.is_some() && lead == level.lead
}

/// Returns `true` if the elements of a container cannot end anywhere else.
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

/// The one child that is damaged, if all other children of all containers are there.
fn one_child(search: &mut Search<'_>, spot: &Spot) -> Option<Cut> {
    let levels = &spot.levels;
    let level = levels.last()?;
    // Whether the first key is damaged shows only if it is text.
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
    // It may as well be the child before, which then only seems to end here.
    let is_sure = proved(search, spot) == level.done;
    let before = match level.done.checked_sub(1) {
        Some(done) if !is_sure && !is_blank(search.bytes, level.start) => {
            let value = search.key(level, level.before, levels.len());
            value.and_then(|value| single(search, levels, done, level.before, Some(value)))
        }
        _ => None,
    };
    let (kept, end, at) = match (own, before) {
        // Which one it is does not matter if both lead to the same place.
        (Some(own), Some(before)) if own == before => (level.done - 1, level.before, own),
        (Some(own), None) if is_sure || level.done == 0 => (level.done, level.start, own),
        // Something inside the child before may be wrong.
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

/// The end of the child that begins at `start`, the n-th of the innermost container, if it is the only one that is
/// damaged.
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
    // The container that the next child belongs to.
    let next = match left {
        0 => levels[..depth - 1]
            .iter()
            .rposition(|outer| outer.left() > 0),
        _ => Some(depth - 1),
    };
    let len = search.bytes.len();
    let mut from = value_at.unwrap_or(start) + 4;
    loop {
        let at = match next {
            Some(n) => search.next(&levels[n], from)?,
            None => len,
        };
        if search.is_one_child(level, (start, at), value_at, depth)
            && search.is_the_rest(levels, left, at)
        {
            return Some(at);
        }
        if next.is_none() || !search.spend(0) {
            return None;
        }
        from = at + 1;
    }
}

/// The elements after a damage that took several, up to the end of an array, or of a dictionary whose keys are no text.
fn several_children(search: &mut Search<'_>, spot: &Spot) -> Option<Cut> {
    let levels = &spot.levels;
    let damage = levels.last()?.start;
    for n in (0..levels.len()).rev() {
        let level = &levels[n];
        let has_text = level.members != Members::Elements && level.lead == Some(Lead::Text);
        if !level.is_alike() || level.members == Members::Properties || has_text {
            continue;
        }
        let is_innermost = n + 1 == levels.len();
        // The element at hand is damaged.
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

/// The first element of the last of `levels` from `from` on, and the number of elements up to its end, if then
/// everything reads to the very end.
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
        // Elements that begin later in the same row end where these do.
        from = if count > 1 && count < most {
            at
        } else {
            start + 1
        };
    }
}
