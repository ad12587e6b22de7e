//! One difference in a patch, with all that is needed to make it and to take it back.

use gdvar_view::{Dialect, Document, Kind, Objects, ReadOptions};

use crate::{
    ReadError,
    container::{Child, Name},
    diff::{Change, Difference},
    key,
    resolve::{Op, Was},
    trail,
};

/// A child of a container, or the place in front of one.
#[derive(Clone, Debug)]
pub(super) struct At {
    /// The path of the container.
    pub(super) container: String,
    /// The number of the child.
    pub(super) nth: usize,
    /// The number of children that the container has.
    pub(super) of: usize,
}

impl At {
    /// The path of the n-th child.
    fn path(&self, nth: usize, is_array: bool) -> String {
        let container = &self.container;
        match is_array {
            true => format!("{container}[{nth}]"),
            false => format!("{container}{{{nth}}}"),
        }
    }
}

/// A difference. All numbers are those of the old value.
#[derive(Clone, Debug)]
pub(super) enum Entry {
    /// Another value.
    Set {
        path: String,
        from: Vec<u8>,
        to: Vec<u8>,
    },
    /// A new child in front of another.
    Added { at: At, new: Was },
    /// A child that is gone.
    Removed { at: At, old: Was },
    /// A child that is now in front of the child `to`.
    Moved { at: At, to: usize, old: Was },
}

impl Entry {
    /// The entry of a difference.
    pub(super) fn of(one: &Difference<'_>) -> Result<Entry, ReadError> {
        let place = one.anchor();
        let at = |nth| At {
            container: place.container.clone(),
            nth,
            of: place.of,
        };
        Ok(match one.change() {
            Change::Set { from, to } => Entry::Set {
                path: one.path().to_owned(),
                from: from.raw()?.to_vec(),
                to: to.raw()?.to_vec(),
            },
            Change::Added { .. } => Entry::Added {
                at: at(place.before),
                new: child(place.child)?,
            },
            Change::Removed { .. } => Entry::Removed {
                at: at(place.nth),
                old: child(place.child)?,
            },
            Change::Moved { .. } => Entry::Moved {
                at: at(place.nth),
                to: place.before,
                old: child(place.child)?,
            },
        })
    }

    /// The edit that makes it; if `checked`, one that expects what was there.
    pub(super) fn op(&self, dialect: Dialect, checked: bool) -> Op {
        let of = |at: &At| checked.then_some(at.of);
        let was = |was: &Was| checked.then(|| was.clone());
        match self {
            Entry::Set { path, from, to } => Op::Set {
                path: path.clone(),
                value: to.clone(),
                was: checked.then(|| from.clone()),
            },
            Entry::Added { at, new } => match &new.key {
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
            Entry::Removed { at, old } => Op::Remove {
                path: match &old.key {
                    None => at.path(at.nth, true),
                    // By its key where a path can say that: the pair may be elsewhere by now.
                    Some(key) => at.container.clone() + &step(key, at.nth, dialect),
                },
                was: was(old),
                of: of(at),
            },
            Entry::Moved { at, to, old } => Op::Move {
                from: at.path(at.nth, old.key.is_none()),
                to: at.path(*to, old.key.is_none()),
                was: was(old),
                of: of(at),
            },
        }
    }
}

/// The bytes of a child.
fn child(child: Option<Child<'_>>) -> Result<Was, ReadError> {
    let Some(child) = child else {
        let (key, value) = (None, Vec::new());
        return Ok(Was { key, value });
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
    Ok(Was { key, value })
}

/// The step to the value under a key, or to the pair of that number.
fn step(key: &[u8], nth: usize, dialect: Dialect) -> String {
    let options = ReadOptions::new(dialect).with_objects(Objects::Inert);
    match Document::with_options(key, options).root() {
        Ok(key) => trail::step(Name::Key(key), nth),
        Err(_) => format!("{{{nth}}}"),
    }
}
