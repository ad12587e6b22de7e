//! `project.binary`, the settings of an exported game, as a Dictionary.

use std::{
    collections::{HashMap, VecDeque},
    fmt,
};

use gdvar_io::project::{Project as Settings, ProjectWriter, RawEntry};
use gdvar_view::{Choice, Detector, Dialect, Document, Kind, Limits};
use gdvar_write::{Target, Writer};

use super::{FoundLayer, LayerKind, PeelError, WrapError};
use crate::{Certainty, Hints};

/// The settings of a file, and the file itself, so that unchanged settings are written byte for byte.
#[derive(Clone, PartialEq, Eq, Debug)]
#[non_exhaustive]
pub struct Project {
    /// The dialect of the values.
    pub dialect: Dialect,
    /// How certain the dialect is. It is [`Likely`](Certainty::Likely) if, for example, another dialect reads the same
    /// number of values, and some of these values differ.
    pub certainty: Certainty,
    /// The number of settings in the Dictionary.
    pub kept: u32,
    /// The names of the settings that are missing in the Dictionary, because their value or name cannot be read. The
    /// engine drops them, too.
    pub dropped: Vec<String>,
    file: Vec<u8>,
}

/// The reason why a Dictionary cannot become settings.
#[derive(Clone, Copy, PartialEq, Eq, Debug)]
#[non_exhaustive]
pub enum WrapProjectError {
    /// The contents are not a Dictionary.
    NotADictionary,
    /// A key of the Dictionary is not a String. The number is the index of the pair.
    KeyIsNoString(usize),
}

impl fmt::Display for WrapProjectError {
    fn fmt(&self, f: &mut fmt::Formatter<'_>) -> fmt::Result {
        match self {
            WrapProjectError::NotADictionary => {
                f.write_str("settings of a project.binary are a Dictionary from names to values")
            }
            WrapProjectError::KeyIsNoString(pair) => {
                write!(f, "the name of setting {pair} is no String")
            }
        }
    }
}

impl std::error::Error for WrapProjectError {}

/// Reads the settings in the dialect of the hints, or else in the dialect that reads most of the values.
pub(super) fn peel(file: &[u8], hints: &Hints<'_>) -> Result<FoundLayer, PeelError> {
    let mut entries = Vec::new();
    let mut settings = Settings::open(file)?;
    while let Some(entry) = settings.try_next_raw()? {
        entries.push(entry);
    }
    let (dialect, certainty) = match hints.engines.given() {
        Some(dialect) => (dialect, Certainty::Given),
        None => likeliest(&entries, &hints.engines.candidates()),
    };
    let id = dialect.type_id(Kind::Dictionary).map_or(0, |id| id.0);
    let mut dictionary = [u32::from(id).to_le_bytes(), [0; 4]].concat();
    let mut kept = 0_u32;
    let mut dropped = Vec::new();
    for entry in &entries {
        match name_bytes(entry, dialect).zip(value(entry, dialect)) {
            Some((name, value)) => {
                dictionary.extend(name);
                dictionary.extend_from_slice(value);
                kept += 1;
            }
            None => dropped.push(match std::str::from_utf8(entry.key) {
                Ok(name) => name.to_owned(),
                Err(_) => format!("the one at byte {:#x}", entry.key_offset),
            }),
        }
    }
    dictionary[4..8].copy_from_slice(&kept.to_le_bytes());
    let project = Project {
        dialect,
        certainty,
        kept,
        dropped,
        file: file.to_vec(),
    };
    Ok((LayerKind::Project(project), dictionary))
}

impl Project {
    /// Returns the file from which the layer was made.
    #[must_use]
    pub fn file(&self) -> &[u8] {
        &self.file
    }

