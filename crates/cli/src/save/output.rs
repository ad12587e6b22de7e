//! Writes results to a path or to standard output, in layers or plain.

use std::{
    io::{self, Write},
    path::{Path, PathBuf},
};

use gdvar_file::{Layer, Peeled};
use gdvar_io::replace::{Changed, Replacement, Snapshot};

use crate::{
    app::App,
    input::{bytes::Input, header},
    terminal::exit::Exit,
};

/// The advice where a terminal would get bytes.
pub(crate) const TO_FILE: &str = "write it to a file with -o FILE";

/// The destination of a result, which is written piece by piece.
pub(crate) struct Output {
    /// The file; `None` is standard output.
    path: Option<Replacement>,
    held: Option<Held>,
}

/// Bytes that have to be complete before the layers are put around them.
#[derive(Default)]
struct Held {
    /// The layers, and a header in the contents that holds their size.
    peeled: Peeled,
    /// The length of the contents before they were changed, the header included.
    old_len: usize,
    contents: Vec<u8>,
}

impl Output {
    /// Begins to write to a path, or else to standard output.
    pub(crate) fn new(app: &App, path: Option<&Path>, layers: Vec<Layer>) -> io::Result<Output> {
        Ok(Output {
            path: path.map(|path| app.replacement(path)).transpose()?,
            held: (!layers.is_empty()).then(|| {
                let mut held = Held::default();
                held.peeled.layers = layers;
                held
            }),
        })
    }

    /// Writes a whole result to a path, or else to standard output.
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

    /// Returns `true` if no bytes stay anywhere when it is dropped unfinished.
    pub(crate) fn can_be_undone(&self) -> bool {
        let replaced = |file: &Replacement| !file.writes_through();
        self.held.is_some() || self.path.as_ref().is_some_and(replaced)
    }

    /// The new file that is going to replace the old one, if all bytes are written to it unchanged.
    pub(crate) fn new_file(&mut self) -> Option<&mut Replacement> {
        let is_plain = self.held.is_none();
        let file = self.path.as_mut().filter(|file| !file.writes_through());
        file.filter(|_| is_plain)
    }

    /// Copies the old file beside it, if there is one; returns the name of the copy.
    pub(crate) fn back_up(&self) -> io::Result<Option<PathBuf>> {
        self.path.as_ref().map_or(Ok(None), Replacement::back_up)
    }

    /// Adds the header that the game put in front of the values, and says that it is kept.
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
        if header::size_of_rest(header, rest, trailer).is_some() {
            let held = self.held.get_or_insert_default();
            held.peeled.header_len = header.len();
            held.peeled.trailer_len = trailer;
            held.old_len = header.len() + rest;
        }
        self.put(app, header)
    }

    /// Adds bytes.
    pub(crate) fn put(&mut self, app: &mut App, bytes: &[u8]) -> io::Result<()> {
        match (&mut self.held, &mut self.path) {
            (Some(held), _) => hold(&mut held.contents, bytes),
            (None, Some(file)) => file.write_all(bytes),
            // The filter for colours would search the bytes for escapes.
            (None, None) => app.raw(bytes),
        }
    }

    /// Puts the layers around held bytes, and replaces the old file by the new one.
    pub(crate) fn finish(mut self, app: &mut App) -> io::Result<()> {
        if let Some(held) = self.held.take() {
            let file = held.peeled.replace(held.old_len, held.contents, None);
            self.put(app, &file.map_err(io::Error::other)?)?;
        }
        self.path.map_or(Ok(()), Replacement::finish)
    }
}

/// Appends bytes, or fails if memory runs out.
fn hold(held: &mut Vec<u8>, bytes: &[u8]) -> io::Result<()> {
    held.try_reserve(bytes.len())?;
    held.extend_from_slice(bytes);
    Ok(())
}

impl App {
    /// Looks at the file that the command is going to replace, before anything is read: from now on it has to
    /// stay what it is. Returns `false`, and says why, if it cannot be replaced.
    pub(crate) fn claim(&mut self, path: &Path) -> io::Result<bool> {
        // Some commands want a folder, so they check it themselves.
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

    /// Begins a file that takes the place of the one at a path: of the one that was claimed, if it was. From
    /// now on an unfinished file is removed when a signal ends the process.
    pub(crate) fn replacement(&self, path: &Path) -> io::Result<Replacement> {
        #[cfg(unix)]
        crate::terminal::signals::remove_unfinished()?;
        match self.target.as_ref().filter(|old| old.given() == path) {
            Some(old) => Replacement::of(old),
            None => Replacement::new(path),
        }
    }

    /// Returns `true` if the command is going to replace the file at a path.
    pub(crate) fn replaces(&self, path: &Path) -> bool {
        let is_it = |old: &Snapshot| old.is_file() && old.is_at(path);
        self.target.as_ref().is_some_and(is_it)
    }

    /// Prints the note about a file that was written, or says that it could not be.
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

    /// Says that a file could not be written; the old one is still there.
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

    /// Returns `true`, after a message, if a file became shorter while it was read. The result must not be
    /// kept.
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
