//! The attributes of a tag `[node]`, and the names that the entries below it have in the contents.

use std::borrow::Cow;

use gdvar_text::Notation;
use gdvar_view::Dialect;

/// The attributes that both engines read. `type` is not among them, because it is the class of the
/// node.
const BOTH: [&str; 7] = [
    "name",
    "parent",
    "owner",
    "index",
    "groups",
    "instance_placeholder",
    "instance",
];

/// The attributes that only Godot 4 reads.
const GODOT_4: [&str; 4] = [
    "parent_id_path",
    "owner_uid_path",
    "unique_id",
    "node_paths",
];

/// The prefix of an entry's name in the contents, if an attribute has the same name as the entry.
const PREFIX: &str = "property/";

/// Returns `true` for an attribute of a tag `[node]` that the engine reads. Everything else is an entry.
pub(crate) fn is_attribute(name: &str, dialect: Dialect) -> bool {
    BOTH.contains(&name) || dialect.notation() == Notation::Godot4 && GODOT_4.contains(&name)
}

/// Returns `true` if the name of an entry, without any [`PREFIX`], is the name of an attribute.
fn is_shadowed(mut entry: &str, dialect: Dialect) -> bool {
    while let Some(rest) = entry.strip_prefix(PREFIX) {
        entry = rest;
    }
    is_attribute(entry, dialect)
}

/// Returns the name that an entry of a node has in the contents: `property/groups` for `groups`,
/// because `groups` is the attribute.
pub(crate) fn property(entry: &str, dialect: Dialect) -> Cow<'_, str> {
    match is_shadowed(entry, dialect) {
        true => Cow::Owned(format!("{PREFIX}{entry}")),
        false => Cow::Borrowed(entry),
    }
}

/// Returns the name of the entry in the text for the property `name` of a node in a scene's
/// contents: `groups` for `property/groups`. Such names exist because a script may have a variable
/// with the name of an attribute. Other names are returned unchanged.
#[must_use]
pub fn node_entry(name: &str, dialect: Dialect) -> &str {
    let entry = name.strip_prefix(PREFIX);
    entry
        .filter(|entry| is_shadowed(entry, dialect))
        .unwrap_or(name)
}
