//! Recovers damaged files of records.

use std::{
    collections::HashSet,
    io::{self, Write},
};

use gdvar_view::{
    Document, Error as ReadError, ErrorKind, Math, Numbers, PrefixOrder, ReadOptions, VariantRef,
};

use super::{
    borders::{Borders, is_likely, is_proof},
    ending::Ending,
    level::{count_of, is_near},
    recovered::Recovered,
    rescue,
    value::{recover, recover_part},
};
use crate::plan::{Plan, word};

/// A contiguous piece of a file. A damaged compressed file has several: the blocks that could be unpacked.
#[derive(Clone, Copy, Debug)]
pub struct Segment<'a> {
    /// The offset of the bytes in the whole contents.
    pub offset: u64,
    /// The piece itself.
    pub bytes: &'a [u8],
}

/// A recovered record.
#[derive(Clone, Debug)]
pub struct Rescued<'a> {
    /// The offset in the contents at which its value begins.
    pub offset: u64,
    /// What is left of the value.
    pub found: Recovered<'a>,
    /// `true` if its length was wrong and has been corrected.
    pub mended_length: bool,
}

/// What is left of a file of records.
#[derive(Clone, Debug)]
pub struct RecoveredRecords<'a> {
    records: Vec<Rescued<'a>>,
    gaps: Vec<(u64, u64)>,
    blank: u64,
    order: PrefixOrder,
}

impl<'a> RecoveredRecords<'a> {
    /// Returns all records, damaged ones included. A record has no plan if nothing of it could be recovered.
    #[must_use]
    pub fn records(&self) -> &[Rescued<'a>] {
        &self.records
    }

    /// Returns the parts of the contents in which no record was found, each as its offset and length.
    #[must_use]
    pub fn gaps(&self) -> &[(u64, u64)] {
        &self.gaps
    }

    /// Returns the number of bytes after the last record that are all 00 or all FF. These bytes are
    /// neither values nor damage.
    #[must_use]
    pub const fn blank(&self) -> u64 {
        self.blank
    }

    /// Returns `true` if all records were valid and nothing else is in the file, except blank bytes at its end.
    #[must_use]
    pub fn is_whole(&self) -> bool {
        let whole = |one: &Rescued<'_>| one.found.is_whole() && !one.mended_length;
        self.gaps.is_empty() && self.records.iter().all(whole)
    }

    /// Returns the number of records that [`write_to`](Self::write_to) writes.
    #[must_use]
    pub fn len(&self) -> usize {
        let left = self.records.iter().filter(|one| one.found.plan().is_some());
        left.count()
    }

    /// Returns `true` if no record could be recovered.
    #[must_use]
    pub fn is_empty(&self) -> bool {
        self.len() == 0
    }

    /// Writes the recovered records as a file of records.
    ///
    /// # Errors
    /// Returns the error of the writer.
    pub fn write_to(&self, mut to: impl Write) -> io::Result<()> {
        for plan in self.records.iter().filter_map(|one| one.found.plan()) {
            // A recovered value is not longer than the record was, apart from padding.
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

/// Finds the records of a damaged file, and recovers each with the rules of [`recover`].
///
/// A record's length is trusted if a value of that length follows. If the length is wrong, but the value is
/// valid and ends where the next record begins, the length is corrected. After any other damage, the search
/// advances byte by byte to the next offset from which valid records reach the end of the bytes, or to the
/// next container that is as long as the length before it says (with readable text or 96 bytes, because a few
/// numbers may look like a short list). The search does not cross the gaps between
/// segments.
///
/// Bytes between two records, and after the last one, are recovered only if they are probably the rest of a
/// record: they must begin like other records in the file and contain readable text. Zeros at the end are never
/// recovered.
///
/// If the file ends with bytes that are not a record, the valid records right before them may also
/// be leftovers of an older file. So the records after the last one with a proof are dropped. A
/// proof is readable text, a count that fits the length, or the type and length of an earlier
/// record. A value that an engine writes and a game has is also a proof: not null, and without
/// reals such as 1e-44.
///
/// Undamaged bytes are read once. To bound the work in a hostile file, the search for records stops after it
/// has read the file sixteen times, and the search inside a damaged value after 24 times.
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
            is_explained: false,
        };
        let mut at = 0;
        // A segment after a gap may begin in the middle of a record.
        if n > 0 || segment.offset > 0 {
            at = file.borders.next(0).unwrap_or(segment.bytes.len());
            gap(&mut all.gaps, segment.offset, at);
        }
        while at < segment.bytes.len() {
            at = file.record(at, &mut all);
        }
        end = segment.offset + segment.bytes.len() as u64;
        if file.is_last && !file.is_explained {
            all.drop_unproved(segment, options);
        }
    }
    all
}

