//! [`ParseError`]: the reason why a text is not a value, and its position.

use core::{convert::Infallible, fmt};

use gdvar_write::wire::Kind;

/// The reason why a text was refused, and where in the text.
///
/// ```
/// use gdvar_text::{ParseOptions, parse_godot};
/// use gdvar_write::Target;
///
/// let error = parse_godot("{\n  \"hp\" 80\n}", &ParseOptions::new(Target::GODOT_4)).unwrap_err();
/// assert_eq!((error.line(), error.column(), error.offset()), (2, 8, 9));
/// assert_eq!(error.to_string(), "line 2, column 8: expected ':' after the key, found a number");
/// ```
#[derive(Clone, Copy, PartialEq, Eq)]
pub struct ParseError {
    offset: usize,
    line: u32,
    column: u32,
    kind: ParseErrorKind,
}

/// What is wrong with a text. See [`ParseError`].
#[derive(Clone, Copy, PartialEq, Eq, Debug)]
#[non_exhaustive]
pub enum ParseErrorKind {
    /// A token was found where another was expected.
    Expected {
        /// The expected token, as it follows "expected" in the message.
        expected: &'static str,
        /// The token that was found, as it follows "found" in the message.
        found: &'static str,
    },
    /// A character that begins no token.
    UnexpectedCharacter(char),
    /// A text without its closing quote.
    UnterminatedText,
    /// Something other than hexadecimal digits after `\u` or `\U`.
    Escape,
    /// Half of a surrogate pair in a text for Godot 4.
    Surrogate,
    /// A name that has no meaning in this notation, such as a constructor of another engine.
    UnknownName,
    /// A number followed by a letter or `_`: `0x10`, `1_000`.
    NumberForm,
    /// A constructor with too few or too many numbers.
    ArgumentCount {
        /// How many numbers the constructor takes.
        expected: u32,
        /// How many numbers the text gives it.
        found: u32,
    },
    /// Text that is not base64.
    Base64,
    /// A whole object, or any object if none are allowed.
    Object,
    /// A reference to a resource, which would have to be loaded.
    Resource,
    /// An element that needs a conversion that is not supported.
    Conversion {
        /// The kind of the element.
        from: Kind,
        /// The kind that its container holds.
        to: Kind,
    },
    /// A value that lies inside more containers than allowed.
    TooDeep {
        /// The number of containers that is allowed.
        limit: u16,
    },
    /// Text after the value, where only blanks and comments are allowed.
    Trailing,
    /// The value was read, but the target cannot hold it.
    Write(gdvar_write::WriteErrorKind<Infallible>),
}

/// Returns the line and the column of byte `offset` of the text, both from 1. The column counts
/// characters. Takes time linear in `offset`.
///
/// ```
/// assert_eq!(gdvar_text::line_and_column("a\nü=1".as_bytes(), 4), (2, 2));
/// ```
#[must_use]
pub fn line_and_column(text: &[u8], offset: usize) -> (u32, u32) {
    let before = &text[..offset.min(text.len())];
    let line_start = before
        .iter()
        .rposition(|byte| *byte == b'\n')
        .map_or(0, |at| at + 1);
    // Continuation bytes of UTF-8 are not counted.
    let column = before[line_start..]
        .iter()
        .filter(|byte| **byte & 0xc0 != 0x80)
        .count();
    let line = before.iter().filter(|byte| **byte == b'\n').count();
    let from_1 = |count: usize| u32::try_from(count).unwrap_or(u32::MAX - 1) + 1;
    (from_1(line), from_1(column))
}

impl ParseError {
    /// Creates an error at a byte of the text.
    pub(crate) fn new(text: &str, offset: usize, kind: ParseErrorKind) -> ParseError {
        let (line, column) = line_and_column(text.as_bytes(), offset);
        ParseError {
            offset,
            line,
            column,
            kind,
        }
    }

    /// Returns the offset in bytes, from 0.
    #[must_use]
    pub fn offset(&self) -> usize {
        self.offset
    }

    /// Returns the line, from 1.
    #[must_use]
    pub fn line(&self) -> u32 {
        self.line
    }

    /// Returns the column in characters, from 1.
    #[must_use]
    pub fn column(&self) -> u32 {
        self.column
    }

    /// Returns the kind of error.
    #[must_use]
    pub fn kind(&self) -> ParseErrorKind {
        self.kind
    }
}

impl fmt::Display for ParseError {
    fn fmt(&self, f: &mut fmt::Formatter<'_>) -> fmt::Result {
        write!(
            f,
            "line {}, column {}: {}",
            self.line, self.column, self.kind
        )
    }
}

impl From<gdvar_write::WriteErrorKind<Infallible>> for ParseErrorKind {
    fn from(kind: gdvar_write::WriteErrorKind<Infallible>) -> ParseErrorKind {
        ParseErrorKind::Write(kind)
    }
}

impl fmt::Display for ParseErrorKind {
    fn fmt(&self, f: &mut fmt::Formatter<'_>) -> fmt::Result {
        match self {
            ParseErrorKind::Expected { expected, found } => {
                write!(f, "expected {expected}, found {found}")
            }
            ParseErrorKind::UnexpectedCharacter(found) => {
                write!(f, "expected a value, found the character {found:?}")
            }
            ParseErrorKind::UnterminatedText => f.write_str("this text has no closing quote"),
            ParseErrorKind::Escape => {
                f.write_str("expected 4 hexadecimal digits after \\u, or 6 after \\U")
            }
            ParseErrorKind::Surrogate => {
                f.write_str("half of a surrogate pair, which Godot 4 does not take")
            }
            ParseErrorKind::UnknownName => f.write_str(
                "expected a value, found a name that this notation does not have (text goes in quotes)",
            ),
            ParseErrorKind::NumberForm => f.write_str(
                "a number has decimal digits, a point and an exponent, nothing else: 16 and not 0x10, \
                 1000 and not 1_000",
            ),
            ParseErrorKind::ArgumentCount { expected, found } => {
                write!(f, "expected {expected} numbers in this constructor, found {found}")
            }
            ParseErrorKind::Base64 => f.write_str("expected base64, found other text"),
            ParseErrorKind::Object => {
                f.write_str("an object, which is not let in (whole objects need the policy inert)")
            }
            ParseErrorKind::Resource => {
                f.write_str("a reference to a resource, which nothing here will load")
            }
            ParseErrorKind::Conversion { from, to } => {
                write!(f, "no conversion from {from} to {to} here: write the {to} itself")
            }
            ParseErrorKind::TooDeep { limit } => {
                write!(f, "a value inside more than {limit} containers")
            }
            ParseErrorKind::Trailing => f.write_str("expected nothing after the value"),
            ParseErrorKind::Write(kind) => kind.fmt(f),
        }
    }
}

gdvar_wire::debug_is_display!(ParseError);

impl core::error::Error for ParseError {}
