//! Arrays, dictionaries and objects of an [`Index`](super::Index).

use core::iter::FusedIterator;

use super::{
    indexed::{Indexed, foreign},
    keys::SortedKeys,
    small,
};
use crate::{
    bytes::text::is_text,
    error::Error,
    value::{
        array::ArrayRef, dict::DictRef, object::ObjectRef, string::StrRef, variant::VariantRef,
    },
    walk::{
        items::ArrayIter,
        keys::{equality, sort_key::SortKey},
        pairs::DictIter,
        properties::PropertyIter,
    },
};

/// The last of `len` children that is wanted: the last of repeated keys wins.
pub(super) fn last<T>(
    len: usize,
    child: impl Fn(usize) -> Result<Option<T>, Error>,
    wanted: impl Fn(&T) -> bool,
) -> Result<Option<T>, Error> {
    for n in (0..len).rev() {
        if let Some(found) = child(n)?.filter(&wanted) {
            return Ok(Some(found));
        }
    }
    Ok(None)
}

impl<'i, 'a> Indexed<'i, ArrayRef<'a>> {
    /// As [`ArrayRef::get`], but O(1).
    ///
    /// # Errors
    /// If the index does not belong to these bytes.
    #[inline]
    pub fn get(self, n: usize) -> Result<Option<Indexed<'i, VariantRef<'a>>>, Error> {
        if n >= self.len() {
            return Ok(None);
        }
        let Some(entry) = self.entry() else {
            return match small::nth(*self, n) {
                Some(at) => self.index.small(self.value(), at),
                None => self.walked(ArrayRef::get(*self, n)),
            };
        };
        self.index.child(self.value(), entry, n)
    }

    /// As [`ArrayRef::iter`]; no element is walked over.
    #[must_use]
    pub fn iter(self) -> IndexedArrayIter<'i, 'a> {
        IndexedArrayIter {
            owner: self,
            walk: self.entry().is_none().then(|| ArrayRef::iter(*self)),
            next: 0,
        }
    }
}

impl<'i, 'a> Indexed<'i, DictRef<'a>> {
    /// The n-th pair: O(1). `Ok(None)` beyond the end.
    ///
    /// # Errors
    /// If the index does not belong to these bytes.
    pub fn pair(self, n: usize) -> Result<Option<Pair<'i, 'a>>, Error> {
        if n >= self.len() {
            return Ok(None);
        }
        let Some(entry) = self.entry() else {
            let pair = DictRef::iter(*self).nth(n).transpose()?;
            return Ok(pair.map(|(key, value)| {
                let small = |value| Indexed::small(value, self.index);
                (small(key), small(value))
            }));
        };
        let key = self.index.child(self.value(), entry, 2 * n)?;
        let value = self.index.child(self.value(), entry, 2 * n + 1)?;
        Ok(key.zip(value))
    }

    /// As [`DictRef::get`]. In a large dictionary the keys are compared from the last to the
    /// first; after [`Index::sort_keys`](super::Index::sort_keys) one or two of them.
    ///
    /// # Errors
    /// If the index does not belong to these bytes.
    #[inline]
    pub fn get(self, key: &str) -> Result<Option<Indexed<'i, VariantRef<'a>>>, Error> {
        if self.entry().is_none() {
            return match small::find(*self, key.as_bytes()) {
                Some(Some(at)) => self.index.small(self.value(), at),
                Some(None) => Ok(None),
                None => self.walked(DictRef::get(*self, key)),
            };
        }
        match self.sorted() {
            Some(sorted) => {
                let sought = SortKey::Text(key.as_bytes());
                self.search(sorted, sought, |own| equality::is_text(own, key))
            }
            None => self.find_text(key),
        }
    }

    /// As [`DictRef::get_int`], at the price of [`get`](Indexed::get).
    ///
    /// # Errors
    /// If the index does not belong to these bytes.
    pub fn get_int(self, key: i64) -> Result<Option<Indexed<'i, VariantRef<'a>>>, Error> {
        if self.entry().is_none() {
            return self.walked(DictRef::get_int(*self, key));
        }
        match self.sorted() {
            Some(sorted) => {
                let is_it = |own: VariantRef<'_>| own.as_i64() == Some(key);
                self.search(sorted, SortKey::Int(key), is_it)
            }
            None => self.find(|candidate| candidate.as_i64() == Some(key)),
        }
    }

