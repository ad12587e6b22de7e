//! [`ParseOptions`] and [`Parsed`]: the input and the result of a parser, apart from the text.

use gdvar_view::Objects;
use gdvar_write::{Target, wire::Limits};

/// Options of [`parse_godot`](crate::parse_godot): the target, and what the text may contain.
///
/// ```
/// use gdvar_text::{ParseOptions, parse_godot};
/// use gdvar_write::Target;
///
/// let options = ParseOptions::new(Target::GODOT_3).with_whole(true);
/// assert!(parse_godot("Vector2( 1, 2 )", &options).is_ok());
/// assert!(parse_godot("Vector2( 1, 2 ) 3", &options).is_err());
/// assert!(parse_godot("Vector2i(1, 2)", &options).is_err());
/// ```
#[derive(Clone, Copy, PartialEq, Eq, Debug)]
pub struct ParseOptions {
    pub(super) target: Target,
    pub(super) objects: Objects,
    pub(super) max_depth: u16,
    pub(super) engine_rules: bool,
    pub(super) whole: bool,
    pub(super) references: bool,
}

impl ParseOptions {
    /// Creates options for the notation of the target's engine. By default objects are ids only, the
    /// depth limit is 1024, a number that does not fit is an error, and text after the value is ignored.
    #[must_use]
    pub fn new(target: impl Into<Target>) -> ParseOptions {
        ParseOptions {
            target: target.into(),
            objects: Objects::Ids,
            max_depth: Limits::ENGINE.max_depth,
            engine_rules: false,
            whole: false,
            references: false,
        }
    }

    /// Sets which objects are allowed. With `Inert`, `Object(Node,"name":"x")` becomes a whole object, as
    /// data; nothing is ever created or run. `EncodedObjectAsID` becomes an id.
    #[must_use]
    pub fn with_objects(self, objects: Objects) -> ParseOptions {
        ParseOptions { objects, ..self }
    }

    /// Refuses values deeper than `limits`. The engines read deeper text, but Godot 4 cannot write
    /// it.
    #[must_use]
    pub fn with_limits(self, limits: Limits) -> ParseOptions {
        let max_depth = limits.max_depth;
        ParseOptions { max_depth, ..self }
    }

    /// Reads exactly as the engines read. The engines replace a number that does not fit by another number.
    /// They do not know the forms that [`write_exact`](crate::write_exact) uses for values that their notation
    /// cannot express.
    ///
    /// | text | without this | the engines |
    /// |---|---|---|
    /// | `9223372036854775808` | an error that says the range | -9223372036854775808 |
    /// | `1e309`, `1e-400` | an error | `inf`, `0.0` |
    /// | `0x10`, `1_000` | an error | `0` and `1`, followed by text |
    /// | `Vector2i(3000000000, 0.5)` | an error | `Vector2i(-1294967296, 0)` |
    /// | `PackedByteArray(300)`, `Array[int]([1.5])` | an error | 44, 1 |
    /// | 17 digits of a float | the nearest double | one text in two or three is off by some units in the last place |
    /// | `-inf`, `inf_neg`, `RID()` for Godot 3 | negative infinity, a RID | `0`, an error |
    /// | `Array[&"A:b"]([])`, `Signal("hit", 7)` | what [`write_exact`](crate::write_exact) means by it | errors |
    ///
    /// Texts that an engine printed do not need this option: an engine prints no number that does not
    /// fit, and the nearest double is the number that was printed. Use the option to find out how an engine would
    /// read a text.
    #[must_use]
    pub fn with_engine_rules(self, on: bool) -> ParseOptions {
        ParseOptions {
            engine_rules: on,
            ..self
        }
    }

    /// Reads the value as part of a document. References to resources become data: whole objects,
    /// which nothing loads. References are read only if the options allow [`Inert`](Objects::Inert)
    /// objects. Without this option a reference is an error. In a document, as in the engines,
    /// `NodePath("a"` without its `)` is an error.
    ///
    /// | text | class | properties, all of them Strings |
    /// |---|---|---|
    /// | `Resource("res://a.tres")` | `Resource` | `path` |
    /// | `Resource("uid://b1", "res://a.tres")` | `Resource` | `uid`, `path` |
    /// | `ExtResource("1_a")`, `ExtResource( 1 )` | `ExtResource` | `id` |
    /// | `SubResource("Box_a")`, `SubResource( 1 )` | `SubResource` | `id` |
    ///
    /// The type in `Array[ExtResource("1_a")]` becomes the script whose path is
    /// `res://::ExtResource("1_a")`. [`write_stored`](crate::write_stored) writes all of these as references
    /// again.
    #[must_use]
    pub fn with_references(self, on: bool) -> ParseOptions {
        ParseOptions {
            references: on,
            ..self
        }
    }

    /// Refuses text after the value, except blanks and comments. By default this text is ignored, as in
    /// the engines.
    #[must_use]
    pub fn with_whole(self, on: bool) -> ParseOptions {
        ParseOptions { whole: on, ..self }
    }
}

/// A value read from text.
#[derive(Clone, PartialEq, Eq, Debug)]
pub struct Parsed {
    /// The value, encoded for the target.
    pub bytes: Vec<u8>,
    /// The offset after the last byte of the value.
    pub value_end: usize,
    /// The offset of the first byte after the value that is neither blank nor comment, or the text's
    /// length.
    pub end: usize,
    /// For each typed container that lost its children, the offset after it. The engine reads a
    /// container as empty if one of its children does not fit the type and cannot be converted.
    pub emptied: Vec<usize>,
}
