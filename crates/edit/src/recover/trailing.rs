//! A value that ends before its bytes do.

use gdvar_view::Document;

use super::{
    Ending, Recovered,
    cut::Cut,
    level::{Lead, Level, Members, count_of, field_end},
    rescue::{before, explained, proved_children},
    search::Search,
    walk::Walk,
};
use crate::ReadError;

/// What is left of a value after which its record goes on from `end`: the bytes there may be its last children, or show
/// that something before them is longer than it seems. `None` if they are neither.
pub(super) fn trailing(
    document: Document<'_>,
    end: usize,
    ending: Ending,
    error: ReadError,
) -> Option<Recovered<'_>> {
    let (bytes, options) = (document.bytes(), document.options());
    let mut search = Search::new(bytes, options);
    let mut walked = Walk::run(bytes, options);
    if bytes.get(end..)?.iter().all(|byte| *byte == 0) {
        // Nothing else is wrong, unless the zeros begin before the end and are read as null.
        walked.spots.retain(|spot| {
            let start = spot.levels.last().map_or(end, |level| level.start);
            bytes[start..].iter().all(|byte| *byte == 0)
        });
        let first = walked.spots.first()?;
        return Some(before(&mut search, first).recovered(bytes, options, error));
    }
    if bytes.starts_with(&[0; 4]) {
        // Null with something after it is no more than four zeros.
        return Some(Recovered::nothing(error));
    }
    if let Some(first) = walked.spots.first() {
        let found = explained(&mut search, &walked, error);
        let found =
            found.or_else(|| Some(before(&mut search, first).recovered(bytes, options, error)));
        return found;
    }
    let root = Document::with_options(bytes, options).root().ok()?;
    let (_, count_at) = count_of(bytes, options)?;
    let mut level = Level::of(root, count_at + 4);
    for _ in 0..level.count {
        let start = level.start;
        let lead = Lead::of(bytes, start, options)?;
        let first = *level.lead.get_or_insert(lead);
        level.alike += usize::from(lead == first && level.alike == level.done);
        let key = match level.members {
            Members::Elements => start,
            Members::Pairs => search.value(start, 1)?,
            Members::Properties => field_end(bytes, start)?,
        };
        level.value_at = Some(key);
        level.pass(search.value(key, 1)?);
    }
    if ending == Ending::Known && level.members == Members::Elements && level.is_mixed() {
        // Nothing shows which of them are in their place.
        return Some(Recovered::nothing(error));
    }
    let (mut at, mut more) = (end, 0);
    while let Some(next) = search.child(&level, at, 1).filter(|_| at < bytes.len()) {
        (at, more) = (next, more + 1);
    }
    if more > 0 && at == bytes.len() {
        let (kept, last) = proved_children(&mut search, &level, 1, end);
        if kept == level.count {
            // They may be its own, or old bytes of a longer file.
            return None;
        }
        let cut = Cut {
            levels: vec![level],
            kept,
            end: last,
            resume: None,
            is_leaf: false,
        };
        return Some(cut.recovered(bytes, options, error));
    }
    let last = level.count.checked_sub(1)?;
    let value = search.key(&level, level.before, 1)?;
    search
        .is_one_child(&level, (level.before, bytes.len()), Some(value), 1)
        .then(|| {
            let end = level.before;
            let cut = Cut {
                levels: vec![level],
                kept: last,
                end,
                resume: None,
                is_leaf: false,
            };
            cut.recovered(bytes, options, error)
        })
}
