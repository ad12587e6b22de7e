//! Shows values to people: on one line, in search results, as fields, and as each engine reads them.

use std::fmt::Write;

use gdvar_text::{LineOptions, write_line};
use gdvar_view::{Document, Event, Found, Pattern, Role, VariantRef};

use crate::{
    failure::{Failure, quote},
    state::State,
};

/// Returns a value as one line of text, of at most `most` characters.
pub(crate) fn line(value: VariantRef<'_>, most: u32) -> Result<String, Failure> {
    let mut line = String::new();
    let options = LineOptions::new().with_max_len(most as usize);
    write_line(&mut line, value, options).map_err(|error| Failure::new("Text", error))?;
    Ok(line)
}

/// Parses a search text as a pattern of paths. Returns `None` if it does not begin with `$.` or `$[`, or is
/// not valid.
fn pattern(needle: &str) -> Option<Pattern<'_>> {
    let needle = needle.trim();
    let begins = needle.starts_with("$.") || needle.starts_with("$[");
    begins.then(|| Pattern::parse(needle).ok()).flatten()
}

/// Lists the values that match a pattern, in the format of [`search`]. A pattern can also match parts of
/// values, such as the numbers of a vector. These are left out.
fn select(
    document: Document<'_>,
    pattern: &Pattern<'_>,
    from: u32,
    most: u32,
    state: &mut State,
) -> Result<(), Failure> {
    let Ok(root) = document.root() else {
        return Ok(());
    };
    let mut found = 0;
    let mut all = root.select(pattern);
    // The values before the damage have been found.
    while let Ok(Some(one)) = all.try_next() {
        let Found::Value(value) = one else { continue };
        let offset = value.offset() as u32;
        if offset < from {
            continue;
        }
        if found == most {
            state.words[0] = offset;
            break;
        }
        found += 1;
        state.out.extend_from_slice(&offset.to_le_bytes());
        state.out.extend_from_slice(&3_u32.to_le_bytes());
    }
    Ok(())
}

/// Searches keys, names and values of a document for a text, ignoring case, from the offset `from` on, and
/// lists at most `most` hits. `out` receives the offset and the role of each hit: 0 value, 1 key, 2 name. If
/// the text is a pattern of paths, such as `$.party[*].hp`, the hits are the values that match the pattern,
/// with role 3. If no value matches, the pattern is searched like any other text. Word 0 is the offset at
/// which to continue, or 0 at the end.
pub(crate) fn search(
    document: Document<'_>,
    needle: &str,
    from: u32,
    most: u32,
    state: &mut State,
) -> Result<(), Failure> {
    state.words[0] = 0;
    if let Some(pattern) = pattern(needle) {
        select(document, &pattern, from, most, state)?;
        if !state.out.is_empty() {
            return Ok(());
        }
    }
    let needle = needle.to_lowercase();
    let mut found = 0;
    let mut events = document.events();
    let mut text = String::new();
    loop {
        let event = match events.try_next() {
            Ok(Some(event)) => event,
            Ok(None) => return Ok(()),
            // The values before the damage have already been searched.
            Err(_) => return Ok(()),
        };
        text.clear();
        let (offset, role) = match event {
            Event::Value(value) => {
                let role = u32::from(events.role() == Role::Key);
                if value.offset() < from as usize {
                    continue;
                }
                match value.as_text() {
                    Some(own) => text.push_str(&String::from_utf8_lossy(own.as_bytes())),
                    None => {
                        let _ = write_line(&mut text, value, LineOptions::new().with_max_len(200));
                    }
                }
                (value.offset(), role)
            }
            Event::Property(name) if name.offset() >= from as usize => {
                text.push_str(&String::from_utf8_lossy(name.as_bytes()));
                (name.offset(), 2)
            }
            _ => continue,
        };
        if !text.to_lowercase().contains(&needle) {
            continue;
        }
        if found == most {
            state.words[0] = offset as u32;
            return Ok(());
        }
        found += 1;
        state.out.extend_from_slice(&(offset as u32).to_le_bytes());
        state.out.extend_from_slice(&role.to_le_bytes());
    }
}

/// Lists the fields of a value up to the offset `end`, one per line. A line has the offset at which the
/// field ends, a space, the path inside the value if there is one, and the name of the field.
pub(crate) fn fields(value: VariantRef<'_>, end: u32, state: &mut State) {
    let mut text = String::new();
    let mut fields = value.wire_fields();
    while let Some(field) = fields.next() {
        if field.start >= end as usize {
            break;
        }
        let _ = write!(text, "{} ", field.end);
        if fields.depth() > 0 {
            let _ = write!(text, "{} ", fields.path());
        }
        let _ = writeln!(text, "{field}");
    }
    state.out = text.into_bytes();
}

/// Reports how each mainstream engine reads the bytes, as JSON.
pub(crate) fn detect(bytes: &[u8]) -> String {
    let detection = gdvar_view::detect(bytes);
    let choice = format!("{:?}", detection.choice());
    let mut json = String::from("{\"choice\":");
    quote(&choice, &mut json);
    json.push_str(",\"readings\":[");
    for (n, reading) in detection.readings().iter().enumerate() {
        let comma = if n > 0 { "," } else { "" };
        let name = reading.dialect.name();
        let exact = reading.is_exact();
        let _ = write!(json, "{comma}{{\"dialect\":\"{name}\",\"exact\":{exact}}}");
    }
    json.push_str("]}");
    json
}
