//! Files inside a package or a zip archive: `game.pck!res://data/items.res` and `mod.zip!data/items.tres`. An
//! executable with a package at its end works too.

use std::{
    io,
    path::{Path, PathBuf},
};

use gdvar_io::Limits;
use gdvar_resource::Package;

use crate::{
    input::{
        archive::{self, Archive},
        bytes::Input,
    },
    terminal::{safe_text, words},
};

/// The largest number of files that a message names.
const SHOWN: usize = 12;

/// The start of the paths in a game.
const RES: &str = "res://";

/// Splits the name of a file inside another file into the name of the outer file and the path in it. `None` if a file
/// has the whole name, or if there is no such outer file.
pub(crate) fn split(path: &Path) -> Option<(PathBuf, &str)> {
    let name = path.to_str()?;
    if !name.contains('!') || path.exists() {
        return None;
    }
    let mut marks = name.match_indices('!').map(|(at, _)| at);
    let at = marks.find(|&at| Path::new(&name[..at]).is_file())?;
    Some((PathBuf::from(&name[..at]), &name[at + 1..]))
}

/// Returns `true` if a path names a file in a package or an archive.
pub(crate) fn is_entry(path: &Path) -> bool {
    split(path).is_some()
}

/// Reads a file in a package or an archive.
pub(super) fn read(outer: &Path, path: &str) -> io::Result<Vec<u8>> {
    let file = Input::open(outer)?;
    Holder::open(&file)?.read(path)
}

/// An open package or archive.
pub(crate) enum Holder<'a> {
    Package(Package<'a>),
    Archive {
        archive: Archive<'a>,
        /// The length of the archive, which limits how much is unpacked from it.
        len: usize,
    },
}

impl<'a> Holder<'a> {
    /// Opens `file` as a zip archive or a package, and reads its list of files.
    pub(crate) fn open(file: &'a [u8]) -> io::Result<Holder<'a>> {
        if archive::is_archive(file) {
            let archive = Archive::open(file).map_err(io::Error::other)?;
            let len = file.len();
            return Ok(Holder::Archive { archive, len });
        }
        let package = Package::open(file).map_err(io::Error::other)?;
        Ok(Holder::Package(package))
    }

    fn name(&self) -> &'static str {
        match self {
            Holder::Package(_) => "package",
            Holder::Archive { .. } => "archive",
        }
    }

    /// Returns the paths of the files for which `wanted` returns `true`. The argument of `wanted` is `true` if the file
    /// can be read.
    fn paths(&self, wanted: impl Fn(bool) -> bool) -> Vec<&str> {
        match self {
            Holder::Package(package) => { package.entries().iter() }
                .filter(|entry| wanted(!entry.is_removed && !entry.is_encrypted))
                .map(|entry| entry.path)
                .collect(),
            Holder::Archive { archive, .. } => { archive.entries().iter() }
                .filter(|entry| wanted(!entry.is_encrypted))
                .map(|entry| &*entry.path)
                .collect(),
        }
    }

    /// The paths of all files.
    pub(crate) fn all_paths(&self) -> Vec<&str> {
        self.paths(|_| true)
    }

    /// Reads the file at `path`, which may be written with or without `res://`.
    pub(crate) fn read(&self, path: &str) -> io::Result<Vec<u8>> {
        let bytes = match self {
            Holder::Package(package) => package.find(path).map(|entry| {
                let bytes = package.read(&entry).map_err(io::Error::other);
                bytes.map(<[u8]>::to_vec)
            }),
            Holder::Archive { archive, len } => {
                let named = |path: &str| {
                    let entries = archive.entries().iter();
                    entries
                        .filter(|entry| entry.path == path)
                        .collect::<Vec<_>>()
                };
                let mut found = named(path);
                if let (true, Some(path)) = (found.is_empty(), path.strip_prefix(RES)) {
                    found = named(path);
                }
                if found.len() > 1 {
                    let count = found.len();
                    let message = format!(
                        "the archive has {count} files {path:?}, and programs differ in which they read; pack it again"
                    );
                    return Err(io::Error::other(message));
                }
                let most = u64::from(Limits::unpacking(*len).max_len);
                let found = found.first();
                found.map(|entry| archive.read(entry, most).map_err(io::Error::other))
            }
        };
        bytes.unwrap_or_else(|| {
            let (name, contents) = (self.name(), self.contents());
            let message = format!("the {name} has no file {path:?}; {contents}");
            Err(io::Error::other(message))
        })
    }

    /// Describes the contents: `it has 3 files: a.txt, b.res, …`.
    pub(crate) fn contents(&self) -> String {
        let paths = self.paths(|_| true);
        let shown = paths.iter().take(SHOWN);
        let shown: Vec<_> = shown.map(|path| safe_text::short_name(path)).collect();
        let more = if paths.len() > SHOWN { ", …" } else { "" };
        let files = words::plural(paths.len() as u64, "file");
        format!("it has {files}: {}{more}", shown.join(", "))
    }

    /// Returns the path of a file to show as an example. Prefers a resource or settings.
    pub(crate) fn example(&self) -> Option<&str> {
        let readable = self.paths(|is_readable| is_readable);
        let is_likely = |path: &&&str| {
            [".binary", ".res", ".scn", ".tres", ".tscn", ".cfg"]
                .iter()
                .any(|end| path.ends_with(end))
        };
        let likely = readable.iter().filter(is_likely);
        let likely = likely.min_by_key(|path| path.len());
        likely.or_else(|| readable.first()).copied()
    }
}
