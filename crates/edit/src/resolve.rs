//! Turns paths into byte ranges, in one walk over each container on the way to an edit.

mod child_slot;
mod expect;
mod group;
mod moves;
mod op;
mod parts;
mod repeated;
mod resolver;

use std::{
    borrow::Cow,
    collections::{HashMap, HashSet},
};

use gdvar_view::{Document, Path, Step, VariantRef};

use crate::{
    check,
    container::{Container, Name},
    error::{EditErrorKind, Error},
    key::{self, KeyQuery, NewKeys},
    lookup::Lookup,
    plan::{Grows, Splice},
};
use child_slot::ChildSlot;
use group::{Group, Wanted, group, walk};
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
    /// Follows all paths that lead through `value` by one more step.
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
        let mut lookup = Lookup::default();
        let mut groups: Vec<Group<'e>> = Vec::new();
        let mut addable: HashMap<KeyQuery<'e>, Vec<usize>> = HashMap::new();
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
                let pair = Step::PairValue(u32::try_from(before).unwrap_or(u32::MAX));
                group(&mut groups, &mut lookup, container, pair);
            }
        }
        for target in below {
            let step = target.step.ok_or_else(|| nowhere(container, target))?;
            let own = group(&mut groups, &mut lookup, container, step);
            let own = own.ok_or_else(|| nowhere(container, target))?;
            if target.adds_a_key(container) && !own.adds {
                own.adds = true;
                let key = KeyQuery::of_new(step, container.value.dialect());
                if let Some(key) = key {
                    addable.entry(key).or_default().push(target.edit);
                }
            }
            if let (Action::RenameKey(key), true) = (target.action, target.is_last) {
                let key = self.new_key(container, key, target.edit)?;
                let raw = key.raw().map_err(|error| read(target.edit, error))?;
                if !new_keys.add(key, raw, target.edit) {
                    return Err(Error::new(target.edit, at, EditErrorKind::KeyExists));
                }
            }
            own.targets.push(target);
        }
        let first = groups.iter().flat_map(|group| &group.targets);
        let first = first.chain(&inside).map(|target| target.edit).min();
        let appends = |target: &TargetPath<'_>| matches!(target.action, Action::Append(_));
        let wanted = Wanted {
            new_keys: &new_keys,
            addable: &addable,
            end: inside.iter().any(appends),
        };
        let walked = walk(container, &mut lookup, &wanted);
        let walked = walked.map_err(|error| read(first.unwrap_or_default(), error))?;
        let end = walked.end;
        let mut gone = HashSet::new();
        let mut added = HashSet::new();
        let mut leaving = Vec::new();
        groups.sort_by_key(|group| group.targets.first().map(|target| target.edit));
        let mut starts = HashMap::new();
        for Group {
            number,
            nth,
            targets,
            ..
        } in groups
        {
            let found = lookup.found(number);
            if let (Some(nth), Some(found)) = (nth, found) {
                starts.insert(nth, found.start());
            }
            let mut deeper = Vec::new();
            for target in targets {
                if found.is_none() {
                    added.insert(target.edit);
                }
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
                    nth,
                    found,
                    end,
                    like: walked.like,
                };
                self.act(container, target, place, &mut new_keys)?;
            }
            if let (Some(found), false) = (found, deeper.is_empty()) {
                open.push((found.value, deeper));
            }
        }
        repeated::check(container, &leaving)?;
        let mut clashes = walked.clashes.iter();
        let clash = clashes.find(|(start, edit, is_new)| {
            !gone.contains(start) && (*is_new || added.contains(edit))
        });
        if let Some((_, edit, _)) = clash {
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

    /// Records the splices of one action on a child of a container.
    fn act(
        &mut self,
        container: Container<'a>,
        target: TargetPath<'e>,
        place: ChildSlot<'a>,
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

    /// Returns the key at the start of `head`, so that a new child in a dictionary can be checked.
    /// `None` if the container is not a dictionary.
    fn key_of<'k>(&self, container: Container<'a>, head: &'k [u8]) -> Option<Name<'k>> {
        if !container.is_dict() {
            return None;
        }
        let document = Document::with_options(head, self.options);
        document.root().ok().map(Name::Key)
    }

    /// Checks that `container` may hold a new value.
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

/// Returns the bytes that precede a value in its container: the key in a dictionary, the name in
/// an object.
fn head(container: Container<'_>, key: VariantRef<'_>) -> Result<Vec<u8>, EditErrorKind> {
    match key.as_text() {
        Some(name) if container.is_object() => Ok(key::field(name.raw())),
        _ => Ok(key.raw().map_err(EditErrorKind::Value)?.to_vec()),
    }
}
