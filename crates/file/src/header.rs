//! Finds the game's own header: what precedes the values, such as a version number, a magic, or a line of
//! JSON.
//!
//! `store_32(version); store_var(save)` is a common home-made format. If such a file is read as a value from byte 0,
//! the result is nonsense, but may be valid by chance: version 2 before a record of 5320 bytes is the number 5320,
//! version 4 is a String, and version 29 is a `PackedByteArray`. So valid values are not enough. There must be evidence
//! that the values are intended: they end where the file ends, and contain readable text, or a container that is not
//! empty.
//!
//! ```text
//! do the first four bytes hold the file's size,
//! and is the rest one value with evidence?           they are the header
//! otherwise: do values from byte 0 have evidence?    there is no header
//! otherwise: try each offset where a header can end. The header ends at the first one that is followed
//!   by values with evidence                          unless the bytes look like a damaged record: no header
//!   by something compressed or encrypted
//! otherwise: are there records from byte 4 to the
//! last byte?                                         the first four bytes are the header
//! is the whole file also one value without evidence? then the header is doubtful, and the user chooses
//! ```

mod signs;

use gdvar_io::{Envelope, sniff};
use gdvar_view::{Dialect, Document, Event, Kind, Limits, PrefixOrder, Role, frames};

use self::signs::{begins_with_text, is_container_header, is_small};
use crate::{
    Framing,
    blank::{BLANK, Blank},
    container, is_value, options,
    records::{Problem, records},
    trailer_len,
};

/// The longest binary header that is searched.
const LONGEST: usize = 64;

/// The longest header that marks its own end: a line of text, or text after its length.
const LONGEST_TEXT: usize = 4096;

/// The number of bytes of the values that are examined for evidence. After these bytes, only the lengths before the
/// records are checked.
const LOOK: usize = 1 << 16;

/// Where the values of a file start, if not at byte 0.
#[derive(Clone, Copy, PartialEq, Eq, Debug)]
#[non_exhaustive]
pub struct Header {
    /// The length of the header in bytes.
    pub len: usize,
    /// The framing of the values after the header; `None` if something compressed or encrypted follows.
    pub framing: Option<Framing>,
    /// `true` if the whole file could also be one value.
    pub is_doubtful: bool,
}

/// Finds the header of `bytes`. Returns `None` if the values start at byte 0, or if there are none. This tries about 70
/// offsets; most of them fail at their first word.
#[must_use]
pub fn find(bytes: &[u8], dialects: &[Dialect]) -> Option<Header> {
    const BINARY: [Framing; 3] = [Framing::Len32, Framing::Len32Be, Framing::Bare];
    if bytes.len() < 16 || sniff(bytes) != Envelope::Other {
        return None;
    }
    if has_own_size(bytes, dialects) {
        return Some(Header {
            len: 4,
            framing: Some(Framing::Bare),
            is_doubtful: false,
        });
    }
    let start = at_start(bytes, dialects);
    if start == Evidence::Good {
        return None;
    }
    for len in ends(bytes) {
        let rest = &bytes[len..];
        if starts_with_record(&bytes[..len], dialects) {
            return None;
        }
        let is_own = || !is_array_head(&bytes[..len], dialects) || container::is_whole(rest);
        if container::starts(rest) && is_own() {
            return Some(Header {
                len,
                framing: None,
                is_doubtful: start == Evidence::Weak,
            });
        }
        for framing in BINARY {
            let good = |&&dialect: &&Dialect| {
                evidence(rest, framing, dialect, Search::After) == Evidence::Good
            };
            if let Some(&dialect) = dialects.iter().find(good) {
                let is_damage = match framing {
                    // A whole value is not damaged: it is the file's value, or has a number in it by chance.
                    Framing::Bare if len == 4 && start == Evidence::Weak => false,
                    Framing::Bare => is_wrong_length(bytes, len) || is_inside(bytes, len, dialect),
                    _ if start == Evidence::Damaged && are_frames(&bytes[..len], framing) => true,
                    _ => is_record(&bytes[..len], dialect),
                };
                return (!is_damage).then_some(Header {
                    len,
                    framing: Some(framing),
                    is_doubtful: start == Evidence::Weak,
                });
            }
        }
    }
    number_before_records(bytes, dialects).then_some(Header {
        len: 4,
        framing: Some(Framing::Len32),
        is_doubtful: start == Evidence::Weak,
    })
}

