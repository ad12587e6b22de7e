//! A text that is one value, as `var_to_str` (Godot 3: `var2str`) writes it.

use std::borrow::Cow;

use gdvar_text::write_stored;
use gdvar_view::{Dialect, Document};

use crate::{
    dialect,
    error::DocumentError,
    replace::read_options,
    scanner::Scanner,
    section::{Entry, Section},
};

/// Reads a text of one value. It is the only entry of the only section, without a name.
pub(crate) fn sections(text: &str, dialect: Dialect) -> Result<Vec<Section<'_>>, DocumentError> {
    let mut scanner = Scanner::new(text, dialect);
    let (value, value_at) = scanner.value()?;
    scanner.skip_blanks();
    if scanner.peek().is_some() {
        let (expected, found) = ("nothing after the value", "other text");
        return Err(DocumentError::expected(text, scanner.at, expected, found));
    }
    let mut section = Section::new(Cow::Borrowed(""), 0..0);
    section.entries.push(Entry {
        name: Cow::Borrowed(""),
        name_at: value_at.start..value_at.start,
        value,
        value_at,
    });
    Ok(vec![section])
}

/// Returns `true` if a text may be a value: it begins as one that an engine prints on several lines, or with
/// something that JSON has not.
pub(crate) fn may_be(text: &str) -> bool {
    let start = text.trim_ascii_start();
    let is_list = start.starts_with(['{', '[']);
    let first = dialect::first_of_godot(text);
    let is_name = first == Some(text.len() - start.len());
    is_name || is_list && (first.is_some() || has_bare_lines(start))
}

/// Returns `true` if a value is in the text of an engine beyond doubt: it has something that JSON has not, or
/// is laid out exactly as an engine lays it out, with a key at the beginning of each line.
pub(crate) fn is_evident(text: &str, value: &[u8], dialect: Dialect) -> bool {
    if dialect::first_of_godot(text).is_some() {
        return true;
    }
    let root = Document::with_options(value, read_options(dialect)).root();
    let mut printed = String::new();
    let is_printed = root.is_ok_and(|root| write_stored(&mut printed, root).is_ok());
    has_bare_lines(text.trim_ascii_start())
        && is_printed
        && printed.trim_ascii_end() == text.trim_ascii()
}

/// Returns `true` for the beginning of a Dictionary without indentation.
fn has_bare_lines(text: &str) -> bool {
    let dict = text.trim_start_matches(['[', ' ']).strip_prefix("{\n");
    dict.is_some_and(|dict| dict.starts_with(|first: char| first > ' '))
}
