//! [`Detector`]: which engine wrote the bytes, as far as the bytes show it.

use gdvar_wire::{Dialect, Kind, TypeId};

use crate::{
    detect::{
        implausible::is_implausible,
        trial::{
            DialectTrial, FIRST_BYTES, first_difference, read_as_same_leaf, reject_misreadings,
        },
    },
    error::Error,
};

mod implausible;
mod trial;

/// The most dialects that a [`Detector`] compares.
const MOST: usize = Dialect::ALL.len();

/// Finds out which engine wrote a file, from its values, record by record ([`docs/FORMAT.md` §1.4]).
///
/// Use this for files of unknown games. A program that knows its game should name the [`Dialect`]: the
/// bytes do not always show which engine wrote them, and then the answer is [`Choice::Ambiguous`].
///
/// Each record is read in each dialect, as its engine would read it. Bytes left after a value are allowed, but
/// count against the dialect. [`Detector::add`] takes the records, and [`Detector::finish`] gives the result so
/// far. The size of the detector does not grow with the records.
///
/// ```
/// use gdvar_view::{Choice, Detector, Dialect};
///
/// // store_var(42) has the same bytes in Godot 4 and 3, store_var([]) has not.
/// let mut detector = Detector::new(&Detector::AUTO);
/// detector.add(&[2, 0, 0, 0, 42, 0, 0, 0]);
/// assert_eq!(detector.finish().choice(), Choice::Same(Dialect::GODOT_4));
/// detector.add(&[28, 0, 0, 0, 0, 0, 0, 0]);
/// assert_eq!(detector.finish().choice(), Choice::Certain(Dialect::GODOT_4));
/// ```
///
/// [`docs/FORMAT.md` §1.4]: https://github.com/gdvar/gdvar/blob/main/docs/FORMAT.md#14-telling-dialects-apart-from-bytes
#[derive(Clone, Debug)]
pub struct Detector {
    /// The dialects in the caller's order. Only the first `len` entries are used.
    readings: [DialectFit; MOST],
    len: usize,
    records: u64,
}

/// How well all records together read in one dialect: an entry of [`Detection::readings`].
///
/// A dialect fits better than another if fewer records fail, then if fewer leave data after the value,
/// then if fewer leave zeros.
#[derive(Clone, Copy, PartialEq, Debug)]
pub struct DialectFit {
    /// The dialect that the bytes were read in.
    pub dialect: Dialect,
    /// The number of records that this dialect cannot read.
    pub failed: u64,
    /// The number of records that are longer than their value in this dialect, with a byte that is
    /// not zero after it.
    pub data_left: u64,
    /// The number of records that are longer than their value in this dialect, with only zeros after
    /// it.
    pub zeros_left: u64,
    /// The number of records whose value is implausible in this dialect: [`Detection`] lists the
    /// reasons. Checked only in the first record, in records that several dialects read, and in
    /// records with bytes left.
    pub odd: u64,
    /// The number of bytes read, of all records.
    pub read: u64,
    /// The first record that this dialect cannot read, counted from 0, and the error.
    pub failure: Option<(u64, Error)>,
    /// The first difference from another dialect that read the record too: the number of the record,
    /// counted from 0, and the offset in it at which the values differ.
    pub difference: Option<(u64, usize)>,
    /// See [`DialectFit::group`].
    group: u8,
}

