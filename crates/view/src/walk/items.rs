//! The elements of an Array.

use core::iter::FusedIterator;

use crate::{
    error::Error,
    value::{array::ArrayRef, variant::VariantRef},
    walk::children::Children,
};

impl<'a> ArrayRef<'a> {
    /// Iterates over the elements in the order of the bytes.
    #[inline]
    #[must_use]
    pub fn iter(self) -> ArrayIter<'a> {
        ArrayIter(Children::new(self.value(), self.first(), self.len() as u64))
    }

    /// Returns element `index`, or `Ok(None)` if there are fewer elements. This takes O(n), because the
    /// elements before it are skipped.
    ///
    /// # Errors
    /// Fails if an element up to there cannot be read.
    pub fn get(self, index: usize) -> Result<Option<VariantRef<'a>>, Error> {
        self.iter().0.nth_value(index as u64)
    }
}

impl<'a> IntoIterator for ArrayRef<'a> {
    type Item = Result<VariantRef<'a>, Error>;
    type IntoIter = ArrayIter<'a>;

    fn into_iter(self) -> ArrayIter<'a> {
        self.iter()
    }
}

/// Iterator over the elements of an [`ArrayRef`]. An error ends the iteration.
#[derive(Clone, Debug)]
pub struct ArrayIter<'a>(pub(crate) Children<'a>);

impl<'a> ArrayIter<'a> {
    /// Returns the next element, or `Ok(None)` after the last one and after an error.
    ///
    /// # Errors
    /// Fails if the next element, or the element before it, cannot be read.
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

    /// The lower bound is at most 1: an element or an error follows, and an error ends the iteration.
    fn size_hint(&self) -> (usize, Option<usize>) {
        let left = self.0.left();
        (left.min(1), Some(left))
    }
}

impl FusedIterator for ArrayIter<'_> {}
