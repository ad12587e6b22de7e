//! [`Lookup`]: finds all requested children of one container in one walk.

use std::collections::HashMap;

use gdvar_view::Kind;

use crate::{
    container::{Child, Name},
    key::{KeyQuery, StepQuery},
};

/// The requested children of one container, and those found so far.
#[derive(Default)]
pub(crate) struct Lookup<'k, 'a> {
    /// Maps each query to its number.
    firsts: HashMap<KeyQuery<'k>, usize>,
    seconds: HashMap<KeyQuery<'k>, Vec<usize>>,
    found: Vec<LastFound<'a>>,
    /// The highest requested index.
    last_index: Option<usize>,
}

/// The children that match a query's first and second form. Each is the last child that matches: if
/// a key is repeated, engines keep its last value.
#[derive(Clone, Copy, Default)]
struct LastFound<'a> {
    first: Option<Child<'a>>,
    second: Option<Child<'a>>,
}

impl<'k, 'a> Lookup<'k, 'a> {
    /// Adds a query and returns its number: 0, 1, 2 … A query that was added before keeps its number.
    pub(crate) fn add(&mut self, query: StepQuery<'k>) -> usize {
        let next = self.found.len();
        if let KeyQuery::Nth(nth) = query.first {
            self.last_index = self.last_index.max(Some(nth));
        }
        let number = *self.firsts.entry(query.first).or_insert(next);
        if number == next {
            self.found.push(LastFound::default());
            if let Some(second) = query.second {
                self.seconds.entry(second).or_default().push(number);
            }
        }
        number
    }

    /// Returns `true` if no index at or after `done` is requested. A walk over an array can stop there.
    pub(crate) fn is_done(&self, done: usize) -> bool {
        self.last_index.is_none_or(|last| done > last)
    }

    /// Returns `true` if an index at or after `len` is requested.
    pub(crate) fn reaches(&self, len: usize) -> bool {
        !self.is_done(len)
    }

    /// Checks child number `nth` against the queries. `key` is the child's key as the engine
    /// compares it.
    pub(crate) fn pass(&mut self, child: Child<'a>, nth: usize, key: Option<&KeyQuery<'_>>) {
        let typed = match child.name {
            Name::Key(key) if matches!(key.kind(), Kind::String | Kind::StringName) => {
                let text = key.as_text().map(|text| text.as_bytes().into());
                text.map(|text| KeyQuery::TypedText(key.kind(), text))
            }
            _ => None,
        };
        for name in [key, typed.as_ref(), Some(&KeyQuery::Nth(nth))]
            .into_iter()
            .flatten()
        {
            if let Some(number) = self.firsts.get(name) {
                self.found[*number].first = Some(child);
            }
            for number in self.seconds.get(name).into_iter().flatten() {
                let is_wide = match child.name {
                    Name::Key(key) => key.kind() != Kind::Float && key.is_wide(),
                    _ => false,
                };
                if !is_wide {
                    self.found[*number].second = Some(child);
                }
            }
        }
    }

    /// Returns the child for the query with this number.
    pub(crate) fn found(&self, number: usize) -> Option<Child<'a>> {
        let found = self.found.get(number)?;
        found.first.or(found.second)
    }
}
