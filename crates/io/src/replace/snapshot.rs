//! [`Snapshot`]: the file that a path leads to at one moment, to compare with it later.

use std::{
    fmt,
    fs::{self, File, Metadata},
    hash::Hasher,
    io::{self, Read},
    path::{Path, PathBuf},
    time::SystemTime,
};

/// The file that a path leads to at one moment. A [`Replacement`](super::Replacement) made from it
/// replaces this file and no other: if a program has written, replaced, moved or removed the file
/// since, nothing is replaced.
///
/// Take the snapshot before you read the file, and read the file by [`Snapshot::path`]: a link in the given
/// path may lead elsewhere a moment later.
///
/// ```
/// use std::io::Write;
/// use gdvar_io::replace::{Replacement, Snapshot};
///
/// # let folder = tempfile::tempdir()?;
/// # let path = folder.path().join("slot1.dat");
/// # std::fs::write(&path, b"\x08\0\0\0\x02\0\0\0\x05\0\0\0")?;
/// let before = Snapshot::of(&path)?;
/// let mut bytes = std::fs::read(before.path())?;
/// bytes[8] = 6;
/// # std::fs::write(&path, b"the game saves")?;
/// let mut file = Replacement::of(&before)?;
/// file.write_all(&bytes)?;
/// assert!(file.finish().is_err()); // the game has saved since
/// # assert_eq!(std::fs::read(path)?, b"the game saves");
/// # Ok::<(), std::io::Error>(())
/// ```
#[derive(Clone, Debug)]
pub struct Snapshot {
    /// The path as it was given.
    given: PathBuf,
    /// The path without links; equal to the given path if there is no file.
    path: PathBuf,
    state: State,
}

/// What was at the path when the snapshot was taken.
#[derive(Clone, Debug)]
enum State {
    /// Nothing.
    Missing,
    /// A device, a FIFO, or an open file: written to, and never replaced.
    Other,
    /// A regular file, and the properties by which it is recognized later.
    File(Identity),
}

/// The properties by which a file is recognized.
#[derive(Clone, PartialEq, Eq, Debug)]
struct Identity {
    /// The device and inode number, on systems that have them.
    number: Option<(u64, u64)>,
    len: u64,
    modified: Option<SystemTime>,
    /// The hash of the contents, unless the file cannot be read.
    digest: Option<u64>,
}

