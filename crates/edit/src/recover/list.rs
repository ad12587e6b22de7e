//! Lists: containers whose children are alike dictionaries. Where a block is missing, what is left of two of them may fit
//! together, and shows only at the end of the list: it took a child that is none of its own, or the bytes end exactly
//! between two children, where a file that is cut rarely ends.

use std::collections::HashMap;

use gdvar_view::Document;

use super::{
    cut::{Cut, Resume},
    level::{Lead, Level, Members},
    search::Search,
    walk::Spot,
};

/// What is left if `spot` is the end of the bytes and lies between two children, as far as a list is open there.
pub(super) fn between(search: &mut Search<'_>, spot: &Spot) -> Option<Cut> {
    let innermost = spot.levels.last()?;
    if innermost.start != search.bytes.len() {
        return None;
    }
    outermost(search, &spot.levels).map(|list| joined(search, &spot.levels, list))
}

/// What lies before a spot in a list, of a value of which bytes are missing or were put in.
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
    // The end of the child before may be what is damaged.
    Some(Cut::before(&spot.levels, level.done.saturating_sub(1)))
}

/// The number of the outermost list among some containers.
fn outermost(search: &mut Search<'_>, levels: &[Level]) -> Option<usize> {
    let mut levels = levels.iter().enumerate();
    levels.find_map(|(n, level)| is_list(search, level, n + 1).then_some(n))
}

/// What is left of a list in which one child may be put together from two. Only numbers that count up show which.
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

/// Returns `true` if the children of a container are dictionaries that are alike.
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

/// The number and start of the element after which a number that counts up in all elements goes on elsewhere, and the
/// end of the next one: either of the two may be put together. `Some(None)` if one counts up in all of them, `None` if
/// none does.
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
    // The number has to be in every element, and to count up but for one place.
    let is_whole = |counter: &&Counter| counter.seen == level.done && counter.jumps <= 1;
    let counter = counters
        .values()
        .filter(is_whole)
        .min_by_key(|counter| counter.jumps)?;
    let gap = counter.after.filter(|_| counter.jumps == 1);
    Some(gap.map(|nth| (nth, places[nth].0, places[nth + 1].1)))
}

/// The numbers under one key.
#[derive(Default)]
struct Counter {
    seen: usize,
    last: i64,
    jumps: usize,
    /// The element before the last jump.
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
