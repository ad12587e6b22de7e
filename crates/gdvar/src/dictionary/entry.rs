//! [`Entry`]: the entry of a key, present or not.

use super::{Dictionary, key::Sought};
use crate::Variant;

/// The entry of a key in a [`Dictionary`], whether the key is present or not.
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

    /// Returns the key.
    #[must_use]
    pub fn key(&self) -> &Variant {
        &self.key
    }

    /// Returns the value, if the key is present.
    #[must_use]
    pub fn get(&self) -> Option<&Variant> {
        let (_, value) = self.dict.as_pairs().get(self.place?)?;
        Some(value)
    }

    /// Changes the value, if the key is present.
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

    /// Returns the value, and inserts `value` first if the key is missing. It takes anything that a
    /// Variant is made of, so write `or_insert(0)` rather than `or_insert(0.into())`.
    ///
    /// ```
    /// let mut kills = gdvar::Dictionary::new();
    /// for name in ["bat", "rat", "bat"] {
    ///     *kills.entry(name).or_insert(0) += 1;
    /// }
    /// assert_eq!(gdvar::Variant::from(kills), gdvar::variant!({ "bat": 2, "rat": 1 }));
    /// ```
    pub fn or_insert(self, value: impl Into<Variant>) -> &'d mut Variant {
        self.or_insert_with(|| value.into())
    }

    /// Returns the value, and inserts the result of `make` first if the key is missing.
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

    /// Returns the value, and inserts null first if the key is missing.
    pub fn or_default(self) -> &'d mut Variant {
        self.or_insert(Variant::Nil)
    }
}
