//! `project.binary`, the settings of an exported game, as the Dictionary that it would be in a save.

use gdvar_io::{
    Error, FileErrorKind,
    project::{Entry, Project},
};
use gdvar_view::{Detector, Dialect, Document, Kind, Objects, ReadOptions};
use gdvar_write::{Target, Writer};

use crate::brief::short_name;

/// The settings of a file.
pub(crate) struct Settings {
    /// The bytes of a Dictionary from names to values.
    pub(crate) dictionary: Vec<u8>,
    /// The number of values in it.
    pub(crate) kept: u32,
    /// The names of those that are not, because their value or name cannot be read: the engine
    /// drops them, too.
    pub(crate) dropped: Vec<String>,
}

/// Reads a file of that dialect, or of the one in which most of its values take exactly the bytes they
/// have.
///
/// # Errors
/// If the file ends within a setting.
pub(crate) fn read(file: &[u8], dialect: Option<Dialect>) -> Result<Settings, Error> {
    let mut entries = Vec::new();
    let mut dropped = Vec::new();
    for entry in Project::open(file)? {
        match entry {
            Ok(entry) => entries.push(entry),
            Err(error) if error.kind() == FileErrorKind::BadName => {
                dropped.push(format!("the one at byte {:#x}", error.offset()));
            }
            Err(error) => return Err(error),
        }
    }
    // If there are several the first is taken, which is the likeliest.
    let all = Detector::AUTO.into_iter().rev();
    let dialect = dialect
        .or_else(|| all.max_by_key(|&dialect| readable(&entries, dialect)))
        .unwrap_or(Dialect::GODOT_4);
    let id = dialect.type_id(Kind::Dictionary).map_or(0, |id| id.0);
    let mut dictionary = [u32::from(id).to_le_bytes(), [0; 4]].concat();
    let mut kept = 0_u32;
    for entry in &entries {
        match name(entry, dialect).zip(value(entry, dialect)) {
            Some((name, value)) => {
                dictionary.extend(name);
                dictionary.extend_from_slice(value);
                kept += 1;
            }
            None => dropped.push(short_name(entry.key)),
        }
    }
    dictionary[4..8].copy_from_slice(&kept.to_le_bytes());
    Ok(Settings {
        dictionary,
        kept,
        dropped,
    })
}

/// The number of values that take all the bytes that they have.
fn readable(entries: &[Entry<'_>], dialect: Dialect) -> usize {
    let all = entries.iter();
    all.filter(|entry| value(entry, dialect).is_some_and(|value| value.len() == entry.bytes.len()))
        .count()
}

/// The bytes of a String with the name, if it is one that an engine takes as it is.
fn name(entry: &Entry<'_>, dialect: Dialect) -> Option<Vec<u8>> {
    let mut writer = Writer::new(Vec::new(), Target::from(dialect));
    writer.string(entry.key).ok()?;
    writer.finish().ok()
}

/// The bytes of a value that can be read.
fn value<'a>(entry: &Entry<'a>, dialect: Dialect) -> Option<&'a [u8]> {
    let options = ReadOptions::new(dialect).with_objects(Objects::Inert);
    let len = Document::with_options(entry.bytes, options).validate();
    let value = entry.bytes.get(..len.ok()?)?;
    // The padding of a packed array may be missing at the end of a buffer, but not in a Dictionary.
    (value.len() % 4 == 0).then_some(value)
}
