//! Writes results to a file or to standard output, and puts layers around them.

use std::{
    io::{self, Write},
    path::{Path, PathBuf},
};

use gdvar_file::{Layer, Peeled, header::counted_size};
use gdvar_io::replace::{Changed, Replacement, Snapshot};

use crate::{
    app::App,
    input::{bytes::Input, header},
    terminal::exit::Exit,
};

/// The advice if bytes would go to a terminal.
pub(crate) const TO_FILE: &str = "write it to a file with -o FILE";

/// A destination to which a result is written piece by piece.
pub(crate) struct Output {
    /// The file, or `None` for standard output.
    path: Option<Replacement>,
    held: Option<Held>,
    /// `true` for a dry run: nothing is written. All other steps are done, so that their errors are found.
    is_rehearsal: bool,
}

/// The contents that are collected until the layers can be put around them, or a size in the header corrected.
#[derive(Default)]
struct Held {
    /// The layers. If the game's own header in the contents holds their size, also the lengths of the header and the
    /// trailer.
    peeled: Peeled,
    /// The length of the contents before the change, including the header.
    old_len: usize,
    contents: Vec<u8>,
}

impl Output {
    /// Starts an output to `path`, or to standard output if `path` is `None`. `layers` are put around the contents at
    /// the end.
    pub(crate) fn new(app: &App, path: Option<&Path>, layers: Vec<Layer>) -> io::Result<Output> {
        Ok(Output {
            path: path.map(|path| app.replacement(path)).transpose()?,
            held: (!layers.is_empty()).then(|| {
                let mut held = Held::default();
                held.peeled.layers = layers;
                held
            }),
            is_rehearsal: false,
        })
    }

    /// Begins a dry run, which does and says all that writing does, but writes nothing.
    pub(crate) fn rehearsal(app: &App, layers: Vec<Layer>) -> io::Result<Output> {
        Ok(Output {
            is_rehearsal: true,
            ..Output::new(app, None, layers)?
        })
    }

    /// Writes a whole result to `path`, or to standard output if `path` is `None`.
    pub(crate) fn write(
        app: &mut App,
        path: Option<&Path>,
        layers: Vec<Layer>,
        bytes: &[u8],
    ) -> io::Result<()> {
        let mut output = Output::new(app, path, layers)?;
        output.put(app, bytes)?;
        output.finish(app)
    }

    /// Returns `true` if an unfinished output can be dropped without a trace: its bytes are collected in memory, or are
    /// in a new file that has not replaced the old file.
    pub(crate) fn can_be_undone(&self) -> bool {
        let replaced = |file: &Replacement| !file.writes_through();
        self.held.is_some() || self.path.as_ref().is_some_and(replaced)
    }

    /// Returns the new file, if the bytes go there directly and it will replace the old file.
    pub(crate) fn new_file(&mut self) -> Option<&mut Replacement> {
        let is_plain = self.held.is_none();
        let file = self.path.as_mut().filter(|file| !file.writes_through());
        file.filter(|_| is_plain)
    }

    /// Copies the old file, if it exists, to a new file beside it. Returns the name of the copy.
    pub(crate) fn back_up(&self) -> io::Result<Option<PathBuf>> {
        self.path.as_ref().map_or(Ok(None), Replacement::back_up)
    }

    /// Writes the game's own header, after a note that it is kept.
    pub(crate) fn put_header(&mut self, app: &mut App, input: &Input) -> io::Result<()> {
        for layer in &input.peeled.layers {
            if !layer.header.is_empty() {
                let kept = header::kept_in_front(layer);
                app.note(&format!("{}: {kept}", input.short_name()))?;
            }
        }
        let header = input.header();
        let trailer = input.trailer().len();
        let rest = input.len() + trailer;
        if !header.is_empty() {
            let kept = header::kept(header, rest, trailer);
            app.note(&format!("{}: {kept}", input.short_name()))?;
        }
        if counted_size(header, rest, trailer).is_some() {
            let held = self.held.get_or_insert_default();
            held.peeled.header_len = header.len();
            held.peeled.trailer_len = trailer;
            held.old_len = header.len() + rest;
        }
        self.put(app, header)
    }

