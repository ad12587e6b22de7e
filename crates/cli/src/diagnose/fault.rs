//! What the command says about a [`Fault`].

pub(crate) use gdvar_file::Fault;
use gdvar_file::{blank::Blank, records::Problem};
use gdvar_view::{Document, Mode};

use crate::terminal::{
    exit::{self, Exit},
    words::plural,
};

/// Returns a text for people, without the place.
pub(crate) fn words(fault: Fault) -> String {
    match fault {
        Fault::Read(error) => error.kind().to_string(),
        Fault::Problem(Problem::Blank(blank)) => blank_words(blank),
        Fault::Problem(_) => "the record cannot be cut out of the file".to_owned(),
    }
}

/// Returns the exit code. In strict mode it is lower if only strict mode refuses the value.
pub(crate) fn exit_code(fault: Fault, document: Document<'_>) -> Exit {
    match fault {
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
