//! [`Dictionary`]: pairs in insertion order, looked up by key.

mod entry;
mod key;
mod places;

use std::{fmt, hash::Hash, slice, sync::OnceLock, vec};

pub use self::{entry::Entry, key::DictionaryKey};
use self::{key::Sought, places::Places};
use crate::{OwnedElementType, Variant};

/// Up to so many pairs are looked through; beyond, there is a table of their keys.
const FEW: usize = 16;

/// A `Dictionary`: pairs in the engine's insertion order.
///
/// A key is looked up in O(1) once there are more than 16 pairs: the first look-up makes a table, 20 bytes
/// a pair, which is kept up to date. A text finds a String and a StringName alike, as in the engine.
///
/// A key that stands twice in odd input is kept; [`Dictionary::get`] finds the last, as the engines do,
/// and [`Dictionary::remove`] takes out all of them.
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
pub struct Dictionary(Form);

#[derive(Clone)]
enum Form {
    /// Untyped, and few pairs.
    Plain(Vec<(Variant, Variant)>),
    Odd(Box<Odd>),
}

/// A dictionary that is more than its pairs, or many of them.
#[derive(Clone, Default)]
struct Odd {
    pairs: Vec<(Variant, Variant)>,
    key: OwnedElementType,
    value: OwnedElementType,
    shared: bool,
    /// Made when a key is looked up, dropped when the pairs change in other ways than one by one.
    places: OnceLock<Places>,
}

const _: () = assert!(size_of::<Dictionary>() <= 24);

impl Default for Form {
    fn default() -> Form {
        Form::Plain(Vec::new())
    }
}

impl Dictionary {
    /// An empty one.
    #[must_use]
    pub const fn new() -> Dictionary {
        Dictionary(Form::Plain(Vec::new()))
    }

    /// An empty one with room.
    #[must_use]
    pub fn with_capacity(capacity: usize) -> Dictionary {
        Dictionary(Form::Plain(Vec::with_capacity(capacity)))
    }

    /// Makes it of pairs as they stand: a key that stands twice stays twice.
    #[must_use]
    pub fn from_pairs(pairs: Vec<(Variant, Variant)>) -> Dictionary {
        Dictionary(Form::Plain(pairs)).settled()
    }

    /// With a place for the table of keys, if there are many pairs.
    #[inline]
    pub(crate) fn settled(mut self) -> Dictionary {
        if self.len() > FEW {
            self.odd();
        }
        self
    }

    /// All pairs in their order.
    #[must_use]
    pub fn as_pairs(&self) -> &[(Variant, Variant)] {
        match &self.0 {
            Form::Plain(pairs) => pairs,
            Form::Odd(odd) => &odd.pairs,
        }
    }

    /// All pairs in their order.
    #[must_use]
    pub fn into_pairs(self) -> Vec<(Variant, Variant)> {
        match self.0 {
            Form::Plain(pairs) => pairs,
            Form::Odd(odd) => odd.pairs,
        }
    }

    /// The pairs, whose number and keys stay the same once a key was looked up. Whoever adds some beyond
    /// [`FEW`] has it [settled](Dictionary::settled) afterwards.
    pub(crate) fn pairs_mut(&mut self) -> &mut Vec<(Variant, Variant)> {
        match &mut self.0 {
            Form::Plain(pairs) => pairs,
            Form::Odd(odd) => &mut odd.pairs,
        }
    }

    /// The number of pairs.
    #[must_use]
    pub fn len(&self) -> usize {
        self.as_pairs().len()
    }

    /// Returns `true` if there are none.
    #[must_use]
    pub fn is_empty(&self) -> bool {
        self.as_pairs().is_empty()
    }

    /// The place of the last pair of that key.
    fn find(&self, key: &Sought<'_>) -> Option<usize> {
        match &self.0 {
            Form::Odd(odd) if odd.pairs.len() > FEW => {
                let places = odd.places.get_or_init(|| Places::of(&odd.pairs));
                places.find(key, &odd.pairs)
            }
            _ => {
                let pairs = self.as_pairs();
                pairs.iter().rposition(|(own, _)| key.is(own))
            }
        }
    }

    /// The value under a key: a text, an int, a vector of ints or any [`Variant`].
    #[must_use]
    pub fn get<K: DictionaryKey + ?Sized>(&self, key: &K) -> Option<&Variant> {
        let place = self.find(&key.sought())?;
        self.as_pairs().get(place).map(|(_, value)| value)
    }

    /// The value of a key, to change it.
    pub fn get_mut<K: DictionaryKey + ?Sized>(&mut self, key: &K) -> Option<&mut Variant> {
        let place = self.find(&key.sought())?;
        self.pairs_mut().get_mut(place).map(|(_, value)| value)
    }

    /// Returns `true` if there is that key.
    #[must_use]
    pub fn contains_key<K: DictionaryKey + ?Sized>(&self, key: &K) -> bool {
        self.find(&key.sought()).is_some()
    }

    /// Puts a value under a key; one that was there is replaced, under its old key and at its old place,
    /// and returned.
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

    /// Puts a pair behind the others, without a look at their keys.
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

