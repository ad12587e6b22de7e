//! The pairs of a Dictionary.

use core::iter::FusedIterator;

#[cfg(feature = "alloc")]
use crate::walk::distinct::distinct;
use crate::{
    error::Error,
    value::{dict::DictRef, variant::VariantRef},
    walk::{children::Children, lookup::LookupKey},
};

impl<'a> DictRef<'a> {
    /// Iterates over the pairs in the order of the bytes, repeated keys included.
    #[inline]
    #[must_use]
    pub fn iter(self) -> DictIter<'a> {
        let count = 2 * self.len() as u64;
        DictIter(Children::new(self.value(), self.first(), count))
    }

    /// Returns the value of a text key, or `Ok(None)` if there is none. This takes O(n), because every pair is
    /// skipped over. As in the engines, the last of repeated keys wins, and in Godot 4 a StringName is the same
    /// key. Keys are compared as bytes.
    ///
    /// # Errors
    /// Fails if a pair cannot be read.
    pub fn get(self, key: &str) -> Result<Option<VariantRef<'a>>, Error> {
        self.find(LookupKey::Text(key.as_bytes()))
    }

    /// Returns the value of an int key; see [`DictRef::get`].
    ///
    /// # Errors
    /// Returns the errors of [`DictRef::get`].
    pub fn get_int(self, key: i64) -> Result<Option<VariantRef<'a>>, Error> {
        self.find(LookupKey::Int(key))
    }

    /// Returns the value of a key that is equal to `key` in the engine (`docs/FORMAT.md` §6, row 22); see
    /// [`DictRef::get`].
    ///
    /// # Errors
    /// Returns the errors of [`DictRef::get`].
    pub fn get_value(self, key: VariantRef<'_>) -> Result<Option<VariantRef<'a>>, Error> {
        self.find(LookupKey::Value(key))
    }

    /// Returns the pairs as the engines keep them: the first of repeated keys, with the value of the last
    /// (`docs/FORMAT.md` §6, row 22). This takes O(n log n) and allocates.
    ///
    /// Returns all pairs if an engine may read one of the keys as a different value from the one in the bytes:
    /// because it narrows wide reals, converts or drops elements, or keeps fewer pairs of a dictionary inside
    /// the key.
    ///
    /// # Errors
    /// Fails if a pair cannot be read.
    #[cfg(feature = "alloc")]
    pub fn distinct(self) -> Result<alloc::vec::Vec<(VariantRef<'a>, VariantRef<'a>)>, Error> {
        let pairs: Result<_, Error> = self.iter().collect();
        Ok(distinct(self.key_type(), pairs?))
    }
}

impl<'a> IntoIterator for DictRef<'a> {
    type Item = Result<(VariantRef<'a>, VariantRef<'a>), Error>;
    type IntoIter = DictIter<'a>;

    fn into_iter(self) -> DictIter<'a> {
        self.iter()
    }
}

/// Iterator over the pairs of a [`DictRef`]. An error ends the iteration.
#[derive(Clone, Debug)]
pub struct DictIter<'a>(pub(crate) Children<'a>);

impl<'a> DictIter<'a> {
    /// Returns the next pair, or `Ok(None)` after the last one and after an error.
    ///
    /// # Errors
    /// Fails if the next pair, or the pair before it, cannot be read.
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

    /// The lower bound is at most 1: a pair or an error follows, and an error ends the iteration.
    fn size_hint(&self) -> (usize, Option<usize>) {
        let left = self.0.left() / 2;
        (left.min(1), Some(left))
    }
}

impl FusedIterator for DictIter<'_> {}
