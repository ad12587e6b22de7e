//! How wide the reals of the vectors in a save are, so that new ones are as wide. Vectors include matrices and arrays of
//! both, but not colours, which engines of both precisions write alike, as they do ints and floats.

use gdvar_view::{Document, Event, Events, VariantRef};

/// Returns `true` if an engine with double precision wrote the document: it has vectors, and all have 64-bit reals.
pub(crate) fn is_double(document: Document<'_>) -> bool {
    first(document.events(), false).is_none() && first(document.events(), true).is_some()
}

/// Returns `true` if vectors that replace `old` have 64-bit reals: if it has such vectors, or, as it has no vectors, if
/// the whole save `is_double`.
pub(crate) fn as_in(old: VariantRef<'_>, is_double: bool) -> bool {
    let is_wide = first(old.events(), true).is_some();
    is_wide || is_double && first(old.events(), false).is_none()
}

/// Returns the first vector of this width.
fn first(mut events: Events<'_>, is_wide: bool) -> Option<VariantRef<'_>> {
    while let Ok(Some(event)) = events.try_next() {
        match event {
            Event::Value(one) if one.kind().has_reals() && one.is_wide() == is_wide => {
                return Some(one);
            }
            _ => {}
        }
    }
    None
}
