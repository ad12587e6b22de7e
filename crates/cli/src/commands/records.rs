//! `records`: lists, splits, joins and extracts the values of a file.

use std::{
    fs,
    io::{self, Write},
    path::{Path, PathBuf},
    thread,
    time::Duration,
};

use clap::{Args, Subcommand};
use gdvar_file::records::{Framing, Place, Record};
use gdvar_file::{Certainty, Decision, Undecided};
use gdvar_view::{Dialect, Document, Objects};

use crate::{
    app::App,
    args::{Json, OutputArg},
    commands::notations::frame,
    diagnose::whole_record,
    input::bytes::Input,
    save::{
        new_file,
        output::{Output, TO_FILE},
    },
    show::{
        rows,
        summary::{self, Cut},
        value,
    },
    terminal::{exit::Exit, progress::Progress, words::plural},
};

#[derive(Args, Debug)]
#[command(after_help = "\
Examples:
  gdvar records list slot1.dat
  gdvar records list --follow replay.rec             print records as the game writes them
  gdvar records split slot1.dat -o parts             parts/0000.dat, parts/0001.dat …
  gdvar records join parts/*.dat -o slot1.dat
  gdvar records extract slot1.dat -1 -o last.dat

A damaged record is reported, with the exit code of check. split and extract write it with
the bytes and the length that it has; join writes nothing then, because a new length would make a
whole record of it.")]
pub(crate) struct RecordsArgs {
    #[command(subcommand)]
    command: RecordsCommand,
}

impl RecordsArgs {
    pub(crate) fn json(&self) -> Json {
        match self.command {
            RecordsCommand::List { .. } => Json::Lines,
            RecordsCommand::Split { .. }
            | RecordsCommand::Join { .. }
            | RecordsCommand::Extract { .. } => Json::Refused(
                "this writes files of values; `gdvar records list --json` prints JSON",
            ),
        }
    }

    /// Returns `true` if the command prints a list and then ends, so that a pager is useful.
    pub(crate) fn is_read(&self) -> bool {
        matches!(self.command, RecordsCommand::List { follow: false, .. })
    }

    /// Returns the file that will be written.
    pub(crate) fn target(&self) -> Option<&Path> {
        match &self.command {
            RecordsCommand::Join { output, .. } | RecordsCommand::Extract { output, .. } => {
                output.path()
            }
            RecordsCommand::List { .. } | RecordsCommand::Split { .. } => None,
        }
    }
}

#[derive(Subcommand, Debug)]
enum RecordsCommand {
    /// Print a line for every record: its number, place, length and value
    List {
        /// A file; - is standard input
        #[arg(default_value = "-", hide_default_value = true)]
        file: PathBuf,
        /// Wait for more records at the end, until the file is gone
        #[arg(long)]
        follow: bool,
    },
    /// Write each record into a file of its own in a new folder, framed as it was
    Split {
        /// A file; - is standard input
        file: PathBuf,
        /// Into that folder, which is made
        #[arg(short, long, value_name = "DIR")]
        output: PathBuf,
        /// Without the length or encoding around the value
        #[arg(long)]
        bare: bool,
    },
    /// Write the records of several files into one, framed like the first
    Join {
        /// Files; - is standard input
        #[arg(required = true, value_name = "FILE")]
        files: Vec<PathBuf>,
        #[command(flatten)]
        output: OutputArg,
    },
    /// Write one record, framed as it was
    Extract {
        /// A file; - is standard input
        file: PathBuf,
        /// Which, counted from 0; -1 is the last
        #[arg(value_name = "N", allow_negative_numbers = true)]
        record: i64,
        #[command(flatten)]
        output: OutputArg,
        /// Without the length or encoding around the value
        #[arg(long)]
        bare: bool,
    },
}

pub(crate) fn run(app: &mut App, args: &RecordsArgs) -> io::Result<()> {
    match &args.command {
        RecordsCommand::List { file, follow: true } => follow(app, file),
        RecordsCommand::List { file, .. } => list(app, file, 0, false).map(|_| ()),
        RecordsCommand::Split { file, output, bare } => split(app, file, output, *bare),
        RecordsCommand::Join { files, output } => join(app, files, output.path()),
        RecordsCommand::Extract {
            file,
            record,
            output,
            bare,
        } => extract(app, file, *record, output.path(), *bare),
    }
}

/// Prints the records from number `from` on. Returns the number of the next record. With `is_written`, an incomplete
/// last record is left out, because the game is still writing it.
fn list(app: &mut App, file: &Path, from: u64, is_written: bool) -> io::Result<u64> {
    let Some((input, decision)) = app.open_decided(file)? else {
        return Ok(from);
    };
    let mut next = from;
    let progress = app.progress("reading", &input);
    for record in input.records(decision.framing).skip(from as usize) {
        let options = app.showing(decision.dialect, &record.bytes);
        if app.is_broken(&input, &decision, &record)? {
            continue;
        }
        if record.cut.is_some() && is_written {
            break;
        }
        next = record.index + 1;
        let document = Document::with_options(&record.bytes, options);
        match document.root() {
            Ok(root) if app.global.json => {
                let place = match record.place {
                    Place::Byte(start) => ("offset", start as u64),
                    Place::Line(line) => ("line", line),
                };
                let number = |number: u64| number.to_string().into_bytes();
                let line = rows::object(&[
                    ("record", number(record.index)),
                    (place.0, number(place.1)),
                    ("bytes", number(record.bytes.len() as u64)),
                    ("type", value::string(root.kind().name())),
                ]);
                app.raw(&line)?;
            }
            Ok(root) => {
                let what = summary::leaf(root, Cut::LINE);
                let place = match record.place {
                    Place::Byte(start) => format!("{start:#x}"),
                    Place::Line(line) => format!("line {line}"),
                };
                let size = plural(record.bytes.len() as u64, "byte");
                writeln!(
                    app.out,
                    "{:>6}  {place:>10}  {size:>14}  {what}",
                    record.index
                )?;
            }
            // The error is reported below.
            Err(_) => {}
        }
        if let Err(fault) = whole_record::read(&record, options, &progress) {
            app.fault(&input, decision.framing, &record, fault, options)?;
        }
    }
    Ok(next)
}

/// Lists the records, and later the records that are added, until the file is removed.
fn follow(app: &mut App, file: &Path) -> io::Result<()> {
    let mut next = 0;
    let mut seen = u64::MAX;
    loop {
        let Ok(metadata) = fs::metadata(file) else {
            if seen == u64::MAX {
                return app.fail(
                    Exit::Io,
                    &format!("{}: there is no such file", file.display()),
                );
            }
            return Ok(());
        };
        if metadata.len() < seen && seen != u64::MAX {
            app.note("the file was written again")?;
            next = 0;
        }
        if metadata.len() != seen && metadata.len() > 0 {
            next = list(app, file, next, true)?;
            app.flush()?;
        }
        seen = metadata.len();
        thread::sleep(Duration::from_millis(100));
    }
}

/// Returns a record as it is in the file. A record that is cut off keeps the length that it had, because a new length
/// would make a whole record of it.
fn framed(record: &Record<'_>, framing: Framing, bare: bool) -> Vec<u8> {
    let mut out = Vec::new();
    frame(
        if bare { Framing::Bare } else { framing },
        &record.bytes,
        &mut out,
    );
    let length = record.cut.and_then(|declared| match framing {
        Framing::Len32 => Some(declared.to_le_bytes()),
        Framing::Len32Be => Some(declared.to_be_bytes()),
        Framing::Bare | Framing::Hex | Framing::Base64 => None,
    });
    if let (Some(length), false) = (length, bare) {
        out[..length.len()].copy_from_slice(&length);
    }
    out
}

/// Reads a record completely. Returns `true`, after a report, if it is damaged.
fn is_damaged(
    app: &mut App,
    input: &Input,
    decision: &Decision,
    record: &Record<'_>,
    progress: &Progress,
) -> io::Result<bool> {
    let options = app.showing(decision.dialect, &record.bytes);
    let Err(fault) = whole_record::read(record, options, progress) else {
        return Ok(false);
    };
    app.fault(input, decision.framing, record, fault, options)?;
    Ok(true)
}

fn split(app: &mut App, file: &Path, dir: &Path, bare: bool) -> io::Result<()> {
    let Some((input, decision)) = app.open_decided(file)? else {
        return Ok(());
    };
    let is_new = !dir.exists();
    if let Err(error) = fs::create_dir_all(dir) {
        return app.cannot_write(dir, &error);
    }
    // Refuses a folder that has parts in it, because `join` would mix them with the new ones.
    let is_part = |entry: &fs::DirEntry| {
        let name = entry.file_name();
        let number = name.to_str().and_then(|name| name.strip_suffix(".dat"));
        number.is_some_and(|number| number.bytes().all(|byte| byte.is_ascii_digit()))
    };
    if fs::read_dir(dir)?.flatten().any(|entry| is_part(&entry)) {
        let dir = dir.display();
        return app.usage(&format!(
            "{dir}: has parts in it already, and join would mix them with these; name a new folder"
        ));
    }
    app.note_left_out(&input)?;
    let progress = app.progress("reading", &input);
    let mut parts = WrittenParts {
        made: is_new.then_some(dir),
        paths: Vec::new(),
    };
    // Pads the numbers, so that the names sort in the order of the records.
    let last = input.records(decision.framing).count().saturating_sub(1);
    let digits = last.to_string().len().max(4);
    let mut damaged = Vec::new();
    for record in input.records(decision.framing) {
        let is_damaged = is_damaged(app, &input, &decision, &record, &progress)?;
        // Without a frame there are no bytes of a value.
        if record.problem.is_some() {
            continue;
        }
        let name = format!("{:0digits$}.dat", record.index);
        let path = dir.join(&name);
        let bytes = framed(&record, decision.framing, bare);
        if let Err(error) = parts.write(&path, &bytes) {
            parts.remove();
            return app.cannot_write(&path, &error);
        }
        if is_damaged {
            damaged.push(name);
        }
    }
    if app.was_cut(&input)? {
        parts.remove();
        return Ok(());
    }
    if !damaged.is_empty() {
        let (count, first) = (
            plural(damaged.len() as u64, "part"),
            NAMED.min(damaged.len()),
        );
        let more = if damaged.len() > NAMED { " …" } else { "" };
        app.note(&format!(
            "{count} with the bytes and the length of a damaged record: {}{more}",
            damaged[..first].join(", ")
        ))?;
    }
    let count = plural(parts.paths.len() as u64, "record");
    app.note(&format!("{}: {count} written", dir.display()))
}

/// How many damaged parts a note names.
const NAMED: usize = 8;

/// The parts that were written so far. If one cannot be written, all of them are removed, because they would look like
/// all records of the file.
struct WrittenParts<'p> {
    /// The folder, if it was made for the parts.
    made: Option<&'p Path>,
    paths: Vec<PathBuf>,
}

impl WrittenParts<'_> {
    fn write(&mut self, path: &Path, bytes: &[u8]) -> io::Result<()> {
        new_file::write(path, bytes)?;
        self.paths.push(path.to_owned());
        Ok(())
    }

    /// Removes the parts, and the folder if nothing else is in it.
    fn remove(self) {
        for path in &self.paths {
            let _ = fs::remove_file(path);
        }
        if let Some(dir) = self.made {
            let _ = fs::remove_dir(dir);
        }
    }
}

/// A file that is joined with others. `decision` is an error if only the other files can show how to read this file.
struct Joined {
    input: Input,
    decision: Result<Decision, Box<Undecided>>,
}

impl Joined {
    /// Returns `true` if all records of the file are complete values of `dialect`.
    fn reads_as(&self, app: &App, dialect: Dialect, framing: Framing) -> bool {
        let options = app.options(dialect, Objects::Inert);
        let mut records = self.input.records(framing).peekable();
        let is_whole = |record: Record<'_>| {
            let end = Document::with_options(&record.bytes, options).validate();
            record.problem.is_none() && record.cut.is_none() && end == Ok(record.bytes.len())
        };
        records.peek().is_some() && records.all(is_whole)
    }
}

fn join(app: &mut App, files: &[PathBuf], output: Option<&Path>) -> io::Result<()> {
    let files = app.files(files)?;
    let mut all = Vec::new();
    for file in &files {
        let Some(input) = app.open(file)? else {
            return Ok(());
        };
        let decision = app.decide(&input);
        all.push(Joined { input, decision });
    }
    // A small value, such as null, can be read in several ways on its own. The other files decide.
    let decisions = || all.iter().filter_map(|one| one.decision.as_ref().ok());
    let certain =
        |decision: &&Decision| matches!(decision.certainty, Certainty::Given | Certainty::Certain);
    let likely = |decision: &&Decision| matches!(decision.certainty, Certainty::Likely);
    let first = { decisions().find(certain) }.or_else(|| decisions().find(likely));
    let Some(first) = first.or_else(|| decisions().next()).cloned() else {
        return match all.first() {
            Some(Joined {
                input,
                decision: Err(undecided),
            }) => app.undecided(input, undecided),
            _ => Ok(()),
        };
    };
    // Bare values get lengths when they are joined, because nothing marks their ends.
    let framing = match all.first().and_then(|one| one.decision.as_ref().ok()) {
        Some(decision) => decision.framing,
        None => first.framing,
    };
    let framing = match framing {
        Framing::Bare => Framing::Len32,
        other => other,
    };
    let mut out = Vec::new();
    let mut damaged = 0;
    for one in &all {
        let (input, name) = (&one.input, one.input.shown().into_owned());
        let decision = match &one.decision {
            Ok(decision) if decision.dialect == first.dialect => decision.clone(),
            Ok(decision) if one.reads_as(app, first.dialect, decision.framing) => {
                let mut decision = decision.clone();
                decision.dialect = first.dialect;
                decision
            }
            Ok(decision) => {
                return app.usage(&format!(
                    "{name}: these are values of {}, the others of {}; convert them first",
                    decision.dialect, first.dialect
                ));
            }
            Err(_) if one.reads_as(app, first.dialect, first.framing) => first.clone(),
            Err(undecided) => return app.undecided(input, undecided),
        };
        app.note_left_out(input)?;
        let progress = app.progress("reading", input);
        for record in input.records(decision.framing) {
            damaged += u64::from(is_damaged(app, input, &decision, &record, &progress)?);
            frame(framing, &record.bytes, &mut out);
        }
        if app.was_cut(input)? {
            return Ok(());
        }
    }
    if damaged > 0 {
        let count = plural(damaged, "damaged record");
        return app.error(&format!(
            "nothing was written: a new length would make a whole record of {count}; leave these files out, or \
             rescue them with gdvar recover"
        ));
    }
    let unclear = all.iter().filter(|one| one.decision.is_err()).count();
    if unclear > 0 {
        let (files, framing) = (plural(unclear as u64, "file"), first.framing.name());
        app.note(&format!(
            "{files} read as the others: {framing} of {}",
            first.dialect
        ))?;
    }
    write(app, output, framing.is_text(), &out)
}

fn extract(
    app: &mut App,
    file: &Path,
    index: i64,
    output: Option<&Path>,
    bare: bool,
) -> io::Result<()> {
    let Some((input, decision)) = app.open_decided(file)? else {
        return Ok(());
    };
    let wanted = input.record_number(decision.framing, index);
    let record = { input.records(decision.framing) }.find(|record| Some(record.index) == wanted);
    let Some(record) = record else {
        return app.fail(
            Exit::Findings,
            &format!("{}: there is no record {index}", input.name),
        );
    };
    let progress = app.progress("reading", &input);
    let is_damaged = is_damaged(app, &input, &decision, &record, &progress)?;
    // Without a frame there are no bytes of a value.
    if record.problem.is_some() || app.was_cut(&input)? {
        return Ok(());
    }
    if is_damaged {
        app.note("written with the bytes and the length of the damaged record")?;
    }
    app.note_left_out(&input)?;
    let bytes = framed(&record, decision.framing, bare);
    write(app, output, decision.framing.is_text() && !bare, &bytes)
}

fn write(app: &mut App, path: Option<&Path>, is_text: bool, bytes: &[u8]) -> io::Result<()> {
    if !is_text && app.refuses_bytes(path, TO_FILE)? {
        return Ok(());
    }
    match (Output::write(app, path, Vec::new(), bytes), path) {
        (Err(error), Some(path)) => app.cannot_write(path, &error),
        (result, _) => result,
    }
}
