//! Which engine's bytes they are, as far as the bytes tell.

use gdvar_wire::{Dialect, Kind, TypeId};

use crate::{
    detect::{
        look::{FIRST_LOOK, Look, all_plain, first_difference, forget_misreadings},
        odd::is_odd,
    },
    error::Error,
};

mod look;
mod odd;

/// The most dialects that a [`Detector`] compares.
const MOST: usize = Dialect::ALL.len();

/// Finds out which engine wrote the values of a file, record by record (`docs/FORMAT.md` §1.4). Use this when files
/// come from players and their games are not known; a program that knows its game names the [`Dialect`].
///
/// Each value is read as its engine would read it: bytes behind the value are allowed, and count
/// against the reading. A value is read no further than the readings differ. State is bounded; nothing is
/// allocated.
///
/// ```
/// use gdvar_view::{Choice, Detector, Dialect};
///
/// // store_var(42), store_var([]): the first looks the same in Godot 4 and 3, the second does not.
/// let mut detector = Detector::new(&Detector::AUTO);
/// detector.add(&[2, 0, 0, 0, 42, 0, 0, 0]);
/// assert_eq!(detector.finish().choice(), Choice::Same(Dialect::GODOT_4));
/// detector.add(&[28, 0, 0, 0, 0, 0, 0, 0]);
/// assert_eq!(detector.finish().choice(), Choice::Certain(Dialect::GODOT_4));
/// ```
#[derive(Clone, Debug)]
pub struct Detector {
    readings: [Reading; MOST],
    len: usize,
    records: u64,
}

/// How all records together read in one dialect. A reading is better than another if fewer records
/// fail, then if fewer leave data behind the value, then if fewer leave zeros.
#[derive(Clone, Copy, PartialEq, Debug)]
pub struct Reading {
    /// The dialect.
    pub dialect: Dialect,
    /// Records that it cannot read.
    pub failed: u64,
    /// Records that it reads with bytes left behind the value, not all of them zero.
    pub data_left: u64,
    /// Records that it reads with nothing but zeros left behind the value.
    pub zeros_left: u64,
    /// Records in which something speaks against the reading ([`Detection`] says which things). They
    /// are only looked for in the first record, where two readings compete, or where bytes are left.
    pub odd: u64,
    /// Bytes read of all records.
    pub read: u64,
    /// The first record that it cannot read, counted from 0, and why.
    pub failure: Option<(u64, Error)>,
    /// The first place at which it gave another value than another dialect that read the record too: the record,
    /// and the offset in it.
    pub difference: Option<(u64, usize)>,
    group: u8,
}

impl Reading {
    const fn new(dialect: Dialect) -> Reading {
        Reading {
            dialect,
            failed: 0,
            data_left: 0,
            zeros_left: 0,
            odd: 0,
            read: 0,
            failure: None,
            difference: None,
            group: 0,
        }
    }

    const fn fit(&self) -> (u64, u64, u64) {
        (self.failed, self.data_left, self.zeros_left)
    }

    /// A number that readings share if they gave equal values in all records.
    #[must_use]
    pub const fn group(&self) -> u8 {
        self.group
    }

    /// True if all records were read, each to its last byte.
    #[must_use]
    pub const fn is_exact(&self) -> bool {
        self.failed == 0 && self.data_left == 0 && self.zeros_left == 0
    }

    /// True if it is an engine that many people have.
    const fn is_common(&self) -> bool {
        self.dialect.is_mainstream()
    }

    /// True if data is left, and something speaks against what was read.
    const fn is_misreading(&self) -> bool {
        self.data_left > 0 && self.odd > 0
    }

    /// True if this reading is certainly better than another.
    fn beats(&self, other: &Reading) -> bool {
        let protected = other.is_common() && !self.is_common() && !other.is_misreading();
        if self.failed == 0 && other.failed == 0 && protected {
            return false;
        }
        match self.fit().cmp(&other.fit()) {
            core::cmp::Ordering::Less => {
                // Zeros behind a value are common padding, so they alone do not outweigh odd things.
                let clearly = self.failed < other.failed || self.data_left < other.data_left;
                clearly || self.odd <= other.odd
            }
            core::cmp::Ordering::Greater => false,
            core::cmp::Ordering::Equal if self.odd != other.odd => self.odd < other.odd,
            core::cmp::Ordering::Equal => self.failed > 0 && self.read > other.read,
        }
    }
}

