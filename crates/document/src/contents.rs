//! The effective entries of a ConfigFile: sections with the same name are merged, and a later entry replaces
//! an earlier one.

use std::collections::HashMap;

use gdvar_text::{BuildError, Builder};
use gdvar_view::{Dialect, Kind};

use crate::section::{Entry, Section};

/// The effective entries, by section, in the engine's order.
pub(crate) struct Contents<'d, 'a> {
    pub(crate) sections: Vec<Merged<'d, 'a>>,
    places: HashMap<&'d str, usize>,
}

/// All sections with one name.
pub(crate) struct Merged<'d, 'a> {
    pub(crate) name: &'d str,
    /// The sections with this name, in the order of the text.
    pub(crate) parts: Vec<&'d Section<'a>>,
    /// The effective entries. An entry that a later `null` removed is `None`.
    entries: Vec<Option<&'d Entry<'a>>>,
    places: HashMap<&'d str, usize>,
    /// The number of the header or entry at which the engine created the section; headers and
    /// entries are numbered through the whole text. If `null` removed all entries, the engine
    /// creates the section again at the next entry.
    made: usize,
}

impl<'d, 'a> Contents<'d, 'a> {
    pub(crate) fn of(sections: &'d [Section<'a>]) -> Contents<'d, 'a> {
        let mut contents = Contents {
            sections: Vec::new(),
            places: HashMap::new(),
        };
        let mut number = 0;
        for section in sections {
            if section.header.is_empty() && section.entries.is_empty() {
                continue;
            }
            let next = contents.sections.len();
            let place = *contents.places.entry(&section.name).or_insert(next);
            if place == next {
                contents.sections.push(Merged {
                    name: &section.name,
                    parts: Vec::new(),
                    entries: Vec::new(),
                    places: HashMap::new(),
                    made: number,
                });
            }
            contents.sections[place].add(section, &mut number);
        }
        contents.sections.sort_by_key(|section| section.made);
        let places = contents.sections.iter().enumerate();
        contents.places = places
            .map(|(place, section)| (section.name, place))
            .collect();
        contents
    }

    pub(crate) fn section(&self, name: &str) -> Option<&Merged<'d, 'a>> {
        Some(&self.sections[*self.places.get(name)?])
    }

    /// Encodes the Dictionary of sections, each a Dictionary of entries.
    pub(crate) fn encode(&self, dialect: Dialect) -> Result<Vec<u8>, BuildError> {
        let mut out = Builder::new(dialect);
        let sections_at = out.begin(|writer| writer.begin_dict(0))?;
        for section in &self.sections {
            out.text(Kind::String, section.name.as_bytes())?;
            let entries_at = out.begin(|writer| writer.begin_dict(0))?;
            let mut count = 0;
            for entry in section.entries() {
                out.text(Kind::String, entry.name.as_bytes())?;
                out.bytes.extend_from_slice(&entry.value);
                count += 1;
            }
            out.set_count(entries_at, count)?;
        }
        out.set_count(sections_at, self.sections.len())?;
        Ok(out.bytes)
    }
}

impl<'d, 'a> Merged<'d, 'a> {
    /// Adds a section. `number` counts the headers and entries before it, and is increased.
    fn add(&mut self, section: &'d Section<'a>, number: &mut usize) {
        self.parts.push(section);
        *number += 1;
        for entry in &section.entries {
            *number += 1;
            if entry.is_null() {
                if let Some(place) = self.places.remove(&*entry.name) {
                    self.entries[place] = None;
                }
                continue;
            }
            // The engine removes an empty section, and creates it again with this entry.
            if self.places.is_empty() {
                self.made = *number;
            }
            let next = self.entries.len();
            match *self.places.entry(&entry.name).or_insert(next) {
                place if place == next => self.entries.push(Some(entry)),
                place => self.entries[place] = Some(entry),
            }
        }
    }

    /// Iterates over the effective entries.
    pub(crate) fn entries(&self) -> impl Iterator<Item = &'d Entry<'a>> {
        self.entries.iter().copied().flatten()
    }

    pub(crate) fn entry(&self, name: &str) -> Option<&'d Entry<'a>> {
        self.entries[*self.places.get(name)?]
    }
}
