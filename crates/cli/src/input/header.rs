//! Describes the game's own bytes around the values.

use gdvar_file::{
    Layer,
    header::{SizeField, size_field},
    records::Framing,
};

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

/// Describes the bytes after a container or after records.
pub(crate) fn describe_trailer(len: usize, what: &str) -> String {
    let bytes = words::plural(len as u64, "byte");
    format!(
        "{bytes} of the game's own after the {what}; edits keep them, and a checksum in them may need mending"
    )
}

/// Says that the bytes in front of a layer are kept, and whether a size in them is mended.
pub(crate) fn kept_in_front(layer: &Layer) -> String {
    let len = words::plural(layer.header.len() as u64, "byte");
    let size = size_of_rest(&layer.header, layer.len, layer.trailer.len());
    let what = match size.or_else(|| size_field(&layer.header, layer.contents_len)) {
        Some(_) => "a size in them is mended",
        None => "if they hold a size or a checksum, it may need mending",
    };
    format!("the {len} in front of the container are kept; {what}")
}

/// The number in `header` that is the size of the `rest` bytes after it, or of them without the last `trailer`.
pub(crate) fn size_of_rest(header: &[u8], rest: usize, trailer: usize) -> Option<SizeField> {
    size_field(header, rest).or_else(|| size_field(header, rest - trailer))
}

/// Says that `header` is kept in front of changed values, and which of its bytes are the size of the `rest`
/// bytes after it or of the whole file: that is mended. The last `trailer` bytes of them may not be counted.
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
