//! Walks into a damaged value, and records every place where the bytes stop resembling what came before.
//!
//! A wrong type or length rarely stops the walk at once: the reader continues at the wrong byte,
//! and some garbage reads as values. But garbage does not resemble what came before: after `"hp"`
//! and `"name"` comes a key that is not text, or after nine dictionaries a number. These places are
//! the [`Spot`]s. The error that ends the walk is a spot, too. Dictionaries are also compared with
//! others of their *sort*, which begin with the same key (`alike.rs`).

use std::collections::HashSet;

use gdvar_view::{
    Document, Error as ReadError, ErrorKind, Event, HeaderWord, Kind, ReadOptions, Role,
};

use super::{
    alike::{Alike, Likeness},
    level::{Lead, Level, Members, field_end, is_name, text_at},
    validity::{at_depth, truncated, whole},
};
use crate::plan::word;

/// How many spots are kept, not counting the error.
const MOST: usize = 8;

/// The most strangers that a walk records (see [`Stranger`]). At this number it stops comparing: with that many
/// differences, dictionaries that begin with the same key are not alike.
const STRANGERS: usize = 1024;

/// How many leaves are kept, and the size in bytes of the smallest: header, length and one word.
const LEAVES: usize = 8;
const LEAF: usize = 12;

/// Sixteen zeros. Among values, only nulls begin like this.
const BLANK: [u8; 16] = [0; 16];

/// A place at which damage was noticed. The damage itself may lie before it.
#[derive(Clone, Debug)]
pub(super) struct Spot {
    /// The containers that are open there, the outermost first.
    pub(super) levels: Vec<Level>,
    /// `true` if a key or element is readable but unlike those before it. `false` if a value is damaged.
    pub(super) is_odd: bool,
    /// `true` if no other container of the sort has a child like this one.
    is_strange: bool,
    /// `true` if text keys followed in other containers. Then no bytes were removed or added before them.
    is_refuted: bool,
}

/// What a walk over damaged bytes found: the suspicious spots, and the error that ended it.
pub(super) struct Walked {
    /// The spots by offset. If there is an error, it is the last.
    pub(super) spots: Vec<Spot>,
    pub(super) error: Option<ReadError>,
    /// `true` if there were any spots, including refuted ones.
    pub(super) was_odd: bool,
    /// `true` if no dictionary or object has a key or name twice.
    pub(super) has_no_repeats: bool,
    /// The children that no other container of the sort has.
    strangers: Vec<Stranger>,
    /// The last leaves that are large enough for damage inside them: start and end of each.
    pub(super) leaves: Vec<(usize, usize)>,
}

/// A child that no other container of the sort has. Or a child that is unlike the children before it, if they are all
/// dictionaries with the same first key.
struct Stranger {
    /// The offset of its container's count.
    count_at: usize,
    start: usize,
    /// The offset of the value that makes it a stranger.
    value_at: usize,
}

impl Spot {
    /// Marks the spot as readable but odd.
    pub(super) fn into_odd(self) -> Spot {
        Spot {
            is_odd: true,
            ..self
        }
    }
}

impl Walked {
    /// Returns `true` if any child is a stranger.
    pub(super) fn has_strangers(&self) -> bool {
        !self.strangers.is_empty()
    }

    /// Returns the offset of the value of the first stranger.
    pub(super) fn first_stranger(&self) -> Option<usize> {
        self.strangers.first().map(|stranger| stranger.value_at)
    }

    /// Returns `true` if the current child of one of these containers is a stranger.
    pub(super) fn is_strange_at(&self, levels: &[Level]) -> bool {
        let is_at = |stranger: &Stranger| {
            let mut levels = levels.iter();
            levels.any(|level| (level.count_at, level.start) == (stranger.count_at, stranger.start))
        };
        self.strangers.iter().any(is_at)
    }

    /// Returns `true` if a container that is open at `seam` has a stranger after it.
    pub(super) fn is_strange_after(&self, seam: usize) -> bool {
        let mut strangers = self.strangers.iter();
        strangers.any(|stranger| stranger.count_at < seam && stranger.start >= seam)
    }
}

