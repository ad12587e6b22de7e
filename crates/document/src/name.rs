//! Writes names of entries and sections.

use std::borrow::Cow;

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
    match escapes_brackets(dialect) {
        true => format!("[{}]", name.replace(']', "\\]")),
        false => format!("[{name}]"),
    }
}

/// Returns the length of the word of letters, digits and `_` at the start of the text.
pub(crate) fn word_len(text: &[u8]) -> usize {
    let is_word = |byte: &u8| byte.is_ascii_alphanumeric() || *byte == b'_';
    let len = text.iter().position(|byte| !is_word(byte));
    len.unwrap_or(text.len())
}
