//! `project.binary`, the settings of an exported game, as the Dictionary that it would be in a save.

use gdvar_io::{
    Error, ErrorKind,
    project::{Entry, Project},
};
use gdvar_view::{Dialect, Document, Objects, ReadOptions};
use gdvar_write::{Target, Writer};

type WriteError = gdvar_write::Error<std::convert::Infallible>;

/// The settings of a file.
pub(crate) struct Settings {
    /// The bytes of a Dictionary from names to values.
    pub(crate) dictionary: Vec<u8>,
    /// How many are in it.
    pub(crate) kept: usize,
    /// The names of those that are not, because their value or name cannot be read: the engine
    /// drops them, too.
    pub(crate) dropped: Vec<String>,
}

/// Reads a file of that dialect, or of the one in which most of its values can be read.
///
/// # Errors
/// If the file ends within a setting.
pub(crate) fn read(file: &[u8], dialect: Option<Dialect>) -> Result<Settings, Error> {
    let mut entries = Vec::new();
    let mut dropped = Vec::new();
    for entry in Project::open(file)? {
        match entry {
            Ok(entry) => entries.push(entry),
            Err(error) if error.kind() == ErrorKind::BadName => {
                dropped.push(format!("the one at byte {:#x}", error.offset()));
            }
            Err(error) => return Err(error),
        }
    }
    let likeliest = |best, one| {
        if readable(&entries, one) > readable(&entries, best) {
            one
        } else {
            best
        }
    };
    let dialect =
        dialect.unwrap_or_else(|| Dialect::ALL.into_iter().fold(Dialect::GODOT_4, likeliest));
    let mut kept = Vec::new();
    for entry in &entries {
        match value(entry, dialect) {
            Some(value) => kept.push((entry.key, value)),
            None => dropped.push(entry.key.to_owned()),
        }
    }
    Ok(Settings {
        dictionary: dictionary(&kept, dialect).unwrap_or_default(),
        kept: kept.len(),
        dropped,
    })
}

/// How many values can be read.
fn readable(entries: &[Entry<'_>], dialect: Dialect) -> usize {
    let all = entries.iter();
    all.filter(|entry| value(entry, dialect).is_some()).count()
}

/// The bytes of a value that can be read.
fn value<'a>(entry: &Entry<'a>, dialect: Dialect) -> Option<&'a [u8]> {
    let options = ReadOptions::new(dialect).objects(Objects::Inert);
    let len = Document::with_options(entry.bytes, options).validate();
    // The padding of a packed array may be missing at the end of a buffer, but not in a Dictionary.
    entry
        .bytes
        .get(..len.ok()?)
        .filter(|value| value.len() % 4 == 0)
}

fn dictionary(settings: &[(&str, &[u8])], dialect: Dialect) -> Result<Vec<u8>, WriteError> {
    let mut writer = Writer::new(Vec::new(), Target::from(dialect));
    writer.begin_dict(settings.len())?;
    for (name, value) in settings {
        writer.string(name)?;
        writer.raw_bytes(value)?;
    }
    writer.end()?;
    writer.finish()
}
