//! From paths to bytes: one walk over each container on the way to an edit.

mod expect;
mod moves;
mod op;
mod parts;
mod repeated;

use std::{borrow::Cow, collections::HashMap};

use gdvar_view::{Document, Kind, Path, ReadOptions, Step, VariantRef};

use crate::{
    check,
    container::{Child, Container, Name},
    error::{EditErrorKind, Error},
    key::{self, NewKeys, Wanted, unescaped},
    plan::{Grows, Splice},
};
pub(crate) use expect::Was;
use moves::{Put, Taken};
pub(crate) use op::Op;
use op::{Act, Goal};

struct Resolver<'a, 'e> {
    ops: &'e [Op],
    bytes: &'a [u8],
    options: ReadOptions,
    splices: Vec<Splice<'e>>,
    taken: HashMap<usize, Taken<'a>>,
    puts: Vec<Put<'a>>,
    paths: Vec<Path<'e>>,
}

/// Which bytes all edits replace, without the counts that follow.
pub(crate) fn splices<'e>(document: Document<'e>, ops: &'e [Op]) -> Result<Vec<Splice<'e>>, Error> {
    let mut paths = Vec::with_capacity(ops.len());
    for (edit, op) in ops.iter().enumerate() {
        let parse = |text| {
            let refuse = |error| Error::new(edit, 0, EditErrorKind::Path(error));
            Path::parse(text).map_err(refuse)
        };
        match op {
            Op::Set { path, value, .. } => paths.push((edit, Act::Set(value), parse(path)?)),
            Op::Insert { path, value, .. } => paths.push((edit, Act::Insert(value), parse(path)?)),
            Op::InsertPair {
                path,
                before,
                key,
                value,
            } => paths.push((edit, Act::InsertPair(*before, key, value), parse(path)?)),
            Op::Append { path, value } => paths.push((edit, Act::Append(value), parse(path)?)),
            Op::Remove { path, .. } => paths.push((edit, Act::Remove, parse(path)?)),
            Op::RenameKey { path, key } => paths.push((edit, Act::RenameKey(key), parse(path)?)),
            Op::Move { from, to, .. } => {
                paths.push((edit, Act::Take, parse(from)?));
                paths.push((edit, Act::Put, parse(to)?));
            }
        }
    }
    let goals = paths.iter().enumerate().map(|(n, (edit, act, path))| {
        let goal = Goal {
            edit: *edit,
            act: *act,
            path: n,
            taken: 0,
            step: None,
            is_last: false,
        };
        goal.at(0, path)
    });
    let goals: Vec<_> = goals.collect();
    let mut resolver = Resolver {
        ops,
        bytes: document.bytes(),
        options: document.options(),
        splices: Vec::new(),
        taken: HashMap::new(),
        puts: Vec::new(),
        paths: paths.into_iter().map(|(_, _, path)| path).collect(),
    };
    if let Some(first) = goals.first() {
        let root = document.root().map_err(|error| read(first.edit, error))?;
        let mut open = vec![(root, goals)];
        while let Some((value, goals)) = open.pop() {
            resolver.visit(value, goals, &mut open)?;
        }
    }
    resolver.put_all()?;
    Ok(resolver.splices)
}

fn read(edit: usize, error: gdvar_view::Error) -> Error {
    Error::new(edit, error.offset(), EditErrorKind::Read(error))
}

