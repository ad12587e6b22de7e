//! The parts that all commands share: options, output, and the way from a file to its records.

use std::{
    cell::{Cell, RefCell},
    io::{self, BufWriter, IsTerminal, Write},
    path::Path,
    rc::Rc,
};

use anstream::{AutoStream, ColorChoice};
use gdvar_io::{Envelope, replace::Snapshot, sniff};
use gdvar_view::{Dialect, Document, Engine, ErrorKind, Limits, Mode, Objects, ReadOptions};

use crate::{
    args::{ColorArg, DialectArg, Global},
    brief,
    detect::{self, Plan, Sure, Undecided, Wanted},
    dumps::{self, Encoding},
    envelope::{self, Layer, Trouble},
    exit::{self, Exit},
    files,
    header::{self, Header},
    input::Input,
    machine,
    progress::Progress,
    reason::Reason,
    records::{Framing, Record},
    report::{Note, Report},
    stream::{Log, Stream, Way},
    style::{self, paint},
    tamed::Tamed,
    undecided::{
        dialects_report, framings_report, header_report, names, rest_report, unreadable_report,
    },
    width,
};

mod faults;

/// The settings of apps that work side by side.
pub(crate) struct Settings {
    global: Global,
    on_terminal: bool,
    target: Option<Snapshot>,
}

/// Why the contents of a file cannot be had.
pub(crate) enum Unopened {
    /// It is compressed or encrypted, and cannot be opened.
    Layer(Trouble),
    /// It is no text of the encoding that is named, and where.
    NotEncoded(String),
    /// It has fewer bytes than are to be skipped, or would be replaced by something else than it is.
    Usage(String),
}

impl Unopened {
    /// For people, without the name of the file.
    pub(crate) fn words(&self) -> String {
        match self {
            Unopened::Layer(trouble) => trouble.words(),
            Unopened::NotEncoded(text) | Unopened::Usage(text) => text.clone(),
        }
    }
}

/// The run of one command.
pub(crate) struct App {
    /// The options of every command.
    pub(crate) global: Global,
    /// Results.
    pub(crate) out: BufWriter<Stream>,
    /// Results that are bytes or text of a file, to be passed on untouched.
    raw: BufWriter<Stream>,
    /// `true` if a terminal shows the results.
    on_terminal: bool,
    /// The file that the command is going to replace, as it was when the command began.
    pub(crate) target: Option<Snapshot>,
    /// Messages.
    pub(crate) err: Stream,
    /// The output that another app prints later.
    log: Option<Rc<RefCell<Log>>>,
    /// How it ends, so far.
    pub(crate) exit: Exit,
    /// `true` if there was a message about the file at hand.
    hinted: Cell<bool>,
    /// Records of the file at hand that cannot be read.
    pub(crate) problems: u64,
}

impl App {
    /// Sets up output.
    pub(crate) fn new(global: Global) -> App {
        // A pager that is started later is no terminal.
        let _ = width::columns();
        let (out, err) = match global.color {
            ColorArg::Auto => (
                AutoStream::auto(io::stdout()),
                AutoStream::auto(io::stderr()),
            ),
            ColorArg::Always => both(ColorChoice::Always),
            ColorArg::Never => both(ColorChoice::Never),
        };
        let on_terminal = io::stdout().is_terminal();
        let out = Tamed::styled(out, on_terminal);
        let raw = Tamed::plain(io::stdout(), on_terminal);
        let err = Tamed::styled(err, io::stderr().is_terminal());
        App {
            global,
            out: BufWriter::with_capacity(1 << 16, Stream::Out(out)),
            raw: BufWriter::with_capacity(1 << 16, Stream::Raw(raw)),
            on_terminal,
            target: None,
            err: Stream::Err(err),
            log: None,
            exit: Exit::Fine,
            hinted: Cell::new(false),
            problems: 0,
        }
    }

    /// The settings that an app on another thread needs to know.
    pub(crate) fn settings(&self) -> Settings {
        Settings {
            global: self.global.clone(),
            on_terminal: self.on_terminal,
            target: self.target.clone(),
        }
    }

