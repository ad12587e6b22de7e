//! [`Key`]: the name of a field, made ready for comparing.

use gdvar_wire::pad4;

use crate::bytes::{common, text::engine_text};

/// The number of bytes that most fields take at most, with their names.
const FIELD: usize = 32;

/// The most bytes that [`Key::pass`] looks at, away from the end of the buffer, for so many fields; and a
/// header.
pub(super) const fn room(fields: usize) -> usize {
    let all = FIELD * fields;
    8 + if all < 2 * FIELD { 2 * FIELD } else { all }
}

/// The name of a field, made ready for comparing when the program is compiled.
///
/// The keys of a record are a table too: a text is looked for in the chain of keys that have its hash, so
/// that a key costs one or two comparisons however many fields there are.
#[derive(Clone, Copy, Debug)]
pub struct Key {
    name: &'static str,
    /// The String up to the end of its padding; of a longer one the first 32 bytes.
    bytes: [u64; 4],
    /// The number of those bytes; 0 if it is longer. Padding counts: engines write zeros.
    size: u8,
    /// The number of keys that were made together.
    together: u16,
    /// The factor in the hash of the keys that were made together.
    factor: u64,
    /// One more than the number of the first key with the hash that is this key's own number.
    first: u16,
    /// One more than the number of the next key with the hash of this key.
    next: u16,
}

impl Key {
    /// The keys of these names.
    ///
    /// # Panics
    /// If a name has a NUL or begins with a byte order mark, which no engine reads as text, if a name is
    /// there twice, or if there are more than 65 534: at compile time where it is made for a `const`, as
    /// [`Record::KEYS`](crate::Record::KEYS) is.
    #[must_use]
    pub const fn all<const N: usize>(names: [&'static str; N]) -> [Key; N] {
        assert!(N < u16::MAX as usize, "too many keys");
        let mut keys = [Key::new(""); N];
        let mut n = 0;
        while n < N {
            keys[n] = Key::new(names[n]);
            keys[n].together = N as u16;
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
            together: 0,
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

    /// The name.
    #[must_use]
    pub const fn name(&self) -> &'static str {
        self.name
    }

    /// The first eight bytes of the name.
    const fn prefix(&self) -> u64 {
        self.bytes[1]
    }

    /// True if that is the name. `prefix` is of the text.
    #[inline(always)]
    fn is(&self, text: &[u8], prefix: u64) -> bool {
        let name = self.name.as_bytes();
        text.len() == name.len()
            && prefix == self.prefix()
            && (text.len() <= 8 || text.get(8..) == name.get(8..))
    }

    /// If this key, followed by some bytes, is at the start of `rest`: the header of the value behind it, and
    /// the bytes from there on. `None` for a long key, and for a value whose header is not `expected`, if one
    /// is. Near the `END` of the buffer a value suffices; else one look at the length is to serve as many of the
    /// `fields` to come as it can. `name` has the bits in which the header of a StringName differs, if that is
    /// the same key.
    #[inline(always)]
    pub(super) fn pass<'a, const END: bool>(
        &self,
        rest: &'a [u8],
        name: u64,
        expected: Option<u32>,
        fields: usize,
    ) -> Option<(u32, &'a [u8])> {
        let size = usize::from(self.size);
        let seen = if END {
            size + 4
        } else {
            (size + 4).max(FIELD * fields)
        };
        let block = rest.get(..seen).filter(|_| size > 0)?;
        let header = u32::from_le_bytes(*block.get(size..)?.first_chunk()?);
        for (start, bytes) in (0..).step_by(8).zip(&self.bytes) {
            let left = size.saturating_sub(start);
            if left >= 8 {
                let other = u64::from_le_bytes(*block.get(start..)?.first_chunk()?) ^ bytes;
                if other != 0 && (start > 0 || other != name) {
                    return None;
                }
            } else if let (4, Some(expected)) = (left, expected) {
                // The header in the same comparison.
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

/// The number of the key that a text of that length is. `from` starts with the text and may go on.
#[inline(always)]
pub(super) fn find(keys: &[Key], from: &[u8], len: usize) -> Option<usize> {
    let text = from.get(..len)?;
    let prefix = prefix(from, len);
    let first = keys.first()?;
    let found = if usize::from(first.together) == keys.len() {
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
        // A part of the keys that were made together: their chains lead elsewhere.
        keys.iter().position(|key| key.is(text, prefix))
    };
    found.or_else(|| find_odd(keys, text))
}

/// The key that a text is as the engine reads it: without a byte order mark, up to a NUL.
#[cold]
#[inline(never)]
fn find_odd(keys: &[Key], raw: &[u8]) -> Option<usize> {
    let text = engine_text(raw);
    if text.len() == raw.len() {
        return None;
    }
    let prefix = prefix(text, text.len());
    keys.iter().position(|key| key.is(text, prefix))
}

/// The first eight bytes of a text of that length, with zeros behind a shorter one.
#[inline(always)]
fn prefix(from: &[u8], len: usize) -> u64 {
    let word = match from.first_chunk() {
        Some(word) => u64::from_le_bytes(*word),
        None => {
            let bytes = from.iter().rev();
            bytes.fold(0, |word, byte| word << 8 | u64::from(*byte))
        }
    };
    /// For texts of each length below eight, and of eight or more, the bytes that count.
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

/// A number below `below` for a text of that length and start.
#[inline(always)]
const fn hash(len: usize, prefix: u64, below: usize, factor: u64) -> usize {
    let mixed = (prefix ^ (len as u64) << 56).wrapping_mul(factor);
    ((mixed >> 48) as usize * below) >> 16
}

/// The factor by which the fewest keys have the hash of another, of some that are tried: then the first key of a chain is
/// nearly always the one that is looked for, which a processor guesses.
const fn best_factor<const N: usize>(keys: &[Key; N]) -> u64 {
    let mut factor = 0x9e37_79b9_7f4a_7c15_u64;
    let (mut best, mut fewest) = (factor, N);
    let mut tries = if N <= 64 { 64 } else { 1 };
    while tries > 0 && fewest > 0 {
        tries -= 1;
        let (mut taken, mut n, mut alike) = ([false; N], 0, 0);
        while n < N {
            let hash = hash(keys[n].name.len(), keys[n].prefix(), N, factor);
            alike += taken[hash] as usize;
            taken[hash] = true;
            n += 1;
        }
        if alike < fewest {
            (best, fewest) = (factor, alike);
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