/// The keys of an open container, and its comparison with others of its sort.
#[derive(Default)]
struct Keys<'a> {
    /// The text keys that were read.
    known: HashSet<&'a [u8]>,
    /// The first and the last text key.
    first: Option<&'a [u8]>,
    last: Option<&'a [u8]>,
    /// How many of its entries all containers of the sort have.
    common: usize,
    /// The first entry that no other container of the sort has.
    stranger: Option<Spot>,
    /// The first key of the dictionaries in this container. `alike` leading children begin with it.
    inner: Option<&'a [u8]>,
    alike: usize,
}

pub(super) struct Walk<'a> {
    bytes: &'a [u8],
    options: ReadOptions,
    alike: &'a Alike<'a>,
    levels: Vec<Level>,
    /// One element for each of `levels`.
    keys: Vec<Keys<'a>>,
    spots: Vec<Spot>,
    has_no_repeats: bool,
    strangers: Vec<Stranger>,
    leaves: Vec<(usize, usize)>,
    /// The offset of the value before which the walk ends.
    stop: usize,
    /// The original bytes, and the offset at which some were left out.
    damaged: Option<(&'a [u8], usize)>,
}

impl<'a> Walk<'a> {
    /// Walks to the first error in `bytes`, or to the end of the value.
    pub(super) fn run(bytes: &'a [u8], options: ReadOptions, alike: &'a Alike<'_>) -> Walked {
        Walk::until(bytes, options, alike, usize::MAX)
    }

    /// Walks `bytes`, a copy of `damaged` in which some bytes at the offset `seam` are left out. A
    /// dictionary that lost its first key there is still compared with its old sort.
    pub(super) fn again(
        bytes: &'a [u8],
        damaged: &'a [u8],
        options: ReadOptions,
        alike: &'a Alike<'_>,
        seam: usize,
    ) -> Walked {
        let mut walk = Walk::new(bytes, options, alike);
        walk.damaged = Some((damaged, seam));
        walk.finish()
    }

    /// Walks to the value that begins at `stop`, and reports an error there.
    pub(super) fn until(
        bytes: &'a [u8],
        options: ReadOptions,
        alike: &'a Alike<'_>,
        stop: usize,
    ) -> Walked {
        let mut walk = Walk::new(bytes, options, alike);
        walk.stop = stop;
        walk.finish()
    }

