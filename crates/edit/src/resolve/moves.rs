//! Moves: a value is taken away at one place and put at another.

use std::borrow::Cow;

use gdvar_view::Step;

use super::{Place, Resolver, nowhere, op::Goal, read};
use crate::{
    container::{Child, Container},
    error::{EditErrorKind, Error},
    key::{NewKeys, Wanted},
};

/// A pair or element that a move takes away.
#[derive(Clone, Copy)]
pub(super) struct Taken<'a> {
    pub(super) child: Child<'a>,
    pub(super) container: Container<'a>,
}

/// The place a move puts it at.
pub(super) struct Put<'a> {
    pub(super) edit: usize,
    pub(super) at: usize,
    pub(super) container: Container<'a>,
    /// A new key; else the pair keeps its own.
    pub(super) key: Option<Vec<u8>>,
    pub(super) nth: bool,
}

impl<'a: 'e, 'e> Resolver<'a, 'e> {
    /// Remembers where a move leads to; its value is known when all paths were followed.
    pub(super) fn put(
        &mut self,
        container: Container<'a>,
        goal: Goal<'e>,
        found: Option<Child<'a>>,
        place: Place<'_, 'e, 'a>,
        new_keys: &mut NewKeys,
    ) -> Result<(), Error> {
        let nth = matches!(goal.step, Some(Step::PairValue(_)));
        let (at, key) = match found {
            Some(found) if container.is_array() || nth => (found.start(), None),
            Some(found) => {
                let at = found.start();
                return Err(Error::new(goal.edit, at, EditErrorKind::KeyExists));
            }
            None if container.is_array() || nth => match place.wish {
                Wanted::Nth(nth) if *nth == container.len => (place.end, None),
                _ => return Err(nowhere(container, goal)),
            },
            None => (place.end, Some(place.new_head(container, goal, new_keys)?)),
        };
        self.puts.push(Put {
            edit: goal.edit,
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
                // A pair goes with its key, but only from one place of a dictionary to another.
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
