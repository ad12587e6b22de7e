//! [`Index`]: after one pass over a value, any child in constant time.
//!
//! A container carries a count but no length, so finding the thousandth child means passing 999 others. The index is
//! a list of slots in which the children of one container lie side by side:
//!
//! ```text
//! the outermost value        one slot
//! each container in turn     one slot with the number of its children, then a slot for each child
//!
//! slot of a child     where it begins in the bytes, and
//!                       of a container: where its own slots begin
//!                       of another value: the word after its header, which is the length of a text
//! ```
//!
//! Keys, values, and the names of properties are all children. In the bytes the count precedes the children, so their
//! slots are reserved when the container begins, and each is written once, where it stays.
//!
//! A look-up compares lengths in the slots before it reads a key. Large dictionaries get a table of hashes on request
//! ([`keys`]).
//!
//! Rejected:
//! - slots in the order of the bytes with the end of each value: the n-th child takes n steps
//! - no slots for containers below 256 bytes: they are passed again for the values in them, and reading all of a save
//!   took 24.0 ns a value instead of 12.2
//! - headers in the slots: 16 bytes each, and fresh memory costs more than anything else in building

mod build;
mod containers;
mod indexed;
mod keys;

use alloc::vec::Vec;
use core::fmt;

use crate::{
    document::Document,
    error::{Error, ErrorKind},
    options::ReadOptions,
    value::variant::VariantRef,
};

pub use containers::{IndexedArrayIter, IndexedDictIter, IndexedPropertyIter};
pub use indexed::Indexed;

/// One value, or the number of children of a container.
#[derive(Clone, Copy, PartialEq, Eq, Default, Debug)]
struct Slot {
    /// The offset of the value, or the number of children.
    at: u32,
    /// Of a container with children: [`CONTAINER`], and the slot with their number. Of another value: the other bits of
    /// its second word.
    more: u32,
}

/// Marks the slot of a container.
const CONTAINER: u32 = 1 << 31;

impl Slot {
    /// The slot with the number of its children; 0, which is the outermost value's, if it has no children.
    #[inline(always)]
    const fn group(self) -> usize {
        if self.more & CONTAINER == 0 {
            0
        } else {
            (self.more & !CONTAINER) as usize
        }
    }
}

/// A validated document, indexed: any child of any container in O(1), and reading cannot fail.
///
/// Use this when a buffer is read more than once, when values here and there in a large one are asked for, or when code
/// that reads many values should be free of `?`. [`Index::open`] gives the outermost value. A program that reads
/// everything once, from front to back, needs no index: [`Events`](crate::Events) are faster than building one.
///
/// The index borrows nothing, so it can be kept next to the bytes.
///
/// It takes 8 bytes a value and 8 more a container with children, at most twice the size of the bytes. No count in the
/// bytes makes it larger: an array that cannot fit its children into the bytes is refused without taking memory.
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
    options: ReadOptions,
    /// The length of the document in bytes.
    len: usize,
    slots: Vec<Slot>,
    /// Present after [`Index::sort_keys`].
    keys: Option<keys::SortedKeys>,
}

impl Index {
    /// Validates a whole document as [`Document::validate`] does, and indexes it in the same linear walk. The index may
    /// take twice its final memory while it is built.
    ///
    /// # Errors
    /// The errors of [`Document::validate`]; [`IndexLimit`](ErrorKind::IndexLimit) for 4 GiB or more.
    pub fn build(document: Document<'_>) -> Result<Index, Error> {
        let (options, len) = (document.options(), document.bytes().len());
        if u32::try_from(len).is_err() {
            return Err(Error::new(0, ErrorKind::IndexLimit));
        }
        let mut builder = build::Builder::new(len);
        document.events().drain(&mut builder)?;
        Ok(Index {
            options,
            len,
            slots: builder.finish(),
            keys: None,
        })
    }

    /// Returns the outermost value of the document that the index was built from: O(1).
    ///
    /// Only the options and the length of the document are compared, not its bytes. Other bytes are read as wrong
    /// values, and nothing worse happens.
    ///
    /// # Errors
    /// [`ForeignIndex`](ErrorKind::ForeignIndex) if it is another document.
    pub fn open<'i, 'a>(
        &'i self,
        document: Document<'a>,
    ) -> Result<Indexed<'i, VariantRef<'a>>, Error> {
        if document.options() != self.options || document.bytes().len() != self.len {
            return Err(Error::new(0, ErrorKind::ForeignIndex));
        }
        let group = self.slots.first().map_or(0, |slot| slot.group());
        Ok(Indexed::new(document.root()?, self, group))
    }

    /// Sorts the keys of all dictionaries of more than 16 pairs by their hashes. A look-up in one then takes O(1) on
    /// average, whatever the kind of its keys, instead of comparing all keys. Takes 13 bytes a key and
    /// O(n log n) comparisons of numbers.
    ///
    /// Hostile keys cannot make it slower than O(log n): only keys with equal 64-bit hashes are compared one by one.
    ///
    /// # Errors
    /// The errors of [`Index::open`].
    pub fn sort_keys(&mut self, document: Document<'_>) -> Result<(), Error> {
        self.keys = Some(keys::SortedKeys::new(self.open(document)?));
        Ok(())
    }

    /// Returns the memory that the index uses, in bytes. Room that was reserved but never written does not count.
    #[must_use]
    pub fn size(&self) -> usize {
        let keys = self.keys.as_ref().map_or(0, keys::SortedKeys::size);
        size_of_val(self.slots.as_slice()) + keys
    }

    /// The children of a container, by [`Slot::group`].
    #[inline(always)]
    fn children(&self, group: usize) -> &[Slot] {
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
