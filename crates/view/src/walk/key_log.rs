//! The keys of the dictionaries that are open, to find repeated ones.
//!
//! Most dictionaries have keys that differ at their ends or in their length. So each key is logged with a print
//! of eight bytes that equal keys have in common, and texts and numbers are hashed only where that is not enough:
//!
//! ```text
//! add:    print = text       its first bytes and its last, and its length
//!                 int        its value; of Vector2i and the like a mixture of its components
//!                 any other  its hash
//! close:  up to 12 keys      each print is compared with those before it
//!         more               prints go into a table, whose clashes are bounded
//!         alike, or clashes  keys are sorted by their hashes, and compared: O(n log n)
//! ```

use alloc::vec::Vec;

use gdvar_wire::{Body, Kind};
use smallvec::SmallVec;

use crate::{
    bytes::plain::{INT, Words, pair},
    options::ReadOptions,
    value::variant::VariantRef,
    walk::{
        digest::Digests,
        keys::{equal, payload},
    },
};

/// The most keys of a dictionary that are compared with each other.
const FEW: usize = 12;

/// The keys of the dictionaries that are open: 16 bytes a key, and as many while one is closed.
///
/// The keys of each follow a mark, which says where the dictionary begins and where the keys of the one around it do:
///
/// ```text
/// keys    mark  key key  mark  key key key
///           ↑ ─────────────┘   start
/// ```
#[derive(Clone, Default)]
pub(crate) struct KeyLog {
    /// With room for the open dictionaries of most saves.
    keys: SmallVec<[LoggedKey; 32]>,
    /// Where the keys of the dictionary opened last begin.
    start: usize,
    prints: Prints,
    digests: Digests,
}

#[derive(Clone, Copy)]
struct LoggedKey {
    /// Equal keys have equal ones. Of a mark the start of the dictionary around.
    print: u64,
    /// Of the key; of a mark that of its dictionary.
    offset: usize,
}

impl LoggedKey {
    fn value(self, bytes: &[u8], options: ReadOptions, depth: u16) -> Option<VariantRef<'_>> {
        let value = VariantRef::new(bytes, self.offset, options, depth);
        value.ok().map(|(value, _)| value)
    }
}

/// Any odd number with ones and zeros mixed, so that equal bits of both ends do not meet.
const SPREAD: u64 = 0x9e37_79b9_7f4a_7c15;

/// The print of a text with these first and last bytes, up to eight, the first one lowest.
#[inline(always)]
const fn print_of(first: u64, last: u64, len: usize) -> u64 {
    first.wrapping_mul(SPREAD) ^ last ^ (len as u64).rotate_right(16)
}

/// The print of a text.
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

/// [`text_print`] of the `len` bytes of text after the first eight bytes of `value`, a header and a length, if eight
/// bytes follow those. Without a loop: the last eight bytes of a short text begin in the length, and are shifted out.
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

/// The print of a key of components that are ints.
#[inline]
fn components_print(payload: &[u8]) -> u64 {
    let words = payload.chunks_exact(4).filter_map(<[u8]>::first_chunk);
    words.fold(0, |all: u64, raw| {
        all.rotate_left(21).wrapping_mul(SPREAD) ^ u64::from(u32::from_le_bytes(*raw))
    })
}

/// A set of prints: a table with open addressing, twice as large as what goes in, or more.
#[derive(Clone, Default)]
struct Prints(Vec<u64>);

/// A place where no print is yet.
const FREE: u64 = 0x5851_f42d_4c95_7f2d;

impl Prints {
    /// True if the prints of these keys certainly differ. `false` also if there are more clashes than in the tables of
    /// honest keys: strangers choose what prints are made of.
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

/// A dictionary that repeats a key.
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

    /// [`KeyLog::add`] of a plain value of that depth, with which `rest`, the end of `bytes`, begins.
    #[inline(always)]
    pub(crate) fn add_plain(
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

    /// [`KeyLog::add_plain`] for all but texts and ints.
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

    /// [`KeyLog::add`] of a key whose print is known.
    #[inline(always)]
    pub(crate) fn add_print(&mut self, offset: usize, print: u64) {
        self.keys.push(LoggedKey { print, offset });
    }

    /// Forgets the dictionary opened last, and its keys.
    #[inline(always)]
    fn forget(&mut self) {
        let mark = self.start.saturating_sub(1);
        self.start = self.keys.get(mark).map_or(0, |mark| mark.print as usize);
        self.keys.truncate(mark);
    }

    /// Ends the dictionary opened last if its keys certainly differ.
    #[inline(always)]
    pub(crate) fn close_distinct(&mut self) -> bool {
        let own = self.keys.get(self.start..).unwrap_or_default();
        let differ = if own.len() <= FEW {
            !any_alike(own)
        } else {
            self.prints.differ(own)
        };
        if differ {
            self.forget();
        }
        differ
    }

    /// Ends the dictionary opened last, whose keys have that depth, and returns its first key that repeats an
    /// earlier one.
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

    /// Ends the dictionary opened last, whose keys have that depth, and returns how many of them repeat an earlier
    /// one, and the first that does.
    #[inline(never)]
    pub(crate) fn close_all(
        &mut self,
        bytes: &[u8],
        options: ReadOptions,
        depth: u16,
    ) -> (u64, usize) {
        let value = |key: LoggedKey| key.value(bytes, options, depth);
        let own = self.keys.get_mut(self.start..).unwrap_or_default();
        if own.len() > FEW {
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
            .flat_map(|alike| {
                alike.iter().enumerate().filter(|&(n, later)| {
                    let mut earlier = alike.iter().take(n);
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

/// True if keys of that kind have a print that is no hash.
const fn has_print(kind: Kind) -> bool {
    matches!(
        kind,
        Kind::String
            | Kind::StringName
            | Kind::Int
            | Kind::Vector2i
            | Kind::Vector3i
            | Kind::Vector4i
            | Kind::Rect2i
    )
}

/// True if two of the keys have the same print. All pairs are compared, as most keys differ: without a branch for
/// each.
#[inline]
fn any_alike(keys: &[LoggedKey]) -> bool {
    let mut alike = false;
    let mut rest = keys;
    while let Some((key, others)) = rest.split_first() {
        for other in others {
            alike |= key.print == other.print;
        }
        rest = others;
    }
    alike
}

#[cfg(test)]
mod tests;
