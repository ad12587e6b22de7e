//! Writes to a path without loss. A file is replaced in one step by a new file, once the new file
//! is complete and on the disk. Anything else at the path, such as a device, is written to in
//! place.
//!
//! If the path leads to an open file through `/dev/fd`, bytes are appended to that file. It cannot
//! be replaced at this path, because its own name is another one. Rejected: `O_TMPFILE`, which
//! creates a file without a name, so that a killed program leaves none on the disk. Such a file
//! needs a name before it can replace another file, and not every file system supports it, so named
//! temporary files would be needed as well.

use std::{
    fs::{self, File, OpenOptions},
    io::{self, BufWriter, Seek, SeekFrom, Write},
    path::{Path, PathBuf},
    sync::MutexGuard,
};

mod attributes;
mod snapshot;
mod temporary;

pub use snapshot::{Changed, Snapshot};
pub use temporary::is_temporary;
use temporary::{Temporary, pending};

/// How many bytes are collected before the system gets them.
const BUFFER: usize = 1 << 16;

/// A write to a path that protects what is there.
///
/// | at the path | what happens |
/// |---|---|
/// | a file, or nothing | a new file takes the name in [`Replacement::finish`]; until then the old file is unchanged. If the `Replacement` is dropped, the new file is removed |
/// | a link to one of these | the link stays, and its target is replaced |
/// | a read-only file, or one with several names (hard links) | an error |
/// | a device, a FIFO | it is opened and written to, and never replaced; bytes that were written stay written |
/// | an open file of this program: `/dev/stdout`, `/dev/fd/63`, `/proc/self/fd/1` | it is written to, and never replaced; a regular file is appended to |
/// | a folder, a link to nowhere | an error |
///
/// The new file gets the permissions and extended attributes of the old one, and its owner and
/// group if that is allowed. If a program changes the old file in the meantime, the old file stays
/// and [`Replacement::finish`] returns an error: the file must still be the file of the [`Snapshot`].
///
/// A program that is killed by a signal leaves its temporary file (`.gdvar-*.tmp`) on the disk;
/// [`discard_all`] prevents that, and [`is_temporary`] recognises such a file.
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
    /// Writes to a new file in the folder of the old one, which takes the old file's name at the
    /// end.
    Beside {
        old: Box<Snapshot>,
        file: BufWriter<Temporary>,
    },
    /// Writes to the device, FIFO or open file at the path.
    Through(BufWriter<File>),
}

impl Replacement {
    /// Creates a new file in the folder of `path`, or opens the device, FIFO or open file at
    /// `path`. If you read the old file first, use [`Replacement::of`].
    ///
    /// # Errors
    ///
    /// Returns the errors of [`Snapshot::of`] and [`Replacement::of`].
    pub fn new(path: &Path) -> io::Result<Replacement> {
        Replacement::of(&Snapshot::of(path)?)
    }

    /// Creates a new file in the folder of the snapshot's file, or opens the device, FIFO or open
    /// file at its path.
    ///
    /// Opening a FIFO waits until another program opens it for reading.
    ///
    /// # Errors
    ///
    /// Returns the errors of [`Snapshot::replaceable`]. Also fails if the folder is missing or not
    /// writable, if the new file cannot get the permissions and attributes of the old one, or if a
    /// device cannot be opened.
    pub fn of(old: &Snapshot) -> io::Result<Replacement> {
        if old.is_other() {
            let file = match descriptor(old.given())? {
                Some(open) => open_descriptor(&open)?,
                None => OpenOptions::new().write(true).open(old.given())?,
            };
            let file = BufWriter::with_capacity(BUFFER, file);
            return Ok(Replacement(Way::Through(file)));
        }
        let about = old.replaceable()?;
        let about = about.as_ref().map(|about| (old.path(), about));
        let file = Temporary::beside(old.path(), about)?;
        let old = Box::new(old.clone());
        let file = BufWriter::with_capacity(BUFFER, file);
        Ok(Replacement(Way::Beside { old, file }))
    }

    /// Returns `true` if the bytes go to a device, a FIFO or an open file. Bytes that were written
    /// there stay, even if the rest is never written. Returns `false` if the old file stays
    /// unchanged until [`Replacement::finish`].
    #[must_use]
    pub fn writes_through(&self) -> bool {
        matches!(self.0, Way::Through(_))
    }

    /// Copies the old file, with its times, permissions and attributes, to the first free name of
    /// `FILE.bak`, `FILE.bak2`, `FILE.bak3` …, and returns that name. Returns `None` if there is no
    /// old file.
    ///
    /// # Errors
    ///
    /// Returns the errors of [`Snapshot::replaceable`] and of the file system; nothing was copied
    /// then.
    pub fn back_up(&self) -> io::Result<Option<PathBuf>> {
        let Way::Beside { old, .. } = &self.0 else {
            return Ok(None);
        };
        let Some(about) = old.replaceable()? else {
            return Ok(None);
        };
        let mut copy = Temporary::beside(old.path(), Some((old.path(), &about)))?;
        io::copy(&mut File::open(old.path())?, &mut copy)?;
        if let Ok(modified) = about.modified() {
            copy.as_file().set_modified(modified)?;
        }
        copy.as_file().sync_all()?;
        for number in 1_u32.. {
            let mut name = old.path().as_os_str().to_owned();
            name.push(".bak");
            if number > 1 {
                name.push(number.to_string());
            }
            let name = PathBuf::from(name);
            match copy.take_free_name(&name)? {
                Some(again) => copy = again,
                None => return Ok(Some(name)),
            }
        }
        Ok(None)
    }