/// The result of a [`Detector`].
///
/// Five things speak against a reading, because encoders do not write them or people do not store
/// them:
///
/// * bytes that strict mode refuses, whatever the release ([`ReadOptions::any_release`](crate::ReadOptions::any_release)), but for
///   values that could be written shorter: bits that mean nothing, bools that are neither 0 nor 1, padding
///   that is not zero, keys that come twice;
/// * floats that are NaN, subnormal or above 1e30 in size;
/// * text with control characters, or that is not UTF-8;
/// * ids of objects that are zero;
/// * a value without any payload in front of data.
#[derive(Clone, Copy, Debug)]
pub struct Detection {
    /// The best first.
    readings: [Reading; MOST],
    len: usize,
    /// The number of records that were looked at.
    pub records: u64,
}

/// Which dialect to read with.
#[derive(Clone, Copy, PartialEq, Eq, Debug)]
pub enum Choice {
    /// No other dialect reads all records, but by leaving data of them unread in a reading that something
    /// speaks against.
    Certain(Dialect),
    /// Another dialect reads them too, but not as well: it leaves more bytes behind the values, or
    /// more speaks against it.
    Likely(Dialect),
    /// Other dialects read all records as the same values: [`Detection::same`].
    Same(Dialect),
    /// Two dialects read different values, and both are possible: [`Detection::possible`].
    Ambiguous,
    /// No dialect reads all records; this one reads more of them, or more of their bytes, than others, or
    /// as much as those of [`Detection::same`].
    Furthest(Dialect),
    /// No dialect reads any value.
    None,
}

impl Detector {
    /// The engines to try where nothing is known: Godot 4 and Godot 3.
    pub const AUTO: [Dialect; 2] = [Dialect::GODOT_4, Dialect::GODOT_3];

    /// All engines, for those who keep files of the rarer ones too. A reading by Godot 4 or 3 is not
    /// given up for one by another, unless it leaves data and something speaks against it. The document that no engine follows
    /// ([`Dialect::GODOT_4_DOCS`]) is not among them.
    pub const ANY: [Dialect; 6] = [
        Dialect::GODOT_4,
        Dialect::GODOT_3,
        Dialect::GODOT_2,
        Dialect::PANDEMONIUM_3,
        Dialect::PANDEMONIUM_4,
        Dialect::PANDEMONIUM_5,
    ];

    /// Tries those dialects, the likeliest first; more than seven are not looked at.
    #[must_use]
    pub fn new(dialects: &[Dialect]) -> Detector {
        let mut readings = [Reading::new(Dialect::GODOT_4); MOST];
        for (reading, &dialect) in readings.iter_mut().zip(dialects) {
            *reading = Reading::new(dialect);
        }
        Detector {
            readings,
            len: dialects.len().min(MOST),
            records: 0,
        }
    }

    fn readings(&self) -> &[Reading] {
        self.readings.get(..self.len).unwrap_or_default()
    }

    /// True if one dialect read a record that no other dialect can read: more records will not
    /// change the choice, and are not looked at.
    #[must_use]
    pub fn is_decided(&self) -> bool {
        let least = self.readings().iter().map(|reading| reading.failed).min();
        let mut best = self
            .readings()
            .iter()
            .filter(|one| Some(one.failed) == least);
        let is_one = best.next().is_some() && best.next().is_none();
        is_one && least < Some(self.records)
    }

    /// Adds the next record: one bare value, with what stands behind it. Costs O(1) as soon as the
    /// choice is [decided](Detector::is_decided), else at most one
    /// [`Document::validate`](crate::Document::validate) for each dialect.
    pub fn add(&mut self, bytes: &[u8]) {
        if !self.is_decided() {
            self.look(bytes, None);
        }
    }

