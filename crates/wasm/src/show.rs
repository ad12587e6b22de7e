//! Values for people: on one line, found by a text, and what bytes are at all.

use std::fmt::Write;

use gdvar_text::{LineOptions, write_line};
use gdvar_view::{Document, Event, Role, VariantRef};

use crate::{
    desk::Desk,
    failure::{Failure, quote},
};

/// A value on one line, of at most so many characters.
pub(crate) fn line(value: VariantRef<'_>, most: u32) -> Result<String, Failure> {
    let mut line = String::new();
    let options = LineOptions::new().with_max_len(most as usize);
    write_line(&mut line, value, options).map_err(|error| Failure::new("Text", error))?;
    Ok(line)
}

/// The places where a text occurs, ignoring case, in keys, names and values of a document, from the value at
/// `from` on; at most so many. `out` gets offset and role of each: 0 value, 1 key, 2 name; word 0 the offset to go on from, or
/// 0 at the end.
pub(crate) fn search(
    document: Document<'_>,
    needle: &str,
    from: u32,
    most: u32,
    desk: &mut Desk,
) -> Result<(), Failure> {
    let needle = needle.to_lowercase();
    let mut found = 0;
    let mut events = document.events();
    let mut text = String::new();
    desk.words[0] = 0;
    loop {
        let event = match events.try_next() {
            Ok(Some(event)) => event,
            Ok(None) => return Ok(()),
            // Values before damage can be searched all the same.
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
            desk.words[0] = offset as u32;
            return Ok(());
        }
        found += 1;
        desk.out.extend_from_slice(&(offset as u32).to_le_bytes());
        desk.out.extend_from_slice(&role.to_le_bytes());
    }
}

/// The fields of a value, from its first byte to `end` at most, one a line: the first byte behind the field, a space, the
/// path from the value where it is inside, and the field's name.
pub(crate) fn fields(value: VariantRef<'_>, end: u32, desk: &mut Desk) {
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
    desk.out = text.into_bytes();
}

/// The readings of bytes, as JSON: how each mainstream engine reads them.
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
