//! [`Dictionary`]: pairs in insertion order, looked up by key.

mod entry;
mod key;
mod places;

use std::{fmt, hash::Hash, slice, sync::OnceLock, vec};

pub use self::{entry::Entry, key::DictionaryKey};
use self::{key::Sought, places::Places};
use crate::{Variant, variant::OwnedElementType};

/// Up to this many pairs are searched one by one. With more, there is a table of keys.
pub(crate) const FEW: usize = 16;

/// A `Dictionary`: pairs in the engine's insertion order.
///
/// With more than 16 pairs, a look-up takes O(1): the first look-up builds a table of 20 bytes for
/// each pair, and later changes update the table. A text finds both a String and a StringName, as
/// in the engine.
///
/// Repeated keys of unusual input are kept. [`Dictionary::get`] finds the last one, as the engines
/// do, and [`Dictionary::remove`] removes all of them.
///
/// ```
/// use gdvar::{Dictionary, math::Vector2, variant};
///
/// let mut save = Dictionary::new();
/// save.insert("gold", 3);
/// save.insert(Vector2::new(1, -2), "grass");
/// *save.entry("gold").or_insert(0) = variant!(4);
/// assert_eq!(save["gold"], 4);
/// assert_eq!(save.get(&Vector2::new(1, -2)).and_then(|tile| tile.as_str()), Some("grass"));
/// assert_eq!(save.remove("gold"), Some(variant!(4)));
/// assert!(!save.contains_key("gold"));
/// ```
#[derive(Clone, Default)]
pub struct Dictionary(DictionaryRepr);

#[derive(Clone)]
enum DictionaryRepr {
    /// Untyped, with few pairs.
    Plain(Vec<(Variant, Variant)>),
    Odd(Box<Odd>),
}

/// A dictionary with types, with the shared mark, or with many pairs.
#[derive(Clone, Default)]
struct Odd {
    pairs: Vec<(Variant, Variant)>,
    key: OwnedElementType,
    value: OwnedElementType,
    shared: bool,
    /// Built at the first look-up. Dropped by changes of more than one pair.
    places: OnceLock<Places>,
}

const _: () = assert!(size_of::<Dictionary>() <= 24);

impl Default for DictionaryRepr {
    fn default() -> DictionaryRepr {
        DictionaryRepr::Plain(Vec::new())
    }
}

impl Dictionary {
    /// Creates an empty Dictionary.
    #[must_use]
    pub const fn new() -> Dictionary {
        Dictionary(DictionaryRepr::Plain(Vec::new()))
    }

    /// Creates an empty Dictionary with memory for `capacity` pairs.
    #[must_use]
    pub fn with_capacity(capacity: usize) -> Dictionary {
        Dictionary(DictionaryRepr::Plain(Vec::with_capacity(capacity)))
    }

    /// Creates a Dictionary from pairs. Repeated keys are kept.
    #[must_use]
    pub fn from_pairs(pairs: Vec<(Variant, Variant)>) -> Dictionary {
        Dictionary(DictionaryRepr::Plain(pairs)).settled()
    }

    /// Switches to the form that can hold a table of keys, if there are many pairs.
    #[inline]
    pub(crate) fn settled(mut self) -> Dictionary {
        if self.len() > FEW {
            self.odd();
        }
        self
    }

    /// Returns all pairs in insertion order.
    #[must_use]
    pub fn as_pairs(&self) -> &[(Variant, Variant)] {
        match &self.0 {
            DictionaryRepr::Plain(pairs) => pairs,
            DictionaryRepr::Odd(odd) => &odd.pairs,
        }
    }

    /// Returns all pairs in insertion order.
    #[must_use]
    pub fn into_pairs(self) -> Vec<(Variant, Variant)> {
        match self.0 {
            DictionaryRepr::Plain(pairs) => pairs,
            DictionaryRepr::Odd(odd) => odd.pairs,
        }
    }

    /// Returns the pairs. After a look-up, their number and their keys must not change. A caller
    /// that adds pairs beyond [`FEW`] must call [`settled`](Dictionary::settled) afterwards.
    pub(crate) fn pairs_mut(&mut self) -> &mut Vec<(Variant, Variant)> {
        match &mut self.0 {
            DictionaryRepr::Plain(pairs) => pairs,
            DictionaryRepr::Odd(odd) => &mut odd.pairs,
        }
    }

