//! [`Key`]: the name of a field, prepared for comparing.

use gdvar_wire::pad4;

use crate::bytes::{common, text::engine_text};

/// Most fields, key and value together, have at most this many bytes.
const FIELD_BYTES: usize = 32;

/// Returns the greatest number of bytes that [`Key::strip`] checks at once for a record of `fields` fields,
/// plus the 8 bytes of a Dictionary's header and count.
pub(super) const fn checked_bytes(fields: usize) -> usize {
    let all = FIELD_BYTES * fields;
    8 + if all < 2 * FIELD_BYTES {
        2 * FIELD_BYTES
    } else {
        all
    }
}

/// The name of a field of a [`Record`](crate::Record), prepared at compile time so that comparing is fast.
///
/// [`Key::all`] makes the keys of a record together. They form a hash table, so finding a key takes one or
/// two comparisons, whatever the number of fields.
#[derive(Clone, Copy, Debug)]
pub struct Key {
    name: &'static str,
    /// The bytes of the key as a String: header, length, text and padding, which engines write as zeros. For a
    /// longer String, the first 32 bytes.
    bytes: [u64; 4],
    /// The number of those bytes; 0 if the String has more than 32.
    size: u8,
    /// The number of keys in the table.
    table_len: u16,
    /// The factor of the table's hash.
    factor: u64,
    /// The array of keys is also the hash table: `first` of `keys[n]` belongs to the hash `n`, not to that key.
    /// `first` is one more than the index of the first key with hash `n`, or 0 if no key has this hash.
    first: u16,
    /// One more than the index of the next key with the same hash as this one; 0 if there is none.
    next: u16,
}

impl Key {
    /// Creates the keys with these names, for [`Record::KEYS`](crate::Record::KEYS).
    ///
    /// # Panics
    /// Panics if a name contains a NUL or starts with a byte order mark (no engine reads text with either), if
    /// two names are equal, or if there are more than 65 534 names. In a `const` such as `KEYS` this is an
    /// error at compile time.
    #[must_use]
    pub const fn all<const N: usize>(names: [&'static str; N]) -> [Key; N] {
        assert!(N < u16::MAX as usize, "too many keys");
        let mut keys = [Key::new(""); N];
        let mut n = 0;
        while n < N {
            keys[n] = Key::new(names[n]);
            keys[n].table_len = N as u16;
            n += 1;
        }
        let factor = best_factor(&keys);
        while n > 0 {
            n -= 1;
            keys[n].factor = factor;
            let hash = hash(names[n].len(), keys[n].prefix(), N, factor);
            let mut other = keys[hash].first;
            keys[n].next = other;
            keys[hash].first = n as u16 + 1;
            while other > 0 {
                let same = is_same(names[n].as_bytes(), names[other as usize - 1].as_bytes());
                assert!(!same, "a key is there twice");
                other = keys[other as usize - 1].next;
            }
        }
        keys
    }

    pub(super) const fn new(text: &'static str) -> Key {
        let name = text.as_bytes();
        let has_mark = name.len() >= 3 && name[0] == 0xef && name[1] == 0xbb && name[2] == 0xbf;
        assert!(!has_mark, "a key begins with a byte order mark");
        let size = 8 + pad4(name.len());
        let mut key = Key {
            name: text,
            bytes: [0; 4],
            size: if size <= 32 { size as u8 } else { 0 },
            table_len: 0,
            factor: 0,
            first: 0,
            next: 0,
        };
        key.bytes[0] = common::STRING as u64 | (name.len() as u64) << 32;
        let mut at = 0;
        while at < name.len() {
            assert!(name[at] != 0, "a key has a NUL");
            if at < 24 {
                let (word, shift) = (1 + at / 8, 8 * (at % 8));
                key.bytes[word] |= (name[at] as u64) << shift;
            }
            at += 1;
        }
        key
    }

    /// The name of the field.
    #[must_use]
    pub const fn name(&self) -> &'static str {
        self.name
    }

    /// The first eight bytes of the name, or all of it and zeros.
    const fn prefix(&self) -> u64 {
        self.bytes[1]
    }

    /// True if `text`, with the prefix `prefix`, is the name.
    #[inline(always)]
    fn is(&self, text: &[u8], prefix: u64) -> bool {
        let name = self.name.as_bytes();
        text.len() == name.len()
            && prefix == self.prefix()
            && (text.len() <= 8 || text.get(8..) == name.get(8..))
    }

