//! Steps through the text of a document by the rules of the engine's `VariantParser`.

use std::{borrow::Cow, ops::Range};

use gdvar_text::{ParseOptions, parse_godot_at};
use gdvar_view::{Dialect, Objects, ReadOptions};
use gdvar_write::wire::Limits;

use crate::{error::DocumentError, section::Entry};

type Result<T> = std::result::Result<T, DocumentError>;

/// The greatest depth of a value in a document. In the value of the whole document, more containers
/// enclose it; even then it does not reach the depth limit of readers.
const MOST_DEPTH: u16 = 256;

/// What the scanner finds where a name of an entry may be.
pub(crate) enum Name<'a> {
    /// A name and its position.
    Entry(Cow<'a, str>, Range<usize>),
    /// A `[` instead of a name, after an empty text in quotes: a header begins here.
    Bracket,
    /// The end of the text, or text without a `=` before the end, which the engine ignores.
    End,
}

#[derive(Clone)]
pub(crate) struct Scanner<'a> {
    pub(crate) text: &'a str,
    pub(crate) at: usize,
    options: ParseOptions,
}

impl<'a> Scanner<'a> {
    pub(crate) fn new(text: &'a str, dialect: Dialect) -> Scanner<'a> {
        Scanner {
            text,
            at: 0,
            options: options(dialect),
        }
    }

    pub(crate) fn peek(&self) -> Option<u8> {
        self.text.as_bytes().get(self.at).copied()
    }

    /// Moves to the start of the next line.
    pub(crate) fn skip_line(&mut self) {
        let rest = &self.text.as_bytes()[self.at..];
        let end = rest.iter().position(|byte| *byte == b'\n');
        self.at += end.map_or(rest.len(), |end| end + 1);
    }

    /// Skips blanks and comments.
    pub(crate) fn skip_blanks(&mut self) {
        while let Some(byte) = self.peek() {
            match byte {
                b';' => self.skip_line(),
                0..=32 => self.at += 1,
                _ => return,
            }
        }
    }

    /// Skips blanks and comments, and reads a value. Returns its bytes and its position in the text.
    pub(crate) fn value(&mut self) -> Result<(Vec<u8>, Range<usize>)> {
        self.skip_blanks();
        let start = self.at;
        let parsed = parse_godot_at(self.text, start, &self.options)
            .map_err(|error| DocumentError::value(self.text, &error))?;
        self.at = parsed.value_end;
        Ok((parsed.bytes, start..parsed.value_end))
    }

    /// Reads the name of an entry from its first character on, and the `=` after it.
    ///
    /// Blanks in a name are dropped, and a line break does not end it. A text in quotes replaces
    /// the part of the name before it. Outside of quotes each byte is a character, so a letter
    /// beyond ASCII becomes several characters.
    pub(crate) fn name(&mut self) -> Result<Name<'a>> {
        let start = self.at;
        let bytes = self.text.as_bytes();
        let plain = bytes[start..]
            .iter()
            .position(|byte| !matches!(byte, 33..=126) || matches!(byte, b'=' | b';' | b'"'));
        let end = plain.map_or(bytes.len(), |len| start + len);
        if bytes.get(end) == Some(&b'=') {
            self.at = end + 1;
            return Ok(Name::Entry(
                Cow::Borrowed(&self.text[start..end]),
                start..end,
            ));
        }
        let mut name = String::new();
        let mut end = start;
        while let Some(byte) = self.peek() {
            match byte {
                b'=' => {
                    self.at += 1;
                    return Ok(Name::Entry(Cow::Owned(name), start..end));
                }
                b'[' if name.is_empty() => return Ok(Name::Bracket),
                b';' => self.skip_line(),
                0..=32 => self.at += 1,
                b'"' => {
                    name = self.quoted()?;
                    end = self.at;
                }
                byte => {
                    name.push(char::from(byte));
                    self.at += 1;
                    end = self.at;
                }
            }
        }
        Ok(Name::End)
    }

    /// Reads a value that must be a text in quotes.
    pub(crate) fn quoted(&mut self) -> Result<String> {
        let (bytes, _) = self.value()?;
        let len = { bytes.get(4..) }
            .and_then(|rest| rest.first_chunk())
            .map_or(0, |len| u32::from_le_bytes(*len) as usize);
        let text = bytes.get(8..8 + len).unwrap_or_default();
        Ok(String::from_utf8_lossy(text).into_owned())
    }

    /// Reads the value of an entry whose name has already been read.
    pub(crate) fn entry(&mut self, name: Cow<'a, str>, name_at: Range<usize>) -> Result<Entry<'a>> {
        let (value, value_at) = self.value()?;
        Ok(Entry {
            name,
            name_at,
            value,
            value_at,
        })
    }
}

/// Returns the options for parsing values of documents.
pub(crate) fn options(dialect: Dialect) -> ParseOptions {
    ParseOptions::new(dialect)
        .with_objects(Objects::Inert)
        .with_references(true)
        .with_limits(Limits::ENGINE.with_max_depth(MOST_DEPTH))
}

/// Returns the options for reading encoded contents.
pub(crate) fn read_options(dialect: Dialect) -> ReadOptions {
    ReadOptions::new(dialect)
        .with_objects(Objects::Inert)
        .with_limits(Limits::MOST)
}