    /// Returns the number of pairs.
    #[must_use]
    pub fn len(&self) -> usize {
        self.as_pairs().len()
    }

    /// Returns `true` if there are no pairs.
    #[must_use]
    pub fn is_empty(&self) -> bool {
        self.as_pairs().is_empty()
    }

    /// Returns the position of the last pair with this key, or `None`.
    fn find(&self, key: &Sought<'_>) -> Option<usize> {
        match &self.0 {
            DictionaryRepr::Odd(odd) if odd.pairs.len() > FEW => {
                let places = odd.places.get_or_init(|| Places::of(&odd.pairs));
                places.find(key, &odd.pairs)
            }
            _ => {
                let pairs = self.as_pairs();
                pairs.iter().rposition(|(own, _)| key.is(own))
            }
        }
    }

    /// Returns the position of the last pair with this key, or `None`.
    pub(crate) fn place_of(&self, key: &Variant) -> Option<usize> {
        self.find(&Sought::of(key))
    }

    /// Returns the value under a key, or `None`. The key is a text, an int, a vector of ints or any
    /// [`Variant`].
    #[must_use]
    pub fn get<K: DictionaryKey + ?Sized>(&self, key: &K) -> Option<&Variant> {
        let place = self.find(&key.sought())?;
        self.as_pairs().get(place).map(|(_, value)| value)
    }

    /// Returns a mutable reference to the value under a key, or `None`.
    pub fn get_mut<K: DictionaryKey + ?Sized>(&mut self, key: &K) -> Option<&mut Variant> {
        let place = self.find(&key.sought())?;
        self.pairs_mut().get_mut(place).map(|(_, value)| value)
    }

    /// Returns `true` if there is a pair with this key.
    #[must_use]
    pub fn contains_key<K: DictionaryKey + ?Sized>(&self, key: &K) -> bool {
        self.find(&key.sought()).is_some()
    }

    /// Sets the value under a key. If the key is present, replaces its value, keeps the old key and
    /// the position, and returns the old value.
    pub fn insert(
        &mut self,
        key: impl Into<Variant>,
        value: impl Into<Variant>,
    ) -> Option<Variant> {
        let (key, value) = (key.into(), value.into());
        match self.find(&Sought::of(&key)) {
            Some(place) => {
                let (_, old) = self.pairs_mut().get_mut(place)?;
                Some(std::mem::replace(old, value))
            }
            None => {
                self.push(key, value);
                None
            }
        }
    }

    /// Appends a pair without comparing keys.
    fn push(&mut self, key: Variant, value: Variant) {
        if self.len() >= FEW {
            let odd = self.odd();
            odd.pairs.push((key, value));
            if let Some(places) = odd.places.get_mut() {
                places.pushed(&odd.pairs);
            }
            return;
        }
        self.pairs_mut().push((key, value));
    }

    /// Removes a key and returns its value. The other pairs keep their order. Takes O(n). To remove
    /// many keys, use [`retain`](Dictionary::retain), which takes O(n) for all of them, or
    /// [`swap_remove`](Dictionary::swap_remove).
    pub fn remove<K: DictionaryKey + ?Sized>(&mut self, key: &K) -> Option<Variant> {
        self.remove_all(&key.sought())
    }

    /// Removes all pairs with a key, and returns the last value.
    fn remove_all(&mut self, key: &Sought<'_>) -> Option<Variant> {
        let (_, value) = self.remove_at(self.find(key)?, key);
        while let Some(place) = self.find(key) {
            self.remove_at(place, key);
        }
        Some(value)
    }

    fn remove_at(&mut self, place: usize, key: &Sought<'_>) -> (Variant, Variant) {
        match &mut self.0 {
            DictionaryRepr::Plain(pairs) => pairs.remove(place),
            DictionaryRepr::Odd(odd) => {
                let keeps = odd
                    .places
                    .get_mut()
                    .is_none_or(|places| places.remove(place, key));
                if !keeps {
                    odd.places.take();
                }
                odd.pairs.remove(place)
            }
        }
    }

