//! Refuses edits of repeated keys: without one pair, the value of another one would appear.

use std::collections::HashSet;

use super::resolver::read;
use crate::{
    container::{Child, Container, Name},
    error::{EditErrorKind, Error},
    key::{KeyQuery, NewKeys},
};

/// Refuses edits that remove or rename a key that the container has several times. One walk checks
/// all edits.
pub(super) fn check<'a>(
    container: Container<'a>,
    leaving: &[(Child<'a>, usize)],
) -> Result<(), Error> {
    let Some(&(_, first)) = leaving.first() else {
        return Ok(());
    };
    let refuse = |error| read(first, error);
    let mut keys = NewKeys::default();
    for &(child, edit) in leaving {
        let is_new = match child.name {
            Name::Place => return Ok(()),
            Name::Key(key) => keys.add(key, key.raw().map_err(refuse)?, edit),
            Name::Property(name) => keys.add_query(&KeyQuery::Text(name.as_bytes().into()), edit),
        };
        if is_new {
            continue;
        }
        let mut named = leaving.iter().take_while(|(_, one)| *one != edit);
        return Err(match named.find(|(one, _)| one.start() == child.start()) {
            // The key is not repeated: two edits remove or rename the same pair.
            Some(&(_, other)) => {
                let kind = EditErrorKind::Overlap { other };
                Error::new(edit, child.value.offset(), kind)
            }
            None => Error::new(edit, child.start(), EditErrorKind::RepeatedKey),
        });
    }
    let mut seen = HashSet::new();
    let mut children = container.children();
    while let Some(child) = children.try_next().map_err(refuse)? {
        if let Some(edit) = keys.find(child).filter(|edit| !seen.insert(*edit)) {
            return Err(Error::new(edit, child.start(), EditErrorKind::RepeatedKey));
        }
    }
    Ok(())
}
