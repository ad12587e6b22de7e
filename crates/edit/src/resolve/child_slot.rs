//! [`ChildSlot`]: where the last step of a path leads, and the key of a new child there.

use gdvar_view::Kind;

use super::{
    op::TargetPath,
    resolver::{nowhere, read},
};
use crate::{
    container::{Child, Container},
    error::{EditErrorKind, Error},
    key::{self, KeyQuery, NewKeys},
};

/// Where the last step of a path leads.
#[derive(Clone, Copy)]
pub(super) struct ChildSlot<'w, 'e, 'a> {
    pub(super) query: &'w KeyQuery<'e>,
    pub(super) found: Option<Child<'a>>,
    /// The end of the container.
    pub(super) end: usize,
    /// The type of its text keys.
    pub(super) like: Option<Kind>,
}

impl<'e> ChildSlot<'_, 'e, '_> {
    /// Returns the bytes before a new child at the path: nothing in an array, the key in a dictionary, the name
    /// in an object.
    pub(super) fn new_head(
        self,
        container: Container<'_>,
        target: TargetPath<'e>,
        new_keys: &mut NewKeys,
    ) -> Result<Vec<u8>, Error> {
        match self.query {
            KeyQuery::Nth(nth) if container.is_array() && *nth == container.len => Ok(Vec::new()),
            query @ (KeyQuery::Text(_) | KeyQuery::Int(_)) if container.is_dict() => {
                if let KeyQuery::Text(text) = query {
                    refuse_shortened(container, text, target.edit)?;
                }
                if !new_keys.add_query(query, target.edit) {
                    let at = container.value.offset();
                    return Err(Error::new(target.edit, at, EditErrorKind::KeyExists));
                }
                Ok(match query {
                    KeyQuery::Text(text) => {
                        key::text_key(container.value.dialect(), text, self.like)
                    }
                    KeyQuery::Int(int) => key::int_key(*int),
                    _ => Vec::new(),
                })
            }
            query @ KeyQuery::Text(name) if container.is_object() => {
                refuse_shortened(container, name, target.edit)?;
                if !new_keys.add_query(query, target.edit) {
                    let at = container.value.offset();
                    return Err(Error::new(target.edit, at, EditErrorKind::KeyExists));
                }
                Ok(key::field(name))
            }
            _ => Err(nowhere(container, target)),
        }
    }
}

/// Refuses a new key that looks like an existing one as messages shorten it, with `…`.
fn refuse_shortened(container: Container<'_>, new: &[u8], edit: usize) -> Result<(), Error> {
    let mark = "…".as_bytes();
    let mut places = new.windows(mark.len());
    let Some(at) = places.position(|part| part == mark) else {
        return Ok(());
    };
    let (start, end) = (&new[..at], &new[at + mark.len()..]);
    if start.is_empty() && end.is_empty() {
        return Ok(());
    }
    let mut children = container.children();
    while let Some(child) = children.try_next().map_err(|error| read(edit, error))? {
        let Some(KeyQuery::Text(key)) = KeyQuery::of_child(child) else {
            continue;
        };
        let rest = key.strip_prefix(start);
        if rest.is_some_and(|rest| rest.ends_with(end)) {
            let at = child.value.offset();
            return Err(Error::new(edit, at, EditErrorKind::Shortened));
        }
    }
    Ok(())
}
