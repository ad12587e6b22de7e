//! Compares what was rescued with the undamaged file. Every value that is kept must exist in the undamaged
//! file, in the same container and under the same key.
//!
//! A value is *invented* if, at its position, the undamaged file has no value, a value in another
//! container, or a value with other bytes although none of the rescued value's own bytes are
//! damaged. A value with damaged bytes of its own is *changed*: no reader can know what it was.

use std::collections::{HashMap, HashSet};

use gdvar::{
    Document, ReadOptions,
    edit::{Plan, Segment, recover, recover_records},
    frames::PrefixOrder,
    walk::{Event, Role},
};

use crate::damage::Damaged;

/// A value of the undamaged file.
#[derive(Clone, Copy, PartialEq, Eq, Debug)]
struct KnownValue {
    /// The offset at which its container begins.
    around: Option<usize>,
    is_key: bool,
    /// The range of its key, if it has one.
    key: Option<(usize, usize)>,
    /// Its end, if it has no children.
    end: Option<usize>,
}

impl KnownValue {
    /// Returns the same value with all its offsets increased by `base`.
    fn at(self, base: usize) -> KnownValue {
        let add = |place: Option<usize>| place.map(|place| base + place);
        KnownValue {
            around: add(self.around),
            key: self.key.map(|(start, end)| (base + start, base + end)),
            end: add(self.end),
            ..self
        }
    }
}

/// The values of an undamaged file by their offsets.
#[derive(Clone, Debug)]
pub struct Truth {
    bytes: Vec<u8>,
    order: Option<PrefixOrder>,
    options: ReadOptions,
    known: HashMap<usize, KnownValue>,
    records: HashSet<Vec<u8>>,
    values: usize,
}

/// The numbers of values that are left of a file.
#[derive(Clone, Copy, Default, Debug)]
pub struct RescueCounts {
    /// Unchanged values.
    pub kept: usize,
    /// Values with damaged bytes of their own.
    pub changed: usize,
    /// Values that are not in the undamaged file.
    pub invented: usize,
    /// `true` if an engine loads the damaged file without an error, so that no reader can notice the damage.
    /// A file of records must be valid up to its last byte; after a bare value other bytes may follow.
    pub is_valid: bool,
}

impl Truth {
    /// Reads the values of a file of records, or of one value.
    ///
    /// # Panics
    /// If the values cannot be read.
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
                for frame in gdvar::frames::frames(bytes, order) {
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

    /// Returns the number of values, not counting keys.
    #[must_use]
    pub fn values(&self) -> usize {
        self.values
    }

    /// Returns the undamaged file.
    #[must_use]
    pub fn bytes(&self) -> &[u8] {
        &self.bytes
    }

    /// Rescues a damaged file and counts what is left. Also returns the bytes of each rescued value.
    #[must_use]
    pub fn judge(&self, damaged: &Damaged) -> (RescueCounts, Vec<Vec<u8>>) {
        let mut counts = RescueCounts::default();
        let mut left = Vec::new();
        match self.order {
            None => {
                let document = Document::with_options(&damaged.bytes, self.options);
                let found = recover(document);
                // The engine loads the value even if other bytes follow it.
                counts.is_valid = document.validate().is_ok();
                if let Some(plan) = found.plan() {
                    left.push(plan.to_vec());
                    self.add(damaged, plan, 0, &mut counts);
                }
            }
            Some(order) => {
                let segment = Segment::from(&damaged.bytes[..]);
                let found = recover_records(&[segment], order, self.options);
                counts.is_valid = found.is_whole() && found.blank() == 0;
                for record in found.records() {
                    // A valid record cannot be distinguished from one that was written this way.
                    let is_valid = record.found.is_whole() && !record.mended_length;
                    let before = counts;
                    if let Some(plan) = record.found.plan() {
                        left.push(plan.to_vec());
                        self.add(damaged, plan, record.offset as usize, &mut counts);
                    }
                    if is_valid {
                        counts.changed += counts.invented - before.invented;
                        counts.invented = before.invented;
                    }
                }
            }
        }
        (counts, left)
    }

    /// Counts the rescued values of a record that begins at `base` in the damaged file.
    fn add(&self, damaged: &Damaged, plan: &Plan<'_>, base: usize, counts: &mut RescueCounts) {
        let left = plan.to_vec();
        let end = base + left.len();
        if damaged.touches(&(base..end)) && self.records.contains(&left) {
            // The damaged file contains a second copy of this record.
            return;
        }
        let shifts = shifts(plan);
        // Converts an offset in the rescued bytes to the offset in the damaged file.
        let place = |at: usize| {
            let n = shifts.partition_point(|(from, _)| *from <= at) - 1;
            base + (at as isize + shifts[n].1) as usize
        };
        walk(&left, self.options, &mut |at, one| {
            let KnownValue { is_key, end, .. } = one;
            let now = place(at);
            let around = one.around.map(place);
            // Keys are compared by their bytes, because the same text may have been put together again from
            // parts.
            let key = one.key.map(|(start, end)| &left[start..end]);
            let origins = damaged.origins(now);
            let mut known = None;
            for was in origins.into_iter().flatten() {
                let one = self.known.get(&was).map(|one| (was, one));
                let is_its_own = |one: &(usize, &KnownValue)| {
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
            // Looks at the header and count of a container, or at all bytes of a leaf.
            let size = end.map_or(8, |end| end - at);
            let is_touched = damaged.touches(&(now..now + size));
            let is_same = known.is_some_and(|(start, known)| match (known.end, end) {
                (Some(end), Some(_)) => self.bytes.get(start..end) == left.get(at..at + size),
                (None, None) => true,
                _ => false,
            });
            if is_there && is_same {
                counts.kept += usize::from(!is_key);
            } else if is_touched && (is_there || damaged.new.is_empty() && !is_key) {
                // Where bytes are missing, a value may begin with bytes from the inside of another one.
                counts.changed += usize::from(!is_key);
            } else {
                counts.invented += 1;
            }
        });
    }
}

/// Returns pairs of an offset in the rescued bytes and a shift. From each offset on, adding the
/// shift gives the offset in the old bytes.
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

/// Calls `tell` with each value and its offset.
fn walk(bytes: &[u8], options: ReadOptions, tell: &mut impl FnMut(usize, KnownValue)) {
    // The open containers, each with its last key. Keys with children are ignored.
    let mut open: Vec<(usize, Option<(usize, usize)>)> = Vec::new();
    let mut events = Document::with_options(bytes, options).events();
    loop {
        let at = events.position();
        let Some(event) = events.try_next().expect("what is left is valid") else {
            break;
        };
        let is_key = events.role() == Role::Key;
        let around = open.last().copied();
        let one = KnownValue {
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
                tell(at, KnownValue { end: None, ..one });
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
