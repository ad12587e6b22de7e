//! Scenes: the tags of a text, and the lists of numbers in the property `_bundled` of a PackedScene.
//!
//! ```text
//! a node        parent, owner, type, name and place among its siblings, instance; then pairs of the name and the
//!               value of a property; then groups
//! a connection  from, to, signal, method, flags; then arguments; since version 3 the number of dropped arguments
//! ```
//!
//! Names and values are stored as indices into the lists `names` and `variants`. A parent is the index of a
//! node, or of a path in `node_paths`.

mod bundle;
mod tags;

pub(super) use bundle::value_of;
pub(super) use tags::tags_of;

use gdvar_document::NewTag;
use gdvar_view::Dialect;
use gdvar_write::Writer;

use super::{FormError, Result};

/// The attributes of `[node]` and of `[connection]` that a binary scene can hold.
pub(super) const NODE: [&str; 12] = [
    "name",
    "type",
    "parent",
    "parent_id_path",
    "owner",
    "owner_uid_path",
    "index",
    "unique_id",
    "node_paths",
    "groups",
    "instance_placeholder",
    "instance",
];
pub(super) const CONNECTION: [&str; 9] = [
    "signal",
    "from",
    "to",
    "method",
    "flags",
    "from_uid_path",
    "to_uid_path",
    "unbinds",
    "binds",
];

/// Stored as the type and the parent of a node if this scene does not save them, because the node comes from
/// an instance or from the base scene.
const NONE_SAVED: i32 = i32::MAX;

/// A flag in a number. In a parent, owner, from or to: the rest of the number is the index of a path. In an instance:
/// the rest of the number is the index of a placeholder's path. In the name of a property: the value is the path of a
/// node, and the engine sets the property to this node.
const IS_PATH: i32 = 1 << 30;

/// The bits of a number without flags.
const MASK: i32 = (1 << 24) - 1;

/// The number of low bits that hold the index of a node's name. The bits above them hold the place of the node among
/// its siblings, counted from 1.
const NAME_BITS: u32 = 18;

/// The flags of a connection that a text leaves out.
const PERSIST: i32 = 2;

/// A tag with its values.
#[derive(Clone, PartialEq, Eq, Debug, Default)]
struct Tag {
    name: &'static str,
    attributes: Vec<(&'static str, Vec<u8>)>,
    properties: Vec<(String, Vec<u8>)>,
}

/// The tags of a scene in their order.
#[derive(Clone, PartialEq, Eq, Debug, Default)]
pub(super) struct Tags {
    all: Vec<Tag>,
    /// Properties of the main resource for which a text has no place.
    pub(super) left_out: Vec<String>,
}

impl Tags {
    pub(super) fn tags(&self) -> Vec<NewTag<'_>> {
        let all = self.all.iter();
        all.map(|tag| NewTag {
            name: tag.name,
            attributes: { tag.attributes.iter() }
                .map(|(name, value)| (*name, &**value))
                .collect(),
            properties: { tag.properties.iter() }
                .map(|(name, value)| (&**name, &**value))
                .collect(),
        })
        .collect()
    }
}

/// The result of writing with a [`Writer`] into memory.
pub(super) type Written = std::result::Result<(), gdvar_write::Error<std::convert::Infallible>>;

/// Writes one value with `put`, and returns its bytes.
pub(super) fn encode(
    dialect: Dialect,
    put: impl FnOnce(&mut Writer<Vec<u8>>) -> Written,
) -> Result<Vec<u8>> {
    let mut writer = Writer::new(Vec::new(), dialect);
    let written = put(&mut writer);
    let finished = written.and_then(|()| writer.finish());
    finished.map_err(|_| FormError::Scene("names and values that the engine can hold"))
}