/// Returns `true` if the bytes after the first four are records up to the last byte, with [`Evidence::Weak`]. For
/// example, `store_32(1); store_var(99)` has no text and no container. But its record has the length 8 in front of
/// exactly eight bytes of a value, which is hardly there by chance. The first four bytes cannot be a damaged record,
/// because four bytes are too few for a record.
fn number_before_records(bytes: &[u8], dialects: &[Dialect]) -> bool {
    let records = &bytes[4..];
    dialects.iter().any(|&dialect| {
        trailer_len(records, Framing::Len32, &[dialect]) == 0
            && evidence(records, Framing::Len32, dialect, Search::After) == Evidence::Weak
    })
}

/// Returns `true` if the first four bytes are the size of the file, and the others are one value with evidence. A
/// record that lost its last four bytes has the same number in front, but its value is not complete.
fn has_own_size(bytes: &[u8], dialects: &[Dialect]) -> bool {
    let size = bytes.first_chunk().map(|size| u32::from_le_bytes(*size));
    size.is_some_and(|size| size as usize == bytes.len())
        && explains_bare(&bytes[4..], dialects)
        && is_value(&bytes[4..], dialects)
}

/// Returns `true` if there is evidence for values from byte 0 to the end of `bytes`.
pub(crate) fn explains(bytes: &[u8], dialects: &[Dialect]) -> bool {
    at_start(bytes, dialects) == Evidence::Good
}

/// Returns `true` if a value with two texts or more starts at byte 0, or after its length. Nothing is required of the
/// bytes after these texts.
pub(crate) fn starts_well(bytes: &[u8], dialects: &[Dialect]) -> bool {
    [0, 4]
        .into_iter()
        .filter_map(|at| bytes.get(at..))
        .any(|value| {
            dialects.iter().any(|&dialect| {
                let mut events = Document::with_options(value, options(dialect)).events();
                let mut seen = ValueStats::default();
                while let Ok(Some(event)) = events.try_next() {
                    seen.add(event, events.role());
                    if seen.starts_well() || seen.odd > 0 {
                        break;
                    }
                }
                seen.starts_well()
            })
        })
}

/// Returns the best evidence for values that start at byte 0.
fn at_start(bytes: &[u8], dialects: &[Dialect]) -> Evidence {
    let mut best = Evidence::None;
    for framing in [Framing::Len32, Framing::Len32Be, Framing::Bare] {
        for &dialect in dialects {
            best = best.max(evidence(bytes, framing, dialect, Search::AtStart));
            if best == Evidence::Good {
                return best;
            }
        }
    }
    best
}

/// The evidence that some bytes are values.
#[derive(Clone, Copy, PartialEq, Eq, PartialOrd, Ord)]
enum Evidence {
    /// The bytes are not values.
    None,
    /// Values up to the last byte, without readable text and without containers that are not empty. They may be valid
    /// by chance, because some types accept any bytes, such as `PackedByteArray`.
    Weak,
    /// Records up to the last byte, as for `Good`, but some of them are damaged.
    Damaged,
    /// Values up to the last byte, with readable text or containers that are not empty.
    Good,
}

