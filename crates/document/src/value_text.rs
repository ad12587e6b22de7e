//! Reads a text that is one value, as `var_to_str` (Godot 3: `var2str`) writes it.

use std::borrow::Cow;

use gdvar_text::write_stored;
use gdvar_view::{Dialect, Document};

use crate::{
    dialect,
    error::DocumentError,
    scanner::{Scanner, read_options},
    section::{Entry, Section},
};

/// Reads a text of one value. The value is the only entry of the only section. The entry has no name.
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

/// Returns `true` if a text may be a value: it has a token that JSON does not have, or begins as an engine
/// prints a value.
pub(crate) fn may_be(text: &str) -> bool {
    let start = text.trim_ascii_start();
    let first = dialect::first_of_godot(text);
    let is_list = start.starts_with(['{', '[']);
    let is_name = first == Some(text.len() - start.len());
    is_name || is_list && first.is_some() || begins_as_printed(start)
}

/// Returns `true` if a text is certainly a value that an engine wrote: it has a token that JSON does not
/// have, or is laid out exactly as an engine prints it. `[1, 2]` is; `[1,2]` and `{"a": 1}` may be JSON.
pub(crate) fn is_evident(text: &str, dialect: Dialect) -> bool {
    dialect::first_of_godot(text).is_some()
        || is_printed(text, dialect)
        // Both engines write `{"a": 1}` on the same three lines, but only Godot 3 writes `{}` on two.
        || is_printed(text, Dialect::GODOT_3)
}

/// Returns `true` if the text is exactly what the engine of `dialect` writes for its value.
fn is_printed(text: &str, dialect: Dialect) -> bool {
    let Ok(sections) = sections(text, dialect) else {
        return false;
    };
    let Some(entry) = sections.first().and_then(|section| section.entries.first()) else {
        return false;
    };
    let root = Document::with_options(&entry.value, read_options(dialect)).root();
    let mut printed = String::new();
    root.is_ok_and(|root| write_stored(&mut printed, root).is_ok())
        && printed.trim_ascii_end() == text[entry.value_at.clone()].trim_ascii_end()
}

/// Returns `true` if the beginning of a text may be a printed value. Most JSON and other text then
/// need not be read to the end.
fn begins_as_printed(text: &str) -> bool {
    let inside = text.trim_start_matches(['[', ' ']);
    if let Some(dict) = inside.strip_prefix('{') {
        // The engines do not indent a Dictionary.
        let lines = dict.strip_prefix('\n');
        return lines.map_or(dict.starts_with('}'), |lines| {
            lines.starts_with(|first: char| first > ' ')
        });
    }
    // A text of hexadecimal digits is more likely the bytes of a value: 1300000000000000 is an empty Array of
    // Godot 3.
    let digits = text.trim_ascii_end();
    let is_hex = digits.len() >= 8 && digits.len() % 2 == 0;
    if is_hex && digits.bytes().all(|byte| byte.is_ascii_hexdigit()) {
        return false;
    }
    let is_scalar = ["null", "true", "false"]
        .iter()
        .any(|word| inside.starts_with(word));
    is_scalar || inside.starts_with(|first: char| first.is_ascii_digit() || "-\"]".contains(first))
}
