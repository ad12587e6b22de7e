//! Groups the paths through a container by child, and finds these children in one walk.

use std::collections::HashMap;

use gdvar_view::{ElementType, Error, Kind, Step};

use super::op::TargetPath;
use crate::{
    container::{Container, Name},
    key::{KeyQuery, KeyStyle, NewKeys, StepQuery},
    lookup::Lookup,
};

/// The paths that lead through the same child.
pub(super) struct Group<'e> {
    /// The number of the child in the [`Lookup`].
    pub(super) number: usize,
    /// The index of the child, if the steps are indices.
    pub(super) nth: Option<usize>,
    /// `true` if one of the paths adds the child in case it is missing.
    pub(super) adds: bool,
    pub(super) targets: Vec<TargetPath<'e>>,
}

/// Returns the group for the child that `step` leads to, and creates it if needed. `None` if the step cannot
/// lead anywhere in this kind of container.
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
            adds: false,
            targets: Vec::new(),
        });
    }
    groups.get_mut(number)
}

/// What a walk must find besides the children of the groups.
pub(super) struct Wanted<'w, 'e> {
    /// Keys that edits will add.
    pub(super) new_keys: &'w NewKeys,
    /// Keys that edits will add if the Dictionary lacks them, each with the first edit of every group that adds it.
    /// All paths of a group find the same child, and there are at most as many groups of one key as forms of a step.
    pub(super) addable: &'w HashMap<KeyQuery<'e>, Vec<usize>>,
    /// `true` if the end of the container is needed.
    pub(super) end: bool,
}

/// What one walk over the children of a container found, apart from the children in the [`Lookup`].
pub(super) struct Walked {
    /// The end of the container.
    pub(super) end: usize,
    /// The style of the container's keys.
    pub(super) like: KeyStyle,
    /// The existing children whose keys edits want to add: the offset, the edit, and `true` if the edit adds
    /// the key in any case, not only if it is missing.
    pub(super) clashes: Vec<(usize, usize, bool)>,
}

/// Walks over the children once, and records what the groups and `wanted` ask for.
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