/// Iterates over the offsets at which a header can end, in ascending order.
fn ends(bytes: &[u8]) -> impl Iterator<Item = usize> {
    let head = &bytes[..bytes.len().min(LONGEST_TEXT)];
    // A line of text, or text after its length, as store_pascal_string writes it.
    let line = memchr::memchr(b'\n', head).map(|end| end + 1);
    let line = line.filter(|&end| is_line(&head[..end]));
    let pascal = head.first_chunk().map(|len| u32::from_le_bytes(*len));
    let pascal = pascal.and_then(|len| usize::try_from(len).ok()?.checked_add(4));
    let pascal = pascal.filter(|&end| head.get(4..end).is_some_and(is_line));
    let mut long = [line, pascal].map(|end| end.filter(|&end| end > LONGEST));
    long.sort();
    let long = long.into_iter().flatten();
    let last = bytes.len() - 8;
    (1..=LONGEST)
        .chain(long)
        .filter(move |&end| end <= last.min(LONGEST_TEXT))
}

/// Returns `true` if the bytes are text that cannot contain a record, because the text has no zero byte.
fn is_line(bytes: &[u8]) -> bool {
    std::str::from_utf8(bytes).is_ok_and(|text| !text.contains('\0'))
}

/// Where the values are assumed to start.
#[derive(Clone, Copy, PartialEq, Eq)]
enum Search {
    /// At byte 0. Some records may be damaged, which gives [`Evidence::Damaged`]. A long value is read only up to
    /// [`LOOK`] bytes.
    AtStart,
    /// After a header. A record that cannot be read counts only if it starts well, and a long bare value is
    /// read to its end.
    After,
}

/// Returns the evidence that all of `bytes` are values in a framing. The last value may be truncated, or zeros may
/// follow it.
fn evidence(bytes: &[u8], framing: Framing, dialect: Dialect, search: Search) -> Evidence {
    // No length begins in a run of 00 or FF, which may be gigabytes long: it is not measured at each offset.
    let head = bytes.get(..BLANK).unwrap_or_default();
    if framing.order().is_some() && Blank::at(head, 0).is_some() {
        return Evidence::None;
    }
    let bytes = match framing {
        // Looking for a trailer after a bare value would take a reading for each dialect.
        Framing::Bare => bytes,
        _ => &bytes[..bytes.len() - trailer_len(bytes, framing, &[dialect])],
    };
    // A value that exceeds the depth limit is not a header either.
    let options = options(dialect).with_limits(Limits::MOST);
    let mut seen = ValueStats::default();
    let (mut damaged, mut last) = (0, false);
    for record in records(bytes, framing) {
        match record.problem {
            Some(Problem::Blank(blank)) if blank.to_end && seen.len > 0 => break,
            None if !last => {}
            _ => return Evidence::None,
        }
        last = record.cut.is_some();
        if seen.len >= LOOK {
            continue;
        }
        let mut own = ValueStats::default();
        let mut events = Document::with_options(&record.bytes, options).events();
        let is_value = loop {
            let position = events.position();
            match events.try_next() {
                Ok(Some(event)) => own.add(event, events.role()),
                Ok(None) => break position == record.bytes.len() && !last,
                // The file ends within this value. Any bytes look like the start of some value, so more
                // evidence is needed.
                Err(error) if error.is_truncated() && (last || framing == Framing::Bare) => {
                    last = true;
                    break own.starts_well();
                }
                Err(_) => break false,
            }
            let may_end = search == Search::AtStart || framing != Framing::Bare;
            if may_end && position >= LOOK {
                break true;
            }
        };
        own.len = events.position();
        match (is_value, search) {
            (true, _) => seen = seen.and(own),
            // Text after its length looks like a record.
            (false, Search::AtStart) if record.index == 0 && is_text(&record.bytes) => {
                return Evidence::None;
            }
            (false, Search::AtStart) if framing != Framing::Bare => damaged += 1,
            // An unreadable record after a header counts too, if its length fits and it begins with plausible
            // texts.
            (false, Search::After) if !last && own.starts_well() && framing != Framing::Bare => {
                seen = seen.and(own);
            }
            (false, _) => return Evidence::None,
        }
    }
    let is_good = seen.texts + seen.children > 0;
    match seen.len {
        0 => Evidence::None,
        _ if seen.is_cut_text && framing == Framing::Bare => Evidence::None,
        _ if is_good && damaged == 0 => Evidence::Good,
        _ if is_good => Evidence::Damaged,
        _ if damaged > 0 => Evidence::None,
        _ => Evidence::Weak,
    }
}

