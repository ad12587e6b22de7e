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
//! If the record's length says that bytes are missing or were put in, none of this is a proof: a part of one container
//! may have been joined with a part of another. Only a value that is too short or too long by just as much is then left
//! out from what follows.
//!
//! "Reads to the very end" means: as many children as every container around it still has, and then the last
//! byte of the value.

use gdvar_view::{Document, ReadOptions};

use super::{
    Ending, Recovered,
    before::before,
    children::{one_child, resized_leaf, several_children},
    counts::{head, overfull, wrong_count},
    cut::Cut,
    level::{Lead, Level, Members, is_name},
    list::between,
    search::Search,
    walk::{Spot, Walk, Walked, is_blank},
};
use crate::{ReadError, plan::word};

/// Finds what is left of the value of `document`, which ends with the first `error`.
pub(super) fn rescue(document: Document<'_>, error: ReadError, ending: Ending) -> Recovered<'_> {
    let (bytes, options) = (document.bytes(), document.options());
    let mut search = Search::new(bytes, options);
    let walked = Walk::run(bytes, options, &search.alike);
    let Some(last) = walked.spots.last().filter(|_| walked.error.is_some()) else {
        // Strict mode minds something about the value as a whole.
        return Recovered::nothing(error);
    };
    if last.levels.is_empty() {
        let mended = match ending.is_moved() {
            true => None,
            false => head(&mut search),
        };
        return mended.unwrap_or_else(|| Recovered::nothing(error));
    }
    let error = walked.error.unwrap_or(error);
    if ending.change() != 0 {
        if let Some(cut) = resized_leaf(&mut search, &walked, ending.change()) {
            if let Some(found) = like_the_rest(&search, cut, error) {
                return found;
            }
        }
    }
    let is_open_ended = matches!(ending, Ending::Cut(_) | Ending::Unknown);
    if is_open_ended && error.is_truncated() && walked.spots.len() == 1 {
        if let Some(cut) = between(&mut search, last) {
            return cut.recovered(bytes, options, error);
        }
    }
    let is_cut = matches!(ending, Ending::Cut(_)) || ends_in_text(last, bytes, options);
    let is_only_cut = walked.spots.len() == 1
        && !is_all_but_the_last(last, bytes)
        && !walked.is_strange_at(&last.levels);
    if is_cut && is_only_cut {
        let done = last.levels.last().map_or(0, |level| level.done);
        return Cut::before(&last.levels, done).recovered(bytes, options, error);
    }
    if ending.is_moved() {
        let spot = first_sign(&search, &walked);
        return before(&mut search, &spot, true).recovered(bytes, options, error);
    }
    match explained(&mut search, &walked, error) {
        Some(found) => found,
        None => before(&mut search, &walked.spots[0], false).recovered(bytes, options, error),
    }
}

/// The first place at which bytes that are missing or were put in may show: a spot, or a child that others of its
/// container's sort do not have.
fn first_sign(search: &Search<'_>, walked: &Walked) -> Spot {
    let first = &walked.spots[0];
    let is_at_hand = walked
        .spots
        .last()
        .is_some_and(|last| walked.is_strange_at(&last.levels));
    let Some(at) = walked.first_stranger().filter(|_| !is_at_hand) else {
        return first.clone();
    };
    let found = Walk::until(search.bytes, search.options, &search.alike, at);
    let stranger = found.spots.into_iter().last();
    let start = |spot: &Spot| spot.levels.last().map_or(0, |level| level.start);
    match stranger {
        Some(stranger) if start(&stranger) < start(first) => stranger.into_odd(),
        _ => first.clone(),
    }
}

/// What is left of a value that is valid, of a record with another length: it may be that bytes of it are missing. `None` if
/// nothing in it is odd.
pub(super) fn doubted(document: Document<'_>) -> Option<Recovered<'_>> {
    let (bytes, options) = (document.bytes(), document.options());
    let mut search = Search::new(bytes, options);
    let walked = Walk::run(bytes, options, &search.alike);
    let Some(first) = walked.spots.first().filter(|_| walked.error.is_none()) else {
        let error = super::truncated(bytes.len());
        return walked.has_strangers().then(|| Recovered::nothing(error));
    };
    let error = super::truncated(first.levels.last()?.start);
    Some(before(&mut search, first, true).recovered(bytes, options, error))
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
            return Some(found).filter(|found| is_like_the_rest(search, found, bytes.len()));
        }
        let explanations = [wrong_count, one_child, several_children];
        explanations.into_iter().find_map(|explanation| {
            let cut = explanation(search, spot)?;
            like_the_rest(search, cut, error)
        })
    })
}

/// What is left of the bytes after a cut, if it is like the rest.
fn like_the_rest<'a>(search: &Search<'a>, cut: Cut, error: ReadError) -> Option<Recovered<'a>> {
    let found = cut.recovered(search.bytes, search.options, error);
    let skipped = found.skipped().first();
    let seam = skipped.map_or(search.bytes.len(), |skipped| skipped.start);
    is_like_the_rest(search, &found, seam).then_some(found)
}

/// Returns `true` if no dictionary has a key twice, and containers that go on after the `seam` have nothing there that
/// their likes do not have.
fn is_like_the_rest(search: &Search<'_>, found: &Recovered<'_>, seam: usize) -> bool {
    let Some(plan) = found.plan() else {
        return false;
    };
    let bytes = plan.to_vec();
    let walked = Walk::again(&bytes, search.bytes, search.options, &search.alike, seam);
    walked.has_no_repeats && !walked.is_strange_after(seam)
}
