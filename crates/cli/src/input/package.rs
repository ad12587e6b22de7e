//! Files inside a package: `game.pck!res://data/items.res`, also in an executable with a package at its end.

use std::{
    io,
    path::{Path, PathBuf},
};

use gdvar_resource::{Entry, Package};

use crate::{
    input::bytes::Input,
    terminal::{safe_text, words},
};

/// The number of files that messages name.
const SHOWN: usize = 12;

/// Splits the name of a file in a package into the package's and its own. `None` if a file has the whole name,
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

/// Returns `true` if a path names a file in a package.
pub(crate) fn is_entry(path: &Path) -> bool {
    split(path).is_some()
}

/// The bytes of a file in a package.
pub(super) fn read(package: &Path, path: &str) -> io::Result<Vec<u8>> {
    let file = Input::open(package)?;
    let package = Package::open(&file).map_err(io::Error::other)?;
    let Some(entry) = package.find(path) else {
        let message = format!("the package has no file {path:?}; {}", contents(&package));
        return Err(io::Error::other(message));
    };
    let bytes = package.read(&entry).map_err(io::Error::other)?;
    Ok(bytes.to_vec())
}

/// What is in a package, for people: `it has 3 files: a.txt, b.res, …`.
pub(crate) fn contents(package: &Package<'_>) -> String {
    let entries = package.entries();
    let shown = entries.iter().take(SHOWN);
    let shown: Vec<_> = shown
        .map(|entry| safe_text::short_name(entry.path))
        .collect();
    let more = if entries.len() > SHOWN { ", …" } else { "" };
    let files = words::plural(entries.len() as u64, "file");
    format!("it has {files}: {}{more}", shown.join(", "))
}

/// A file of a package that has values, to name as an example: a resource, the settings, or any.
pub(crate) fn example<'a>(package: &Package<'a>) -> Option<Entry<'a>> {
    let readable = |entry: &&Entry<'_>| !entry.is_removed && !entry.is_encrypted;
    let entries = || package.entries().iter().filter(readable);
    let is_likely = |entry: &&Entry<'_>| {
        [".binary", ".res", ".scn"]
            .iter()
            .any(|end| entry.path.ends_with(end))
    };
    let likely = entries()
        .filter(is_likely)
        .min_by_key(|entry| entry.path.len());
    likely.or_else(|| entries().next()).copied()
}
