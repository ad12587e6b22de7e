//! The engine's own JSON of `JSON.from_native` as a layer: the contents are the value that `JSON.to_native` makes of
//! it.

use gdvar_json::{ReadOptions, Style};
use gdvar_view::{Dialect, Objects};

use super::{FoundLayer, LayerKind};
use crate::Hints;

/// The text of a JSON file that holds a value of Godot 4.
#[derive(Clone, PartialEq, Eq, Debug)]
#[non_exhaustive]
pub struct JsonFile {
    /// The dialect of the value.
    pub dialect: Dialect,
    text: Vec<u8>,
}

impl JsonFile {
    /// Returns the JSON from which the layer was made.
    #[must_use]
    pub fn text(&self) -> &[u8] {
        &self.text
    }
}

/// Reads JSON of `JSON.from_native`. Returns `None` unless all of `bytes` is such JSON. A list without any text is not
/// accepted: the texts name the types of values (`i:7`), and a list without texts is ordinary JSON.
pub(super) fn peel(bytes: &[u8], hints: &Hints<'_>) -> Option<FoundLayer> {
    let dialect = Dialect::GODOT_4;
    let start = bytes.strip_prefix(b"\xef\xbb\xbf").unwrap_or(bytes);
    let is_asked = hints.engines.given().is_none_or(|given| given == dialect);
    let may_be = match start.trim_ascii_start().first() {
        Some(b'{') => true,
        Some(b'[') => start.contains(&b'"'),
        _ => false,
    };
    if !is_asked || !may_be {
        return None;
    }
    let options = ReadOptions::new(Style::Native, dialect).with_objects(Objects::Inert);
    let value = gdvar_json::read(bytes, &options).ok()?;
    let text = bytes.to_vec();
    Some((LayerKind::Json(JsonFile { dialect, text }), value))
}
