//! Reads files into batches of rows, on all cores.

use std::{
    io,
    path::{Path, PathBuf},
};

use gdvar_columns::{Batch, Builder, Origin, Query, Sample, Schema};
use gdvar_file::{Decision, Fault, records::Record};
use gdvar_view::{Document, Mode, Objects, ReadOptions};
use rayon::prelude::*;

use crate::{
    app::{App, Settings},
    diagnose::fault,
    input::bytes::Input,
    terminal::{exit::Exit, progress::Progress, stream::OutputStream, threads},
};

pub(crate) struct TableFiles {
    pub(crate) files: Vec<PathBuf>,
    settings: Settings,
}

impl TableFiles {
    /// Finds the named files, and the files in named folders.
    pub(crate) fn new(app: &mut App, named: &[PathBuf]) -> io::Result<TableFiles> {
        let files = app.files(named)?;
        let settings = app.settings();
        Ok(TableFiles { files, settings })
    }
}

/// A file that could be opened, and how it is read.
struct Opened {
    input: Input,
    decision: Decision,
    options: ReadOptions,
}

/// Opens a file. If that fails, returns the first error message as a text, and the exit code.
fn open(settings: &Settings, path: &Path) -> io::Result<Result<Opened, (String, Exit)>> {
    let mut app = App::held(settings);
    let opened = match app.open(path)? {
        Some(input) => {
            // Decides from the first megabytes of a large file, because finding damage is the task of `check`.
            let decision = app.glance(&input);
            match decision.or_else(|| app.decide_without_doubt(&input)) {
                Some(decision) => Some((input, decision)),
                None => app.decision(&input)?.map(|decision| (input, decision)),
            }
        }
        None => None,
    };
    if let Some((input, decision)) = opened {
        let options = app.options(decision.dialect, App::policy(&input, Objects::Inert));
        return Ok(Ok(Opened {
            input,
            decision,
            options,
        }));
    }
    let exit = app.exit;
    let log = app.into_log()?;
    let told = log.iter().filter(|(way, _)| *way == OutputStream::Err);
    let told: Vec<u8> = told.flat_map(|(_, bytes)| bytes.clone()).collect();
    let told = anstream::adapter::strip_str(&String::from_utf8_lossy(&told)).to_string();
    let reason = told.lines().find_map(|line| {
        line.split_once(": ")
            .filter(|(what, _)| what.starts_with("error"))
    });
    let reason = reason.map_or("cannot be read", |(_, reason)| reason);
    Ok(Err((reason.to_owned(), exit)))
}

/// Returns why strict mode refuses a value that the engine reads. Only what the paths of a table lead to is read, so
/// strict mode needs a pass of its own.
fn only_strict_refuses(document: Document<'_>) -> Option<Fault> {
    if document.options().mode() != Mode::Strict {
        return None;
    }
    let error = document.validate().err()?;
    let fault = Fault::Read(error);
    (fault::exit_code(fault, document) == Exit::Findings).then_some(fault)
}

/// Calls `take` with each record of a file, or with the reason why the record cannot be read. Stops if `take` returns
/// `false`. Returns the exit code: further records may be missing if the length of one leads past the end of the file,
/// and strict mode may refuse one.
fn each_record<'a>(
    records: impl Iterator<Item = Record<'a>>,
    options: ReadOptions,
    mut take: impl FnMut(u64, Result<Document<'_>, String>) -> bool,
) -> Exit {
    let mut exit = Exit::Fine;
    for record in records {
        let value = record.value(options);
        let value =
            value.and_then(|document| only_strict_refuses(document).map_or(Ok(document), Err));
        let value = value.map_err(|fault| match fault {
            Fault::Problem(problem) => format!(
                "the record cannot be cut out of the file: {} at byte {}",
                problem.name(),
                problem.offset()
            ),
            Fault::Read(_) => {
                exit.merge(
                    match only_strict_refuses(Document::with_options(&record.bytes, options)) {
                        Some(_) => Exit::Findings,
                        None => Exit::Malformed,
                    },
                );
                format!("{}: {}", fault.name(), fault.message(&record))
            }
        });
        if !take(record.index, value) {
            break;
        }
    }
    exit
}

