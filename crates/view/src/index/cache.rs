//! An index as bytes, to be kept beside the file that it was built from.
//!
//! All numbers are little-endian:
//!
//! | bytes | what |
//! |---|---|
//! | 8 | `gdvaridx` |
//! | 4 | version of this layout: 1 |
//! | 24 | dialect and options |
//! | 8, 8 | length and checksum of the indexed bytes |
//! | 4, 4, 4 | how many entries, slots, and ends and pairs of sorted keys |
//! | 8 each | entries: offset, end of its slots |
//! | 4 each | slots |
//! | 4 each | ends, then pairs, of sorted keys |
//! | 8 | checksum of all before |

use alloc::vec::Vec;
use core::fmt;

use super::{Entry, Index, LINK, checksum::checksum, keys::SortedKeys};
use crate::{
    cursor::array,
    document::Document,
    error::{Error, ErrorKind},
    options::ReadOptions,
};

const MAGIC: &[u8; 8] = b"gdvaridx";
const VERSION: u32 = 1;
const OPTIONS: usize = 24;
const HEADER: usize = 8 + 4 + OPTIONS + 8 + 8 + 3 * 4;
const SUM: usize = 8;

/// Why bytes are no index of a document: [`Index::from_bytes`]. In each case
/// [`Index::build`] makes a new one.
#[derive(Clone, Copy, PartialEq, Eq, Debug)]
#[non_exhaustive]
pub enum CacheError {
    /// They are something else.
    NotAnIndex,
    /// They are an index in a layout that this release does not know.
    OtherVersion(u32),
    /// They are cut off or changed.
    Damaged,
    /// The index was built from other bytes, or to read them with other options.
    Stale,
}

impl fmt::Display for CacheError {
    fn fmt(&self, f: &mut fmt::Formatter<'_>) -> fmt::Result {
        match self {
            CacheError::NotAnIndex => f.write_str("this is no index"),
            CacheError::OtherVersion(version) => {
                write!(f, "the index has version {version}, not {VERSION}")
            }
            CacheError::Damaged => f.write_str("the index is damaged"),
            CacheError::Stale => {
                f.write_str("the index was built from other bytes, or with other options")
            }
        }
    }
}

impl core::error::Error for CacheError {}

/// What stands in a cache for these options.
fn signature(options: ReadOptions) -> [u8; OPTIONS] {
    let mut out = [0; OPTIONS];
    let name = options.get_dialect().name().bytes();
    // No name is longer than 16 bytes.
    let parts = name.chain(core::iter::repeat(0)).take(OPTIONS - 8);
    for (to, from) in out.iter_mut().zip(parts.chain(options.signature())) {
        *to = from;
    }
    out
}

impl Index {
    /// The index as bytes, for [`Index::from_bytes`]. Reads all of the document once for its
    /// checksum, at 10 GB/s or more.
    ///
    /// # Errors
    /// [`ForeignIndex`](ErrorKind::ForeignIndex) if it is not the document that the index was
    /// built from.
    pub fn to_bytes(&self, document: Document<'_>) -> Result<Vec<u8>, Error> {
        if !self.is_of(document) {
            return Err(Error::new(0, ErrorKind::ForeignIndex));
        }
        let (ends, order) = match &self.keys {
            Some(keys) => (keys.ends.as_slice(), keys.order.as_slice()),
            None => (&[][..], &[][..]),
        };
        let mut out = Vec::with_capacity(HEADER + self.size() + SUM);
        out.extend(MAGIC);
        out.extend(VERSION.to_le_bytes());
        out.extend(signature(self.options));
        out.extend((self.len as u64).to_le_bytes());
        out.extend(checksum(document.bytes()).to_le_bytes());
        for len in [
            self.entries.len(),
            self.slots.len(),
            ends.len() + order.len(),
        ] {
            out.extend((len as u32).to_le_bytes());
        }
        for entry in &self.entries {
            out.extend(entry.at.to_le_bytes());
            out.extend(entry.end.to_le_bytes());
        }
        for numbers in [&self.slots, ends, order] {
            out.extend(numbers.iter().flat_map(|number| number.to_le_bytes()));
        }
        let sum = checksum(&out);
        out.extend(sum.to_le_bytes());
        Ok(out)
    }

