//! The errors of writing and of reading JSON.

use std::{convert::Infallible, error::Error, fmt, io};

use gdvar_view::Kind;

/// The reason why a value could not be written as JSON.
///
/// The enum gets no new variants, because only two things can fail: reading the bytes and writing
/// the output. New kinds of error can appear in the inner errors.
#[derive(Debug)]
pub enum WriteError {
    /// The bytes cannot be read.
    Read(gdvar_view::Error),
    /// The output failed.
    Io(io::Error),
}

impl From<gdvar_view::Error> for WriteError {
    fn from(error: gdvar_view::Error) -> WriteError {
        WriteError::Read(error)
    }
}

impl From<io::Error> for WriteError {
    fn from(error: io::Error) -> WriteError {
        WriteError::Io(error)
    }
}

impl fmt::Display for WriteError {
    fn fmt(&self, f: &mut fmt::Formatter<'_>) -> fmt::Result {
        match self {
            WriteError::Read(error) => error.fmt(f),
            WriteError::Io(error) => error.fmt(f),
        }
    }
}

impl Error for WriteError {
    /// Returns the source of the inner error. The inner error itself is left out, because its
    /// message is already the message of this error.
    fn source(&self) -> Option<&(dyn Error + 'static)> {
        match self {
            WriteError::Read(error) => error.source(),
            WriteError::Io(error) => error.source(),
        }
    }
}

/// The reason why JSON could not be read, and where in the JSON.
#[derive(Clone, Copy, PartialEq, Eq)]
pub struct ReadError {
    offset: usize,
    line: u32,
    column: u32,
    kind: ReadErrorKind,
}

/// What is wrong with the JSON. See [`ReadError`].
#[derive(Clone, Copy, PartialEq, Eq, Debug)]
#[non_exhaustive]
pub enum ReadErrorKind {
    /// Something else was expected. The text follows "expected" in the message: `a value`.
    Expected(&'static str),
    /// The bytes are not UTF-8.
    NotUtf8,
    /// A text without its closing quote, or with a NUL in it.
    BadText,
    /// Half of a surrogate pair.
    Surrogate,
    /// A name that is not a type in this style.
    UnknownType,
    /// A number that the type cannot hold.
    Number,
    /// The type has another number of components than the JSON.
    Components {
        /// The type of the value.
        kind: Kind,
        /// How many numbers the JSON has.
        found: u32,
    },
    /// A key that its Dictionary already has. One of the two values would be lost.
    RepeatedKey,
    /// A whole object, although the options do not allow whole objects.
    Object,
    /// A value that lies inside more containers than allowed.
    TooDeep {
        /// The number of containers that is allowed.
        limit: u16,
    },
    /// Raw bytes that are not a valid value of the target.
    Raw,
    /// The value was read, but the target cannot hold it.
    Write(gdvar_write::WriteErrorKind<Infallible>),
}

impl From<gdvar_write::WriteErrorKind<Infallible>> for ReadErrorKind {
    fn from(kind: gdvar_write::WriteErrorKind<Infallible>) -> ReadErrorKind {
        ReadErrorKind::Write(kind)
    }
}

impl ReadError {
    pub(crate) fn new(json: &[u8], offset: usize, kind: ReadErrorKind) -> ReadError {
        let (line, column) = gdvar_text::line_and_column(json, offset);
        ReadError {
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
    pub fn kind(&self) -> ReadErrorKind {
        self.kind
    }
}

impl fmt::Display for ReadError {
    fn fmt(&self, f: &mut fmt::Formatter<'_>) -> fmt::Result {
        write!(
            f,
            "line {}, column {}: {}",
            self.line, self.column, self.kind
        )
    }
}

impl fmt::Display for ReadErrorKind {
    fn fmt(&self, f: &mut fmt::Formatter<'_>) -> fmt::Result {
        match self {
            ReadErrorKind::Expected(what) => write!(f, "expected {what}"),
            ReadErrorKind::NotUtf8 => f.write_str("JSON is UTF-8, and this is not"),
            ReadErrorKind::BadText => f.write_str("this text has no closing quote, or a NUL in it"),
            ReadErrorKind::Surrogate => f.write_str("half of a surrogate pair"),
            ReadErrorKind::UnknownType => f.write_str(
                "no type of this style (another --style, plain, native or tagged, may be the one)",
            ),
            ReadErrorKind::Number => f.write_str("no number that this type holds"),
            ReadErrorKind::Components { kind, found } => {
                write!(f, "a {kind} cannot be made of {found} numbers")
            }
            ReadErrorKind::RepeatedKey => f.write_str(
                "this key is in its object more than once, and only one of its values can be kept",
            ),
            ReadErrorKind::Object => f.write_str("a whole object, which is not let in"),
            ReadErrorKind::TooDeep { limit } => {
                write!(f, "a value inside more than {limit} containers")
            }
            ReadErrorKind::Raw => f.write_str("these raw bytes are not a value of the target"),
            ReadErrorKind::Write(kind) => kind.fmt(f),
        }
    }
}

gdvar_view::debug_is_display!(ReadError);

impl Error for ReadError {}
