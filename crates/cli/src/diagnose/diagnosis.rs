//! Finds out what happened to a file before it was read (wiped, cut, newlines converted), if that explains its first
//! error.

use gdvar_edit::{Mangling, undo};
use gdvar_file::{
    blank::Blank,
    header, known_formats,
    records::{Framing, Problem, Record, records},
    trailer_len,
};
use gdvar_view::{Dialect, Document, Objects, ReadOptions};

use crate::{
    diagnose::{
        fault::{Fault, blank_words},
        report::{Note, Report},
    },
    input::bytes::Input,
    terminal::words::plural,
};

/// What happened to a file, as a message and advice.
pub(crate) struct Reason {
    /// The stable name that programs read.
    pub(crate) name: &'static str,
    message: String,
    help: &'static str,
}

impl Reason {
    /// Finds the reason for the first error in a file. Walks the file several times.
    pub(crate) fn of(
        input: &Input,
        framing: Framing,
        record: &Record<'_>,
        fault: Fault,
    ) -> Option<Reason> {
        if framing.is_text() || matches!(fault, Fault::Problem(Problem::Blank(_))) {
            return None;
        }
        if let Some(known) = known_formats::recognize(input) {
            return Some(Reason {
                name: known.name,
                message: format!("this is {}", known.what),
                help: known.help,
            });
        }
        let blank = blank(input, framing, record, fault);
        blank
            .map(|blank| Reason::new(Cause::Blank(blank)))
            .or_else(|| Reason::of_unreadable(input, framing))
    }

    /// Finds the reason why no record of a file can be read. Walks the file several times.
    pub(crate) fn of_unreadable(input: &Input, framing: Framing) -> Option<Reason> {
        // No record can be read, so the framing is only a guess. Tries the framing of store_var as well.
        let framings = [framing, Framing::Len32];
        let cause = of_file(input, |bytes| {
            is_whole(bytes, &framings) || is_whole_after_header(bytes)
        });
        cause.map(Reason::new)
    }

    fn new(cause: Cause) -> Reason {
        Reason {
            name: cause.name(),
            message: cause.message(),
            help: cause.help(),
        }
    }

    /// Makes the reason the message of a report, if there is one. Replaces the report's advice, which would be
    /// misleading.
    pub(crate) fn lead(reason: Option<Reason>, report: &mut Report<'_>) {
        let Some(reason) = reason else {
            return;
        };
        let seen = format!("to the engine it is {}: {}", report.code, report.message);
        report.code = reason.name.to_owned();
        report.message = reason.message;
        report.notes = vec![Note::Note(seen), Note::help(reason.help)];
    }
}

/// Returns the run of 00 or FF bytes at the end of a file, if the error is in the run or at most 8 bytes before it.
/// `None` if the record is cut off: its end is missing then, and not blank.
fn blank(input: &Input, framing: Framing, record: &Record<'_>, fault: Fault) -> Option<Blank> {
    let offset = fault.offset(record) - input.header().len();
    let cut = record.cut.is_some() || framing == Framing::Bare && fault.name() == "Truncated";
    Blank::at_end(input).filter(|blank| !cut && offset + 8 >= blank.start)
}

/// Returns `true` if, in some dialect and one of the framings, a file consists of valid values.
pub(crate) fn is_whole(bytes: &[u8], framings: &[Framing]) -> bool {
    Dialect::ALL.into_iter().any(|dialect| {
        let options = ReadOptions::new(dialect).with_objects(Objects::Inert);
        framings
            .iter()
            .any(|framing| reads(bytes, *framing, options))
    })
}

/// Returns `true` if a file consists of a header of the game's own and valid values after it.
pub(crate) fn is_whole_after_header(bytes: &[u8]) -> bool {
    let header = header::find(bytes, &Dialect::ALL).filter(|header| !header.is_doubtful);
    header.is_some_and(|header| {
        let values = &bytes[header.len..];
        header.framing.is_some_and(|framing| {
            let trailer = trailer_len(values, framing, &Dialect::ALL);
            is_whole(&values[..values.len() - trailer], &[framing])
        })
    })
}

/// Returns the text conversion after which a file has what looks like a header of the game's own, although all of it
/// was values. `bytes` are the file with that header. `None` if this did not happen. Takes linear time.
pub(crate) fn conversion_before_header(bytes: &[u8]) -> Option<Cause> {
    let framings = [Framing::Len32, Framing::Len32Be, Framing::Bare];
    // Only text can be the result, and few binary files are text.
    std::str::from_utf8(bytes)
        .ok()
        .filter(|_| !bytes.is_ascii())?;
    undo(bytes, |bytes| is_whole(bytes, &framings)).map(|undone| undone.mangling.into())
}

