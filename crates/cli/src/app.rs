//! Everything a running command shares: its options, its output streams and its exit code.

use std::{
    cell::{Cell, RefCell},
    io::{self, BufWriter, IsTerminal, Write},
    path::Path as FilePath,
    rc::Rc,
};

use anstream::{AutoStream, ColorChoice};
use gdvar_io::replace::Snapshot;
use gdvar_view::{Dialect, Document, Engine, ErrorKind, Limits, Mode, Objects, Path, ReadOptions};

use crate::{
    args::{ColorArg, Global},
    diagnose::ambiguous_json,
    input::bytes::Input,
    show::json_lines,
    terminal::{
        exit::Exit,
        progress::Progress,
        safe_text,
        safe_writer::SafeWriter,
        stream::{Log, OutputStream, Stream},
        style::{self, paint},
        width, words,
    },
};

mod faults;
pub(crate) mod files;
mod missing;
mod opening;
pub(crate) mod records;
mod verdicts;

/// The part of an [`App`] that is copied to apps on other threads.
pub(crate) struct Settings {
    global: Global,
    on_terminal: bool,
    target: Option<Snapshot>,
}

/// The state of one command while it runs.
pub(crate) struct App {
    /// The options of every command.
    pub(crate) global: Global,
    /// Buffered results in words, with colours.
    pub(crate) out: BufWriter<Stream>,
    /// Results that are bytes or text of a file, which are printed unchanged.
    raw: BufWriter<Stream>,
    /// `true` if a terminal shows the results.
    on_terminal: bool,
    /// The file that the command will replace, as it was when the command began.
    pub(crate) target: Option<Snapshot>,
    /// Standard error, for messages.
    pub(crate) err: Stream,
    /// The collected output of an app on another thread. `None` if this app prints directly.
    log: Option<Rc<RefCell<Log>>>,
    /// The highest exit code so far.
    pub(crate) exit: Exit,
    /// `true` if there was a message about the current file.
    hinted: Cell<bool>,
    /// The number of unreadable records in the current file.
    pub(crate) problems: u64,
}