    /// If `rest` starts with this key, returns the header of the value after it and the bytes from that
    /// header on. `None` for a key of more than 32 bytes, and for a value whose header is not `expected`.
    ///
    /// `name_bits` has the bits in which the header of a StringName differs from the header of a String, or is
    /// 0 if a StringName is a different key.
    // Bounds checks are a large part of the cost. Without `END` the first key checks that all remaining
    // `fields` are there, 32 bytes for each, and the compiler drops the checks of the following keys. Close
    // to the `END` of the buffer that would fail, so only this key and a header are checked.
    #[inline(always)]
    pub(super) fn strip<'a, const END: bool>(
        &self,
        rest: &'a [u8],
        name_bits: u64,
        expected: Option<u32>,
        fields: usize,
    ) -> Option<(u32, &'a [u8])> {
        let size = usize::from(self.size);
        let checked = if END {
            size + 4
        } else {
            (size + 4).max(FIELD_BYTES * fields)
        };
        let block = rest.get(..checked).filter(|_| size > 0)?;
        let header = u32::from_le_bytes(*block.get(size..)?.first_chunk()?);
        for (start, bytes) in (0..).step_by(8).zip(&self.bytes) {
            let left = size.saturating_sub(start);
            if left >= 8 {
                let other = u64::from_le_bytes(*block.get(start..)?.first_chunk()?) ^ bytes;
                if other != 0 && (start > 0 || other != name_bits) {
                    return None;
                }
            } else if let (4, Some(expected)) = (left, expected) {
                // The last four bytes of the key and the value's header in one comparison.
                let bytes = bytes | u64::from(expected) << 32;
                if u64::from_le_bytes(*block.get(start..)?.first_chunk()?) != bytes {
                    return None;
                }
            } else if left == 4 {
                let word = u32::from_le_bytes(*block.get(start..)?.first_chunk()?);
                if u64::from(word) != *bytes {
                    return None;
                }
            }
        }
        if expected.is_some_and(|expected| size % 8 == 0 && header != expected) {
            return None;
        }
        Some((header, rest.get(size..)?))
    }
}

/// The index of the key that equals the first `len` bytes of `from`, or equals them as the engine reads them
/// ([`find_as_engine`]). More bytes may follow them.
#[inline(always)]
pub(super) fn find(keys: &[Key], from: &[u8], len: usize) -> Option<usize> {
    let text = from.get(..len)?;
    let prefix = prefix(from, len);
    let first = keys.first()?;
    let found = if usize::from(first.table_len) == keys.len() {
        let mut n = keys.get(hash(len, prefix, keys.len(), first.factor))?.first;
        loop {
            let at = usize::from(n).checked_sub(1);
            match at.and_then(|at| keys.get(at)) {
                Some(key) if key.is(text, prefix) => break at,
                Some(key) => n = key.next,
                None => break None,
            }
        }
    } else {
        // `keys` is only a part of the table here, so the table's indices do not apply.
        keys.iter().position(|key| key.is(text, prefix))
    };
    found.or_else(|| find_as_engine(keys, text))
}

/// The index of the key that equals `raw` as the engine reads it: without a byte order mark, up to a
/// NUL.
#[cold]
#[inline(never)]
fn find_as_engine(keys: &[Key], raw: &[u8]) -> Option<usize> {
    let text = engine_text(raw);
    if text.len() == raw.len() {
        return None;
    }
    let prefix = prefix(text, text.len());
    keys.iter().position(|key| key.is(text, prefix))
}

/// The first eight bytes of the text of `len` bytes at the start of `from`; zeros follow a shorter text.
#[inline(always)]
fn prefix(from: &[u8], len: usize) -> u64 {
    let word = match from.first_chunk() {
        Some(word) => u64::from_le_bytes(*word),
        None => {
            let bytes = from.iter().rev();
            bytes.fold(0, |word, byte| word << 8 | u64::from(*byte))
        }
    };
    /// For each length of a text from 0 to 7 bytes, and for 8 or more: a mask of the bytes of `word` that
    /// belong to it.
    const MASKS: [u64; 9] = [
        0,
        0xff,
        0xffff,
        0xff_ffff,
        0xffff_ffff,
        0xff_ffff_ffff,
        0xffff_ffff_ffff,
        0xff_ffff_ffff_ffff,
        u64::MAX,
    ];
    word & MASKS[if len < 8 { len } else { 8 }]
}

/// A hash below `below` for a text with this length and prefix.
#[inline(always)]
const fn hash(len: usize, prefix: u64, below: usize, factor: u64) -> usize {
    let mixed = (prefix ^ (len as u64) << 56).wrapping_mul(factor);
    ((mixed >> 48) as usize * below) >> 16
}

/// Tries some factors, and returns the one with the fewest collisions. Then the first key of a chain is
/// nearly always the right one, and the branch is predicted.
const fn best_factor<const N: usize>(keys: &[Key; N]) -> u64 {
    let mut factor = 0x9e37_79b9_7f4a_7c15_u64;
    let (mut best, mut fewest) = (factor, N);
    let mut tries = if N <= 64 { 64 } else { 1 };
    while tries > 0 && fewest > 0 {
        tries -= 1;
        let (mut taken, mut n, mut collisions) = ([false; N], 0, 0);
        while n < N {
            let hash = hash(keys[n].name.len(), keys[n].prefix(), N, factor);
            collisions += taken[hash] as usize;
            taken[hash] = true;
            n += 1;
        }
        if collisions < fewest {
            (best, fewest) = (factor, collisions);
        }
        factor = factor.wrapping_mul(0x5851_f42d_4c95_7f2d) | 1;
    }
    best
}

const fn is_same(a: &[u8], b: &[u8]) -> bool {
    if a.len() != b.len() {
        return false;
    }
    let mut n = 0;
    while n < a.len() {
        if a[n] != b[n] {
            return false;
        }
        n += 1;
    }
    true
}