/// The column types that a sample of the rows suggests.
pub(crate) struct Guess {
    /// The columns with these types.
    pub(crate) schema: Schema,
    /// `true` if no further row can change the types.
    pub(crate) is_sure: bool,
}

/// Reads up to `rows` rows as a sample, from files that are spread evenly over the list of files.
pub(crate) fn sample(
    app: &mut App,
    source: &TableFiles,
    query: Query,
    rows: u64,
) -> io::Result<Guess> {
    let options = app.options(gdvar_view::Dialect::GODOT_4, Objects::Inert);
    let mut sample = Sample::new(query, options).with_rows(rows);
    let step = source
        .files
        .len()
        .div_ceil(rows.clamp(1, 1000) as usize)
        .max(1);
    for file in source.files.iter().step_by(step) {
        if sample.is_full() {
            break;
        }
        if let Ok(opened) = open(&source.settings, file)? {
            let records = opened.input.records(opened.decision.framing);
            each_record(records, opened.options, |_, value| {
                if let Ok(document) = value {
                    sample.see_document(document);
                }
                !sample.is_full()
            });
        }
    }
    let schema = sample.schema();
    let has_seen_all = step == 1 && !sample.is_full();
    Ok(Guess {
        is_sure: has_seen_all || schema.is_given(),
        schema,
    })
}

/// The number of files that are read before their rows are written in order.
const WINDOW: usize = 4096;

/// The number of bytes of a long file's records that one thread gets at a time.
const PIECE: usize = 4 << 20;

/// A file of this size or more is read by several threads.
const LONG: usize = 16 << 20;

/// A function that receives each finished batch of rows.
type Put<'p> = dyn FnMut(&mut App, Batch) -> io::Result<()> + 'p;

/// Reads files into rows with the columns of a schema.
pub(crate) struct RowReader<'r> {
    settings: &'r Settings,
    schema: &'r Schema,
    found: Option<Schema>,
    progress: Progress,
    done: usize,
    /// The highest exit code of files that could not be opened.
    pub(crate) unopened: Exit,
}

/// The rows of some files.
struct Built {
    batches: Vec<Batch>,
    /// The types that the rows need.
    types: Schema,
    /// The highest exit code of files that could not be opened.
    unopened: Exit,
    /// The highest exit code of files whose last record is cut.
    cut: Exit,
}