    /// As [`DictRef::get_value`], at the price of [`get`](Indexed::get).
    ///
    /// # Errors
    /// If the index does not belong to these bytes.
    pub fn get_value(
        self,
        key: VariantRef<'_>,
    ) -> Result<Option<Indexed<'i, VariantRef<'a>>>, Error> {
        if self.entry().is_none() {
            return self.walked(DictRef::get_value(*self, key));
        }
        match self.sorted() {
            Some(sorted) => {
                let sought = SortKey::of(key, self.value().dialect());
                self.search(sorted, sought, |own| equality::equal(own, key))
            }
            None => self.find(|candidate| equality::equal(candidate, key)),
        }
    }

    /// As [`DictRef::iter`]; nothing is walked over.
    #[must_use]
    pub fn iter(self) -> IndexedDictIter<'i, 'a> {
        IndexedDictIter {
            owner: self,
            walk: self.entry().is_none().then(|| DictRef::iter(*self)),
            next: 0,
        }
    }

    /// The value of the last text key that is `key`, without making values of plain keys.
    fn find_text(self, key: &str) -> Result<Option<Indexed<'i, VariantRef<'a>>>, Error> {
        let (index, owner) = (self.index, self.value());
        let entry = self.entry().ok_or_else(|| foreign(owner))?;
        let slots = index.slots(entry).ok_or_else(|| foreign(owner))?;
        for (n, slot) in slots.iter().enumerate().step_by(2).rev() {
            let (at, _) = index.place(*slot).ok_or_else(|| foreign(owner))?;
            let rest = owner.bytes().get(at..).unwrap_or_default();
            let is_it = match small::text(rest, owner.dialect()) {
                Some((raw, _)) => is_text(raw, key.as_bytes()),
                None => equality::is_text(index.key(owner, entry, n)?, key),
            };
            if is_it {
                return index.child(owner, entry, n + 1);
            }
        }
        Ok(None)
    }

    /// The value of the last pair of a large dictionary whose key matches.
    pub(super) fn find(
        self,
        matches: impl Fn(VariantRef<'a>) -> bool,
    ) -> Result<Option<Indexed<'i, VariantRef<'a>>>, Error> {
        let (index, owner) = (self.index, self.value());
        let entry = self.entry().ok_or_else(|| foreign(owner))?;
        for n in (0..self.len()).rev() {
            if matches(index.key(owner, entry, 2 * n)?) {
                return index.child(owner, entry, 2 * n + 1);
            }
        }
        Ok(None)
    }

    /// The keys in the order of their hashes, if they were sorted.
    fn sorted(self) -> Option<&'i SortedKeys> {
        self.index.keys.as_ref()
    }

    /// The value of the last pair whose key has the hash of the one that is sought, and matches.
    fn search(
        self,
        sorted: &SortedKeys,
        sought: SortKey<'_>,
        matches: impl Fn(VariantRef<'a>) -> bool,
    ) -> Result<Option<Indexed<'i, VariantRef<'a>>>, Error> {
        let (index, owner) = (self.index, self.value());
        let entry = self.entry().ok_or_else(|| foreign(owner))?;
        for n in sorted.pairs(entry, super::keys::hash(sought)) {
            let n = n as usize;
            if matches(index.key(owner, entry, 2 * n)?) {
                return index.child(owner, entry, 2 * n + 1);
            }
        }
        Ok(None)
    }
}

impl<'i, 'a> Indexed<'i, ObjectRef<'a>> {
    /// The n-th property: O(1). `Ok(None)` beyond the end.
    ///
    /// # Errors
    /// If the index does not belong to these bytes.
    pub fn property(self, n: usize) -> Result<Option<Property<'i, 'a>>, Error> {
        if n >= self.len() {
            return Ok(None);
        }
        let Some(entry) = self.entry() else {
            let property = ObjectRef::iter(*self).nth(n).transpose()?;
            return Ok(property.map(|(name, value)| (name, Indexed::small(value, self.index))));
        };
        let name = self.index.name(self.value(), entry, 2 * n)?;
        let value = self.index.child(self.value(), entry, 2 * n + 1)?;
        Ok(value.map(|value| (name, value)))
    }

