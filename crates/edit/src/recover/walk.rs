//! The walk into a damaged value, which notes every place at which the bytes do not go on as they did before.
//!
//! A wrong type or length rarely ends the walk where it is: the reader goes on at the wrong byte, and some garbage
//! looks like values. What it does not look like is more of the same: after `"hp"` and `"name"` comes a key that is
//! no text, after nine dictionaries an element that is a number. Such a place is a [`Spot`], as is the error itself.

use std::collections::HashSet;

use gdvar_view::{Document, ErrorKind, Event, Kind, ReadOptions, Role};

use super::{
    at_depth,
    level::{Lead, Level, Members, field_end, is_name, text_at},
};
use crate::ReadError;

/// The number of spots that are kept, apart from the error.
const MOST: usize = 8;

/// No value that is not null begins like this.
const BLANK: [u8; 16] = [0; 16];

/// A place at which damage was noticed. It may lie after the damage itself.
#[derive(Clone, Debug)]
pub(super) struct Spot {
    /// The containers that are open there, from the outermost.
    pub(super) levels: Vec<Level>,
    /// `true` if a key or element was readable, and only unlike those before it; `false` if a value is damaged.
    pub(super) is_odd: bool,
    /// `true` if keys that are text followed in other containers: no byte is missing or added before them.
    is_refuted: bool,
}

/// What the walk found.
pub(super) struct Walked {
    /// The spots in the order of the bytes. The error, if there is one, is the last.
    pub(super) spots: Vec<Spot>,
    pub(super) error: Option<ReadError>,
    /// `true` if no dictionary and no object has a key or name twice.
    pub(super) has_no_repeats: bool,
}

pub(super) struct Walk<'a> {
    bytes: &'a [u8],
    options: ReadOptions,
    levels: Vec<Level>,
    /// The keys of each of them that are text, as far as they were read.
    keys: Vec<HashSet<&'a [u8]>>,
    spots: Vec<Spot>,
    has_no_repeats: bool,
}

impl<'a> Walk<'a> {
    /// Walks to the first error in `bytes`, or to the end of the value.
    pub(super) fn run(bytes: &'a [u8], options: ReadOptions) -> Walked {
        let mut walk = Walk {
            bytes,
            options,
            levels: Vec::new(),
            keys: Vec::new(),
            spots: Vec::new(),
            has_no_repeats: true,
        };
        let error = walk.first_error(0);
        let mut spots = walk.spots;
        spots.retain(|spot| !spot.is_refuted);
        if error.is_some() {
            spots.push(Spot {
                levels: walk.levels,
                is_odd: false,
                is_refuted: false,
            });
        }
        Walked {
            spots,
            error,
            has_no_repeats: walk.has_no_repeats,
        }
    }

    fn open(&mut self, level: Level) {
        self.levels.push(level);
        self.keys.push(HashSet::new());
    }

    fn depth(&self) -> u16 {
        u16::try_from(self.levels.len()).unwrap_or(u16::MAX)
    }

    /// Reads the value at `at`, and the children of containers whose count is too large, one by one.
    fn first_error(&mut self, mut at: usize) -> Option<ReadError> {
        loop {
            if let Err(error) = self.value(at) {
                let value = self.levels.last().map_or(Some(0), |level| level.value_at);
                let options = at_depth(self.options, self.depth());
                let level = value
                    .zip(options.ok())
                    .filter(|_| error.is_truncated())
                    .and_then(|(at, options)| Level::overfull(self.bytes, at, options));
                match level {
                    Some(level) if level.count > 0 && error.offset() == level.count_at => {
                        self.open(level);
                    }
                    _ => return Some(error),
                }
            }
            at = match self.key() {
                Ok(Some(at)) => at,
                Ok(None) => return None,
                Err(error) => return Some(error),
            };
        }
    }

    /// Reads the key of the next child of the innermost container; returns where its value begins, or `None` after
    /// the outermost value.
    fn key(&mut self) -> Result<Option<usize>, ReadError> {
        let depth = self.depth();
        let Some(level) = self.levels.last() else {
            return Ok(None);
        };
        let start = level.start;
        let end = match level.members {
            Members::Elements => {
                self.look(start);
                return Ok(Some(start));
            }
            Members::Pairs => {
                let rest = self.bytes.get(start..).unwrap_or_default();
                let size = super::whole(rest, self.options, depth);
                start + size.map_err(|error| error.at(start))?
            }
            Members::Properties => field_end(self.bytes, start)
                .ok_or_else(|| super::truncated(self.bytes.len().min(start)))?,
        };
        self.look(start);
        if let Some(level) = self.levels.last_mut() {
            level.pass(end);
        }
        Ok(Some(end))
    }

