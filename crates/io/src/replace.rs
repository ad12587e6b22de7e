//! Writing to a path so that nothing is lost: a file is replaced by a new one beside it, in one step, when
//! the new one is complete and on the disk. Anything else that has the name is written to and stays.
//!
//! An open file that `/dev/fd` names is added to, because the name that replaces it would be another's. Rejected: `O_TMPFILE`,
//! whose file has no name to be left behind: it has to be linked under one before it can replace another, not every file
//! system has it, and so both ways would be there.

use std::{
    fs::{self, File, OpenOptions},
    io::{self, BufWriter, Seek, SeekFrom, Write},
    path::{Path, PathBuf},
    sync::{Mutex, MutexGuard, PoisonError},
};

use tempfile::NamedTempFile;

/// The room for bytes before they are handed to the system.
const BUFFER: usize = 1 << 16;

/// The temporary files of all [`Replacement`]s of this program that are not finished.
///
/// Code that makes, renames or removes one of them holds the lock, so that [`discard_all`] misses
/// none.
static PENDING: Mutex<Vec<PathBuf>> = Mutex::new(Vec::new());

fn pending() -> MutexGuard<'static, Vec<PathBuf>> {
    // The list is whole whenever the lock is free, also after a panic.
    PENDING.lock().unwrap_or_else(PoisonError::into_inner)
}

/// A write to a path, with care for what is there.
///
/// | at the path | what happens |
/// |---|---|
/// | a file, or nothing | a new file takes the name in [`Replacement::finish`]; until then the old one is as it was. Dropped, the new file is gone |
/// | a link to one of these | the link stays, what it leads to is replaced |
/// | a device, a FIFO | it is opened and written to, and never replaced; bytes that were written stay written |
/// | an open file of this program: `/dev/stdout`, `/dev/fd/63`, `/proc/self/fd/1` | the same; a file that is open there is added to |
/// | a folder, a link to nowhere | an error |
///
/// A program that is killed by a signal leaves its temporary file (`.gdvar-*.tmp`) behind; see
/// [`discard_all`] for the way out.
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
pub struct Replacement(Way);

#[derive(Debug)]
enum Way {
    /// To a new file that is going to have the name.
    Beside {
        target: PathBuf,
        file: BufWriter<Temporary>,
    },
    /// To what has the name.
    Through(BufWriter<File>),
}

impl Replacement {
    /// Looks at the path, and begins a new file in the same folder or opens what is there. A new file gets
    /// the permissions of the old one, and its owner and group where that is allowed.
    ///
    /// Opening a FIFO waits until somebody reads it, as everywhere.
    ///
    /// # Errors
    /// That the folder is not there or cannot be written in, that the name is a folder's or a link's to
    /// nowhere, that who may read the old file cannot be found out, or that a device refuses to be opened.
    pub fn new(path: &Path) -> io::Result<Replacement> {
        if let Some(file) = open_descriptor(path)? {
            return Ok(Replacement::through(file));
        }
        // By `metadata` and not by the canonical path: a pipe of another program has no such path.
        let old = match fs::metadata(path) {
            Ok(old) if old.is_dir() => return Err(io::Error::other("is a folder, not a file")),
            Ok(old) if !old.is_file() => {
                return Ok(Replacement::through(
                    OpenOptions::new().write(true).open(path)?,
                ));
            }
            Ok(old) => Some(old),
            Err(error) if error.kind() != io::ErrorKind::NotFound => return Err(error),
            Err(_) if path.is_symlink() => {
                return Err(io::Error::other("is a link that leads nowhere"));
            }
            Err(_) => None,
        };
        let target = match old {
            Some(_) => fs::canonicalize(path)?,
            None => path.to_owned(),
        };
        let file = Temporary::beside(&target, old.as_ref())?;
        let file = BufWriter::with_capacity(BUFFER, file);
        Ok(Replacement(Way::Beside { target, file }))
    }

    fn through(file: File) -> Replacement {
        Replacement(Way::Through(BufWriter::with_capacity(BUFFER, file)))
    }

    /// Returns `true` if the bytes go to a device, a FIFO or an open file, where they stay even if the
    /// rest never comes. Else the old file is there until [`Replacement::finish`].
    #[must_use]
    pub fn writes_through(&self) -> bool {
        matches!(self.0, Way::Through(_))
    }

    /// Puts a new file in the old one's place: data on the disk first, then the name, then the folder. To
    /// anything else it hands over what is still in the buffer.
    ///
    /// # Errors
    /// The error of the file system; the old file is then as it was, unless only the last step failed.
    pub fn finish(self) -> io::Result<()> {
        let (target, file) = match self.0 {
            Way::Through(mut file) => return file.flush(),
            Way::Beside { target, file } => (target, file),
        };
        let file = file.into_inner().map_err(io::IntoInnerError::into_error)?;
        file.as_file().sync_all()?;
        file.take_name(&target)?;
        // Only Unix lets a folder be opened and synced.
        if cfg!(unix) {
            let synced = File::open(folder_of(&target)).and_then(|folder| folder.sync_all());
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
        match &mut self.0 {
            Way::Beside { file, .. } => file.write(bytes),
            Way::Through(file) => file.write(bytes),
        }
    }

    fn flush(&mut self) -> io::Result<()> {
        match &mut self.0 {
            Way::Beside { file, .. } => file.flush(),
            Way::Through(file) => file.flush(),
        }
    }
}

/// Moves in the new file. Where it is written through, the system says whether that can be done.
impl Seek for Replacement {
    fn seek(&mut self, to: SeekFrom) -> io::Result<u64> {
        match &mut self.0 {
            Way::Beside { file, .. } => file.seek(to),
            Way::Through(file) => file.seek(to),
        }
    }
}

/// A file that does not have its name yet, and stands in [`PENDING`]. Dropped, it is gone.
#[derive(Debug)]
struct Temporary(Option<NamedTempFile>);

impl Temporary {
    fn beside(target: &Path, old: Option<&fs::Metadata>) -> io::Result<Temporary> {
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
        if let Some(old) = old {
            #[cfg(unix)]
            keep_owner(file.as_file(), old)?;
            file.as_file().set_permissions(old.permissions())?;
        }
        Ok(file)
    }

