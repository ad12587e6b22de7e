//! The pairs of a Dictionary, one after the other.

use core::iter::FusedIterator;

#[cfg(feature = "alloc")]
use crate::walk::keys;
use crate::{
    error::Error,
    value::{dict::DictRef, variant::VariantRef},
    walk::{children::Children, lookup::Sought},
};

impl<'a> DictRef<'a> {
    /// The pairs in order, repeated keys included.
    #[inline]
    #[must_use]
    pub fn iter(self) -> DictIter<'a> {
        let count = 2 * self.len() as u64;
        DictIter(Children::new(self.value(), self.first(), count))
    }

    /// The value under a text key: O(n), all pairs are passed. As in the engines the last of
    /// repeated keys wins, and a StringName key counts in Godot 4. Keys are compared as bytes.
    /// `Ok(None)` if there is no such key.
    ///
    /// # Errors
    /// If a pair cannot be read.
    pub fn get(self, key: &str) -> Result<Option<VariantRef<'a>>, Error> {
        self.find(Sought::Text(key.as_bytes()))
    }

    /// The value under an int key; see [`DictRef::get`].
    ///
    /// # Errors
    /// As [`DictRef::get`].
    pub fn get_int(self, key: i64) -> Result<Option<VariantRef<'a>>, Error> {
        self.find(Sought::Int(key))
    }

    /// The value under a key that equals another value as the engine sees it
    /// (`docs/FORMAT.md` §6, row 22); see [`DictRef::get`].
    ///
    /// # Errors
    /// As [`DictRef::get`].
    pub fn get_value(self, key: VariantRef<'_>) -> Result<Option<VariantRef<'a>>, Error> {
        self.find(Sought::Value(key))
    }

    /// The pairs as the engines keep them: of repeated keys the first, at its place, with the
    /// value of the last (`docs/FORMAT.md` §6, row 22). All pairs, if an engine may take one of the keys for
    /// another than its bytes say: wide reals that it narrows, elements that it converts or drops,
    /// dictionaries inside the key. O(n log n), allocates.
    ///
    /// # Errors
    /// If a pair cannot be read.
    #[cfg(feature = "alloc")]
    pub fn distinct(self) -> Result<alloc::vec::Vec<(VariantRef<'a>, VariantRef<'a>)>, Error> {
        let pairs: Result<_, Error> = self.iter().collect();
        Ok(keys::distinct(self.key_type(), pairs?))
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
    /// If it, or the one before it, cannot be read.
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

    /// An error ends the iteration before its time.
    fn size_hint(&self) -> (usize, Option<usize>) {
        let left = self.0.left() / 2;
        (left.min(1), Some(left))
    }
}

impl FusedIterator for DictIter<'_> {}