impl<'a: 'e, 'e> Resolver<'a, 'e> {
    /// Takes the next step of all paths that lead through a value.
    fn visit(
        &mut self,
        value: VariantRef<'a>,
        goals: Vec<Goal<'e>>,
        open: &mut Vec<(VariantRef<'a>, Vec<Goal<'e>>)>,
    ) -> Result<(), Error> {
        let Some(first) = goals.first().copied() else {
            return Ok(());
        };
        let container = Container::of(value).map_err(|error| read(first.edit, error))?;
        let mut inside = Vec::new();
        let mut below = Vec::new();
        for goal in goals {
            match (goal.step, goal.act) {
                (Some(_), _) => below.push(goal),
                (None, act) if act.is_inside() => inside.push(goal),
                (None, Act::Set(new)) => {
                    self.expect_value(goal.edit, value)?;
                    check::value(new, self.options, 0)
                        .map_err(|kind| Error::new(goal.edit, value.offset(), kind))?;
                    self.replace(goal.edit, value, new)?;
                }
                (None, _) => {
                    return Err(Error::new(
                        goal.edit,
                        value.offset(),
                        EditErrorKind::Outermost,
                    ));
                }
            }
        }
        let Some(container) = container else {
            below = self.parts(value, below)?;
            let (goal, kind) = match (below.first(), inside.first()) {
                (Some(goal), _) => {
                    let (step, kind) = (goal.taken, value.kind());
                    (goal, EditErrorKind::NoPlace { step, kind, len: 0 })
                }
                (None, Some(goal)) => (goal, EditErrorKind::NotAContainer { kind: value.kind() }),
                (None, None) => return Ok(()),
            };
            return Err(Error::new(goal.edit, value.offset(), kind));
        };
        self.container(container, inside, below, open)
    }

    fn container(
        &mut self,
        container: Container<'a>,
        inside: Vec<Goal<'e>>,
        below: Vec<Goal<'e>>,
        open: &mut Vec<(VariantRef<'a>, Vec<Goal<'e>>)>,
    ) -> Result<(), Error> {
        let at = container.value.offset();
        let mut new_keys = NewKeys::default();
        let mut wanted: HashMap<Wanted<'e>, (Vec<Goal<'e>>, Option<Child<'a>>)> = HashMap::new();
        for goal in &inside {
            if let Act::InsertPair(before, key, _) = goal.act {
                if container.is_array() {
                    let kind = container.value.kind();
                    return Err(Error::new(
                        goal.edit,
                        at,
                        EditErrorKind::NotAContainer { kind },
                    ));
                }
                let key = self.new_key(container, key, goal.edit)?;
                let raw = key.raw().map_err(|error| read(goal.edit, error))?;
                if !new_keys.add(key, raw, goal.edit) {
                    return Err(Error::new(goal.edit, at, EditErrorKind::KeyExists));
                }
                wanted.entry(Wanted::Nth(before)).or_default();
            }
        }
        for goal in below {
            let wish = self.wish(container, goal)?;
            if let (Act::RenameKey(key), true) = (goal.act, goal.is_last) {
                let key = self.new_key(container, key, goal.edit)?;
                let raw = key.raw().map_err(|error| read(goal.edit, error))?;
                if !new_keys.add(key, raw, goal.edit) {
                    return Err(Error::new(goal.edit, at, EditErrorKind::KeyExists));
                }
            }
            wanted.entry(wish).or_default().0.push(goal);
        }
        let (end, like, clashes) = self.find(container, &mut wanted, &new_keys, &inside)?;
        let mut gone = std::collections::HashSet::new();
        let mut leaving = Vec::new();
        let mut groups: Vec<_> = wanted.into_iter().collect();
        // In the order in which they were asked for, which a map does not keep.
        groups.sort_by_key(|(_, (goals, _))| goals.first().map(|goal| goal.edit));
        let mut starts = HashMap::new();
        for (wish, (goals, found)) in groups {
            if let (Wanted::Nth(nth), Some(found)) = (&wish, found) {
                starts.insert(*nth, found.start());
            }
            let mut deeper = Vec::new();
            for goal in goals {
                if !goal.is_last || goal.act.is_inside() {
                    if found.is_none() {
                        return Err(nowhere(container, goal));
                    }
                    let path = self
                        .paths
                        .get(goal.path)
                        .ok_or_else(|| nowhere(container, goal))?;
                    deeper.push(goal.at(goal.taken + 1, path));
                    continue;
                }
                if let (Act::Remove | Act::Take | Act::RenameKey(_), Some(found)) =
                    (goal.act, found)
                {
                    gone.insert(found.start());
                    leaving.push((found, goal.edit));
                }
                let place = Place {
                    wish: &wish,
                    found,
                    end,
                    like,
                };
                self.act(container, goal, place, &mut new_keys)?;
            }
            if let (Some(found), false) = (found, deeper.is_empty()) {
                open.push((found.value, deeper));
            }
        }
        repeated::check(container, &leaving)?;
        if let Some((_, edit)) = clashes.iter().find(|(start, _)| !gone.contains(start)) {
            return Err(Error::new(*edit, at, EditErrorKind::KeyExists));
        }
        for goal in inside {
            let depth = container.value.depth();
            match goal.act {
                Act::Append(value) => {
                    if !container.is_array() {
                        let kind = container.value.kind();
                        return Err(Error::new(
                            goal.edit,
                            at,
                            EditErrorKind::NotAContainer { kind },
                        ));
                    }
                    self.check(container, None, value, goal.edit)?;
                    self.add(goal.edit, end, depth, value.into(), container);
                }
                Act::InsertPair(before, key, value) => {
                    let place = match starts.get(&before) {
                        Some(start) => *start,
                        None if before >= container.len => end,
                        None => return Err(nowhere(container, goal)),
                    };
                    let key = self.new_key(container, key, goal.edit)?;
                    self.check(container, Some(Name::Key(key)), value, goal.edit)?;
                    let mut pair =
                        head(container, key).map_err(|kind| Error::new(goal.edit, at, kind))?;
                    pair.extend_from_slice(value);
                    self.add(goal.edit, place, depth, pair.into(), container);
                }
                _ => {}
            }
        }
        Ok(())
    }

    /// The child that the next step of a path looks for in a container.
    fn wish(&self, container: Container<'a>, goal: Goal<'e>) -> Result<Wanted<'e>, Error> {
        let step = goal.step.ok_or_else(|| nowhere(container, goal))?;
        let len = container.len;
        Ok(match step {
            Step::Name(name) if !container.is_array() => Wanted::Text(unescaped(name)),
            Step::Index(index) if container.is_array() => {
                let nth = if index < 0 { index + len as i64 } else { index };
                let nth = usize::try_from(nth).map_err(|_| nowhere(container, goal))?;
                Wanted::Nth(nth)
            }
            Step::Index(index) if container.is_dict() => Wanted::Int(index),
            Step::PairValue(nth) if !container.is_array() => Wanted::Nth(nth as usize),
            Step::PairKey(_) => return Err(nowhere(container, goal)),
            _ => {
                let value = container.value.take_step(step);
                let value = value.map_err(|error| read(goal.edit, error))?;
                let value = value.ok_or_else(|| nowhere(container, goal))?;
                Wanted::At(value.offset())
            }
        })
    }

    /// Walks over the children once and fills in what is looked for. Returns where the container ends, the type
    /// of its first text key, and the children whose keys are among the new ones.
    #[expect(clippy::type_complexity, reason = "three answers of one walk")]
    fn find(
        &self,
        container: Container<'a>,
        wanted: &mut HashMap<Wanted<'e>, (Vec<Goal<'e>>, Option<Child<'a>>)>,
        new_keys: &NewKeys,
        inside: &[Goal<'e>],
    ) -> Result<(usize, Option<Kind>, Vec<(usize, usize)>), Error> {
        let goals = wanted.values().flat_map(|(goals, _)| goals).chain(inside);
        let first = goals.map(|goal| goal.edit).min().unwrap_or_default();
        let refuse = |error| read(first, error);
        let mut like = match container.key_type() {
            gdvar_view::ElementType::Builtin(_, kind) => kind,
            _ => None,
        };
        let mut clashes = Vec::new();
        let mut children = container.children();
        let mut end = container.count_at + 4;
        // A list is passed up to the last element that is wanted, unless its end is.
        let to_end = !container.is_array()
            || inside.iter().any(|goal| matches!(goal.act, Act::Append(_)))
            || wanted.keys().any(|one| match one {
                Wanted::Nth(nth) => *nth >= container.len,
                _ => true,
            });
        let last = wanted.keys().filter_map(|one| match one {
            Wanted::Nth(nth) => Some(*nth),
            _ => None,
        });
        let last = last.max().unwrap_or_default();
        let mut nth = 0;
        let mut newest = None;
        while to_end || nth <= last {
            let Some(child) = children.try_next().map_err(refuse)? else {
                break;
            };
            newest = Some(child.value);
            let own = match Wanted::of_child(child) {
                Some(Wanted::Exact(..)) | None => None,
                own => own,
            };
            if let (None, Some(Wanted::Text(_)), Name::Key(key)) = (like, &own, child.name) {
                like = Some(key.kind());
            }
            let names = [
                own,
                Some(Wanted::Nth(nth)),
                Some(Wanted::At(child.value.offset())),
            ];
            for name in names.into_iter().flatten() {
                if let Some((_, found)) = wanted.get_mut(&name) {
                    // If a key is repeated, the last one counts.
                    *found = Some(child);
                }
            }
            if !new_keys.is_empty() {
                clashes.extend(new_keys.find(child).map(|edit| (child.start(), edit)));
            }
            nth += 1;
        }
        if let (true, Some(newest)) = (to_end, newest) {
            end = newest.end().map_err(refuse)?;
        }
        Ok((end, like, clashes))
    }

    /// Does what is to be done to a child of a container.
    fn act(
        &mut self,
        container: Container<'a>,
        goal: Goal<'e>,
        place: Place<'_, 'e, 'a>,
        new_keys: &mut NewKeys,
    ) -> Result<(), Error> {
        let edit = goal.edit;
        let depth = container.value.depth();
        self.expect(goal, container, place.found)?;
        match (goal.act, place.found) {
            (Act::Set(new), Some(found)) => {
                self.check(container, Some(found.name), new, edit)?;
                self.replace(edit, found.value, new)
            }
            (Act::Insert(new), Some(found)) if container.is_array() => {
                self.check(container, None, new, edit)?;
                self.add(edit, found.start(), depth, new.into(), container);
                Ok(())
            }
            (Act::Set(new) | Act::Insert(new), None) => {
                let mut pair = place.new_head(container, goal, new_keys)?;
                let name = self.key_of(container, &pair);
                self.check(container, name, new, edit)?;
                pair.extend_from_slice(new);
                self.add(edit, place.end, depth, pair.into(), container);
                Ok(())
            }
            (Act::Insert(_), Some(found)) => {
                let at = found.start();
                Err(Error::new(edit, at, EditErrorKind::KeyExists))
            }
            (Act::Remove | Act::Take, Some(found)) => {
                let at = found.start();
                let end = found.value.end().map_err(|error| read(edit, error))?;
                let count = Some((container.count_at, Grows::Less));
                self.splice(edit, at..end, depth, Cow::Borrowed(&[]), count);
                if matches!(goal.act, Act::Take) {
                    let child = found;
                    self.taken.insert(edit, Taken { child, container });
                }
                Ok(())
            }
            (Act::RenameKey(new), Some(found)) if !container.is_array() => {
                let at = found.start();
                let key = self.new_key(container, new, edit)?;
                let head = head(container, key).map_err(|kind| Error::new(edit, at, kind))?;
                let end = found.value.offset();
                self.splice(edit, at..end, depth, head.into(), None);
                Ok(())
            }
            (Act::Put, found) => self.put(container, goal, found, place, new_keys),
            _ => Err(nowhere(container, goal)),
        }
    }

    /// A key that is given as bytes, if the dictionary admits it.
    fn new_key<'k>(
        &self,
        container: Container<'a>,
        bytes: &'k [u8],
        edit: usize,
    ) -> Result<VariantRef<'k>, Error> {
        let at = container.value.offset();
        let depth = container.value.depth().saturating_add(1);
        let key = check::value(bytes, self.options, depth);
        let key = key.map_err(|kind| Error::new(edit, at, kind))?;
        let kind = key.kind();
        if container.is_object() && key.as_text().is_none() {
            return Err(Error::new(edit, at, EditErrorKind::NotAName { kind }));
        }
        if !container.key_type().admits(kind) {
            return Err(Error::new(edit, at, EditErrorKind::KeyType { kind }));
        }
        Ok(key)
    }

    /// A name for the checks of a new child, from the bytes of its key.
    fn key_of<'k>(&self, container: Container<'a>, head: &'k [u8]) -> Option<Name<'k>> {
        if !container.is_dict() {
            return None;
        }
        let document = Document::with_options(head, self.options);
        document.root().ok().map(Name::Key)
    }

    /// Checks that a value may become a child of a container.
    fn check(
        &self,
        container: Container<'a>,
        name: Option<Name<'_>>,
        value: &[u8],
        edit: usize,
    ) -> Result<(), Error> {
        let depth = container.value.depth().saturating_add(1);
        let new = check::value(value, self.options, depth)
            .and_then(|value| check::admits(container, name, value));
        if let (Some(Name::Key(key)), true) = (name, container.is_dict()) {
            if !container.key_type().admits(key.kind()) {
                let kind = EditErrorKind::KeyType { kind: key.kind() };
                return Err(Error::new(edit, container.value.offset(), kind));
            }
        }
        new.map_err(|kind| Error::new(edit, container.value.offset(), kind))
    }

    fn replace(&mut self, edit: usize, old: VariantRef<'a>, new: &'e [u8]) -> Result<(), Error> {
        let end = old.end().map_err(|error| read(edit, error))?;
        self.splice(edit, old.offset()..end, old.depth(), new.into(), None);
        Ok(())
    }

    fn splice(
        &mut self,
        edit: usize,
        span: std::ops::Range<usize>,
        depth: u16,
        bytes: Cow<'e, [u8]>,
        count: Option<(usize, Grows)>,
    ) {
        self.splices.push(Splice {
            start: span.start,
            end: span.end.min(self.bytes.len()),
            bytes,
            depth,
            edit,
            count,
        });
    }

    fn add(
        &mut self,
        edit: usize,
        at: usize,
        depth: u16,
        bytes: Cow<'e, [u8]>,
        container: Container<'a>,
    ) {
        let count = Some((container.count_at, Grows::More));
        self.splice(edit, at..at, depth, bytes, count);
    }
}