    /// Returns a file with the settings of a Dictionary. Unchanged settings keep their bytes and places, and
    /// so do settings that are missing from the Dictionary because they could not be read. New settings are
    /// added at the end.
    pub(super) fn wrap(&self, dictionary: &[u8]) -> Result<Vec<u8>, WrapError> {
        let error = WrapError::Project;
        // Each value may have the engine's full depth, and is inside a Dictionary here.
        let options = crate::options(self.dialect).with_limits(Limits::MOST);
        let root = Document::with_options(dictionary, options).root().ok();
        let pairs = root.and_then(|root| root.as_dict());
        let pairs = pairs.ok_or(error(WrapProjectError::NotADictionary))?;
        let mut new: Vec<Option<(String, &[u8])>> = Vec::new();
        let mut places: HashMap<String, VecDeque<usize>> = HashMap::new();
        for (number, pair) in pairs.iter().enumerate() {
            let (key, value) = pair.map_err(|_| error(WrapProjectError::NotADictionary))?;
            // Keeps a byte order mark at the start, which `as_str` would drop as the engine does.
            let name = key.as_text().filter(|_| key.kind() == Kind::String);
            let name = name.and_then(|name| std::str::from_utf8(name.raw()).ok());
            let name = name.ok_or(error(WrapProjectError::KeyIsNoString(number)))?;
            let start = value.offset();
            let value = Document::with_options(&dictionary[start..], options).validate();
            let value = value.map_err(|_| error(WrapProjectError::NotADictionary))?;
            places.entry(name.to_owned()).or_default().push_back(number);
            new.push(Some((name.to_owned(), &dictionary[start..start + value])));
        }
        let mut settings = Settings::open(&self.file)?;
        let mut writer = ProjectWriter::new(Target::from(self.dialect));
        while let Some(entry) = settings.try_next_raw()? {
            let old = value(&entry, self.dialect);
            let was_read = old.is_some() && name_bytes(&entry, self.dialect).is_some();
            if !was_read {
                writer.setting_raw(entry.key, entry.bytes);
                continue;
            }
            let name = std::str::from_utf8(entry.key).unwrap_or_default();
            let place = places.get_mut(name).and_then(VecDeque::pop_front);
            let Some(now) = place.and_then(|number| new[number].take()) else {
                continue;
            };
            match Some(now.1) == old {
                true => writer.setting_raw(entry.key, entry.bytes),
                false => writer.setting_raw(entry.key, now.1),
            }
        }
        let rest = settings.rest();
        for (name, value) in new.into_iter().flatten() {
            writer.setting_bytes(&name, value);
        }
        let mut file = writer.finish();
        file.extend_from_slice(rest);
        Ok(file)
    }
}

/// Returns the dialect that reads most of the values, and how certain it is.
fn likeliest(entries: &[RawEntry<'_>], dialects: &[Dialect]) -> (Dialect, Certainty) {
    let mut detector = Detector::new(dialects);
    for entry in entries {
        detector.add(entry.bytes);
    }
    let found = detector.finish();
    let best = found.readings().first().map(|best| best.dialect);
    let first = best.unwrap_or(Dialect::GODOT_4);
    match found.choice() {
        Choice::Certain(dialect) => (dialect, Certainty::Certain),
        Choice::Same(dialect) => (dialect, Certainty::Same),
        Choice::Likely(dialect) => (dialect, Certainty::Likely),
        // Settings that no dialect reads are missing in the engine, too.
        Choice::Furthest(dialect) if detector.is_decided() => (dialect, Certainty::Certain),
        Choice::Furthest(_) | Choice::Ambiguous | Choice::None => (first, Certainty::Likely),
    }
}

/// Returns the name as a String value, if engines read the name unchanged.
fn name_bytes(entry: &RawEntry<'_>, dialect: Dialect) -> Option<Vec<u8>> {
    let mut writer = Writer::new(Vec::new(), Target::from(dialect));
    writer.string(std::str::from_utf8(entry.key).ok()?).ok()?;
    writer.finish().ok()
}

/// Returns the bytes of the value if it can be read.
fn value<'a>(entry: &RawEntry<'a>, dialect: Dialect) -> Option<&'a [u8]> {
    let len = Document::with_options(entry.bytes, crate::options(dialect)).validate();
    let value = entry.bytes.get(..len.ok()?)?;
    // A packed array may lack its padding at the end of a buffer, but not in a Dictionary.
    (value.len() % 4 == 0).then_some(value)
}
