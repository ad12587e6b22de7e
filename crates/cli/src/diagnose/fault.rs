//! [`Fault`]: the reason why a record cannot be read.

use gdvar_file::{
    blank::Blank,
    records::{Problem, Record},
};
use gdvar_view::{Document, Error, Mode};

use crate::terminal::{
    exit::{self, Exit},
    words::plural,
};

/// The reason why a record cannot be read.
#[derive(Clone, Copy, Debug)]
pub(crate) enum Fault {
    /// The value cannot be read. The error's offset is relative to the start of the value.
    Read(Error),
    /// The record could not be cut out of the file, because of its length or its line of text.
    Problem(Problem),
}

impl Fault {
    /// Returns the stable name that programs read.
    pub(crate) fn name(self) -> &'static str {
        match self {
            Fault::Read(error) => error.kind().name(),
            Fault::Problem(problem) => problem.name(),
        }
    }

    /// Returns a text for people, without the place.
    pub(crate) fn words(self) -> String {
        match self {
            Fault::Read(error) => error.kind().to_string(),
            Fault::Problem(Problem::Blank(blank)) => blank_words(blank),
            Fault::Problem(_) => "the record cannot be cut out of the file".to_owned(),
        }
    }

    /// Returns the offset from the start of the file. For lines of text, returns the offset in the value.
    pub(crate) fn offset(self, record: &Record<'_>) -> usize {
        match self {
            Fault::Read(error) => error.offset() + record.place.base(),
            Fault::Problem(problem) => problem.offset(),
        }
    }

    /// Returns the path of the place at which the value cannot be read. For a [`Problem`], returns `$`.
    pub(crate) fn path(self, document: Document<'_>) -> String {
        match self {
            Fault::Read(error) => document.locate(error.offset()).to_string(),
            Fault::Problem(_) => "$".to_owned(),
        }
    }

    /// Returns the exit code. In strict mode it is lower if only strict mode refuses the value.
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
