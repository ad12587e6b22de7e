//! What happened to a file before we read it (wiped, cut, newlines converted), when that explains its first
//! error.

use gdvar_edit::{Mangling, undo};
use gdvar_file::{
    blank::Blank,
    known_formats,
    records::{Framing, Problem, Record, records},
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

/// What happened to a file.
pub(crate) struct Reason {
    /// For machines.
    pub(crate) name: &'static str,
    message: String,
    help: &'static str,
}

impl Reason {
    /// The reason for the first error in a file. Walks the file several times.
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

    /// The reason why no record of a file can be read. Walks the file several times.
    pub(crate) fn of_unreadable(input: &Input, framing: Framing) -> Option<Reason> {
        // Without a readable record the framing is a guess, so the framing of store_var is tried too.
        let framings = [framing, Framing::Len32];
        let cause = of_file(input, |bytes| is_whole(bytes, &framings));
        cause.map(Reason::new)
    }

    fn new(cause: Cause) -> Reason {
        Reason {
            name: cause.name(),
            message: cause.message(),
            help: cause.help(),
        }
    }

    /// Replaces the message of a report by the reason, if there is one. The report's other help would
    /// mislead.
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

/// The blank rest of a file, if the error is in it. `None` if a record is cut: then its end is only missing.
fn blank(input: &Input, framing: Framing, record: &Record<'_>, fault: Fault) -> Option<Blank> {
    let offset = fault.offset(record) - input.header().len();
    let cut = record.cut.is_some() || framing == Framing::Bare && fault.name() == "Truncated";
    Blank::at_end(input).filter(|blank| !cut && offset + 8 >= blank.start)
}

/// Returns `true` if all of a file is values in one of the framings, in any dialect.
pub(crate) fn is_whole(bytes: &[u8], framings: &[Framing]) -> bool {
    Dialect::ALL.into_iter().any(|dialect| {
        let options = ReadOptions::new(dialect).with_objects(Objects::Inert);
        framings
            .iter()
            .any(|framing| reads(bytes, *framing, options))
    })
}

/// Returns `true` if all the records of a file are values.
fn reads(bytes: &[u8], framing: Framing, options: ReadOptions) -> bool {
    records(bytes, framing).all(|record| {
        let document = Document::with_options(&record.bytes, options);
        record.problem.is_none()
            && record.cut.is_none()
            && document.validate() == Ok(record.bytes.len())
    })
}

/// What happened to a file.
#[derive(Clone, Copy, PartialEq, Eq, Debug)]
pub(crate) enum Cause {
    /// It was not written to its end.
    Blank(Blank),
    /// Each 0A was replaced by 0D 0A, this many times.
    Newlines(usize),
    /// Each 0D before a 0A was taken away, this many times.
    Returns(usize),
    /// Bytes were replaced by U+FFFD, this many times.
    Replaced(usize),
    /// Each byte above 7F was taken for a character of Latin-1 and written as UTF-8, this many times.
    Latin1(usize),
}

impl Cause {
    /// For machines.
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

    /// The next thing to do.
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

/// Finds out what happened to a file with an error in its bytes. `reads` says
/// whether changed bytes could be read. Linear.
pub(crate) fn of_file(bytes: &[u8], reads: impl Fn(&[u8]) -> bool) -> Option<Cause> {
    // By chance, one 0A in 256 has a 0D in front.
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

/// The number of 0A, if each has a 0D in front.
fn converted_ends(bytes: &[u8]) -> Option<usize> {
    let mut ends = memchr::memchr_iter(b'\n', bytes);
    ends.try_fold(0, |count, end| {
        let before = end.checked_sub(1).and_then(|at| bytes.get(at));
        (before == Some(&b'\r')).then_some(count + 1)
    })
}