impl<'r> RowReader<'r> {
    /// Creates a reader for the files of `source`. They may be read in several calls.
    pub(crate) fn new(app: &App, source: &'r TableFiles, schema: &'r Schema) -> RowReader<'r> {
        let quiet = app.global.quiet || app.global.json;
        RowReader {
            settings: &source.settings,
            schema,
            found: None,
            progress: Progress::of_files(source.files.len(), quiet),
            done: 0,
            unopened: Exit::Fine,
        }
    }

    /// Returns the types that all rows so far need. They differ from the schema if a row needs a wider type.
    pub(crate) fn found(&self) -> Schema {
        self.found.as_ref().unwrap_or(self.schema).clone()
    }

    /// Passes batches to `put`, and remembers their types.
    fn put(&mut self, app: &mut App, built: Built, put: &mut Put<'_>) -> io::Result<()> {
        self.unopened.merge(built.unopened);
        app.exit.merge(built.cut);
        self.found = Schema::of_parts(self.found.take().into_iter().chain([built.types]));
        built
            .batches
            .into_iter()
            .try_for_each(|batch| put(app, batch))
    }

    /// Reads files, and passes their rows to `put` in the order of the files.
    pub(crate) fn read(
        &mut self,
        app: &mut App,
        files: &[PathBuf],
        put: &mut Put<'_>,
    ) -> io::Result<()> {
        if !threads::are_there() || files.len() == 1 {
            return files.iter().try_for_each(|file| self.one(app, file, put));
        }
        let piece = (files.len() / (4 * rayon::current_num_threads())).clamp(1, 256);
        for window in files.chunks(WINDOW) {
            let (settings, schema) = (self.settings, self.schema);
            let pieces: Vec<Built> = window
                .par_chunks(piece)
                .map(|files| several(settings, files, schema))
                .collect::<io::Result<_>>()?;
            for built in pieces {
                self.put(app, built, put)?;
            }
            self.done += window.len();
            self.progress.show_at(self.done);
        }
        Ok(())
    }

    /// Reads one file. It may be long: only some megabytes of its records are in memory at a time.
    fn one(&mut self, app: &mut App, file: &Path, put: &mut Put<'_>) -> io::Result<()> {
        let schema = self.schema;
        let name = file.display().to_string();
        let opened = match open(self.settings, file)? {
            Ok(opened) => opened,
            Err((reason, exit)) => {
                let mut builder = builder(schema);
                builder.push_error(
                    Origin {
                        file: &name,
                        record: 0,
                    },
                    &reason,
                );
                return self.put(app, built(builder, exit, Exit::Fine), put);
            }
        };
        let mut records = opened.input.records(opened.decision.framing).peekable();
        let threads = if opened.input.len() < LONG || !threads::are_there() {
            1
        } else {
            2 * rayon::current_num_threads()
        };
        while records.peek().is_some() {
            let mut pieces: Vec<Vec<Record<'_>>> = Vec::new();
            for _ in 0..threads {
                let mut bytes = 0;
                let mut piece = Vec::new();
                while bytes < PIECE {
                    let Some(record) = records.next() else {
                        break;
                    };
                    bytes += record.bytes.len();
                    piece.push(record);
                }
                pieces.push(piece);
            }
            let pieces: Vec<Built> = pieces
                .into_par_iter()
                .map(|piece| {
                    let mut builder = builder(schema);
                    let cut = push(&mut builder, &name, piece.into_iter(), opened.options);
                    built(builder, Exit::Fine, cut)
                })
                .collect();
            for built in pieces {
                self.put(app, built, put)?;
            }
        }
        Ok(())
    }
}

/// Reads several files, most of them short, in one thread.
fn several(settings: &Settings, files: &[PathBuf], schema: &Schema) -> io::Result<Built> {
    let mut builder = builder(schema);
    let (mut unopened, mut cut) = (Exit::Fine, Exit::Fine);
    for file in files {
        let name = file.display().to_string();
        match open(settings, file)? {
            Ok(opened) => cut.merge(push(
                &mut builder,
                &name,
                opened.input.records(opened.decision.framing),
                opened.options,
            )),
            Err((reason, exit)) => {
                unopened.merge(exit);
                let origin = Origin {
                    file: &name,
                    record: 0,
                };
                builder.push_error(origin, &reason);
            }
        }
    }
    Ok(built(builder, unopened, cut))
}

fn built(mut builder: Builder, unopened: Exit, cut: Exit) -> Built {
    Built {
        types: builder.schema(),
        batches: std::iter::from_fn(|| builder.finish()).collect(),
        unopened,
        cut,
    }
}

/// Creates a builder. The dialect is not used, because each document has its own.
fn builder(schema: &Schema) -> Builder {
    Builder::new(schema, gdvar_view::Dialect::GODOT_4)
}

/// Adds the rows of records. Returns the exit code for records that are cut.
fn push<'a>(
    builder: &mut Builder,
    name: &str,
    records: impl Iterator<Item = Record<'a>>,
    options: ReadOptions,
) -> Exit {
    each_record(records, options, |record, value| {
        let origin = Origin { file: name, record };
        match value {
            Ok(document) => builder.push_document(origin, document),
            Err(reason) => builder.push_error(origin, &reason),
        }
        true
    })
}
