//! The children of one container that edits lead to, found in one walk.

use std::collections::HashMap;

use gdvar_view::{ElementType, Error, Kind, Step};

use super::op::TargetPath;
use crate::{
    container::{Container, Name},
    key::{KeyQuery, KeyStyle, NewKeys, StepQuery},
    lookup::Lookup,
};

/// The paths that lead through one child.
pub(super) struct Group<'e> {
    /// The number of the child in the [`Lookup`].
    pub(super) number: usize,
    /// Its index, if the steps give that.
    pub(super) nth: Option<usize>,
    pub(super) targets: Vec<TargetPath<'e>>,
}

/// Returns the group of the child that a step leads to. `None` if no such step leads anywhere in the container.
pub(super) fn group<'g, 'e>(
    groups: &'g mut Vec<Group<'e>>,
    lookup: &mut Lookup<'e, '_>,
    container: Container<'_>,
    step: Step<'e>,
) -> Option<&'g mut Group<'e>> {
    let query = StepQuery::new(step, container)?;
    let nth = match query.first {
        KeyQuery::Nth(nth) => Some(nth),
        _ => None,
    };
    let number = lookup.add(query);
    if number == groups.len() {
        groups.push(Group {
            number,
            nth,
            targets: Vec::new(),
        });
    }
    groups.get_mut(number)
}

/// What is looked for besides the children of the groups.
pub(super) struct Wanted<'w, 'e> {
    /// Keys that will be added.
    pub(super) new_keys: &'w NewKeys,
    /// Keys that will be added if their steps lead to no child, with their edits.
    pub(super) addable: &'w HashMap<KeyQuery<'e>, Vec<usize>>,
    /// The end of the container.
    pub(super) end: bool,
}

/// What one walk over the children of a container finds. The [`Lookup`] has the children.
pub(super) struct Walked {
    /// The end of the container.
    pub(super) end: usize,
    /// What its keys have in common.
    pub(super) like: KeyStyle,
    /// The children whose keys are to be added: their offsets, the edits that add the keys, and `true` if the
    /// key is added whatever is found.
    pub(super) clashes: Vec<(usize, usize, bool)>,
}

/// Walks over the children once and fills in what is looked for.
pub(super) fn walk<'a>(
    container: Container<'a>,
    lookup: &mut Lookup<'_, 'a>,
    wanted: &Wanted<'_, '_>,
) -> Result<Walked, Error> {
    let mut walked = Walked {
        end: container.count_at + 4,
        like: KeyStyle::default(),
        clashes: Vec::new(),
    };
    if let ElementType::Builtin(_, kind) = container.key_type() {
        walked.like.text = kind;
    }
    let mut children = container.children();
    let mut nth = 0;
    let mut newest = None;
    // The walk over an array stops after the last requested element, unless its end is needed.
    let past_end = lookup.reaches(container.len);
    let to_end = !container.is_array() || wanted.end || past_end;
    while to_end || !lookup.is_done(nth) {
        let Some(child) = children.try_next()? else {
            break;
        };
        newest = Some(child.value);
        let own = KeyQuery::of_child(child);
        if let Name::Key(key) = child.name {
            let is_text = matches!(own, Some(KeyQuery::Text(_)));
            walked.like.text = walked.like.text.or(is_text.then(|| key.kind()));
            let is_number = matches!(key.kind(), Kind::Int | Kind::Float);
            walked.like.is_wide |= !is_number && key.is_wide();
        }
        if let Some(edits) = own.as_ref().and_then(|own| wanted.addable.get(own)) {
            let clash = |edit: &usize| (child.start(), *edit, false);
            walked.clashes.extend(edits.iter().map(clash));
        }
        if !wanted.new_keys.is_empty() {
            let edit = wanted.new_keys.find(child);
            walked
                .clashes
                .extend(edit.map(|edit| (child.start(), edit, true)));
        }
        lookup.pass(child, nth, own.as_ref());
        nth += 1;
    }
    if let (true, Some(newest)) = (to_end, newest) {
        walked.end = newest.end()?;
    }
    Ok(walked)
}
