//! Describes the game's own bytes around the values.

use gdvar_file::{
    Layer,
    header::{SizeField, counted_size, size_field},
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

/// The `what` of [`describe_trailer`] for a trailer that follows records.
pub(crate) const RECORDS: &str = "records";

/// Describes the game's own bytes after a container or after records.
pub(crate) fn describe_trailer(trailer: &[u8], what: &str) -> String {
    let bytes = words::plural(trailer.len() as u64, "byte");
    if what == RECORDS && trailer.iter().all(|byte| *byte == 0) {
        return format!(
            "the last {bytes} are zeros, in which no record begins; the engine reads the records in front of them, and edits keep them"
        );
    }
    format!(
        "{bytes} of the game's own after the {what}; edits keep them, and a checksum in them may need mending"
    )
}

/// Returns a note for the user: the game's own bytes before `layer` are kept. The note also says that a size in them is
/// corrected, or, if no size was found, that a size or a checksum in them may need correction.
pub(crate) fn kept_in_front(layer: &Layer) -> String {
    let len = words::plural(layer.header.len() as u64, "byte");
    let counts_file = counted_size(&layer.header, layer.len, layer.trailer.len()).is_some();
    let what = match counts_file || size_field(&layer.header, layer.contents_len).is_some() {
        true if layer.header.len() < 4 + LEAST_SUM => "a size in them is mended",
        true => "a size in them is mended; if they hold a checksum, it may need mending",
        false => "if they hold a size or a checksum, it may need mending",
    };
    format!("the {len} in front of the container are kept; {what}")
}

/// Returns a message that `header` is kept in front of changed values. If the header contains a size, the message says
/// which bytes are the size, and that it is corrected. The size may count the `rest` bytes after the header or the
/// whole file, with or without the last `trailer` bytes.
pub(crate) fn kept(header: &[u8], rest: usize, trailer: usize) -> String {
    let size = counted_size(header, rest, trailer);
    kept_with(header, size.map(|(field, _)| field))
}

/// The length of the shortest checksum that games write: a CRC-32 or an Adler-32.
const LEAST_SUM: usize = 4;

/// Returns a message that `header` is kept in front of changed values. If `field` is given, the message also says that
/// the size in this field of the header is corrected.
fn kept_with(header: &[u8], field: Option<SizeField>) -> String {
    let len = words::plural(header.len() as u64, "byte");
    match field {
        Some(field) => {
            let (first, last) = (field.at, field.at + field.width - 1);
            // A magic or a version is shorter than a checksum.
            let others = match header.len() - field.width < LEAST_SUM {
                true => "",
                false => "; if the others hold a checksum, it may need mending",
            };
            format!(
                "the {len} in front of the values are kept; bytes {first} to {last} of them are the size, which is mended{others}"
            )
        }
        None => format!(
            "the {len} in front of the values are kept; if they hold a size or a checksum, it may need mending"
        ),
    }
}

/// Returns `header` for recovered values of `new` bytes, and a message that it is kept. `old` holds the lengths that
/// the values may have had. If the header contains one of these lengths as a size, the size is corrected. The size may
/// include the `trailer` bytes after the values or not.
pub(crate) fn mended(
    header: &[u8],
    old: &[usize],
    new: usize,
    trailer: usize,
) -> (Vec<u8>, String) {
    let mut lengths = old.iter();
    let found = lengths.find_map(|old| counted_size(header, old + trailer, trailer));
    let kept = kept_with(header, found.map(|(field, _)| field));
    match found {
        Some((field, uncounted)) => (field.put(header, new + trailer - uncounted), kept),
        None => (header.to_vec(), kept),
    }
}

/// Returns a message about the game's own bytes that are missing in the result, because it has another form than the
/// file. Returns `None` if there are no such bytes. `header` and `trailer` are the numbers of these bytes before and
/// after the values. The headers and trailers of `layers` are added to them.
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
