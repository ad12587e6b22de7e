//! Lists: containers whose children are dictionaries of one sort, which means that they begin with
//! the same key.
//!
//! If a block of a list is missing, the remaining parts of two children may fit together. The gap
//! becomes visible only at the end of the list: the list takes a child that is not its own, or the
//! bytes end exactly between two children. A truncated file rarely ends exactly there.

use std::collections::HashMap;

use gdvar_view::Document;

use super::{
    cut::{Cut, Resume},
    level::{Lead, Level, Members},
    search::Search,
    walk::Spot,
};

/// Keeps the children of an open list that are certainly right. Returns `None` unless `spot` is at the end
/// of the bytes and between two children of the list. Bytes that end inside a child were cut: after a missing
/// block the last child would be whole, or the list would have a child that is not its own.
pub(super) fn between(search: &mut Search<'_>, spot: &Spot) -> Option<Cut> {
    let innermost = spot.levels.last()?;
    if innermost.start != search.bytes.len() {
        return None;
    }
    let list = outermost(search, &spot.levels)?;
    (list + 1 == spot.levels.len()).then(|| joined(search, &spot.levels, list))
}

/// Keeps what lies before a spot inside a list, if bytes were removed from the value or added to it.
pub(super) fn before_in_list(search: &mut Search<'_>, spot: &Spot) -> Option<Cut> {
    let list = outermost(search, &spot.levels)?;
    let level = &spot.levels[list];
    if list + 1 < spot.levels.len() {
        return Some(Cut::before(&spot.levels[..=list], level.done));
    }
    let value = match level.members {
        Members::Elements => Some(level.start),
        _ => search.value(level.start, list + 1),
    };
    let is_readable = value.is_some_and(|value| search.value(value, list + 1).is_some());
    if spot.is_odd && is_readable && search.may_go_on(level.start) {
        return Some(joined(search, &spot.levels, list));
    }
    // The end of the previous child may be damaged.
    Some(Cut::before(&spot.levels, level.done.saturating_sub(1)))
}

/// Returns the index of the outermost list among `levels`.
fn outermost(search: &mut Search<'_>, levels: &[Level]) -> Option<usize> {
    let mut levels = levels.iter().enumerate();
    levels.find_map(|(n, level)| is_list(search, level, n + 1).then_some(n))
}

/// Keeps the children that are certainly right of a list in which one child may have been joined from two.
/// Only a counter, a number that increases from child to child, shows which one.
fn joined(search: &mut Search<'_>, all: &[Level], list: usize) -> Cut {
    let levels = &all[..=list];
    let level = &all[list];
    let is_array = level.members == Members::Elements;
    let gaps = match list + 1 == all.len() && is_array {
        true => gaps(search, level, list + 1),
        false => None,
    };
    match gaps {
        None => Cut::before(levels, 0),
        Some(None) => Cut::before(levels, level.done),
        Some(Some((nth, start, end))) => Cut {
            levels: levels.to_vec(),
            kept: nth,
            end: start,
            resume: Some(Resume {
                level: list,
                at: end,
                tail: level.done - nth - 2,
            }),
            is_leaf: false,
        },
    }
}

/// Returns `true` if the children of a container are dictionaries that resemble each other.
fn is_list(search: &mut Search<'_>, level: &Level, depth: usize) -> bool {
    let value = match level.members {
        _ if level.done < 2 => None,
        Members::Elements => Some(level.count_at + 4),
        Members::Pairs => search.value(level.count_at + 4, depth),
        Members::Properties => None,
    };
    value.is_some_and(|value| {
        let lead = Lead::of(search.bytes, value, search.options);
        lead.is_some_and(|lead| lead.is_dictionary(search.options)) && search.has_likes_at(value)
    })
}

/// Where a counter jumps. Contains the index and the start of the element before the jump, and the end of
/// the element after it; either of the two may have been joined. `None` if the counter runs through all
/// elements without a jump. `gaps` itself returns `None` if there is no counter.
type Gap = Option<(usize, usize, usize)>;

fn gaps(search: &mut Search<'_>, level: &Level, depth: usize) -> Option<Gap> {
    let mut counters: HashMap<&[u8], Counter> = HashMap::new();
    let mut at = level.count_at + 4;
    let mut places = Vec::new();
    for _ in 0..level.done {
        let end = search.value(at, depth)?;
        let element = Document::with_options(&search.bytes[at..end], search.options);
        for pair in element.root().ok()?.as_dict()?.iter() {
            let (key, value) = pair.ok()?;
            if let Some((key, number)) = key.as_text().zip(value.as_i64()) {
                counters
                    .entry(key.raw())
                    .or_default()
                    .add(places.len(), number);
            }
        }
        places.push((at, end));
        at = end;
    }
    // A counter is in every element and jumps at most once.
    let is_whole = |counter: &&Counter| counter.seen == level.done && counter.jumps <= 1;
    let counter = counters
        .values()
        .filter(is_whole)
        .min_by_key(|counter| counter.jumps)?;
    let gap = counter.after.filter(|_| counter.jumps == 1);
    Some(gap.map(|nth| (nth, places[nth].0, places[nth + 1].1)))
}

/// The numbers that the elements of a list have under one key.
#[derive(Default)]
struct Counter {
    seen: usize,
    last: i64,
    jumps: usize,
    /// The index of the element before the last jump.
    after: Option<usize>,
}

impl Counter {
    fn add(&mut self, nth: usize, number: i64) {
        if self.seen > 0 && Some(number) != self.last.checked_add(1) {
            self.jumps += 1;
            self.after = nth.checked_sub(1);
        }
        self.last = number;
        self.seen += 1;
    }
}
