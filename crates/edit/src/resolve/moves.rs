//! Moves: a value is removed at one place and inserted at another.

use std::borrow::Cow;

use gdvar_view::Step;

use super::{
    child_slot::ChildSlot,
    op::TargetPath,
    resolver::{Put, Resolver, nowhere, read},
};
use crate::{
    container::{Child, Container},
    error::{EditErrorKind, Error},
    key::NewKeys,
};

impl<'a: 'e, 'e> Resolver<'a, 'e> {
    /// Records the destination of a move. Its value becomes known only after all paths have been
    /// followed.
    pub(super) fn put(
        &mut self,
        container: Container<'a>,
        target: TargetPath<'e>,
        found: Option<Child<'a>>,
        place: ChildSlot<'a>,
        new_keys: &mut NewKeys,
    ) -> Result<(), Error> {
        let nth = matches!(target.step, Some(Step::PairValue(_)));
        let (at, key) = match found {
            Some(found) if container.is_array() || nth => (found.start(), None),
            Some(found) => {
                let at = found.start();
                return Err(Error::new(target.edit, at, EditErrorKind::KeyExists));
            }
            None if container.is_array() || nth => match place.nth {
                Some(nth) if nth == container.len => (place.end, None),
                _ => return Err(nowhere(container, target)),
            },
            None => (
                place.end,
                Some(place.new_head(container, target, new_keys)?),
            ),
        };
        self.puts.push(Put {
            edit: target.edit,
            at,
            container,
            key,
            nth,
        });
        Ok(())
    }

    pub(super) fn put_all(&mut self) -> Result<(), Error> {
        for put in std::mem::take(&mut self.puts) {
            let Some(taken) = self.taken.get(&put.edit).copied() else {
                continue;
            };
            let edit = put.edit;
            let bytes = self.bytes;
            let value = taken.child.value;
            let raw = value.raw().map_err(|error| read(edit, error))?;
            let new = match &put.key {
                Some(head) => [head, raw].concat().into(),
                // A move between pair indices keeps the key, which is possible only within one
                // dictionary.
                None if put.nth => {
                    if taken.container.count_at != put.container.count_at {
                        let (step, kind) = (0, put.container.value.kind());
                        let len = put.container.len;
                        let kind = EditErrorKind::NoPlace { step, kind, len };
                        return Err(Error::new(edit, put.at, kind));
                    }
                    let pair = taken.child.raw(bytes).map_err(|error| read(edit, error))?;
                    Cow::Borrowed(pair)
                }
                None => Cow::Borrowed(raw),
            };
            if !put.nth {
                let name = put.key.as_deref();
                let name = name.and_then(|head| self.key_of(put.container, head));
                self.check(put.container, name, raw, edit)?;
            }
            let depth = put.container.value.depth();
            self.add(edit, put.at, depth, new, put.container);
        }
        Ok(())
    }
}
