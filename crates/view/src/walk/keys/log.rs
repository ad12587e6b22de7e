//! The keys of open dictionaries, to find repeated ones.
//!
//! Most keys of a dictionary differ at their ends or in their length. So the log keeps a fingerprint of eight
//! bytes for each key, called its print. Equal keys have equal prints. Texts and numbers are hashed only if
//! their prints are not enough:
//!
//! ```text
//! add:    print = text              its first bytes, its last bytes, and its length
//!                 int               its value; for Vector2i and its kin a mixture of the components
//!                 any other         its hash
//! close:  up to 12 keys             compare each print with those before it
//!         more keys                 put the prints into a table, with a limit for clashes
//!         equal prints, or clashes  sort the keys by their hashes and compare them: O(n log n)
//! ```

use alloc::vec::Vec;

use gdvar_wire::{Body, Kind};
use smallvec::SmallVec;

use crate::{
    bytes::common::{INT, Words, pair},
    options::ReadOptions,
    value::variant::VariantRef,
    walk::keys::{
        digest::Digests,
        equality::{equal, payload},
    },
};

/// The most keys of a dictionary whose prints are compared with each other.
const MAX_COMPARED: usize = 12;

/// The keys of the open dictionaries. A key takes 16 bytes, and another 16 while its dictionary is closed.
///
/// The keys of each dictionary follow a mark. The mark has the offset of the dictionary, and the index where
/// the keys of the outer dictionary begin:
///
/// ```text
/// keys    mark  key key  mark  key key key
///           ↑ ─────────────┘   start
/// ```
#[derive(Clone, Default)]
pub(crate) struct KeyLog {
    /// With 32 entries inline, the open dictionaries of most saves need no heap.
    keys: SmallVec<[LoggedKey; 32]>,
    /// The index of the first key of the dictionary opened last.
    start: usize,
    prints: Prints,
    digests: Digests,
}

#[derive(Clone, Copy)]
struct LoggedKey {
    /// The key's print. In a mark: the `start` of the outer dictionary.
    print: u64,
    /// The offset of the key. In a mark: the offset of the dictionary.
    offset: usize,
}

impl LoggedKey {
    fn value(self, bytes: &[u8], options: ReadOptions, depth: u16) -> Option<VariantRef<'_>> {
        let value = VariantRef::new(bytes, self.offset, options, depth);
        value.ok().map(|(value, _)| value)
    }
}

/// An odd multiplier whose bits are well mixed, so that equal bits at both ends of a text do not cancel out.
const SPREAD: u64 = 0x9e37_79b9_7f4a_7c15;

/// The print of a text of `len` bytes, from its first and last eight bytes. The first byte is the lowest.
#[inline(always)]
const fn print_of(first: u64, last: u64, len: usize) -> u64 {
    first.wrapping_mul(SPREAD) ^ last ^ (len as u64).rotate_right(16)
}

/// Returns the print of a text. Its first and last eight bytes may overlap.
fn text_print(text: &[u8]) -> u64 {
    let number = |bytes: &[u8]| {
        bytes
            .iter()
            .rfold(0, |all, &byte| all << 8 | u64::from(byte))
    };
    let len = text.len();
    let first = text.get(..len.min(8)).unwrap_or_default();
    let last = text.get(len.saturating_sub(8)..).unwrap_or_default();
    print_of(number(first), number(last), len)
}

/// Returns the print of the String at the start of `value`: a header, a length, and `len` bytes of text. The
/// print equals [`text_print`] of the text. `None` unless eight more bytes follow. The function needs no loop:
/// the last eight bytes of a short text begin in the length word, which is shifted out.
#[inline(always)]
fn value_print(value: &[u8], len: usize) -> Option<u64> {
    let word = |at: usize| -> Option<u64> {
        let raw = value.get(at..)?.first_chunk()?;
        Some(u64::from_le_bytes(*raw))
    };
    let missing = 64 - 8 * len.min(8) as u32;
    let first = word(8)? & u64::MAX.checked_shr(missing).unwrap_or(0);
    let last = word(len)?.checked_shr(missing).unwrap_or(0);
    Some(print_of(first, last, len))
}