/// Returns `true` if the bytes cannot be a damaged value: they are text, or their number is not a multiple of four.
fn is_text(bytes: &[u8]) -> bool {
    let text = std::str::from_utf8(bytes);
    bytes.len() % 4 != 0 || text.is_ok_and(|text| text.chars().all(|c| !c.is_control()))
}

/// Counts of what occurs in values.
#[derive(Default)]
struct ValueStats {
    /// The number of bytes.
    len: usize,
    /// Texts of two characters or more without control characters.
    texts: u64,
    /// Texts and names with control characters.
    odd: u64,
    /// Values in containers.
    children: u64,
    /// `true` if a value is a text with a NUL inside. Engines read the text up to the NUL, and never write such a text
    /// (docs/FORMAT.md, the table of tolerated bytes). A version number 4 or 21 before a length looks like this.
    is_cut_text: bool,
}

impl ValueStats {
    fn and(self, other: ValueStats) -> ValueStats {
        ValueStats {
            len: self.len + other.len,
            texts: self.texts + other.texts,
            odd: self.odd + other.odd,
            children: self.children + other.children,
            is_cut_text: self.is_cut_text || other.is_cut_text,
        }
    }

    /// Returns `true` if this is enough evidence for a value that cannot be read to its end.
    fn starts_well(&self) -> bool {
        self.texts > 1 && self.odd == 0
    }

    fn add(&mut self, event: Event<'_>, role: Role) {
        self.children += u64::from(role != Role::Root);
        if let (Event::Value(value), Role::Root) = (event, role) {
            let text = value.as_text();
            self.is_cut_text |= text.is_some_and(|text| text.raw().contains(&0));
        }
        let text = match event {
            Event::Property(name) => name.to_str().ok(),
            Event::Value(value) if value.kind() != Kind::NodePath => value.as_str(),
            _ => None,
        };
        let Some(text) = text.filter(|text| !text.is_empty()) else {
            return;
        };
        let is_odd = |c: char| c.is_control() && !c.is_whitespace();
        match text.chars().any(is_odd) {
            true => self.odd += 1,
            false => self.texts += u64::from(text.len() > 1),
        }
    }
}

/// Returns `true` if the four bytes before a value are the length of the value, with one wrong byte. A number from 1 to
/// 16 is a version: games write one in front more often than damage makes one of the length of a small value.
fn is_wrong_length(bytes: &[u8], len: usize) -> bool {
    let right = u32::try_from(bytes.len() - len).unwrap_or(u32::MAX);
    let same = |(own, right): (&u8, u8)| *own == right;
    len == 4
        && !matches!(bytes, [1..=16, 0, 0, 0, ..])
        && bytes[..4]
            .iter()
            .zip(right.to_le_bytes())
            .filter(|&pair| same(pair))
            .count()
            >= 3
}

/// Returns `true` if the value from `len` to the end of the file is probably a part of a larger value whose start is
/// damaged. This is assumed if the file from byte 0 or 4 on becomes one value when its type is replaced by Dictionary or
/// Array. It is also assumed if more than a sixteenth of the file is before the value, unless these bytes are small
/// numbers, such as versions. Text is a header, because damage writes zeros or noise. Neither is one if a container
/// may begin in it.
fn is_inside(bytes: &[u8], len: usize, dialect: Dialect) -> bool {
    let header = &bytes[..len];
    let has_container = header
        .windows(4)
        .any(|word| is_container_header(word, dialect));
    if !has_container && begins_with_text(header) {
        return false;
    }
    let are_numbers = || !has_container && header.chunks(4).all(is_small);
    if len * 16 > bytes.len() && !are_numbers() {
        return true;
    }
    [0, 4].into_iter().filter(|&at| at < len).any(|at| {
        let mut mended = bytes[at..].to_vec();
        [Kind::Dictionary, Kind::Array].into_iter().any(|kind| {
            let Some(number) = dialect.type_id(kind) else {
                return false;
            };
            mended[..4].copy_from_slice(&u32::from(number.0).to_le_bytes());
            let read = Document::with_options(&mended, options(dialect)).validate();
            read == Ok(mended.len())
        })
    })
}

