//! Godot's own notation.

use std::io;

use gdvar_text::{
    Bytes, Engine, LineOptions, Notation, TextError, write_exact, write_godot, write_line,
};
use gdvar_view::{Error, VariantRef};

use crate::brief;

/// A value and all below it on one line, as the bytes have it. Types are called as their engine calls them,
/// and numbers have the digits of Godot 4: Godot 3 prints six of each.
pub(crate) fn line(value: VariantRef<'_>) -> Result<Vec<u8>, Error> {
    let mut text = Vec::new();
    // Memory takes everything.
    put_line(&mut text, value).unwrap_or(Ok(()))?;
    Ok(text)
}

/// [`line`], put out while it is made.
pub(crate) fn put_line(
    out: impl io::Write,
    value: VariantRef<'_>,
) -> io::Result<Result<(), Error>> {
    let mut text = Bytes::new(out);
    let result = write_line(&mut text, value, options(value));
    text.finish()?;
    Ok(read_error(result))
}

fn options(value: VariantRef<'_>) -> LineOptions {
    LineOptions::new()
        .with_notation(Notation::Godot4)
        .with_names(Notation::of(value.dialect()))
}

/// A value on one line with all digits, so that what is read from it is the same value.
pub(crate) fn exact(value: VariantRef<'_>) -> Result<Vec<u8>, Error> {
    let mut text = Bytes::new(Vec::new());
    read_error(write_exact(&mut text, value))?;
    let text = text.finish().unwrap_or_default();
    // Line ends stand in texts only, where they can be escaped.
    if text.contains(&b'\n') {
        return line(value);
    }
    Ok(text)
}

/// The start of a value on one line, for messages.
pub(crate) fn start(value: VariantRef<'_>, width: usize) -> String {
    let mut text = String::new();
    let options = options(value).with_max_len(width).with_max_children(6);
    // The part that was written before something unreadable can be shown.
    let _ = write_line(&mut text, value, options);
    brief::tame_line(&text).into_owned()
}

/// Puts out a value as `var_to_str` (Godot 3: `var2str`) of that engine prints it, or of the dialect's default.
pub(crate) fn put_godot(
    out: impl io::Write,
    value: VariantRef<'_>,
    engine: Option<Engine>,
) -> io::Result<Result<(), Error>> {
    let notation = engine.map_or(Notation::of(value.dialect()), Engine::notation);
    let mut text = Bytes::new(out);
    let result = write_godot(&mut text, value, notation);
    text.finish()?;
    Ok(read_error(result))
}

/// The error of the value; that of the sink is known.
fn read_error(result: Result<(), TextError>) -> Result<(), Error> {
    match result {
        Ok(()) | Err(TextError::Fmt) => Ok(()),
        Err(TextError::Read(error)) => Err(error),
    }
}
