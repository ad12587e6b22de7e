//! Why a text is not a value, and where.

use core::{convert::Infallible, fmt};

use gdvar_write::wire::Kind;

/// Why a text was refused, and at which character.
///
/// ```
/// use gdvar_text::{ParseOptions, parse_godot};
/// use gdvar_write::Target;
///
/// let error = parse_godot("{\n  \"hp\" 80\n}", &ParseOptions::new(Target::GODOT_4)).unwrap_err();
/// assert_eq!((error.line(), error.column(), error.offset()), (2, 8, 9));
/// assert_eq!(error.to_string(), "line 2, column 8: expected ':' behind the key, found a number");
/// ```
#[derive(Clone, Copy, PartialEq, Eq)]
pub struct ParseError {
    offset: usize,
    line: u32,
    column: u32,
    kind: ParseErrorKind,
}

/// The ways in which a text can be wrong. See [`ParseError`].
#[derive(Clone, Copy, PartialEq, Eq, Debug)]
#[non_exhaustive]
pub enum ParseErrorKind {
    /// Something else had to come here.
    Expected {
        /// The token that had to come, for a sentence.
        expected: &'static str,
        /// The token that stands there, for a sentence.
        found: &'static str,
    },
    /// A character that begins nothing.
    UnexpectedCharacter(char),
    /// A text without its closing quote.
    UnterminatedText,
    /// Something other than hexadecimal digits behind `\u` or `\U`.
    Escape,
    /// Half of a surrogate pair in a text for Godot 4.
    Surrogate,
    /// A name that stands for no value in this notation, such as a constructor of another engine.
    UnknownName,
    /// A number that goes on with a letter or `_`: `0x10`, `1_000`.
    NumberForm,
    /// A constructor with too few or too many numbers.
    ArgumentCount {
        /// The number it takes.
        expected: u32,
        /// The number it has.
        found: u32,
    },
    /// Text that is not base64.
    Base64,
    /// A whole object, or any object where none are let in.
    Object,
    /// A reference to a resource, which would have to be loaded.
    Resource,
    /// An element that would have to be converted in a way that is not supported here.
    Conversion {
        /// From this kind.
        from: Kind,
        /// To this one.
        to: Kind,
    },
    /// A value inside more containers than allowed.
    TooDeep {
        /// The number that is allowed.
        limit: u16,
    },
    /// Something behind the value, where the text must hold nothing else.
    Trailing,
    /// The value is read, but the target has no bytes for it.
    Write(gdvar_write::WriteErrorKind<Infallible>),
}

impl ParseError {
    /// An error at a byte of the text.
    pub(crate) fn new(text: &str, offset: usize, kind: ParseErrorKind) -> ParseError {
        let before = &text.as_bytes()[..offset.min(text.len())];
        let line_start = before
            .iter()
            .rposition(|byte| *byte == b'\n')
            .map_or(0, |at| at + 1);
        // Bytes that go on with a character are not counted.
        let column = before[line_start..]
            .iter()
            .filter(|byte| **byte & 0xc0 != 0x80)
            .count();
        let line = before.iter().filter(|byte| **byte == b'\n').count();
        ParseError {
            offset,
            line: u32::try_from(line).unwrap_or(u32::MAX - 1) + 1,
            column: u32::try_from(column).unwrap_or(u32::MAX - 1) + 1,
            kind,
        }
    }

    /// The byte of the text, from 0.
    #[must_use]
    pub fn offset(&self) -> usize {
        self.offset
    }

    /// The line, from 1.
    #[must_use]
    pub fn line(&self) -> u32 {
        self.line
    }

    /// The character in the line, from 1.
    #[must_use]
    pub fn column(&self) -> u32 {
        self.column
    }

    /// The kind of mistake.
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
                f.write_str("expected 4 hexadecimal digits behind \\u, or 6 behind \\U")
            }
            ParseErrorKind::Surrogate => {
                f.write_str("half of a surrogate pair, which Godot 4 does not take")
            }
            ParseErrorKind::UnknownName => f.write_str(
                "expected a value, found a name that is none in this notation (text goes in quotes)",
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
            ParseErrorKind::Trailing => f.write_str("expected nothing behind the value"),
            ParseErrorKind::Write(kind) => kind.fmt(f),
        }
    }
}

gdvar_wire::debug_is_display!(ParseError);

impl core::error::Error for ParseError {}
