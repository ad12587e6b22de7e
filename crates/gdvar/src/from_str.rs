//! Parses a [`Variant`] from the text that Godot prints.

use std::str::FromStr;

use gdvar_text::{ParseError, ParseOptions, parse_godot};
use gdvar_view::{Dialect, Objects, ReadOptions};
use gdvar_write::Target;

use crate::Variant;

impl FromStr for Variant {
    type Err = ParseError;

    /// Parses text as Godot 4's `str_to_var` does. Only blanks and comments may surround the value.
    /// Nothing is created, loaded or run: a printed object becomes data. Components of vectors get 32
    /// bits, as in most builds of the engine. For other engines and options use
    /// `gdvar_text::parse_godot`.
    ///
    /// A number that does not fit is an error. [`Display`](std::fmt::Display) prints text that
    /// parses to the same value.
    ///
    /// ```
    /// use gdvar::{Variant, math::Vector2, variant};
    ///
    /// let value: Variant = r#"{"hp": 80, "pos": Vector2(1, 2.5)}"#.parse()?;
    /// assert_eq!(value, variant!({ "hp": 80, "pos": Vector2::new(1.0_f32, 2.5) }));
    /// assert_eq!(value.to_string().parse(), Ok(value));
    ///
    /// let error = "{\n  \"hp\" 80\n}".parse::<Variant>().unwrap_err();
    /// assert_eq!(error.to_string(), "line 2, column 8: expected ':' after the key, found a number");
    /// # Ok::<(), gdvar::error::ParseError>(())
    /// ```
    ///
    /// # Errors
    ///
    /// Fails at the first token that the engine would not accept. The error has its line and
    /// column.
    fn from_str(text: &str) -> Result<Variant, ParseError> {
        // Without `Inert`, `Array[Resource]` would become `Array[EncodedObjectAsID]`, as in the
        // engine.
        let options = ParseOptions::new(Target::GODOT_4)
            .with_objects(Objects::Inert)
            .with_whole(true);
        let parsed = parse_godot(text, &options)?;
        let options = ReadOptions::new(Dialect::GODOT_4).with_objects(Objects::Inert);
        match Variant::from_slice_with(&parsed.bytes, options) {
            Ok(value) => Ok(value),
            Err(error) => unreachable!("the parser wrote what is not read: {error}"),
        }
    }
}
