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
    /// Its end, if it has no children.
    end: Option<usize>,
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
    /// `true` if the damaged file is valid, to its last byte.
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
            walk(value, options, &mut |at, around, is_key, end| {
                let around = around.map(|around| base + around);
                let end = end.map(|end| base + end);
                known.insert(
                    base + at,
                    Known {
                        around,
                        is_key,
                        end,
                    },
                );
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
                let found = recover(Document::with_options(&damaged.bytes, self.options));
                tally.is_valid = found.is_whole();
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
        walk(&left, self.options, &mut |at, around, is_key, end| {
            let now = place(at);
            let around = around.map(place);
            let origins = damaged.origins(now);
            let mut known = None;
            for was in origins.into_iter().flatten() {
                let one = self.known.get(&was).map(|one| (was, one));
                let is_its_own = |one: &(usize, &Known)| {
                    let outer = match around {
                        None => one.1.around.is_none(),
                        Some(around) => damaged.origins(around).contains(&one.1.around),
                    };
                    one.1.is_key == is_key && outer
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

/// Tells each value: its place, its container's, whether it is a key, and its end if it has no children.
fn walk(
    bytes: &[u8],
    options: ReadOptions,
    tell: &mut impl FnMut(usize, Option<usize>, bool, Option<usize>),
) {
    let mut open: Vec<usize> = Vec::new();
    let mut events = Document::with_options(bytes, options).events();
    loop {
        let at = events.position();
        let Some(event) = events.try_next().expect("what is left is valid") else {
            break;
        };
        let around = open.last().copied();
        match event {
            Event::Value(_) => tell(
                at,
                around,
                events.role() == Role::Key,
                Some(events.position()),
            ),
            Event::Begin(_) => {
                tell(at, around, events.role() == Role::Key, None);
                open.push(at);
            }
            Event::End => {
                open.pop();
            }
            Event::Property(_) => {}
        }
    }
}
