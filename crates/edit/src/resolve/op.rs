//! Changes as they are asked for, and how far their paths were followed.

use gdvar_view::{Path, Step};

use super::expect::Was;

/// A change, as it was asked for. Changes of a patch expect what was there when it was made: a value (`was`), and how
/// many children an array had (`of`).
#[derive(Clone, Debug)]
pub(crate) enum Op {
    Set {
        path: String,
        value: Vec<u8>,
        was: Option<Vec<u8>>,
    },
    Insert {
        path: String,
        value: Vec<u8>,
        of: Option<usize>,
    },
    InsertPair {
        path: String,
        before: usize,
        key: Vec<u8>,
        value: Vec<u8>,
    },
    Append {
        path: String,
        value: Vec<u8>,
    },
    Remove {
        path: String,
        was: Option<Was>,
        of: Option<usize>,
    },
    RenameKey {
        path: String,
        key: Vec<u8>,
    },
    Move {
        from: String,
        to: String,
        was: Option<Was>,
        of: Option<usize>,
    },
}

impl Op {
    /// The path at which it is made.
    pub(crate) fn path(&self) -> &str {
        match self {
            Op::Set { path, .. }
            | Op::Insert { path, .. }
            | Op::InsertPair { path, .. }
            | Op::Append { path, .. }
            | Op::Remove { path, .. }
            | Op::RenameKey { path, .. }
            | Op::Move { from: path, .. } => path,
        }
    }
}

/// The action at the end of a path.
#[derive(Clone, Copy, Debug)]
pub(super) enum Act<'e> {
    Set(&'e [u8]),
    Insert(&'e [u8]),
    InsertPair(usize, &'e [u8], &'e [u8]),
    Append(&'e [u8]),
    Remove,
    RenameKey(&'e [u8]),
    /// The first half of a move, and the second.
    Take,
    Put,
}

impl Act<'_> {
    /// Returns `true` if it is done to the container that the path leads to, and not to a child of the
    /// one before.
    pub(super) fn is_inside(self) -> bool {
        matches!(self, Act::Append(_) | Act::InsertPair(..))
    }
}

/// A path on its way.
#[derive(Clone, Copy)]
pub(super) struct Goal<'e> {
    pub(super) edit: usize,
    pub(super) act: Act<'e>,
    /// Its number.
    pub(super) path: usize,
    /// The number of its steps that were taken.
    pub(super) taken: usize,
    /// The next one.
    pub(super) step: Option<Step<'e>>,
    /// `true` if none comes behind that.
    pub(super) is_last: bool,
}

impl<'e> Goal<'e> {
    /// Behind so many steps.
    pub(super) fn at(self, taken: usize, path: &Path<'e>) -> Goal<'e> {
        Goal {
            taken,
            step: path.steps().get(taken).copied(),
            is_last: taken + 1 == path.steps().len(),
            ..self
        }
    }
}
