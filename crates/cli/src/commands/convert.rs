//! `convert`: writes the values of a file again, for the same or for another engine, or a resource in its other form.

mod forms;
mod made;
mod texts;

use std::{
    io::{self, Write},
    path::PathBuf,
};

use clap::{Args, ValueEnum};
use gdvar_file::Decision;
use gdvar_file::records::{Framing, Record};
use gdvar_io::replace::Replacement;
use gdvar_view::{Dialect, Document, Objects, PrefixOrder};
use gdvar_wire::Kind;
use gdvar_write::{
    IoSink, Loss, Patch, Report, SeekSink, Sink, Target, TranscodeError, WriteErrorKind, Writer,
    transcode,
};
use serde::Serialize;

use forms::Wanted;

use crate::{
    app::App,
    args::{OutputArg, PrecisionArg, dialect, framing},
    commands::notations::frame,
    diagnose::{fault::Fault, whole_record},
    input::{bytes::Input, layers},
    save::output::Output,
    show::json_lines,
    terminal::{
        exit::Exit,
        progress::Progress,
        style::{self, paint},
        words::{count, plural},
    },
};

#[derive(Args, Debug)]
#[command(after_help = "\
To the same dialect the values stay what they are, and are written as the engine itself writes \
them. To another dialect what it cannot express becomes the nearest thing it has. Each kind of \
change is reported with its number and first place; where something was lost, and not just given \
another type, the exit code is 1.

A compressed or encrypted file stays one, with the same mode and block size, or the same password \
or key and the form that the target engine opens; --plain leaves that off.

A resource or scene becomes text or binary by the ending of -o, without --to: .tres and .tscn are \
text, .res and .scn binary. It stays with its engine, and keeps ids, uids, and paths and types of other files. \
What the other form does not have is listed, such as comments or the types of arrays.

With -o the result is written to a new file that takes the old one's place only when it is \
complete; without it, it goes to standard output. A device, a FIFO or an open file (/dev/stdout) \
is written to and stays. If a record cannot be converted, -o leaves the old file as it is; \
standard output and other targets that are not files get an empty line in its place (hex, base64), or nothing \
from there on (len32, bare).

Examples:
  gdvar convert --to godot4 old.dat -o new.dat
  gdvar convert hero.res -o hero.tres
  gdvar convert --to godot4 --on-loss fail old.dat -o new.dat
  gdvar convert -d godot4 --to godot4 --out-framing hex slot1.dat")]
pub(crate) struct ConvertArgs {
    /// A file; - is standard input
    #[arg(default_value = "-", hide_default_value = true)]
    pub(crate) file: PathBuf,
    /// For which engine; not needed where the ending of -o says the form of a resource
    #[arg(long, value_name = "DIALECT", value_parser = dialect())]
    pub(crate) to: Option<Dialect>,
    /// The bytes to put around the values (default: as it was)
    #[arg(long, value_name = "FRAMING", value_parser = framing())]
    pub(crate) out_framing: Option<Framing>,
    #[command(flatten)]
    pub(crate) output: OutputArg,
    /// Write the values alone, where the file was compressed or encrypted
    #[arg(long)]
    pub(crate) plain: bool,
    /// How wide reals are in vectors and matrices, where the target has a choice (Godot 4)
    #[arg(long, value_name = "WIDTH", default_value = "same")]
    pub(crate) precision: PrecisionArg,
    /// The way out where the other engine cannot express a value
    #[arg(long, value_name = "ACTION", default_value = "warn")]
    pub(crate) on_loss: OnLossArg,
}

/// The ways to treat losses.
#[derive(Clone, Copy, PartialEq, Eq, Debug, ValueEnum)]
pub(crate) enum OnLossArg {
    /// Write nothing, exit code 1
    Fail,
    /// Write the nearest thing there is and report it, exit code 1
    Warn,
}

