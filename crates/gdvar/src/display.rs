//! Prints a [`Variant`] in Godot's notation.

use std::fmt;

use gdvar_text::{Godot, TextError, write_exact};
use gdvar_view::Document;

use crate::{Objects, ReadOptions, Variant, write::Target};

/// Targets that together have every kind. Those that print like Godot 4 come first.
pub(crate) const TARGETS: [Target; 4] = [
    Target::GODOT_4,
    Target::PANDEMONIUM_5,
    Target::GODOT_3,
    Target::GODOT_2,
];

impl fmt::Display for Variant {
    /// Prints Godot's notation on one line, with all digits and with pairs in order. [`str::parse`]
    /// reads back the same value. So does the engine's `str_to_var`, if its notation can express
    /// the value. `{:#}` prints the text of the engine's `var_to_str`, which sorts keys, cuts
    /// digits and omits types.
    ///
    /// The value is encoded first, so use this for people and for settings files, not in hot code.
    /// A value that no engine can hold is printed with [`Debug`](fmt::Debug). Some information is
    /// lost: 64-bit reals in vectors and packed arrays lose their width, a NaN gets the usual bits,
    /// and kinds that Godot 4 lacks are not parsed.
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