impl DialectFit {
    const fn new(dialect: Dialect) -> DialectFit {
        DialectFit {
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

    /// The counts that are compared first, in this order. Less is better.
    const fn fit(&self) -> (u64, u64, u64) {
        (self.failed, self.data_left, self.zeros_left)
    }

    /// Returns a number that is equal for dialects that gave equal values for all records.
    #[must_use]
    pub const fn group(&self) -> u8 {
        self.group
    }

    /// Returns `true` if every record was read to its last byte.
    #[must_use]
    pub const fn is_exact(&self) -> bool {
        self.failed == 0 && self.data_left == 0 && self.zeros_left == 0
    }

    /// True for the dialects of Godot 4 and 3.
    const fn is_common(&self) -> bool {
        self.dialect.is_mainstream()
    }

    /// True if data is left and something implausible was read: then the dialect is probably wrong.
    const fn is_misreading(&self) -> bool {
        self.data_left > 0 && self.odd > 0
    }

    /// True if this dialect certainly fits better than `other`.
    fn beats(&self, other: &DialectFit) -> bool {
        let protected = other.is_common() && !self.is_common() && !other.is_misreading();
        if self.failed == 0 && other.failed == 0 && protected {
            return false;
        }
        match self.fit().cmp(&other.fit()) {
            core::cmp::Ordering::Less => {
                // Zeros after a value are common padding. Fewer of them do not outweigh an implausible
                // value.
                let clearly = self.failed < other.failed || self.data_left < other.data_left;
                clearly || self.odd <= other.odd
            }
            core::cmp::Ordering::Greater => false,
            core::cmp::Ordering::Equal if self.odd != other.odd => self.odd < other.odd,
            core::cmp::Ordering::Equal => self.failed > 0 && self.read > other.read,
        }
    }
}

/// The result of a [`Detector`]: how well each dialect fits ([`Detection::readings`]) and which one to
/// use ([`Detection::choice`]).
///
/// A value counts as implausible ([`DialectFit::odd`]) if it has something that encoders do not write
/// or people do not store:
///
/// * bytes that strict mode refuses for every release
///   ([`ReadOptions::any_release`](crate::ReadOptions::any_release)): unused bits that are set, bools
///   other than 0 and 1, padding that is not zero, repeated keys. A value that could be written shorter
///   is not implausible;
/// * floats that are NaN, subnormal or above 1e30 in size;
/// * text with control characters, or text that is not UTF-8;
/// * an object id of zero;
/// * a value without a payload, with data after it.
#[derive(Clone, Copy, Debug)]
pub struct Detection {
    /// The dialects, the best first. Only the first `len` entries are used.
    readings: [DialectFit; MOST],
    len: usize,
    /// The number of records that were read. Records added after the detector
    /// [was sure](Detector::is_decided) are not counted.
    pub records: u64,
}

/// Which dialect to read with: the answer of [`Detection::choice`].
#[derive(Clone, Copy, PartialEq, Eq, Debug)]
pub enum Choice {
    /// This dialect, and no other. Others cannot read all records, or they leave data unread and read
    /// something implausible.
    Certain(Dialect),
    /// This dialect. Another one reads all records too, but leaves more bytes after the values, or
    /// reads more implausible ones.
    Likely(Dialect),
    /// This dialect or any of [`Detection::same`]: all of them give the same values.
    Same(Dialect),
    /// Several dialects are possible, and they give different values: [`Detection::possible`].
    Ambiguous,
    /// No dialect reads all records. This dialect reads more records, or more bytes of them, than the others;
    /// the dialects of [`Detection::same`] read as much.
    Furthest(Dialect),
    /// No dialect reads a single byte.
    None,
}

impl Detector {
    /// Godot 4 and Godot 3: the dialects to try if nothing is known. They are the dialects
    /// for which [`Dialect::is_mainstream`] is `true`.
    pub const AUTO: [Dialect; 2] = [Dialect::GODOT_4, Dialect::GODOT_3];

    /// All engines, for files that a rarer engine may have written. If Godot 4 or 3 reads all records,
    /// a rarer dialect wins only if that common dialect leaves data unread and reads something
    /// implausible.
    ///
    /// [`Dialect::GODOT_4_DOCS`] is not among them, because no engine writes it.
    pub const ANY: [Dialect; 6] = [
        Dialect::GODOT_4,
        Dialect::GODOT_3,
        Dialect::GODOT_2,
        Dialect::PANDEMONIUM_3,
        Dialect::PANDEMONIUM_4,
        Dialect::PANDEMONIUM_5,
    ];

    /// Creates a detector that tries `dialects`. Put the likeliest first: it is preferred if several fit
    /// equally well. Only the first seven are tried.
    #[must_use]
    pub fn new(dialects: &[Dialect]) -> Detector {
        let mut readings = [DialectFit::new(Dialect::GODOT_4); MOST];
        for (reading, &dialect) in readings.iter_mut().zip(dialects) {
            *reading = DialectFit::new(dialect);
        }
        Detector {
            readings,
            len: dialects.len().min(MOST),
            records: 0,
        }
    }

    fn readings(&self) -> &[DialectFit] {
        self.readings.get(..self.len).unwrap_or_default()
    }

    /// Returns `true` if one dialect reads more records than every other dialect, and reads at least one. The
    /// detector is then sure, and does not read further records.
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

    /// Adds the next record: one bare value, and whatever bytes the record has after it.
    ///
    /// This takes a few walks over the bytes for each dialect that can read them. It takes O(1) if the detector
    /// is [sure](Detector::is_decided).
    pub fn add(&mut self, bytes: &[u8]) {
        if !self.is_decided() {
            self.try_record(bytes, None);
        }
    }

    /// Adds a record that is cut off: `bytes` is its start, `declared` the number of bytes that it should
    /// have. If nothing of the record is available, pass no bytes and 0.
    ///
    /// The record counts as failed in every dialect. Its bytes still make a difference: a value that would fill
    /// the record exactly is likelier than another one.
    pub fn add_cut(&mut self, bytes: &[u8], declared: usize) {
        if !self.is_decided() {
            self.try_record(bytes, Some(declared));
        }
    }

    /// Returns the result so far. More records may be added afterwards.
    #[must_use]
    pub fn finish(&self) -> Detection {
        let mut readings = self.readings;
        // At most seven: an insertion sort is stable and allocates nothing.
        let own = readings.get_mut(..self.len).unwrap_or_default();
        let worse = |a: &DialectFit, b: &DialectFit| {
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

    fn try_record(&mut self, bytes: &[u8], declared: Option<usize>) {
        let record = self.records;
        self.records += 1;
        if declared.is_none() && self.is_one_number(bytes) {
            for reading in self.readings.iter_mut().take(self.len) {
                reading.read += bytes.len() as u64;
            }
            return;
        }
        // Most dialects fail within the first bytes. A long value is read to its end only if at least two
        // dialects have not failed by then.
        let mut trials = [None; MOST];
        let mut unfinished = 0;
        for (trial, reading) in trials.iter_mut().zip(self.readings()) {
            let result = DialectTrial::new(bytes, reading.dialect, FIRST_BYTES);
            unfinished += u32::from(result.goes_on);
            *trial = Some(result);
        }
        let ends_exactly = |trial: &Option<DialectTrial>| {
            trial.is_some_and(|trial| trial.end == Ok(bytes.len()) && !trial.goes_on)
        };
        if unfinished > 1 || (unfinished == 1 && trials.iter().any(ends_exactly)) {
            for trial in trials.iter_mut().flatten().filter(|trial| trial.goes_on) {
                *trial = DialectTrial::new(bytes, trial.options.dialect(), usize::MAX);
            }
        }
        self.find_implausible(bytes, &mut trials);
        reject_misreadings(bytes, &mut trials);
        for (reading, trial) in self.readings.iter_mut().zip(trials.iter().flatten()) {
            reading.count(record, bytes, trial, declared);
        }
        self.split_groups(record, bytes, &trials);
    }

    /// True if the record is exactly one Int, Float or Vector2 in all dialects. This is a shortcut, because
    /// many records are one number.
    fn is_one_number(&self, bytes: &[u8]) -> bool {
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

    /// Finds implausible values, if they can change the answer.
    fn find_implausible(&self, bytes: &[u8], trials: &mut [Option<DialectTrial>; MOST]) {
        let readable = || trials.iter().flatten().filter(|trial| trial.end.is_ok());
        let is_contested = readable().count() > 1 && !read_as_same_leaf(bytes, readable());
        let is_first = self.records == 1;
        for trial in trials.iter_mut().flatten() {
            if let Ok(end) = trial.end {
                let leaves = !trial.goes_on && end < bytes.len();
                trial.is_implausible =
                    (is_contested || leaves || is_first) && is_implausible(bytes, end, trial);
            }
        }
    }

    /// Splits the groups of dialects that gave equal values so far, by the values that they give for one more
    /// record.
    ///
    /// ```text
    /// for each dialect n:
    ///     it joins the new group of the first dialect m before it that was in n's old group and
    ///     gives the same value for this record, or fails like n; else it starts a new group
    /// ```
    fn split_groups(&mut self, record: u64, bytes: &[u8], trials: &[Option<DialectTrial>; MOST]) {
        let old = self.readings;
        let mut groups = 0_u8;
        for n in 0..self.len {
            let mut found = None;
            let mut difference = None;
            for m in 0..n {
                let (Some(a), Some(b)) = (trials[m], trials[n]) else {
                    continue;
                };
                match (a.end, b.end) {
                    (Err(_), Err(_)) => {}
                    (Ok(_), Ok(_)) => match first_difference(bytes, a, b) {
                        None => {}
                        Some(offset) => {
                            difference = difference.or(Some((m, offset)));
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
            if let Some((m, offset)) = difference {
                for n in [m, n] {
                    let first = &mut self.readings[n].difference;
                    *first = first.or(Some((record, offset)));
                }
            }
        }
    }
}

impl DialectFit {
    /// Adds the result of one record in one dialect.
    fn count(&mut self, record: u64, bytes: &[u8], trial: &DialectTrial, declared: Option<usize>) {
        // In a cut record, a value that would not fill the record counts at least one byte less than
        // a value that would.
        let less = |read: usize| read.min(bytes.len().saturating_sub(1));
        let failure = match (trial.end, declared) {
            (Err(error), Some(declared)) if trial.would_fill(bytes, declared, error) => {
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
        self.odd += u64::from(trial.is_implausible);
        let end = trial.end.unwrap_or(0);
        let rest = match trial.goes_on {
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
    /// How well each dialect fits, best first.
    #[must_use]
    pub fn readings(&self) -> &[DialectFit] {
        self.readings.get(..self.len).unwrap_or_default()
    }

    /// The dialects that no other dialect clearly beats.
    pub fn possible(&self) -> impl Iterator<Item = &DialectFit> {
        let all = self.readings();
        all.iter()
            .filter(move |one| !all.iter().any(|other| other.beats(one)))
    }

    /// The best dialect, and all dialects that give the same values as the best one.
    pub fn same(&self) -> impl Iterator<Item = Dialect> + '_ {
        let first = self.readings().first().map(|reading| reading.group);
        let own = move |reading: &&DialectFit| Some(reading.group) == first;
        self.readings()
            .iter()
            .filter(own)
            .map(|reading| reading.dialect)
    }

    /// The dialect to read with.
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

/// A dialect that becomes mainstream has to be tried, too.
const _: () = {
    let (mut n, mut mainstream) = (0, 0);
    while n < MOST {
        mainstream += Dialect::ALL[n].is_mainstream() as usize;
        n += 1;
    }
    assert!(
        mainstream == Detector::AUTO.len(),
        "Detector::AUTO lacks a dialect"
    );
};

/// Runs a [`Detector`] on one bare value, for Godot 4 and Godot 3.
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