/// The place a path leads to in its last step.
#[derive(Clone, Copy)]
struct Place<'w, 'e, 'a> {
    wish: &'w Wanted<'e>,
    found: Option<Child<'a>>,
    /// The place where the container ends.
    end: usize,
    /// The type of its text keys.
    like: Option<Kind>,
}

impl<'e> Place<'_, 'e, '_> {
    /// The bytes in front of a new child that the path names: nothing in an array, else its key.
    fn new_head(
        self,
        container: Container<'_>,
        goal: Goal<'e>,
        new_keys: &mut NewKeys,
    ) -> Result<Vec<u8>, Error> {
        match self.wish {
            Wanted::Nth(nth) if container.is_array() && *nth == container.len => Ok(Vec::new()),
            wish @ (Wanted::Text(_) | Wanted::Int(_)) if container.is_dict() => {
                if let Wanted::Text(text) = wish {
                    refuse_shortened(container, text, goal.edit)?;
                }
                if !new_keys.add_wanted(wish, goal.edit) {
                    let at = container.value.offset();
                    return Err(Error::new(goal.edit, at, EditErrorKind::KeyExists));
                }
                Ok(match wish {
                    Wanted::Text(text) => key::text_key(container.value.dialect(), text, self.like),
                    Wanted::Int(int) => key::int_key(*int),
                    _ => Vec::new(),
                })
            }
            _ => Err(nowhere(container, goal)),
        }
    }
}

