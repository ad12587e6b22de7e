//! The values of a file, one after the other.

use std::borrow::Cow;

use gdvar_io::records::Mistake;
use gdvar_view::{Error, ErrorKind, PrefixOrder, frames};

pub use self::framing::Framing;
use crate::{blank::Blank, line};

mod framing;

/// One value of a file, or the reason why there is none.
#[derive(Debug)]
pub struct Record<'a> {
    /// Counted from 0.
    pub index: u64,
    /// The bytes of the value; empty if there is a problem.
    pub bytes: Cow<'a, [u8]>,
    /// The place in the file.
    pub place: Place,
    /// The length that its prefix declares, if the file ends before that.
    pub cut: Option<u32>,
    /// Why it could not even be cut out of the file.
    pub problem: Option<Problem>,
}

impl Record<'_> {
    /// Why this is no whole record: a short name, and a sentence. `None` if it is one.
    #[must_use]
    pub fn damage(&self) -> Option<(&'static str, String)> {
        if let Some(len) = self.cut {
            let message = format!(
                "record {} is cut: its length says {len} bytes, and the file ends after {} of them",
                self.index,
                self.bytes.len()
            );
            return Some(("Truncated", message));
        }
        let problem = self.problem?;
        let message = match self.place {
            Place::Line(line) => format!("line {line}: {problem}"),
            Place::Byte(_) => problem.to_string(),
        };
        Some((problem.name(), message))
    }
}

/// The place of a record.
#[derive(Clone, Copy, Debug)]
pub enum Place {
    /// Its first byte in the file.
    Byte(usize),
    /// Its line in the file, counted from 1.
    Line(u64),
}

impl Place {
    /// The number to add to an offset in the value so that it counts from the start of the file. Zero for a line of
    /// text, because the file does not hold the bytes of the value.
    #[must_use]
    pub fn base(self) -> usize {
        match self {
            Place::Byte(start) => start,
            Place::Line(_) => 0,
        }
    }
}

/// Why a record could not be cut out of the file.
#[derive(Clone, Copy, Debug)]
pub enum Problem {
    /// The length prefix is missing or no length; the offset counts in the file.
    Frame(Error),
    /// A run of one byte, 00 or FF, is where records should be.
    Blank(Blank),
    /// The line is not hex; at that column, counted from 0.
    Hex(usize),
    /// The line is not base64.
    Base64(usize),
}

impl Problem {
    /// A short name: `BadHex`.
    #[must_use]
    pub fn name(self) -> &'static str {
        match self {
            Problem::Frame(error) => error.kind().name(),
            Problem::Blank(_) => "Blank",
            Problem::Hex(_) => "BadHex",
            Problem::Base64(_) => "BadBase64",
        }
    }

    /// The offset of the mistake, in the file or in the line.
    #[must_use]
    pub fn offset(self) -> usize {
        match self {
            Problem::Frame(error) => error.offset(),
            Problem::Blank(blank) => blank.start,
            Problem::Hex(column) | Problem::Base64(column) => column,
        }
    }
}

/// Returns `true` if the lengths in a file are big-endian: a little-endian one would lead past the end, and the
/// first record is one value. Walks the first record once for each dialect.
#[must_use]
pub fn is_big_endian(bytes: &[u8]) -> bool {
    let little = frames(bytes, PrefixOrder::Little).try_next();
    let fits = little.is_ok_and(|frame| frame.is_some_and(|frame| !frame.is_cut()));
    let order = PrefixOrder::Big;
    !fits && Mistake::of_records(bytes, PrefixOrder::Little) == Some(Mistake::Order { order })
}

/// The records of `bytes` in a framing. [`Framing::Bare`] always has one.
#[must_use]
pub fn records(bytes: &[u8], framing: Framing) -> Records<'_> {
    records_after(bytes, framing, 0)
}

/// The records of `bytes`, the part of a file after its first `skipped` bytes. Offsets count from the file's start.
#[must_use]
pub fn records_after(bytes: &[u8], framing: Framing, skipped: usize) -> Records<'_> {
    Records {
        state: match framing {
            Framing::Bare => State::Bare(Some(bytes)),
            Framing::Len32 | Framing::Len32Be => State::Len32(Lengths {
                file: bytes,
                at: 0,
                order: framing.order().unwrap_or_default(),
                looked_to: 0,
            }),
            Framing::Hex | Framing::Base64 => State::Lines {
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

/// Iterator of [`records`]. Linear: each byte is passed once. A copy continues from where it was taken.
#[derive(Clone, Debug)]
pub struct Records<'a> {
    state: State<'a>,
    index: u64,
    position: usize,
    skipped: usize,
}

#[derive(Clone, Debug)]
enum State<'a> {
    Bare(Option<&'a [u8]>),
    Len32(Lengths<'a>),
    Lines {
        rest: &'a [u8],
        line: u64,
        hex: bool,
    },
}

/// Values after their lengths.
#[derive(Clone, Debug)]
struct Lengths<'a> {
    file: &'a [u8],
    at: usize,
    order: PrefixOrder,
    /// No blank run starts between `at` and here.
    looked_to: usize,
}

impl<'a> Lengths<'a> {
    /// A run of zeros is one record, not one for each length of zero: there may be gigabytes.
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

    /// The blank run that starts at `at`. Each byte is looked at once.
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
    /// The same records, counted as if `records` others, on `lines` lines, came before.
    #[must_use]
    pub fn after(mut self, (records, lines): (u64, u64)) -> Self {
        self.index = records;
        if let State::Lines { line, .. } = &mut self.state {
            *line = lines;
        }
        self
    }

    /// The number of bytes that were passed.
    #[must_use]
    pub fn position(&self) -> usize {
        self.position
    }
}

impl<'a> Iterator for Records<'a> {
    type Item = Record<'a>;

    fn next(&mut self) -> Option<Record<'a>> {
        let mut record = match &mut self.state {
            State::Bare(bytes) => {
                let bytes = bytes.take()?;
                self.position = bytes.len();
                good(bytes.into(), Place::Byte(self.skipped))
            }
            State::Len32(lengths) => {
                let record = lengths.next(self.skipped)?;
                self.position = lengths.at;
                record
            }
            State::Lines { rest, line, hex } => {
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

/// The next line that is not a comment, without white space around it. An empty line counts as a
/// value of no bytes, so that the n-th line is always the n-th record.
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