/// The print of a key whose components are ints.
#[inline]
fn components_print(payload: &[u8]) -> u64 {
    let words = payload.chunks_exact(4).filter_map(<[u8]>::first_chunk);
    words.fold(0, |all: u64, raw| {
        all.rotate_left(21).wrapping_mul(SPREAD) ^ u64::from(u32::from_le_bytes(*raw))
    })
}

/// A set of prints: a hash table with open addressing, at least twice as large as its contents.
#[derive(Clone, Default)]
struct Prints(Vec<u64>);

/// Marks an empty slot of the table.
const FREE: u64 = 0x5851_f42d_4c95_7f2d;

impl Prints {
    /// True if the prints of all `keys` differ. Also returns `false` if the prints collide more often than
    /// prints of ordinary data: attackers choose the keys, and must not make this slow.
    #[inline(never)]
    fn differ(&mut self, keys: &[LoggedKey]) -> bool {
        let size = (2 * keys.len()).next_power_of_two();
        let (mask, shift) = (size - 1, 64 - size.trailing_zeros());
        let mut clashes = 4 * keys.len();
        self.0.clear();
        self.0.resize(size, FREE);
        for key in keys {
            let mut at = (key.print.wrapping_mul(SPREAD) >> shift) as usize;
            loop {
                let Some(place) = self.0.get_mut(at & mask) else {
                    return false;
                };
                if *place == FREE && key.print != FREE {
                    *place = key.print;
                    break;
                }
                if *place == key.print || clashes == 0 {
                    return false;
                }
                clashes -= 1;
                at += 1;
            }
        }
        true
    }
}

/// A repeated key: the offsets of its dictionary and of the key.
#[derive(Clone, Copy)]
pub(crate) struct Repeat {
    pub(crate) dict: usize,
    pub(crate) key: usize,
}

impl KeyLog {
    /// Opens the dictionary at `offset`.
    #[inline(always)]
    pub(crate) fn open(&mut self, offset: usize) {
        self.add_print(offset, self.start as u64);
        self.start = self.keys.len();
    }

    /// Adds a key of the dictionary opened last.
    pub(crate) fn add(&mut self, key: VariantRef<'_>) {
        let print = if let Some(text) = key.as_text() {
            text_print(text.as_bytes())
        } else if let Some(int) = key.as_i64() {
            int as u64
        } else if has_print(key.kind()) {
            components_print(payload(key))
        } else {
            self.digests.of(key)
        };
        self.add_print(key.offset(), print);
    }

    /// Adds the key at the start of `rest`, the tail of `bytes`, like [`KeyLog::add`]. The key is a common
    /// value at depth `depth`.
    #[inline(always)]
    pub(crate) fn add_common(
        &mut self,
        bytes: &[u8],
        rest: &[u8],
        depth: u16,
        options: ReadOptions,
    ) {
        let (word, second) = pair(rest, 0).unwrap_or_default();
        let print = if Words::of(options.dialect()).is_text(word) {
            value_print(rest, second as usize)
        } else if word == INT {
            Some(i64::from(second as i32) as u64)
        } else {
            None
        };
        match print {
            Some(print) => self.add_print(bytes.len() - rest.len(), print),
            None => self.add_other(bytes, rest, depth, options),
        }
    }

    /// Does the work of [`KeyLog::add_common`] for keys other than texts and ints.
    #[inline(never)]
    fn add_other(&mut self, bytes: &[u8], rest: &[u8], depth: u16, options: ReadOptions) {
        let at = bytes.len() - rest.len();
        let (word, _) = pair(rest, 0).unwrap_or_default();
        let entry = options.dialect().plain(word);
        if entry.body == Body::Fixed && has_print(entry.kind) && !entry.wide {
            let payload = rest.get(4..entry.size.into()).unwrap_or_default();
            self.add_print(at, components_print(payload));
        } else if let Ok((key, _)) = VariantRef::new(bytes, at, options, depth) {
            self.add(key);
        }
    }