    /// Removes a key and returns its value. Moves the last pair to the place of the removed pair,
    /// so this takes O(1) once a key was looked up. If the removed key or the last key is repeated,
    /// this calls [`remove`](Dictionary::remove) instead, so that look-ups find the same pairs.
    ///
    /// ```
    /// let mut bag: gdvar::Dictionary = [("a", 1), ("b", 2), ("c", 3)].into_iter().collect();
    /// assert_eq!(bag.swap_remove("a").unwrap(), 1);
    /// assert!(bag.keys().eq(["c", "b"]));
    /// ```
    pub fn swap_remove<K: DictionaryKey + ?Sized>(&mut self, key: &K) -> Option<Variant> {
        let key = key.sought();
        let place = self.find(&key)?;
        if !self.can_swap(place, &key) {
            return self.remove_all(&key);
        }
        let (_, value) = self.pairs_mut().swap_remove(place);
        Some(value)
    }

    /// Returns `true` if the last pair may replace the pair at `place`, whose key is `key`, and
    /// then updates the table of keys. Returns `false` if one of the two keys is repeated.
    fn can_swap(&mut self, place: usize, key: &Sought<'_>) -> bool {
        if let DictionaryRepr::Odd(odd) = &mut self.0 {
            let Odd { pairs, places, .. } = &mut **odd;
            if pairs.len() > FEW {
                return match places.get_mut() {
                    Some(places) => places.swap_remove(place, key, pairs),
                    None => false,
                };
            }
            places.take();
        }
        let pairs = self.as_pairs();
        let is_single = |key: &Sought<'_>| pairs.iter().filter(|(own, _)| key.is(own)).count() == 1;
        let last = pairs.last();
        last.is_some_and(|(last, _)| is_single(key) && is_single(&Sought::of(last)))
    }

    /// Keeps the pairs for which `keep` returns `true`. Takes O(n), however many are removed.
    pub fn retain(&mut self, mut keep: impl FnMut(&Variant, &mut Variant) -> bool) {
        self.changed().retain_mut(|(key, value)| keep(key, value));
    }

    /// Removes all pairs.
    pub fn clear(&mut self) {
        self.changed().clear();
    }

    /// Returns the pairs for any change, and drops the table of keys.
    fn changed(&mut self) -> &mut Vec<(Variant, Variant)> {
        if let DictionaryRepr::Odd(odd) = &mut self.0 {
            odd.places.take();
        }
        self.pairs_mut()
    }

    /// Returns the entry of a key, through which a value can be inserted or changed.
    pub fn entry(&mut self, key: impl Into<Variant>) -> Entry<'_> {
        Entry::new(self, key.into())
    }

    /// Iterates over keys and values in insertion order.
    pub fn iter(
        &self,
    ) -> impl DoubleEndedIterator<Item = (&Variant, &Variant)> + ExactSizeIterator + Clone {
        self.as_pairs().iter().map(|(key, value)| (key, value))
    }

    /// Iterates over keys and mutable values in insertion order.
    pub fn iter_mut(
        &mut self,
    ) -> impl DoubleEndedIterator<Item = (&Variant, &mut Variant)> + ExactSizeIterator {
        self.pairs_mut()
            .iter_mut()
            .map(|(key, value)| (&*key, value))
    }

    /// Iterates over the keys in insertion order.
    pub fn keys(&self) -> impl DoubleEndedIterator<Item = &Variant> + ExactSizeIterator + Clone {
        self.as_pairs().iter().map(|(key, _)| key)
    }

    /// Iterates over the values in insertion order.
    pub fn values(&self) -> impl DoubleEndedIterator<Item = &Variant> + ExactSizeIterator + Clone {
        self.as_pairs().iter().map(|(_, value)| value)
    }

    /// Iterates over mutable values in insertion order.
    pub fn values_mut(
        &mut self,
    ) -> impl DoubleEndedIterator<Item = &mut Variant> + ExactSizeIterator {
        self.pairs_mut().iter_mut().map(|(_, value)| value)
    }

    /// Returns `true` if the Dictionary is untyped and not shared.
    pub(crate) fn is_plain(&self) -> bool {
        match &self.0 {
            DictionaryRepr::Plain(_) => true,
            DictionaryRepr::Odd(odd) => {
                let untyped = OwnedElementType::Untyped;
                odd.key == untyped && odd.value == untyped && !odd.shared
            }
        }
    }

    /// Returns the key type that the header declares.
    #[must_use]
    pub fn key_type(&self) -> &OwnedElementType {
        match &self.0 {
            DictionaryRepr::Plain(_) => &OwnedElementType::Untyped,
            DictionaryRepr::Odd(odd) => &odd.key,
        }
    }

    /// Returns the value type that the header declares.
    #[must_use]
    pub fn value_type(&self) -> &OwnedElementType {
        match &self.0 {
            DictionaryRepr::Plain(_) => &OwnedElementType::Untyped,
            DictionaryRepr::Odd(odd) => &odd.value,
        }
    }

    /// Returns this Dictionary with types of keys and values. The pairs are checked when they are
    /// written, not here.
    #[must_use]
    pub fn with_types(mut self, key: OwnedElementType, value: OwnedElementType) -> Dictionary {
        if (&key, &value) != (self.key_type(), self.value_type()) {
            let odd = self.odd();
            (odd.key, odd.value) = (key, value);
        }
        self
    }

    /// Returns `true` if Godot 2 marked this Dictionary as shared ([`docs/FORMAT.md` §4.1]).
    ///
    /// [`docs/FORMAT.md` §4.1]: https://github.com/gdvar/gdvar/blob/main/docs/FORMAT.md#41-array
    #[must_use]
    pub fn is_shared(&self) -> bool {
        match &self.0 {
            DictionaryRepr::Plain(_) => false,
            DictionaryRepr::Odd(odd) => odd.shared,
        }
    }

    /// Returns this Dictionary with or without the shared mark.
    #[must_use]
    pub fn with_shared(mut self, shared: bool) -> Dictionary {
        if shared != self.is_shared() {
            self.odd().shared = shared;
        }
        self
    }

    fn odd(&mut self) -> &mut Odd {
        if let DictionaryRepr::Plain(pairs) = &mut self.0 {
            let pairs = std::mem::take(pairs);
            self.0 = DictionaryRepr::Odd(Box::new(Odd {
                pairs,
                ..Odd::default()
            }));
        }
        match &mut self.0 {
            DictionaryRepr::Odd(odd) => odd,
            DictionaryRepr::Plain(_) => unreachable!("it was made one above"),
        }
    }
}

