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
    kept_with(header, size_of_rest(header, rest, trailer))
}

/// Says that `header` is kept in front of changed values, and that its size `field` is mended, if it has one.
pub(crate) fn kept_with(header: &[u8], field: Option<SizeField>) -> String {
    let len = words::plural(header.len() as u64, "byte");
    match field {
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

/// Returns `header` for recovered values of `new` bytes, and says that it is kept. `old` are the lengths that the
/// values may have had; a size in the header that is one of them is mended. The `trailer` bytes after the values may
/// be counted or not.
pub(crate) fn mended(
    header: &[u8],
    old: &[usize],
    new: usize,
    trailer: usize,
) -> (Vec<u8>, String) {
    let with_trailer = |old: &usize| [(*old + trailer, new + trailer), (*old, new)];
    let mut lengths = old.iter().flat_map(with_trailer);
    let found = lengths.find_map(|(old, new)| size_field(header, old).map(|field| (field, new)));
    let kept = kept_with(header, found.map(|(field, _)| field));
    match found {
        Some((field, new)) => (field.put(header, new), kept),
        None => (header.to_vec(), kept),
    }
}

/// Says which of the game's own bytes a result lacks that has another form than the file; `None` if there are none.
/// `header` and `trailer` are the lengths of those around the values.
pub(crate) fn left_out(layers: &[Layer], header: usize, trailer: usize) -> Option<String> {
    let front = layers.iter().map(|layer| layer.header.len()).sum::<usize>() + header;
    let after = layers
        .iter()
        .map(|layer| layer.trailer.len())
        .sum::<usize>()
        + trailer;
    let part = |len: usize, place: &str| match len {
        0 => None,
        len => Some(format!("{} {place}", words::plural(len as u64, "byte"))),
    };
    let parts = [part(front, "in front"), part(after, "after")];
    let parts: Vec<_> = parts.into_iter().flatten().collect();
    let parts = parts.join(" and ");
    (!parts.is_empty()).then(|| {
        format!("the result lacks the game's own {parts}; gdvar edit, set and patch keep them")
    })
}
