//! Recovers a value that ends before the end of its bytes.

use gdvar_view::{Document, Error as ReadError};

use super::{
    before::{before, proved_children},
    cut::Cut,
    ending::Ending,
    level::{Lead, Level, Members, count_of, field_end},
    recovered::Recovered,
    rescue::explained,
    search::Search,
    walk::Walk,
};

/// Recovers a value that ends at `end` although its record continues. The bytes after `end` may be the
/// value's last children, or a sign that something before them is longer than it seems. `None` if they are
/// neither.
pub(super) fn trailing(
    document: Document<'_>,
    end: usize,
    ending: Ending,
    error: ReadError,
) -> Option<Recovered<'_>> {
    let (bytes, options) = (document.bytes(), document.options());
    let mut search = Search::new(bytes, options);
    let walked = Walk::run(bytes, options, &search.alike);
    if bytes.get(end..)?.iter().all(|byte| *byte == 0) {
        let found = zeros(document, end, error);
        if found.is_some() || walked.spots.is_empty() || ending == Ending::Unknown {
            return found;
        }
    }
    if bytes.starts_with(&[0; 4]) {
        // The first word is null, but other bytes follow: it is four zeros and no value.
        return Some(Recovered::nothing(error));
    }
    if let Some(first) = walked.spots.first() {
        let found = match ending.is_moved() {
            true => None,
            false => explained(&mut search, &walked, error),
        };
        return found.or_else(|| {
            let cut = before(&mut search, first, ending.is_moved());
            Some(cut.recovered(bytes, options, error))
        });
    }
    let is_leaf = search.is_leaf(0);
    if ending.is_moved() || ending == Ending::Known && is_leaf {
        // Nothing shows which parts are in the right place.
        return Some(Recovered::nothing(error));
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
        // Nothing shows which children are in the right place.
        return Some(Recovered::nothing(error));
    }
    let (mut at, mut more) = (end, 0);
    while let Some(next) = search.child(&level, at, 1).filter(|_| at < bytes.len()) {
        (at, more) = (next, more + 1);
    }
    if more > 0 && at == bytes.len() {
        let (kept, last) = proved_children(&mut search, &level, 1, end);
        if kept == level.count {
            // The bytes may belong to the value or be left over from a longer file.
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
    let children = (level.before, bytes.len());
    let is_last = search.is_one_child(&level, children, Some(value), 1);
    let (kept, end) = match (is_last, ending) {
        (true, _) => (last, level.before),
        // Some child before `end` is shorter than it was.
        (false, Ending::Known) => proved_children(&mut search, &level, 1, end),
        (false, _) => return None,
    };
    let cut = Cut {
        levels: vec![level],
        kept,
        end,
        resume: None,
        is_leaf: false,
    };
    Some(cut.recovered(bytes, options, error))
}

/// Recovers a value that is followed by zeros as if the bytes ended where the zeros begin, which may be
/// inside the value.
fn zeros(document: Document<'_>, end: usize, error: ReadError) -> Option<Recovered<'_>> {
    let bytes = document.bytes();
    let first = bytes.iter().rposition(|byte| *byte != 0)? + 1;
    let first = first.next_multiple_of(4);
    if first >= end {
        return None;
    }
    let before = Document::with_options(bytes.get(..first)?, document.options());
    let change = first as isize - bytes.len() as isize;
    let found = super::rescue::rescue(before, error, Ending::Cut(change));
    Some(found.without(first..bytes.len()))
}
