//! [`Package`]: reads packages of exported games, `.pck`: the directory, and the bytes of each file.

use md5::{Digest, Md5};

use crate::{
    Error, ErrorKind,
    reader::{Reader, Result},
};

const MAGIC: &[u8; 4] = b"GDPC";

/// The length of the trailer of an executable that contains a package: the package's size, and the
/// magic number.
const TRAILER: usize = 12;

/// The prefix of paths in packages of Godot 3.
const RES: &str = "res://";

/// Flags in the header of a package.
const DIRECTORY_IS_ENCRYPTED: u32 = 1;
const OFFSETS_ARE_RELATIVE: u32 = 2;

/// Flags of a file in the directory.
const FILE_IS_ENCRYPTED: u32 = 1;
const FILE_IS_REMOVED: u32 = 2;

/// The least size of a directory entry: the path's length, the file's offset, its size and its MD5.
const LEAST_ENTRY: usize = 4 + 8 + 8 + 16;

/// An entry in the directory of a package: a file.
#[derive(Clone, Copy, PartialEq, Eq, Debug)]
#[non_exhaustive]
pub struct Entry<'a> {
    /// The path without `res://`.
    pub path: &'a str,
    /// The offset of the file's bytes in the buffer that was opened.
    pub offset: u64,
    /// The size of the file in bytes.
    pub size: u64,
    /// `true` if the bytes are encrypted.
    pub is_encrypted: bool,
    /// `true` if the entry only hides a file of an earlier package. It has no bytes.
    pub is_removed: bool,
    md5: [u8; 16],
}

/// A package in memory, or an executable that contains one at its end. Only the directory is read. The files
/// are slices of the buffer.
///
/// ```no_run
/// use gdvar_resource::Package;
///
/// let file = std::fs::read("game.pck")?;
/// let package = Package::open(&file)?;
/// for entry in package.entries() {
///     println!("{} bytes  {}", entry.size, entry.path);
/// }
/// if let Some(settings) = package.find("res://project.binary") {
///     let bytes = package.read(&settings)?;
/// }
/// # Ok::<(), Box<dyn std::error::Error>>(())
/// ```
#[derive(Clone, Debug)]
pub struct Package<'a> {
    file: &'a [u8],
    version: u32,
    engine: [u32; 3],
    entries: Vec<Entry<'a>>,
}

impl<'a> Package<'a> {
    /// Reads the directory of a package of version 1 (Godot 3), 2 or 3 (Godot 4). Sorts the files
    /// by offset, in O(n log n), to check that no two files overlap. Engines write no overlapping
    /// files.
    ///
    /// # Errors
    ///
    /// Returns `NoPackage` if the file has no package, `UnknownPackage` for another version, `Encrypted` for an
    /// encrypted directory, `TooMany` for more entries than the file can hold, `BadText` for a path that is not
    /// text, `Truncated` if the directory or a file goes beyond the end, and `Overlap` if two files have bytes
    /// in common.
    pub fn open(file: &'a [u8]) -> Result<Package<'a>> {
        let start = start(file).ok_or(Error::new(0, ErrorKind::NoPackage))?;
        let mut reader = Reader::new(file, start + MAGIC.len(), false);
        let at = reader.at();
        let version = reader.u32()?;
        if !(1..=3).contains(&version) {
            return Err(Error::new(at, ErrorKind::UnknownPackage { version }));
        }
        let engine = [reader.u32()?, reader.u32()?, reader.u32()?];
        let (mut flags, mut base) = (0, 0);
        if version > 1 {
            flags = reader.u32()?;
            base = reader.u64()?;
        }
        if version == 3 || flags & OFFSETS_ARE_RELATIVE != 0 {
            base = base.saturating_add(start as u64);
        }
        let mut directory = reader.at() + 16 * 4;
        if version == 3 {
            let at = reader.at();
            let offset = usize::try_from(reader.u64()?).ok();
            let truncated = Error::new(at, ErrorKind::Truncated { missing: 1 });
            let place = offset.and_then(|offset| offset.checked_add(start));
            directory = place.filter(|&at| at <= file.len()).ok_or(truncated)?;
        }
        let missing = u32::try_from(directory.saturating_sub(file.len())).unwrap_or(u32::MAX);
        if missing > 0 {
            return Err(Error::new(file.len(), ErrorKind::Truncated { missing }));
        }
        let mut reader = Reader::new(file, directory, false);
        if flags & DIRECTORY_IS_ENCRYPTED != 0 {
            return Err(Error::new(directory, ErrorKind::Encrypted));
        }
        let mut entries = Vec::new();
        for _ in 0..reader.count(LEAST_ENTRY)? {
            entries.push(entry(&mut reader, version, base)?);
        }
        let package = Package {
            file,
            version,
            engine,
            entries,
        };
        package.check_places()?;
        Ok(package)
    }

    /// Refuses files whose bytes lie outside of the package or overlap those of another file.
    fn check_places(&self) -> Result<()> {
        let mut places: Vec<(u64, u64)> = Vec::new();
        for entry in self.entries.iter().filter(|entry| !entry.is_removed) {
            // An encrypted file is longer than `size`, the number of its plain bytes. So only the start of the
            // next file can be checked.
            let end = entry.offset.saturating_add(entry.size);
            if end > self.file.len() as u64 {
                let missing = u32::try_from(end - self.file.len() as u64).unwrap_or(u32::MAX);
                return Err(Error::new(
                    self.file.len(),
                    ErrorKind::Truncated { missing },
                ));
            }
            if entry.size > 0 {
                places.push((entry.offset, end));
            }
        }
        places.sort_unstable();
        let overlap = places.windows(2).find(|two| two[1].0 < two[0].1);
        match overlap {
            Some(two) => Err(Error::new(two[1].0 as usize, ErrorKind::Overlap)),
            None => Ok(()),
        }
    }

    /// Returns the version of the format: 1, 2 or 3.
    #[must_use]
    pub const fn version(&self) -> u32 {
        self.version
    }

    /// Returns the version of the engine that made the package: major, minor and patch.
    #[must_use]
    pub const fn engine(&self) -> [u32; 3] {
        self.engine
    }

    /// Returns the files, in the order of the directory.
    #[must_use]
    pub fn entries(&self) -> &[Entry<'a>] {
        &self.entries
    }

    /// Returns the file with a path, given with or without `res://`. If several files have the
    /// path, returns the last one, as the engine does. The time is linear in the number of files.
    #[must_use]
    pub fn find(&self, path: &str) -> Option<Entry<'a>> {
        let last = |path: &str| self.entries.iter().rev().find(|entry| entry.path == path);
        // Looks for the whole path first: in a hostile package, a file's path may itself begin with `res://`.
        let found = last(path).or_else(|| last(path.strip_prefix(RES)?));
        found.copied()
    }

