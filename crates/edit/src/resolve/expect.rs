//! Checks that the old values are the ones that a patch was made from.

use gdvar_view::{Kind, VariantRef};

use super::{
    op::{Action, Op, TargetPath},
    resolver::{Resolver, read},
};
use crate::{
    container::{Child, Container, Name},
    error::{EditErrorKind, Error},
    key,
};

impl<'a: 'e, 'e> Resolver<'a, 'e> {
    /// Checks the outermost value against the old value that the edit expects.
    pub(super) fn expect_value(&self, edit: usize, value: VariantRef<'a>) -> Result<(), Error> {
        let Some(Op::Set { was: Some(was), .. }) = self.ops.get(edit) else {
            return Ok(());
        };
        let raw = value.raw().map_err(|error| read(edit, error))?;
        if raw == was {
            return Ok(());
        }
        Err(Error::new(edit, value.offset(), EditErrorKind::Differs))
    }

    /// Checks a child and its container against what the edit expects.
    pub(super) fn expect(
        &self,
        target: TargetPath<'e>,
        container: Container<'a>,
        found: Option<Child<'a>>,
    ) -> Result<(), Error> {
        let edit = target.edit;
        let (was, of) = match self.ops.get(edit) {
            Some(Op::Set { .. }) => {
                return found.map_or(Ok(()), |found| self.expect_value(edit, found.value));
            }
            Some(Op::Insert { of, .. }) => (None, of),
            Some(Op::Remove { was, of, .. } | Op::Move { was, of, .. }) => (was.as_ref(), of),
            _ => return Ok(()),
        };
        let (at, len) = (container.value.offset(), container.len);
        if let Some(was) = of.filter(|of| *of != len && container.is_array()) {
            let kind = EditErrorKind::DiffersInLength { len, was };
            return Err(Error::new(edit, at, kind));
        }
        // A move may insert its value before any child, so the child here is not compared.
        let found = found.filter(|_| !matches!(target.action, Action::Put));
        let (Some(was), Some(found)) = (was, found) else {
            return Ok(());
        };
        let value = found.value.raw().map_err(|error| read(edit, error))?;
        let key = match found.name {
            Name::Place => None,
            Name::Key(key) => Some(key.raw().map_err(|error| read(edit, error))?.to_vec()),
            Name::Property(name) => {
                let dialect = found.value.dialect();
                Some(key::text_key(dialect, name.raw(), Some(Kind::String)))
            }
        };
        if value == was.value && key == was.key {
            return Ok(());
        }
        Err(Error::new(
            edit,
            found.value.offset(),
            EditErrorKind::Differs,
        ))
    }
}