    /// Adds a record of which the file holds only the start, and how many bytes there should be; none and
    /// 0 for a record whose bytes are not to be had. No engine reads it, but what is there of it still
    /// tells the dialects apart: a value that would fill the record is likelier than one that would not.
    pub fn add_cut(&mut self, bytes: &[u8], declared: usize) {
        if !self.is_decided() {
            self.look(bytes, Some(declared));
        }
    }

    /// The result so far.
    #[must_use]
    pub fn finish(&self) -> Detection {
        let mut readings = self.readings;
        let own = readings.get_mut(..self.len).unwrap_or_default();
        // Insertion sort: stable, and without allocation.
        let worse = |a: &Reading, b: &Reading| {
            (a.fit(), a.odd, core::cmp::Reverse(a.read))
                > (b.fit(), b.odd, core::cmp::Reverse(b.read))
        };
        for end in 1..own.len() {
            let mut at = end;
            while at > 0 && worse(&own[at - 1], &own[at]) {
                own.swap(at - 1, at);
                at -= 1;
            }
        }
        Detection {
            readings,
            len: self.len,
            records: self.records,
        }
    }

    fn look(&mut self, bytes: &[u8], declared: Option<usize>) {
        let record = self.records;
        self.records += 1;
        if declared.is_none() && self.all_fixed(bytes) {
            for reading in self.readings.iter_mut().take(self.len) {
                reading.read += bytes.len() as u64;
            }
            return;
        }
        let mut looks = [None; MOST];
        let mut open = 0;
        for (look, reading) in looks.iter_mut().zip(self.readings()) {
            let found = Look::at(bytes, reading.dialect, FIRST_LOOK);
            open += u32::from(found.goes_on);
            *look = Some(found);
        }
        let ends_exactly = |look: &Option<Look>| {
            look.is_some_and(|look| look.end == Ok(bytes.len()) && !look.goes_on)
        };
        if open > 1 || (open == 1 && looks.iter().any(ends_exactly)) {
            for look in looks.iter_mut().flatten().filter(|look| look.goes_on) {
                *look = Look::at(bytes, look.options.dialect(), usize::MAX);
            }
        }
        self.find_odd(bytes, &mut looks);
        forget_misreadings(bytes, &mut looks);
        for (reading, look) in self.readings.iter_mut().zip(looks.iter().flatten()) {
            reading.count(record, bytes, look, declared);
        }
        self.split(record, bytes, &looks);
    }

    /// True if all dialects read one number of a fixed size there, and nothing is left.
    fn all_fixed(&self, bytes: &[u8]) -> bool {
        let Some(&[id, 0, wide @ (0 | 1), 0]) = bytes.first_chunk() else {
            return false;
        };
        let is_number = |kind| matches!(kind, Kind::Int | Kind::Float | Kind::Vector2);
        self.readings().iter().all(|reading| {
            let kind = reading.dialect.kind(TypeId(id));
            let payload = reading.dialect.fixed_payload(TypeId(id), wide == 1);
            kind.is_some_and(is_number) && payload == Some(bytes.len() - 4)
        })
    }

    /// Looks for what speaks against readings, where that can matter.
    fn find_odd(&self, bytes: &[u8], looks: &mut [Option<Look>; MOST]) {
        let readable = || looks.iter().flatten().filter(|look| look.end.is_ok());
        let is_contested = readable().count() > 1 && !all_plain(bytes, readable());
        let is_first = self.records == 1;
        for look in looks.iter_mut().flatten() {
            if let Ok(end) = look.end {
                let leaves = !look.goes_on && end < bytes.len();
                look.odd = (is_contested || leaves || is_first) && is_odd(bytes, end, look);
            }
        }
    }

    /// Splits the groups of dialects that gave equal values so far.
    fn split(&mut self, record: u64, bytes: &[u8], looks: &[Option<Look>; MOST]) {
        let old = self.readings;
        let mut groups = 0_u8;
        for n in 0..self.len {
            let mut found = None;
            let mut difference = None;
            for m in 0..n {
                let (Some(a), Some(b)) = (looks[m], looks[n]) else {
                    continue;
                };
                match (a.end, b.end) {
                    (Err(_), Err(_)) => {}
                    (Ok(_), Ok(_)) => match first_difference(bytes, a, b) {
                        None => {}
                        Some(place) => {
                            difference = difference.or(Some((m, place)));
                            continue;
                        }
                    },
                    _ => continue,
                }
                if old[m].group == old[n].group {
                    found = Some(self.readings[m].group);
                    break;
                }
            }
            self.readings[n].group = found.unwrap_or(groups);
            groups += u8::from(found.is_none());
            if let Some((m, place)) = difference {
                for n in [m, n] {
                    let known = &mut self.readings[n].difference;
                    *known = known.or(Some((record, place)));
                }
            }
        }
    }
}

