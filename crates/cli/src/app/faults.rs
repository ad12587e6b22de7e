//! Reports records that cannot be read.

use std::io;

use gdvar_file::Decision;
use gdvar_file::records::{Framing, Place, Problem, Record};
use gdvar_view::{Document, Error, ErrorKind, Objects, ReadOptions};

use super::App;
use crate::{
    diagnose::{
        diagnosis::{Cause, Reason},
        fault::{self, Fault},
        hints::{self, Case},
        report::{Note, Report, Window},
        verdict,
    },
    input::bytes::Input,
    terminal::words,
};

impl App {
    /// Returns `true` on the first call for a file. Only the first message about a file has the long explanations.
    pub(crate) fn is_first(&self) -> bool {
        !self.hinted.replace(true)
    }

    /// Builds the message for people about a record that cannot be read.
    pub(crate) fn report<'a>(
        &self,
        input: &'a Input,
        framing: Framing,
        record: &'a Record<'_>,
        fault: Fault,
        options: ReadOptions,
    ) -> Report<'a> {
        let document = Document::with_options(&record.bytes, options);
        let name = input.place();
        let mut place = match (record.place, fault) {
            (Place::Byte(_), _) => format!("{name}:{:#x}", fault.offset(record)),
            (Place::Line(line), Fault::Read(error)) => {
                format!("{name}, line {line}, byte {:#x}", error.offset())
            }
            (Place::Line(line), Fault::Problem(problem)) => {
                format!("{name}, line {line}, column {}", problem.offset() + 1)
            }
        };
        if record.index > 0 && matches!(record.place, Place::Byte(_)) {
            place += &format!(", record {}", record.index);
        }
        let first = self.is_first();
        let reason = first.then(|| Reason::of(input, framing, record, fault));
        let reason = reason.flatten();
        let case = Case {
            file: input,
            framing,
            options,
            dialect_given: self.global.dialect.given().is_some(),
            framing_given: self.global.framing.get().is_some(),
            first,
        };
        let in_file = |offset: usize| Window {
            bytes: input,
            base: input.header().len(),
            offset: offset - input.header().len(),
        };
        let (message, window, notes) = match fault {
            Fault::Read(error) => {
                place += &format!(" at {}", fault.path(document));
                let window = Window {
                    bytes: &record.bytes,
                    base: record.place.base(),
                    offset: error.offset(),
                };
                let notes = hints::about(case, record, error.kind(), error.offset());
                (message(error, framing, record), Some(window), notes)
            }
            Fault::Problem(Problem::Frame(error)) => {
                let notes = hints::about(case, record, error.kind(), error.offset());
                let window = in_file(error.offset());
                (error.kind().to_string(), Some(window), notes)
            }
            Fault::Problem(Problem::Blank(blank)) => {
                let window = in_file(blank.start);
                let help = Note::Help(Cause::Blank(blank).help().to_owned());
                (fault::blank_words(blank), Some(window), vec![help])
            }
            Fault::Problem(Problem::Hex(_)) => (
                "the line is not made of pairs of hex digits".to_owned(),
                None,
                Vec::new(),
            ),
            Fault::Problem(Problem::Base64(_)) => {
                ("the line is not base64".to_owned(), None, Vec::new())
            }
        };
        let mut report = Report {
            code: fault.name().to_owned(),
            message,
            place,
            window,
            notes,
        };
        Reason::lead(reason, &mut report);
        report
    }

    /// Builds the line of `--json` about a record that cannot be read.
    pub(crate) fn fault_line<'a>(
        &self,
        input: &'a Input,
        framing: Framing,
        record: &Record<'_>,
        fault: Fault,
        options: ReadOptions,
    ) -> verdict::RecordLine<'a> {
        let document = Document::with_options(&record.bytes, options);
        let cause = self
            .is_first()
            .then(|| Reason::of(input, framing, record, fault));
        verdict::RecordLine {
            ok: false,
            read: false,
            error: Some(fault.name()),
            offset: Some(fault.offset(record)),
            path: Some(fault.path(document)),
            cause: cause.flatten().map(|cause| cause.name),
            ..verdict::RecordLine::fine(&input.name, record.index)
        }
    }

    /// Reports a record that cannot be read, and raises the exit code. After `--max-errors` reports, further records
    /// are only counted.
    pub(crate) fn fault(
        &mut self,
        input: &Input,
        framing: Framing,
        record: &Record<'_>,
        fault: Fault,
        options: ReadOptions,
    ) -> io::Result<()> {
        self.exit.merge(fault::exit_code(
            fault,
            Document::with_options(&record.bytes, options),
        ));
        self.problems += 1;
        if self.problems > self.global.max_errors() {
            return Ok(());
        }
        if self.global.json {
            let line = self.fault_line(input, framing, record, fault, options);
            return self.error_line(&line);
        }
        self.flush()?;
        let report = self.report(input, framing, record, fault, options);
        report.print(&mut self.err)
    }

    /// Reports a record with a damaged frame: a wrong length, or a line of text that cannot be decoded. Returns `false`
    /// if the frame is fine.
    pub(crate) fn is_broken(
        &mut self,
        input: &Input,
        decision: &Decision,
        record: &Record<'_>,
    ) -> io::Result<bool> {
        let Some(problem) = record.problem else {
            return Ok(false);
        };
        let options = self.options(decision.dialect, Objects::Inert);
        let fault = Fault::Problem(problem);
        self.fault(input, decision.framing, record, fault, options)?;
        Ok(true)
    }
}

/// Returns the message for an error. The message distinguishes a record that is cut off from a whole record with a
/// wrong length or count.
fn message(error: Error, framing: Framing, record: &Record<'_>) -> String {
    match (error.kind(), record.cut) {
        (ErrorKind::Truncated { .. }, Some(declared)) => format!(
            "the record is cut off: {} of {}",
            words::count(record.bytes.len() as u64),
            words::plural(declared.into(), "byte"),
        ),
        (ErrorKind::Truncated { missing }, None) if framing == Framing::Len32 => format!(
            "a length or count is damaged: the record is whole, but its value would need at least {} more",
            words::plural(missing.into(), "byte"),
        ),
        (kind, _) => kind.to_string(),
    }
}
