//! How wide the reals of the vectors in a save are, so that new ones are as wide. Vectors include matrices and arrays of
//! both, but not colours, which engines of both precisions write alike, as they do ints and floats.

use gdvar_view::{Document, Event, Events, VariantRef};

/// Returns `true` if an engine with double precision wrote the document: it has vectors, and all have 64-bit reals.
pub(crate) fn is_double(document: Document<'_>) -> bool {
    let mut widths = widths(document.events()).peekable();
    widths.peek().is_some() && widths.all(|is_wide| is_wide)
}

/// Returns `true` if vectors that replace `old` have 64-bit reals: if it has such vectors, or, as it has no vectors, if
/// the whole save `is_double`.
pub(crate) fn as_in(old: VariantRef<'_>, is_double: bool) -> bool {
    let mut widths = widths(old.events()).peekable();
    match widths.peek() {
        Some(_) => widths.any(|is_wide| is_wide),
        None => is_double,
    }
}

/// Iterates over the vectors: `true` for each with 64-bit reals.
fn widths(mut events: Events<'_>) -> impl Iterator<Item = bool> {
    let values = std::iter::from_fn(move || events.try_next().ok().flatten());
    values.filter_map(|event| match event {
        Event::Value(one) if one.kind().has_reals() => Some(one.is_wide()),
        _ => None,
    })
}
