//! [`Entry`]: a key of a Dictionary, present or not.

use super::{Dictionary, key::Sought};
use crate::Variant;

/// A key of a [`Dictionary`], present or not, with access to its value.
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

    /// Returns the key that was given to [`Dictionary::entry`].
    #[must_use]
    pub fn key(&self) -> &Variant {
        &self.key
    }

    /// Returns the value, or `None` if the key is missing.
    #[must_use]
    pub fn get(&self) -> Option<&Variant> {
        let (_, value) = self.dict.as_pairs().get(self.place?)?;
        Some(value)
    }

    /// Calls `change` with the value, if the key is present.
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

    /// Returns the value. If the key is missing, inserts `value` first. `value` may be of every
    /// type that converts to a Variant, so write `or_insert(0)` rather than `or_insert(0.into())`.
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

    /// Returns the value. If the key is missing, inserts the result of `make` first.
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

    /// Returns the value. If the key is missing, inserts null first.
    pub fn or_default(self) -> &'d mut Variant {
        self.or_insert(Variant::Nil)
    }
}
