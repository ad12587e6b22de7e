//! Iterates over the values of a file.

use std::borrow::Cow;

use gdvar_io::records::Mistake;
use gdvar_view::{Error, ErrorKind, PrefixOrder, frames};

pub use self::framing::Framing;
use crate::{blank::Blank, line};

mod framing;

/// One value of a file, or the reason why the value is missing.
#[derive(Debug)]
pub struct Record<'a> {
    /// The index of the record, from 0.
    pub index: u64,
    /// The bytes of the value; empty if there is a problem.
    pub bytes: Cow<'a, [u8]>,
    /// Where the record is.
    pub place: Place,
    /// The length that the record's prefix declares, if the file ends before that length.
    pub cut: Option<u32>,
    /// The reason why the bytes of the record could not be determined.
    pub problem: Option<Problem>,
}

/// Where a record is.
#[derive(Clone, Copy, Debug)]
pub enum Place {
    /// The offset of the value's first byte in the file.
    Byte(usize),
    /// The number of the record's line in the file, from 1.
    Line(u64),
}

impl Place {
    /// Returns the number to add to an offset in the value to get the offset in the file. Zero for a line of
    /// text, because the file does not contain the bytes of the value.
    #[must_use]
    pub fn base(self) -> usize {
        match self {
            Place::Byte(start) => start,
            Place::Line(_) => 0,
        }
    }
}

/// The reason why the bytes of a record could not be determined.
#[derive(Clone, Copy, Debug)]
pub enum Problem {
    /// The length prefix is missing or is not a length. The offset refers to the file.
    Frame(Error),
    /// A run of 00 or FF bytes is where records should be.
    Blank(Blank),
    /// The line is not hex. The number is the column, from 0.
    Hex(usize),
    /// The line is not base64. The number is the column, from 0.
    Base64(usize),
}

impl Problem {
    /// Returns a short name, such as `BadHex`.
    #[must_use]
    pub fn name(self) -> &'static str {
        match self {
            Problem::Frame(error) => error.kind().name(),
            Problem::Blank(_) => "Blank",
            Problem::Hex(_) => "BadHex",
            Problem::Base64(_) => "BadBase64",
        }
    }

    /// Returns the offset of the mistake, in the file or in the line.
    #[must_use]
    pub fn offset(self) -> usize {
        match self {
            Problem::Frame(error) => error.offset(),
            Problem::Blank(blank) => blank.start,
            Problem::Hex(column) | Problem::Base64(column) => column,
        }
    }
}

/// Returns `true` if the lengths in a file are big-endian: as a little-endian number, the first length exceeds the
/// file, and as a big-endian number, it leads to a record that is one value.
#[must_use]
pub fn is_big_endian(bytes: &[u8]) -> bool {
    let little = frames(bytes, PrefixOrder::Little).try_next();
    let fits = little.is_ok_and(|frame| frame.is_some_and(|frame| !frame.is_cut()));
    let order = PrefixOrder::Big;
    !fits && Mistake::of_records(bytes, PrefixOrder::Little) == Some(Mistake::Order { order })
}

/// Iterates over the records of `bytes` in a framing. With [`Framing::Bare`], there is always one record.
#[must_use]
pub fn records(bytes: &[u8], framing: Framing) -> Records<'_> {
    records_after(bytes, framing, 0)
}

/// Iterates over the records of `bytes`, the part of a file after its first `skipped` bytes. Offsets refer to
/// the file.
#[must_use]
pub fn records_after(bytes: &[u8], framing: Framing, skipped: usize) -> Records<'_> {
    Records {
        state: match framing {
            Framing::Bare => FramingState::Bare(Some(bytes)),
            Framing::Len32 | Framing::Len32Be => FramingState::Len32(Lengths {
                file: bytes,
                at: 0,
                order: framing.order().unwrap_or_default(),
                looked_to: 0,
            }),
            Framing::Hex | Framing::Base64 => FramingState::Lines {
                rest: bytes,
                line: 0,
                hex: framing == Framing::Hex,
            },
        },
        index: 0,
        position: 0,
        skipped,
    }
}

/// The iterator that [`records`] returns. The iterator reads each byte once. A clone continues at the current position.
#[derive(Clone, Debug)]
pub struct Records<'a> {
    state: FramingState<'a>,
    index: u64,
    position: usize,
    skipped: usize,
}

#[derive(Clone, Debug)]
enum FramingState<'a> {
    Bare(Option<&'a [u8]>),
    Len32(Lengths<'a>),
    Lines {
        rest: &'a [u8],
        line: u64,
        hex: bool,
    },
}

/// An iterator over records that follow their lengths.
#[derive(Clone, Debug)]
struct Lengths<'a> {
    file: &'a [u8],
    at: usize,
    order: PrefixOrder,
    /// No blank run starts between `at` and this offset.
    looked_to: usize,
}

