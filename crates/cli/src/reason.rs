//! What became of a file before it was read, if the first error in it is no more than a trace of that.

use gdvar_view::{Dialect, Document, Objects, ReadOptions};

use crate::{
    causes::{self, Blank, Cause},
    fault::Fault,
    foreign,
    input::Input,
    records::{Framing, Problem, Record, records},
    report::{Note, Report},
};

/// What became of a file.
pub(crate) struct Reason {
    /// For machines.
    pub(crate) name: &'static str,
    message: String,
    help: &'static str,
}

impl Reason {
    /// Of the error in a record, the first of its file. Walks the file some times.
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
        let cause = blank(input, framing, record, fault).map(Cause::Blank);
        let cause = cause.or_else(|| {
            causes::of_file(input, |bytes| {
                Dialect::ALL.into_iter().any(|dialect| {
                    let options = ReadOptions::new(dialect).objects(Objects::Inert);
                    reads(bytes, framing, options)
                })
            })
        })?;
        Some(Reason {
            name: cause.name(),
            message: cause.message(),
            help: cause.help(),
        })
    }

    /// Puts it in front of a message about the error. Other help would lead astray.
    pub(crate) fn lead(self, report: &mut Report<'_>) {
        let seen = format!("to the engine it is {}: {}", report.code, report.message);
        report.code = self.name.to_owned();
        report.message = self.message;
        report.notes = vec![Note::Note(seen), Note::Help(self.help.to_owned())];
    }
}

/// The blank rest of a file, if the error is in it. Of a record that is cut, only the rest is missing.
fn blank(input: &Input, framing: Framing, record: &Record<'_>, fault: Fault) -> Option<Blank> {
    let offset = fault.offset(record) - input.header().len();
    let cut = record.cut.is_some() || framing == Framing::Bare && fault.name() == "Truncated";
    Blank::at_end(input).filter(|blank| !cut && offset + 8 >= blank.start)
}

/// Whether all the records of a file are values.
fn reads(bytes: &[u8], framing: Framing, options: ReadOptions) -> bool {
    records(bytes, framing).all(|record| {
        let document = Document::with_options(&record.bytes, options);
        record.problem.is_none()
            && record.cut.is_none()
            && document.validate() == Ok(record.bytes.len())
    })
}
