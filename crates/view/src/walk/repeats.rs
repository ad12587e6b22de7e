//! Finds dictionaries that have a key twice.

use alloc::vec::Vec;

use crate::{
    error::Error,
    value::variant::VariantRef,
    walk::{
        event::{Event, Role},
        keys::log::KeyLog,
    },
};

/// Returns the offsets of all dictionaries in `value` that have a key twice, in ascending order. This takes
/// O(n log n), in one walk. Most values have no such dictionary; see
/// [`DictRef::distinct`](crate::DictRef::distinct).
///
/// # Errors
/// Fails if the value cannot be read.
pub fn repeated_keys(value: VariantRef<'_>) -> Result<Vec<usize>, Error> {
    let mut found = Vec::new();
    let mut log = KeyLog::default();
    let mut open = Vec::new();
    let mut events = value.events();
    while let Some(event) = events.try_next()? {
        if let Event::Value(key) | Event::Begin(key) = event {
            if events.role() == Role::Key {
                log.add(key);
            }
        }
        match event {
            Event::Begin(container) => {
                let depth = container
                    .as_dict()
                    .map(|_| container.depth().saturating_add(1));
                open.push(depth);
                if depth.is_some() {
                    log.open(container.offset());
                }
            }
            Event::End => {
                if let Some(Some(depth)) = open.pop() {
                    let repeat = log.close(value.bytes(), value.options(), depth);
                    found.extend(repeat.map(|repeat| repeat.dict));
                }
            }
            Event::Value(_) | Event::Property(_) => {}
        }
    }
    found.sort_unstable();
    Ok(found)
}
