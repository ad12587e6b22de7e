//! The fault of a record.

use gdvar_file::{
    blank::Blank,
    records::{Problem, Record},
};
use gdvar_view::{Document, Error, Mode};

use crate::terminal::{
    exit::{self, Exit},
    words::plural,
};

/// The fault of a record.
#[derive(Clone, Copy, Debug)]
pub(crate) enum Fault {
    /// Its value cannot be read. The error's offset is an offset in the value.
    Read(Error),
    /// It could not be cut out of the file.
    Problem(Problem),
}

impl Fault {
    /// For machines.
    pub(crate) fn name(self) -> &'static str {
        match self {
            Fault::Read(error) => error.kind().name(),
            Fault::Problem(problem) => problem.name(),
        }
    }

    /// For people, without the place.
    pub(crate) fn words(self) -> String {
        match self {
            Fault::Read(error) => error.kind().to_string(),
            Fault::Problem(Problem::Blank(blank)) => blank_words(blank),
            Fault::Problem(_) => "the record cannot be cut out of the file".to_owned(),
        }
    }

    /// From the start of the file, or of the value where values are lines of text.
    pub(crate) fn offset(self, record: &Record<'_>) -> usize {
        match self {
            Fault::Read(error) => error.offset() + record.place.base(),
            Fault::Problem(problem) => problem.offset(),
        }
    }

    /// The place in the value.
    pub(crate) fn path(self, document: Document<'_>) -> String {
        match self {
            Fault::Read(error) => document.locate(error.offset()).to_string(),
            Fault::Problem(_) => "$".to_owned(),
        }
    }

    /// The exit code for it.
    pub(crate) fn exit(self, document: Document<'_>) -> Exit {
        match self {
            Fault::Read(error) => {
                let strict = document.options().mode() == Mode::Strict;
                let engine = document.options().with_mode(Mode::Engine);
                let engine = Document::with_options(document.bytes(), engine);
                if strict && engine.validate().is_ok() {
                    Exit::Findings
                } else {
                    exit::of_error(error.kind())
                }
            }
            Fault::Problem(_) => Exit::Malformed,
        }
    }
}

/// Describes a run of one repeated byte.
pub(crate) fn blank_words(blank: Blank) -> String {
    let Blank { byte, len, .. } = blank;
    let len = plural(len as u64, "byte");
    let what = match (blank.start, blank.to_end) {
        (0, true) => "the whole file",
        (_, true) => "the rest of the file",
        (_, false) => "a part of the file",
    };
    format!("{what}, {len}, is nothing but {byte:02X}: it was never written, or wiped")
}
