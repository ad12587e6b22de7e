//! The output of `--json`: one JSON value a line.

use std::io::{self, Write};

use gdvar_view::Dialect;
use serde::Serialize;

use crate::{brief::is_tame, detect::Undecided, records::Framing, verdict::Lost};

/// Prints a line.
pub(crate) fn line(out: &mut impl Write, line: &impl Serialize) -> io::Result<()> {
    write(out, line)?;
    out.write_all(b"\n")
}

/// Writes JSON. Characters that a terminal would obey are escaped, which JSON's readers undo.
pub(crate) fn write(out: &mut impl Write, value: &impl Serialize) -> io::Result<()> {
    let mut json = serde_json::Serializer::with_formatter(out, Tame);
    value.serialize(&mut json).map_err(io::Error::from)
}

struct Tame;

impl serde_json::ser::Formatter for Tame {
    fn write_string_fragment<W>(&mut self, out: &mut W, fragment: &str) -> io::Result<()>
    where
        W: ?Sized + Write,
    {
        let mut rest = fragment;
        while let Some(at) = rest.find(|c| !is_tame(c)) {
            let (before, tail) = rest.split_at(at);
            out.write_all(before.as_bytes())?;
            let mut chars = tail.chars();
            let c = chars.next().unwrap_or_default();
            for unit in c.encode_utf16(&mut [0; 2]) {
                write!(out, "\\u{unit:04x}")?;
            }
            rest = chars.as_str();
        }
        out.write_all(rest.as_bytes())
    }
}

/// That a path leads nowhere.
#[derive(Serialize)]
pub(crate) struct NotFound<'a> {
    pub(crate) schema: u32,
    pub(crate) error: &'a str,
    pub(crate) path: String,
    pub(crate) exists: &'a str,
    pub(crate) missing: &'a str,
    pub(crate) meant: Option<&'a str>,
}

/// The state of a record.
#[derive(Serialize)]
pub(crate) struct RecordLine<'a> {
    pub(crate) schema: u32,
    pub(crate) file: &'a str,
    pub(crate) record: u64,
    /// `true` if the engine reads it and nothing is lost; with --strict only if an engine writes it so.
    pub(crate) ok: bool,
    /// `true` if the engine reads it.
    pub(crate) read: bool,
    #[serde(skip_serializing_if = "Option::is_none")]
    pub(crate) error: Option<&'a str>,
    #[serde(skip_serializing_if = "Option::is_none")]
    pub(crate) offset: Option<usize>,
    #[serde(skip_serializing_if = "Option::is_none")]
    pub(crate) path: Option<String>,
    /// The fate of the file, if the error is no more than a trace of that.
    #[serde(skip_serializing_if = "Option::is_none")]
    pub(crate) cause: Option<&'a str>,
    /// The parts that the engine loses when it reads the record.
    #[serde(skip_serializing_if = "Vec::is_empty")]
    pub(crate) lost: Vec<Lost>,
}

impl<'a> RecordLine<'a> {
    /// The line about a record that is read whole.
    pub(crate) fn fine(file: &'a str, record: u64) -> RecordLine<'a> {
        RecordLine {
            schema: 1,
            file,
            record,
            ok: true,
            read: true,
            error: None,
            offset: None,
            path: None,
            cause: None,
            lost: Vec::new(),
        }
    }
}

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
    framing: Option<Framing>,
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
        framing: Some(framing),
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
        Undecided::Foreign(foreign) => foreign.name,
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
            | Undecided::Foreign(_)
            | Undecided::Unreadable(_)
            | Undecided::Rest { .. } => Vec::new(),
            Undecided::Header(found) => vec![
                reading(Framing::Bare, &[]),
                Reading {
                    framing: found.framing,
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
