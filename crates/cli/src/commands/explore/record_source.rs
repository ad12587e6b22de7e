//! The records of a file, as children that the explorer can walk.

use std::borrow::Cow;

use gdvar_file::Decision;
use gdvar_file::records::{Problem, Record, Records};
use gdvar_view::{Document, Objects, ReadOptions};

use crate::{
    app::App,
    commands::explore::child::{Child, Name, RecordBytes, Thing},
    diagnose::fault::Fault,
    input::bytes::Input,
    terminal::safe_text,
};

/// A file whose values can be walked.
pub(crate) struct RecordSource<'a> {
    pub(crate) input: &'a Input,
    pub(crate) decision: &'a Decision,
    pub(crate) options: ReadOptions,
    /// The decoded lines of a text file; empty for all other files. Text files hold packets, so there are few lines.
    decoded: Vec<DecodedLine>,
}

struct DecodedLine {
    bytes: Vec<u8>,
    problem: Option<Problem>,
}

impl<'a> RecordSource<'a> {
    /// Creates the source. Decodes all lines of a text file, and reads nothing of other files yet.
    pub(crate) fn new(app: &App, input: &'a Input, decision: &'a Decision) -> RecordSource<'a> {
        let objects = App::policy(input, Objects::Inert);
        let is_text = decision.framing.is_text();
        let lines = input.records(decision.framing).take_while(|_| is_text);
        RecordSource {
            input,
            decision,
            options: app.options(decision.dialect, objects),
            decoded: lines
                .map(|record| DecodedLine {
                    problem: record.problem,
                    bytes: record.bytes.into_owned(),
                })
                .collect(),
        }
    }

    /// Returns the name of the file, without its folder.
    pub(crate) fn name(&self) -> String {
        let path = std::path::Path::new(&self.input.name);
        let name = path.file_name().map(|name| name.to_string_lossy());
        safe_text::short_name(&name.unwrap_or_default())
    }

    /// Begins a walk over the records.
    pub(crate) fn walk(&self) -> RecordWalk<'_> {
        match self.decision.framing.is_text() {
            true => RecordWalk::Lines(self, 0),
            false => RecordWalk::Bytes(self, self.input.records(self.decision.framing)),
        }
    }

    /// Returns `true` if there is at most one record.
    pub(crate) fn is_single(&self) -> bool {
        self.record(1).is_none()
    }

    /// Returns record `index` as a [`Record`], which the editing commands take. `None` if there are fewer records.
    /// Walks over the records before it.
    pub(crate) fn record(&self, index: u64) -> Option<Record<'_>> {
        let index = usize::try_from(index).ok()?;
        self.input.records(self.decision.framing).nth(index)
    }

    fn child<'s>(
        &'s self,
        index: u64,
        record: RecordBytes<'s>,
        problem: Option<Problem>,
    ) -> Child<'s> {
        let root = Document::with_options(record.bytes, self.options).root();
        let thing = match (problem, root) {
            (Some(problem), _) => Thing::Broken(Fault::Problem(problem)),
            (None, Ok(root)) => Thing::Value(root),
            (None, Err(error)) => Thing::Broken(Fault::Read(error)),
        };
        // A record with a damaged frame has no bytes of its own, so the bytes of the file are shown.
        let record = match problem.is_some() && !self.decision.framing.is_text() {
            true => RecordBytes {
                bytes: &self.input[..],
                base: self.input.header().len(),
            },
            false => record,
        };
        Child {
            name: Name::Record(index),
            thing,
            record,
        }
    }
}

/// A walk over the records of a file.
#[derive(Clone)]
pub(crate) enum RecordWalk<'a> {
    /// Records that are slices of the file.
    Bytes(&'a RecordSource<'a>, Records<'a>),
    /// Decoded lines of text, and the number of the next one.
    Lines(&'a RecordSource<'a>, usize),
}

impl<'a> RecordWalk<'a> {
    pub(crate) fn next(&mut self) -> Option<Child<'a>> {
        match self {
            RecordWalk::Bytes(source, all) => {
                let record = all.next()?;
                let Cow::Borrowed(bytes) = record.bytes else {
                    return None;
                };
                let base = record.place.base();
                Some(source.child(record.index, RecordBytes { bytes, base }, record.problem))
            }
            RecordWalk::Lines(source, at) => {
                let line = source.decoded.get(*at)?;
                let record = RecordBytes {
                    bytes: &line.bytes,
                    base: 0,
                };
                *at += 1;
                Some(source.child(*at as u64 - 1, record, line.problem))
            }
        }
    }

    /// Returns the offset in the file after the last record; 0 for lines of text.
    pub(crate) fn position(&self) -> usize {
        match self {
            RecordWalk::Bytes(_, all) => all.position(),
            RecordWalk::Lines(..) => 0,
        }
    }
}
