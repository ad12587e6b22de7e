//! The line of `--json` about a file that can be read in several ways, or cannot be read in any
//! way.

use gdvar_file::{Undecided, records::Framing};
use gdvar_view::Dialect;
use serde::Serialize;

use crate::{diagnose::readings, input::bytes::Input};

/// The line about a file that can be read in several ways, or cannot be read.
#[derive(Serialize)]
pub(crate) struct UndecidedLine<'a> {
    schema: u32,
    file: &'a str,
    ok: bool,
    error: &'a str,
    /// The name of what happened to the file, if that explains the error.
    #[serde(skip_serializing_if = "Option::is_none")]
    pub(crate) cause: Option<&'a str>,
    /// The error as text for people.
    #[serde(skip_serializing_if = "Option::is_none")]
    pub(crate) message: Option<&'a str>,
    readings: Vec<PossibleReading<'a>>,
}

/// One possible way to read the file, with the options that choose it.
#[derive(Default, Serialize)]
struct PossibleReading<'a> {
    #[serde(skip_serializing_if = "Option::is_none")]
    framing: Option<&'a str>,
    /// The number of bytes before the values that are skipped.
    #[serde(skip_serializing_if = "Option::is_none")]
    skip: Option<usize>,
    dialects: Vec<&'a str>,
    #[serde(skip_serializing_if = "Option::is_none")]
    record: Option<u64>,
    #[serde(skip_serializing_if = "Option::is_none")]
    path: Option<String>,
    #[serde(skip_serializing_if = "Option::is_none")]
    sample: Option<String>,
}

fn reading<'a>(framing: Framing, dialects: &[Dialect]) -> PossibleReading<'a> {
    PossibleReading {
        framing: Some(framing.name()),
        dialects: dialects.iter().map(|dialect| dialect.name()).collect(),
        ..PossibleReading::default()
    }
}

impl<'a> UndecidedLine<'a> {
    /// Creates the line about a file that cannot even be opened.
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

    /// Creates the line about a file that can be read in several ways, or cannot be read.
    pub(crate) fn new(input: &'a Input, undecided: &'a Undecided) -> UndecidedLine<'a> {
        let readings = match undecided {
            Undecided::Header(found) => vec![
                reading(Framing::Bare, &[]),
                PossibleReading {
                    framing: found.framing.map(Framing::name),
                    skip: Some(found.len),
                    ..reading(Framing::Bare, &[])
                },
            ],
            Undecided::Framings(choices) => choices
                .iter()
                .map(|(framing, dialects)| PossibleReading {
                    sample: Some(readings::sample(input, *framing, dialects[0])),
                    ..reading(*framing, dialects)
                })
                .collect(),
            Undecided::Dialects(framing, choices) => choices
                .iter()
                .map(|choice| {
                    let (path, sample) = readings::difference(input, *framing, choice);
                    PossibleReading {
                        record: Some(choice.record),
                        path: Some(path),
                        sample: Some(sample),
                        ..reading(*framing, &choice.dialects)
                    }
                })
                .collect(),
            _ => Vec::new(),
        };
        UndecidedLine {
            readings,
            ..UndecidedLine::bare(&input.name, undecided.name())
        }
    }
}