    /// As [`ObjectRef::get`]; the names of a large object are compared from the last to the first.
    ///
    /// # Errors
    /// If the index does not belong to these bytes.
    pub fn get(self, name: &str) -> Result<Option<Indexed<'i, VariantRef<'a>>>, Error> {
        if self.entry().is_none() {
            return self.walked(ObjectRef::get(*self, name));
        }
        let named = |(key, _): &Property<'i, 'a>| *key == *name;
        let found = last(self.len(), |n| self.property(n), named)?;
        Ok(found.map(|(_, value)| value))
    }

    /// As [`ObjectRef::iter`]; nothing is walked over.
    #[must_use]
    pub fn iter(self) -> IndexedPropertyIter<'i, 'a> {
        IndexedPropertyIter {
            owner: self,
            walk: self.entry().is_none().then(|| ObjectRef::iter(*self)),
            next: 0,
        }
    }
}

type Pair<'i, 'a> = (Indexed<'i, VariantRef<'a>>, Indexed<'i, VariantRef<'a>>);
type Property<'i, 'a> = (StrRef<'a>, Indexed<'i, VariantRef<'a>>);

macro_rules! iterators {
    ($(
        $(#[$doc:meta])*
        $name:ident over $owner:ident by $walk:ident, $nth:ident:
        $item:ty, $small:expr;
    )*) => {$(
        $(#[$doc])*
        #[derive(Clone, Debug)]
        pub struct $name<'i, 'a> {
            owner: Indexed<'i, $owner<'a>>,
            /// How a small container is read.
            walk: Option<$walk<'a>>,
            next: usize,
        }

        impl<'i, 'a> $name<'i, 'a> {
            /// The next one.
            ///
            /// # Errors
            /// If the index does not belong to these bytes.
            pub fn try_next(&mut self) -> Result<Option<$item>, Error> {
                let index = self.owner.index;
                if let Some(walk) = &mut self.walk {
                    return Ok(walk.try_next()?.map(|item| $small(item, index)));
                }
                let item = self.owner.$nth(self.next);
                // Nothing follows the end or an error.
                self.next = match item {
                    Ok(Some(_)) => self.next + 1,
                    _ => usize::MAX,
                };
                item
            }
        }

        impl<'i, 'a> Iterator for $name<'i, 'a> {
            type Item = Result<$item, Error>;

            fn next(&mut self) -> Option<Self::Item> {
                self.try_next().transpose()
            }

            /// An error, which says that the index does not belong to these bytes, ends the iteration
            /// before its time.
            fn size_hint(&self) -> (usize, Option<usize>) {
                let left = match &self.walk {
                    Some(walk) => return walk.size_hint(),
                    None => self.owner.len().saturating_sub(self.next),
                };
                (left.min(1), Some(left))
            }
        }

        impl FusedIterator for $name<'_, '_> {}

        impl<'i, 'a> IntoIterator for Indexed<'i, $owner<'a>> {
            type Item = Result<$item, Error>;
            type IntoIter = $name<'i, 'a>;

            fn into_iter(self) -> $name<'i, 'a> {
                self.iter()
            }
        }
    )*};
}

iterators! {
    /// The elements of an indexed array, fused after an error.
    IndexedArrayIter over ArrayRef by ArrayIter, get:
        Indexed<'i, VariantRef<'a>>, Indexed::small;
    /// The pairs of an indexed dictionary, fused after an error.
    IndexedDictIter over DictRef by DictIter, pair:
        Pair<'i, 'a>, |(key, value), index| (Indexed::small(key, index), Indexed::small(value, index));
    /// The properties of an indexed object, fused after an error.
    IndexedPropertyIter over ObjectRef by PropertyIter, property:
        Property<'i, 'a>, |(name, value), index| (name, Indexed::small(value, index));
}
