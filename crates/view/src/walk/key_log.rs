//! The keys of the dictionaries that are open, to find repeated ones.
//!
//! Most dictionaries are records of a few text keys, and most of these differ at their ends or in their
//! length. So each key is logged with a print of eight bytes that equal keys have in common, and texts
//! and ints are hashed only where that is not enough:
//!
//! ```text
//! add:    print = text       its first bytes and its last, and its length
//!                 int        its value
//!                 any other  its hash
//! close:  up to 24 keys      each print is compared with those before it
//!         more               keys are hashed and sorted by that: O(n log n)
//!         alike              the keys themselves are compared
//! ```

use alloc::vec::Vec;

use crate::{
    options::ReadOptions,
    value::variant::VariantRef,
    walk::{digest::Digests, keys::equal},
};

/// The most keys of a dictionary that are compared with each other.
const FEW: usize = 24;

/// The keys of the dictionaries that are open: 24 bytes a key.
#[derive(Clone, Default)]
pub(crate) struct KeyLog {
    keys: Vec<LoggedKey>,
    /// The offset of each open dictionary, and where its keys begin.
    open: Vec<(usize, usize)>,
    digests: Digests,
}

#[derive(Clone, Copy)]
struct LoggedKey {
    /// Equal keys have equal ones.
    print: u64,
    offset: usize,
    depth: u16,
    /// The print is a hash.
    is_hashed: bool,
}

impl LoggedKey {
    fn value(self, bytes: &[u8], options: ReadOptions) -> Option<VariantRef<'_>> {
        let value = VariantRef::new(bytes, self.offset, options, self.depth);
        value.ok().map(|(value, _)| value)
    }

    fn equals(self, other: LoggedKey, bytes: &[u8], options: ReadOptions) -> bool {
        let of = |key: LoggedKey| key.value(bytes, options);
        self.print == other.print
            && matches!((of(self), of(other)), (Some(own), Some(other)) if equal(own, other))
    }
}

/// The print of a text: its first bytes and its last, and its length.
#[inline]
fn text_print(text: &[u8]) -> u64 {
    // Any odd number with ones and zeros mixed, so that equal bits of both ends do not meet.
    const SPREAD: u64 = 0x9e37_79b9_7f4a_7c15;
    let ends = if let (Some(first), Some(last)) = (text.first_chunk(), text.last_chunk()) {
        u64::from_le_bytes(*first).wrapping_mul(SPREAD) ^ u64::from_le_bytes(*last)
    } else if let (Some(first), Some(last)) = (text.first_chunk(), text.last_chunk()) {
        u64::from(u32::from_le_bytes(*first)) | u64::from(u32::from_le_bytes(*last)) << 32
    } else {
        text.iter().fold(0, |all, &byte| all << 8 | u64::from(byte))
    };
    ends ^ (text.len() as u64).rotate_right(16)
}

/// A dictionary that repeats a key.
#[derive(Clone, Copy)]
pub(crate) struct Repeat {
    pub(crate) dict: usize,
    pub(crate) key: usize,
}

impl KeyLog {
    pub(crate) fn open(&mut self, dict: usize) {
        self.open.push((dict, self.keys.len()));
    }

    pub(crate) fn add(&mut self, key: VariantRef<'_>) {
        let (print, is_hashed) = if let Some(text) = key.as_text() {
            (text_print(text.as_bytes()), false)
        } else if let Some(int) = key.as_i64() {
            (int as u64, false)
        } else {
            (self.digests.of(key), true)
        };
        self.log(key.offset(), key.depth(), print, is_hashed);
    }

    /// Adds a text of which the engine takes all bytes.
    #[inline]
    pub(crate) fn add_text(&mut self, offset: usize, depth: u16, text: &[u8]) {
        self.log(offset, depth, text_print(text), false);
    }

    #[inline]
    fn log(&mut self, offset: usize, depth: u16, print: u64, is_hashed: bool) {
        self.keys.push(LoggedKey {
            print,
            offset,
            depth,
            is_hashed,
        });
    }

    /// Ends the dictionary opened last and returns its first key that repeats an earlier one.
    #[inline]
    pub(crate) fn close(&mut self, bytes: &[u8], options: ReadOptions) -> Option<Repeat> {
        let &(dict, start) = self.open.last()?;
        let own = self.keys.get(start..).unwrap_or_default();
        if own.len() <= FEW && !any_alike(own) {
            self.open.pop();
            self.keys.truncate(start);
            return None;
        }
        match self.close_all(bytes, options) {
            (0, _) => None,
            (_, key) => Some(Repeat { dict, key }),
        }
    }

    /// Ends the dictionary opened last and returns how many of its keys repeat an earlier one, and the
    /// first that does.
    #[inline(never)]
    pub(crate) fn close_all(&mut self, bytes: &[u8], options: ReadOptions) -> (u64, usize) {
        let Some((_, start)) = self.open.pop() else {
            return (0, 0);
        };
        let own = self.keys.get_mut(start..).unwrap_or_default();
        if own.len() > FEW {
            for key in own.iter_mut().filter(|key| !key.is_hashed) {
                if let Some(value) = key.value(bytes, options) {
                    key.print = self.digests.of(value);
                }
            }
        }
        own.sort_unstable_by_key(|key| (key.print, key.offset));
        let repeated = own
            .chunk_by(|a, b| a.print == b.print)
            .flat_map(|alike| {
                alike.iter().enumerate().filter(|&(n, later)| {
                    let mut earlier = alike.iter().take(n);
                    earlier.any(|earlier| earlier.equals(*later, bytes, options))
                })
            })
            .map(|(_, later)| later.offset)
            .fold((0, usize::MAX), |(count, first), at| {
                (count + 1, first.min(at))
            });
        self.keys.truncate(start);
        repeated
    }
}

/// True if two of the keys have the same print.
#[inline]
fn any_alike(keys: &[LoggedKey]) -> bool {
    keys.iter().enumerate().any(|(n, later)| {
        let mut earlier = keys.iter().take(n);
        earlier.any(|earlier| earlier.print == later.print)
    })
}

#[cfg(test)]
mod tests;
