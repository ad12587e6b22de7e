//! [`Snapshot`]: the file that a path leads to at one moment, to be compared with what is there later.

use std::{
    fmt,
    fs::{self, File, Metadata},
    hash::Hasher,
    io::{self, Read},
    path::{Path, PathBuf},
    time::SystemTime,
};

/// The file that a path leads to at one moment. A [`Replacement`](super::Replacement) that is made of it replaces that
/// file and no other: if a program wrote, replaced, moved or removed the file in the meantime, nothing is replaced.
///
/// Take it before the file is read, and read the file by [`Snapshot::path`]: a link in the given path may lead
/// elsewhere a moment later.
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
    /// The path without links; the same as the given one where there is no file.
    path: PathBuf,
    state: State,
}

/// What is at the path.
#[derive(Clone, Debug)]
enum State {
    /// Nothing.
    Missing,
    /// A device, a FIFO, an open file: it is written to, and never replaced.
    Other,
    /// A file.
    File(Identity),
}

/// The properties by which a file is recognized.
#[derive(Clone, PartialEq, Eq, Debug)]
struct Identity {
    /// The device and the number of the file on it, where the system has these.
    number: Option<(u64, u64)>,
    len: u64,
    modified: Option<SystemTime>,
    /// The hash of its contents, unless it may not be read.
    digest: Option<u64>,
}

/// That a file is not the one any more that a [`Snapshot`] was taken of. [`Snapshot::check`] gives it inside an
/// [`io::Error`], where [`io::Error::get_ref`] finds it.
#[derive(Clone, Copy, PartialEq, Eq, Debug)]
pub struct Changed(&'static str);

impl fmt::Display for Changed {
    fn fmt(&self, f: &mut fmt::Formatter<'_>) -> fmt::Result {
        write!(f, "{} in the meantime; it was left as it is now", self.0)
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
    /// Looks at a path. A file is read once, for the hash of its contents.
    ///
    /// # Errors
    /// That the path is a folder's, a link's to nowhere, or cannot be looked at.
    pub fn of(path: &Path) -> io::Result<Snapshot> {
        let given = path.to_owned();
        // By `metadata` and not by the canonical path: a pipe of another program has no such path.
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

    /// The path as it was given.
    #[must_use]
    pub fn given(&self) -> &Path {
        &self.given
    }

    /// The path of the file itself, without links.
    #[must_use]
    pub fn path(&self) -> &Path {
        &self.path
    }

    /// Returns `true` if a file is there, which can be replaced.
    #[must_use]
    pub fn is_file(&self) -> bool {
        matches!(self.state, State::File(_))
    }

    /// Returns `true` if what is there is written to and not replaced.
    pub(super) fn is_other(&self) -> bool {
        matches!(self.state, State::Other)
    }

    /// Returns `true` if another path leads to the same file.
    #[must_use]
    pub fn is_at(&self, path: &Path) -> bool {
        self.given == path
            || self.is_file() && fs::canonicalize(path).is_ok_and(|path| path == self.path)
    }

    /// The file, if one is there that may be replaced without a loss.
    ///
    /// # Errors
    /// That it is read-only, or has other names, which would keep the old contents; [`Changed`] if it is gone.
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
                     write to another file, or give it contents of its own first: cp FILE COPY && mv COPY FILE"
                )));
            }
        }
        Ok(Some(old))
    }

    /// Compares the file with what it was. A file is read once.
    ///
    /// # Errors
    /// [`Changed`]: a program has changed, replaced, moved or removed it, or put one where none was.
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
        // The contents first, which takes longer, so that nothing lies between the last look and the new name.
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
        // The times before the contents: what is written after this moment is noticed.
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

/// The hash of the contents of a file.
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

/// Returns `true` if the system lets this user write to a file.
fn may_be_written(path: &Path) -> bool {
    #[cfg(unix)]
    return rustix::fs::access(path, rustix::fs::Access::WRITE_OK).is_ok();
    #[cfg(not(unix))]
    return std::fs::OpenOptions::new().write(true).open(path).is_ok();
}
