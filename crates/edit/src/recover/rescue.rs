//! Tries the explanations of a damage, from the best proof to the weakest.
//!
//! ```text
//! 1. one wrong word: the type of the outermost value, or a count larger than the bytes allow
//! 2. one wrong number of children: everything after that container reads to the end
//! 3. one damaged child: one wrong word explains its bytes, and the rest reads to the end
//! 4. several damaged elements of an array: from the next similar element on everything reads to the end
//! 5. what lies before the damage
//! ```
//!
//! If the record's length shows that bytes were removed or added, none of this is a proof: parts of
//! two containers may have been joined. The only exception is a leaf that is too long or too short
//! by exactly the number of added or missing bytes. The leaf is left out, and what follows it is
//! kept.
//!
//! "Reads to the end" means that every open container has exactly the children that its count still
//! requires, and that the last one ends at the last byte.

use gdvar_view::{Document, Error as ReadError, ReadOptions};

use super::{
    before::before,
    children::{one_child, resized_leaf, several_children},
    counts::{head, overfull, owned_in_any_case, wrong_count},
    cut::Cut,
    ending::Ending,
    level::{Lead, Level, Members, is_name},
    list::between,
    recovered::Recovered,
    search::Search,
    validity::truncated,
    walk::{Spot, Walk, Walked, is_blank},
};
use crate::plan::word;

/// Recovers the value of `document`, whose first error is `error`.
pub(super) fn rescue(document: Document<'_>, error: ReadError, ending: Ending) -> Recovered<'_> {
    let (bytes, options) = (document.bytes(), document.options());
    let mut search = Search::new(bytes, options);
    let walked = Walk::run(bytes, options, &search.alike);
    let Some(last) = walked.spots.last().filter(|_| walked.error.is_some()) else {
        // Strict mode objects to the value as a whole.
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
        None => {
            let first = &walked.spots[0];
            let certain = { first.is_odd }.then(|| owned_in_any_case(&mut search, last));
            let cut = certain
                .flatten()
                .unwrap_or_else(|| before(&mut search, first, false));
            cut.recovered(bytes, options, error)
        }
    }
}

/// Returns the first sign of removed or added bytes: a spot, or a child that others of its container's sort
/// do not have.
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

/// Recovers a value that is valid but whose record has another length, so that bytes may have been lost.
/// `None` if nothing in the value is odd.
pub(super) fn doubted(document: Document<'_>) -> Option<Recovered<'_>> {
    let (bytes, options) = (document.bytes(), document.options());
    let mut search = Search::new(bytes, options);
    let walked = Walk::run(bytes, options, &search.alike);
    let Some(first) = walked.spots.first().filter(|_| walked.error.is_none()) else {
        let error = truncated(bytes.len());
        return walked.has_strangers().then(|| Recovered::nothing(error));
    };
    let error = truncated(first.levels.last()?.start);
    Some(before(&mut search, first, true).recovered(bytes, options, error))
}

/// Returns `true` if the bytes end inside a text whose first part is readable.
fn ends_in_text(spot: &Spot, bytes: &[u8], options: ReadOptions) -> bool {
    let value = spot.levels.last().and_then(|level| level.value_at);
    let Some(at) = value.filter(|at| Lead::of(bytes, *at, options) == Some(Lead::Text)) else {
        return false;
    };
    let text = bytes.get(at + 8..).unwrap_or_default();
    let is_longer = word(bytes, at + 4) as usize > text.len();
    // The bytes may end inside a character.
    is_longer && (0..3).any(|cut| text.len() > cut && is_name(&text[..text.len() - cut]))
}

/// Returns `true` if the bytes end between two children of the outermost container. Then a container inside
/// it may have taken the missing children for its own.
fn is_all_but_the_last(spot: &Spot, bytes: &[u8]) -> bool {
    spot.levels.len() == 1 && spot.levels[0].start == bytes.len()
}

/// Tries all explanations at each spot and returns the first result.
pub(super) fn explained<'a>(
    search: &mut Search<'a>,
    walked: &Walked,
    error: ReadError,
) -> Option<Recovered<'a>> {
    let (bytes, options) = (search.bytes, search.options);
    // An odd key, or zeros that read as null, make everything after them doubtful: later spots are not
    // tried. Odd elements do not count, because valid arrays often have them.
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

/// Applies `cut`. `None` if the result contradicts the rest of the bytes.
fn like_the_rest<'a>(search: &Search<'a>, cut: Cut, error: ReadError) -> Option<Recovered<'a>> {
    let found = cut.recovered(search.bytes, search.options, error);
    let skipped = found.skipped().first();
    let seam = skipped.map_or(search.bytes.len(), |skipped| skipped.start);
    is_like_the_rest(search, &found, seam).then_some(found)
}

/// Returns `true` if no dictionary has a key twice, and no container that is open at the `seam`
/// has, after the seam, a child that other containers of its sort do not have.
fn is_like_the_rest(search: &Search<'_>, found: &Recovered<'_>, seam: usize) -> bool {
    let Some(plan) = found.plan() else {
        return false;
    };
    let bytes = plan.to_vec();
    let walked = Walk::again(&bytes, search.bytes, search.options, &search.alike, seam);
    walked.has_no_repeats && !walked.is_strange_after(seam)
}
