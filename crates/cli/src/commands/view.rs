//! `view`: prints everything in a file, or a part of it.

use std::{
    io::{self, Write},
    path::{Path as FilePath, PathBuf},
};

use clap::{Args, ValueEnum};
use gdvar_file::Decision;
use gdvar_file::records::{Place, Record};
use gdvar_view::{Document, Found, Objects, Path, ReadOptions, VariantRef};

use crate::{
    app::{self, App, RawOut, files, records::Stop},
    args::{Json, RecordArg},
    diagnose::{
        verdict::{self, Verdict},
        whole_record,
    },
    input::{bytes::Input, layers},
    locate::lookup::{Lookup, lookup},
    show::{
        json_lines, notation, rows,
        summary::{Cut, Item},
        tree::{Shape, Tree},
        value,
    },
    terminal::{
        progress::Progress,
        style::{self, paint},
        width, words,
    },
};

#[derive(Args, Debug)]
#[command(after_help = "\
Examples:
  gdvar view slot1.dat
  gdvar view slot1.dat player.inventory --types
  gdvar view slot1.dat slot2.dat player                    the same part of both
  gdvar view --full --format godot slot1.dat > slot1.txt   all of it, as var_to_str prints it
  gdvar view --format line replay.rec                      one line a record")]
pub(crate) struct ViewArgs {
    /// A file or folder; - is standard input
    #[arg(default_value = "-", hide_default_value = true)]
    pub(crate) file: PathBuf,
    /// More files and folders; last the part of them to show, such as `player.items`
    #[arg(value_name = "FILE|PATH")]
    pub(crate) more: Vec<String>,
    /// How to print it
    #[arg(long, value_name = "FORM", default_value = "tree")]
    pub(crate) format: FormatArg,
    /// Show all elements and all of every text
    #[arg(long)]
    pub(crate) full: bool,
    /// Fold what is nested deeper than this
    #[arg(long, value_name = "N")]
    pub(crate) depth: Option<usize>,
    /// Name the type of every value
    #[arg(long)]
    pub(crate) types: bool,
    /// Print where in the file every value begins
    #[arg(long)]
    pub(crate) offsets: bool,
    #[command(flatten)]
    pub(crate) record: RecordArg,
}

impl ViewArgs {
    pub(crate) fn json(&self) -> Json {
        match self {
            ViewArgs { types: true, .. } | ViewArgs { offsets: true, .. } => Json::Refused(
                "--types and --offsets are for people; `gdvar hex --json` prints both for every value",
            ),
            ViewArgs { depth: Some(_), .. } => Json::Refused(
                "--depth folds the tree for people, and JSON is whole; name a path to have a part of it",
            ),
            ViewArgs {
                format: FormatArg::Godot | FormatArg::Line,
                ..
            } => Json::Refused("--format says another form; leave one of them out"),
            _ => Json::Lines,
        }
    }

    /// Returns the arguments that show a file as a tree down to depth 2.
    pub(crate) fn top(file: &FilePath) -> ViewArgs {
        ViewArgs {
            file: file.to_owned(),
            more: Vec::new(),
            format: FormatArg::Tree,
            full: false,
            depth: Some(2),
            types: false,
            offsets: false,
            record: RecordArg::default(),
        }
    }
}

/// How to print values.
#[derive(Clone, Copy, PartialEq, Eq, Debug, ValueEnum)]
pub(crate) enum FormatArg {
    /// A tree for people, long parts folded
    Tree,
    /// As var_to_str (Godot 3: var2str) prints it
    Godot,
    /// One line a record
    Line,
}

/// If the terminal has fewer columns than this, values are cut to fit. A wider terminal shows most values completely.
const NARROW: usize = 80;

pub(crate) fn run(app: &mut App, args: &ViewArgs) -> io::Result<()> {
    let (named, path) = files::and_path(&args.file, &args.more);
    let path_text = path.unwrap_or("$");
    let Some(path) = app.parse_path(path_text)? else {
        return Ok(());
    };
    let files = app.files(&named)?;
    let name_files = files.len() > 1;
    app.each(&files, |app, file| one(app, args, &path, file, name_files))?;
    Ok(())
}

/// Shows one file, or the value at `path` in it.
fn one(
    app: &mut App,
    args: &ViewArgs,
    path: &Path<'_>,
    file: &FilePath,
    name_files: bool,
) -> io::Result<()> {
    let Some(input) = app.open(file)? else {
        return Ok(());
    };
    if name_files && !app.global.json && args.format == FormatArg::Tree {
        let name = paint(style::FRAME, format!("# {}", input.shown()));
        writeln!(app.out, "{name}")?;
    }
    let Some(decision) = app.decision(&input)? else {
        return Ok(());
    };
    let progress = app.progress("reading", &input);
    let mut view = View {
        args,
        path,
        name_files,
        input: &input,
        decision: &decision,
        progress: &progress,
        many: input.records(decision.framing).nth(1).is_some(),
        verdict: Verdict::new(),
    };
    let Some(records) = app.chosen(&input, &decision, args.record.record)? else {
        return Ok(());
    };
    app.each_record(
        (&input, &decision),
        records,
        App::showing,
        |app, record, options| {
            // After too many faults, records with a fault are only counted, so their values are not printed.
            if app.problems >= app.global.max_errors() {
                whole_record::read(record, options, &progress)?;
            }
            Ok(view.record_and_verdict(app, record, options)?)
        },
    )?;
    let more = app.problems.saturating_sub(app.global.max_errors());
    if more > 0 {
        let more = words::plural(more, "more bad record");
        app.error(&format!(
            "… and {more}, not shown; --max-errors 0 shows all"
        ))?;
    }
    app.say_refused(&view.verdict, &input)?;
    app.say_losses(&view.verdict, &input)
}

