//! [`Alike`]: groups the dictionaries of a file by their first key, to find the unusual ones.
//!
//! Games write the same kind of dictionary many times: a hundred items, thirty quests. Two dictionaries are
//! of one *sort*, or *alike*, if they begin with the same key. A dictionary that was joined from an item and
//! a quest has keys that no other item has.

use std::collections::HashMap;

use gdvar_view::{Document, Event, Kind, Limits, ReadOptions, Role, TypeId};

use super::level::{Lead, is_name, text_at};

/// Dictionaries are judged only if their sort has more than this many, and array elements only if
/// more than this many arrays are under the same key of the sort.
const ENOUGH: usize = 2;

/// How many different [`Lead`]s are counted under one key.
const LEADS: usize = 16;

/// The dictionaries of a file, grouped by their first keys.
#[derive(Default)]
pub(super) struct Alike<'a> {
    sorts: HashMap<&'a [u8], Sort<'a>>,
}

/// All dictionaries that begin with the same key.
#[derive(Default)]
struct Sort<'a> {
    dictionaries: usize,
    entries: HashMap<&'a [u8], KeyLeads>,
}

/// Statistics of the values that the dictionaries of one sort have under one key.
#[derive(Default)]
struct KeyLeads {
    /// The [`Lead`]s of the values, each with the number of values that have this lead.
    values: Vec<(Lead, usize)>,
    /// The [`Lead`]s of array elements, each with the number of arrays that have an element with
    /// this lead.
    elements: Vec<(Lead, usize)>,
    /// The number of values that are arrays with elements.
    arrays: usize,
}

/// How usual an entry is, compared with other dictionaries of the sort.
#[derive(Clone, Copy, Default)]
pub(super) struct Likeness {
    /// `true` if all other dictionaries have the key.
    pub(super) is_common: bool,
    /// `true` if no other dictionary has a value with this lead under the key.
    pub(super) is_strange: bool,
}

impl<'a> Alike<'a> {
    /// Groups the complete dictionaries in `bytes`, including those after the damage. Reads the bytes once.
    pub(super) fn of(bytes: &'a [u8], options: ReadOptions) -> Alike<'a> {
        let mut alike = Alike::default();
        let mut at = 0;
        while at < bytes.len() {
            if at > 0 && !is_dictionary(bytes, at, options) {
                at += 1;
                continue;
            }
            // Continue after the part that was read, so that no byte is read twice.
            at += alike.add(&bytes[at..], options).max(1);
        }
        alike
    }

    /// Adds the dictionaries of one value, which may be damaged. Returns the number of bytes that could be
    /// read.
    fn add(&mut self, value: &'a [u8], options: ReadOptions) -> usize {
        let options = options.with_limits(Limits::MOST);
        let mut events = Document::with_options(value, options).events();
        let mut open: Vec<Open<'a>> = Vec::new();
        loop {
            let start = events.position();
            let Ok(Some(event)) = events.try_next() else {
                return start;
            };
            if let (Event::Value(_) | Event::Begin(_), Some(around)) = (event, open.last_mut()) {
                around.child(value, start, events.role(), options);
            }
            match event {
                Event::Begin(begun) => open.push(Open {
                    is_array: begun.as_array().is_some(),
                    ..Open::default()
                }),
                Event::End => {
                    let closed = open.pop().unwrap_or_default();
                    self.close(closed, open.last());
                }
                Event::Value(_) | Event::Property(_) => {}
            }
        }
    }

    fn close(&mut self, closed: Open<'a>, around: Option<&Open<'a>>) {
        if closed.is_array {
            let under = around.and_then(|around| around.first.zip(around.key));
            let Some((first, key)) = under.filter(|_| !closed.elements.is_empty()) else {
                return;
            };
            let entry = self.sorts.entry(first).or_default();
            let entry = entry.entries.entry(key).or_default();
            entry.arrays += 1;
            closed
                .elements
                .into_iter()
                .for_each(|lead| count(&mut entry.elements, lead));
        } else if let Some(first) = closed.first {
            let sort = self.sorts.entry(first).or_default();
            sort.dictionaries += 1;
            for (key, lead) in closed.entries {
                count(&mut sort.entries.entry(key).or_default().values, lead);
            }
        }
    }

    /// Returns `true` if more than [`ENOUGH`] dictionaries begin with the key `first`.
    pub(super) fn has_likes(&self, first: &[u8]) -> bool {
        self.sorts.get(first).is_some_and(Sort::is_enough)
    }

    /// Compares an entry of a dictionary that begins with the key `first`. `key` is its key and `lead` the
    /// lead of its value. Both answers are `false` if there are too few dictionaries to compare with.
    pub(super) fn entry(&self, first: &[u8], key: &[u8], lead: Lead) -> Likeness {
        let Some(sort) = self.sorts.get(first).filter(|sort| sort.is_enough()) else {
            return Likeness::default();
        };
        let entry = sort.entries.get(key);
        Likeness {
            is_common: entry.is_some_and(|entry| sort.is_common(entry)),
            // The value itself may be among the counted ones.
            is_strange: entry.is_none_or(|entry| seen(&entry.values, lead) <= 1),
        }
    }

    /// Returns the number of keys that all dictionaries that begin with `first` have in common.
    pub(super) fn common(&self, first: &[u8]) -> usize {
        let sort = self.sorts.get(first).filter(|sort| sort.is_enough());
        sort.map_or(0, |sort| {
            let entries = sort.entries.values();
            entries.filter(|entry| sort.is_common(entry)).count()
        })
    }

    /// Compares the arrays under `key` in the dictionaries that begin with `first`. Returns `true`
    /// if these arrays have a lead in common, and at most one of them (this one) has an element
    /// with the lead `lead`.
    pub(super) fn is_strange_element(&self, first: &[u8], key: &[u8], lead: Lead) -> bool {
        let entry = self.sorts.get(first).and_then(|sort| sort.entries.get(key));
        let Some(entry) = entry.filter(|entry| entry.arrays > ENOUGH) else {
            return false;
        };
        let has_one = entry
            .elements
            .iter()
            .any(|(_, seen)| seen + 1 >= entry.arrays);
        has_one && seen(&entry.elements, lead) <= 1
    }
}

impl Sort<'_> {
    fn is_enough(&self) -> bool {
        self.dictionaries > ENOUGH
    }

