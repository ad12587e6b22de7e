//! A [`Variant`] in Godot's notation.

use std::fmt;

use gdvar_text::{Godot, TextError, write_exact};
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
    /// Godot's notation on one line, with all digits and the pairs in their order: [`str::parse`] reads the same value
    /// back, and so does the engine's `str_to_var` where its notation can say it. With `{:#}` it is the text of the
    /// engine's `var_to_str`, which sorts the keys, cuts digits and leaves out types.
    ///
    /// By way of the bytes, so for people and for files of settings. A value that no engine can hold is shown as by
    /// [`Debug`](fmt::Debug). What does not come back: vectors and packed arrays of 64-bit reals have those of 32, the bits
    /// of a NaN other than the usual one, and the kinds that only other engines than Godot 4 have.
    ///
    /// ```
    /// let save = gdvar::variant!({ "name": "Ann", "hp": 3 });
    /// assert_eq!(save.to_string(), "{\"name\": \"Ann\", \"hp\": 3}");
    /// assert_eq!(save.to_string().parse(), Ok(save.clone()));
    /// assert_eq!(format!("{save:#}"), "{\n\"hp\": 3,\n\"name\": \"Ann\"\n}");
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
            if f.alternate() {
                return Godot::new(root).fmt(f);
            }
            return match write_exact(f, root) {
                Ok(()) => Ok(()),
                Err(TextError::Read(_) | TextError::Fmt) => Err(fmt::Error),
            };
        }
        fmt::Debug::fmt(self, f)
    }
}