impl App {
    /// Opens standard output and standard error, coloured as `--color` says.
    pub(crate) fn new(global: Global) -> App {
        // Measures the width now, because standard output is no longer a terminal once a pager has started.
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
        let out = SafeWriter::styled(out, on_terminal);
        let raw = SafeWriter::plain(io::stdout(), on_terminal);
        let err = SafeWriter::styled(err, io::stderr().is_terminal());
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

    /// Copies the settings for an app on another thread ([`App::held`]).
    pub(crate) fn settings(&self) -> Settings {
        Settings {
            global: self.global.clone(),
            on_terminal: self.on_terminal,
            target: self.target.clone(),
        }
    }

    /// Creates an app that collects its output instead of printing it, so that a thread can work without a terminal.
    pub(crate) fn held(settings: &Settings) -> App {
        let log = Rc::<RefCell<Log>>::default();
        let held = |way| Stream::Held(way, Rc::clone(&log));
        App {
            global: settings.global.clone(),
            out: BufWriter::with_capacity(1 << 12, held(OutputStream::Out)),
            raw: BufWriter::with_capacity(1 << 12, held(OutputStream::Raw)),
            on_terminal: settings.on_terminal,
            target: settings.target.clone(),
            err: held(OutputStream::Err),
            log: Some(log),
            exit: Exit::Fine,
            hinted: Cell::new(false),
            problems: 0,
        }
    }

    /// Returns the collected output. It is empty if this app prints directly.
    pub(crate) fn into_log(mut self) -> io::Result<Log> {
        self.flush()?;
        Ok(self.log.map(|log| log.take()).unwrap_or_default())
    }

    /// Prints `bytes` that another app collected for the stream `way`.
    pub(crate) fn put(&mut self, way: OutputStream, bytes: &[u8]) -> io::Result<()> {
        match way {
            OutputStream::Out => {
                self.raw.flush()?;
                self.out.write_all(bytes)
            }
            OutputStream::Raw => {
                self.out.flush()?;
                self.raw.write_all(bytes)
            }
            OutputStream::Err => {
                self.flush()?;
                self.err.write_all(bytes)
            }
        }
    }

    /// Prints bytes or text of a file. Colour codes in them are not removed. On a terminal, [`SafeWriter`] escapes
    /// control characters.
    pub(crate) fn raw(&mut self, bytes: &[u8]) -> io::Result<()> {
        // Writes pieces smaller than the buffer, so that they are copied. If the system itself read a mapped file that
        // has become shorter, its error would not name the file.
        let mut pieces = bytes.chunks(1 << 15);
        pieces.try_for_each(|piece| self.raw.write_all(piece))
    }

    /// Reports an error and returns `true` if bytes would go to a terminal. `path` is the output file, or `None` for
    /// standard output. `instead` tells the user what to do.
    pub(crate) fn refuses_bytes(
        &mut self,
        path: Option<&FilePath>,
        instead: &str,
    ) -> io::Result<bool> {
        let refuses = path.is_none() && self.on_terminal;
        if refuses {
            self.usage(&format!("the result is not text: {instead}"))?;
        }
        Ok(refuses)
    }

    /// Writes all buffered results.
    pub(crate) fn flush(&mut self) -> io::Result<()> {
        self.out.flush()?;
        self.raw.flush()
    }

    /// Prints a note, unless `--quiet` is given.
    pub(crate) fn note(&mut self, text: &str) -> io::Result<()> {
        if self.global.quiet {
            return Ok(());
        }
        self.flush()?;
        writeln!(
            self.err,
            "{}: {}",
            paint(style::HEAD, "note"),
            safe_text::safe(text)
        )
    }

    /// Prints a line to standard error, also with `--quiet`.
    pub(crate) fn warn(&mut self, line: &str) -> io::Result<()> {
        self.flush()?;
        writeln!(self.err, "{line}")
    }

    /// Prints an error that has no position in a file.
    pub(crate) fn error(&mut self, text: &str) -> io::Result<()> {
        self.flush()?;
        writeln!(
            self.err,
            "{}: {}",
            paint(style::ERROR, "error"),
            safe_text::safe(text)
        )
    }

    /// Prints an error with [`App::error`], and raises the exit code to at least `exit`.
    pub(crate) fn fail(&mut self, exit: Exit, text: &str) -> io::Result<()> {
        self.exit.merge(exit);
        self.error(text)
    }

    /// Reports that the command line is wrong (exit code 2).
    pub(crate) fn usage(&mut self, text: &str) -> io::Result<()> {
        self.fail(Exit::Usage, text)
    }

    /// Parses the path of a value on the command line. Returns `None`, after a message, if `text` is not a path.
    pub(crate) fn parse_path<'p>(&mut self, text: &'p str) -> io::Result<Option<Path<'p>>> {
        match Path::parse(text) {
            Ok(path) => Ok(Some(path)),
            Err(error) => {
                self.usage(&format!("{text:?}: {error}"))?;
                Ok(None)
            }
        }
    }

    /// Reports that the file `name` cannot be read, because of `text`. With `--json`, also prints a line of JSON.
    pub(crate) fn unread(&mut self, name: &str, text: &str) -> io::Result<()> {
        if self.global.json {
            let mut line = ambiguous_json::UndecidedLine::bare(name, "NotRead");
            line.message = Some(text);
            self.error_line(&line)?;
        }
        self.error(text)
    }

    /// Prints an error as a line of JSON. The line goes to standard error if standard output is the result itself.
    pub(crate) fn error_line(&mut self, line: &impl serde::Serialize) -> io::Result<()> {
        self.flush()?;
        match self.global.errors_aside {
            true => json_lines::line(&mut self.err, line),
            false => json_lines::line(&mut self.out, line),
        }
    }

    /// Starts a progress bar through `input`. It is hidden with `--quiet`, with `--json` and on other threads.
    pub(crate) fn progress(&self, what: &str, input: &Input) -> Progress {
        let what = format!("{what} {}", input.short_name());
        let quiet = self.global.quiet || self.global.json || self.log.is_some();
        Progress::new(&what, input.len(), quiet)
    }

    /// Returns the release whose rules apply to `dialect`: the release that `-d` names, or else the default one.
    pub(crate) fn engine(&self, dialect: Dialect) -> Option<Engine> {
        let named = self.global.dialect.release();
        named
            .filter(|engine| engine.dialect() == dialect)
            .or_else(|| Engine::of(dialect))
    }

    /// Returns the limits of the dialect's engine, with the depth that `--max-depth` names.
    pub(crate) fn limits(&self, dialect: Dialect) -> Limits {
        match self.global.max_depth {
            Some(depth) => Limits::ENGINE.with_max_depth(depth),
            None => self.engine(dialect).map_or(Limits::ENGINE, Engine::limits),
        }
    }

    /// Returns the options for reading values. `objects` applies unless `--objects` is given.
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

    /// Returns options that accept whole objects, unless `--objects` is given. This method has the signature that
    /// [`App::each_record`] expects.
    pub(crate) fn inert(&self, dialect: Dialect, _: &[u8]) -> ReadOptions {
        self.options(dialect, Objects::Inert)
    }

    /// Returns the options for showing the record `bytes`. Whole objects are accepted only if the record has some,
    /// because the engines check some bytes only where objects are allowed. `--objects` overrides this.
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
}

/// A [`Write`] for bytes or text of a file, printed by [`App::raw`].
pub(crate) struct RawOut<'a>(pub(crate) &'a mut App);

impl Write for RawOut<'_> {
    fn write(&mut self, bytes: &[u8]) -> io::Result<usize> {
        self.0.raw(bytes)?;
        Ok(bytes.len())
    }

    fn flush(&mut self) -> io::Result<()> {
        Ok(())
    }
}

fn both(choice: ColorChoice) -> (AutoStream<io::Stdout>, AutoStream<io::Stderr>) {
    (
        AutoStream::new(io::stdout(), choice),
        AutoStream::new(io::stderr(), choice),
    )
}

/// Formats a number of bytes: `176 bytes`.
pub(crate) fn size(bytes: usize) -> String {
    words::plural(bytes as u64, "byte")
}
