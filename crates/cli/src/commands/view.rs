//! `view`: everything in a file, or a part of it.

use std::{
    cell::{Cell, RefCell},
    io::{self, Write},
    path::{Path as FilePath, PathBuf},
};

use clap::{Args, ValueEnum};
use gdvar_file::records::{Place, Record};
use gdvar_view::{Document, Found, Objects, Path, ReadOptions, VariantRef};

use crate::{
    app::{self, App, files},
    args::{Json, RecordArg},
    diagnose::{
        fault::Fault,
        verdict::{self, Judged, Verdict},
        whole_record,
    },
    input::{bytes::Input, detect::Plan, layers},
    locate::lookup::{Lookup, lookup},
    show::{
        json_lines, notation,
        one_line::{Cut, Item},
        rows,
        tree::{Shape, Tree},
        value,
    },
    terminal::{
        exit::Exit,
        progress::Progress,
        style::{self, paint},
        width, words,
    },
};

/// Of `view`.
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
    /// What `--json` does.
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

    /// The upper levels of a file.
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

/// A terminal of fewer columns has values cut to fit; a wider one shows most of them whole.
const NARROW: usize = 80;

/// Runs it.
pub(crate) fn run(app: &mut App, args: &ViewArgs) -> io::Result<()> {
    let (named, path) = files::and_path(&args.file, &args.more);
    let path_text = path.unwrap_or("$");
    let path = match Path::parse(path_text) {
        Ok(path) => path,
        Err(error) => {
            app.exit.merge(Exit::Usage);
            return app.error(&format!("{path_text:?}: {error}"));
        }
    };
    let files = app.files(&named)?;
    let name_files = files.len() > 1;
    app.each(&files, |app, file| one(app, args, &path, file, name_files))?;
    Ok(())
}

/// Standard output for the text of a value.
struct Printed<'a>(&'a mut App);

impl Write for Printed<'_> {
    fn write(&mut self, bytes: &[u8]) -> io::Result<usize> {
        self.0.raw(bytes)?;
        Ok(bytes.len())
    }

    fn flush(&mut self) -> io::Result<()> {
        Ok(())
    }
}

/// Shows a file.
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
    let Some(plan) = app.plan(&input)? else {
        return Ok(());
    };
    let progress = app.progress("reading", &input);
    let view = View {
        args,
        path,
        name_files,
        input: &input,
        plan: &plan,
        progress: &progress,
        many: input.records(plan.framing).nth(1).is_some(),
        verdict: RefCell::new(Verdict::new()),
        reported: Cell::new(false),
    };
    let Some(records) = app.chosen(&input, &plan, args.record.record)? else {
        return Ok(());
    };
    for record in records {
        view.bounded(app, &record)?;
    }
    let more = app.problems.saturating_sub(app.global.max_errors());
    if more > 0 {
        let more = words::plural(more, "more bad record");
        app.error(&format!(
            "… and {more}, not shown; --max-errors 0 shows all"
        ))?;
    }
    let lost = view.verdict.borrow();
    app.say_refused(&lost, &input)?;
    app.say_losses(&lost, &input)
}

struct View<'v, 'p> {
    args: &'v ViewArgs,
    path: &'v Path<'p>,
    /// `true` if it is one of several files.
    name_files: bool,
    input: &'v Input,
    plan: &'v Plan,
    progress: &'v Progress,
    many: bool,
    verdict: RefCell<Verdict>,
    /// `true` if something was said about what is wrong with the record at hand.
    reported: Cell<bool>,
}

impl View<'_, '_> {
    /// A record, unless it is one of too many that cannot be read.
    fn bounded(&self, app: &mut App, record: &Record<'_>) -> io::Result<()> {
        if app.problems >= app.global.max_errors() {
            let options = app.showing(self.plan.dialect, &record.bytes);
            if let Err(fault) = whole_record::read(record, options, self.progress) {
                return self.fault(app, record, fault, options);
            }
        }
        self.record_and_verdict(app, record)
    }

    /// Shows a record, and gives the verdict on it where all of it was asked for.
    fn record_and_verdict(&self, app: &mut App, record: &Record<'_>) -> io::Result<()> {
        self.reported.set(false);
        self.record(app, record)?;
        if !self.path.steps().is_empty() {
            return Ok(());
        }
        let judged = self.judge(app, record);
        app.exit.merge(judged.exit);
        self.verdict.borrow_mut().add(&judged);
        match judged.fault {
            Some(fault) if !self.reported.get() && !judged.needs_leave() => {
                self.fault(app, record, fault, self.judging(app))
            }
            _ => Ok(()),
        }
    }

