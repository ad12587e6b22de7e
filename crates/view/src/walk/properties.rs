//! The properties of an Object.

use core::iter::FusedIterator;

use crate::{
    error::Error,
    value::{object::ObjectRef, string::StrRef, variant::VariantRef},
    walk::children::Children,
};

impl<'a> ObjectRef<'a> {
    /// Iterates over the properties in the order of the bytes.
    #[inline]
    #[must_use]
    pub fn iter(self) -> PropertyIter<'a> {
        PropertyIter(Children::new(self.value(), self.first(), self.len() as u64))
    }

    /// Returns the value of the property `name`, or `Ok(None)` if there is none. The last of repeated names
    /// wins. This takes O(n).
    ///
    /// # Errors
    /// Fails if a property cannot be read.
    pub fn get(self, name: &str) -> Result<Option<VariantRef<'a>>, Error> {
        let mut found = None;
        let mut properties = self.iter();
        while let Some((key, value)) = properties.try_next()? {
            if key == *name {
                found = Some(value);
            }
        }
        Ok(found)
    }
}

impl<'a> IntoIterator for ObjectRef<'a> {
    type Item = Result<(StrRef<'a>, VariantRef<'a>), Error>;
    type IntoIter = PropertyIter<'a>;

    fn into_iter(self) -> PropertyIter<'a> {
        self.iter()
    }
}

/// Iterator over the properties of an [`ObjectRef`]. An error ends the iteration.
#[derive(Clone, Debug)]
pub struct PropertyIter<'a>(pub(crate) Children<'a>);

impl<'a> PropertyIter<'a> {
    /// Returns the next property, or `Ok(None)` after the last one and after an error.
    ///
    /// # Errors
    /// Fails if the next property, or the property before it, cannot be read.
    pub fn try_next(&mut self) -> Result<Option<(StrRef<'a>, VariantRef<'a>)>, Error> {
        let Some(name) = self.0.next_name()? else {
            return Ok(None);
        };
        Ok(self.0.next_value()?.map(|value| (name, value)))
    }
}

impl<'a> Iterator for PropertyIter<'a> {
    type Item = Result<(StrRef<'a>, VariantRef<'a>), Error>;

    fn next(&mut self) -> Option<Self::Item> {
        self.try_next().transpose()
    }

    /// The lower bound is at most 1: a property or an error follows, and an error ends the iteration.
    fn size_hint(&self) -> (usize, Option<usize>) {
        let left = self.0.left();
        (left.min(1), Some(left))
    }
}

impl FusedIterator for PropertyIter<'_> {}
