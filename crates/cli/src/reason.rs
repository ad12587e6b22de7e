//! The fate of a file before it was read, if the first error in it is no more than a trace of that.

use gdvar_view::{Dialect, Document, Objects, ReadOptions};

use crate::{
    causes::{self, Blank, Cause},
    fault::Fault,
    foreign,
    input::Input,
    records::{Framing, Problem, Record, records},
    report::{Note, Report},
};

/// The fate of a file.
pub(crate) struct Reason {
    /// For machines.
    pub(crate) name: &'static str,
    message: String,
    help: &'static str,
}

impl Reason {
    /// The reason of the error in a record, the first of its file. Walks the file some times.
    pub(crate) fn of(
        input: &Input,
        framing: Framing,
        record: &Record<'_>,
        fault: Fault,
    ) -> Option<Reason> {
        if framing.is_text() || matches!(fault, Fault::Problem(Problem::Blank(_))) {
            return None;
        }
        if let Some(foreign) = foreign::recognize(input) {
            return Some(Reason {
                name: foreign.name,
                message: format!("this is {}", foreign.what),
                help: foreign.help,
            });
        }
        let blank = blank(input, framing, record, fault);
        blank
            .map(|blank| Reason::new(Cause::Blank(blank)))
            .or_else(|| Reason::of_unreadable(input, framing))
    }

    /// The reason of a file in which not even one record can be read. Walks the file some times.
    pub(crate) fn of_unreadable(input: &Input, framing: Framing) -> Option<Reason> {
        // In a file without a readable record the framing is a guess: store_var's is tried as well.
        let framings = [framing, Framing::Len32];
        let cause = causes::of_file(input, |bytes| is_whole(bytes, &framings));
        cause.map(Reason::new)
    }

    fn new(cause: Cause) -> Reason {
        Reason {
            name: cause.name(),
            message: cause.message(),
            help: cause.help(),
        }
    }

    /// Puts it in front of a message about the error, if there is one. Other help would lead astray.
    pub(crate) fn lead(reason: Option<Reason>, report: &mut Report<'_>) {
        let Some(reason) = reason else {
            return;
        };
        let seen = format!("to the engine it is {}: {}", report.code, report.message);
        report.code = reason.name.to_owned();
        report.message = reason.message;
        report.notes = vec![Note::Note(seen), Note::Help(reason.help.to_owned())];
    }
}

/// The blank rest of a file, if the error is in it. If a record is cut, only the rest is missing.
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
