//! Files under a name of their own until they are complete.

use std::{
    fs::{self, File},
    io::{self, Seek, SeekFrom, Write},
    path::{Path, PathBuf},
    sync::{Mutex, MutexGuard, PoisonError},
};

use tempfile::NamedTempFile;

use super::{attributes, folder_of};

/// The temporary files of all [`Replacement`](super::Replacement)s of this program that are not finished.
///
/// Code that makes, renames or removes one of them holds the lock, so that [`discard_all`](super::discard_all) misses
/// none.
static PENDING: Mutex<Vec<PathBuf>> = Mutex::new(Vec::new());

pub(super) fn pending() -> MutexGuard<'static, Vec<PathBuf>> {
    // The list is whole whenever the lock is free, also after a panic.
    PENDING.lock().unwrap_or_else(PoisonError::into_inner)
}

/// A file that does not have its name yet, and stands in [`PENDING`]. Dropped, it is gone.
#[derive(Debug)]
pub(super) struct Temporary(Option<NamedTempFile>);

impl Temporary {
    /// A new file in the folder of `target`, with what it takes over from `old`, a file and what is known of it.
    pub(super) fn beside(
        target: &Path,
        old: Option<(&Path, &fs::Metadata)>,
    ) -> io::Result<Temporary> {
        let mut builder = tempfile::Builder::new();
        builder.prefix(".gdvar-").suffix(".tmp");
        #[cfg(unix)]
        if old.is_none() {
            use std::os::unix::fs::PermissionsExt;
            // The permissions that `File::create` asks for; the user's mask applies. If there is an old
            // file, nobody else may open the new one before it has the old one's permissions.
            builder.permissions(fs::Permissions::from_mode(0o666));
        }
        let file = {
            let mut pending = pending();
            let file = builder.tempfile_in(folder_of(target))?;
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

    /// Renames it, over what has that name.
    pub(super) fn take_name(mut self, target: &Path) -> io::Result<()> {
        let Some(file) = self.0.take() else {
            return Ok(());
        };
        let mut pending = pending();
        forget(&mut pending, file.path());
        // On failure the error holds the file, which goes before the lock does.
        file.persist(target).map_err(|error| error.error)?;
        Ok(())
    }

    /// Renames it to a name that nothing has; gives it back if something has it.
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

fn forget(pending: &mut Vec<PathBuf>, path: &Path) {
    pending.retain(|one| one != path);
}
