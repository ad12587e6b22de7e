//! Writes names of entries and sections.

use std::{borrow::Cow, ops::Range};

use gdvar_text::Notation;
use gdvar_view::Dialect;

/// Returns the name of an entry as the engines write it: in quotes unless all of its bytes are plain
/// characters.
pub(crate) fn entry(name: &str) -> Cow<'_, str> {
    let is_plain = |byte: u8| matches!(byte, 33..=126) && !b"=\";[]".contains(&byte);
    if !name.is_empty() && name.bytes().all(is_plain) {
        return Cow::Borrowed(name);
    }
    Cow::Owned(quoted(name))
}

/// Returns a text in quotes, with quotes and backslashes escaped.
pub(crate) fn quoted(text: &str) -> String {
    format!("\"{}\"", text.replace('\\', "\\\\").replace('"', "\\\""))
}

/// Returns `true` if a `]` in the name of a section must have a backslash before it, as in Godot 4.
pub(crate) fn escapes_brackets(dialect: Dialect) -> bool {
    dialect.notation() == Notation::Godot4
}

/// Returns the header of a section in a ConfigFile.
pub(crate) fn header(name: &str, dialect: Dialect) -> String {
    format!("[{}]", section(name, dialect))
}

/// Returns the name of a section as a header of a ConfigFile has it between its brackets.
pub(crate) fn section(name: &str, dialect: Dialect) -> Cow<'_, str> {
    match escapes_brackets(dialect) && name.contains(']') {
        true => Cow::Owned(name.replace(']', "\\]")),
        false => Cow::Borrowed(name),
    }
}

/// Returns the range of the name in the header of a ConfigFile at `header`, without the blanks around it.
pub(crate) fn in_header(text: &str, header: &Range<usize>) -> Range<usize> {
    let inside = header.start + 1..header.end - 1;
    let is_blank = |c: char| c <= ' ';
    let name = text[inside.clone()].trim_start_matches(is_blank);
    let start = inside.end - name.len();
    start..start + name.trim_end_matches(is_blank).len()
}

/// Returns the length of the word of letters, digits and `_` at the start of the text.
pub(crate) fn word_len(text: &[u8]) -> usize {
    let is_word = |byte: &u8| byte.is_ascii_alphanumeric() || *byte == b'_';
    let len = text.iter().position(|byte| !is_word(byte));
    len.unwrap_or(text.len())
}
