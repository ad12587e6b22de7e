//! [`DocumentError`]: the reason why a text is not a document, and its position.

use std::fmt;

use gdvar_text::{ParseError, ParseErrorKind, line_and_column};

/// The position and the reason of the first error in a document.
#[derive(Clone, PartialEq, Eq, Debug)]
pub struct DocumentError {
    offset: usize,
    line: u32,
    column: u32,
    kind: DocumentErrorKind,
    /// The number of entries that were read before the error.
    pub entries_before: usize,
    /// The end of the last entry before the error.
    pub(crate) good_end: usize,
}

/// What is wrong in a document. See [`DocumentError`].
#[derive(Clone, PartialEq, Eq, Debug)]
#[non_exhaustive]
pub enum DocumentErrorKind {
    /// A value cannot be read.
    Value(ParseErrorKind),
    /// Another token was expected. The message is "expected `expected`, found `found`".
    Expected {
        /// What was expected.
        expected: &'static str,
        /// What was found.
        found: &'static str,
    },
    /// A value refers to a resource that no tag before it defines.
    NoSuchResource {
        /// The reference as in the text, such as `SubResource("a")`.
        name: String,
    },
    /// A NUL byte, at which the engine would end the text.
    Nul,
    /// The text is longer than 2 GiB.
    TooLong,
    /// A byte is not UTF-8. Godot 4 reads U+FFFD in its place. Godot 3 then reads every byte of a
    /// resource or a ConfigFile as one character.
    NotUtf8 {
        /// The byte.
        byte: u8,
    },
}

impl DocumentError {
    pub(crate) fn new(text: &str, offset: usize, kind: DocumentErrorKind) -> DocumentError {
        let (line, column) = line_and_column(text.as_bytes(), offset);
        DocumentError {
            offset,
            line,
            column,
            kind,
            entries_before: 0,
            good_end: 0,
        }
    }

    pub(crate) fn expected(
        text: &str,
        offset: usize,
        expected: &'static str,
        found: &'static str,
    ) -> DocumentError {
        let kind = DocumentErrorKind::Expected { expected, found };
        DocumentError::new(text, offset, kind)
    }

    pub(crate) fn value(text: &str, error: &ParseError) -> DocumentError {
        DocumentError::new(text, error.offset(), DocumentErrorKind::Value(error.kind()))
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

    /// Returns what is wrong.
    #[must_use]
    pub fn kind(&self) -> &DocumentErrorKind {
        &self.kind
    }
}

impl fmt::Display for DocumentError {
    fn fmt(&self, f: &mut fmt::Formatter<'_>) -> fmt::Result {
        write!(f, "line {}, column {}: ", self.line, self.column)?;
        self.kind.fmt(f)
    }
}

impl fmt::Display for DocumentErrorKind {
    fn fmt(&self, f: &mut fmt::Formatter<'_>) -> fmt::Result {
        match self {
            DocumentErrorKind::Value(kind) => kind.fmt(f),
            DocumentErrorKind::Expected { expected, found } => {
                write!(f, "expected {expected}, found {found}")
            }
            DocumentErrorKind::NoSuchResource { name } => {
                write!(
                    f,
                    "no tag above defines {name}, so no engine loads this file"
                )
            }
            DocumentErrorKind::Nul => f.write_str("a NUL, at which the engine stops reading"),
            DocumentErrorKind::TooLong => f.write_str("the text is longer than 2 GiB"),
            DocumentErrorKind::NotUtf8 { byte } => write!(
                f,
                "the byte 0x{byte:02x} is not UTF-8; Godot 4 reads U+FFFD in its place"
            ),
        }
    }
}

impl std::error::Error for DocumentError {}
