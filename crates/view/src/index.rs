//! [`Index`]: after one pass over a value, any child in constant time.
//!
//! Containers carry a count but no length, so that the thousandth child is found by passing 999
//! others. The index keeps where the children of large containers begin:
//!
//! * An *entry* for each container of more than [`SMALL`] bytes: where it begins, and the end of
//!   its children's slots. Its slots begin where those of the entry before it end.
//! * A *slot* of four bytes for each of its children, keys and the names of properties included:
//!   where it begins, or, with the top bit set, the number of its own entry.
//!
//! An entry is made when its container ends, so that what is inside has smaller numbers and the
//! outermost value has the last one.
//!
//! Small containers have no entry: walking over one takes bounded time.
//!
//! Why no tree: a tree has a node for each value, and building it costs many times what validation does. An index of a
//! save of small records takes 1.6 % of its bytes. It has offsets and no pointers, so that it borrows nothing. Keys are
//! sorted by their hashes when asked to, each hash beside the number of its pair, so that a search looks at one or two
//! keys; hostile keys that share the first bits of a hash cost halvings, not comparisons.
//!
//! Rejected: byte lengths of containers without slots, which make passing a child O(1) and finding the n-th one O(n).

mod build;
mod containers;
mod indexed;
mod keys;
mod small;

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

/// The most bytes that a container takes which is walked instead of indexed.
const SMALL: usize = 256;

/// A slot with this bit has the number of an entry in its other bits.
const LINK: u32 = 1 << 31;

/// A container that is indexed.
#[derive(Clone, Copy, PartialEq, Eq, Debug)]
struct Entry {
    /// Its offset, in units.
    at: u32,
    /// The end of its slots; they begin where those of the entry before it end.
    end: u32,
}

/// The places of the children of large containers: any child of any container in O(1).
///
/// Use this when values here and there in a large buffer are asked for many times. Who asks once, or reads all from front
/// to back, pays for the index and gains nothing.
///
/// It borrows nothing, so it can be kept beside the bytes. [`Index::open`] joins it with the bytes again.
///
/// An index takes 8 bytes for each container of more than 256 bytes and 4 for each of its
/// children; an array of 300 000 records of 250 bytes takes 1.6 % of their size. Everything else
/// is read as without an index, by walks of bounded length.
///
/// ```
/// use gdvar_view::{Dialect, Document, Index};
///
/// // [0, 1, … 999]
/// let mut bytes = b"\x1c\0\0\0\xe8\x03\0\0".to_vec();
/// for n in 0..1000_u32 {
///     bytes.extend([2, 0, 0, 0]);
///     bytes.extend(n.to_le_bytes());
/// }
/// let document = Document::new(&bytes, Dialect::GODOT_4);
/// let index = Index::build(document)?;
/// let numbers = index.open(document)?.as_array().unwrap();
/// assert_eq!(numbers.get(777)?.and_then(|value| value.as_i64()), Some(777));
/// # Ok::<(), Box<dyn std::error::Error>>(())
/// ```
#[derive(Clone, PartialEq, Eq)]
pub struct Index {
    options: ReadOptions,
    /// The length of the document in bytes.
    len: usize,
    entries: Vec<Entry>,
    slots: Vec<u32>,
    /// If asked for.
    keys: Option<keys::SortedKeys>,
}

impl Index {
    /// Validates all of a document as [`Document::validate`] does, and indexes it on the way: one
    /// linear walk that takes little more time. While it runs it may need twice the memory that
    /// the index takes in the end, and that is at most the size of the bytes.
    ///
    /// # Errors
    /// As [`Document::validate`]; [`IndexLimit`](ErrorKind::IndexLimit) for more than 8 GiB, or 2
    /// GiB in Godot 2.
    pub fn build(document: Document<'_>) -> Result<Index, Error> {
        let (options, len) = (document.options(), document.bytes().len());
        let shift = shift(options);
        if len > Index::longest(shift) {
            return Err(Error::new(0, ErrorKind::IndexLimit));
        }
        let mut builder = build::Builder::new(shift, len);
        document.events().drain(&mut builder)?;
        let (mut entries, mut slots) = builder.finish();
        entries.shrink_to_fit();
        slots.shrink_to_fit();
        Ok(Index {
            options,
            len,
            entries,
            slots,
            keys: None,
        })
    }

