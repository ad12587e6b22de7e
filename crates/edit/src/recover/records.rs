//! Damaged files of records.

use std::io::{self, Write};

use gdvar_view::{Document, PrefixOrder, ReadOptions};

use super::{Recovered, recover};
use crate::ReadError;

/// Bytes of a file without a gap. A damaged compressed file has several: the blocks that can be unpacked.
#[derive(Clone, Copy, Debug)]
pub struct Segment<'a> {
    /// The place of the record in the whole contents.
    pub offset: u64,
    /// The bytes.
    pub bytes: &'a [u8],
}

/// A record that is left.
#[derive(Clone, Debug)]
pub struct Rescued<'a> {
    /// The place in the contents where its value begins.
    pub offset: u64,
    /// The rest of it.
    pub found: Recovered<'a>,
    /// `true` if its length was wrong, and is mended.
    pub mended_length: bool,
}

/// The rest of a file of records.
#[derive(Clone, Debug)]
pub struct RecoveredRecords<'a> {
    records: Vec<Rescued<'a>>,
    gaps: Vec<(u64, u64)>,
    order: PrefixOrder,
}

impl<'a> RecoveredRecords<'a> {
    /// The records, of which some may be damaged. Those of which nothing is left are among them, without a plan.
    #[must_use]
    pub fn records(&self) -> &[Rescued<'a>] {
        &self.records
    }

    /// Spans of the contents in which no record was found: their first byte and their length.
    #[must_use]
    pub fn gaps(&self) -> &[(u64, u64)] {
        &self.gaps
    }

    /// Returns `true` if all was in order.
    #[must_use]
    pub fn is_whole(&self) -> bool {
        let whole = |one: &Rescued<'_>| one.found.is_whole() && !one.mended_length;
        self.gaps.is_empty() && self.records.iter().all(whole)
    }

    /// The number of records that are written.
    #[must_use]
    pub fn len(&self) -> usize {
        let left = self.records.iter().filter(|one| one.found.plan().is_some());
        left.count()
    }

    /// Returns `true` if nothing is left.
    #[must_use]
    pub fn is_empty(&self) -> bool {
        self.len() == 0
    }

    /// Writes what is left as a file of records.
    ///
    /// # Errors
    /// Those of the writer.
    pub fn write_to(&self, mut to: impl Write) -> io::Result<()> {
        for plan in self.records.iter().filter_map(|one| one.found.plan()) {
            // It is no longer than the record was, but for its padding.
            let len = u32::try_from(plan.len()).unwrap_or(u32::MAX);
            to.write_all(&match self.order {
                PrefixOrder::Little => len.to_le_bytes(),
                PrefixOrder::Big => len.to_be_bytes(),
            })?;
            plan.write_to(&mut to)?;
        }
        Ok(())
    }
}

/// How often the bytes of a file may be read while the next record is looked for.
const WORK: usize = 16;

/// Finds the records of a damaged file, and what is left of each ([`recover`]).
///
/// A record is taken by its length where a value stands there, or else the next record begins behind it. If the
/// length is wrong and the value in order, the length is mended. Behind anything else the next place is looked for
/// at which a whole record stands, byte by byte; a file that is made to keep that busy is given up after it was
/// read sixteen times. Nothing is looked for across the gaps between segments.
#[must_use]
pub fn recover_records<'a>(
    segments: &[Segment<'a>],
    order: PrefixOrder,
    options: ReadOptions,
) -> RecoveredRecords<'a> {
    let mut all = RecoveredRecords {
        records: Vec::new(),
        gaps: Vec::new(),
        order,
    };
    let mut end = 0;
    for (n, segment) in segments.iter().enumerate() {
        if segment.offset > end {
            all.gaps.push((end, segment.offset - end));
        }
        let mut search = Search {
            bytes: segment.bytes,
            order,
            options,
            left: segment
                .bytes
                .len()
                .saturating_mul(WORK)
                .saturating_add(1 << 16),
        };
        let mut at = 0;
        // A segment behind a gap begins anywhere in a record.
        if n > 0 || segment.offset > 0 {
            at = search.next(0).unwrap_or(segment.bytes.len());
            gap(&mut all.gaps, segment.offset, at);
        }
        while at < segment.bytes.len() {
            at = search.record(at, segment.offset, &mut all);
        }
        end = segment.offset + segment.bytes.len() as u64;
    }
    all
}

fn gap(gaps: &mut Vec<(u64, u64)>, start: u64, len: usize) {
    let len = len as u64;
    match gaps.last_mut() {
        Some((first, before)) if *first + *before == start => *before += len,
        _ if len > 0 => gaps.push((start, len)),
        _ => {}
    }
}

