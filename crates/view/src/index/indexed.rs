//! [`Indexed`]: values together with the index that knows their children.

use core::ops::Deref;

use super::{Index, containers::last};
use crate::{
    bytes::head::{self, Padding},
    error::{Error, ErrorKind},
    path::{Path, quote::same_name, step::Step},
    value::{
        array::ArrayRef, dict::DictRef, object::ObjectRef, string::StrRef, variant::VariantRef,
    },
};

/// A value and the [`Index`] over it: [`Index::open`] makes one. It has all methods of what it
/// wraps and gives the same answers, but finds any child of any container in O(1). A recursion
/// over all children takes linear time.
///
/// The bytes were validated when the index was built, and can be read. An error means that the index does
/// not belong to these bytes.
#[derive(Clone, Copy, Debug)]
pub struct Indexed<'i, T> {
    inner: T,
    pub(super) index: &'i Index,
    /// One more than the number of its entry, or 0 for a container without one, which is small. One word, so
    /// that it is copied as it was stored.
    entry: u64,
}

impl<'i, T> Indexed<'i, T> {
    #[inline(always)]
    fn new(inner: T, index: &'i Index, entry: Option<u32>) -> Indexed<'i, T> {
        let entry = entry.map_or(0, |number| u64::from(number) + 1);
        Indexed {
            inner,
            index,
            entry,
        }
    }

    /// The number of its entry; containers without one are small.
    #[inline(always)]
    pub(super) fn entry(&self) -> Option<u32> {
        self.entry.checked_sub(1).map(|number| number as u32)
    }

    /// Without the index.
    pub fn into_inner(self) -> T {
        self.inner
    }

    /// The value that the lazy reader found in a small container.
    pub(super) fn walked<'a>(
        self,
        found: Result<Option<VariantRef<'a>>, Error>,
    ) -> Result<Option<Indexed<'i, VariantRef<'a>>>, Error> {
        Ok(found?.map(|value| Indexed::small(value, self.index)))
    }
}

impl<T> Deref for Indexed<'_, T> {
    type Target = T;

    fn deref(&self) -> &T {
        &self.inner
    }
}

/// The slot's owner has another number of children, or the slot has no place.
#[cold]
pub(super) const fn foreign(owner: VariantRef<'_>) -> Error {
    Error::new(owner.offset(), ErrorKind::ForeignIndex)
}

impl Index {
    /// Child `n` of the container with that entry. As lookups return it: making it another would
    /// copy it.
    #[inline]
    pub(super) fn child<'a>(
        &self,
        owner: VariantRef<'a>,
        entry: u32,
        n: usize,
    ) -> Result<Option<Indexed<'_, VariantRef<'a>>>, Error> {
        let (at, entry) = self.nth(entry, n).ok_or_else(|| foreign(owner))?;
        Ok(Some(Indexed::new(owner.child_at(at)?, self, entry)))
    }

    /// Child `n` of the container with that entry, without the index.
    #[inline]
    pub(super) fn key<'a>(
        &self,
        owner: VariantRef<'a>,
        entry: u32,
        n: usize,
    ) -> Result<VariantRef<'a>, Error> {
        let (at, _) = self.nth(entry, n).ok_or_else(|| foreign(owner))?;
        owner.child_at(at)
    }

    /// A child of a small container.
    #[inline]
    pub(super) fn small<'a>(
        &self,
        owner: VariantRef<'a>,
        at: usize,
    ) -> Result<Option<Indexed<'_, VariantRef<'a>>>, Error> {
        Ok(Some(Indexed::small(owner.child_at(at)?, self)))
    }

    /// The name that is child `n` of the object with that entry.
    pub(super) fn name<'a>(
        &self,
        owner: VariantRef<'a>,
        entry: u32,
        n: usize,
    ) -> Result<StrRef<'a>, Error> {
        let (at, _) = self.nth(entry, n).ok_or_else(|| foreign(owner))?;
        let (bytes, options) = (owner.bytes(), owner.options());
        let field = head::string_field(bytes, at, options, Padding::Value)?;
        Ok(StrRef::new(field.raw(bytes), field.start, options))
    }

    #[inline]
    pub(super) fn nth(&self, entry: u32, n: usize) -> Option<(usize, Option<u32>)> {
        self.place(*self.slots(entry)?.get(n)?)
    }
}

