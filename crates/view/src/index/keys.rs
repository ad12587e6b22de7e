//! Keys in the order of their hashes, so that one is found in a few steps.
//!
//! ```text
//! starts   for each 1/2ᵇ of all hashes, where its keys begin      one load
//! keys     (hash, number of the pair), sorted; about four in each     a few comparisons of 12 bytes side by side
//! ```
//!
//! Strangers choose the keys. Keys that share the first bits of their hashes only make one part longer, in which
//! halving finds the hash all the same; keys that share all 64 bits are compared one by one, and nobody makes many of
//! those: an int is its own hash, all others have SipHash.

use alloc::vec::Vec;
#[allow(deprecated, reason = "core has no other hasher, and std may be absent")]
use core::hash::{Hasher, SipHasher};
use core::ops::Range;

use super::indexed::{Indexed, foreign};
use crate::{
    error::Error,
    value::variant::VariantRef,
    walk::keys::{digest::Digests, sort_key::SortKey},
};

/// The keys of all large dictionaries in the order of their hashes; of equal ones in their own.
#[derive(Clone, PartialEq, Eq)]
pub(super) struct SortedKeys {
    /// For each entry of the index where its part of `keys` and `starts` ends; each begins where that of
    /// the entry before it ends. Only dictionaries have any.
    ends: Vec<End>,
    keys: Vec<Key>,
    /// For each part of the hashes where it begins, counted from the first key of the dictionary.
    starts: Vec<u32>,
}

#[derive(Clone, Copy, PartialEq, Eq, Default)]
struct End {
    keys: u32,
    starts: u32,
}

/// A key by its hash, whose halves take no padding, and the number of its pair.
#[derive(Clone, Copy, PartialEq, Eq, PartialOrd, Ord)]
struct Key {
    hash: [u32; 2],
    pair: u32,
}

/// The hash of a key, in two halves.
#[allow(deprecated, reason = "core has no other hasher, and std may be absent")]
pub(super) fn hash(key: SortKey<'_>) -> [u32; 2] {
    let hash = match key {
        SortKey::Text(text) => {
            let mut hasher = SipHasher::new();
            hasher.write(text);
            hasher.finish()
        }
        // Different ints have different ones.
        SortKey::Int(int) => (int as u64).wrapping_mul(0x9e37_79b9_7f4a_7c15),
        SortKey::Hash(hash) => hash,
    };
    [(hash >> 32) as u32, hash as u32]
}

/// The logarithm of the number of parts that so many keys are divided into: of four keys, or a few more.
const fn parts(keys: usize) -> u32 {
    match (keys / 4).checked_ilog2() {
        Some(log) if log < 31 => log,
        Some(_) => 31,
        None => 0,
    }
}

/// The part of a hash.
#[inline]
fn part(hash: [u32; 2], parts: u32) -> usize {
    (u64::from(hash[0]) >> (32 - parts)) as usize
}

impl SortedKeys {
    /// Sorts the keys of all dictionaries below an outermost value.
    pub(super) fn new(root: Indexed<'_, VariantRef<'_>>) -> Result<SortedKeys, Error> {
        let (index, document) = (root.index, *root);
        let mut sorted = SortedKeys {
            ends: Vec::with_capacity(index.entries.len()),
            keys: Vec::new(),
            starts: Vec::new(),
        };
        // Made when a key is a container: most documents have none.
        let mut digests = None;
        for (number, entry) in index.entries.iter().enumerate() {
            // Its depth is not known and needed for nothing.
            let (bytes, options) = (document.bytes(), document.options());
            let at = index.offset(entry.at);
            let (value, _) = VariantRef::new(bytes, at, options, 0)?;
            if let Some(dict) = value.as_dict() {
                let first = sorted.keys.len();
                for pair in 0..dict.len() {
                    let key = index.key(value, number as u32, 2 * pair)?;
                    let known = match &mut digests {
                        None if key.has_children() => digests.insert(Digests::of_all_in(document)),
                        None => &mut Digests::default(),
                        Some(known) => known,
                    };
                    let key = SortKey::by(key, options.dialect(), known);
                    let (hash, pair) = (hash(key), pair as u32);
                    sorted.keys.push(Key { hash, pair });
                }
                sorted.divide(first);
            }
            let len = |len| u32::try_from(len).map_err(|_| foreign(document));
            sorted.ends.push(End {
                keys: len(sorted.keys.len())?,
                starts: len(sorted.starts.len())?,
            });
        }
        sorted.keys.shrink_to_fit();
        sorted.starts.shrink_to_fit();
        Ok(sorted)
    }