struct Search<'a> {
    bytes: &'a [u8],
    order: PrefixOrder,
    options: ReadOptions,
    /// The number of bytes that may still be read in vain.
    left: usize,
}

impl<'a> Search<'a> {
    fn length(&self, at: usize) -> Option<usize> {
        let word = *self.bytes.get(at..)?.first_chunk()?;
        let len = match self.order {
            PrefixOrder::Little => u32::from_le_bytes(word),
            PrefixOrder::Big => u32::from_be_bytes(word),
        };
        i32::try_from(len)
            .ok()
            .and_then(|len| usize::try_from(len).ok())
    }

    /// The end of the record at that place, if a whole one stands there.
    fn whole(&mut self, at: usize) -> Option<usize> {
        let len = self.length(at).filter(|len| *len >= 4)?;
        let value = self.bytes.get(at + 4..at + 4 + len)?;
        let end = Document::with_options(value, self.options).validate();
        let read = match end {
            Ok(end) => end,
            Err(error) => error.offset(),
        };
        self.left = self.left.saturating_sub(read.max(4));
        (end == Ok(len)).then_some(at + 4 + len)
    }

    /// Returns `true` if a record may begin there: one does, or the file ends.
    fn is_border(&mut self, at: usize) -> bool {
        at == self.bytes.len() || self.whole(at).is_some()
    }

    /// The next place from which on records stand.
    fn next(&mut self, from: usize) -> Option<usize> {
        let places = from..self.bytes.len().saturating_sub(7);
        for at in places {
            if self.left == 0 {
                return None;
            }
            if self.is_likely(at) {
                return Some(at);
            }
        }
        None
    }

    /// Returns `true` if records stand there that an engine writes, and enough of them that it is not by
    /// chance: numbers in a packed array may look like a length and a small value.
    fn is_likely(&mut self, from: usize) -> bool {
        /// More than an empty container, or a text of a few letters.
        const ENOUGH: usize = 24;
        let (mut at, mut seen) = (from, 0);
        while let Some(end) = self.whole(at) {
            let value = self.bytes.get(at + 4..end).unwrap_or_default();
            if Document::with_options(value, self.options)
                .strict()
                .validate()
                .is_err()
            {
                return false;
            }
            // Null is what zeros look like.
            seen += if value.first() == Some(&0) {
                0
            } else {
                value.len()
            };
            if seen >= ENOUGH {
                return true;
            }
            at = end;
        }
        false
    }

    /// Takes the record at a place; where to go on.
    fn record(&mut self, at: usize, base: u64, all: &mut RecoveredRecords<'a>) -> usize {
        let bytes = self.bytes;
        let offset = base + at as u64 + 4;
        let rescued = |found: Recovered<'a>, mended_length| Rescued {
            offset,
            found,
            mended_length,
        };
        let Some(rest) = bytes.get(at + 4..) else {
            gap(&mut all.gaps, base + at as u64, bytes.len() - at);
            return bytes.len();
        };
        if let Some(len) = self.length(at) {
            if let Some(value) = rest.get(..len) {
                let found = recover(Document::with_options(value, self.options));
                if found.is_whole() {
                    all.records.push(rescued(found, false));
                    return at + 4 + len;
                }
            }
        }
        // The value may be in order, and its length wrong.
        let end = Document::with_options(rest, self.options).validate();
        if let Ok(end) = end {
            let end = end.min(rest.len());
            if self.is_border(at + 4 + end) {
                let value = Document::with_options(&rest[..end], self.options);
                all.records.push(rescued(recover(value), true));
                return at + 4 + end;
            }
        }
        // The length may be right, and the value damaged.
        let border = self.length(at).map(|len| at + 4 + len);
        // Behind a file that only ends too early stands nothing.
        let is_cut =
            end.is_err_and(ReadError::is_truncated) && border.is_none_or(|end| end > bytes.len());
        let border = border.filter(|border| *border <= bytes.len() && self.is_border(*border));
        let next = if is_cut {
            None
        } else {
            border.or_else(|| self.next(at + 4))
        };
        let next = next.unwrap_or(bytes.len());
        let own = bytes.get(at + 4..next).unwrap_or_default();
        let found = recover(Document::with_options(own, self.options));
        if found.plan().is_none() {
            gap(&mut all.gaps, base + at as u64, next - at);
        }
        all.records.push(rescued(found, false));
        next
    }
}

impl<'a> From<&'a [u8]> for Segment<'a> {
    fn from(bytes: &'a [u8]) -> Segment<'a> {
        Segment { offset: 0, bytes }
    }
}
