//! L, V and K: large dictionaries that are looked into, by text and by Vector3i, or printed; B: bytes.

use super::{Size, Tree};
use crate::{
    encode,
    model::{Entry, Pair, Value},
    question,
    random::Random,
};

/// Keys to look for, and the sum of what is found.
#[derive(Debug)]
pub(crate) struct Keys<K> {
    /// The keys.
    pub(crate) keys: Vec<K>,
    /// The answer.
    pub(crate) answer: u64,
}

impl<K> Keys<K> {
    /// The sum of what is found; nothing counts as 0.
    #[inline]
    pub(crate) fn sum(&self, find: impl Fn(&K) -> Option<u64>) -> u64 {
        let found = self.keys.iter().map(|key| find(key).unwrap_or(0));
        found.fold(0, u64::wrapping_add)
    }
}

/// L: a leaderboard, a Dictionary of 10 000 or 1 000 000 names to ints; and 1 000 or 100 000 names
/// to look for.
pub(crate) fn leaderboard(size: Size) -> (Tree, Keys<String>) {
    let mut random = Random::new(0x5eed_001e);
    let pairs = scores(size.pick(10_000, 1_000_000), &mut random);
    let sought = (0..size.pick(1_000, 100_000)).map(|_| random.pick(&pairs));
    let sought: Vec<&Pair> = sought.collect();
    let keys = Keys {
        keys: sought.iter().map(|pair| pair.key.clone()).collect(),
        answer: sum(sought.iter().map(|pair| &pair.value)),
    };
    let title = "a leaderboard: a Dictionary of text keys";
    (Tree::new("L", title, Value::Dict(pairs)), keys)
}

/// K: a Dictionary of 5 000 names to ints, as the leaderboard has them.
pub(crate) fn five_thousand_keys() -> Tree {
    let pairs = scores(5_000, &mut Random::new(0x5eed_000c));
    Tree::new("K", "a Dictionary of 5 000 text keys", Value::Dict(pairs))
}

/// B: a PackedByteArray of a megabyte.
pub(crate) fn megabyte() -> Tree {
    let mut random = Random::new(0x5eed_000b);
    let bytes = (0..1_000_000).map(|_| random.bits() as u8).collect();
    Tree::new("B", "a megabyte of bytes", Value::Bytes(bytes))
}

fn scores(count: usize, random: &mut Random) -> Vec<Pair> {
    let pairs = (0..count).map(|place| {
        let chars = random.between(3, 14) as usize;
        // With a number, so that each is there once.
        let key = format!("{}#{place}", random.text(chars, false));
        let value = Value::Int(random.between(0, 1 << 30));
        Pair { key, value }
    });
    pairs.collect()
}

/// V: a world of voxels, a Dictionary of 13 500 or 27 000 Vector3i to bytes, 64 or 7 740 each; and
/// 1 000 keys to look for, as bytes.
pub(crate) fn voxels(size: Size) -> (Tree, Keys<Vec<u8>>) {
    let mut random = Random::new(0x5eed_0070);
    let (layers, len) = size.pick((15, 64), (30, 7_740));
    let mut entries = Vec::new();
    for n in 0..layers * 900 {
        let at = [n % 30, n / 900, n / 30 % 30].map(|n| n - 15);
        let bytes = (0..len).map(|_| random.bits() as u8).collect();
        entries.push(Entry {
            key: Value::Vector3i(at),
            value: Value::Bytes(bytes),
        });
    }
    // A world grows as it is walked in.
    for n in (1..entries.len()).rev() {
        entries.swap(n, random.below(n + 1));
    }
    let sought: Vec<&Entry> = (0..1_000).map(|_| random.pick(&entries)).collect();
    let keys = Keys {
        keys: sought
            .iter()
            .map(|entry| encode::bytes(&entry.key))
            .collect(),
        answer: sum(sought.iter().map(|entry| &entry.value)),
    };
    let title = "a world of voxels: a Dictionary of Vector3i to PackedByteArray";
    (Tree::new("V", title, Value::Map(entries)), keys)
}

fn sum<'v>(values: impl Iterator<Item = &'v Value>) -> u64 {
    values.map(question::answer).fold(0, u64::wrapping_add)
}