    fn as_file(&self) -> &File {
        self.there().as_file()
    }

    fn there(&self) -> &NamedTempFile {
        self.0.as_ref().expect("it is only taken at the end")
    }

    /// Renames it, over what has that name.
    fn take_name(mut self, target: &Path) -> io::Result<()> {
        let Some(file) = self.0.take() else {
            return Ok(());
        };
        let mut pending = pending();
        forget(&mut pending, file.path());
        // On failure the error holds the file, which goes before the lock does.
        file.persist(target).map_err(|error| error.error)?;
        Ok(())
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

/// Removes the temporary files of all [`Replacement`]s that are not finished: for a program that was told
/// to end and does not get to drop them.
///
/// Call it in the thread that waits for SIGINT, SIGTERM and SIGHUP (with `signal-hook` or `tokio::signal`),
/// and end the program while you hold the result. Not in a signal handler itself: it waits for a lock.
/// Nothing can be done about SIGKILL and a loss of power, which leave the temporary file beside the old one.
///
/// While the result is held, whoever begins, finishes or drops a [`Replacement`] waits. After that
/// [`Replacement::finish`] of those that were begun is an error.
///
/// ```standalone_crate
/// use gdvar_io::replace::{Replacement, discard_all};
///
/// # let folder = tempfile::tempdir()?;
/// let begun = Replacement::new(&folder.path().join("slot1.dat"))?;
/// let discarded = discard_all();
/// assert_eq!(std::fs::read_dir(folder.path())?.count(), 0);
/// // std::process::exit(130);
/// # drop(discarded);
/// assert!(begun.finish().is_err());
/// # Ok::<(), std::io::Error>(())
/// ```
#[must_use = "replacements begin and finish again once it is dropped"]
pub fn discard_all() -> Discarded {
    let mut pending = pending();
    for path in pending.drain(..) {
        // If one cannot be removed, the next one is tried too.
        let _ = fs::remove_file(path);
    }
    Discarded { _lock: pending }
}

/// As long as it is held no [`Replacement`] begins, takes its name, or is removed. See [`discard_all`].
#[derive(Debug)]
pub struct Discarded {
    _lock: MutexGuard<'static, Vec<PathBuf>>,
}

fn folder_of(target: &Path) -> &Path {
    match target.parent() {
        Some(folder) if folder != Path::new("") => folder,
        _ => Path::new("."),
    }
}

/// Gives a new file the owner and group of the old one, so that a game can still write a save that another
/// user has converted. Only root may always do that; for others the file is theirs.
#[cfg(unix)]
fn keep_owner(new: &File, old: &fs::Metadata) -> io::Result<()> {
    use std::os::unix::fs::{MetadataExt, fchown};

    let own = new.metadata()?;
    if (own.uid(), own.gid()) != (old.uid(), old.gid()) {
        let _ = fchown(new, Some(old.uid()), Some(old.gid()));
    }
    Ok(())
}

/// The open file that a path stands for, if it leads to `/dev/fd` or into `/proc` by way of links: the file
/// behind it has a name of its own, by which it must not be replaced.
#[cfg(unix)]
fn open_descriptor(path: &Path) -> io::Result<Option<File>> {
    use std::os::fd::AsFd;

    /// More links than any system follows.
    const LINKS: usize = 40;

    // On Linux both are links to the folder of this process, elsewhere the first is a folder.
    let own = ["/dev/fd", "/proc/self/fd"].map(|folder| fs::canonicalize(folder).ok());
    let mut path = path.to_owned();
    for _ in 0..LINKS {
        let Ok(folder) = fs::canonicalize(folder_of(&path)) else {
            return Ok(None);
        };
        let own = own.iter().flatten().any(|own| *own == folder);
        if own || folder.starts_with("/proc") {
            // Sockets cannot be opened by that name, so the usual two are taken as they are.
            let open = match path.file_name().and_then(|name| name.to_str()) {
                Some("1") if own => io::stdout().as_fd().try_clone_to_owned()?.into(),
                Some("2") if own => io::stderr().as_fd().try_clone_to_owned()?.into(),
                _ => OpenOptions::new().append(true).open(&path)?,
            };
            return Ok(Some(open));
        }
        match fs::read_link(&path) {
            Ok(next) => path = folder.join(next),
            Err(_) => return Ok(None),
        }
    }
    Ok(None)
}

#[cfg(not(unix))]
fn open_descriptor(_: &Path) -> io::Result<Option<File>> {
    Ok(None)
}
