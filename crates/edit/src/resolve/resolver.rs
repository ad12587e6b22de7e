//! [`Resolver`]: the state of the walk, and the errors that all of its parts report.

use std::collections::HashMap;

use gdvar_view::{Path, ReadOptions};

use super::op::{Op, TargetPath};
use crate::{
    container::{Child, Container},
    error::{EditErrorKind, Error},
    plan::Splice,
};

pub(super) struct Resolver<'a, 'e> {
    pub(super) ops: &'e [Op],
    pub(super) bytes: &'a [u8],
    pub(super) options: ReadOptions,
    pub(super) splices: Vec<Splice<'e>>,
    pub(super) taken: HashMap<usize, TakenChild<'a>>,
    pub(super) puts: Vec<Put<'a>>,
    pub(super) paths: Vec<Path<'e>>,
}

/// A pair or element that a move removes.
#[derive(Clone, Copy)]
pub(super) struct TakenChild<'a> {
    pub(super) child: Child<'a>,
    pub(super) container: Container<'a>,
}

/// The destination of a move.
pub(super) struct Put<'a> {
    pub(super) edit: usize,
    pub(super) at: usize,
    pub(super) container: Container<'a>,
    /// A new key; `None` if the pair keeps its key.
    pub(super) key: Option<Vec<u8>>,
    pub(super) nth: bool,
}

pub(super) fn read(edit: usize, error: gdvar_view::Error) -> Error {
    Error::new(edit, error.offset(), EditErrorKind::Read(error))
}

pub(super) fn nowhere(container: Container<'_>, target: TargetPath<'_>) -> Error {
    let (step, kind, len) = (target.taken, container.value.kind(), container.len);
    let kind = EditErrorKind::NoPlace { step, kind, len };
    Error::new(target.edit, container.value.offset(), kind)
}
