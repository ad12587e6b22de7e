//! [`Entry`]: the place of a key.

use super::{Dictionary, key::Sought};
use crate::Variant;

/// The place of a key in a [`Dictionary`], whether it is there or not.
#[derive(Debug)]
pub struct Entry<'d> {
    dict: &'d mut Dictionary,
    key: Variant,
    place: Option<usize>,
}

impl<'d> Entry<'d> {
    pub(super) fn new(dict: &'d mut Dictionary, key: Variant) -> Entry<'d> {
        let place = dict.find(&Sought::of(&key));
        Entry { dict, key, place }
    }

    /// The key.
    #[must_use]
    pub fn key(&self) -> &Variant {
        &self.key
    }

    /// The value that is there.
    #[must_use]
    pub fn get(&self) -> Option<&Variant> {
        let (_, value) = self.dict.as_pairs().get(self.place?)?;
        Some(value)
    }

    /// Changes the value, if one is there.
    #[must_use]
    pub fn and_modify(self, change: impl FnOnce(&mut Variant)) -> Entry<'d> {
        if let Some((_, value)) = self
            .place
            .and_then(|place| self.dict.pairs_mut().get_mut(place))
        {
            change(value);
        }
        self
    }

    /// The value that is there, or this one, put there.
    pub fn or_insert(self, value: impl Into<Variant>) -> &'d mut Variant {
        self.or_insert_with(|| value.into())
    }

    /// The value that is there, or the one that is made, put there.
    pub fn or_insert_with<V: Into<Variant>>(self, make: impl FnOnce() -> V) -> &'d mut Variant {
        let place = match self.place {
            Some(place) => place,
            None => {
                self.dict.push(self.key, make().into());
                self.dict.len() - 1
            }
        };
        &mut self.dict.pairs_mut()[place].1
    }

    /// The value that is there, or null, put there.
    pub fn or_default(self) -> &'d mut Variant {
        self.or_insert(Variant::Nil)
    }
}