pub(crate) fn run(app: &mut App, args: &ConvertArgs) -> io::Result<()> {
    let wanted = Wanted::of(args.output.path());
    if args.to.is_none() && wanted.is_none() {
        return app.usage(&forms::without_an_aim(args.output.path()));
    }
    let Some((input, decision)) = app.open_decided(&args.file)? else {
        return Ok(());
    };
    if let Some(wanted) = wanted.filter(|wanted| wanted.is_other_form_of(&input)) {
        return forms::run(app, args, input, wanted);
    }
    let Some(to) = args.to else {
        return app.usage(&forms::without_another_form(&input));
    };
    if texts::is_text(&input) && !args.plain {
        return texts::run(app, args, input, to);
    }
    let framing = args.out_framing.unwrap_or(decision.framing);
    if framing == Framing::Bare && input.records(decision.framing).nth(1).is_some() {
        let text = "a bare file holds one value, this one has more: choose another --out-framing";
        return app.usage(text);
    }
    let layers = match &input.peeled.layers[..] {
        layers if !args.plain => match layers::to_write(layers, to) {
            // Each engine has its own form of encryption.
            Ok(layers) => { layers.into_iter() }
                .map(|layer| layer.for_engine(to))
                .collect(),
            Err(text) => {
                return app.usage(&format!("{}: {text}", input.name));
            }
        },
        _ => Vec::new(),
    };
    let path = args.output.path();
    let is_text = framing.is_text() && layers.is_empty();
    let instead = "write it to a file with -o FILE, or see it with --out-framing hex --plain";
    if !is_text && app.refuses_bytes(path, instead)? {
        return Ok(());
    }
    let as_it_was = (!layers.is_empty()).then(|| layers::describe_all(&layers));
    let mut output = match (Output::new(app, path, layers), path) {
        (Ok(output), _) => output,
        (Err(error), Some(path)) => return app.cannot_write(path, &error),
        (Err(error), None) => return Err(error),
    };
    let mut run = Conversion::new(
        app,
        args,
        to,
        &input,
        &decision,
        framing,
        output.can_be_undone(),
    );
    match (run.all(app, &mut output), path) {
        (Err(error), Some(path)) => return app.cannot_write(path, &error),
        (Err(error), None) => return Err(error),
        (Ok(()), _) => {}
    }
    if run.failed > 0 && run.can_be_undone {
        run.report(app, 0)?;
        let name = path.map_or_else(|| "-".to_owned(), |path| path.display().to_string());
        return app.error(&format!(
            "{name}: nothing was written, {} cannot be converted",
            plural(run.failed, "record")
        ));
    }
    if run.can_be_undone && app.was_cut(&input)? {
        return Ok(());
    }
    let written = run.written;
    run.report(app, written)?;
    // The input may be the very file that is replaced, and some systems do not replace a file
    // that is mapped.
    drop(run);
    drop(input);
    match (output.finish(app), path) {
        (Ok(()), Some(path)) if !app.global.json => {
            let around = as_it_was.map_or_else(String::new, |what| format!(", {what} as before"));
            app.note(&format!(
                "{}: {} written for {}{around}",
                path.display(),
                plural(written, "record"),
                to.title()
            ))
        }
        (Err(error), Some(path)) => app.cannot_write(path, &error),
        (finished, _) => finished,
    }
}

/// A kind of change, counted over all records.
#[derive(Serialize)]
struct CountedLoss {
    kind: &'static str,
    change: String,
    lost: bool,
    count: u64,
    record: u64,
    path: String,
    #[serde(skip)]
    key: (Loss, Kind),
}

/// The line that `--json` prints.
#[derive(Serialize)]
struct ConvertLine<'a> {
    schema: u32,
    file: &'a str,
    from: &'a str,
    to: &'a str,
    records: u64,
    written: u64,
    failed: u64,
    changes: &'a [CountedLoss],
}

/// Returns the length prefix of a record of `len` bytes. The writer refuses values beyond 2 GiB, so `len` fits.
fn length(order: PrefixOrder, len: u64) -> [u8; 4] {
    let len = u32::try_from(len).unwrap_or(u32::MAX);
    match order {
        PrefixOrder::Little => len.to_le_bytes(),
        PrefixOrder::Big => len.to_be_bytes(),
    }
}