    /// An app that keeps what it prints.
    pub(crate) fn held(settings: &Settings) -> App {
        let log = Rc::<RefCell<Log>>::default();
        let held = |way| Stream::Held(way, Rc::clone(&log));
        App {
            global: settings.global.clone(),
            out: BufWriter::with_capacity(1 << 12, held(Way::Out)),
            raw: BufWriter::with_capacity(1 << 12, held(Way::Raw)),
            on_terminal: settings.on_terminal,
            target: settings.target.clone(),
            err: held(Way::Err),
            log: Some(log),
            exit: Exit::Fine,
            hinted: Cell::new(false),
            problems: 0,
        }
    }

    /// The output, if it was kept.
    pub(crate) fn into_log(mut self) -> io::Result<Log> {
        self.flush()?;
        Ok(self.log.map(|log| log.take()).unwrap_or_default())
    }

    /// Prints what another app kept.
    pub(crate) fn put(&mut self, way: Way, bytes: &[u8]) -> io::Result<()> {
        match way {
            Way::Out => {
                self.raw.flush()?;
                self.out.write_all(bytes)
            }
            Way::Raw => {
                self.out.flush()?;
                self.raw.write_all(bytes)
            }
            Way::Err => {
                self.flush()?;
                self.err.write_all(bytes)
            }
        }
    }

    /// Bytes or text of a file for standard output, without the filter for colours. A terminal gets nothing that it would
    /// obey, as [`Tamed`] says.
    pub(crate) fn raw(&mut self, bytes: &[u8]) -> io::Result<()> {
        // Less than the buffer, which copies it: the system refuses bytes of a mapped file that has become
        // shorter without saying which file that is.
        let mut pieces = bytes.chunks(1 << 15);
        pieces.try_for_each(|piece| self.raw.write_all(piece))
    }

    /// Returns `true`, and says why, if a terminal would get bytes: a path of `None` is standard output. `instead` is
    /// what to do.
    pub(crate) fn refuses_bytes(&mut self, path: Option<&Path>, instead: &str) -> io::Result<bool> {
        let refuses = path.is_none() && self.on_terminal;
        if refuses {
            self.exit.merge(Exit::Usage);
            self.error(&format!("the result is not text: {instead}"))?;
        }
        Ok(refuses)
    }

    /// Hands on what was printed.
    pub(crate) fn flush(&mut self) -> io::Result<()> {
        self.out.flush()?;
        self.raw.flush()
    }

    /// A remark that can be missed.
    pub(crate) fn note(&mut self, text: &str) -> io::Result<()> {
        if self.global.quiet {
            return Ok(());
        }
        self.flush()?;
        writeln!(
            self.err,
            "{}: {}",
            paint(style::HEAD, "note"),
            brief::tame(text)
        )
    }

    /// A line that is to be seen, whatever else is printed.
    pub(crate) fn warn(&mut self, line: &str) -> io::Result<()> {
        self.flush()?;
        writeln!(self.err, "{line}")
    }

    /// Reports an error without a place in the bytes.
    pub(crate) fn error(&mut self, text: &str) -> io::Result<()> {
        self.flush()?;
        writeln!(
            self.err,
            "{}: {}",
            paint(style::ERROR, "error"),
            brief::tame(text)
        )
    }

    /// Opens a file, and what is compressed or encrypted in it; or says why not.
    pub(crate) fn open(&mut self, path: &Path) -> io::Result<Option<Input>> {
        let Some(input) = self.open_as_it_is(path)? else {
            return Ok(None);
        };
        let name = input.name.clone();
        let unopened = match self.contents(input)? {
            Ok(input) => return Ok(Some(input)),
            Err(unopened) => unopened,
        };
        match unopened {
            Unopened::Layer(trouble) => self.trouble(&name, &trouble)?,
            Unopened::NotEncoded(text) => {
                self.exit.merge(Exit::Malformed);
                self.unread(&name, &text)?;
            }
            Unopened::Usage(text) => {
                self.exit.merge(Exit::Usage);
                self.unread(&name, &text)?;
            }
        }
        Ok(None)
    }

