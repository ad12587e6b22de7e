//! Array and Dictionary: values made of values.

use gdvar_wire::SHARED_BIT;

use crate::{
    children::Children,
    cursor,
    element_type::{ElementType, UNTYPED, descriptors, element_type},
    error::Error,
    key,
    variant::VariantRef,
};

/// Whether the count word, which stands before the first child, has Godot 2's shared bit.
fn is_shared(value: VariantRef<'_>, first: usize) -> bool {
    cursor::word(value.bytes(), first - 4).is_ok_and(|word| word & SHARED_BIT != 0)
}

/// An Array, or a typed array of Pandemonium 5 (`docs/FORMAT.md` §4.1).
///
/// Containers carry a count but no length in bytes, so passing a child walks over it. A recursive
/// walk over nested arrays passes each subtree once more per level, unless it gives the inner walk
/// to the outer one's [`pass`](ArrayIter::pass); [`Events`](crate::Events) and
/// [`Document::visit`](crate::Document::visit) walk all of a value in linear time.
#[derive(Clone, Copy, Debug)]
pub struct ArrayRef<'a> {
    value: VariantRef<'a>,
    count: u32,
    /// Where the first child begins.
    first: usize,
}

impl<'a> ArrayRef<'a> {
    #[inline]
    pub(crate) const fn new(value: VariantRef<'a>, count: u32, first: usize) -> ArrayRef<'a> {
        ArrayRef {
            value,
            count,
            first,
        }
    }

    /// The value it is.
    #[must_use]
    pub const fn value(self) -> VariantRef<'a> {
        self.value
    }

    /// Where the first element begins.
    #[cfg(feature = "alloc")]
    pub(crate) const fn first(self) -> usize {
        self.first
    }

    /// How many elements.
    #[must_use]
    pub const fn len(self) -> usize {
        self.count as usize
    }

    /// Whether there are none.
    #[must_use]
    pub const fn is_empty(self) -> bool {
        self.count == 0
    }

    /// What its elements are said to be.
    #[must_use]
    pub fn element_type(self) -> ElementType<'a> {
        let (first, _) = descriptors(self.value, self.value.kind()).unwrap_or(UNTYPED);
        element_type(self.value, first)
    }

    /// Whether Godot 2 wrote it as shared (`docs/FORMAT.md` §4.2).
    #[must_use]
    pub fn is_shared(self) -> bool {
        is_shared(self.value, self.first)
    }

    /// The elements in order.
    #[inline]
    #[must_use]
    pub fn iter(self) -> ArrayIter<'a> {
        ArrayIter(Children::new(self.value, self.first, u64::from(self.count)))
    }

    /// The n-th element, by passing those before it: O(n). `Ok(None)` beyond the end.
    ///
    /// # Errors
    /// Whatever makes an element up to there unreadable.
    pub fn get(self, index: usize) -> Result<Option<VariantRef<'a>>, Error> {
        if index >= self.len() {
            return Ok(None);
        }
        let mut children = Children::new(self.value, self.first, u64::from(self.count));
        for _ in 0..index {
            children.next_value()?;
        }
        children.next_value()
    }
}

impl<'a> IntoIterator for ArrayRef<'a> {
    type Item = Result<VariantRef<'a>, Error>;
    type IntoIter = ArrayIter<'a>;

    fn into_iter(self) -> ArrayIter<'a> {
        self.iter()
    }
}

/// The elements of an [`ArrayRef`], fused after an error.
#[derive(Clone, Debug)]
pub struct ArrayIter<'a>(pub(crate) Children<'a>);

impl<'a> ArrayIter<'a> {
    /// The next element.
    ///
    /// # Errors
    /// Whatever makes it, or the one before it, unreadable.
    #[inline(always)]
    pub fn try_next(&mut self) -> Result<Option<VariantRef<'a>>, Error> {
        self.0.next_value()
    }
}

impl<'a> Iterator for ArrayIter<'a> {
    type Item = Result<VariantRef<'a>, Error>;

    fn next(&mut self) -> Option<Self::Item> {
        self.try_next().transpose()
    }
}

/// A Dictionary (`docs/FORMAT.md` §4.2). Pairs stand in the engine's insertion order.
///
/// ```
/// use gdvar_view::Document;
/// use gdvar_wire::Dialect;
///
/// // {"hp": 80}
/// let bytes = b"\x1b\0\0\0\x01\0\0\0\x04\0\0\0\x02\0\0\0hp\0\0\x02\0\0\0\x50\0\0\0";
/// let dict = Document::new(bytes, Dialect::GODOT_4).root()?.as_dict().unwrap();
/// assert_eq!(dict.get("hp")?.and_then(|hp| hp.as_i64()), Some(80));
/// assert!(dict.get("mp")?.is_none());
/// # Ok::<(), gdvar_view::Error>(())
/// ```
#[derive(Clone, Copy, Debug)]
pub struct DictRef<'a> {
    value: VariantRef<'a>,
    count: u32,
    /// Where the first child begins.
    first: usize,
}

