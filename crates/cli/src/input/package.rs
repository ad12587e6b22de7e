//! Files inside a package or a zip archive: `game.pck!res://data/items.res`, also in an executable with a package at its
//! end, and `mod.zip!data/items.tres`.

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

/// The number of files that messages name.
const SHOWN: usize = 12;

/// How paths of a game begin.
const RES: &str = "res://";

/// Splits the name of a file in another one into the outer file's and its own. `None` if a file has the whole name,
/// and if none has the first part.
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

/// The bytes of a file in a package or an archive.
pub(super) fn read(outer: &Path, path: &str) -> io::Result<Vec<u8>> {
    let file = Input::open(outer)?;
    Holder::open(&file)?.read(path)
}

/// A package or an archive, opened.
pub(crate) enum Holder<'a> {
    Package(Package<'a>),
    Archive {
        archive: Archive<'a>,
        /// The length of the archive, which bounds what is unpacked.
        len: usize,
    },
}

impl<'a> Holder<'a> {
    /// Reads the directory of a file.
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

    /// The paths of the files that satisfy `wanted`, which gets `true` for those that can be read.
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

    /// The bytes of the file with a path, with or without `res://`.
    fn read(&self, path: &str) -> io::Result<Vec<u8>> {
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

    /// What is in it, for people: `it has 3 files: a.txt, b.res, …`.
    pub(crate) fn contents(&self) -> String {
        let paths = self.paths(|_| true);
        let shown = paths.iter().take(SHOWN);
        let shown: Vec<_> = shown.map(|path| safe_text::short_name(path)).collect();
        let more = if paths.len() > SHOWN { ", …" } else { "" };
        let files = words::plural(paths.len() as u64, "file");
        format!("it has {files}: {}{more}", shown.join(", "))
    }

    /// A file that has values, to name as an example: a resource, the settings, or any.
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