    /// How the engine would read it.
    fn judging(&self, app: &App) -> ReadOptions {
        app.options(self.plan.dialect, App::policy(self.input, Objects::Ids))
    }

    fn judge(&self, app: &App, record: &Record<'_>) -> Judged {
        verdict::judge(record, self.judging(app))
    }

    fn record(&self, app: &mut App, record: &Record<'_>) -> io::Result<()> {
        let is_tree = self.args.format == FormatArg::Tree && !app.global.json;
        if is_tree && self.many && self.args.record.record.is_none() {
            self.heading(app, record)?;
        }
        let options = app.showing(self.plan.dialect, &record.bytes);
        if let Some(problem) = record.problem {
            return self.fault(app, record, Fault::Problem(problem), options);
        }
        let document = Document::with_options(&record.bytes, options);
        let found = match document.root().and_then(|root| lookup(root, self.path)) {
            Ok(Lookup::Found(found, _)) => found,
            Ok(Lookup::Missing(missing)) => return app.not_found(self.path, &missing),
            Err(error) => return self.fault(app, record, Fault::Read(error), options),
        };
        match found {
            Found::Value(value) => self.value(app, record, document, value),
            Found::Part(_) if app.global.json => {
                let json = value::json(found).unwrap_or_default();
                app.raw(&[&json[..], b"\n"].concat())
            }
            Found::Part(part) => writeln!(app.out, "{}", Item::of(part).text(Cut::NONE)),
        }
    }

    fn value(
        &self,
        app: &mut App,
        record: &Record<'_>,
        document: Document<'_>,
        value: VariantRef<'_>,
    ) -> io::Result<()> {
        let options = document.options();
        if self.args.format == FormatArg::Tree && !app.global.json {
            return self.tree(app, record, document, value);
        }
        // The other forms are for programs: all of a value or nothing.
        if let Err(fault) = whole_record::read(record, options, self.progress) {
            return self.fault(app, record, fault, options);
        }
        if app.global.json {
            return match value::json(Found::Value(value)) {
                Ok(text) => self.json(app, record, value, text),
                Err(error) => self.fault(app, record, Fault::Read(error), options),
            };
        }
        let engine = app.engine(self.plan.dialect);
        let put = match self.args.format {
            FormatArg::Godot => notation::put_godot(Printed(app), value, engine)?,
            _ => {
                if self.name_files {
                    app.raw(format!("{}: ", self.input.shown()).as_bytes())?;
                }
                notation::put_line(Printed(app), value)?
            }
        };
        match put {
            Ok(()) => app.raw(b"\n"),
            Err(error) => self.fault(app, record, Fault::Read(error), options),
        }
    }

    /// Prints the line of a value for machines.
    fn json(
        &self,
        app: &mut App,
        record: &Record<'_>,
        value: VariantRef<'_>,
        text: Vec<u8>,
    ) -> io::Result<()> {
        let judged = self.judge(app, record);
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

    fn tree(
        &self,
        app: &mut App,
        record: &Record<'_>,
        document: Document<'_>,
        value: VariantRef<'_>,
    ) -> io::Result<()> {
        let options = document.options();
        let whole = value.offset() == 0;
        // Only the walk over all of it minds what follows, in strict mode.
        let events = if whole {
            document.events()
        } else {
            value.events()
        };
        let mut tree = Tree {
            out: &mut app.out,
            shape: Shape {
                full: self.args.full || layers::is_list(&self.input.layers),
                depth: self.args.depth.unwrap_or(usize::MAX),
                types: self.args.types,
                offsets: self.args.offsets.then_some(record.place.base()),
                columns: width::columns().filter(|&columns| columns < NARROW),
            },
            progress: self.progress,
        };
        match tree.print(events)? {
            Ok(()) if record.cut.is_some() && whole => {
                let error = whole_record::end_error(record);
                self.fault(app, record, Fault::Read(error), options)
            }
            Ok(()) => Ok(()),
            Err(error) => self.fault(app, record, Fault::Read(error), options),
        }
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

    fn fault(
        &self,
        app: &mut App,
        record: &Record<'_>,
        fault: Fault,
        options: ReadOptions,
    ) -> io::Result<()> {
        self.reported.set(true);
        app.fault(self.input, self.plan.framing, record, fault, options)
    }
}
