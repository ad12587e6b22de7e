//! A [`Variant`] as Godot prints it.

use std::fmt;

use gdvar_text::Godot;
use gdvar_view::Document;

use crate::{Objects, ReadOptions, Variant, write::Target};

/// Engines that between them have every kind, those first that print as Godot 4 does.
pub(crate) const TARGETS: [Target; 4] = [
    Target::GODOT_4,
    Target::PANDEMONIUM_5,
    Target::GODOT_3,
    Target::GODOT_2,
];

impl fmt::Display for Variant {
    /// The text of the engine's `var_to_str`, of `gdvar-text`: by way of the bytes, so for people and for
    /// files of settings. A value that no engine can hold is shown as by [`Debug`](fmt::Debug).
    ///
    /// ```
    /// let save = gdvar::variant!({ "name": "Ann", "hp": 3 });
    /// assert_eq!(save.to_string(), "{\n\"hp\": 3,\n\"name\": \"Ann\"\n}");
    /// ```
    fn fmt(&self, f: &mut fmt::Formatter<'_>) -> fmt::Result {
        for target in TARGETS {
            let Ok(bytes) = self.to_vec(target) else {
                continue;
            };
            let options = ReadOptions::new(target.dialect()).with_objects(Objects::Inert);
            let Ok(root) = Document::with_options(&bytes, options).root() else {
                continue;
            };
            return Godot::new(root).fmt(f);
        }
        fmt::Debug::fmt(self, f)
    }
}