impl<'i, 'a> Indexed<'i, VariantRef<'a>> {
    pub(super) fn root(inner: VariantRef<'a>, index: &'i Index) -> Indexed<'i, VariantRef<'a>> {
        Indexed::new(inner, index, index.root())
    }

    /// A value inside a small container.
    #[inline(always)]
    pub(super) fn small(inner: VariantRef<'a>, index: &'i Index) -> Indexed<'i, VariantRef<'a>> {
        Indexed::new(inner, index, None)
    }

    #[inline]
    fn with<T>(self, inner: T) -> Indexed<'i, T> {
        let Indexed { index, entry, .. } = self;
        Indexed {
            inner,
            index,
            entry,
        }
    }

    /// As [`VariantRef::as_array`].
    #[inline]
    #[must_use]
    pub fn as_array(self) -> Option<Indexed<'i, ArrayRef<'a>>> {
        self.inner.as_array().map(|array| self.with(array))
    }

    /// As [`VariantRef::as_dict`].
    #[inline]
    #[must_use]
    pub fn as_dict(self) -> Option<Indexed<'i, DictRef<'a>>> {
        self.inner.as_dict().map(|dict| self.with(dict))
    }

    /// As [`VariantRef::as_object`].
    #[must_use]
    pub fn as_object(self) -> Option<Indexed<'i, ObjectRef<'a>>> {
        self.inner.as_object().map(|object| self.with(object))
    }

    /// As [`VariantRef::get_path`], at the price of one lookup a step.
    ///
    /// # Errors
    /// If the index does not belong to these bytes.
    pub fn get_path(self, path: &Path<'_>) -> Result<Option<Self>, Error> {
        let mut value = self;
        for &step in path.steps() {
            match value.take_step(step)? {
                Some(next) => value = next,
                None => return Ok(None),
            }
        }
        Ok(Some(value))
    }

    /// As [`VariantRef::take_step`].
    ///
    /// # Errors
    /// If the index does not belong to these bytes.
    pub fn take_step(self, step: Step<'_>) -> Result<Option<Self>, Error> {
        if self.entry().is_none() {
            return self.walked(self.inner.take_step(step));
        }
        if let Some(array) = self.as_array() {
            let Step::Index(index) = step else {
                return Ok(None);
            };
            let from_end = if index < 0 { array.len() as i64 } else { 0 };
            return match usize::try_from(index + from_end) {
                Ok(index) => array.get(index),
                Err(_) => Ok(None),
            };
        }
        if let Some(dict) = self.as_dict() {
            let pair = |n: u32| dict.pair(n as usize);
            return match step {
                Step::Index(index) => dict.get_int(index),
                Step::PairValue(n) => Ok(pair(n)?.map(|(_, value)| value)),
                Step::PairKey(n) => Ok(pair(n)?.map(|(key, _)| key)),
                Step::Name(_) | Step::String(_) | Step::StringName(_) | Step::Key(_) => {
                    let first = match step {
                        Step::Name(name) if !name.contains('\\') => dict.get(name)?,
                        step => dict.find(|key| step.is_key(key) && step.goes_first(key))?,
                    };
                    match first {
                        None if step.has_second_keys(self.inner.dialect()) => {
                            dict.find(|key| step.is_key(key))
                        }
                        first => Ok(first),
                    }
                }
            };
        }
        let (Some(object), Step::Name(name)) = (self.as_object(), step) else {
            return Ok(None);
        };
        let named = |(key, _): &(StrRef<'_>, _)| same_name(name, key.as_bytes());
        let found = last(object.len(), |n| object.property(n), named)?;
        Ok(found.map(|(_, value)| value))
    }
}
