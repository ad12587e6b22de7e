//! Turns paths into byte ranges, in one walk over each container on the way to an edit.

mod child_slot;
mod expect;
mod moves;
mod op;
mod parts;
mod repeated;
mod resolver;

use std::{borrow::Cow, collections::HashMap};

use gdvar_view::{Document, Kind, Path, Step, VariantRef};

use crate::{
    check,
    container::{Child, Container, Name},
    error::{EditErrorKind, Error},
    key::{self, KeyQuery, NewKeys, unescaped},
    plan::{Grows, Splice},
};
use child_slot::ChildSlot;
use op::{Action, TargetPath};
pub(crate) use op::{ChildBytes, Op};
use resolver::{Resolver, TakenChild, nowhere, read};

/// Returns the byte ranges that the edits replace, before container counts are adjusted.
pub(crate) fn splices<'e>(document: Document<'e>, ops: &'e [Op]) -> Result<Vec<Splice<'e>>, Error> {
    let mut paths = Vec::with_capacity(ops.len());
    for (edit, op) in ops.iter().enumerate() {
        let parse = |text| {
            let refuse = |error| Error::new(edit, 0, EditErrorKind::Path(error));
            Path::parse(text).map_err(refuse)
        };
        match op {
            Op::Set { path, value, .. } => paths.push((edit, Action::Set(value), parse(path)?)),
            Op::Insert { path, value, .. } => {
                paths.push((edit, Action::Insert(value), parse(path)?));
            }
            Op::InsertPair {
                path,
                before,
                key,
                value,
            } => paths.push((edit, Action::InsertPair(*before, key, value), parse(path)?)),
            Op::Append { path, value } => paths.push((edit, Action::Append(value), parse(path)?)),
            Op::Remove { path, .. } => paths.push((edit, Action::Remove, parse(path)?)),
            Op::RenameKey { path, key } => paths.push((edit, Action::RenameKey(key), parse(path)?)),
            Op::Move { from, to, .. } => {
                paths.push((edit, Action::Take, parse(from)?));
                paths.push((edit, Action::Put, parse(to)?));
            }
        }
    }
    let targets = paths.iter().enumerate().map(|(n, (edit, action, path))| {
        let target = TargetPath {
            edit: *edit,
            action: *action,
            path: n,
            taken: 0,
            step: None,
            is_last: false,
        };
        target.at(0, path)
    });
    let targets: Vec<_> = targets.collect();
    let mut resolver = Resolver {
        ops,
        bytes: document.bytes(),
        options: document.options(),
        splices: Vec::new(),
        taken: HashMap::new(),
        puts: Vec::new(),
        paths: paths.into_iter().map(|(_, _, path)| path).collect(),
    };
    if let Some(first) = targets.first() {
        let root = document.root().map_err(|error| read(first.edit, error))?;
        let mut open = vec![(root, targets)];
        while let Some((value, targets)) = open.pop() {
            resolver.visit(value, targets, &mut open)?;
        }
    }
    resolver.put_all()?;
    Ok(resolver.splices)
}