    /// Returns `true` if all dictionaries have the entry, or all but one, which may be the damaged one.
    fn is_common(&self, entry: &KeyLeads) -> bool {
        let seen: usize = entry.values.iter().map(|(_, seen)| seen).sum();
        seen + 1 >= self.dictionaries
    }
}

/// A container that is not read to its end yet.
#[derive(Default)]
struct Open<'a> {
    is_array: bool,
    first: Option<&'a [u8]>,
    key: Option<&'a [u8]>,
    entries: Vec<(&'a [u8], Lead)>,
    /// The different leads of its elements.
    elements: Vec<Lead>,
}

impl<'a> Open<'a> {
    /// Records the key, value or element that begins at `at`.
    fn child(&mut self, bytes: &'a [u8], at: usize, role: Role, options: ReadOptions) {
        let Some(lead) = Lead::of(bytes, at, options) else {
            return;
        };
        match role {
            Role::Key => {
                self.key = text_at(bytes, at + 4).filter(|_| lead == Lead::Text);
                self.first = self.first.or(self.key);
            }
            Role::Value => self.entries.extend(self.key.map(|key| (key, lead))),
            Role::Element if self.elements.len() < LEADS && !self.elements.contains(&lead) => {
                self.elements.push(lead);
            }
            _ => {}
        }
    }
}

fn count(counts: &mut Vec<(Lead, usize)>, lead: Lead) {
    let known = counts.iter().position(|(known, _)| *known == lead);
    match known {
        Some(known) => counts[known].1 += 1,
        None if counts.len() < LEADS => counts.push((lead, 1)),
        None => {}
    }
}

fn seen(counts: &[(Lead, usize)], lead: Lead) -> usize {
    let found = counts.iter().find(|(known, _)| *known == lead);
    found.map_or(0, |(_, count)| *count)
}

/// Returns `true` if a dictionary whose first key is readable text may begin at `at`.
fn is_dictionary(bytes: &[u8], at: usize, options: ReadOptions) -> bool {
    let kind = options.dialect().kind(TypeId(bytes[at]));
    kind == Some(Kind::Dictionary)
        && Lead::of(bytes, at + 8, options) == Some(Lead::Text)
        && text_at(bytes, at + 12).is_some_and(is_name)
}
