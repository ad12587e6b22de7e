//! [`ChildSlot`]: the place that the last step of a path leads to, and the key of a new child there.

use gdvar_view::Step;

use super::{
    op::TargetPath,
    resolver::{nowhere, read},
};
use crate::{
    container::{Child, Container},
    error::{EditErrorKind, Error},
    key::{self, KeyQuery, KeyStyle, NewKeys, unescaped},
};

/// The place in a container that the last step of a path leads to.
#[derive(Clone, Copy)]
pub(super) struct ChildSlot<'a> {
    /// The index, if the last step is an index.
    pub(super) nth: Option<usize>,
    pub(super) found: Option<Child<'a>>,
    /// The offset after the container.
    pub(super) end: usize,
    /// The style of the container's keys.
    pub(super) like: KeyStyle,
}

impl ChildSlot<'_> {
    /// Returns the bytes that precede a new child at this place: nothing in an array, the key in a dictionary,
    /// the name in an object.
    pub(super) fn new_head(
        self,
        container: Container<'_>,
        target: TargetPath<'_>,
        new_keys: &mut NewKeys,
    ) -> Result<Vec<u8>, Error> {
        let step = target.step.ok_or_else(|| nowhere(container, target))?;
        if container.is_array() {
            let is_end = self.nth == Some(container.len);
            return is_end
                .then(Vec::new)
                .ok_or_else(|| nowhere(container, target));
        }
        let refuse = |kind| Error::new(target.edit, container.value.offset(), kind);
        if let Step::Name(name) | Step::String(name) | Step::StringName(name) = step {
            refuse_shortened(container, &unescaped(name), target.edit)?;
        }
        let dialect = container.value.dialect();
        let query = KeyQuery::of_new(step, dialect).ok_or_else(|| nowhere(container, target))?;
        if !new_keys.add_query(&query, target.edit) {
            return Err(refuse(EditErrorKind::KeyExists));
        }
        match step {
            Step::Name(name) if container.is_object() => Ok(key::field(&unescaped(name))),
            _ if container.is_object() => Err(nowhere(container, target)),
            step => {
                let key = key::new_key(step, dialect, self.like);
                let key = key.map_err(|kind| refuse(EditErrorKind::Unwritable(kind)))?;
                key.ok_or_else(|| nowhere(container, target))
            }
        }
    }
}

/// Refuses a new key that contains `…` and looks like an existing key that a message shortened.
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
