//! Describes the game's own bytes around the values.

use gdvar_file::{
    Layer,
    header::{SizeField, size_field},
    records::Framing,
};

use crate::terminal::words;

/// Describes the game's own bytes before the values.
pub(crate) fn describe(len: usize, framing: Option<Framing>) -> String {
    let bytes = words::plural(len as u64, "byte");
    let what = match framing {
        Some(Framing::Bare) => "value",
        Some(_) => "records",
        None => "container",
    };
    format!("{bytes} of the game's own in front of the {what} (--skip {len})")
}

/// Describes the game's own bytes after a container or after records.
pub(crate) fn describe_trailer(len: usize, what: &str) -> String {
    let bytes = words::plural(len as u64, "byte");
    format!(
        "{bytes} of the game's own after the {what}; edits keep them, and a checksum in them may need mending"
    )
}

/// Returns the note that the bytes before a layer are kept, and whether a size in them is corrected.
pub(crate) fn kept_in_front(layer: &Layer) -> String {
    let len = words::plural(layer.header.len() as u64, "byte");
    let size = size_of_rest(&layer.header, layer.len, layer.trailer.len());
    let what = match size.or_else(|| size_field(&layer.header, layer.contents_len)) {
        Some(_) => "a size in them is mended",
        None => "if they hold a size or a checksum, it may need mending",
    };
    format!("the {len} in front of the container are kept; {what}")
}

/// Finds the number in `header` that is the size of the `rest` bytes after it, with or without the last `trailer`
/// bytes.
pub(crate) fn size_of_rest(header: &[u8], rest: usize, trailer: usize) -> Option<SizeField> {
    size_field(header, rest).or_else(|| size_field(header, rest - trailer))
}

/// Returns a message for the user: `header` is kept before changed values, and which of its bytes are a size that is
/// corrected. The size counts the `rest` bytes after the header, with or without the last `trailer` bytes, or the whole
/// file.
pub(crate) fn kept(header: &[u8], rest: usize, trailer: usize) -> String {
    let len = words::plural(header.len() as u64, "byte");
    match size_of_rest(header, rest, trailer) {
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
