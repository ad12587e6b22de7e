//! The line of `--json` about a file of which it is not clear how to read it.

use gdvar_file::records::Framing;
use gdvar_view::Dialect;
use serde::Serialize;

use crate::input::detect::Undecided;

/// That it is not clear how to read a file.
#[derive(Serialize)]
pub(crate) struct UndecidedLine<'a> {
    schema: u32,
    file: &'a str,
    ok: bool,
    error: &'a str,
    /// The fate of the file, if the error is no more than a trace of that.
    #[serde(skip_serializing_if = "Option::is_none")]
    pub(crate) cause: Option<&'a str>,
    /// The error in words.
    #[serde(skip_serializing_if = "Option::is_none")]
    pub(crate) message: Option<&'a str>,
    readings: Vec<Reading<'a>>,
}

/// A possible reading.
#[derive(Serialize)]
struct Reading<'a> {
    #[serde(skip_serializing_if = "Option::is_none")]
    framing: Option<&'a str>,
    /// The bytes in front that it leaves.
    #[serde(skip_serializing_if = "Option::is_none")]
    skip: Option<usize>,
    dialects: Vec<&'a str>,
    #[serde(skip_serializing_if = "Option::is_none")]
    record: Option<u64>,
    #[serde(skip_serializing_if = "Option::is_none")]
    path: Option<&'a str>,
    #[serde(skip_serializing_if = "Option::is_none")]
    sample: Option<&'a str>,
}

fn reading<'a>(framing: Framing, dialects: &[Dialect]) -> Reading<'a> {
    Reading {
        framing: Some(framing.name()),
        skip: None,
        dialects: dialects.iter().map(|dialect| dialect.name()).collect(),
        record: None,
        path: None,
        sample: None,
    }
}

/// The name of it, as of an error.
pub(crate) fn undecided_name(undecided: &Undecided) -> &'static str {
    match undecided {
        Undecided::Empty => "Empty",
        Undecided::Known(known) => known.name,
        Undecided::Framings(_) | Undecided::Header(_) => "AmbiguousFraming",
        Undecided::Dialects(..) => "AmbiguousDialect",
        Undecided::Unreadable(_) | Undecided::Rest { .. } => "Unreadable",
    }
}

impl<'a> UndecidedLine<'a> {
    /// The line about a file that cannot even be opened.
    pub(crate) fn bare(file: &'a str, error: &'a str) -> UndecidedLine<'a> {
        UndecidedLine {
            schema: 1,
            file,
            ok: false,
            error,
            cause: None,
            message: None,
            readings: Vec::new(),
        }
    }

    /// The line about a file.
    pub(crate) fn new(file: &'a str, undecided: &'a Undecided) -> UndecidedLine<'a> {
        let readings = match undecided {
            Undecided::Empty
            | Undecided::Known(_)
            | Undecided::Unreadable(_)
            | Undecided::Rest { .. } => Vec::new(),
            Undecided::Header(found) => vec![
                reading(Framing::Bare, &[]),
                Reading {
                    framing: found.framing.map(Framing::name),
                    skip: Some(found.len),
                    ..reading(Framing::Bare, &[])
                },
            ],
            Undecided::Framings(choices) => choices
                .iter()
                .map(|(framing, dialects, sample)| Reading {
                    sample: Some(sample),
                    ..reading(*framing, dialects)
                })
                .collect(),
            Undecided::Dialects(framing, choices) => choices
                .iter()
                .map(|choice| Reading {
                    record: Some(choice.record),
                    path: Some(&choice.path),
                    sample: Some(&choice.sample),
                    ..reading(*framing, &choice.dialects)
                })
                .collect(),
        };
        UndecidedLine {
            schema: 1,
            file,
            ok: false,
            error: undecided_name(undecided),
            cause: None,
            message: None,
            readings,
        }
    }
}