impl RecoveredRecords<'_> {
    /// If the file ends with a gap, drops the records after the last one with proof, because they may be leftovers.
    /// The gap then covers them.
    fn drop_unproved(&mut self, segment: &Segment<'_>, options: ReadOptions) {
        let end = segment.offset + segment.bytes.len() as u64;
        let is_trailing = |&(start, len): &(u64, u64)| len > 0 && start + len == end;
        if !self.gaps.last().is_some_and(is_trailing) {
            return;
        }
        // The length and the header of records with proof.
        let mut known = HashSet::new();
        let mut proved = 0;
        for (n, one) in self.records.iter().enumerate() {
            let Some(value) = one.found.plan().map(Plan::to_vec) else {
                continue;
            };
            let sort = (value.len(), word(&value, 0));
            let is_repeated = sort.1 != 0 && known.contains(&sort);
            // Nothing but a header precedes the first record. Records of earlier segments are not leftovers.
            let is_first = n == 0 || one.offset < segment.offset;
            let is_proof = is_proof(&value, options) || is_plausible(&value, options);
            if is_first || is_repeated || is_proof {
                known.insert(sort);
                proved = n + 1;
            }
        }
        let Some(first) = self.records.get(proved) else {
            return;
        };
        let start = first.offset - 4;
        self.records.truncate(proved);
        self.gaps.retain(|gap| gap.0 < start);
        gap(&mut self.gaps, start, (end - start) as usize);
    }
}

/// Returns `true` if an engine would write this value and games have values like it: it is valid in
/// strict mode, not only zeros, and has no subnormal reals. (Small whole numbers are subnormal if
/// they are read as reals.)
fn is_plausible(value: &[u8], options: ReadOptions) -> bool {
    let is_null = value.iter().all(|byte| *byte == 0);
    let strict = Document::with_options(value, options).strict();
    if is_null || strict.validate().is_err() {
        return false;
    }
    let is_subnormal = |root: VariantRef<'_>| {
        let math = Math::of(root);
        match math.as_ref().map(Math::numbers) {
            Some(Numbers::Singles(all)) => all.iter().any(|real| real.is_subnormal()),
            Some(Numbers::Doubles(all)) => all.iter().any(|real| real.is_subnormal()),
            _ => false,
        }
    };
    strict.root().is_ok_and(|root| !is_subnormal(root))
}

fn gap(gaps: &mut Vec<(u64, u64)>, start: u64, len: usize) {
    let len = len as u64;
    match gaps.last_mut() {
        Some((first, before)) if *first + *before == start => *before += len,
        _ if len > 0 => gaps.push((start, len)),
        _ => {}
    }
}

/// A record after the first one counts as cut only if its declared length is at most this, or at most sixteen times
/// the length of the bytes. Texts and floats give larger numbers if they are read as a length.
const LONGEST_CUT: usize = 16 << 20;

/// A segment whose records are read one after the other.
struct File<'a> {
    borders: Borders<'a>,
    base: u64,
    is_last: bool,
    /// `true` if the last record explains the end of the file: its length leads there, or further
    /// if the file was cut. Then the lengths of the records before it are the ones that the game
    /// wrote.
    is_explained: bool,
}