    /// Sorts the keys of one dictionary, from `first` on, and notes where each part begins.
    fn divide(&mut self, first: usize) {
        let own = self.keys.get_mut(first..).unwrap_or_default();
        own.sort_unstable();
        let parts = parts(own.len());
        let mut next = 0;
        for (n, key) in (0..).zip(&*own) {
            while next <= part(key.hash, parts) {
                self.starts.push(n);
                next += 1;
            }
        }
        let count = own.len() as u32;
        self.starts
            .resize(self.starts.len() + (1 << parts) - next, count);
    }

    /// The pairs of one entry whose keys have that hash, the last first.
    #[inline]
    pub(super) fn pairs(&self, entry: u32, hash: [u32; 2]) -> impl Iterator<Item = u32> + '_ {
        let own = self.own(entry, hash).unwrap_or_default();
        let behind = own.partition_point(|key| key.hash <= hash);
        let alike = own.get(..behind).unwrap_or_default();
        let alike = alike.iter().rev().take_while(move |key| key.hash == hash);
        alike.map(|key| key.pair)
    }

    /// The part of one entry's keys in which a hash is.
    #[inline]
    fn own(&self, entry: u32, hash: [u32; 2]) -> Option<&[Key]> {
        let entry = entry as usize;
        let before = match entry.checked_sub(1) {
            Some(before) => *self.ends.get(before)?,
            None => End::default(),
        };
        let end = *self.ends.get(entry)?;
        let keys = self.keys.get(range(before.keys, end.keys))?;
        let starts = self.starts.get(range(before.starts, end.starts))?;
        let part = part(hash, starts.len().checked_ilog2()?);
        let start = *starts.get(part)? as usize;
        let end = starts.get(part + 1).map_or(keys.len(), |end| *end as usize);
        keys.get(start..end)
    }

    pub(super) fn size(&self) -> usize {
        size_of_val(self.ends.as_slice())
            + size_of_val(self.keys.as_slice())
            + size_of_val(self.starts.as_slice())
    }
}

fn range(start: u32, end: u32) -> Range<usize> {
    start as usize..end as usize
}

#[cfg(test)]
mod tests {
    use alloc::vec::Vec;

    use super::{End, Key, SortedKeys};

    /// Keys of one dictionary by their hashes, in the order of the pairs.
    fn sorted(hashes: &[u64]) -> SortedKeys {
        let keys = (0..).zip(hashes).map(|(pair, hash)| Key {
            hash: [(hash >> 32) as u32, *hash as u32],
            pair,
        });
        let mut sorted = SortedKeys {
            ends: Vec::new(),
            keys: keys.collect(),
            starts: Vec::new(),
        };
        sorted.divide(0);
        sorted.ends.push(End {
            keys: sorted.keys.len() as u32,
            starts: sorted.starts.len() as u32,
        });
        sorted
    }

    /// Evenly spread, all in one part, all equal, at both ends; of none, one and many.
    #[test]
    fn pairs_are_found_by_their_hashes() {
        let spread = |n: u64| n.wrapping_mul(0x9e37_79b9_7f4a_7c15);
        let crowded = |n: u64| n / 2;
        let equal = |_| 7;
        let ends = |n: u64| if n % 2 == 0 { n } else { u64::MAX - n };
        let forms: [fn(u64) -> u64; 4] = [spread, crowded, equal, ends];
        for form in forms {
            for count in [0, 1, 3, 4, 7, 8, 33, 1000] {
                let hashes: Vec<u64> = (0..count).map(form).collect();
                let sorted = sorted(&hashes);
                for sought in hashes.iter().copied().chain([0, 1, 5, u64::MAX, 1 << 63]) {
                    let halves = [(sought >> 32) as u32, sought as u32];
                    let found: Vec<u32> = sorted.pairs(0, halves).collect();
                    let all = (0..).zip(&hashes).filter(|(_, hash)| **hash == sought);
                    let expected: Vec<u32> = all.map(|(pair, _)| pair).collect();
                    assert!(found.iter().rev().eq(&expected), "{count} {sought}");
                }
                assert_eq!(sorted.pairs(1, [0, 0]).count(), 0);
            }
        }
    }
}