    /// Adds a key whose print is known.
    #[inline(always)]
    pub(crate) fn add_print(&mut self, offset: usize, print: u64) {
        self.keys.push(LoggedKey { print, offset });
    }

    /// Removes the dictionary opened last and its keys.
    #[inline(always)]
    fn forget(&mut self) {
        let mark = self.start.saturating_sub(1);
        self.start = self.keys.get(mark).map_or(0, |mark| mark.print as usize);
        self.keys.truncate(mark);
    }

    /// Closes the dictionary opened last and returns `true` if its keys certainly differ. Otherwise the
    /// dictionary stays open.
    #[inline(always)]
    pub(crate) fn close_distinct(&mut self) -> bool {
        let own = self.keys.get(self.start..).unwrap_or_default();
        let differ = if own.len() <= MAX_COMPARED {
            !any_equal_prints(own)
        } else {
            self.prints.differ(own)
        };
        if differ {
            self.forget();
        }
        differ
    }

    /// Closes the dictionary opened last. Returns its first key that repeats an earlier one. `depth` is the
    /// depth of the keys.
    pub(crate) fn close(
        &mut self,
        bytes: &[u8],
        options: ReadOptions,
        depth: u16,
    ) -> Option<Repeat> {
        let dict = self.keys.get(self.start.checked_sub(1)?)?.offset;
        if self.close_distinct() {
            return None;
        }
        match self.close_all(bytes, options, depth) {
            (0, _) => None,
            (_, key) => Some(Repeat { dict, key }),
        }
    }

    /// Closes the dictionary opened last. Returns how many of its keys repeat an earlier one, and the offset of
    /// the first that does. `depth` is the depth of the keys.
    #[inline(never)]
    pub(crate) fn close_all(
        &mut self,
        bytes: &[u8],
        options: ReadOptions,
        depth: u16,
    ) -> (u64, usize) {
        let value = |key: LoggedKey| key.value(bytes, options, depth);
        let own = self.keys.get_mut(self.start..).unwrap_or_default();
        if own.len() > MAX_COMPARED {
            for key in own.iter_mut() {
                if let Some(value) = value(*key).filter(|value| has_print(value.kind())) {
                    key.print = self.digests.of(value);
                }
            }
        }
        own.sort_unstable_by_key(|key| (key.print, key.offset));
        let equals = |earlier: LoggedKey, later: LoggedKey| matches!((value(earlier), value(later)), (Some(earlier), Some(later)) if equal(earlier, later));
        let repeated = own
            .chunk_by(|a, b| a.print == b.print)
            .flat_map(|group| {
                group.iter().enumerate().filter(|&(n, later)| {
                    let mut earlier = group.iter().take(n);
                    earlier.any(|earlier| equals(*earlier, *later))
                })
            })
            .map(|(_, later)| later.offset)
            .fold((0, usize::MAX), |(count, first), at| {
                (count + 1, first.min(at))
            });
        self.forget();
        repeated
    }
}

/// True if keys of this kind have a print that is not their hash.
const fn has_print(kind: Kind) -> bool {
    matches!(kind, Kind::String | Kind::StringName | Kind::Int) || kind.has_ints()
}

/// True if two keys have the same print. The loop goes on after a match: equal prints are rare, so stopping
/// early would cost a branch for each pair and save little.
#[inline]
fn any_equal_prints(keys: &[LoggedKey]) -> bool {
    let mut are_equal = false;
    let mut rest = keys;
    while let Some((key, others)) = rest.split_first() {
        for other in others {
            are_equal |= key.print == other.print;
        }
        rest = others;
    }
    are_equal
}

#[cfg(test)]
mod tests;