impl<'a> File<'a> {
    /// Recovers the record at `at` and returns the offset at which to continue.
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
            self.is_explained = true;
            gap(&mut all.gaps, offset - 4, bytes.len() - at);
            return bytes.len();
        };
        let declared = self.borders.length(at).map(|len| at + 4 + len);
        let is_end =
            |file: &mut File<'a>, end: usize| end == bytes.len() || file.borders.is_border(end);
        let border = declared.filter(|end| *end <= bytes.len() && *end >= at + 8);
        let border = border.filter(|end| is_end(self, *end));
        // Zeros read as the record of a null, and prove no length if a better record begins before them.
        let null = border.filter(|end| self.borders.is_null(*end));
        let better = null.and_then(|end| self.borders.next(at + 1).filter(|next| *next < end));
        let border = border.filter(|_| better.is_none());
        let value = Document::with_options(rest, options).validate();
        if border.is_none() {
            // The value may be valid and only its length wrong.
            let size = value.ok().filter(|size| *size <= rest.len());
            let own = size.filter(|size| {
                let is_known = self.borders.knows(at, *size);
                let is_likely = at == 0 && is_likely(&rest[..*size], options);
                let end = at + 4 + size;
                // If a record that begins four bytes later also ends there, a word was inserted before its
                // length.
                (is_known || is_likely)
                    && self.is_wrong_length(at, *size)
                    && is_end(self, end)
                    && self.borders.whole(at + 4) != Some(end)
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
        let is_first = all.records.is_empty() && at == 0;
        let next = (border.or(better)).or_else(|| self.borders.next(at + 1));
        // No record follows the last one of a truncated file. Its declared length lacks at least as many bytes
        // as its value does.
        let missing = match value.map_err(ReadError::kind) {
            Err(ErrorKind::Truncated { missing }) => Some(missing as usize),
            _ => None,
        };
        let is_cut = next.is_none()
            && declared.zip(missing).is_some_and(|(end, missing)| {
                let all = end.saturating_sub(bytes.len());
                let is_plausible =
                    is_first || end - at <= LONGEST_CUT.max(bytes.len().saturating_mul(16));
                all > 0 && missing <= all && is_plausible
            });
        self.is_explained = is_cut || border == Some(bytes.len());
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
        let is_proved =
            border.is_some() && (is_first || self.borders.is_known(at)) || is_first && is_cut;
        let rest = found.plan().map(|plan| plan.to_vec()).unwrap_or_default();
        // Leftover bytes of an older file may begin with a text and continue with other values. A value without
        // children does not prove that it ends before its record ends.
        let has_children = match count_of(own, options) {
            Some(_) => !found.lost().is_empty() || found.is_whole(),
            None => found.is_whole() && rest.len() == own.len(),
        };
        // After a single value the next one may begin in any way: store_var(version), then store_var(data).
        // The second one is no leftover if its length leads to a border, or beyond the end of a file that was cut.
        let before = match all.records[..] {
            // `None` if it lies in an earlier segment.
            [ref single] => single.offset.checked_sub(self.base),
            _ => None,
        };
        let before = before.and_then(|from| bytes.get(usize::try_from(from).ok()?..at));
        let is_single = before.is_some_and(|value| count_of(value, options).is_none());
        let end_of_gap = all.gaps.last().map(|(start, len)| start + len);
        let is_second = is_single && end_of_gap.is_none_or(|end| end < offset - 4);
        let begins_like_others = self.borders.known.is_empty()
            || self.borders.is_known(at)
            || is_second && (border.is_some() || is_cut);
        // A valid value in a record of another length has lost or gained bytes. A record that resembles its
        // neighbours may have, too.
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
    /// Returns `true` if a valid value of `size` bytes is intact and its length at `at` is wrong.
    /// The wrong length must differ from `size` in one byte only. It must also not be a multiple of
    /// four, to which engines pad values, or else differ from `size` by more than a file loses or
    /// gains in one piece. For the first record the one-byte condition does not apply, since
    /// nothing else can precede it.
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
