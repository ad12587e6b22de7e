//! Files with a temporary name until they are complete.

use std::{
    fs::{self, File},
    io::{self, Seek, SeekFrom, Write},
    path::{Path, PathBuf},
    sync::{Mutex, MutexGuard, PoisonError},
};

use tempfile::NamedTempFile;

use super::{attributes, folder_of};

/// The temporary files of all unfinished [`Replacement`](super::Replacement)s of this program.
///
/// Code that creates, renames or removes one of them holds the lock, so that
/// [`discard_all`](super::discard_all) misses none.
static PENDING: Mutex<Vec<PathBuf>> = Mutex::new(Vec::new());

const PREFIX: &str = ".gdvar-";
const SUFFIX: &str = ".tmp";

/// Returns `true` if `path` has the name of a temporary file of a [`Replacement`](super::Replacement). A program that
/// was killed leaves such a file, which is not complete and of no use.
#[must_use]
pub fn is_temporary(path: &Path) -> bool {
    let name = path.file_name().and_then(|name| name.to_str());
    let name = name.and_then(|name| name.strip_prefix(PREFIX));
    name.is_some_and(|name| name.ends_with(SUFFIX))
}

pub(super) fn pending() -> MutexGuard<'static, Vec<PathBuf>> {
    // The list is consistent whenever the lock is free, even after a panic.
    PENDING.lock().unwrap_or_else(PoisonError::into_inner)
}

/// A file that does not have its final name yet and is listed in [`PENDING`]. It is removed when it
/// is dropped.
#[derive(Debug)]
pub(super) struct Temporary(Option<NamedTempFile>);

impl Temporary {
    /// Creates a file in the folder of `target`. It gets the attributes of `old`, which is given by
    /// its path and metadata.
    pub(super) fn beside(
        target: &Path,
        old: Option<(&Path, &fs::Metadata)>,
    ) -> io::Result<Temporary> {
        let mut builder = tempfile::Builder::new();
        builder.prefix(PREFIX).suffix(SUFFIX);
        #[cfg(unix)]
        if old.is_none() {
            use std::os::unix::fs::PermissionsExt;
            // The permissions of `File::create`, minus the user's mask. If there is an old file,
            // the new one stays private until it has the old one's permissions.
            builder.permissions(fs::Permissions::from_mode(0o666));
        }
        let file = {
            let mut pending = pending();
            let folder = folder_of(target);
            let file = { builder.tempfile_in(folder) }.map_err(|error| not_made(folder, &error))?;
            pending.push(file.path().to_owned());
            Temporary(Some(file))
        };
        if let Some((path, old)) = old {
            attributes::keep(file.as_file(), path, old)?;
        }
        Ok(file)
    }

    pub(super) fn as_file(&self) -> &File {
        self.there().as_file()
    }

    fn there(&self) -> &NamedTempFile {
        self.0.as_ref().expect("it is only taken at the end")
    }

    /// Renames the file to `target`, and replaces what has that name.
    pub(super) fn take_name(mut self, target: &Path) -> io::Result<()> {
        let Some(file) = self.0.take() else {
            return Ok(());
        };
        let mut pending = pending();
        forget(&mut pending, file.path());
        // On failure the error holds the file, which is removed before the lock is released.
        file.persist(target).map_err(|error| error.error)?;
        Ok(())
    }

    /// Renames the file to `target` if that name is free, else returns the file.
    pub(super) fn take_free_name(mut self, target: &Path) -> io::Result<Option<Temporary>> {
        let Some(file) = self.0.take() else {
            return Ok(None);
        };
        let mut pending = pending();
        let own = file.path().to_owned();
        match file.persist_noclobber(target) {
            Err(error) if error.error.kind() == io::ErrorKind::AlreadyExists => {
                Ok(Some(Temporary(Some(error.file))))
            }
            done => {
                forget(&mut pending, &own);
                done.map(|_| None).map_err(|error| error.error)
            }
        }
    }
}

impl Drop for Temporary {
    fn drop(&mut self) {
        if let Some(file) = self.0.take() {
            let mut pending = pending();
            forget(&mut pending, file.path());
            drop(file);
        }
    }
}

impl Write for Temporary {
    fn write(&mut self, bytes: &[u8]) -> io::Result<usize> {
        self.as_file().write(bytes)
    }

    fn flush(&mut self) -> io::Result<()> {
        self.as_file().flush()
    }
}

impl Seek for Temporary {
    fn seek(&mut self, to: SeekFrom) -> io::Result<u64> {
        self.as_file().seek(to)
    }
}

/// Returns the error for a file that cannot be made in a folder. The error of the system would name the temporary file,
/// which nobody knows.
fn not_made(folder: &Path, error: &io::Error) -> io::Error {
    let kind = error.kind();
    let folder = folder.display();
    let text = match kind {
        io::ErrorKind::NotFound => format!("there is no folder {folder}"),
        kind => format!("no file can be made in the folder {folder}: {kind}"),
    };
    io::Error::new(kind, text)
}

fn forget(pending: &mut Vec<PathBuf>, path: &Path) {
    pending.retain(|one| one != path);
}