    /// The contents of a file: without a text form, a container and a header of the game's own.
    pub(crate) fn contents(&mut self, input: Input) -> io::Result<Result<Input, Unopened>> {
        let input = match self.decoded(input)? {
            Ok(input) => input,
            Err(unopened) => return Ok(Err(unopened)),
        };
        // The game's own header is in front of the values, or of all that is compressed or encrypted.
        let whole = sniff(&input) == Envelope::Other;
        let (mut input, mut skip) = if whole {
            self.header(input)?
        } else {
            (input, 0)
        };
        let file = input.get(skip..).unwrap_or_default();
        match envelope::open(&self.global, file) {
            Ok(None) => {}
            Ok(Some((mut layer, contents))) => {
                layer.header = input[..input.len() - file.len()].to_vec();
                if let Some(missing) = layer.missing() {
                    self.exit.merge(Exit::Findings);
                    self.note(&format!("{}: {missing}", input.name))?;
                }
                let is_list = layer.framing().is_some();
                input = input.with_contents(layer, contents);
                skip = if whole { 0 } else { self.global.skip };
                if !is_list && self.global.skip == 0 {
                    (input, skip) = self.header(input)?;
                }
            }
            Err(trouble) => return Ok(Err(Unopened::Layer(trouble))),
        }
        Ok(input.behind(skip).map_err(Unopened::Usage))
    }

    /// A file, and the length of the header that the game put in front: `--skip`, or what is found.
    fn header(&mut self, input: Input) -> io::Result<(Input, usize)> {
        match self.find_header(&input) {
            Some(found) if found.is_doubtful => Ok((input.doubted(found), 0)),
            Some(found) => {
                let name = input.short_name();
                self.note(&format!("{name}: {}", header::describe(found)))?;
                Ok((input, found.len))
            }
            None => Ok((input, self.global.skip)),
        }
    }

    /// Looks for the header that the game put in front, unless options say where the values start.
    pub(crate) fn find_header(&self, bytes: &[u8]) -> Option<Header> {
        let is_given = self.global.skip > 0 || self.global.framing.get().is_some();
        let dialects = || self.global.dialect.candidates();
        if is_given {
            None
        } else {
            header::find(bytes, &dialects())
        }
    }

    /// The bytes that a text stands for, or why it does not.
    fn decoded(&mut self, input: Input) -> io::Result<Result<Input, Unopened>> {
        let framing = self.global.framing.get();
        let named = self.global.encoding;
        let encoding = match named {
            Some(encoding) => encoding,
            None if framing.is_some() || self.global.skip > 0 => return Ok(Ok(input)),
            None => match dumps::recognize(&input) {
                Some(encoding) => encoding,
                None => return Ok(Ok(input)),
            },
        };
        let bytes = match encoding {
            Encoding::Raw => return Ok(Ok(input)),
            _ if self.replaces(Path::new(&input.name)) => {
                let name = input.shown();
                return Ok(Err(Unopened::Usage(format!(
                    "{name}: is text that stands for bytes, and would be replaced by these: write the values to another file with -o"
                ))));
            }
            // Each line is a value.
            Encoding::Hex if framing.is_none_or(Framing::is_text) => {
                dumps::hex_lines(&input).map(String::into_bytes)
            }
            encoding => dumps::decode(&input, encoding),
        };
        let name = clap::ValueEnum::to_possible_value(&encoding);
        let name = name.map_or(String::new(), |name| name.get_name().to_owned());
        match bytes {
            Ok(bytes) => {
                if named.is_none() {
                    let shown = input.short_name();
                    self.note(&format!("{shown}: read as text of --encoding {name}"))?;
                }
                Ok(Ok(input.decoded(bytes)))
            }
            Err(dumps::NotEncoded(line)) => {
                let shown = input.shown();
                Ok(Err(Unopened::NotEncoded(format!(
                    "{shown}, line {line}: this is not --encoding {name}"
                ))))
            }
        }
    }

    /// Says why a file cannot be read; with --json in a line for machines, too.
    fn unread(&mut self, name: &str, text: &str) -> io::Result<()> {
        if self.global.json {
            let mut line = machine::UndecidedLine::bare(name, "NotRead");
            line.message = Some(text);
            self.error_line(&line)?;
        }
        self.error(text)
    }

    /// Prints the line of `--json` about an error: to standard output, unless that is the result itself.
    pub(crate) fn error_line(&mut self, line: &impl serde::Serialize) -> io::Result<()> {
        self.flush()?;
        match self.global.errors_aside {
            true => machine::line(&mut self.err, line),
            false => machine::line(&mut self.out, line),
        }
    }

