//! The requested changes, and the state of following their paths.

use gdvar_view::{Path, Step};

use crate::container::Container;

/// The bytes of one child of a container.
#[derive(Clone, Debug)]
pub(crate) struct ChildBytes {
    /// The bytes of its key, or of its property name as a String. `None` for an element.
    pub(crate) key: Option<Vec<u8>>,
    /// The bytes of its value.
    pub(crate) value: Vec<u8>,
}

/// A requested change. The changes of a patch also hold what they expect: the old contents (`was`) and the
/// number of children (`of`).
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
        was: Option<ChildBytes>,
        of: Option<usize>,
    },
    RenameKey {
        path: String,
        key: Vec<u8>,
    },
    Move {
        from: String,
        to: String,
        was: Option<ChildBytes>,
        of: Option<usize>,
    },
}

impl Op {
    /// Returns the new value, if the change brings one.
    pub(crate) fn new_value(&self) -> Option<&[u8]> {
        match self {
            Op::Set { value, .. }
            | Op::Insert { value, .. }
            | Op::InsertPair { value, .. }
            | Op::Append { value, .. } => Some(value),
            Op::Remove { .. } | Op::RenameKey { .. } | Op::Move { .. } => None,
        }
    }

    /// Returns the path that the change is made at.
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

/// What to do at the end of a path.
#[derive(Clone, Copy, Debug)]
pub(super) enum Action<'e> {
    Set(&'e [u8]),
    Insert(&'e [u8]),
    InsertPair(usize, &'e [u8], &'e [u8]),
    Append(&'e [u8]),
    Remove,
    RenameKey(&'e [u8]),
    /// The source of a move. `Put` is its destination.
    Take,
    Put,
}

impl Action<'_> {
    /// Returns `true` if the action adds a child inside the value that the path leads to. Other actions
    /// change the entry of that value in its parent.
    pub(super) fn is_inside(self) -> bool {
        matches!(self, Action::Append(_) | Action::InsertPair(..))
    }
}

/// A path that is being followed, and the action at its end.
#[derive(Clone, Copy)]
pub(super) struct TargetPath<'e> {
    pub(super) edit: usize,
    pub(super) action: Action<'e>,
    /// The index of the path.
    pub(super) path: usize,
    /// The number of steps that were taken.
    pub(super) taken: usize,
    /// The next step.
    pub(super) step: Option<Step<'e>>,
    /// `true` if `step` is the last step.
    pub(super) is_last: bool,
}

impl<'e> TargetPath<'e> {
    /// Returns the path after `taken` steps.
    pub(super) fn at(self, taken: usize, path: &Path<'e>) -> TargetPath<'e> {
        TargetPath {
            taken,
            step: path.steps().get(taken).copied(),
            is_last: taken + 1 == path.steps().len(),
            ..self
        }
    }

    /// Returns `true` if the last step adds a key to a Dictionary that may lack it, and the key has an explicit
    /// type. A plain name or an int needs no check: if it is not found it is certainly new.
    pub(super) fn adds_a_key(self, container: Container<'_>) -> bool {
        let is_key = matches!(
            self.step,
            Some(Step::String(_) | Step::StringName(_) | Step::Key(_))
        );
        let adds = matches!(
            self.action,
            Action::Set(_) | Action::Insert(_) | Action::Put
        );
        is_key && adds && self.is_last && container.is_dict()
    }
}
