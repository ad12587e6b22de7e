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
//! otherwise: do whole records with evidence, from an
//! offset where a header can end, reach the last
//! byte?                                              the header ends at the first such offset
//! otherwise: are values from byte 0 cut?             there is no header
//! otherwise: try each offset where a header can end. The header ends at the first one that is followed
//!   by values with evidence                          unless the bytes look like a damaged record: no header
//!   by something compressed or encrypted
//! otherwise: are there records from byte 4 to the
//! last byte?                                         the first four bytes are the header
//! is the whole file also one value without evidence? then the header is doubtful, and the user chooses
//! ```

mod evidence;
mod signs;

use gdvar_io::{Envelope, sniff};
use gdvar_view::{Detector, Dialect, Document, Kind, PrefixOrder, ReadOptions, frames};

use self::evidence::{Evidence, Search, at_start, evidence};
pub(crate) use self::evidence::{explains, starts_well};
use self::signs::{begins_with_text, is_container_header, is_small};
use crate::{Framing, container, options, records::records, trailer_len};

/// The longest binary header that is searched.
const LONGEST: usize = 64;

/// The longest header that marks its own end: a line of text, or text after its length.
const LONGEST_TEXT: usize = 4096;

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
    let search = HeaderSearch {
        bytes,
        dialects,
        start,
    };
    if let Some(header) = search.whole_records() {
        return Some(header);
    }
    if start == Evidence::Cut {
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
        for framing in [Framing::Len32, Framing::Len32Be, Framing::Bare] {
            if let Some(found) = search.values_after(len, framing, Evidence::Cut) {
                return found;
            }
        }
    }
    number_before_records(bytes, dialects).then_some(Header {
        len: 4,
        framing: Some(Framing::Len32),
        is_doubtful: start == Evidence::Weak,
    })
}

/// The search for values after a header.
struct HeaderSearch<'s> {
    bytes: &'s [u8],
    dialects: &'s [Dialect],
    /// The evidence for values from byte 0.
    start: Evidence,
}

impl HeaderSearch<'_> {
    /// Finds the first header that is followed by whole records up to the last byte. They are better evidence than
    /// a value that was cut, at byte 0 or after a shorter header: a length that ends in the byte 1C looks like an Array
    /// of as many elements as the next word says, and its elements are read until the file ends.
    fn whole_records(&self) -> Option<Header> {
        for len in ends(self.bytes) {
            let (header, rest) = self.bytes.split_at(len);
            if starts_with_record(header, self.dialects) {
                return None;
            }
            for framing in [Framing::Len32, Framing::Len32Be] {
                let first = framing.order().map(|order| frames(rest, order).try_next());
                let fits = matches!(first, Some(Ok(Some(first))) if !first.is_cut());
                if let (true, Some(found)) = (fits, self.values_after(len, framing, Evidence::Good))
                {
                    return found;
                }
            }
        }
        None
    }

    /// Returns the header of `len` bytes if values with at least this evidence follow it. Returns `Some(None)` if values
    /// follow, but the bytes before them look like damaged values.
    fn values_after(
        &self,
        len: usize,
        framing: Framing,
        least: Evidence,
    ) -> Option<Option<Header>> {
        let (header, rest) = self.bytes.split_at(len);
        let is_read =
            |&&dialect: &&Dialect| evidence(rest, framing, dialect, Search::After) >= least;
        let &dialect = self.dialects.iter().find(is_read)?;
        let is_damage = match framing {
            // A whole value is not damaged: it is the file's value, or has a number in it by chance.
            Framing::Bare if len == 4 && self.start == Evidence::Weak => false,
            Framing::Bare => {
                is_wrong_length(self.bytes, len) || is_inside(self.bytes, len, dialect)
            }
            _ if self.start == Evidence::Damaged && are_frames(header, framing) => true,
            _ => is_record(header, dialect),
        };
        Some((!is_damage).then_some(Header {
            len,
            framing: Some(framing),
            is_doubtful: self.start == Evidence::Weak,
        }))
    }
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

/// Returns `true` if the first four bytes are the size of the file, and the others are one value with evidence, as an
/// engine writes it. A record that lost four bytes has the same number in front. Its value is not complete, or has
/// something in it that no engine writes or no game stores, because bytes are read at the wrong places.
fn has_own_size(bytes: &[u8], dialects: &[Dialect]) -> bool {
    let size = bytes.first_chunk().map(|size| u32::from_le_bytes(*size));
    let value = &bytes[4..];
    let is_written = |&dialect: &Dialect| {
        let options = ReadOptions::any_release(dialect);
        Document::with_options(value, options).validate() == Ok(value.len())
    };
    let is_plausible = || {
        let mut detector = Detector::new(dialects);
        detector.add(value);
        detector
            .finish()
            .readings()
            .iter()
            .any(|one| one.failed + one.odd == 0)
    };
    size.is_some_and(|size| size as usize == bytes.len())
        && explains_bare(value, dialects)
        && dialects.iter().any(is_written)
        && is_plausible()
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
    // The type of a value is in its first four bytes, and its parts come later.
    if len > 4 && len * 16 > bytes.len() && !are_numbers() {
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
        .any(|&dialect| evidence(bytes, Framing::Bare, dialect, Search::After) >= Evidence::Cut)
}

/// Returns `true` if the lengths in `header` divide it into whole records. Then `header` is not a header, but consists
/// of damaged records. A record of four bytes can only be a null: any other number in it is the game's own, after a
/// version 4.
fn are_frames(header: &[u8], framing: Framing) -> bool {
    let mut longest = 0;
    let are_whole = records(header, framing).all(|record| {
        longest = longest.max(record.bytes.len());
        record.problem.is_none() && record.cut.is_none()
    });
    are_whole && longest > 4
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