    /// Takes a key out and returns its value; the others keep their order. O(n).
    pub fn remove<K: DictionaryKey + ?Sized>(&mut self, key: &K) -> Option<Variant> {
        let key = key.sought();
        let (_, value) = self.remove_at(self.find(&key)?, &key);
        // One that stands there twice.
        while let Some(place) = self.find(&key) {
            self.remove_at(place, &key);
        }
        Some(value)
    }

    fn remove_at(&mut self, place: usize, key: &Sought<'_>) -> (Variant, Variant) {
        match &mut self.0 {
            Form::Plain(pairs) => pairs.remove(place),
            Form::Odd(odd) => {
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

    /// Keeps the pairs for which it is true.
    pub fn retain(&mut self, mut keep: impl FnMut(&Variant, &mut Variant) -> bool) {
        self.changed().retain_mut(|(key, value)| keep(key, value));
    }

    /// Takes out all pairs.
    pub fn clear(&mut self) {
        self.changed().clear();
    }

    /// The pairs, whose keys may change.
    fn changed(&mut self) -> &mut Vec<(Variant, Variant)> {
        if let Form::Odd(odd) = &mut self.0 {
            odd.places.take();
        }
        self.pairs_mut()
    }

    /// The place of a key, to put a value there or change the one that is there.
    pub fn entry(&mut self, key: impl Into<Variant>) -> Entry<'_> {
        Entry::new(self, key.into())
    }

    /// Keys and values in their order.
    pub fn iter(
        &self,
    ) -> impl DoubleEndedIterator<Item = (&Variant, &Variant)> + ExactSizeIterator + Clone {
        self.as_pairs().iter().map(|(key, value)| (key, value))
    }

    /// The pairs, with values that can be changed.
    pub fn iter_mut(
        &mut self,
    ) -> impl DoubleEndedIterator<Item = (&Variant, &mut Variant)> + ExactSizeIterator {
        self.pairs_mut()
            .iter_mut()
            .map(|(key, value)| (&*key, value))
    }

    /// The keys in their order.
    pub fn keys(&self) -> impl DoubleEndedIterator<Item = &Variant> + ExactSizeIterator + Clone {
        self.as_pairs().iter().map(|(key, _)| key)
    }

    /// The values in their order.
    pub fn values(&self) -> impl DoubleEndedIterator<Item = &Variant> + ExactSizeIterator + Clone {
        self.as_pairs().iter().map(|(_, value)| value)
    }

    /// The values in their order, to change them.
    pub fn values_mut(
        &mut self,
    ) -> impl DoubleEndedIterator<Item = &mut Variant> + ExactSizeIterator {
        self.pairs_mut().iter_mut().map(|(_, value)| value)
    }

    /// Returns `true` if it is untyped and not shared, for certain.
    pub(crate) fn is_plain(&self) -> bool {
        match &self.0 {
            Form::Plain(_) => true,
            Form::Odd(odd) => {
                let untyped = OwnedElementType::Untyped;
                odd.key == untyped && odd.value == untyped && !odd.shared
            }
        }
    }

    /// The type that the header gives to the keys.
    #[must_use]
    pub fn key_type(&self) -> &OwnedElementType {
        match &self.0 {
            Form::Plain(_) => &OwnedElementType::Untyped,
            Form::Odd(odd) => &odd.key,
        }
    }

    /// The type that the header gives to the values.
    #[must_use]
    pub fn value_type(&self) -> &OwnedElementType {
        match &self.0 {
            Form::Plain(_) => &OwnedElementType::Untyped,
            Form::Odd(odd) => &odd.value,
        }
    }

    /// This Dictionary with types of keys and values. The pairs are compared with them when they are written,
    /// not here.
    #[must_use]
    pub fn with_types(mut self, key: OwnedElementType, value: OwnedElementType) -> Dictionary {
        if (&key, &value) != (self.key_type(), self.value_type()) {
            let odd = self.odd();
            (odd.key, odd.value) = (key, value);
        }
        self
    }

    /// Returns `true` if Godot 2 wrote it as shared (`docs/FORMAT.md` §4.1).
    #[must_use]
    pub fn is_shared(&self) -> bool {
        match &self.0 {
            Form::Plain(_) => false,
            Form::Odd(odd) => odd.shared,
        }
    }

    /// This Dictionary, shared or not.
    #[must_use]
    pub fn with_shared(mut self, shared: bool) -> Dictionary {
        if shared != self.is_shared() {
            self.odd().shared = shared;
        }
        self
    }

    fn odd(&mut self) -> &mut Odd {
        if let Form::Plain(pairs) = &mut self.0 {
            let pairs = std::mem::take(pairs);
            self.0 = Form::Odd(Box::new(Odd {
                pairs,
                ..Odd::default()
            }));
        }
        match &mut self.0 {
            Form::Odd(odd) => odd,
            Form::Plain(_) => unreachable!("it was made one above"),
        }
    }
}

impl PartialEq for Dictionary {
    /// Equal pairs in equal order, of equal types.
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

    /// The value under a key, and null if there is none.
    fn index(&self, key: &K) -> &Variant {
        self.get(key).unwrap_or(&Variant::Nil)
    }
}

impl<K: Into<Variant>, V: Into<Variant>> FromIterator<(K, V)> for Dictionary {
    /// If a key stands twice, the last value is kept.
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