impl Reading {
    fn count(&mut self, record: u64, bytes: &[u8], look: &Look, declared: Option<usize>) {
        // A value that is whole in a record that is not, or would be longer than the record, has less of it than
        // what would fill it.
        let less = |read: usize| read.min(bytes.len().saturating_sub(1));
        let failure = match (look.end, declared) {
            (Err(error), Some(declared)) if look.would_fill(bytes, declared, error) => {
                Some((error, bytes.len()))
            }
            (Err(error), Some(_)) => Some((error, less(error.offset()))),
            (Err(error), None) => Some((error, error.offset().min(bytes.len()))),
            (Ok(end), Some(_)) => Some((Error::truncated(bytes.len(), 1), less(end))),
            (Ok(_), None) => None,
        };
        if let Some((error, read)) = failure {
            self.failed += 1;
            self.failure = self.failure.or(Some((record, error)));
            self.read += read as u64;
            return;
        }
        self.odd += u64::from(look.odd);
        let end = look.end.unwrap_or(0);
        let rest = match look.goes_on {
            true => &[],
            false => bytes.get(end..).unwrap_or_default(),
        };
        self.read += (bytes.len() - rest.len()) as u64;
        if !rest.is_empty() {
            let zeros = rest.iter().all(|&byte| byte == 0);
            *(if zeros {
                &mut self.zeros_left
            } else {
                &mut self.data_left
            }) += 1;
        }
    }
}

impl Detection {
    /// All readings, the best first.
    #[must_use]
    pub fn readings(&self) -> &[Reading] {
        self.readings.get(..self.len).unwrap_or_default()
    }

    /// The readings that no other beats, if they read all records; a record that none can read
    /// is nobody's fault.
    pub fn possible(&self) -> impl Iterator<Item = &Reading> {
        let all = self.readings();
        all.iter()
            .filter(move |one| !all.iter().any(|other| other.beats(one)))
    }

    /// The dialects that give the same values as the choice, itself included.
    pub fn same(&self) -> impl Iterator<Item = Dialect> + '_ {
        let first = self.readings().first().map(|reading| reading.group);
        let own = move |reading: &&Reading| Some(reading.group) == first;
        self.readings()
            .iter()
            .filter(own)
            .map(|reading| reading.dialect)
    }

    /// Which dialect to read with.
    #[must_use]
    pub fn choice(&self) -> Choice {
        let Some(best) = self.readings().first() else {
            return Choice::None;
        };
        let (dialect, group) = (best.dialect, best.group);
        let others = || self.readings().iter().skip(1);
        if best.failed == self.records && best.read == 0 {
            return Choice::None;
        }
        if others().any(|other| other.group != group && !best.beats(other)) {
            return Choice::Ambiguous;
        }
        if best.failed > 0 {
            return Choice::Furthest(dialect);
        }
        if others().any(|other| other.group == group) {
            return Choice::Same(dialect);
        }
        if others().any(|other| other.failed == 0 && !other.is_misreading()) {
            return Choice::Likely(dialect);
        }
        Choice::Certain(dialect)
    }
}

/// [`Detector`] on one bare value, for Godot 4 and Godot 3.
///
/// ```
/// use gdvar_view::{Choice, Dialect, detect};
///
/// // An empty Array of Godot 4: type 28, no type of Godot 3.
/// assert_eq!(detect(&[28, 0, 0, 0, 0, 0, 0, 0]).choice(), Choice::Certain(Dialect::GODOT_4));
/// ```
#[must_use]
pub fn detect(bytes: &[u8]) -> Detection {
    let mut detector = Detector::new(&Detector::AUTO);
    detector.add(bytes);
    detector.finish()
}