    /// Reads the value at `at` to its end. After an error, the containers around it stay open.
    fn value(&mut self, at: usize) -> Result<(), ReadError> {
        let options = at_depth(self.options, self.depth())?;
        let value = self.bytes.get(at..).unwrap_or_default();
        let mut events = Document::with_options(value, options).events();
        loop {
            let start = at + events.position();
            let event = match events.try_next() {
                Ok(Some(event)) => event,
                Ok(None) => return Ok(()),
                // Strict mode looks last for bytes after the value.
                Err(error) if matches!(error.kind(), ErrorKind::TrailingBytes { .. }) => {
                    return Ok(());
                }
                Err(error) => return Err(error.at(at)),
            };
            let end = at + events.position();
            match event {
                Event::Value(value) => {
                    if matches!(events.role(), Role::Key | Role::Element) {
                        self.look(start);
                    }
                    // No engine writes a NUL inside a text: it is longer than it was.
                    let is_text = matches!(value.kind(), Kind::String | Kind::StringName);
                    if is_text
                        && text_at(self.bytes, start + 4).is_some_and(|text| text.contains(&0))
                    {
                        self.note(false);
                    }
                    self.pass(end);
                }
                Event::Begin(value) => {
                    if matches!(events.role(), Role::Key | Role::Element) {
                        self.look(start);
                    }
                    self.open(Level::of(value, end));
                }
                Event::Property(_) => {
                    self.look(start);
                    self.pass(end);
                }
                Event::End => {
                    self.levels.pop();
                    self.keys.pop();
                    self.pass(end);
                }
            }
        }
    }

    fn pass(&mut self, end: usize) {
        if let Some(level) = self.levels.last_mut() {
            level.pass(end);
        }
    }

    /// Compares the key or element at `at` with the first one of its container.
    fn look(&mut self, at: usize) {
        let bytes = self.bytes;
        let Some((level, keys)) = self.levels.last_mut().zip(self.keys.last_mut()) else {
            return;
        };
        // An engine writes no key twice.
        let has_no_repeats = &mut self.has_no_repeats;
        let mut is_new = |at| {
            let is_new = text_at(bytes, at).is_none_or(|text| keys.insert(text));
            *has_no_repeats &= is_new;
            is_new
        };
        let is_odd = match level.members {
            Members::Properties => !text_at(bytes, at).is_some_and(is_name) || !is_new(at),
            Members::Pairs | Members::Elements => {
                let Some(lead) = Lead::of(bytes, at, self.options) else {
                    return;
                };
                let first = *level.lead.get_or_insert(lead);
                let is_alike = lead == first;
                level.alike += usize::from(is_alike && level.alike == level.done);
                match level.members {
                    Members::Pairs => {
                        let is_text = lead == Lead::Text;
                        let name = || text_at(bytes, at + 4).is_some_and(is_name);
                        let is_odd = !is_alike || lead.is_container(self.options);
                        is_odd || is_text && (!name() || !is_new(at + 4))
                    }
                    // Arrays of everything are common.
                    _ => {
                        let was_alike = level.done >= 2 && level.alike == level.done;
                        let is_null = lead == Lead::Word(0);
                        was_alike && !is_alike || is_null && is_blank(bytes, at)
                    }
                }
            }
        };
        if is_odd {
            self.note(true);
            return;
        }
        let level = &self.levels[self.levels.len() - 1];
        let is_text = match level.members {
            Members::Elements => false,
            Members::Pairs => level.lead == Some(Lead::Text),
            Members::Properties => true,
        };
        if is_text {
            self.refute();
        }
    }

    /// Notes the place where the walk is.
    fn note(&mut self, is_odd: bool) {
        if self.spots.len() < MOST && !self.levels.is_empty() {
            self.spots.push(Spot {
                levels: self.levels.clone(),
                is_odd,
                is_refuted: false,
            });
        }
    }

    /// A key that is text shows that an odd element was no sign of missing or added bytes. A container among
    /// the elements may still have the wrong number of children.
    fn refute(&mut self) {
        let options = self.options;
        let is_container = |lead: Option<Lead>| lead.is_some_and(|lead| lead.is_container(options));
        for spot in &mut self.spots {
            let odd = spot.levels.last();
            spot.is_refuted |= odd.is_some_and(|level| {
                let is_row = level.members == Members::Elements && !is_container(level.lead);
                spot.is_odd && is_row && !is_blank(self.bytes, level.start)
            });
        }
    }
}

/// Returns `true` if sixteen zeros or more begin at `at`.
pub(super) fn is_blank(bytes: &[u8], at: usize) -> bool {
    bytes.get(at..).is_some_and(|rest| rest.starts_with(&BLANK))
}
