//! Arrays, dictionaries and objects of an [`Index`].

use core::{iter::FusedIterator, slice};

use super::{
    indexed::Indexed,
    keys::{self, FEW_PAIRS},
    slots::{CONTAINER, Index, Slot},
};
use crate::{
    bytes::head::{self, Padding},
    value::{
        array::ArrayRef, dict::DictRef, element::field_text, object::ObjectRef, string::StrRef,
        variant::VariantRef,
    },
    walk::lookup::{Lookup, LookupKey},
};

type Value<'i, 'a> = Indexed<'i, VariantRef<'a>>;

impl<'i, 'a> Indexed<'i, ArrayRef<'a>> {
    /// Returns element `n`, counted from 0, in O(1).
    #[inline]
    #[must_use]
    pub fn get(self, n: usize) -> Option<Value<'i, 'a>> {
        let slot = self.children().get(n)?;
        Some(self.index.child(self.value(), *slot))
    }
}

impl<'i, 'a> Indexed<'i, DictRef<'a>> {
    /// Returns pair `n`, counted from 0, in O(1).
    #[must_use]
    pub fn pair(self, n: usize) -> Option<(Value<'i, 'a>, Value<'i, 'a>)> {
        self.iter().nth(n)
    }

    /// Does the same as [`DictRef::get`]. A look-up takes O(1) on average after [`Index::sort_keys`]. Without
    /// it a look-up takes O(n) for `n` pairs, and reads only keys of at least the same length.
    #[inline]
    #[must_use]
    pub fn get(self, key: &str) -> Option<Value<'i, 'a>> {
        let text = key.as_bytes();
        // A NUL or a byte order mark makes a text shorter than its length, never longer.
        self.find(LookupKey::Text(text), |slot| {
            slot.more as usize >= text.len()
        })
    }

    /// Does the same as [`DictRef::get_int`]. Takes as long as [`get`](Indexed::get).
    #[must_use]
    pub fn get_int(self, key: i64) -> Option<Value<'i, 'a>> {
        // An int of either width begins with its low word.
        self.find(LookupKey::Int(key), |slot| {
            slot.more == key as u32 & !CONTAINER
        })
    }

    /// Does the same as [`DictRef::get_value`]. Takes as long as [`get`](Indexed::get), but reads all keys if
    /// they are not sorted.
    #[must_use]
    pub fn get_value(self, key: VariantRef<'_>) -> Option<Value<'i, 'a>> {
        self.find(LookupKey::Value(key), |_| true)
    }

    /// Returns the value of the last pair with the key `sought`. `may_be` returns `false` if a slot alone shows
    /// that its key is another one.
    #[inline(always)]
    fn find(self, sought: LookupKey<'_>, may_be: impl Fn(Slot) -> bool) -> Option<Value<'i, 'a>> {
        let (index, children) = (self.index, self.children());
        let lookup = Lookup::new(self.value(), sought);
        let is_it = |key: Slot| lookup.matches(key.at as usize);
        let mut found = None;
        match &index.keys {
            Some(keys) if children.len() > 2 * FEW_PAIRS => {
                let hash = keys::hash_of(sought, self.value().dialect(), self.group);
                for n in keys.pairs(self.group, children.len(), hash) {
                    if children.get(n).is_some_and(|key| is_it(*key)) {
                        found = children.get(n + 1);
                        break;
                    }
                }
            }
            // Searches from the front, so that the first keys are loaded before the number of pairs is.
            _ => {
                for pair in children.chunks_exact(2) {
                    match pair {
                        [key, value] if may_be(*key) && is_it(*key) => found = Some(value),
                        _ => {}
                    }
                }
            }
        }
        Some(index.child(self.value(), *found?))
    }

    /// Returns the value of the last pair whose key matches.
    pub(super) fn find_last(
        self,
        matches: impl Fn(VariantRef<'a>) -> bool,
    ) -> Option<Value<'i, 'a>> {
        let pairs = self.iter().filter(|(key, _)| matches(**key));
        pairs.last().map(|(_, value)| value)
    }
}

impl<'i, 'a> Indexed<'i, ObjectRef<'a>> {
    /// Returns property `n`, counted from 0, in O(1).
    #[must_use]
    pub fn property(self, n: usize) -> Option<(StrRef<'a>, Value<'i, 'a>)> {
        self.iter().nth(n)
    }

