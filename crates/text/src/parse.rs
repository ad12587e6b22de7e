//! From text to bytes: what `str_to_var` of Godot 4.6 and `str2var` of Godot 3.2 read.

mod base64;
mod error;
mod lexer;
pub(crate) mod names;
pub(crate) mod node_path;
pub(crate) mod number;
mod parser;
mod repeats;
mod typed;

use gdvar_view::Objects;
use gdvar_write::{Target, wire::Limits};

pub use error::{ParseError, ParseErrorKind};
use parser::Parser;

/// How to read a text: the target, and what the text may contain.
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
    target: Target,
    objects: Objects,
    max_depth: u16,
    engine_rules: bool,
    whole: bool,
}

impl ParseOptions {
    /// Reads the notation of the target's engine. By default objects are ids only, the depth limit
    /// is 1024, a number that does not fit is an error, and text after the value is ignored.
    #[must_use]
    pub fn new(target: impl Into<Target>) -> ParseOptions {
        ParseOptions {
            target: target.into(),
            objects: Objects::Ids,
            max_depth: Limits::ENGINE.max_depth,
            engine_rules: false,
            whole: false,
        }
    }

    /// Sets which objects are allowed. With `Inert`, `Object(Node,"name":"x")` becomes a whole
    /// object, as data; nothing is ever created or run. `EncodedObjectAsID` becomes an id.
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

    /// Reads exactly what the engines read. They replace a number that does not fit by another, and
    /// do not know the forms that [`write_exact`](crate::write_exact) uses where their notation has
    /// none.
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
    /// Texts that an engine printed do not need this: an engine prints no number that does not fit,
    /// and the nearest double is the one that was printed. Use it to ask what an engine would make
    /// of a text.
    #[must_use]
    pub fn with_engine_rules(self, on: bool) -> ParseOptions {
        ParseOptions {
            engine_rules: on,
            ..self
        }
    }

    /// Refuses anything but blanks and comments after the value. The engines ignore it.
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
    /// The offset of the first byte that is neither value, blank nor comment; the text's length if
    /// there is none.
    pub end: usize,
}

/// Reads the value at the beginning of a text as `str_to_var` of Godot 4.6 and `str2var` of Godot
/// 3.2 do, and encodes it as the target's engine would. For other engines the notation is Godot 3's
/// with the names of both.
///
/// A number keeps its value or is an error. The engines replace numbers that do not fit;
/// [`ParseOptions::with_engine_rules`] lists the cases and does the same. The forms of
/// [`write_exact`](crate::write_exact), for values that the engines' notation cannot express, are
/// read too.
///
/// Nothing is created, loaded or run. Repeated keys are merged and elements of typed containers
/// converted as in the engine. Takes one pass, without recursion. Memory: the text, the bytes, and
/// 8 bytes for each key and value of the dictionaries that are open at once.
///
/// Like the engines' functions, this returns a value despite some errors: the closing parenthesis
/// of an outermost `NodePath("a"`, `RID(1`, `Callable(` and `Signal(` may be missing. Classes are
/// not known here: an `Array[Thing]` keeps its type, which the engine drops if it has no such
/// class.
///
/// ```
/// use gdvar_text::{ParseOptions, parse_godot};
/// use gdvar_view::{Dialect, Document};
/// use gdvar_write::Target;
///
/// let value = parse_godot(r#"{"hp": 80, "pos": Vector2(1, 2.5)}"#, &ParseOptions::new(Target::GODOT_4))?;
/// let root = Document::new(&value.bytes, Dialect::GODOT_4).root().unwrap();
/// assert_eq!(root.as_dict().unwrap().len(), 2);
/// # Ok::<(), gdvar_text::ParseError>(())
/// ```
///
/// # Errors
///
/// The first token that the engine would not accept or that the target cannot hold, with its line
/// and column.
pub fn parse_godot(text: &str, options: &ParseOptions) -> Result<Parsed, ParseError> {
    parse_godot_at(text, 0, options)
}

/// Reads the value at byte `start` of a text, such as the `end` of the value before. Offsets, lines
/// and columns in errors count from the beginning of the whole text.
///
/// # Errors
///
/// The errors of [`parse_godot`].
pub fn parse_godot_at(
    text: &str,
    start: usize,
    options: &ParseOptions,
) -> Result<Parsed, ParseError> {
    let mut parser = Parser::new(text, start, *options);
    parser
        .parse()
        .map_err(|kind| ParseError::new(text, parser.offset(), kind))
}