    /// Opens a file, or says why not.
    pub(crate) fn open_as_it_is(&mut self, path: &Path) -> io::Result<Option<Input>> {
        self.hinted.set(false);
        self.problems = 0;
        // A link may lead elsewhere by now; what is replaced has to be what is read.
        let target = self.target.as_ref().filter(|old| old.given() == path);
        match Input::open_at(path, target.map_or(path, Snapshot::path)) {
            Ok(input) => Ok(Some(input)),
            Err(error) => {
                self.exit.merge(Exit::Io);
                let missing = error.kind() == io::ErrorKind::NotFound;
                let hint = files::meant_path(path)
                    .filter(|_| missing)
                    .unwrap_or_default();
                let name = path.display().to_string();
                self.unread(&name, &format!("{name}: {error}{hint}"))?;
                Ok(None)
            }
        }
    }

    /// A progress bar through a file.
    pub(crate) fn progress(&self, what: &str, input: &Input) -> Progress {
        let what = format!("{what} {}", input.short_name());
        let quiet = self.global.quiet || self.global.json || self.log.is_some();
        Progress::new(&what, input.len(), quiet)
    }

    /// The release of a dialect's engine: the one that `-d` names, or the default.
    pub(crate) fn engine(&self, dialect: Dialect) -> Option<Engine> {
        let named = self.global.dialect.release();
        named
            .filter(|engine| engine.dialect() == dialect)
            .or_else(|| Engine::of(dialect))
    }

    /// The limits of reading and writing: those of the dialect's engine unless told otherwise.
    pub(crate) fn limits(&self, dialect: Dialect) -> Limits {
        match self.global.max_depth {
            Some(depth) => Limits::ENGINE.with_max_depth(depth),
            None => self.engine(dialect).map_or(Limits::ENGINE, Engine::limits),
        }
    }

    /// How to read values.
    pub(crate) fn options(&self, dialect: Dialect, objects: Objects) -> ReadOptions {
        let mode = if self.global.strict {
            Mode::Strict
        } else {
            Mode::Engine
        };
        ReadOptions::new(dialect)
            .with_mode(mode)
            .with_objects(self.global.objects.map_or(objects, Objects::from))
            .with_limits(self.limits(dialect))
    }

    /// The options for showing a record: whole objects are let in where there are some, unless the
    /// command line says otherwise. The engines look closer at some bytes once they are allowed.
    pub(crate) fn showing(&self, dialect: Dialect, bytes: &[u8]) -> ReadOptions {
        let options = self.options(dialect, Objects::Ids);
        if self.global.objects.is_some() {
            return options;
        }
        match Document::with_options(bytes, options).validate() {
            Err(error) if error.kind() == ErrorKind::ObjectsNotAllowed => {
                options.with_objects(Objects::Inert)
            }
            _ => options,
        }
    }

    /// The values of the command line about a file, or else those of the layer that was around its
    /// contents.
    pub(crate) fn wanted(&self, input: &Input) -> Wanted {
        let layer = input.layer.as_ref();
        Wanted {
            dialect: match layer.and_then(Layer::dialect) {
                Some(dialect) if self.global.dialect.given().is_none() => DialectArg::One(dialect),
                _ => self.global.dialect,
            },
            framing: { self.global.framing.get() }
                .or(layer.and_then(Layer::framing))
                .or((self.global.encoding == Some(Encoding::Hex)).then_some(Framing::Hex)),
        }
    }

    /// The policy on objects that the engine has for such a file, or else the usual one.
    pub(crate) fn policy(input: &Input, usual: Objects) -> Objects {
        let layer = input.layer.as_ref();
        layer.and_then(Layer::objects).unwrap_or(usual)
    }

    /// Finds out how to read a file.
    pub(crate) fn detect(&self, input: &Input) -> Result<Plan, Box<Undecided>> {
        if let Some(found) = input.doubt {
            return Err(Box::new(Undecided::Header(found)));
        }
        let progress = self.progress("looking at", input);
        detect::detect(input, self.wanted(input), &progress)
    }