    /// An index from what [`Index::to_bytes`] made of it, if it was built from these bytes, to be
    /// read with these options. Reads both once.
    ///
    /// The checksums are against accidents. Who may forge a cache can make lookups find wrong
    /// values or fail, but nothing worse.
    ///
    /// # Errors
    /// If it is damaged or stale.
    pub fn from_bytes(cache: &[u8], document: Document<'_>) -> Result<Index, CacheError> {
        if cache.first_chunk() != Some(MAGIC) {
            return Err(CacheError::NotAnIndex);
        }
        let word = |at| array(cache, at).map(u32::from_le_bytes);
        let long = |at| array(cache, at).map(u64::from_le_bytes);
        match word(8) {
            Some(VERSION) => {}
            Some(version) => return Err(CacheError::OtherVersion(version)),
            None => return Err(CacheError::Damaged),
        }
        let body = cache.len().checked_sub(SUM);
        let body = body.and_then(|len| cache.split_at_checked(len));
        let Some((body, sum)) = body else {
            return Err(CacheError::Damaged);
        };
        if array(sum, 0) != Some(checksum(body).to_le_bytes()) {
            return Err(CacheError::Damaged);
        }
        let (options, len) = (document.options(), document.bytes().len());
        let at = 12 + OPTIONS;
        if cache.get(12..at) != Some(&signature(options))
            || long(at) != Some(len as u64)
            || long(at + 8) != Some(checksum(document.bytes()))
        {
            return Err(CacheError::Stale);
        }
        let count = |n: usize| word(at + 16 + 4 * n).map(|count| count as usize);
        let index = match (count(0), count(1), count(2), body.get(HEADER..)) {
            (Some(entries), Some(slots), Some(keys), Some(numbers)) => {
                decode(numbers, [entries, slots, keys])
            }
            _ => None,
        };
        let (entries, slots, keys) = index.ok_or(CacheError::Damaged)?;
        let index = Index {
            options,
            len,
            entries,
            slots,
            keys,
        };
        match index.is_tree() {
            Some(true) => Ok(index),
            _ => Err(CacheError::Damaged),
        }
    }

    /// Whether every entry but the last is linked to once, from the one that it is inside of. So
    /// no forged index has cycles, or shared parts that would be passed over and over.
    fn is_tree(&self) -> Option<bool> {
        // Entries that nothing before links to.
        let mut roots = Vec::new();
        for number in 0..self.entries.len() as u32 {
            let slots = self.slots(number)?.iter();
            let links = slots
                .filter(|&slot| slot & LINK != 0)
                .map(|slot| slot & !LINK);
            // They are the last of these, in order: entries are made when containers end.
            let inside = roots.len().checked_sub(links.clone().count())?;
            if !links.eq(roots.drain(inside..)) {
                return Some(false);
            }
            roots.push(number);
        }
        let end = self.entries.last().map_or(0, |entry| entry.end as usize);
        let is_rooted = self.root().is_some() || self.entries.is_empty();
        Some(roots.len() <= 1 && end == self.slots.len() && is_rooted)
    }
}

type Parts = (Vec<Entry>, Vec<u32>, Option<SortedKeys>);

/// The numbers of a cache, if they are as many as it says.
fn decode(numbers: &[u8], [entries, slots, keys]: [usize; 3]) -> Option<Parts> {
    let (pairs, rest) = numbers.split_at_checked(entries.checked_mul(8)?)?;
    let (slots, rest) = rest.split_at_checked(slots.checked_mul(4)?)?;
    if rest.len() != keys.checked_mul(4)? {
        return None;
    }
    let sorted = rest.split_at_checked(4 * entries).filter(|_| keys > 0);
    let sorted = sorted.map(|(ends, order)| SortedKeys {
        ends: words(ends).collect(),
        order: words(order).collect(),
    });
    let (ats, ends) = (words(pairs).step_by(2), words(pairs).skip(1).step_by(2));
    let entries = ats.zip(ends).map(|(at, end)| Entry { at, end });
    Some((entries.collect(), words(slots).collect(), sorted))
}

fn words(bytes: &[u8]) -> impl Iterator<Item = u32> + '_ {
    let word = |raw: &[u8]| raw.first_chunk().map_or(0, |raw| u32::from_le_bytes(*raw));
    bytes.chunks_exact(4).map(word)
}
