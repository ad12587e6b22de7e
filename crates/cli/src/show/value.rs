//! Formats the value at a path: as text, in Godot's notation, as JSON.

use gdvar_json::{Loss, Style, WriteError};
use gdvar_view::{Error, Found, Math};

use crate::{
    show::{
        json_lines, notation,
        summary::{self, Cut, Item},
    },
    terminal::safe_text,
};

/// Formats a value as text: a text unchanged, any other value in Godot's notation.
pub(crate) fn text(found: Found<'_>) -> Result<Vec<u8>, Error> {
    Ok(match found {
        Found::Value(value) => match (value.as_text(), value.as_f64()) {
            (Some(text), _) => text.as_bytes().to_vec(),
            (_, Some(float)) => summary::float_text(float).into_bytes(),
            // All digits, as its components have, because only they name a key of 64-bit reals.
            _ if value.is_wide() && Math::of(value).is_some() => notation::exact(value)?,
            _ => notation::line(value)?,
        },
        Found::Part(part) => match Item::of(part) {
            Item::Text(text) => text.as_bytes().to_vec(),
            item => item.text(Cut::NONE).into_bytes(),
        },
    })
}

/// Formats a value in Godot's notation with all digits. Unlike [`text`], puts a text in quotes.
pub(crate) fn notation(found: Found<'_>) -> Result<Vec<u8>, Error> {
    match found {
        Found::Value(value) => notation::exact(value),
        Found::Part(part) => Ok(Item::of(part).text(Cut::NONE).into_bytes()),
    }
}

/// Formats a value as plain JSON on one line.
pub(crate) fn json(found: Found<'_>) -> Result<Vec<u8>, Error> {
    json_and_nulls(found).map(|(json, _)| json)
}

/// Formats a value as plain JSON on one line. Also returns the number of numbers that are not finite: they are `null`.
pub(crate) fn json_and_nulls(found: Found<'_>) -> Result<(Vec<u8>, u64), Error> {
    let mut json = Vec::new();
    let report = match found {
        Found::Value(value) => gdvar_json::write(value, Style::Plain, &mut json),
        Found::Part(part) => gdvar_json::write_part(part, &mut json),
    };
    match report {
        Err(WriteError::Read(error)) => Err(error),
        Ok(report) => Ok((tame_json(json), report.count(Loss::NotFinite))),
        // Writing into memory cannot fail.
        Err(WriteError::Io(_)) => Ok((tame_json(json), 0)),
    }
}

/// Escapes characters in JSON that a terminal would obey. JSON readers undo that.
fn tame_json(json: Vec<u8>) -> Vec<u8> {
    match String::from_utf8(json) {
        Ok(text) if !text.chars().all(safe_text::is_safe) => {
            let mut out = String::new();
            for c in text.chars() {
                if safe_text::is_safe(c) {
                    out.push(c);
                } else {
                    for unit in c.encode_utf16(&mut [0; 2]) {
                        out += &format!("\\u{unit:04x}");
                    }
                }
            }
            out.into_bytes()
        }
        Ok(text) => text.into_bytes(),
        Err(error) => error.into_bytes(),
    }
}

/// Formats a text as JSON.
pub(crate) fn string(text: &str) -> Vec<u8> {
    let mut json = Vec::new();
    // Writing into memory cannot fail, and every text can be written as JSON.
    let _ = json_lines::write(&mut json, &text);
    json
}

/// Returns the number of bytes after the NUL in a text.
pub(crate) fn behind_nul(found: Found<'_>) -> usize {
    let text = match found {
        Found::Value(value) => value.as_text(),
        Found::Part(gdvar_view::PathTarget::Text(text)) => Some(text),
        Found::Part(_) => None,
    };
    text.map_or(0, summary::behind_nul)
}

/// Reads all of a value, and returns the first error in it.
pub(crate) fn check(found: Found<'_>) -> Result<(), Error> {
    if let Some(value) = found.value() {
        let mut events = value.events();
        while events.try_next()?.is_some() {}
    }
    Ok(())
}
