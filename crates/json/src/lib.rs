//! Godot's Variant values as JSON, and back.
//!
//! ```
//! use gdvar_json::{ReadOptions, Style, read, write};
//! use gdvar_view::{Dialect, Document};
//! use gdvar_write::Target;
//!
//! // {"hp": 80, "pos": Vector2(10, 20)}
//! let bytes = b"\x1b\0\0\0\x02\0\0\0\
//!     \x04\0\0\0\x02\0\0\0hp\0\0\x02\0\0\0\x50\0\0\0\
//!     \x04\0\0\0\x03\0\0\0pos\0\x05\0\0\0\0\0\x20\x41\0\0\xa0\x41";
//! let value = Document::new(bytes, Dialect::GODOT_4).root()?;
//!
//! let mut plain = Vec::new();
//! let report = write(value, Style::Plain, &mut plain)?;
//! assert_eq!(plain, br#"{"hp":80,"pos":[10.0,20.0]}"#);
//! assert_eq!(report.to_string(), "1 type");
//!
//! let mut native = Vec::new();
//! write(value, Style::Native, &mut native)?;
//! let options = ReadOptions::new(Style::Native, Target::GODOT_4);
//! assert_eq!(read(&native, &options)?, bytes);
//! # Ok::<(), Box<dyn std::error::Error>>(())
//! ```
//!
//! | style | for | loses |
//! |---|---|---|
//! | [`Style::Plain`] | jq and people | types and everything that JSON lacks; a report counts the losses |
//! | [`Style::Native`] | the engine: the text of `JSON.from_native`, for `JSON.to_native` | what the engine's own form loses; also counted |
//! | [`Style::Tagged`] | keeping everything | nothing: the same bytes come back, in every dialect |
//!
//! Both directions work without a tree of the value and without recursion. JSON that names classes
//! or scripts creates no object, and loads and runs nothing.
//!
//! Reading is more tolerant than RFC 8259, because otherwise the engine's own files would be refused: Godot's
//! `JSON.stringify` writes most control characters into a text unescaped, and U+000B as `\v`. All styles read
//! both, and a byte order mark at the start. A NUL byte in a text is an error.
//!
//! # For whom, and what it costs
//!
//! For programs that pass values on to other languages, and that take them back. Memory grows with the
//! depth, plus one copy of the largest packed array; reading builds the bytes in memory, because counts
//! precede children. The [README](https://github.com/gdvar/gdvar/blob/main/crates/json/README.md) has the rules of each style. Structs of your own need no JSON:
//! `gdvar::serde` reads and writes them. The crate has no features.

mod error;
mod lexer;
mod read;
mod report;
mod write;

use std::io;

use gdvar_view::{Objects, PathTarget, VariantRef};
use gdvar_write::{Target, wire::Limits};

pub use error::{ReadError, ReadErrorKind, WriteError};
pub use report::{Loss, Report};

/// The styles in which values are written as JSON.
#[derive(Clone, Copy, PartialEq, Eq, Hash, Debug, Default)]
#[non_exhaustive]
pub enum Style {
    /// JSON as other programs write it: `{"hp":80,"pos":[10.0,20.0]}`. A Float has a point or an exponent, an
    /// Int has neither.
    #[default]
    Plain,
    /// The form of the engine's `JSON.from_native` and `JSON.to_native`, printed with full precision:
    /// `{"type":"Dictionary","args":["s:hp","i:80"]}`.
    Native,
    /// A form with the type of every value and the bits of every float:
    /// `{"Dictionary":[[{"String":"hp"},{"Int":"80"}]]}`. This form also keeps encodings that no
    /// engine writes.
    Tagged,
}

/// Writes a value as JSON, on one line without blanks, and reports what the style cannot express.
///
/// `out` gets many small writes, so pass a buffered writer. Memory grows with the depth of the
/// value.
///
/// # Errors
///
/// Fails if part of the value cannot be read, or if `out` fails. Some of the JSON may have been
/// written then.
pub fn write<W: io::Write>(
    value: VariantRef<'_>,
    style: Style,
    out: W,
) -> Result<Report, WriteError> {
    write::write(value, style, out)
}

/// Writes a part of a value, such as the x of a vector, as plain JSON. The numbers are as they are
/// in the JSON of the whole value. Reports which of them are not finite.
///
/// # Errors
///
/// Fails if `out` fails, or if a text is not UTF-8.
pub fn write_part<W: io::Write>(part: PathTarget<'_>, out: W) -> Result<Report, WriteError> {
    write::write_part(part, out)
}

/// Options of [`read`].
#[derive(Clone, Copy, PartialEq, Eq, Debug)]
pub struct ReadOptions {
    style: Style,
    target: Target,
    objects: Objects,
    max_depth: u16,
}

impl ReadOptions {
    /// Creates options that read JSON of this style and encode it for this target. By default objects are ids
    /// only, and the depth limit is 1024.
    #[must_use]
    pub fn new(style: Style, target: impl Into<Target>) -> ReadOptions {
        ReadOptions {
            style,
            target: target.into(),
            objects: Objects::Ids,
            max_depth: Limits::ENGINE.max_depth,
        }
    }

    /// Sets which objects are allowed.
    #[must_use]
    pub fn with_objects(self, objects: Objects) -> ReadOptions {
        ReadOptions { objects, ..self }
    }

    /// Sets the depth limit. Deeper values are refused.
    #[must_use]
    pub fn with_limits(self, limits: Limits) -> ReadOptions {
        let max_depth = limits.max_depth;
        ReadOptions { max_depth, ..self }
    }
}

/// Reads JSON that consists of one value, and encodes it for the target. `Plain` gives Dictionaries, Arrays,
/// Strings, Ints and Floats. In the other styles the JSON names the types.
///
/// ```
/// use gdvar_json::{ReadOptions, Style, read};
/// use gdvar_write::Target;
///
/// let options = ReadOptions::new(Style::Plain, Target::GODOT_3);
/// assert_eq!(read(b"7", &options)?, [2, 0, 0, 0, 7, 0, 0, 0]);
/// let error = read(b"{\"hp\": }", &options).unwrap_err();
/// assert_eq!(error.to_string(), "line 1, column 8: expected a value");
/// # Ok::<(), gdvar_json::ReadError>(())
/// ```
///
/// # Errors
///
/// Returns the first mistake in the JSON, or the first value that the target cannot hold, with its line and
/// column.
pub fn read(json: &[u8], options: &ReadOptions) -> Result<Vec<u8>, ReadError> {
    let (bytes, end) = read_at(json, 0, options)?;
    if end < json.len() {
        let kind = ReadErrorKind::Expected("nothing after the value");
        return Err(ReadError::new(json, end, kind));
    }
    Ok(bytes)
}

/// Reads the value at byte `start` of the JSON. Returns its bytes, and the offset of the first byte after it
/// that is not blank. Use it for JSON lines and other sequences of values. Offsets, lines and columns in
/// errors count from the start of the whole JSON.
///
/// White space must follow a number, `true`, `false` and `null`, unless it is the last value. A text, an
/// array and an object may touch the next value.
///
/// # Errors
///
/// Returns the errors of [`read`].
pub fn read_at(
    json: &[u8],
    start: usize,
    options: &ReadOptions,
) -> Result<(Vec<u8>, usize), ReadError> {
    read::read(json, start, options)
}

#[cfg(doctest)]
#[doc = include_str!("../README.md")]
struct Readme;
