//! Explains damage by one wrong word: the header of the outermost value, or a count of children. With another word
//! there, everything must read to the end.

use gdvar_view::{Document, Kind};

use super::{
    before::{flat_elements, proved_children},
    cut::{Cut, Resume},
    level::{Level, Members, SHARED},
    recovered::{Recovered, splice},
    search::Search,
    walk::Spot,
};
use crate::plan::{Splice, word};

/// Explains the damage by a wrong type of the outermost value. Exactly one other type must let everything read to the
/// end.
pub(super) fn head<'a>(search: &mut Search<'a>) -> Option<Recovered<'a>> {
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

/// Corrects the count of a container that declares more children than the bytes can hold. Returns `None` if no count
/// lets everything read to the end.
pub(super) fn overfull(search: &mut Search<'_>, spot: &Spot) -> Option<Vec<Splice<'static>>> {
    let (level, outer) = spot.levels.split_last()?;
    if !level.is_overfull || !is_at_a_border(level, spot) || !has_own_elements(search, level) {
        return None;
    }
    let bytes = search.bytes;
    // With the large count, children of the containers around it were read as its own.
    let mut theirs = 0;
    for (n, around) in outer.iter().enumerate().rev() {
        let count = level.done.checked_sub(theirs)?;
        let is_end = search.is_the_rest(&outer[..=n], around.left(), level.start);
        if is_end {
            return mended(search, level, count);
        }
        theirs += around.left();
    }
    if level.start == bytes.len() {
        return mended(search, level, own_count(level, outer)?);
    }
    None
}

/// Returns how many of the children read for `level` are its own, if the last ones belong to the
/// `outer` containers and complete them. `None` if fewer were read than the outer containers lack.
fn own_count(level: &Level, outer: &[Level]) -> Option<usize> {
    let mut around = outer.iter();
    around.try_fold(level.done, |own, around| own.checked_sub(around.left()))
}

/// Keeps the children that are certainly right, if the bytes end between two children of a nested container.
///
/// Either the file was cut there, or the count of the innermost container is too large and its last children belong
/// to the containers around it. If the second explanation fits exactly, both are possible. Then only the children
/// that the container has in both cases are kept.
pub(super) fn owned_in_any_case(search: &mut Search<'_>, spot: &Spot) -> Option<Cut> {
    let (level, outer) = spot.levels.split_last()?;
    if level.start != search.bytes.len() || !is_at_a_border(level, spot) {
        return None;
    }
    let kept = own_count(level, outer).filter(|own| *own < level.done)?;
    mended(search, level, kept)?;
    let mut end = level.count_at + 4;
    for _ in 0..kept {
        end = search.child(level, end, spot.levels.len())?;
    }
    Some(Cut {
        levels: spot.levels.clone(),
        kept,
        end,
        resume: None,
        is_leaf: false,
    })
}

/// Returns `true` if no element of the container could be zeros or noise.
fn has_own_elements(search: &mut Search<'_>, level: &Level) -> bool {
    let mut at = level.count_at + 4;
    (0..level.done).all(|_| {
        let start = at;
        at = match search.value(start, 1) {
            Some(end) if level.members == Members::Elements => end,
            _ => return level.members != Members::Elements,
        };
        search.may_go_on(start)
    })
}

fn mended(search: &mut Search<'_>, level: &Level, count: usize) -> Option<Vec<Splice<'static>>> {
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

/// Returns `true` if the damage lies before or at the start of the current child: its key is unreadable, or the child
/// is unlike the others.
pub(super) fn is_at_a_border(level: &Level, spot: &Spot) -> bool {
    spot.is_odd || level.value_at.is_none() || level.members == Members::Elements
}

/// Explains the damage by a wrong count: the children of a container end here, but its count, or the count of a
/// container inside it, disagrees.
pub(super) fn wrong_count(search: &mut Search<'_>, spot: &Spot) -> Option<Cut> {
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

/// Returns the number and the end of the leading children that certainly belong to the container with the wrong
/// count.
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

/// Returns `true` if the bytes in `range` become one valid Dictionary or Array when only the type byte is changed.
/// Then the type may be wrong and the count right.
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