    /// Writes bytes, or collects them for the end.
    pub(crate) fn put(&mut self, app: &mut App, bytes: &[u8]) -> io::Result<()> {
        match (&mut self.held, &mut self.path) {
            (Some(held), _) => hold(&mut held.contents, bytes),
            _ if self.is_rehearsal => Ok(()),
            (None, Some(file)) => file.write_all(bytes),
            // Uses `raw`, because the filter for colours would search the bytes for escape sequences.
            (None, None) => app.raw(bytes),
        }
    }

    /// Puts the layers around the collected bytes, and replaces the old file with the new one.
    pub(crate) fn finish(mut self, app: &mut App) -> io::Result<()> {
        if let Some(held) = self.held.take() {
            let file = held.peeled.replace(held.old_len, held.contents, None);
            self.put(app, &file.map_err(io::Error::other)?)?;
        }
        self.path.map_or(Ok(()), Replacement::finish)
    }
}

/// Appends bytes. Fails if memory runs out.
fn hold(held: &mut Vec<u8>, bytes: &[u8]) -> io::Result<()> {
    held.try_reserve(bytes.len())?;
    held.extend_from_slice(bytes);
    Ok(())
}

impl App {
    /// Remembers the file at `path`, which the command will replace, before anything is read. If the file changes
    /// later, the command does not replace it. Returns `false`, after a message, if the file cannot be replaced.
    pub(crate) fn claim(&mut self, path: &Path) -> io::Result<bool> {
        // Some commands want a folder, and check it themselves.
        if path.is_dir() {
            return Ok(true);
        }
        match Snapshot::of(path).and_then(|old| old.replaceable().map(|_| old)) {
            Ok(old) => self.target = Some(old),
            Err(error) => {
                self.cannot_write(path, &error)?;
                return Ok(false);
            }
        }
        Ok(true)
    }

    /// Starts a file that will replace the file at `path`. A file that was claimed must not have changed. From now on a
    /// signal that ends the process also removes the unfinished file.
    pub(crate) fn replacement(&self, path: &Path) -> io::Result<Replacement> {
        #[cfg(unix)]
        crate::terminal::signals::remove_unfinished()?;
        match self.target.as_ref().filter(|old| old.given() == path) {
            Some(old) => Replacement::of(old),
            None => Replacement::new(path),
        }
    }

    /// Returns `true` if the command will replace the file at `path`.
    pub(crate) fn replaces(&self, path: &Path) -> bool {
        let is_it = |old: &Snapshot| old.is_file() && old.is_at(path);
        self.target.as_ref().is_some_and(is_it)
    }

    /// Prints a note about a file that was written, or reports the error.
    pub(crate) fn report_written(
        &mut self,
        path: Option<&Path>,
        written: io::Result<()>,
        note: &str,
    ) -> io::Result<()> {
        match (path, written) {
            (Some(path), Ok(())) => self.note(&format!("{}: {note}", path.display())),
            (Some(path), Err(error)) => self.cannot_write(path, &error),
            (None, written) => written,
        }
    }

    /// Reports that a file could not be written. The old file is unchanged.
    pub(crate) fn cannot_write(&mut self, path: &Path, error: &io::Error) -> io::Result<()> {
        self.fail(
            Exit::Io,
            &format!("{}: cannot be written: {error}", path.display()),
        )?;
        if error.get_ref().is_some_and(|inner| inner.is::<Changed>()) {
            self.warn("  = help: run it again, on the changed file")?;
        }
        Ok(())
    }

    /// Returns `true`, after a message, if a file became shorter while it was read. The result must not be used then.
    pub(crate) fn was_cut(&mut self, input: &Input) -> io::Result<bool> {
        let cut = input.was_cut();
        if cut {
            let name = &input.name;
            self.fail(Exit::Io, &format!(
                "{name}: another program cut it short while it was read; nothing was written, try again"
            ))?;
        }
        Ok(cut)
    }
}