impl PartialEq for Dictionary {
    /// Equal if the types, the pairs, their order and the shared mark are equal.
    fn eq(&self, other: &Dictionary) -> bool {
        self.as_pairs() == other.as_pairs()
            && self.key_type() == other.key_type()
            && self.value_type() == other.value_type()
            && self.is_shared() == other.is_shared()
    }
}

impl Eq for Dictionary {}

impl Hash for Dictionary {
    fn hash<H: std::hash::Hasher>(&self, state: &mut H) {
        self.as_pairs().hash(state);
    }
}

impl fmt::Debug for Dictionary {
    fn fmt(&self, f: &mut fmt::Formatter<'_>) -> fmt::Result {
        let untyped = &OwnedElementType::Untyped;
        if (self.key_type(), self.value_type()) != (untyped, untyped) {
            write!(f, "[{:?}, {:?}] ", self.key_type(), self.value_type())?;
        }
        if self.is_shared() {
            f.write_str("shared ")?;
        }
        f.debug_map().entries(self.iter()).finish()
    }
}

impl<K: DictionaryKey + ?Sized> std::ops::Index<&K> for Dictionary {
    type Output = Variant;

    /// Returns the value under a key, or null if the key is missing.
    fn index(&self, key: &K) -> &Variant {
        self.get(key).unwrap_or(&Variant::Nil)
    }
}

impl<K: Into<Variant>, V: Into<Variant>> FromIterator<(K, V)> for Dictionary {
    /// If a key is repeated, keeps the last value.
    fn from_iter<I: IntoIterator<Item = (K, V)>>(pairs: I) -> Dictionary {
        let mut made = Dictionary::new();
        made.extend(pairs);
        made
    }
}

impl<K: Into<Variant>, V: Into<Variant>> Extend<(K, V)> for Dictionary {
    fn extend<I: IntoIterator<Item = (K, V)>>(&mut self, pairs: I) {
        for (key, value) in pairs {
            self.insert(key, value);
        }
    }
}

impl IntoIterator for Dictionary {
    type Item = (Variant, Variant);
    type IntoIter = vec::IntoIter<(Variant, Variant)>;

    fn into_iter(self) -> Self::IntoIter {
        self.into_pairs().into_iter()
    }
}

impl<'a> IntoIterator for &'a Dictionary {
    type Item = (&'a Variant, &'a Variant);
    type IntoIter = std::iter::Map<
        slice::Iter<'a, (Variant, Variant)>,
        fn(&'a (Variant, Variant)) -> (&'a Variant, &'a Variant),
    >;

    fn into_iter(self) -> Self::IntoIter {
        self.as_pairs().iter().map(|(key, value)| (key, value))
    }
}
