//! The number of children of a container, and where the first one starts.

use gdvar_wire::{Body, SHARED_BIT};

use crate::{
    bytes::{common, head},
    value::variant::VariantRef,
};

/// The count of a container and the offset of its first child. Both were checked when the handle was made.
// A header of one byte has no type descriptor, so the count follows it. Only other headers are decoded
// again.
#[inline]
pub(super) fn children(value: VariantRef<'_>) -> Option<(u32, usize)> {
    let (header, count) = common::pair(value.bytes(), value.offset())?;
    if header <= 0xff {
        return Some((count & !SHARED_BIT, value.offset() + 8));
    }
    let typed = value.dialect().plain(header);
    if matches!(typed.body, Body::Array | Body::Dictionary) {
        let first = value.offset() + usize::from(typed.size);
        let count = head::word(value.bytes(), first - 4).ok()?;
        return Some((count & !SHARED_BIT, first));
    }
    value.head().map(|head| (head.count, head.next))
}

/// True if the count word, which is before the first child, has Godot 2's shared bit.
pub(super) fn is_shared(value: VariantRef<'_>, first: usize) -> bool {
    head::word(value.bytes(), first - 4).is_ok_and(|word| word & SHARED_BIT != 0)
}
