//! Damaged files of records.

use std::io::{self, Write};

use gdvar_view::{Document, ErrorKind, PrefixOrder, ReadOptions};

use super::{
    Ending, Recovered,
    borders::{Borders, is_likely},
    is_near,
    level::count_of,
    recover, recover_part, rescue,
};
use crate::ReadError;

/// Bytes of a file without a gap. A damaged compressed file has several: the blocks that can be unpacked.
#[derive(Clone, Copy, Debug)]
pub struct Segment<'a> {
    /// The place of the bytes in the whole contents.
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
    blank: u64,
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

    /// The number of bytes after the last record that are all 00 or all FF. They are no values, and no damage.
    #[must_use]
    pub const fn blank(&self) -> u64 {
        self.blank
    }

    /// Returns `true` if all records were valid and nothing else is in the file, blank bytes at its end apart.
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

/// Finds the records of a damaged file, and what is left of each ([`recover`]).
///
/// A record is taken by its length where a value of that length follows. If the length is wrong and the value is
/// valid and ends where the next record begins, the length is mended. After anything else the next place is
/// looked for from which records reach the end of the bytes, byte by byte. Nothing is looked for across the gaps
/// between segments.
///
/// Bytes between two records, and after the last one, become no values unless they are likely the rest of a record:
/// they begin like others in the file, and have text that can be read. Zeros at the end never do.
///
/// Reads each byte once where nothing is damaged. A file that is made to keep the search busy is given up after it was
/// read sixteen times, and each damaged value after 24 times.
#[must_use]
pub fn recover_records<'a>(
    segments: &[Segment<'a>],
    order: PrefixOrder,
    options: ReadOptions,
) -> RecoveredRecords<'a> {
    let mut all = RecoveredRecords {
        records: Vec::new(),
        gaps: Vec::new(),
        blank: 0,
        order,
    };
    let mut end = 0;
    let last = segments.len().saturating_sub(1);
    for (n, segment) in segments.iter().enumerate() {
        if segment.offset > end {
            all.gaps.push((end, segment.offset - end));
        }
        let mut file = File {
            borders: Borders::new(segment.bytes, order, options),
            base: segment.offset,
            is_last: n == last,
        };
        let mut at = 0;
        // A segment after a gap begins anywhere in a record.
        if n > 0 || segment.offset > 0 {
            at = file.borders.next(0).unwrap_or(segment.bytes.len());
            gap(&mut all.gaps, segment.offset, at);
        }
        while at < segment.bytes.len() {
            at = file.record(at, &mut all);
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

/// A segment whose records are taken one after the other.
struct File<'a> {
    borders: Borders<'a>,
    base: u64,
    is_last: bool,
}

impl<'a> File<'a> {
    /// Takes the record at `at`; where to go on.
    fn record(&mut self, at: usize, all: &mut RecoveredRecords<'a>) -> usize {
        let bytes = self.borders.bytes;
        let options = self.borders.options;
        let offset = self.base + at as u64 + 4;
        if self.is_last && !all.records.is_empty() && self.borders.is_blank(at) {
            all.blank = (bytes.len() - at) as u64;
            return bytes.len();
        }
        if let Some(end) = self.borders.whole(at) {
            self.borders.know(at);
            let found = recover(Document::with_options(&bytes[at + 4..end], options));
            all.records.push(Rescued {
                offset,
                found,
                mended_length: false,
            });
            return end;
        }
        let Some(rest) = bytes.get(at + 4..) else {
            gap(&mut all.gaps, offset - 4, bytes.len() - at);
            return bytes.len();
        };
        let declared = self.borders.length(at).map(|len| at + 4 + len);
        let is_end =
            |file: &mut File<'a>, end: usize| end == bytes.len() || file.borders.is_border(end);
        let border = declared.filter(|end| *end <= bytes.len() && *end >= at + 8);
        let border = border.filter(|end| is_end(self, *end));
        let value = Document::with_options(rest, options).validate();
        if border.is_none() {
            // The value may be valid, and its length wrong.
            let size = value.ok().filter(|size| *size <= rest.len());
            let own = size.filter(|size| {
                let is_known = self.borders.knows(at, *size);
                let is_likely = at == 0 && is_likely(&rest[..*size], options);
                (is_known || is_likely)
                    && self.is_wrong_length(at, *size)
                    && is_end(self, at + 4 + size)
            });
            if let Some(size) = own {
                let value = Document::with_options(&rest[..size], options);
                let found = rescue::doubted(value).unwrap_or_else(|| recover(value));
                all.records.push(Rescued {
                    offset,
                    found,
                    mended_length: true,
                });
                return at + 4 + size;
            }
        }
        let next = border.or_else(|| self.borders.next(at + 4));
        // A file that only ends too early has nothing after it.
        // What is missing of its value is missing of the record.
        let missing = match value.map_err(ReadError::kind) {
            Err(ErrorKind::Truncated { missing }) => Some(missing as usize),
            _ => None,
        };
        let is_cut = next.is_none()
            && declared.zip(missing).is_some_and(|(end, missing)| {
                let all = end.saturating_sub(bytes.len());
                all > 0 && missing <= all
            });
        let end = next.unwrap_or(bytes.len());
        let own = bytes.get(at + 4..end).unwrap_or_default();
        let change = declared.map_or(0, |declared| end as isize - declared as isize);
        let is_one_of_many = self.borders.is_one_of_many(at, end);
        let ending = match change {
            0 if is_one_of_many => Ending::Joined,
            0 => Ending::Known,
            _ if is_cut => Ending::Cut(change),
            _ => Ending::Changed(change),
        };
        let found = recover_part(Document::with_options(own, options), ending);
        let is_first = all.records.is_empty() && at == 0;
        let is_proved =
            border.is_some() && (is_first || self.borders.is_known(at)) || is_first && is_cut;
        let rest = found.plan().map(|plan| plan.to_vec()).unwrap_or_default();
        // Old bytes of a file may well begin with a text and go on with others.
        // Without children, nothing shows that a value ends before its record does.
        let has_children = match count_of(own, options) {
            Some(_) => !found.lost().is_empty() || found.is_whole(),
            None => found.is_whole() && rest.len() == own.len(),
        };
        let begins_like_others = self.borders.known.is_empty() || self.borders.is_known(at);
        // A value that is valid, in a record of another length, has lost bytes or was given some.
        // So may one of many alike, of which others are in the file.
        let is_doubtful = change != 0 && (is_one_of_many || !is_cut && found.is_whole());
        let is_child = has_children && begins_like_others && is_likely(&rest, options);
        let is_rest = !is_doubtful && (is_proved || is_child);
        if !is_rest || found.plan().is_none() {
            gap(&mut all.gaps, offset - 4, end - at);
        }
        if is_rest {
            all.records.push(Rescued {
                offset,
                found,
                mended_length: false,
            });
        }
        end
    }
}

impl File<'_> {
    /// Returns `true` if the length at `at` of a valid value of `size` bytes is wrong, and not the value: one byte of
    /// it is another one, and it is no multiple of four, as engines pad values to; or it is further off than a file
    /// loses or wins in one piece. The first record may have any such length, since nothing else can be before it.
    fn is_wrong_length(&self, at: usize, size: usize) -> bool {
        const PIECE: usize = 1 << 16;
        let Some(length) = self.borders.length(at) else {
            return at == 0;
        };
        let is_padded = !self.borders.options.dialect().has_old_node_paths();
        let is_wrong = is_padded && length % 4 != 0 || length.abs_diff(size) >= PIECE;
        is_wrong && (at == 0 || is_near(length as u32, size as u32))
    }
}

impl<'a> From<&'a [u8]> for Segment<'a> {
    fn from(bytes: &'a [u8]) -> Segment<'a> {
        Segment { offset: 0, bytes }
    }
}