/// The error for a file that is no longer the file of a [`Snapshot`]. [`Snapshot::check`] returns
/// it inside an [`io::Error`], where [`io::Error::get_ref`] finds it.
#[derive(Clone, Copy, PartialEq, Eq, Debug)]
pub struct Changed(&'static str);

impl fmt::Display for Changed {
    fn fmt(&self, f: &mut fmt::Formatter<'_>) -> fmt::Result {
        write!(f, "{} in the meantime; it was not replaced", self.0)
    }
}

impl std::error::Error for Changed {}

fn meanwhile(what: &'static str) -> io::Error {
    io::Error::other(Changed(what))
}

fn gone() -> io::Error {
    meanwhile("it was removed or renamed")
}

impl Snapshot {
    /// Takes a snapshot of a path. A file is read once, to hash its contents.
    ///
    /// # Errors
    ///
    /// Fails if the path is a folder or a link to nowhere, or if it cannot be examined.
    pub fn of(path: &Path) -> io::Result<Snapshot> {
        let given = path.to_owned();
        // Use `metadata`, because a pipe of another program has no canonical path.
        let is_file = match fs::metadata(path) {
            _ if super::descriptor(path)?.is_some() => false,
            Ok(old) if old.is_dir() => return Err(io::Error::other("is a folder, not a file")),
            Ok(old) => old.is_file(),
            Err(error) if error.kind() != io::ErrorKind::NotFound => return Err(error),
            Err(_) if path.is_symlink() => {
                return Err(io::Error::other("is a link that leads nowhere"));
            }
            Err(_) => {
                let (path, state) = (given.clone(), State::Missing);
                return Ok(Snapshot { given, path, state });
            }
        };
        if !is_file {
            let (path, state) = (given.clone(), State::Other);
            return Ok(Snapshot { given, path, state });
        }
        let path = fs::canonicalize(path)?;
        let state = State::File(Identity::of(&path)?);
        Ok(Snapshot { given, path, state })
    }

    /// Returns the path as it was given.
    #[must_use]
    pub fn given(&self) -> &Path {
        &self.given
    }

    /// Returns the path of the file itself, without links.
    #[must_use]
    pub fn path(&self) -> &Path {
        &self.path
    }

    /// Returns `true` if there is a regular file, which can be replaced.
    #[must_use]
    pub fn is_file(&self) -> bool {
        matches!(self.state, State::File(_))
    }

    /// Returns `true` if the path is written to and not replaced.
    pub(super) fn is_other(&self) -> bool {
        matches!(self.state, State::Other)
    }

    /// Returns `true` if `path` leads to the same file.
    #[must_use]
    pub fn is_at(&self, path: &Path) -> bool {
        self.given == path
            || self.is_file() && fs::canonicalize(path).is_ok_and(|path| path == self.path)
    }

    /// Returns the metadata of the file if it can be replaced without loss, or `None` if there is
    /// no file.
    ///
    /// # Errors
    ///
    /// Fails if the file is read-only, or has other names, which would keep the old contents.
    /// Returns [`Changed`] if the file is gone.
    pub fn replaceable(&self) -> io::Result<Option<Metadata>> {
        if !self.is_file() {
            return Ok(None);
        }
        let old = match fs::metadata(&self.path) {
            Err(error) if error.kind() == io::ErrorKind::NotFound => return Err(gone()),
            old => old?,
        };
        if old.permissions().readonly() || !may_be_written(&self.path) {
            return Err(io::Error::other(
                "it is read-only; allow writing to it first, or write to another file",
            ));
        }
        #[cfg(unix)]
        {
            use std::os::unix::fs::MetadataExt;
            let names = old.nlink();
            if names > 1 {
                return Err(io::Error::other(format!(
                    "it has {names} names (hard links), and the others would keep the old contents; \
                     write to another file, or make it a copy first: cp FILE COPY && mv COPY FILE"
                )));
            }
        }
        Ok(Some(old))
    }

    /// Compares the file with its state at the snapshot. The file is read once.
    ///
    /// # Errors
    ///
    /// Returns [`Changed`] if a program has changed, replaced, moved or removed the file, or
    /// created one where there was none.
    pub fn check(&self) -> io::Result<()> {
        let old = match &self.state {
            State::Other => return Ok(()),
            State::Missing if fs::symlink_metadata(&self.path).is_err() => return Ok(()),
            State::Missing => return Err(meanwhile("another program wrote it")),
            State::File(old) => old,
        };
        match fs::canonicalize(&self.given) {
            Ok(path) if path == self.path => {}
            Ok(_) => return Err(meanwhile("the link was led to another file")),
            Err(_) => return Err(gone()),
        }
        // The contents are compared first, because that takes longest; nothing then separates the
        // last check from the renaming.
        let digest = digest(&self.path).ok();
        let now = Identity::without_digest(&fs::metadata(&self.path)?);
        match (now.number == old.number, Identity { digest, ..now }) {
            (false, _) => Err(meanwhile("another file was put in its place")),
            (true, now) if now == *old => Ok(()),
            (true, _) => Err(meanwhile("another program changed it")),
        }
    }
}

impl Identity {
    fn of(path: &Path) -> io::Result<Identity> {
        // Times are read before the contents, so that a write in between is noticed.
        let known = Identity::without_digest(&fs::metadata(path)?);
        let digest = digest(path).ok();
        Ok(Identity { digest, ..known })
    }

    fn without_digest(file: &Metadata) -> Identity {
        #[cfg(unix)]
        let number = {
            use std::os::unix::fs::MetadataExt;
            Some((file.dev(), file.ino()))
        };
        #[cfg(not(unix))]
        let number = None;
        Identity {
            number,
            len: file.len(),
            modified: file.modified().ok(),
            digest: None,
        }
    }
}

/// Returns the hash of a file's contents.
fn digest(path: &Path) -> io::Result<u64> {
    let mut file = File::open(path)?;
    let mut hasher = std::hash::DefaultHasher::new();
    let mut piece = vec![0; super::BUFFER];
    loop {
        match file.read(&mut piece) {
            Ok(0) => return Ok(hasher.finish()),
            Ok(len) => hasher.write(piece.get(..len).unwrap_or_default()),
            Err(error) if error.kind() == io::ErrorKind::Interrupted => {}
            Err(error) => return Err(error),
        }
    }
}

/// Returns `true` if the system lets this user write to the file.
fn may_be_written(path: &Path) -> bool {
    #[cfg(unix)]
    return rustix::fs::access(path, rustix::fs::Access::WRITE_OK).is_ok();
    #[cfg(not(unix))]
    return std::fs::OpenOptions::new().write(true).open(path).is_ok();
}