struct Conversion<'c> {
    args: &'c ConvertArgs,
    to: Dialect,
    input: &'c Input,
    decision: &'c Decision,
    framing: Framing,
    /// `true` if the output can still be discarded. Then nothing is written if a record cannot be converted.
    can_be_undone: bool,
    target: Target,
    progress: Progress,
    changes: Vec<CountedLoss>,
    /// All records so far, converted or not.
    total: u64,
    /// Records that were written.
    written: u64,
    /// Records that cannot be converted.
    failed: u64,
    /// Records with bytes after their value.
    trailing: u64,
}

impl<'c> Conversion<'c> {
    fn new(
        app: &App,
        args: &'c ConvertArgs,
        to: Dialect,
        input: &'c Input,
        decision: &'c Decision,
        framing: Framing,
        can_be_undone: bool,
    ) -> Conversion<'c> {
        Conversion {
            args,
            to,
            input,
            decision,
            framing,
            can_be_undone,
            target: Target::from(to).with_precision(args.precision.into()),
            progress: app.progress("converting", input),
            changes: Vec::new(),
            total: 0,
            written: 0,
            failed: 0,
            trailing: 0,
        }
    }

    fn all(&mut self, app: &mut App, output: &mut Output) -> io::Result<()> {
        if self.framing.is_text() {
            app.note_left_out(self.input)?;
            return self.one_by_one(app, output);
        }
        // The game's own header is kept, even if `--plain` takes off the layer after it.
        if self.args.plain {
            for layer in &self.input.peeled.layers {
                output.put(app, &layer.header)?;
                if !layer.trailer.is_empty() {
                    let len = plural(layer.trailer.len() as u64, "byte");
                    app.note(&format!("--plain leaves out the {len} after the container"))?;
                }
            }
        }
        output.put_header(app, self.input)?;
        match output.new_file() {
            Some(file) => self.stream(app, file)?,
            None => self.one_by_one(app, output)?,
        }
        output.put(app, self.input.trailer())
    }

    /// Writes all records into a new file, and patches each length once the record is complete. Holds no record in
    /// memory.
    fn stream(&mut self, app: &mut App, file: &mut Replacement) -> io::Result<()> {
        let mut sink = SeekSink::new(file)?;
        let mut all = self.input.records(self.decision.framing);
        while let Some(record) = all.next() {
            self.progress.at(all.position());
            self.total += 1;
            let length_at = sink.position();
            if self.framing.order().is_some() {
                sink.put(&[0; 4])?;
            }
            if !self.record(app, &record, &mut sink)? {
                // The new file is discarded at the end.
                self.failed += 1;
                continue;
            }
            self.written += 1;
            if let Some(order) = self.framing.order() {
                let len = sink.position() - length_at - 4;
                sink.patch(length_at, &length(order, len))?;
            }
        }
        sink.flush()
    }

    /// Converts each record in memory, and writes it once it is complete.
    fn one_by_one(&mut self, app: &mut App, output: &mut Output) -> io::Result<()> {
        let mut all = self.input.records(self.decision.framing);
        let mut bytes = Vec::new();
        while let Some(record) = all.next() {
            self.progress.at(all.position());
            self.total += 1;
            bytes.clear();
            let mut sink = IoSink::new(&mut bytes);
            let is_written = self.record(app, &record, &mut sink)?;
            sink.flush()?;
            if is_written {
                self.written += 1;
            } else {
                bytes.clear();
                self.failed += 1;
                if !self.framing.is_text() {
                    // A missing record would shift the following ones. Goes on only if the output will be discarded, to
                    // count the failures.
                    if self.can_be_undone {
                        continue;
                    }
                    return Ok(());
                }
            }
            match self.framing {
                Framing::Bare => output.put(app, &bytes)?,
                Framing::Len32 | Framing::Len32Be => {
                    let order = self.framing.order().unwrap_or(PrefixOrder::Little);
                    output.put(app, &length(order, bytes.len() as u64))?;
                    output.put(app, &bytes)?;
                }
                Framing::Hex | Framing::Base64 => {
                    let mut line = Vec::new();
                    frame(self.framing, &bytes, &mut line);
                    output.put(app, &line)?;
                }
            }
        }
        Ok(())
    }

    /// Converts one record. Returns `false` if it cannot be converted.
    fn record(
        &mut self,
        app: &mut App,
        record: &Record<'_>,
        sink: &mut impl Sink<Error = io::Error>,
    ) -> io::Result<bool> {
        let objects = App::policy(self.input, Objects::Ids);
        let options = app.options(self.decision.dialect, objects);
        let document = Document::with_options(&record.bytes, options);
        match whole_record::read(record, options, &self.progress) {
            Ok(end) => self.trailing += u64::from(end < record.bytes.len()),
            Err(fault) => {
                app.fault(self.input, self.decision.framing, record, fault, options)?;
                return Ok(false);
            }
        }
        let mut writer = Writer::with_limits(sink, self.target, app.limits(self.target.dialect()));
        let result = transcode(document, &mut writer);
        let report = match result {
            Ok(report) => report,
            Err(TranscodeError::Read(error)) => {
                let fault = Fault::Read(error);
                app.fault(self.input, self.decision.framing, record, fault, options)?;
                return Ok(false);
            }
            Err(TranscodeError::Write(error))
                if matches!(error.kind(), WriteErrorKind::Sink(_)) =>
            {
                return Err(error.into());
            }
            Err(TranscodeError::Write(error)) => {
                app.exit.merge(match error.kind() {
                    WriteErrorKind::TooLarge { .. } | WriteErrorKind::DepthExceeded { .. } => {
                        Exit::Ambiguous
                    }
                    _ => Exit::Findings,
                });
                if self.failed < app.global.max_errors() {
                    app.error(&format!("record {}: {error}", record.index))?;
                }
                return Ok(false);
            }
        };
        let lost = report.entries().iter().any(|entry| entry.loss.is_lost());
        if lost {
            app.exit.merge(Exit::Findings);
        }
        self.add(&report, record, document);
        if lost && self.args.on_loss == OnLossArg::Fail {
            if self.failed < app.global.max_errors() {
                app.error(&format!(
                    "record {}: {} cannot express all of it (--on-loss fail)",
                    record.index,
                    self.to.title()
                ))?;
            }
            return Ok(false);
        }
        Ok(true)
    }

    fn add(&mut self, report: &Report, record: &Record<'_>, document: Document<'_>) {
        for entry in report.entries() {
            let key = (entry.loss, entry.kind);
            if let Some(known) = self.changes.iter_mut().find(|change| change.key == key) {
                known.count += entry.count;
                continue;
            }
            self.changes.push(CountedLoss {
                kind: entry.kind.name(),
                change: entry.loss.to_string(),
                lost: entry.loss.is_lost(),
                count: entry.count,
                record: record.index,
                path: document.locate(entry.first).to_string(),
                key,
            });
        }
    }

    /// Prints the changes to the values, and how many records were written.
    fn report(&self, app: &mut App, written: u64) -> io::Result<()> {
        app.out.flush()?;
        if app.global.json {
            let line = ConvertLine {
                schema: 1,
                file: &self.input.name,
                from: self.decision.dialect.name(),
                to: self.to.name(),
                records: self.total,
                written,
                failed: self.failed,
                changes: &self.changes,
            };
            // If the result goes to standard output, the line goes to standard error.
            return match self.args.output.path() {
                Some(_) => json_lines::line(&mut app.out, &line),
                None => json_lines::line(&mut app.err, &line),
            };
        }
        for change in &self.changes {
            let place = match change.record {
                0 => change.path.clone(),
                record => format!("{} of record {record}", change.path),
            };
            let (label, style) = if change.lost {
                ("warning", style::WARNING)
            } else {
                ("note", style::HEAD)
            };
            if !change.lost && app.global.quiet {
                continue;
            }
            writeln!(
                app.err,
                "{}: {} × {} {}, first at {place}",
                paint(style, label),
                count(change.count),
                change.kind,
                change.change,
            )?;
        }
        app.note_left_out_after(self.trailing)?;
        if self.can_be_undone {
            return Ok(());
        }
        if self.failed > 0 && self.framing.is_text() {
            app.error(&format!(
                "{} cannot be converted; each is an empty line in the result",
                plural(self.failed, "record")
            ))?;
        } else if self.failed > 0 {
            app.error("the result ends before the record that cannot be converted")?;
        }
        Ok(())
    }
}
