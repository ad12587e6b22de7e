//! Prints whole values in Godot's own notation: on one line, or as `var_to_str` does.

use std::io;

use gdvar_file::line;
use gdvar_json::WriteError;
use gdvar_text::{
    Bytes, Engine, LineOptions, Notation, TextError, write_exact, write_godot, write_line,
};
use gdvar_view::{Error, VariantRef};

use crate::terminal::safe_text;

/// Formats a value with everything in it on one line, in the order of the bytes. Types have the names that their engine
/// uses. Numbers are printed as by Godot 4, because Godot 3 prints only six digits.
pub(crate) fn line(value: VariantRef<'_>) -> Result<Vec<u8>, Error> {
    let mut text = Vec::new();
    match put_line(&mut text, value) {
        Err(WriteError::Read(error)) => Err(error),
        // Writing into memory cannot fail.
        Ok(()) | Err(WriteError::Io(_)) => Ok(text),
    }
}

/// Writes the text of [`line`] without holding it in memory.
pub(crate) fn put_line(out: impl io::Write, value: VariantRef<'_>) -> Result<(), WriteError> {
    let mut text = Bytes::new(out);
    let result = write_line(&mut text, value, options(value));
    text.finish()?;
    Ok(read_error(result)?)
}

fn options(value: VariantRef<'_>) -> LineOptions {
    LineOptions::new()
        .with_notation(Notation::Godot4)
        .with_names(value.dialect().notation())
}

/// Formats a value on one line with all digits. Reading the text gives the same value.
pub(crate) fn exact(value: VariantRef<'_>) -> Result<Vec<u8>, Error> {
    let mut text = Bytes::new(Vec::new());
    read_error(write_exact(&mut text, value))?;
    let text = text.finish().unwrap_or_default();
    // Only texts contain line ends, and `line` escapes them.
    if text.contains(&b'\n') {
        return line(value);
    }
    Ok(text)
}

/// Formats the start of a value on one line, for messages.
pub(crate) fn start(value: VariantRef<'_>, width: usize) -> String {
    let mut text = String::new();
    let options = options(value).with_max_len(width).with_max_children(6);
    // If the value is damaged, the text before the damage is shown.
    let _ = write_line(&mut text, value, options);
    safe_text::safe_line(&text).into_owned()
}

/// Formats the starts of two different values so that the texts differ. Tries short texts first. If these are equal,
/// shows all digits near the first difference, or adds the bytes if the texts with all digits are equal too.
pub(crate) fn pair(from: VariantRef<'_>, to: VariantRef<'_>, width: usize) -> (String, String) {
    let shown = (start(from, width), start(to, width));
    if shown.0 != shown.1 {
        return shown;
    }
    let text = |value| {
        exact(value)
            .ok()
            .and_then(|text| String::from_utf8(text).ok())
    };
    let (Some(a), Some(b)) = (text(from), text(to)) else {
        return shown;
    };
    if a == b {
        let with_bytes = |text: &str, value: VariantRef<'_>| {
            let raw = value.raw().unwrap_or_default();
            let hex = line::to_hex(raw.get(..24).unwrap_or(raw));
            format!("{text} (bytes {hex})")
        };
        return (with_bytes(&shown.0, from), with_bytes(&shown.1, to));
    }
    let same = a.chars().zip(b.chars()).take_while(|(a, b)| a == b).count();
    let cut = |text: &str| {
        let before = match same > width / 2 {
            true => same - width / 4,
            false => 0,
        };
        let part: String = text.chars().skip(before).take(width).collect();
        let is_whole = before + width >= text.chars().count();
        let (front, back) = (
            if before > 0 { "…" } else { "" },
            if is_whole { "" } else { "…" },
        );
        safe_text::safe_line(&format!("{front}{part}{back}")).into_owned()
    };
    (cut(&a), cut(&b))
}

/// Writes a value as `var_to_str` (Godot 3: `var2str`) of `engine` prints it. If `engine` is `None`, uses the default
/// notation of the value's dialect.
pub(crate) fn put_godot(
    out: impl io::Write,
    value: VariantRef<'_>,
    engine: Option<Engine>,
) -> Result<(), WriteError> {
    let notation = engine.map_or(value.dialect().notation(), Engine::notation);
    let mut text = Bytes::new(out);
    let result = write_godot(&mut text, value, notation);
    text.finish()?;
    Ok(read_error(result)?)
}

/// Returns the error of the value. The sink's error is ignored, because `finish` has returned it.
fn read_error(result: Result<(), TextError>) -> Result<(), Error> {
    match result {
        Ok(()) | Err(TextError::Fmt) => Ok(()),
        Err(TextError::Read(error)) => Err(error),
    }
}
