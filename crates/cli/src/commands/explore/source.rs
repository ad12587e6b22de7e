//! The records of a file, and how their values are read: what the tree hangs on.

use gdvar_file::records::{Problem, Record, Records};
use gdvar_view::{Document, Objects, ReadOptions};

use crate::{
    app::App,
    commands::explore::walk::{Child, Name, Place, Thing},
    diagnose::fault::Fault,
    input::{bytes::Input, detect::Plan},
    terminal::safe_text,
};

/// A file whose values can be walked.
pub(crate) struct Source<'a> {
    /// The file.
    pub(crate) input: &'a Input,
    /// The bytes around its values.
    pub(crate) plan: &'a Plan,
    /// How they are read.
    pub(crate) options: ReadOptions,
    /// The values of lines of text; few, as they are packets.
    lines: Vec<Line>,
}

struct Line {
    bytes: Vec<u8>,
    problem: Option<Problem>,
}

impl<'a> Source<'a> {
    /// Reads nothing, unless values are lines of text.
    pub(crate) fn new(app: &App, input: &'a Input, plan: &'a Plan) -> Source<'a> {
        let objects = App::policy(input, Objects::Inert);
        let is_text = plan.framing.is_text();
        let lines = input.records(plan.framing).take_while(|_| is_text);
        Source {
            input,
            plan,
            options: app.options(plan.dialect, objects),
            lines: lines
                .map(|record| Line {
                    problem: record.problem,
                    bytes: record.bytes.into_owned(),
                })
                .collect(),
        }
    }

    /// Its name, without its folder.
    pub(crate) fn name(&self) -> String {
        let path = std::path::Path::new(&self.input.name);
        let name = path.file_name().map(|name| name.to_string_lossy());
        safe_text::short_name(&name.unwrap_or_default())
    }

    /// A walk over its records.
    pub(crate) fn records(&self) -> SourceRecords<'_> {
        if self.plan.framing.is_text() {
            return SourceRecords::Lines(self, 0);
        }
        SourceRecords::Bytes(self, self.input.records(self.plan.framing))
    }

    /// Returns `true` if there is just one.
    pub(crate) fn is_single(&self) -> bool {
        self.input.records(self.plan.framing).nth(1).is_none()
    }

    /// A record, as the commands that change files want it.
    pub(crate) fn record(&self, index: u64) -> Option<Record<'_>> {
        let index = usize::try_from(index).ok()?;
        self.input.records(self.plan.framing).nth(index)
    }

    fn child<'s>(&'s self, index: u64, bytes: &'s [u8], at: (usize, Option<Problem>)) -> Child<'s> {
        let (base, problem) = at;
        let root = Document::with_options(bytes, self.options).root();
        let thing = match (problem, root) {
            (Some(problem), _) => Thing::Broken(Fault::Problem(problem)),
            (None, Ok(root)) => Thing::Value(root),
            (None, Err(error)) => Thing::Broken(Fault::Read(error)),
        };
        // A record that could not be cut out is shown as it stands in the file.
        let (bytes, base) = match (problem, self.plan.framing.is_text()) {
            (Some(_), false) => (&self.input[..], self.input.header().len()),
            _ => (bytes, base),
        };
        Child {
            name: Name::Record(index),
            thing,
            place: Place { bytes, base },
        }
    }
}

/// The records one after the other.
#[derive(Clone)]
pub(crate) enum SourceRecords<'a> {
    /// Cut out of the file.
    Bytes(&'a Source<'a>, Records<'a>),
    /// Lines of text, by number.
    Lines(&'a Source<'a>, usize),
}

impl<'a> SourceRecords<'a> {
    /// The next one.
    pub(crate) fn next(&mut self) -> Option<Child<'a>> {
        match self {
            SourceRecords::Bytes(source, all) => {
                let record = all.next()?;
                let base = record.place.base();
                let std::borrow::Cow::Borrowed(bytes) = record.bytes else {
                    return None;
                };
                Some(source.child(record.index, bytes, (base, record.problem)))
            }
            SourceRecords::Lines(source, at) => {
                let line = source.lines.get(*at)?;
                *at += 1;
                let index = *at as u64 - 1;
                Some(source.child(index, &line.bytes, (0, line.problem)))
            }
        }
    }

    /// The number of bytes of the file that were passed, as far as that says where the next one is.
    pub(crate) fn position(&self) -> usize {
        match self {
            SourceRecords::Bytes(_, all) => all.position(),
            SourceRecords::Lines(..) => 0,
        }
    }
}