    /// Returns the bytes of a file. If the package has an MD5 for the file, compares the bytes with
    /// it.
    ///
    /// # Errors
    ///
    /// Returns `Removed` or `Encrypted` if the entry is marked so, `Truncated` if the file does not lie in the
    /// package, and `WrongSum` if the MD5 differs.
    pub fn read(&self, entry: &Entry<'a>) -> Result<&'a [u8]> {
        let at = usize::try_from(entry.offset).unwrap_or(usize::MAX);
        if entry.is_removed {
            return Err(Error::new(at, ErrorKind::Removed));
        }
        if entry.is_encrypted {
            return Err(Error::new(at, ErrorKind::Encrypted));
        }
        let len = usize::try_from(entry.size).unwrap_or(usize::MAX);
        let bytes = self.file.get(at..).and_then(|rest| rest.get(..len));
        let bytes = bytes.ok_or(Error::new(at, ErrorKind::Truncated { missing: 1 }))?;
        // The packer of Godot 3 writes zeros instead of an MD5.
        if entry.md5 != [0; 16] && Md5::digest(bytes)[..] != entry.md5 {
            return Err(Error::new(at, ErrorKind::WrongSum));
        }
        Ok(bytes)
    }
}

/// Returns `true` if a file is a package, or an executable with a package at its end. Reads 16 bytes.
#[must_use]
pub fn is_package(file: &[u8]) -> bool {
    start(file).is_some()
}

/// Returns the offset of the package's magic number, or `None` if there is no package.
fn start(file: &[u8]) -> Option<usize> {
    if file.starts_with(MAGIC) {
        return Some(0);
    }
    let (rest, trailer) = file.split_at_checked(file.len().checked_sub(TRAILER)?)?;
    let (size, magic) = trailer.split_first_chunk()?;
    let size = usize::try_from(u64::from_le_bytes(*size)).ok()?;
    let start = rest.len().checked_sub(size)?;
    (magic == MAGIC && rest[start..].starts_with(MAGIC)).then_some(start)
}

fn entry<'a>(reader: &mut Reader<'a>, version: u32, base: u64) -> Result<Entry<'a>> {
    let at = reader.at();
    let len = reader.count(1)?;
    let path = reader.take(len as usize)?;
    // Godot 4 pads a path with zeros.
    let end = path
        .iter()
        .position(|&byte| byte == 0)
        .unwrap_or(path.len());
    let (path, padding) = path.split_at(end);
    let bad = Error::new(at, ErrorKind::BadText);
    let path = std::str::from_utf8(path).map_err(|_| bad)?;
    if padding.iter().any(|&byte| byte != 0) {
        return Err(bad);
    }
    let offset = reader.u64()?;
    let size = reader.u64()?;
    let mut md5 = [0; 16];
    md5.copy_from_slice(reader.take(16)?);
    let flags = if version > 1 { reader.u32()? } else { 0 };
    Ok(Entry {
        path: path.strip_prefix(RES).unwrap_or(path),
        offset: base.saturating_add(offset),
        size,
        is_encrypted: flags & FILE_IS_ENCRYPTED != 0,
        is_removed: flags & FILE_IS_REMOVED != 0,
        md5,
    })
}
