//! Parses text as `str_to_var` of Godot 4.6 and `str2var` of Godot 3.2 do.

mod base64;
mod error;
mod lexer;
pub(crate) mod names;
pub(crate) mod node_path;
pub(crate) mod number;
mod options;
mod parser;
pub(crate) mod reference;
mod repeats;
mod typed;

pub use error::{ParseError, ParseErrorKind, line_and_column};
pub use options::{ParseOptions, Parsed};
use parser::Parser;

/// Reads the value at the beginning of a text as `str_to_var` of Godot 4.6 and `str2var` of Godot
/// 3.2 do, and encodes it as the target's engine would. For Godot 3, the packed arrays that only
/// 3.6 reads are accepted too. For other engines this is the parser of Godot 3, which then accepts
/// the constructors of Godot 3 and Godot 4.
///
/// A number that the target cannot hold is an error. The engines replace such a number; with
/// [`ParseOptions::with_engine_rules`] this function does the same. The additional forms of
/// [`write_exact`](crate::write_exact), for values that the engines' notation cannot express, are
/// also read.
///
/// No object is created, and nothing is loaded or run. Repeated keys are merged and elements of
/// typed containers converted as in the engine. Parsing takes one pass, without recursion. Memory:
/// the text, the bytes, and 8 bytes for each key and value of the dictionaries that are open at
/// once.
///
/// Like the engines' functions, this returns a value despite some errors: the closing parenthesis of an
/// outermost `NodePath("a"`, `RID(1`, `Callable(` and `Signal(` may be missing. This code does not know
/// which classes exist: an `Array[Thing]` keeps its type, which the engine drops if it has no such class.
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
/// Returns the first token that the engine would not accept or that the target cannot hold, with
/// its line and column. With [`ParseOptions::with_whole`], text after the value is an error.
pub fn parse_godot(text: &str, options: &ParseOptions) -> Result<Parsed, ParseError> {
    parse_godot_at(text, 0, options)
}

/// Reads the value at byte `start` of a text, such as the `end` of the value before. Offsets, lines and
/// columns in errors count from the start of the whole text.
///
/// # Errors
///
/// Returns the errors of [`parse_godot`].
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
