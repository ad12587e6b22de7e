//! What was rescued, held against the truth: every value that is kept has to be a value of the whole file, in the
//! container and under the key that it had there.
//!
//! A value is *invented* if the whole file has none at its place, or one in another container, or one with other
//! bytes although none of its own bytes are damaged. A value with damaged bytes of its own is *changed*: no reader can
//! know what it was.

use std::collections::{HashMap, HashSet};

use gdvar::{
    Document, Event, PrefixOrder, ReadOptions, Role,
    edit::{Plan, Segment, recover, recover_records},
};

use crate::damage::Damaged;

/// A value of the whole file.
#[derive(Clone, Copy, PartialEq, Eq, Debug)]
struct Known {
    /// The place where its container begins.
    around: Option<usize>,
    is_key: bool,
    /// The place of its key, if it has one, and the key's end.
    key: Option<(usize, usize)>,
    /// Its end, if it has no children.
    end: Option<usize>,
}

impl Known {
    /// The same with all places counted from `base` on.
    fn at(self, base: usize) -> Known {
        let add = |place: Option<usize>| place.map(|place| base + place);
        Known {
            around: add(self.around),
            key: self.key.map(|(start, end)| (base + start, base + end)),
            end: add(self.end),
            ..self
        }
    }
}

/// The values of a whole file by their places.
#[derive(Clone, Debug)]
pub struct Truth {
    bytes: Vec<u8>,
    order: Option<PrefixOrder>,
    options: ReadOptions,
    known: HashMap<usize, Known>,
    records: HashSet<Vec<u8>>,
    values: usize,
}

/// What is left of a file.
#[derive(Clone, Copy, Default, Debug)]
pub struct Tally {
    /// Values that are as they were.
    pub kept: usize,
    /// Values with damaged bytes of their own.
    pub changed: usize,
    /// Values that nobody wrote.
    pub invented: usize,
    /// `true` if an engine loads the damaged file as it is: no reader can tell that anything is wrong in it. Records are
    /// valid to the last byte of the file; after a bare value there may be others.
    pub is_valid: bool,
}

impl Truth {
    /// The values of a file of records, or of one value.
    ///
    /// # Panics
    /// If they cannot be read.
    #[must_use]
    pub fn of(bytes: &[u8], order: Option<PrefixOrder>, options: ReadOptions) -> Truth {
        let mut truth = Truth {
            bytes: bytes.to_vec(),
            order,
            options,
            known: HashMap::new(),
            records: HashSet::new(),
            values: 0,
        };
        let mut known = HashMap::new();
        let mut add = |value: &[u8], base: usize| {
            walk(value, options, &mut |at, one| {
                known.insert(base + at, one.at(base));
            });
        };
        match order {
            None => add(bytes, 0),
            Some(order) => {
                for frame in gdvar::frames(bytes, order) {
                    let frame = frame.expect("a whole file");
                    add(frame.bytes, frame.offset);
                    truth.records.insert(frame.bytes.to_vec());
                }
            }
        }
        truth.values = known.values().filter(|known| !known.is_key).count();
        truth.known = known;
        truth
    }

    /// The number of values, keys apart.
    #[must_use]
    pub fn values(&self) -> usize {
        self.values
    }

    /// How the file is read.
    #[must_use]
    pub const fn options(&self) -> ReadOptions {
        self.options
    }

    /// The whole file.
    #[must_use]
    pub fn bytes(&self) -> &[u8] {
        &self.bytes
    }

    /// Rescues a damaged file and judges what is left; with the bytes of each value that is left.
    #[must_use]
    pub fn judge(&self, damaged: &Damaged) -> (Tally, Vec<Vec<u8>>) {
        let mut tally = Tally::default();
        let mut left = Vec::new();
        match self.order {
            None => {
                let document = Document::with_options(&damaged.bytes, self.options);
                let found = recover(document);
                // Whatever follows the value, the engine loads it.
                tally.is_valid = document.validate().is_ok();
                if let Some(plan) = found.plan() {
                    left.push(plan.to_vec());
                    self.add(damaged, plan, 0, &mut tally);
                }
            }
            Some(order) => {
                let segment = Segment::from(&damaged.bytes[..]);
                let found = recover_records(&[segment], order, self.options);
                tally.is_valid = found.is_whole() && found.blank() == 0;
                for record in found.records() {
                    // No reader can tell a valid record from one that was written so.
                    let is_valid = record.found.is_whole() && !record.mended_length;
                    let before = tally;
                    if let Some(plan) = record.found.plan() {
                        left.push(plan.to_vec());
                        self.add(damaged, plan, record.offset as usize, &mut tally);
                    }
                    if is_valid {
                        tally.changed += tally.invented - before.invented;
                        tally.invented = before.invented;
                    }
                }
            }
        }
        (tally, left)
    }

