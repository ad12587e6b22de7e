//! A hash table from keys to the positions of their pairs.

use std::{
    collections::{
        HashMap,
        hash_map::{Entry, RandomState},
    },
    hash::{BuildHasher, BuildHasherDefault, Hasher},
};

use super::key::Sought;
use crate::Variant;

/// A hasher for numbers that are already hashes. It returns them unchanged.
#[derive(Clone, Copy, Default)]
pub(super) struct Hashed(u64);

impl Hasher for Hashed {
    fn finish(&self) -> u64 {
        self.0
    }

    fn write(&mut self, _: &[u8]) {}

    fn write_u64(&mut self, hash: u64) {
        self.0 = hash;
    }
}

/// Maps each key to the position of its last pair. The map's key is the hash or, if another key has
/// the same hash, one of the next numbers. The hash is seeded with random numbers, so nobody can
/// send keys with equal hashes.
#[derive(Clone, Default)]
pub(super) struct Places {
    state: RandomState,
    places: HashMap<u64, u32, BuildHasherDefault<Hashed>>,
    /// `true` if a key occurs twice.
    repeats: bool,
}

impl Places {
    pub(super) fn of(pairs: &[(Variant, Variant)]) -> Places {
        let mut made = Places::default();
        made.places.reserve(pairs.len());
        for end in 1..=pairs.len() {
            made.pushed(&pairs[..end]);
        }
        made
    }

    /// Records a new pair. Call it after the pair was added at the end of `pairs`.
    pub(super) fn pushed(&mut self, pairs: &[(Variant, Variant)]) {
        let Some(((key, _), before)) = pairs.split_last() else {
            return;
        };
        let key = Sought::of(key);
        let mut hash = self.state.hash_one(&key);
        loop {
            match self.places.entry(hash) {
                Entry::Vacant(free) => {
                    free.insert(before.len() as u32);
                    return;
                }
                Entry::Occupied(mut other) if key.is(&pairs[*other.get() as usize].0) => {
                    other.insert(before.len() as u32);
                    self.repeats = true;
                    return;
                }
                Entry::Occupied(_) => hash = hash.wrapping_add(1),
            }
        }
    }

    pub(super) fn find(&self, key: &Sought<'_>, pairs: &[(Variant, Variant)]) -> Option<usize> {
        let mut hash = self.state.hash_one(key);
        loop {
            let place = *self.places.get(&hash)? as usize;
            if pairs.get(place).is_some_and(|(own, _)| key.is(own)) {
                return Some(place);
            }
            hash = hash.wrapping_add(1);
        }
    }

    /// Forgets the pair at `place`, whose key is `key`. Call it before the pair is removed. Returns
    /// `false` if the table cannot be updated and must be discarded: if keys share a hash or occur
    /// twice, some would no longer be found.
    pub(super) fn remove(&mut self, place: usize, key: &Sought<'_>) -> bool {
        let hash = self.state.hash_one(key);
        let is_alone = !self.places.contains_key(&hash.wrapping_add(1));
        if !is_alone || self.repeats || self.places.get(&hash) != Some(&(place as u32)) {
            return false;
        }
        self.places.remove(&hash);
        // After the last pair is removed, no other position changes.
        if place < self.places.len() {
            for other in self.places.values_mut() {
                *other -= u32::from(*other > place as u32);
            }
        }
        true
    }

    /// Records that the last of `pairs` replaces the pair at `place`, whose key is `key`. Call it
    /// before the pairs change. Returns `false`, and changes nothing, if the table cannot be
    /// updated or a key occurs twice.
    pub(super) fn swap_remove(
        &mut self,
        place: usize,
        key: &Sought<'_>,
        pairs: &[(Variant, Variant)],
    ) -> bool {
        let Some(((last, _), before)) = pairs.split_last() else {
            return false;
        };
        let hash = self.state.hash_one(key);
        let is_alone = !self.places.contains_key(&hash.wrapping_add(1));
        if !is_alone || self.repeats || self.places.get(&hash) != Some(&(place as u32)) {
            return false;
        }
        if place < before.len() {
            let moved = self.places.get_mut(&self.state.hash_one(Sought::of(last)));
            match moved {
                Some(at) if *at as usize == before.len() => *at = place as u32,
                _ => return false,
            }
        }
        self.places.remove(&hash);
        true
    }
}