/// Returns `true` if a header ends like a PackedByteArray before its bytes. Compressed bytes after it are a value, and no
/// container, unless they reach to the end of the file.
fn is_array_head(header: &[u8], dialects: &[Dialect]) -> bool {
    let head = header.len().checked_sub(8).map(|at| &header[at..at + 4]);
    dialects.iter().any(|dialect| {
        let id = dialect.type_id(Kind::PackedByteArray);
        id.is_some_and(|id| head == Some(&u32::from(id.0).to_le_bytes()))
    })
}

/// Returns `true` if a header begins with a whole record that has evidence of values. The record is then a value of the
/// file, and no header is searched for.
fn starts_with_record(header: &[u8], dialects: &[Dialect]) -> bool {
    [PrefixOrder::Little, PrefixOrder::Big]
        .into_iter()
        .filter_map(|order| frames(header, order).try_next().ok().flatten())
        .any(|first| !first.is_cut() && explains_bare(first.bytes, dialects))
}

/// Returns `true` if there is evidence that `bytes` are one value.
fn explains_bare(bytes: &[u8], dialects: &[Dialect]) -> bool {
    dialects
        .iter()
        .any(|&dialect| evidence(bytes, Framing::Bare, dialect, Search::After) == Evidence::Good)
}

/// Returns `true` if the lengths in `header` divide it into whole records. Then `header` is not a header, but consists
/// of damaged records.
fn are_frames(header: &[u8], framing: Framing) -> bool {
    records(header, framing).all(|record| record.problem.is_none() && record.cut.is_none())
}

/// Returns `true` if a header is itself a record with a damaged length: everything after its first word is a
/// value with evidence.
fn is_record(header: &[u8], dialect: Dialect) -> bool {
    header
        .get(4..)
        .is_some_and(|value| explains_bare(value, &[dialect]))
}

/// Finds the number in `header` that is the size of the `len` bytes after the header, or of the header and these bytes
/// together. The number is binary, or in decimal digits. Returns `None` if no number fits. Also returns `None` if `len`
/// is 0, because then zeros and the length of the header itself would fit.
#[must_use]
pub fn size_field(header: &[u8], len: usize) -> Option<SizeField> {
    if len == 0 {
        return None;
    }
    let own = |number: u64| {
        let mut fitting = [0, header.len()].into_iter();
        fitting.find(|own| (len + own) as u64 == number)
    };
    let forms = [
        (SizeForm::LittleEndian, 8),
        (SizeForm::LittleEndian, 4),
        (SizeForm::BigEndian, 8),
        (SizeForm::BigEndian, 4),
    ];
    let binary = forms.into_iter().find_map(|(form, width)| {
        let last = header.len().checked_sub(width)?;
        (0..=last).find_map(|at| {
            let mut eight = [0; 8];
            eight[..width].copy_from_slice(&header[at..at + width]);
            if form == SizeForm::BigEndian {
                eight[..width].reverse();
            }
            own(u64::from_le_bytes(eight)).map(|own| SizeField {
                at,
                width,
                form,
                own,
            })
        })
    });
    binary.or_else(|| {
        decimals(header).find_map(|(at, digits)| {
            own(digits.parse().ok()?).map(|own| SizeField {
                at,
                width: digits.len(),
                form: SizeForm::Decimal,
                own,
            })
        })
    })
}

