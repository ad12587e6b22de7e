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

/// For whom a text is read, and what it may hold.
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
    /// For a target: its engine's notation and bytes. Ids of objects only, depth 1024, numbers as they are
    /// written or an error, and text behind the value is let be.
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

    /// Which objects to let in. With `Inert`, `Object(Node,"name":"x")` becomes a whole object, as
    /// data; nothing is ever made or run. `EncodedObjectAsID` is an id.
    #[must_use]
    pub fn with_objects(self, objects: Objects) -> ParseOptions {
        ParseOptions { objects, ..self }
    }

    /// Refuse a value inside more containers than that. The engines read deeper text, but
    /// Godot 4 cannot write it.
    #[must_use]
    pub fn with_limits(self, limits: Limits) -> ParseOptions {
        let max_depth = limits.max_depth;
        ParseOptions { max_depth, ..self }
    }

    /// Read exactly what the engines read. They take another number for one that does not fit, and know nothing of the
    /// forms that [`write_exact`](crate::write_exact) has for what their notation cannot say.
    ///
    /// | text | without this | the engines |
    /// |---|---|---|
    /// | `9223372036854775808` | an error that says the range | -9223372036854775808 |
    /// | `1e309`, `1e-400` | an error | `inf`, `0.0` |
    /// | `0x10`, `1_000` | an error | `0` and `1`, with text behind them |
    /// | `Vector2i(3000000000, 0.5)` | an error | `Vector2i(-1294967296, 0)` |
    /// | `PackedByteArray(300)`, `Array[int]([1.5])` | an error | 44, 1 |
    /// | 17 digits of a float | the nearest double | for one text in two or three some units in the last place off |
    /// | `-inf`, `inf_neg`, `RID()` for Godot 3 | negative infinity, a RID | `0`, an error |
    /// | `Array[&"A:b"]([])`, `Signal("hit", 7)` | as [`write_exact`](crate::write_exact) means it | errors |
    ///
    /// No text that an engine prints needs it: they print no number that does not fit, and the nearest double is the
    /// one that was printed. It is for asking what an engine would make of any text.
    #[must_use]
    pub fn with_engine_rules(self, on: bool) -> ParseOptions {
        ParseOptions {
            engine_rules: on,
            ..self
        }
    }

    /// Refuse anything but blanks and comments behind the value. The engines do not look at it.
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
    /// The byte of the text at which something else begins; its length if nothing does.
    pub end: usize,
}

/// Reads the value at the beginning of a text, as `str_to_var` of Godot 4.6 and `str2var` of
/// Godot 3.2 do, and encodes it for the target as the engine would. For other engines the
/// notation is Godot 3's with the names of both.
///
/// A number is the number that is written, or an error: the engines take another one for it where it does not fit
/// ([`ParseOptions::with_engine_rules`] has the list, and does the same). The forms of
/// [`write_exact`](crate::write_exact) for what the engines' notation cannot say are read too.
///
/// Nothing is made, loaded or run. Repeated keys are merged and elements of typed containers
/// converted as the engine does it. One pass, no recursion; memory is the text, the bytes, and 8
/// bytes for each key and value of the dictionaries that are open at once.
///
/// The engine's two functions return a value in spite of some errors, and so does this: the closing
/// parenthesis of an outermost `NodePath("a"`, `RID(1`, `Callable(` and `Signal(` may be missing.
/// Classes are not known here: an `Array[Thing]` keeps its type, which the engine drops if it has
/// no such class.
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
/// The first thing in the text that the engine would not take, or that the target has no bytes
/// for, with its line and column.
pub fn parse_godot(text: &str, options: &ParseOptions) -> Result<Parsed, ParseError> {
    parse_godot_at(text, 0, options)
}

/// Reads the value at a byte of a text, such as the `end` of the one before. The places in errors
/// count from the beginning of the whole text.
///
/// # Errors
///
/// As [`parse_godot`].
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