    fn new(bytes: &'a [u8], options: ReadOptions, alike: &'a Alike<'_>) -> Walk<'a> {
        Walk {
            bytes,
            options,
            alike,
            levels: Vec::new(),
            keys: Vec::new(),
            spots: Vec::new(),
            has_no_repeats: true,
            strangers: Vec::new(),
            leaves: Vec::new(),
            stop: usize::MAX,
            damaged: None,
        }
    }

    fn finish(mut self) -> Walked {
        let error = self.first_error(0);
        let walk = self;
        let mut spots = walk.spots;
        spots.extend(walk.keys.into_iter().filter_map(|keys| keys.stranger));
        let was_odd = !spots.is_empty();
        spots.retain(|spot| !spot.is_refuted);
        spots.sort_by_key(|spot| spot.levels.last().map_or(0, |level| level.start));
        if error.is_some() {
            spots.push(Spot {
                levels: walk.levels,
                is_odd: false,
                is_strange: false,
                is_refuted: false,
            });
        }
        Walked {
            spots,
            error,
            was_odd,
            has_no_repeats: walk.has_no_repeats,
            strangers: walk.strangers,
            leaves: walk.leaves,
        }
    }

    fn open(&mut self, level: Level) {
        let mut keys = Keys::default();
        if let Some((damaged, seam)) = self.damaged {
            let first = level.count_at + 4;
            let is_text = Lead::of(damaged, first, self.options) == Some(Lead::Text);
            if first == seam && is_text {
                keys.first = text_at(damaged, first + 4).filter(|text| is_name(text));
            }
        }
        self.levels.push(level);
        self.keys.push(keys);
    }

    /// Closes the innermost container. If a dictionary lacks entries of its sort and has an entry
    /// that no other has, it was joined from two dictionaries. Its stranger then becomes a spot.
    fn close(&mut self) {
        let closed = self.levels.pop().zip(self.keys.pop());
        let Some((
            _,
            Keys {
                first: Some(first),
                common,
                stranger,
                ..
            },
        )) = closed
        else {
            return;
        };
        if common < self.alike.common(first) && self.spots.len() < MOST {
            self.spots.extend(stranger);
        }
    }

    fn depth(&self) -> u16 {
        u16::try_from(self.levels.len()).unwrap_or(u16::MAX)
    }

    /// Reads the value at `at` and everything after it, and returns the first error. A container whose count
    /// is too large is read child by child.
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

    /// Reads the key of the next child of the innermost container. Returns the offset of the child's value,
    /// or `None` after the outermost value.
    fn key(&mut self) -> Result<Option<usize>, ReadError> {
        let depth = self.depth();
        let Some(level) = self.levels.last() else {
            return Ok(None);
        };
        let start = level.start;
        let end = match level.members {
            Members::Elements => {
                self.compare(start, Role::Element);
                self.look(start);
                return Ok(Some(start));
            }
            Members::Pairs => {
                let rest = self.bytes.get(start..).unwrap_or_default();
                let size = whole(rest, self.options, depth);
                start + size.map_err(|error| error.at(start))?
            }
            Members::Properties => field_end(self.bytes, start)
                .ok_or_else(|| truncated(self.bytes.len().min(start)))?,
        };
        if level.members == Members::Pairs {
            self.compare(start, Role::Key);
        }
        self.look(start);
        if let Some(level) = self.levels.last_mut() {
            level.pass(end);
        }
        Ok(Some(end))
    }

    /// Reads the value at `at` to its end. On an error, the containers around the place stay open.
    fn value(&mut self, at: usize) -> Result<(), ReadError> {
        let options = at_depth(self.options, self.depth())?;
        let value = self.bytes.get(at..).unwrap_or_default();
        let mut events = Document::with_options(value, options).events();
        loop {
            let start = at + events.position();
            if start == self.stop {
                return Err(truncated(start));
            }
            let event = match events.try_next() {
                Ok(Some(event)) => event,
                Ok(None) => return Ok(()),
                // Strict mode checks for bytes after the value last.
                Err(error) if matches!(error.kind(), ErrorKind::TrailingBytes { .. }) => {
                    return Ok(());
                }
                Err(error) => return Err(error.at(at)),
            };
            let end = at + events.position();
            let role = match (events.role(), self.levels.last()) {
                (Role::Root, Some(level)) if level.members == Members::Pairs => Role::Value,
                (role, _) => role,
            };
            let is_value = matches!(event, Event::Value(_) | Event::Begin(_));
            let header = HeaderWord(word(self.bytes, start));
            if is_value && !self.options.dialect().is_canonical_header(header) {
                // No engine writes this header. The bytes are noise or belong to another value.
                self.note(false);
            }
            match event {
                Event::Value(value) => {
                    self.compare(start, role);
                    if matches!(events.role(), Role::Key | Role::Element) {
                        self.look(start);
                    }
                    // No engine writes a NUL inside a text, so the length of this text is too large.
                    let is_text = matches!(value.kind(), Kind::String | Kind::StringName);
                    if is_text
                        && text_at(self.bytes, start + 4).is_some_and(|text| text.contains(&0))
                    {
                        self.note(false);
                    }
                    if end - start >= LEAF && role != Role::Key {
                        self.leaf(start, end);
                    }
                    self.pass(end);
                }
                Event::Begin(value) => {
                    self.compare(start, role);
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
                    self.close();
                    self.pass(end);
                }
            }
        }
    }

    fn leaf(&mut self, start: usize, end: usize) {
        if self.leaves.len() == LEAVES {
            self.leaves.remove(0);
        }
        self.leaves.push((start, end));
    }

    fn pass(&mut self, end: usize) {
        if let Some(level) = self.levels.last_mut() {
            level.pass(end);
        }
    }

    /// Compares the key, value or element at `at` with those in other containers of the sort.
    fn compare(&mut self, at: usize, role: Role) {
        if self.strangers.len() >= STRANGERS {
            return;
        }
        let Some(lead) = Lead::of(self.bytes, at, self.options) else {
            return;
        };
        let depth = self.levels.len();
        match role {
            Role::Key => self.compare_key(at, lead),
            Role::Value => {
                let keys = &self.keys[depth - 1];
                let entry = keys.first.zip(keys.last);
                let likeness = entry.map_or(Likeness::default(), |(first, key)| {
                    self.alike.entry(first, key, lead)
                });
                // A null is not odd, even if all others have a value.
                let is_odd = likeness.is_strange && lead != Lead::NULL;
                self.keys[depth - 1].common += usize::from(likeness.is_common && !is_odd);
                if likeness.is_strange {
                    self.stranger(depth - 1, at);
                }
                if is_odd && self.keys[depth - 1].stranger.is_none() {
                    self.keys[depth - 1].stranger = Some(self.strange_spot());
                }
                let level = &self.levels[depth - 1];
                let is_one_sort = level.done >= 2 && self.keys[depth - 1].alike == level.done;
                let is_dictionary = lead.is_dictionary(self.options);
                if is_one_sort && !is_dictionary {
                    self.stranger(depth - 1, at);
                }
            }
            Role::Element => {
                let around = depth.checked_sub(2).map(|outer| &self.keys[outer]);
                let under = around.and_then(|keys| keys.first.zip(keys.last));
                if under.is_some_and(|(first, key)| self.alike.is_strange_element(first, key, lead))
                {
                    self.stranger(depth - 1, at);
                    if self.spots.len() < MOST {
                        self.spots.push(self.strange_spot());
                    }
                }
            }
            Role::Root | Role::Property => {}
        }
    }

    /// Records the key at `at`. If it is the first key, compares its dictionary with those next to it.
    fn compare_key(&mut self, at: usize, lead: Lead) {
        let depth = self.levels.len();
        let text = text_at(self.bytes, at + 4).filter(|_| lead == Lead::Text);
        let is_first = self.levels[depth - 1].done == 0;
        let keys = &mut self.keys[depth - 1];
        keys.last = text;
        keys.first = keys.first.or(text);
        let Some(outer) = depth.checked_sub(2).filter(|_| is_first) else {
            return;
        };
        let done = self.levels[outer].done;
        let around = &mut self.keys[outer];
        if done == 0 {
            around.inner = text;
        }
        if text.is_some() && around.inner == text {
            around.alike += usize::from(around.alike == done);
        } else if around.alike == done && done >= 2 {
            let value_at = self.levels[outer].value_at.unwrap_or(at);
            self.stranger(outer, value_at);
        }
    }

    /// Records the current child of container `number` as a stranger.
    fn stranger(&mut self, number: usize, value_at: usize) {
        let level = &self.levels[number];
        self.strangers.push(Stranger {
            count_at: level.count_at,
            start: level.start,
            value_at,
        });
    }

    /// Compares the key or element at `at` with the first one of the same container.
    fn look(&mut self, at: usize) {
        let bytes = self.bytes;
        let Some((level, keys)) = self.levels.last_mut().zip(self.keys.last_mut()) else {
            return;
        };
        // An engine never writes a key twice.
        let has_no_repeats = &mut self.has_no_repeats;
        let mut is_new = |at| {
            let is_new = text_at(bytes, at).is_none_or(|text| keys.known.insert(text));
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
                        let is_odd =
                            !is_alike || lead == Lead::NULL || lead.is_container(self.options);
                        is_odd || is_text && (!name() || !is_new(at + 4))
                    }
                    // An odd element is a spot only after several like elements, because mixed arrays are
                    // common.
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

    /// Records the current place as a spot, unless there are enough.
    fn note(&mut self, is_odd: bool) {
        if self.spots.len() < MOST && !self.levels.is_empty() {
            self.spots.push(self.spot(is_odd));
        }
    }

    fn spot(&self, is_odd: bool) -> Spot {
        Spot {
            levels: self.levels.clone(),
            is_odd,
            is_strange: false,
            is_refuted: false,
        }
    }

    fn strange_spot(&self) -> Spot {
        Spot {
            is_strange: true,
            ..self.spot(true)
        }
    }

    /// Refutes earlier spots in arrays of leaves: if a text key follows, no bytes were removed or added
    /// before it. Nulls are not refuted, because zeros read as null. Arrays of containers are not refuted,
    /// because one of the containers may have the wrong number of children.
    fn refute(&mut self) {
        let options = self.options;
        let is_container = |lead: Option<Lead>| lead.is_some_and(|lead| lead.is_container(options));
        for spot in &mut self.spots {
            let odd = spot.levels.last();
            spot.is_refuted |= odd.is_some_and(|level| {
                let is_row = level.members == Members::Elements && !is_container(level.lead);
                let is_null = Lead::of(self.bytes, level.start, options) == Some(Lead::NULL);
                spot.is_odd && !spot.is_strange && is_row && !is_null
            });
        }
    }
}

/// Returns `true` if at least sixteen zeros begin at `at`.
pub(super) fn is_blank(bytes: &[u8], at: usize) -> bool {
    bytes.get(at..).is_some_and(|rest| rest.starts_with(&BLANK))
}