    /// Replaces the old file: writes the data to the disk, renames the new file, then syncs the
    /// folder. If [`Replacement::writes_through`] is `true`, only flushes the buffer.
    ///
    /// # Errors
    ///
    /// Returns [`Changed`] if the old file is no longer the file of the snapshot, or the error of
    /// the file system. The old file is then unchanged, unless only the folder could not be synced:
    /// then the new file is in place.
    pub fn finish(self) -> io::Result<()> {
        let (old, file) = match self.0 {
            Way::Through(mut file) => return file.flush(),
            Way::Beside { old, file } => (old, file),
        };
        let file = file.into_inner().map_err(io::IntoInnerError::into_error)?;
        file.as_file().sync_all()?;
        old.check()?;
        file.take_name(old.path())?;
        // Only Unix can open and sync a folder.
        if cfg!(unix) {
            let synced = File::open(folder_of(old.path())).and_then(|folder| folder.sync_all());
            synced.map_err(unsettled)?;
        }
        Ok(())
    }
}

/// The error for a new file that is in place, but whose name may not survive a loss of power.
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

/// Seeks in the new file. For a device or FIFO, the system decides whether that works.
impl Seek for Replacement {
    fn seek(&mut self, to: SeekFrom) -> io::Result<u64> {
        match &mut self.0 {
            Way::Beside { file, .. } => file.seek(to),
            Way::Through(file) => file.seek(to),
        }
    }
}

/// Removes the temporary files of all [`Replacement`]s that are not finished. Use it in a program that
/// was told to end and cannot drop them.
///
/// Call it in the thread that waits for SIGINT, SIGTERM and SIGHUP (with `signal-hook` or
/// `tokio::signal`), and end the program while you hold the result. Do not call it in a signal
/// handler: it waits for a lock. Nothing helps against SIGKILL and a loss of power, which leave the
/// temporary file next to the old one.
///
/// While the result is held, every thread that begins, finishes or drops a [`Replacement`] waits.
/// Once the result is dropped, [`Replacement::finish`] returns an error for every replacement that
/// was begun before the call.
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
        // If one cannot be removed, still try the others.
        let _ = fs::remove_file(path);
    }
    Discarded { _lock: pending }
}

/// A guard: while it is held, no temporary file of a [`Replacement`] is created, renamed or
/// removed. See [`discard_all`].
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

/// Follows links from `path`. Returns the first name in `/dev/fd` or `/proc`, or `None` if there is
/// none. A file with such a name must not be replaced, because its own name is another one.
#[cfg(unix)]
fn descriptor(path: &Path) -> io::Result<Option<PathBuf>> {
    /// More links than any system follows.
    const LINKS: usize = 40;

    let own = descriptors();
    let mut path = path.to_owned();
    for _ in 0..LINKS {
        let Ok(folder) = fs::canonicalize(folder_of(&path)) else {
            return Ok(None);
        };
        if own.contains(&folder) || folder.starts_with("/proc") {
            return Ok(Some(path));
        }
        match fs::read_link(&path) {
            Ok(next) => path = folder.join(next),
            Err(_) => return Ok(None),
        }
    }
    Ok(None)
}

#[cfg(not(unix))]
fn descriptor(_: &Path) -> io::Result<Option<PathBuf>> {
    Ok(None)
}

/// Returns the folders of this program's open files. On Linux, `/dev/fd` and `/proc/self/fd` are
/// links to one folder; elsewhere `/dev/fd` is itself a folder.
#[cfg(unix)]
fn descriptors() -> Vec<PathBuf> {
    let own = ["/dev/fd", "/proc/self/fd"].map(|folder| fs::canonicalize(folder).ok());
    own.into_iter().flatten().collect()
}

/// Opens the file of a name that [`descriptor`] returned.
fn open_descriptor(path: &Path) -> io::Result<File> {
    #[cfg(unix)]
    {
        use std::os::fd::AsFd;

        let folder = fs::canonicalize(folder_of(path))?;
        let own = descriptors().contains(&folder);
        // Sockets cannot be opened by this name, so standard output and standard error are
        // duplicated.
        match path.file_name().and_then(|name| name.to_str()) {
            Some("1") if own => return Ok(io::stdout().as_fd().try_clone_to_owned()?.into()),
            Some("2") if own => return Ok(io::stderr().as_fd().try_clone_to_owned()?.into()),
            _ => {}
        }
    }
    OpenOptions::new().append(true).open(path)
}
