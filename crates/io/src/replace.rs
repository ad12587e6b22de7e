//! Writing a file so that the old one is never lost: a new file beside it takes its place when it
//! is complete and on the disk.

use std::{
    fs::{self, File},
    io::{self, BufWriter, Write},
    path::{Path, PathBuf},
};

use tempfile::NamedTempFile;

/// A file that does not have its name yet. Dropped, it is gone, and the old file is as it was.
///
/// ```
/// use std::io::Write;
/// use gdvar_io::replace::Replacement;
///
/// # let folder = tempfile::tempdir()?;
/// # let path = folder.path().join("slot1.dat");
/// let mut file = Replacement::new(&path)?;
/// file.write_all(b"\x08\0\0\0\x02\0\0\0\x05\0\0\0")?;
/// file.finish()?; // until here whoever opens the path sees the old file
/// # assert_eq!(std::fs::read(path)?.len(), 12);
/// # Ok::<(), std::io::Error>(())
/// ```
#[derive(Debug)]
pub struct Replacement {
    target: PathBuf,
    folder: PathBuf,
    file: BufWriter<NamedTempFile>,
}

impl Replacement {
    /// Begins a file that is to take that name, in the same folder. A link stays a link: what it leads
    /// to is replaced. The new file gets the permissions of the old one.
    ///
    /// # Errors
    /// That the folder is not there or cannot be written in, that the name is a folder's or a link's to
    /// nowhere, or that who may read the old file cannot be found out.
    pub fn new(path: &Path) -> io::Result<Replacement> {
        let target = match fs::canonicalize(path) {
            Ok(target) => target,
            Err(error) if error.kind() != io::ErrorKind::NotFound => return Err(error),
            Err(_) if path.is_symlink() => {
                return Err(io::Error::other("is a link that leads nowhere"));
            }
            Err(_) => path.to_owned(),
        };
        let old = match fs::metadata(&target) {
            Ok(old) if old.is_dir() => return Err(io::Error::other("is a folder, not a file")),
            Ok(old) => Some(old),
            Err(error) if error.kind() == io::ErrorKind::NotFound => None,
            // Who may read the old file is not known, so nobody may read a new one.
            Err(error) => return Err(error),
        };
        let folder = match target.parent() {
            Some(folder) if folder != Path::new("") => folder.to_owned(),
            _ => PathBuf::from("."),
        };
        let mut builder = tempfile::Builder::new();
        builder.prefix(".gdvar-").suffix(".tmp");
        #[cfg(unix)]
        {
            use std::os::unix::fs::PermissionsExt;
            // What `File::create` asks for; the user's mask applies.
            builder.permissions(fs::Permissions::from_mode(0o666));
        }
        let file = builder.tempfile_in(&folder)?;
        if let Some(old) = old {
            file.as_file().set_permissions(old.permissions())?;
        }
        Ok(Replacement {
            target,
            folder,
            file: BufWriter::with_capacity(1 << 16, file),
        })
    }

    /// Puts it in the old file's place: data on the disk first, then the name, then the folder.
    ///
    /// # Errors
    /// What the file system reports; the old file is then as it was, unless only the last step failed.
    pub fn finish(self) -> io::Result<()> {
        let file = self
            .file
            .into_inner()
            .map_err(io::IntoInnerError::into_error)?;
        file.as_file().sync_all()?;
        file.persist(&self.target).map_err(|error| error.error)?;
        // Only Unix lets a folder be opened and synced.
        if cfg!(unix) {
            let synced = File::open(&self.folder).and_then(|folder| folder.sync_all());
            synced.map_err(unsettled)?;
        }
        Ok(())
    }
}

/// The new file is there, but its name may not outlast a loss of power.
fn unsettled(error: io::Error) -> io::Error {
    let what = format!("the new file is in place, but its folder could not be synced: {error}");
    io::Error::new(error.kind(), what)
}

impl Write for Replacement {
    fn write(&mut self, bytes: &[u8]) -> io::Result<usize> {
        self.file.write(bytes)
    }

    fn flush(&mut self) -> io::Result<()> {
        self.file.flush()
    }
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn the_old_file_stays_until_the_new_one_is_complete() {
        let folder = tempfile::tempdir().expect("a folder");
        let path = folder.path().join("slot1.dat");
        fs::write(&path, "old").expect("a file");
        let mut begun = Replacement::new(&path).expect("a new file");
        begun.write_all(b"half").expect("space");
        drop(begun);
        assert_eq!(fs::read(&path).expect("the old file"), b"old");
        let mut whole = Replacement::new(&path).expect("a new file");
        whole.write_all(b"new").expect("space");
        whole.finish().expect("a rename");
        assert_eq!(fs::read(&path).expect("the new file"), b"new");
        let names = fs::read_dir(folder.path()).expect("a folder").count();
        assert_eq!(names, 1, "nothing is left behind");
    }
}
