//! Reads the text of a ConfigFile: `.cfg`, `project.godot`, `.import`, `export_presets.cfg`.

use std::{borrow::Cow, ops::Range};

use gdvar_view::Dialect;

use crate::{
    error::DocumentError,
    name,
    scanner::{Name, Scanner},
    section::Section,
};

/// Reads all sections by the rules of `ConfigFile.load`. The first section has no name and contains
/// the entries before the first header.
pub(crate) fn sections<'a>(
    text: &'a str,
    dialect: Dialect,
) -> Result<Vec<Section<'a>>, DocumentError> {
    let mut sections = vec![Section::new(Cow::Borrowed(""), 0..0)];
    read(text, dialect, &mut sections).map_err(|mut error| {
        let entries = || sections.iter().flat_map(|section| &section.entries);
        error.entries_before = entries().count();
        error.good_end = entries().last().map_or(0, |entry| entry.value_at.end);
        error
    })?;
    Ok(sections)
}

fn read<'a>(
    text: &'a str,
    dialect: Dialect,
    sections: &mut Vec<Section<'a>>,
) -> Result<(), DocumentError> {
    let mut scanner = Scanner::new(text, dialect);
    loop {
        scanner.skip_blanks();
        match scanner.peek() {
            None => return Ok(()),
            Some(b'[') => {
                let (name, header) = header(&mut scanner, dialect)?;
                // A header without a name does not begin a section.
                if !name.is_empty() {
                    sections.push(Section::new(name, header));
                }
            }
            Some(_) => {
                let (name, name_at) = match scanner.name()? {
                    Name::Entry(name, name_at) => (name, name_at),
                    Name::Bracket => continue,
                    Name::End => return Ok(()),
                };
                let entry = scanner.entry(name, name_at)?;
                // A value without a name is ignored.
                if !entry.name.is_empty() {
                    if let Some(section) = sections.last_mut() {
                        section.entries.push(entry);
                    }
                }
            }
        }
    }
}

/// Reads a header, starting at its `[`. In Godot 4, a backslash before a `]` makes it a part of the name.
fn header<'a>(
    scanner: &mut Scanner<'a>,
    dialect: Dialect,
) -> Result<(Cow<'a, str>, Range<usize>), DocumentError> {
    let start = scanner.at;
    let text = scanner.text;
    let escapes = name::escapes_brackets(dialect);
    let mut is_escaped = false;
    for (at, byte) in text.as_bytes()[start + 1..].iter().enumerate() {
        let at = start + 1 + at;
        match byte {
            b'\\' if escapes => is_escaped = true,
            b']' if !is_escaped => {
                scanner.at = at + 1;
                let name = &text[start + 1..at];
                // The engines drop a byte order mark when they decode the name.
                let name = name.strip_prefix('\u{feff}').unwrap_or(name);
                let name = name.trim_matches(|c: char| c <= ' ');
                let name = match escapes && name.contains("\\]") {
                    true => Cow::Owned(name.replace("\\]", "]")),
                    false => Cow::Borrowed(name),
                };
                return Ok((name, start..at + 1));
            }
            _ => is_escaped = false,
        }
    }
    let found = "the end of the text";
    Err(DocumentError::expected(
        text,
        start,
        "']' after the name of the section",
        found,
    ))
}
