//! Where results go that are files: to a path or to standard output, in a container or plain.

use std::{
    io::{self, Write},
    path::Path,
};

use gdvar_io::replace::Replacement;

use crate::{app::App, envelope::Container};

/// Where the bytes of a result go, piece by piece.
pub(crate) struct Output {
    /// Else standard output.
    path: Option<Replacement>,
    /// Bytes that have to be complete before they are put into a container.
    held: Option<(Container, Vec<u8>)>,
}

impl Output {
    /// Begins to write to a path, or else to standard output. From now on what is unfinished is removed when
    /// the process is told to end.
    pub(crate) fn new(path: Option<&Path>, container: Option<Container>) -> io::Result<Output> {
        #[cfg(unix)]
        if path.is_some() {
            crate::signals::remove_unfinished()?;
        }
        Ok(Output {
            path: path.map(Replacement::new).transpose()?,
            held: container.map(|container| (container, Vec::new())),
        })
    }

    /// Whether bytes that were put there are gone again if it is not finished.
    pub(crate) fn can_be_undone(&self) -> bool {
        let replaced = |file: &Replacement| !file.writes_through();
        self.held.is_some() || self.path.as_ref().is_some_and(replaced)
    }

    /// Adds bytes.
    pub(crate) fn put(&mut self, app: &mut App, bytes: &[u8]) -> io::Result<()> {
        match (&mut self.held, &mut self.path) {
            (Some((_, held)), _) => {
                held.try_reserve(bytes.len())?;
                held.extend_from_slice(bytes);
                Ok(())
            }
            (None, Some(file)) => file.write_all(bytes),
            // Not through the filter for colours, which would look for escapes in the bytes.
            (None, None) => app.raw(bytes),
        }
    }

    /// Packs it if it is held, and puts a new file in the old one's place.
    pub(crate) fn finish(mut self, app: &mut App) -> io::Result<()> {
        if let Some((container, plain)) = self.held.take() {
            let packed = container.pack(&plain)?;
            self.put(app, &packed)?;
        }
        self.path.map_or(Ok(()), Replacement::finish)
    }
}