struct View<'v, 'p> {
    args: &'v ViewArgs,
    path: &'v Path<'p>,
    /// `true` if several files are shown.
    name_files: bool,
    input: &'v Input,
    decision: &'v Decision,
    progress: &'v Progress,
    many: bool,
    verdict: Verdict,
}

impl View<'_, '_> {
    /// Shows a record. If no path is given, also judges how the engine would read it.
    fn record_and_verdict(
        &mut self,
        app: &mut App,
        record: &Record<'_>,
        options: ReadOptions,
    ) -> io::Result<()> {
        let file = (self.input, self.decision);
        let shown = self.record(app, record, options);
        let is_reported = matches!(shown, Err(Stop::Fault(_)));
        app.report_stop(file, record, options, shown)?;
        if !self.path.steps().is_empty() {
            return Ok(());
        }
        let judging = self.judging(app);
        let judged = verdict::judge(record, judging);
        app.exit.merge(judged.exit);
        self.verdict.add(&judged);
        match judged.fault {
            Some(fault) if !is_reported && !judged.needs_leave() => {
                app.report_stop(file, record, judging, Err(fault.into()))
            }
            _ => Ok(()),
        }
    }

    /// Returns the options for judging how the engine reads the file.
    fn judging(&self, app: &App) -> ReadOptions {
        app.options(self.decision.dialect, App::policy(self.input, Objects::Ids))
    }

    fn record(&self, app: &mut App, record: &Record<'_>, options: ReadOptions) -> Result<(), Stop> {
        let is_tree = self.args.format == FormatArg::Tree && !app.global.json;
        if is_tree && self.many && self.args.record.record.is_none() {
            self.heading(app, record)?;
        }
        match lookup(whole_record::root(record, options)?, self.path)? {
            Lookup::Missing(missing) => app.not_found(self.path, &missing)?,
            Lookup::Found(Found::Value(value), _) if is_tree => self.tree(app, record, value)?,
            Lookup::Found(Found::Value(value), _) => self.for_programs(app, record, value)?,
            Lookup::Found(part, _) if app.global.json => {
                let json = value::json(part).unwrap_or_default();
                app.raw(&[&json[..], b"\n"].concat())?;
            }
            Lookup::Found(Found::Part(part), _) => {
                writeln!(app.out, "{}", Item::of(part).text(Cut::NONE))?;
            }
        }
        Ok(())
    }

    /// Prints a value as JSON or in Godot's notation. Prints nothing if the record is damaged.
    fn for_programs(
        &self,
        app: &mut App,
        record: &Record<'_>,
        value: VariantRef<'_>,
    ) -> Result<(), Stop> {
        whole_record::read(record, value.options(), self.progress)?;
        if app.global.json {
            let text = value::json(Found::Value(value))?;
            return Ok(self.json(app, record, value, text)?);
        }
        let engine = app.engine(self.decision.dialect);
        if self.args.format == FormatArg::Godot {
            notation::put_godot(RawOut(app), value, engine)?;
        } else {
            if self.name_files {
                app.raw(format!("{}: ", self.input.shown()).as_bytes())?;
            }
            notation::put_line(RawOut(app), value)?;
        }
        Ok(app.raw(b"\n")?)
    }

    /// Prints a value as a line of JSON, with the verdict on its record.
    fn json(
        &self,
        app: &mut App,
        record: &Record<'_>,
        value: VariantRef<'_>,
        text: Vec<u8>,
    ) -> io::Result<()> {
        let judged = verdict::judge(record, self.judging(app));
        let offset = record.place.base() + value.offset();
        let number = |number: u64| number.to_string().into_bytes();
        let ok = judged.fault.is_none() && judged.changes.is_empty();
        let mut fields = Vec::new();
        if self.name_files {
            fields.push(("file", value::string(&self.input.name)));
        }
        fields.extend([
            ("record", number(record.index)),
            ("offset", number(offset as u64)),
            ("type", value::string(value.kind().name())),
            ("value", text),
            ("ok", ok.to_string().into_bytes()),
        ]);
        if !judged.changes.is_empty() {
            let mut lost = Vec::new();
            json_lines::write(&mut lost, &judged.changes)?;
            fields.push(("lost", lost));
        }
        app.raw(&rows::object(&fields))
    }

    fn tree(&self, app: &mut App, record: &Record<'_>, value: VariantRef<'_>) -> Result<(), Stop> {
        let is_whole = value.offset() == 0;
        // If the value is the whole record, walks the document, because in strict mode that also checks the bytes after
        // the value.
        let events = if is_whole {
            Document::with_options(&record.bytes, value.options()).events()
        } else {
            value.events()
        };
        let mut tree = Tree {
            out: &mut app.out,
            shape: Shape {
                full: self.args.full || layers::is_list(&self.input.peeled.layers),
                depth: self.args.depth.unwrap_or(usize::MAX),
                types: self.args.types,
                offsets: self.args.offsets.then_some(record.place.base()),
                columns: width::columns().filter(|&columns| columns < NARROW),
            },
            progress: self.progress,
        };
        tree.print(events)?;
        if is_whole {
            record.end()?;
        }
        Ok(())
    }

    fn heading(&self, app: &mut App, record: &Record<'_>) -> io::Result<()> {
        let place = match record.place {
            Place::Byte(start) => format!("at {start:#x}"),
            Place::Line(line) => format!("line {line}"),
        };
        let text = format!(
            "# record {}, {place}, {}",
            record.index,
            app::size(record.bytes.len())
        );
        writeln!(app.out, "{}", paint(style::FRAME, text))
    }
}