    /// Like [`ObjectRef::get`]: all names are compared.
    #[must_use]
    pub fn get(self, name: &str) -> Option<Value<'i, 'a>> {
        let named = self.iter().filter(|(own, _)| *own == *name);
        named.last().map(|(_, value)| value)
    }
}

impl Index {
    /// The name of a property of `owner`. Empty if the index belongs to other bytes.
    fn name<'a>(&self, owner: VariantRef<'a>, slot: Slot) -> StrRef<'a> {
        let (bytes, options) = (owner.bytes(), owner.options());
        match head::string_field(bytes, slot.at as usize, options, Padding::Value) {
            Ok(field) => field_text(owner, field),
            Err(_) => StrRef::new(&[], owner.offset(), options),
        }
    }
}

macro_rules! iterators {
    ($(
        $(#[$doc:meta])*
        $name:ident over $owner:ident, $per:literal: $item:ty, $next:expr;
    )*) => {$(
        $(#[$doc])*
        #[derive(Clone, Debug)]
        pub struct $name<'i, 'a> {
            owner: VariantRef<'a>,
            index: &'i Index,
            slots: slice::Iter<'i, Slot>,
        }

        impl<'i, 'a> Iterator for $name<'i, 'a> {
            type Item = $item;

            #[inline]
            fn next(&mut self) -> Option<Self::Item> {
                let $name { owner, index, slots } = self;
                $next(*owner, *index, slots)
            }

            /// Skips `n` items and returns the next one. Takes O(1), however large `n` is.
            #[inline]
            fn nth(&mut self, n: usize) -> Option<Self::Item> {
                let left = self.slots.as_slice();
                let skipped = n.saturating_mul($per).min(left.len());
                self.slots = left.get(skipped..).unwrap_or_default().iter();
                self.next()
            }

            fn size_hint(&self) -> (usize, Option<usize>) {
                let left = self.slots.len() / $per;
                (left, Some(left))
            }
        }

        impl ExactSizeIterator for $name<'_, '_> {}

        impl FusedIterator for $name<'_, '_> {}

        impl<'i, 'a> Indexed<'i, $owner<'a>> {
            /// Iterates over the children in the order of the bytes.
            #[inline]
            #[must_use]
            pub fn iter(self) -> $name<'i, 'a> {
                $name {
                    owner: self.value(),
                    index: self.index,
                    slots: self.children().iter(),
                }
            }
        }

        impl<'i, 'a> IntoIterator for Indexed<'i, $owner<'a>> {
            type Item = $item;
            type IntoIter = $name<'i, 'a>;

            fn into_iter(self) -> $name<'i, 'a> {
                self.iter()
            }
        }
    )*};
}

type Slots<'s, 'i> = &'s mut slice::Iter<'i, Slot>;

iterators! {
    /// The elements of an indexed array.
    IndexedArrayIter over ArrayRef, 1: Value<'i, 'a>,
        |owner, index: &'i Index, slots: Slots<'_, 'i>| Some(index.child(owner, *slots.next()?));
    /// The pairs of an indexed dictionary.
    IndexedDictIter over DictRef, 2: (Value<'i, 'a>, Value<'i, 'a>),
        |owner, index: &'i Index, slots: Slots<'_, 'i>| {
            let (key, value) = (slots.next()?, slots.next()?);
            Some((index.child(owner, *key), index.child(owner, *value)))
        };
    /// The properties of an indexed object.
    IndexedPropertyIter over ObjectRef, 2: (StrRef<'a>, Value<'i, 'a>),
        |owner, index: &'i Index, slots: Slots<'_, 'i>| {
            let (name, value) = (slots.next()?, slots.next()?);
            Some((index.name(owner, *name), index.child(owner, *value)))
        };
}