    /// Judges the values of a record that begins at `base` in the damaged file.
    fn add(&self, damaged: &Damaged, plan: &Plan<'_>, base: usize, tally: &mut Tally) {
        let left = plan.to_vec();
        let end = base + left.len();
        if damaged.touches(&(base..end)) && self.records.contains(&left) {
            // A record of the file, which stands in it once more.
            return;
        }
        let shifts = shifts(plan);
        // The place in the damaged file of a byte of what is left.
        let place = |at: usize| {
            let n = shifts.partition_point(|(from, _)| *from <= at) - 1;
            base + (at as isize + shifts[n].1) as usize
        };
        walk(&left, self.options, &mut |at, one| {
            let Known { is_key, end, .. } = one;
            let now = place(at);
            let around = one.around.map(place);
            // The same text may have been put together again.
            let key = one.key.map(|(start, end)| &left[start..end]);
            let origins = damaged.origins(now);
            let mut known = None;
            for was in origins.into_iter().flatten() {
                let one = self.known.get(&was).map(|one| (was, one));
                let is_its_own = |one: &(usize, &Known)| {
                    let is_at = |now: Option<usize>, was: Option<usize>| match now {
                        None => was.is_none(),
                        Some(now) => damaged.origins(now).contains(&was),
                    };
                    one.1.is_key == is_key
                        && is_at(around, one.1.around)
                        && key == one.1.key.map(|(start, end)| &self.bytes[start..end])
                };
                known = known.or(one.filter(is_its_own));
            }
            let is_there = known.is_some();
            // The head of a container, or all of a leaf.
            let size = end.map_or(8, |end| end - at);
            let is_touched = damaged.touches(&(now..now + size));
            let is_same = known.is_some_and(|(start, known)| match (known.end, end) {
                (Some(end), Some(_)) => self.bytes.get(start..end) == left.get(at..at + size),
                (None, None) => true,
                _ => false,
            });
            if is_there && is_same {
                tally.kept += usize::from(!is_key);
            } else if is_touched && (is_there || damaged.new.is_empty() && !is_key) {
                // Where bytes are missing, a value may begin with what was inside another one.
                tally.changed += usize::from(!is_key);
            } else {
                tally.invented += 1;
            }
        });
    }
}

/// From which place of the result on how much has to be added for the place in the old bytes.
fn shifts(plan: &Plan<'_>) -> Vec<(usize, isize)> {
    let mut shifts = vec![(0, 0)];
    let mut shift = 0_isize;
    for splice in plan.splices() {
        let old = (splice.end - splice.start) as isize;
        let end = splice.end as isize - shift - old + splice.bytes.len() as isize;
        shift += old - splice.bytes.len() as isize;
        shifts.push((end as usize, shift));
    }
    shifts
}

/// Tells each value and its place.
fn walk(bytes: &[u8], options: ReadOptions, tell: &mut impl FnMut(usize, Known)) {
    // The open containers, each with the key that was read last in it. A key with children is not looked at.
    let mut open: Vec<(usize, Option<(usize, usize)>)> = Vec::new();
    let mut events = Document::with_options(bytes, options).events();
    loop {
        let at = events.position();
        let Some(event) = events.try_next().expect("what is left is valid") else {
            break;
        };
        let is_key = events.role() == Role::Key;
        let around = open.last().copied();
        let one = Known {
            around: around.map(|(around, _)| around),
            is_key,
            key: around.and_then(|(_, key)| key).filter(|_| !is_key),
            end: Some(events.position()),
        };
        if let (true, Some(around)) = (is_key, open.last_mut()) {
            around.1 = matches!(event, Event::Value(_)).then(|| (at, events.position()));
        }
        match event {
            Event::Value(_) => tell(at, one),
            Event::Begin(_) => {
                tell(at, Known { end: None, ..one });
                open.push((at, None));
            }
            Event::End => {
                open.pop();
            }
            Event::Property(_) => {
                if let Some(around) = open.last_mut() {
                    around.1 = Some((at, events.position()));
                }
            }
        }
    }
}
