//! [`PatchEntry`]: one difference in a patch, with the old and new contents.

use gdvar_view::{Dialect, Document, Error as ReadError, Kind, Objects, ReadOptions};

use crate::{
    container::{Child, Name},
    diff::{Change, Difference},
    key, path_builder,
    resolve::{ChildBytes, Op},
};

/// The position of a child in a container.
#[derive(Clone, Debug)]
pub(super) struct At {
    /// The path of the container.
    pub(super) container: String,
    /// The index of the child.
    pub(super) nth: usize,
    /// The number of children of the container.
    pub(super) of: usize,
}

impl At {
    /// Returns the path of child `nth`.
    fn path(&self, nth: usize, is_array: bool) -> String {
        let container = &self.container;
        match is_array {
            true => format!("{container}[{nth}]"),
            false => format!("{container}{{{nth}}}"),
        }
    }
}

/// A difference. All indices refer to the old value.
#[derive(Clone, Debug)]
pub(super) enum PatchEntry {
    /// The value changed.
    Set {
        path: String,
        from: Vec<u8>,
        to: Vec<u8>,
    },
    /// A child was added before the old child `at`.
    Added { at: At, new: ChildBytes },
    /// A child was removed.
    Removed { at: At, old: ChildBytes },
    /// A child moved to the place before the old child `to`.
    Moved { at: At, to: usize, old: ChildBytes },
}

impl PatchEntry {
    /// Copies a difference into an entry.
    pub(super) fn of(one: &Difference<'_>) -> Result<PatchEntry, ReadError> {
        let place = one.anchor();
        let at = |nth| At {
            container: place.container.clone(),
            nth,
            of: place.of,
        };
        Ok(match one.change() {
            Change::Set { from, to } => PatchEntry::Set {
                path: one.path().to_owned(),
                from: from.raw()?.to_vec(),
                to: to.raw()?.to_vec(),
            },
            Change::Added { .. } => PatchEntry::Added {
                at: at(place.before),
                new: child(place.child)?,
            },
            Change::Removed { .. } => PatchEntry::Removed {
                at: at(place.nth),
                old: child(place.child)?,
            },
            Change::Moved { .. } => PatchEntry::Moved {
                at: at(place.nth),
                to: place.before,
                old: child(place.child)?,
            },
        })
    }

    /// Returns the edit that applies the entry. If `checked`, the edit is refused where the old
    /// contents differ.
    pub(super) fn op(&self, dialect: Dialect, checked: bool) -> Op {
        let of = |at: &At| checked.then_some(at.of);
        let was = |was: &ChildBytes| checked.then(|| was.clone());
        match self {
            PatchEntry::Set { path, from, to } => Op::Set {
                path: path.clone(),
                value: to.clone(),
                was: checked.then(|| from.clone()),
            },
            PatchEntry::Added { at, new } => match &new.key {
                None => Op::Insert {
                    path: at.path(at.nth, true),
                    value: new.value.clone(),
                    of: of(at),
                },
                Some(key) => Op::InsertPair {
                    path: at.container.clone(),
                    before: at.nth,
                    key: key.clone(),
                    value: new.value.clone(),
                },
            },
            PatchEntry::Removed { at, old } => Op::Remove {
                path: match &old.key {
                    None => at.path(at.nth, true),
                    // Addresses the child by its key if possible, because the pair may have
                    // another position.
                    Some(key) => at.container.clone() + &step(key, at.nth, dialect),
                },
                was: was(old),
                of: of(at),
            },
            PatchEntry::Moved { at, to, old } => Op::Move {
                from: at.path(at.nth, old.key.is_none()),
                to: at.path(*to, old.key.is_none()),
                was: was(old),
                of: of(at),
            },
        }
    }
}

/// Copies the bytes of a child.
fn child(child: Option<Child<'_>>) -> Result<ChildBytes, ReadError> {
    let Some(child) = child else {
        let (key, value) = (None, Vec::new());
        return Ok(ChildBytes { key, value });
    };
    let key = match child.name {
        Name::Place => None,
        Name::Key(key) => Some(key.raw()?.to_vec()),
        Name::Property(name) => {
            let dialect = child.value.dialect();
            Some(key::text_key(dialect, name.raw(), Some(Kind::String)))
        }
    };
    let value = child.value.raw()?.to_vec();
    Ok(ChildBytes { key, value })
}

/// Returns the path step to the value under `key`. If a path cannot express the key, returns the
/// step to pair `nth`.
fn step(key: &[u8], nth: usize, dialect: Dialect) -> String {
    let options = ReadOptions::new(dialect).with_objects(Objects::Inert);
    match Document::with_options(key, options).root() {
        Ok(key) => path_builder::step(Name::Key(key), nth),
        Err(_) => format!("{{{nth}}}"),
    }
}
