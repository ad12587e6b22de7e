//! [`Index`]: the slots of all values, and the slots that belong to a container.

use alloc::vec::Vec;
use core::fmt;

use super::keys::SortedKeys;
use crate::options::ReadOptions;

/// A slot: one value, or the number of children of a container.
#[derive(Clone, Copy, PartialEq, Eq, Default, Debug)]
pub(super) struct Slot {
    /// The offset of the value, or the number of children.
    pub(super) at: u32,
    /// For a container with children, [`CONTAINER`] and the index of the slot with their number. For another
    /// key, its second word without the bit [`CONTAINER`]. For other values, any number without that bit.
    pub(super) more: u32,
}

/// Marks the slot of a container.
pub(super) const CONTAINER: u32 = 1 << 31;

impl Slot {
    /// Returns the index of the slot with the number of the value's children. Returns 0 if the value has no
    /// children; slot 0 belongs to the outermost value.
    #[inline(always)]
    pub(super) const fn group(self) -> usize {
        if self.more & CONTAINER == 0 {
            0
        } else {
            (self.more & !CONTAINER) as usize
        }
    }
}

/// A validated document, indexed: any child of any container in O(1), and reading cannot fail.
///
/// Use this when a buffer is read more than once, when values here and there in a large buffer are needed, or
/// when code that reads many values should be free of `?`. [`Index::open`] gives the outermost value. A program
/// that reads everything once, from front to back, needs no index: [`Events`](crate::Events) are faster than
/// building one.
///
/// The index borrows nothing, so it can be kept next to the bytes.
///
/// The index takes 8 bytes a value and 8 more for each container with children, at most twice the size of the bytes. A
/// false count in the bytes does not make the index larger: an array whose children cannot fit into the bytes is
/// refused before memory is taken for them.
///
/// ```
/// use gdvar_view::{Dialect, Document, Error, Index};
///
/// fn total_gold(save: &[u8]) -> Result<i64, Error> {
///     let document = Document::new(save, Dialect::GODOT_4);
///     let index = Index::build(document)?;
///     let root = index.open(document)?;
///     let Some(players) = root.as_dict().and_then(|save| save.get("players")?.as_array()) else {
///         return Ok(0);
///     };
///     Ok(players.iter().filter_map(|player| player.as_dict()?.get("gold")?.as_i64()).sum())
/// }
/// # assert_eq!(total_gold(&[0; 4]), Ok(0));
/// ```
#[derive(Clone, PartialEq, Eq)]
pub struct Index {
    pub(super) options: ReadOptions,
    /// The length of the document in bytes.
    pub(super) len: usize,
    pub(super) slots: Vec<Slot>,
    /// Present after [`Index::sort_keys`].
    pub(super) keys: Option<SortedKeys>,
}

impl Index {
    /// Returns the memory that the index uses, in bytes. Memory that was reserved but never written does not
    /// count.
    #[must_use]
    pub fn size(&self) -> usize {
        let keys = self.keys.as_ref().map_or(0, SortedKeys::size);
        size_of_val(self.slots.as_slice()) + keys
    }

    /// Returns the slots of a container's children. `group` is its [`Slot::group`].
    #[inline(always)]
    pub(super) fn children(&self, group: usize) -> &[Slot] {
        // Slot 0 has the offset 0, so that group 0 has no children.
        let slots = self.slots.get(group..).unwrap_or_default();
        match slots.split_first() {
            Some((count, slots)) => slots.get(..count.at as usize).unwrap_or_default(),
            None => &[],
        }
    }
}

impl fmt::Debug for Index {
    fn fmt(&self, f: &mut fmt::Formatter<'_>) -> fmt::Result {
        f.debug_struct("Index")
            .field("bytes", &self.len)
            .field("slots", &self.slots.len())
            .finish_non_exhaustive()
    }
}