impl<'a: 'e, 'e> Resolver<'a, 'e> {
    /// Takes the next step of all paths that lead through `value`.
    fn visit(
        &mut self,
        value: VariantRef<'a>,
        targets: Vec<TargetPath<'e>>,
        open: &mut Vec<(VariantRef<'a>, Vec<TargetPath<'e>>)>,
    ) -> Result<(), Error> {
        let Some(first) = targets.first().copied() else {
            return Ok(());
        };
        let container = Container::of(value).map_err(|error| read(first.edit, error))?;
        let mut inside = Vec::new();
        let mut below = Vec::new();
        for target in targets {
            match (target.step, target.action) {
                (Some(_), _) => below.push(target),
                (None, action) if action.is_inside() => inside.push(target),
                (None, Action::Set(new)) => {
                    self.expect_value(target.edit, value)?;
                    check::value(new, self.options, 0)
                        .map_err(|kind| Error::new(target.edit, value.offset(), kind))?;
                    self.replace(target.edit, value, new)?;
                }
                (None, _) => {
                    return Err(Error::new(
                        target.edit,
                        value.offset(),
                        EditErrorKind::Outermost,
                    ));
                }
            }
        }
        let Some(container) = container else {
            below = self.parts(value, below)?;
            let (target, kind) = match (below.first(), inside.first()) {
                (Some(target), _) => {
                    let (step, kind) = (target.taken, value.kind());
                    (target, EditErrorKind::NoPlace { step, kind, len: 0 })
                }
                (None, Some(target)) => {
                    (target, EditErrorKind::NotAContainer { kind: value.kind() })
                }
                (None, None) => return Ok(()),
            };
            return Err(Error::new(target.edit, value.offset(), kind));
        };
        self.container(container, inside, below, open)
    }

    fn container(
        &mut self,
        container: Container<'a>,
        inside: Vec<TargetPath<'e>>,
        below: Vec<TargetPath<'e>>,
        open: &mut Vec<(VariantRef<'a>, Vec<TargetPath<'e>>)>,
    ) -> Result<(), Error> {
        let at = container.value.offset();
        let mut new_keys = NewKeys::default();
        let mut queries: HashMap<KeyQuery<'e>, (Vec<TargetPath<'e>>, Option<Child<'a>>)> =
            HashMap::new();
        for target in &inside {
            if let Action::InsertPair(before, key, _) = target.action {
                if container.is_array() {
                    let kind = container.value.kind();
                    return Err(Error::new(
                        target.edit,
                        at,
                        EditErrorKind::NotAContainer { kind },
                    ));
                }
                let key = self.new_key(container, key, target.edit)?;
                let raw = key.raw().map_err(|error| read(target.edit, error))?;
                if !new_keys.add(key, raw, target.edit) {
                    return Err(Error::new(target.edit, at, EditErrorKind::KeyExists));
                }
                queries.entry(KeyQuery::Nth(before)).or_default();
            }
        }
        for target in below {
            let query = self.query(container, target)?;
            if let (Action::RenameKey(key), true) = (target.action, target.is_last) {
                let key = self.new_key(container, key, target.edit)?;
                let raw = key.raw().map_err(|error| read(target.edit, error))?;
                if !new_keys.add(key, raw, target.edit) {
                    return Err(Error::new(target.edit, at, EditErrorKind::KeyExists));
                }
            }
            queries.entry(query).or_default().0.push(target);
        }
        let (end, like, clashes) = self.find(container, &mut queries, &new_keys, &inside)?;
        let mut gone = std::collections::HashSet::new();
        let mut leaving = Vec::new();
        let mut groups: Vec<_> = queries.into_iter().collect();
        // A map has no order; restore the order of the edits.
        groups.sort_by_key(|(_, (targets, _))| targets.first().map(|target| target.edit));
        let mut starts = HashMap::new();
        for (query, (targets, found)) in groups {
            if let (KeyQuery::Nth(nth), Some(found)) = (&query, found) {
                starts.insert(*nth, found.start());
            }
            let mut deeper = Vec::new();
            for target in targets {
                if !target.is_last || target.action.is_inside() {
                    if found.is_none() {
                        return Err(nowhere(container, target));
                    }
                    let path = self
                        .paths
                        .get(target.path)
                        .ok_or_else(|| nowhere(container, target))?;
                    deeper.push(target.at(target.taken + 1, path));
                    continue;
                }
                if let (Action::Remove | Action::Take | Action::RenameKey(_), Some(found)) =
                    (target.action, found)
                {
                    gone.insert(found.start());
                    leaving.push((found, target.edit));
                }
                let place = ChildSlot {
                    query: &query,
                    found,
                    end,
                    like,
                };
                self.act(container, target, place, &mut new_keys)?;
            }
            if let (Some(found), false) = (found, deeper.is_empty()) {
                open.push((found.value, deeper));
            }
        }
        repeated::check(container, &leaving)?;
        if let Some((_, edit)) = clashes.iter().find(|(start, _)| !gone.contains(start)) {
            return Err(Error::new(*edit, at, EditErrorKind::KeyExists));
        }
        for target in inside {
            let depth = container.value.depth();
            match target.action {
                Action::Append(value) => {
                    if !container.is_array() {
                        let kind = container.value.kind();
                        return Err(Error::new(
                            target.edit,
                            at,
                            EditErrorKind::NotAContainer { kind },
                        ));
                    }
                    self.check(container, None, value, target.edit)?;
                    self.add(target.edit, end, depth, value.into(), container);
                }
                Action::InsertPair(before, key, value) => {
                    let place = match starts.get(&before) {
                        Some(start) => *start,
                        None if before >= container.len => end,
                        None => return Err(nowhere(container, target)),
                    };
                    let key = self.new_key(container, key, target.edit)?;
                    self.check(container, Some(Name::Key(key)), value, target.edit)?;
                    let mut pair =
                        head(container, key).map_err(|kind| Error::new(target.edit, at, kind))?;
                    pair.extend_from_slice(value);
                    self.add(target.edit, place, depth, pair.into(), container);
                }
                _ => {}
            }
        }
        Ok(())
    }

    /// Returns what the next step of a path looks for in a container.
    fn query(
        &self,
        container: Container<'a>,
        target: TargetPath<'e>,
    ) -> Result<KeyQuery<'e>, Error> {
        let step = target.step.ok_or_else(|| nowhere(container, target))?;
        let len = container.len;
        Ok(match step {
            Step::Name(name) if !container.is_array() => KeyQuery::Text(unescaped(name)),
            Step::Index(index) if container.is_array() => {
                let nth = if index < 0 { index + len as i64 } else { index };
                let nth = usize::try_from(nth).map_err(|_| nowhere(container, target))?;
                KeyQuery::Nth(nth)
            }
            Step::Index(index) if container.is_dict() => KeyQuery::Int(index),
            Step::PairValue(nth) if !container.is_array() => KeyQuery::Nth(nth as usize),
            Step::PairKey(_) => return Err(nowhere(container, target)),
            _ => {
                let value = container.value.take_step(step);
                let value = value.map_err(|error| read(target.edit, error))?;
                let value = value.ok_or_else(|| nowhere(container, target))?;
                KeyQuery::At(value.offset())
            }
        })
    }

    /// Walks over the children once and fills in what is looked for. Returns the end of the container, the
    /// type of its text keys, and the children whose keys are among the new ones.
    #[expect(clippy::type_complexity, reason = "three answers of one walk")]
    fn find(
        &self,
        container: Container<'a>,
        queries: &mut HashMap<KeyQuery<'e>, (Vec<TargetPath<'e>>, Option<Child<'a>>)>,
        new_keys: &NewKeys,
        inside: &[TargetPath<'e>],
    ) -> Result<(usize, Option<Kind>, Vec<(usize, usize)>), Error> {
        let targets = queries
            .values()
            .flat_map(|(targets, _)| targets)
            .chain(inside);
        let first = targets.map(|target| target.edit).min().unwrap_or_default();
        let refuse = |error| read(first, error);
        let mut like = match container.key_type() {
            gdvar_view::ElementType::Builtin(_, kind) => kind,
            _ => None,
        };
        let mut clashes = Vec::new();
        let mut children = container.children();
        let mut end = container.count_at + 4;
        // The walk stops after the last requested element, unless the array's end is needed.
        let to_end = !container.is_array()
            || inside
                .iter()
                .any(|target| matches!(target.action, Action::Append(_)))
            || queries.keys().any(|one| match one {
                KeyQuery::Nth(nth) => *nth >= container.len,
                _ => true,
            });
        let last = queries.keys().filter_map(|one| match one {
            KeyQuery::Nth(nth) => Some(*nth),
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
            let own = match KeyQuery::of_child(child) {
                Some(KeyQuery::Exact(..)) | None => None,
                own => own,
            };
            if let (None, Some(KeyQuery::Text(_)), Name::Key(key)) = (like, &own, child.name) {
                like = Some(key.kind());
            }
            let names = [
                own,
                Some(KeyQuery::Nth(nth)),
                Some(KeyQuery::At(child.value.offset())),
            ];
            for name in names.into_iter().flatten() {
                if let Some((_, found)) = queries.get_mut(&name) {
                    // The last of repeated keys is the one that engines keep.
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

    /// Applies an action to a child of a container.
    fn act(
        &mut self,
        container: Container<'a>,
        target: TargetPath<'e>,
        place: ChildSlot<'_, 'e, 'a>,
        new_keys: &mut NewKeys,
    ) -> Result<(), Error> {
        let edit = target.edit;
        let depth = container.value.depth();
        self.expect(target, container, place.found)?;
        match (target.action, place.found) {
            (Action::Set(new), Some(found)) => {
                self.check(container, Some(found.name), new, edit)?;
                self.replace(edit, found.value, new)
            }
            (Action::Insert(new), Some(found)) if container.is_array() => {
                self.check(container, None, new, edit)?;
                self.add(edit, found.start(), depth, new.into(), container);
                Ok(())
            }
            (Action::Set(new) | Action::Insert(new), None) => {
                let mut pair = place.new_head(container, target, new_keys)?;
                let name = self.key_of(container, &pair);
                self.check(container, name, new, edit)?;
                pair.extend_from_slice(new);
                self.add(edit, place.end, depth, pair.into(), container);
                Ok(())
            }
            (Action::Insert(_), Some(found)) => {
                let at = found.start();
                Err(Error::new(edit, at, EditErrorKind::KeyExists))
            }
            (Action::Remove | Action::Take, Some(found)) => {
                let at = found.start();
                let end = found.value.end().map_err(|error| read(edit, error))?;
                let count = Some((container.count_at, Grows::Less));
                self.splice(edit, at..end, depth, Cow::Borrowed(&[]), count);
                if matches!(target.action, Action::Take) {
                    let child = found;
                    self.taken.insert(edit, TakenChild { child, container });
                }
                Ok(())
            }
            (Action::RenameKey(new), Some(found)) if !container.is_array() => {
                let at = found.start();
                let key = self.new_key(container, new, edit)?;
                let head = head(container, key).map_err(|kind| Error::new(edit, at, kind))?;
                let end = found.value.offset();
                self.splice(edit, at..end, depth, head.into(), None);
                Ok(())
            }
            (Action::Put, found) => self.put(container, target, found, place, new_keys),
            _ => Err(nowhere(container, target)),
        }
    }

    /// Reads a key given as bytes, and checks that the container admits it.
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

    /// Returns the key at the start of `head` for the checks of a new child in a dictionary.
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

/// Returns the bytes before a value in a dictionary or object: its key or its name.
fn head(container: Container<'_>, key: VariantRef<'_>) -> Result<Vec<u8>, EditErrorKind> {
    match key.as_text() {
        Some(name) if container.is_object() => Ok(key::field(name.raw())),
        _ => Ok(key.raw().map_err(EditErrorKind::Value)?.to_vec()),
    }
}
