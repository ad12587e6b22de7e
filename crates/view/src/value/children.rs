//! The first child of a container, and the number of its children.

use gdvar_wire::SHARED_BIT;

use crate::{
    bytes::{common, head},
    value::variant::VariantRef,
};

/// The count of a container and where its first child begins. All of it was looked at when the handle
/// was made; without a descriptor the count follows the header.
#[inline]
pub(super) fn children(value: VariantRef<'_>) -> Option<(u32, usize)> {
    let (header, count) = common::pair(value.bytes(), value.offset())?;
    if header <= 0xff {
        return Some((count & !SHARED_BIT, value.offset() + 8));
    }
    value.head().map(|head| (head.count, head.next))
}

/// True if the count word, which stands before the first child, has Godot 2's shared bit.
pub(super) fn is_shared(value: VariantRef<'_>, first: usize) -> bool {
    head::word(value.bytes(), first - 4).is_ok_and(|word| word & SHARED_BIT != 0)
}
