//! Describes the game's own header in front of the values.

pub(crate) use gdvar_file::Header;

use gdvar_file::{header::size_field, records::Framing};

use crate::terminal::words;

/// Describes the bytes in front of the values.
pub(crate) fn describe(len: usize, framing: Option<Framing>) -> String {
    let bytes = words::plural(len as u64, "byte");
    let what = match framing {
        Some(Framing::Bare) => "value",
        Some(_) => "records",
        None => "container",
    };
    format!("{bytes} of the game's own in front of the {what} (--skip {len})")
}

/// Says that `header` is kept in front of changed values, and which of its bytes are the size of the `rest`
/// bytes after it or of the whole file: that is mended.
pub(crate) fn kept(header: &[u8], rest: usize) -> String {
    let len = words::plural(header.len() as u64, "byte");
    match size_field(header, rest) {
        Some(field) => format!(
            "the {len} in front of the values are kept; bytes {} to {} of them are the size, which is mended",
            field.at,
            field.at + field.width - 1
        ),
        None => format!(
            "the {len} in front of the values are kept; if they hold a size or a checksum, it may need mending"
        ),
    }
}