/// Refuses a new key that is a key of the dictionary as messages show it: with `…` for a part of it.
fn refuse_shortened(container: Container<'_>, new: &[u8], edit: usize) -> Result<(), Error> {
    let mark = "…".as_bytes();
    let mut places = new.windows(mark.len());
    let Some(at) = places.position(|part| part == mark) else {
        return Ok(());
    };
    let (start, end) = (&new[..at], &new[at + mark.len()..]);
    if start.is_empty() && end.is_empty() {
        return Ok(());
    }
    let mut children = container.children();
    while let Some(child) = children.try_next().map_err(|error| read(edit, error))? {
        let Some(Wanted::Text(key)) = Wanted::of_child(child) else {
            continue;
        };
        let rest = key.strip_prefix(start);
        if rest.is_some_and(|rest| rest.ends_with(end)) {
            let at = child.value.offset();
            return Err(Error::new(edit, at, EditErrorKind::Shortened));
        }
    }
    Ok(())
}

/// The bytes in front of a value in a dictionary or object: its key, or its name.
fn head(container: Container<'_>, key: VariantRef<'_>) -> Result<Vec<u8>, EditErrorKind> {
    match key.as_text() {
        Some(name) if container.is_object() => Ok(key::field(name.raw())),
        _ => Ok(key.raw().map_err(EditErrorKind::Value)?.to_vec()),
    }
}

fn nowhere(container: Container<'_>, goal: Goal<'_>) -> Error {
    let (step, kind, len) = (goal.taken, container.value.kind(), container.len);
    let kind = EditErrorKind::NoPlace { step, kind, len };
    Error::new(goal.edit, container.value.offset(), kind)
}