/// Returns `true` if all records of a file are valid values.
fn reads(bytes: &[u8], framing: Framing, options: ReadOptions) -> bool {
    records(bytes, framing).all(|record| {
        let document = Document::with_options(&record.bytes, options);
        record.problem.is_none()
            && record.cut.is_none()
            && document.validate() == Ok(record.bytes.len())
    })
}

/// An accident that happened to a file.
#[derive(Clone, Copy, PartialEq, Eq, Debug)]
pub(crate) enum Cause {
    /// The file was not written completely: a part of it is one repeated byte.
    Blank(Blank),
    /// Each 0A was replaced by 0D 0A. The number says how often.
    Newlines(usize),
    /// Each 0D before a 0A was removed. The number says how often.
    Returns(usize),
    /// Invalid bytes were replaced by U+FFFD. The number says how often.
    Replaced(usize),
    /// Bytes were read as Latin-1 and written as UTF-8. The number says how many bytes above 7F changed.
    Latin1(usize),
}

impl Cause {
    /// Returns the stable name that programs read.
    pub(crate) fn name(self) -> &'static str {
        match self {
            Cause::Blank(_) => "Blank",
            Cause::Newlines(_) | Cause::Returns(_) => "NewlinesConverted",
            Cause::Replaced(_) => "ReplacedByUtf8",
            Cause::Latin1(_) => "Latin1ToUtf8",
        }
    }

    /// Returns a sentence that names the cause.
    pub(crate) fn message(self) -> String {
        let times = |count| plural(count as u64, "time");
        match self {
            Cause::Blank(blank) => blank_words(blank),
            Cause::Newlines(count) => format!(
                "a program that converts line ends put 0D in front of every 0A, {}",
                times(count)
            ),
            Cause::Returns(count) => format!(
                "a program that converts line ends took away 0D in front of 0A, {}",
                times(count)
            ),
            Cause::Replaced(count) => format!(
                "a program took the file for text and replaced bytes that are not UTF-8 by EF BF BD (U+FFFD), {}",
                times(count)
            ),
            Cause::Latin1(count) => format!(
                "a program took the file for Latin-1 and wrote it as UTF-8, which changed {}",
                plural(count as u64, "byte")
            ),
        }
    }

    /// Returns advice on what to do next.
    pub(crate) fn help(self) -> &'static str {
        match self {
            Cause::Blank(_) => {
                "the machine stopped before the file was written, or the disk was full: what comes before may be whole"
            }
            Cause::Newlines(_) | Cause::Returns(_) => {
                "gdvar recover undoes it if nothing else is damaged; send the file as binary from then on (FTP, -text in .gitattributes)"
            }
            Cause::Replaced(_) => {
                "the bytes are lost: take a copy that was never opened or sent as text"
            }
            Cause::Latin1(_) => "gdvar recover undoes it; send the file as binary from then on",
        }
    }
}

impl From<Mangling> for Cause {
    fn from(mangling: Mangling) -> Cause {
        match mangling {
            Mangling::ReturnsAdded { count } => Cause::Newlines(count),
            Mangling::ReturnsTaken { count } => Cause::Returns(count),
            Mangling::Utf8 { count } => Cause::Latin1(count),
        }
    }
}

/// Finds out what happened to a file that cannot be read. `reads` returns whether repaired bytes can be read. Takes
/// linear time.
pub(crate) fn of_file(bytes: &[u8], reads: impl Fn(&[u8]) -> bool) -> Option<Cause> {
    // Eight are enough: by chance, only one 0A in 256 follows a 0D.
    let converted = converted_ends(bytes).filter(|count| *count >= 8);
    if let Some(count) = converted {
        return Some(Cause::Newlines(count));
    }
    if let Some(undone) = undo(bytes, reads) {
        return Some(undone.mangling.into());
    }
    let text = std::str::from_utf8(bytes).ok()?;
    let replaced = text.matches(char::REPLACEMENT_CHARACTER).count();
    (replaced > 0).then_some(Cause::Replaced(replaced))
}

/// Returns the number of 0A bytes if each follows a 0D.
fn converted_ends(bytes: &[u8]) -> Option<usize> {
    let mut ends = memchr::memchr_iter(b'\n', bytes);
    ends.try_fold(0, |count, end| {
        let before = end.checked_sub(1).and_then(|at| bytes.get(at));
        (before == Some(&b'\r')).then_some(count + 1)
    })
}