    /// The records of a file, or the one of that number; `None` if there is none, which is said.
    pub(crate) fn chosen<'a>(
        &mut self,
        input: &'a Input,
        plan: &Plan,
        record: Option<i64>,
    ) -> io::Result<Option<impl Iterator<Item = Record<'a>> + use<'a>>> {
        match input.chosen(plan.framing, record) {
            Ok(records) => Ok(Some(records)),
            Err(text) => {
                self.exit.merge(Exit::Findings);
                self.error(&text)?;
                Ok(None)
            }
        }
    }

    /// Finds out how to read a file, or says why that is not clear.
    pub(crate) fn plan(&mut self, input: &Input) -> io::Result<Option<Plan>> {
        match self.detect(input) {
            Ok(plan) => {
                self.note_plan(input, &plan)?;
                Ok(Some(plan))
            }
            Err(undecided) => {
                self.undecided(input, &undecided)?;
                Ok(None)
            }
        }
    }

    /// Opens a file and finds out how to read it, or says why that cannot be.
    pub(crate) fn open_planned(&mut self, path: &Path) -> io::Result<Option<(Input, Plan)>> {
        let Some(input) = self.open(path)? else {
            return Ok(None);
        };
        let plan = self.plan(&input)?;
        Ok(plan.map(|plan| (input, plan)))
    }

    /// Says what is not certain about a plan.
    pub(crate) fn note_plan(&mut self, input: &Input, plan: &Plan) -> io::Result<()> {
        let name = input.short_name();
        match plan.sure {
            Sure::Same => {
                let all = names(&plan.same).join(", ");
                self.note(&format!(
                    "{name}: the same values in {all}; read as {}",
                    plan.dialect
                ))?;
            }
            Sure::Likely => self.note(&format!(
                "{name}: read as {}; another engine could read it too, but not as well",
                plan.dialect
            ))?,
            Sure::Given | Sure::Certain | Sure::Furthest => {}
        }
        if self.global.framing.get().is_none() && plan.damaged {
            self.note(&format!(
                "{name}: taken as {} ({})",
                plan.framing.name(),
                plan.framing.meaning()
            ))?;
        }
        Ok(())
    }

    /// Says why it is not clear how to read a file.
    pub(crate) fn undecided(&mut self, input: &Input, undecided: &Undecided) -> io::Result<()> {
        self.exit.merge(exit::of_undecided(undecided));
        if self.global.json {
            return self.undecided_json(input, undecided);
        }
        self.flush()?;
        let report = match undecided {
            Undecided::Empty => Report {
                code: "Empty".to_owned(),
                message: "the file is empty".to_owned(),
                place: input.name.clone(),
                notes: vec![Note::Help(
                    "saves end up like this when the game or the machine stopped while writing"
                        .to_owned(),
                )],
                ..Report::default()
            },
            Undecided::Foreign(foreign) => Report {
                code: foreign.name.to_owned(),
                message: format!("this is {}", foreign.what),
                place: input.name.clone(),
                notes: vec![Note::Help(foreign.help.to_owned())],
                ..Report::default()
            },
            Undecided::Framings(choices) => framings_report(input, choices),
            Undecided::Header(found) => header_report(input, *found),
            Undecided::Dialects(framing, choices) => dialects_report(input, *framing, choices),
            Undecided::Unreadable(framing) => unreadable_report(input, *framing),
            Undecided::Rest { read, value } => rest_report(input, *read, value),
        };
        report.print(&mut self.err)
    }

    fn undecided_json(&mut self, input: &Input, undecided: &Undecided) -> io::Result<()> {
        let mut line = machine::UndecidedLine::new(&input.name, undecided);
        if let Undecided::Unreadable(framing) = undecided {
            line.cause = Reason::of_unreadable(input, *framing).map(|reason| reason.name);
        }
        self.error_line(&line)
    }
}

fn both(choice: ColorChoice) -> (AutoStream<io::Stdout>, AutoStream<io::Stderr>) {
    (
        AutoStream::new(io::stdout(), choice),
        AutoStream::new(io::stderr(), choice),
    )
}

/// The lengths of records, for headings: `176 bytes`.
pub(crate) fn size(bytes: usize) -> String {
    brief::plural(bytes as u64, "byte")
}