    /// The outermost value of the document that the index was built from: O(1).
    ///
    /// That the document has the same options and length is checked, its bytes are not. Reading
    /// others by this index gives wrong values or errors, nothing worse.
    ///
    /// # Errors
    /// [`ForeignIndex`](ErrorKind::ForeignIndex) if it is another document.
    pub fn open<'i, 'a>(
        &'i self,
        document: Document<'a>,
    ) -> Result<Indexed<'i, VariantRef<'a>>, Error> {
        if !self.is_of(document) {
            return Err(Error::new(0, ErrorKind::ForeignIndex));
        }
        Ok(Indexed::root(document.root()?, self))
    }

    /// Sorts the keys of all large dictionaries by their hashes, so that looking one up compares one or two
    /// keys, whatever their kind: 13 bytes for each key, O(n log n) comparisons of numbers. Text and all other kinds
    /// have SipHash, so that strangers who choose the keys cannot make look-ups slow.
    ///
    /// # Errors
    /// As [`Index::open`].
    pub fn sort_keys(&mut self, document: Document<'_>) -> Result<(), Error> {
        self.keys = Some(keys::SortedKeys::new(self.open(document)?)?);
        Ok(())
    }

    /// The memory that the index takes, in bytes.
    #[must_use]
    pub fn size(&self) -> usize {
        let keys = self.keys.as_ref().map_or(0, keys::SortedKeys::size);
        size_of_val(self.entries.as_slice()) + size_of_val(self.slots.as_slice()) + keys
    }

    /// True if a document may be the one that the index was built from.
    fn is_of(&self, document: Document<'_>) -> bool {
        document.options() == self.options && document.bytes().len() == self.len
    }

    /// The number of the outermost value's entry. It was closed last.
    fn root(&self) -> Option<u32> {
        let last = self.entries.len().checked_sub(1)?;
        (self.entries.get(last)?.at == 0).then_some(last as u32)
    }

    /// The range of an entry's slots.
    #[inline]
    fn range(&self, entry: u32) -> Option<core::ops::Range<usize>> {
        let entry = entry as usize;
        let start = match entry.checked_sub(1) {
            Some(before) => self.entries.get(before)?.end,
            None => 0,
        };
        Some(start as usize..self.entries.get(entry)?.end as usize)
    }

    /// The slots of an entry.
    #[inline]
    fn slots(&self, entry: u32) -> Option<&[u32]> {
        self.slots.get(self.range(entry)?)
    }

    /// The offset of a slot's value, and its entry if it has one.
    #[inline]
    fn place(&self, slot: u32) -> Option<(usize, Option<u32>)> {
        let (at, entry) = match slot & LINK {
            0 => (slot, None),
            _ => {
                let number = slot & !LINK;
                (self.entries.get(number as usize)?.at, Some(number))
            }
        };
        Some((self.offset(at), entry))
    }

    /// An offset in bytes.
    #[inline]
    fn offset(&self, at: u32) -> usize {
        (at as usize) << shift(self.options)
    }
}

/// The logarithm of the unit of offsets. Values begin at multiples of four bytes, but not behind
/// the node paths and events that Godot 2 does not pad (`docs/FORMAT.md` §3.3, §4.5).
const fn shift(options: ReadOptions) -> u32 {
    if options.dialect().has_old_node_paths() {
        0
    } else {
        2
    }
}

impl fmt::Debug for Index {
    fn fmt(&self, f: &mut fmt::Formatter<'_>) -> fmt::Result {
        f.debug_struct("Index")
            .field("containers", &self.entries.len())
            .field("children", &self.slots.len())
            .finish_non_exhaustive()
    }
}