impl<'a> DictRef<'a> {
    #[inline]
    pub(crate) const fn new(value: VariantRef<'a>, count: u32, first: usize) -> DictRef<'a> {
        DictRef {
            value,
            count,
            first,
        }
    }

    /// The value it is.
    #[must_use]
    pub const fn value(self) -> VariantRef<'a> {
        self.value
    }

    /// Where the first key begins.
    #[cfg(feature = "alloc")]
    pub(crate) const fn first(self) -> usize {
        self.first
    }

    /// How many pairs, repeated keys included.
    #[must_use]
    pub const fn len(self) -> usize {
        self.count as usize
    }

    /// Whether there are none.
    #[must_use]
    pub const fn is_empty(self) -> bool {
        self.count == 0
    }

    /// What its keys are said to be.
    #[must_use]
    pub fn key_type(self) -> ElementType<'a> {
        let (first, _) = descriptors(self.value, self.value.kind()).unwrap_or(UNTYPED);
        element_type(self.value, first)
    }

    /// What its values are said to be.
    #[must_use]
    pub fn value_type(self) -> ElementType<'a> {
        let (_, second) = descriptors(self.value, self.value.kind()).unwrap_or(UNTYPED);
        element_type(self.value, second)
    }

    /// Whether Godot 2 wrote it as shared (`docs/FORMAT.md` §4.2).
    #[must_use]
    pub fn is_shared(self) -> bool {
        is_shared(self.value, self.first)
    }

    /// The pairs in order, repeated keys included.
    #[inline]
    #[must_use]
    pub fn iter(self) -> DictIter<'a> {
        let count = 2 * u64::from(self.count);
        DictIter(Children::new(self.value, self.first, count))
    }

    /// The value under a text key: O(n), all pairs are passed. As in the engines the last of
    /// repeated keys wins, and a StringName key counts in Godot 4. Keys are compared as bytes.
    /// `Ok(None)` if there is no such key.
    ///
    /// # Errors
    /// Whatever makes a pair unreadable.
    pub fn get(self, key: &str) -> Result<Option<VariantRef<'a>>, Error> {
        self.find(|candidate| key::is_text(candidate, key))
    }

    /// The value under an int key; see [`DictRef::get`].
    ///
    /// # Errors
    /// As [`DictRef::get`].
    pub fn get_int(self, key: i64) -> Result<Option<VariantRef<'a>>, Error> {
        self.find(|candidate| candidate.as_i64() == Some(key))
    }

    /// The value under a key that equals another value as the engine sees it
    /// (`docs/FORMAT.md` §6, row 22); see [`DictRef::get`].
    ///
    /// # Errors
    /// As [`DictRef::get`].
    pub fn get_value(self, key: VariantRef<'_>) -> Result<Option<VariantRef<'a>>, Error> {
        self.find(|candidate| key::equal(candidate, key))
    }

    /// The pairs as the engines keep them: of repeated keys the first, at its place, with the
    /// value of the last (`docs/FORMAT.md` §6, row 22). O(n log n), allocates.
    ///
    /// # Errors
    /// Whatever makes a pair unreadable.
    #[cfg(feature = "alloc")]
    pub fn distinct(self) -> Result<alloc::vec::Vec<(VariantRef<'a>, VariantRef<'a>)>, Error> {
        let pairs: Result<_, Error> = self.iter().collect();
        Ok(key::distinct(pairs?))
    }

    fn find(
        self,
        mut matches: impl FnMut(VariantRef<'a>) -> bool,
    ) -> Result<Option<VariantRef<'a>>, Error> {
        let mut found = None;
        let mut pairs = self.iter();
        while let Some((key, value)) = pairs.try_next()? {
            if matches(key) {
                found = Some(value);
            }
        }
        Ok(found)
    }
}

impl<'a> IntoIterator for DictRef<'a> {
    type Item = Result<(VariantRef<'a>, VariantRef<'a>), Error>;
    type IntoIter = DictIter<'a>;

    fn into_iter(self) -> DictIter<'a> {
        self.iter()
    }
}

/// The pairs of a [`DictRef`], fused after an error.
#[derive(Clone, Debug)]
pub struct DictIter<'a>(pub(crate) Children<'a>);

impl<'a> DictIter<'a> {
    /// The next pair.
    ///
    /// # Errors
    /// Whatever makes it, or the one before it, unreadable.
    #[inline(always)]
    pub fn try_next(&mut self) -> Result<Option<(VariantRef<'a>, VariantRef<'a>)>, Error> {
        let Some(key) = self.0.next_value()? else {
            return Ok(None);
        };
        Ok(self.0.next_value()?.map(|value| (key, value)))
    }
}

impl<'a> Iterator for DictIter<'a> {
    type Item = Result<(VariantRef<'a>, VariantRef<'a>), Error>;

    fn next(&mut self) -> Option<Self::Item> {
        self.try_next().transpose()
    }
}
