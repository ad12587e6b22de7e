//! Zeroes the padding inside NodePaths.

use alloc::vec::Vec;

use gdvar_view::{Document, Event, VariantRef};

use super::arguments::args;
use crate::{
    error::Error,
    traffic::{Message, SessionEvent},
    value::ValueContent,
};

/// Zeroes the padding in all NodePaths of a packet. Returns `true` if any of it was not zero.
pub(super) fn zero_padding(
    event: &SessionEvent<'_>,
    start: usize,
    mut is_rewritten: bool,
    out: &mut Vec<u8>,
) -> Result<bool, Error> {
    let mut found = false;
    let mut places = Vec::new();
    {
        let bytes = if is_rewritten { &out[..] } else { event.bytes };
        if let Message::Value(value) = event.message {
            padding(bytes, 0, value, &mut places)?;
        } else if let Some(args) = args(event, &bytes[start..])? {
            for arg in args {
                let arg = arg?;
                if let ValueContent::Variant(value) = arg.content() {
                    padding(bytes, start + arg.offset(), value, &mut places)?;
                }
            }
        }
    }
    for (from, to) in places {
        if !is_rewritten {
            out.extend_from_slice(event.bytes);
            is_rewritten = true;
        }
        out[from..to].fill(0);
        found = true;
    }
    Ok(found)
}

/// Collects the ranges of `bytes` that are nonzero padding in NodePaths of `value`.
fn padding(
    bytes: &[u8],
    start: usize,
    value: VariantRef<'_>,
    places: &mut Vec<(usize, usize)>,
) -> Result<(), Error> {
    let at = |error| Error::value(start, error);
    let mut events = Document::with_options(&bytes[start..], value.options()).events();
    while let Some(event) = events.try_next().map_err(at)? {
        let Event::Value(value) = event else {
            continue;
        };
        let Some(path) = value
            .as_node_path()
            .filter(|path| path.old_text().is_none())
        else {
            continue;
        };
        // The names begin after the header and three words. Each is a length, bytes, and padding to
        // a multiple of four.
        let mut place = start + value.offset() + 16;
        for name in path.parts() {
            let len = name.map_err(at)?.raw().len();
            let end = place + 4 + len;
            place = place + 4 + len.next_multiple_of(4);
            if bytes
                .get(end..place)
                .is_some_and(|pad| pad.iter().any(|&byte| byte != 0))
            {
                places.push((end, place));
            }
        }
    }
    Ok(())
}
