//! The keys of all large dictionaries in the order of their hashes, so that a key is found in a few steps.
//!
//! ```text
//! starts   for each 1/2ᵇ of all hashes, where its keys begin       one load
//! keys     (hash, slot of the key), sorted; about four in each     a few comparisons
//! ```
//!
//! The keys may be hostile. Keys that share only the first bits of their hashes make one part longer, and a
//! binary search still finds a hash in it. Equal hashes of different dictionaries are told apart by their
//! slots. Keys of one dictionary that share all 64 bits are compared one by one, and nobody can make many of
//! them: each int has a hash of its own, and all other keys have SipHash.

use alloc::vec::Vec;
#[allow(deprecated, reason = "core has no other hasher, and std may be absent")]
use core::hash::{Hasher, SipHasher};

use gdvar_wire::Dialect;

use crate::walk::{keys::sort_key::SortKey, lookup::LookupKey};

/// Dictionaries of at most this many pairs are searched key by key.
pub(super) const FEW_PAIRS: usize = 16;

#[derive(Clone, PartialEq, Eq)]
pub(super) struct SortedKeys {
    keys: Vec<HashedKey>,
    /// For each part of the range of hashes, the index of its first key in `keys`.
    starts: Vec<u32>,
}

/// The hash of a key, in two halves so that there is no padding.
#[derive(Clone, Copy, PartialEq, Eq)]
pub(super) struct HashedKey {
    high: u32,
    low: u32,
    /// The slot of the key.
    slot: u32,
}

impl HashedKey {
    pub(super) const fn new(hash: u64, slot: usize) -> HashedKey {
        HashedKey {
            high: (hash >> 32) as u32,
            low: hash as u32,
            slot: slot as u32,
        }
    }

    #[inline(always)]
    fn hash(self) -> u64 {
        u64::from(self.high) << 32 | u64::from(self.low)
    }

    /// The sort key: the hash, then the slot.
    #[inline(always)]
    fn order(&self) -> (u64, u32) {
        (self.hash(), self.slot)
    }
}

/// The hash of a key in the dictionary of `group`. The group is part of the hash, so that a key that occurs in
/// many dictionaries has a different hash in each.
#[allow(deprecated, reason = "core has no other hasher, and std may be absent")]
pub(super) fn hash(key: SortKey<'_>, group: usize) -> u64 {
    let spread = |word: u64| word.wrapping_mul(0x9e37_79b9_7f4a_7c15);
    let hash = match key {
        SortKey::Text(text) => {
            let mut hasher = SipHasher::new();
            hasher.write(text);
            hasher.finish()
        }
        SortKey::Int(int) => spread(int as u64),
        SortKey::Hash(hash) => hash,
    };
    hash ^ spread(group as u64)
}

/// Hashes a key that is looked for; equal to [`hash`] of the same key in the bytes.
pub(super) fn hash_of(key: LookupKey<'_>, dialect: Dialect, group: usize) -> u64 {
    let key = match key {
        LookupKey::Text(text) => SortKey::Text(text),
        LookupKey::Int(int) => SortKey::Int(int),
        LookupKey::Value(value) => SortKey::of(value, dialect),
    };
    hash(key, group)
}

/// Returns the index of the part that `hash` belongs to, among `1 << parts` parts.
#[inline]
fn part(hash: u64, parts: u32) -> usize {
    // Two shifts, because `parts` may be 0 and a shift by 64 overflows.
    (hash >> 32 >> (32 - parts)) as usize
}

impl SortedKeys {
    /// Sorts keys, and stores where each part of the hashes begins: one part for every four keys.
    pub(super) fn sorted(mut keys: Vec<HashedKey>) -> SortedKeys {
        keys.sort_unstable_by_key(HashedKey::order);
        let parts = (keys.len() / 4).checked_ilog2().unwrap_or(0).min(31);
        let mut starts = Vec::with_capacity(1 << parts);
        for (n, key) in (0..).zip(&keys) {
            while starts.len() <= part(key.hash(), parts) {
                starts.push(n);
            }
        }
        starts.resize(1 << parts, keys.len() as u32);
        SortedKeys { keys, starts }
    }

    /// Returns the keys with the hash `hash` in the dictionary of `group`, which has `children` children: their
    /// indices among the children, the last first.
    #[inline]
    pub(super) fn pairs(
        &self,
        group: usize,
        children: usize,
        hash: u64,
    ) -> impl Iterator<Item = usize> + '_ {
        let (first, end) = (group + 1, (hash, (group + 1 + children) as u32));
        let own = self.part(hash).unwrap_or_default();
        let before = own.partition_point(|key| key.order() < end);
        let same = own.get(..before).unwrap_or_default().iter().rev();
        same.take_while(move |key| key.hash() == hash)
            .map_while(move |key| (key.slot as usize).checked_sub(first))
    }

    /// Returns the keys in the same part as `hash`. A part holds all keys whose hashes begin with the same
    /// log2(`starts.len()`) bits.
    #[inline]
    fn part(&self, hash: u64) -> Option<&[HashedKey]> {
        let part = part(hash, self.starts.len().checked_ilog2()?);
        let start = *self.starts.get(part)? as usize;
        let end = self.starts.get(part + 1);
        let end = end.map_or(self.keys.len(), |end| *end as usize);
        self.keys.get(start..end)
    }

    pub(super) fn size(&self) -> usize {
        size_of_val(self.keys.as_slice()) + size_of_val(self.starts.as_slice())
    }
}

#[cfg(test)]
mod tests {
    use alloc::vec::Vec;

    use super::{HashedKey, SortedKeys};

    /// Two dictionaries whose keys have the same hashes.
    fn sorted(hashes: &[u64]) -> SortedKeys {
        let keys = [5, 5 + 2 * hashes.len()].map(|group| {
            let slots = (group + 1..).step_by(2);
            slots
                .zip(hashes)
                .map(|(slot, hash)| HashedKey::new(*hash, slot))
        });
        SortedKeys::sorted(keys.into_iter().flatten().collect())
    }

    /// Evenly spread, all in one part, all equal, at both ends; of none, one and many.
    #[test]
    fn keys_are_found_by_their_hashes() {
        let spread = |n: u64| n.wrapping_mul(0x9e37_79b9_7f4a_7c15);
        let crowded = |n: u64| n / 2;
        let equal = |_| 7;
        let ends = |n: u64| if n % 2 == 0 { n } else { u64::MAX - n };
        let shapes: [fn(u64) -> u64; 4] = [spread, crowded, equal, ends];
        for shape in shapes {
            for count in [0, 1, 3, 4, 7, 8, 33, 1000] {
                let hashes: Vec<u64> = (0..count).map(shape).collect();
                let (sorted, children) = (sorted(&hashes), 2 * hashes.len());
                for sought in hashes.iter().copied().chain([0, 1, 5, u64::MAX, 1 << 63]) {
                    let all = (0..).step_by(2).zip(&hashes);
                    let expected = all.filter(|(_, hash)| **hash == sought).map(|(n, _)| n);
                    let expected: Vec<usize> = expected.collect();
                    for group in [5, 5 + children] {
                        let mut found: Vec<usize> = sorted.pairs(group, children, sought).collect();
                        found.reverse();
                        assert_eq!(found, expected, "{count} {sought}");
                    }
                }
                assert_eq!(sorted.pairs(0, 4, 0).count(), 0);
            }
        }
    }
}