impl<'a> Lengths<'a> {
    /// Returns the next record. A [`Blank`] run is one record. Without this, every four zeros would be a record of
    /// length zero, and there may be gigabytes of zeros.
    fn next(&mut self, skipped: usize) -> Option<Record<'a>> {
        let at = self.at;
        let mut rest = frames(&self.file[at..], self.order);
        match rest.try_next() {
            Ok(frame) => {
                let frame = frame?;
                if let Some(blank) = self.blank(frame.declared == 0) {
                    self.at += blank.len / 4 * 4;
                    if blank.to_end {
                        self.at = self.file.len();
                    }
                    return Some(blank_record(blank, skipped));
                }
                self.at += rest.position();
                let place = Place::Byte(skipped + at + frame.offset);
                Some(Record {
                    cut: frame.is_cut().then_some(frame.declared),
                    ..good(frame.bytes.into(), place)
                })
            }
            Err(error) => {
                let erased = matches!(error.kind(), ErrorKind::BadFrame { .. });
                let blank = self.blank(erased);
                self.at = self.file.len();
                Some(match blank {
                    Some(blank) => blank_record(blank, skipped),
                    None => {
                        let error = error.at(skipped + at);
                        bad(Problem::Frame(error), Place::Byte(error.offset()))
                    }
                })
            }
        }
    }

    /// Returns the blank run that starts at `at`. Returns `None` if `likely` is `false` or if there is no run. Each
    /// byte is examined once.
    fn blank(&mut self, likely: bool) -> Option<Blank> {
        if !likely || self.at < self.looked_to {
            return None;
        }
        let blank = Blank::at(self.file, self.at);
        if blank.is_none() {
            self.looked_to = self.at + 16;
        }
        blank
    }
}

fn blank_record(blank: Blank, skipped: usize) -> Record<'static> {
    let start = blank.start + skipped;
    let blank = Blank { start, ..blank };
    bad(Problem::Blank(blank), Place::Byte(start))
}

impl Records<'_> {
    /// Numbers the records and lines as if `records` other records and `lines` other lines came before them.
    #[must_use]
    pub fn after(mut self, (records, lines): (u64, u64)) -> Self {
        self.index = records;
        if let FramingState::Lines { line, .. } = &mut self.state {
            *line = lines;
        }
        self
    }

    /// Returns the number of bytes that have been read so far.
    #[must_use]
    pub fn position(&self) -> usize {
        self.position
    }
}

impl<'a> Iterator for Records<'a> {
    type Item = Record<'a>;

    fn next(&mut self) -> Option<Record<'a>> {
        let mut record = match &mut self.state {
            FramingState::Bare(bytes) => {
                let bytes = bytes.take()?;
                self.position = bytes.len();
                good(bytes.into(), Place::Byte(self.skipped))
            }
            FramingState::Len32(lengths) => {
                let record = lengths.next(self.skipped)?;
                self.position = lengths.at;
                record
            }
            FramingState::Lines { rest, line, hex } => {
                let (text, number) = next_line(rest, line, &mut self.position)?;
                let place = Place::Line(number);
                let decoded = if *hex {
                    line::from_hex(text).map_err(Problem::Hex)
                } else {
                    line::from_base64(text).map_err(Problem::Base64)
                };
                match decoded {
                    Ok(bytes) => good(bytes.into(), place),
                    Err(problem) => bad(problem, place),
                }
            }
        };
        record.index = self.index;
        self.index += 1;
        Some(record)
    }
}

/// Returns the next line that is not a comment, without the white space around it. An empty line is a value
/// of no bytes, so that every line except comments has a record.
fn next_line<'a>(
    rest: &mut &'a [u8],
    line: &mut u64,
    position: &mut usize,
) -> Option<(&'a [u8], u64)> {
    while !rest.is_empty() {
        let end = memchr::memchr(b'\n', rest);
        let (text, tail) = match end {
            Some(end) => (&rest[..end], &rest[end + 1..]),
            None => (*rest, &rest[rest.len()..]),
        };
        *position += rest.len() - tail.len();
        *rest = tail;
        *line += 1;
        let text = text.trim_ascii();
        if !text.starts_with(b"#") {
            return Some((text, *line));
        }
    }
    None
}

fn good(bytes: Cow<'_, [u8]>, place: Place) -> Record<'_> {
    Record {
        index: 0,
        bytes,
        place,
        cut: None,
        problem: None,
    }
}

fn bad(problem: Problem, place: Place) -> Record<'static> {
    Record {
        problem: Some(problem),
        ..good(Cow::Borrowed(&[]), place)
    }
}