/// Iterates over the whole numbers in decimal digits, each with its offset. Digits in a word (`v12`, `1.5`) do not
/// count.
fn decimals(header: &[u8]) -> impl Iterator<Item = (usize, &str)> {
    let is_word = |byte: &u8| byte.is_ascii_alphanumeric() || matches!(byte, b'_' | b'.');
    let mut end = 0;
    let words = header.split(move |byte| !is_word(byte)).map(move |word| {
        let at = end;
        end += word.len() + 1;
        (at, word)
    });
    words.filter_map(|(at, word)| {
        let is_number = !word.is_empty() && word.iter().all(u8::is_ascii_digit);
        let text = std::str::from_utf8(word).ok().filter(|_| is_number)?;
        Some((at, text))
    })
}

/// How a number in a header is written.
#[derive(Clone, Copy, PartialEq, Eq, Debug)]
#[non_exhaustive]
pub enum SizeForm {
    /// Binary, the least significant byte first.
    LittleEndian,
    /// Binary, the most significant byte first.
    BigEndian,
    /// Decimal digits. If there are leading zeros, the count of digits is fixed.
    Decimal,
}

/// A number in a header that is the size of the bytes after the header, or of the whole file.
#[derive(Clone, Copy, PartialEq, Eq, Debug)]
#[non_exhaustive]
pub struct SizeField {
    /// The offset of the number in the header.
    pub at: usize,
    /// The width of the number in bytes: 4 or 8 if it is binary, else the count of its digits.
    pub width: usize,
    /// How the number is written.
    pub form: SizeForm,
    /// The number of header bytes that the size includes.
    own: usize,
}

impl SizeField {
    /// Returns `header` with the number changed to the size for `len` bytes after the header. If the count of decimal
    /// digits changes, the header becomes longer or shorter.
    #[must_use]
    pub fn put(self, header: &[u8], len: usize) -> Vec<u8> {
        let (start, end) = (self.at, self.at + self.width);
        let number = |own: usize| -> Vec<u8> {
            let size = (len + own) as u64;
            match self.form {
                SizeForm::LittleEndian => size.to_le_bytes()[..self.width].to_vec(),
                SizeForm::BigEndian => size.to_be_bytes()[8 - self.width..].to_vec(),
                SizeForm::Decimal if header[start] == b'0' => {
                    format!("{size:0width$}", width = self.width).into_bytes()
                }
                SizeForm::Decimal => size.to_string().into_bytes(),
            }
        };
        let mut size = number(self.own);
        if self.own > 0 {
            // The size counts its own digits, which may be one more or fewer than before. A second time, because the
            // number that counts them may need one more digit itself.
            for _ in 0..2 {
                size = number(self.own - self.width + size.len());
            }
        }
        [&header[..start], &size, &header[end..]].concat()
    }
}

/// Adjusts the size in a header, if there is one, from `old` to `new` bytes after the header. Both numbers include a
/// trailer of `trailer` bytes. The size in the header may include the trailer or not.
#[must_use]
pub(crate) fn resized(header: &[u8], old: usize, new: usize, trailer: usize) -> Vec<u8> {
    match counted_size(header, old, trailer) {
        Some((field, uncounted)) => field.put(header, new.saturating_sub(uncounted)),
        None => header.to_vec(),
    }
}

/// Finds a size in a header with [`size_field`]. The size may leave out the last `trailer` of the `len` bytes after the
/// header. Returns the size, and how many bytes it leaves out.
#[must_use]
pub fn counted_size(header: &[u8], len: usize, trailer: usize) -> Option<(SizeField, usize)> {
    [0, trailer].into_iter().find_map(|uncounted| {
        let field = size_field(header, len.saturating_sub(uncounted))?;
        Some((field, uncounted))
    })
}

/// Adjusts the size in a header, if there is one, from `old` to `new` bytes of contents.
#[must_use]
pub fn with_size(header: &[u8], old: usize, new: usize) -> Vec<u8> {
    match size_field(header, old) {
        Some(field) => field.put(header, new),
        None => header.to_vec(),
    }
}
