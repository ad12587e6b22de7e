//! Searches for a text in keys and values, in the order of the file. Works in small steps, so that the keyboard can be
//! read between them.

use gdvar_view::{PathTarget, VariantRef};
use regex::bytes::{Regex, RegexBuilder};

use crate::{
    commands::explore::{
        child::{Child, Name, Thing},
        children::{ChildAnswer, Children, Mark},
        record_source::RecordSource,
        tree::{RowPath, Tree},
        work::Work,
    },
    show::notation,
};

/// Compiles `text` as a regular expression, or as plain text if it is not one. Case matters only if `text` has an upper
/// case letter.
pub(crate) fn pattern(text: &str) -> Option<Regex> {
    let build = |text: &str| {
        RegexBuilder::new(text)
            .case_insensitive(!text.chars().any(char::is_uppercase))
            .build()
            .ok()
    };
    build(text).or_else(|| build(&regex::escape(text)))
}

#[derive(Clone, Copy, PartialEq, Eq, Debug)]
pub(crate) enum Direction {
    Forward,
    Backward,
}

/// How far a search came with the work that it was given.
pub(crate) enum Progress<'a> {
    /// The work was used up. The next call continues from here.
    Pending,
    /// The row that was found, and the marks of each level. With the marks, the tree finds the row without walking to
    /// it again. There may be no marks.
    Found(RowPath, Vec<Vec<Mark<'a>>>),
    /// Nothing was found. The text is the message.
    Missing(String),
}

/// A search forward or backward. The walk over the file goes forward in both cases:
///
/// - Forward: from the row after the origin to the end of the file, then from its start to the origin. The first match
///   wins.
/// - Backward: from the start of the file to the origin; if there is no match, from the origin to the end. The last
///   match wins.
pub(crate) struct Search<'a> {
    source: &'a RecordSource<'a>,
    pattern: Regex,
    direction: Direction,
    /// The row where the search began.
    origin: RowPath,
    /// The walks over the containers that the current position is in, outermost first.
    levels: Vec<SearchLevel<'a>>,
    /// `true` once the search has passed the end of its first part.
    wrapped: bool,
    /// The last match so far of a backward search.
    last: Option<RowPath>,
}

struct SearchLevel<'a> {
    children: Children<'a>,
    /// The number of the next child.
    next: u64,
}

impl<'a> SearchLevel<'a> {
    fn new(children: Children<'a>) -> SearchLevel<'a> {
        SearchLevel { children, next: 0 }
    }
}

impl<'a> Search<'a> {
    /// Starts a search at the row `origin` through the whole file.
    pub(crate) fn new(
        source: &'a RecordSource<'a>,
        tree: &mut Tree<'a>,
        origin: &[u64],
        pattern: Regex,
        direction: Direction,
    ) -> Search<'a> {
        let mut search = Search {
            source,
            pattern,
            direction,
            origin: origin.to_vec(),
            levels: Vec::new(),
            wrapped: false,
            last: None,
        };
        match direction {
            Direction::Forward => search.start_after(tree, origin),
            Direction::Backward => search.restart(),
        }
        search
    }

    fn restart(&mut self) {
        self.levels = vec![SearchLevel::new(Children::of_file(self.source))];
    }

    /// Starts at the first row after `origin`, which may be the first child of `origin`. Uses the marks of `tree`.
    fn start_after(&mut self, tree: &mut Tree<'a>, origin: &[u64]) {
        let mut children = Children::of_file(self.source);
        for (depth, &index) in origin.iter().enumerate() {
            if let Some(open) = tree.children(&origin[..depth]) {
                children.learn(open.marks_to(index));
            }
            let child = children.get(index, &mut Work(Work::ALL));
            let next = index + 1;
            self.levels.push(SearchLevel { children, next });
            let ChildAnswer::Child(child) = child else {
                return;
            };
            let Some(value) = child.value() else { return };
            children = Children::of(value, child.record);
        }
        self.levels.push(SearchLevel::new(children));
    }

    /// Returns how far the search has come, as an offset in the record.
    pub(crate) fn reached(&self) -> usize {
        let level = self.levels.iter().rev().find(|level| level.next > 0);
        level.map_or(0, |level| level.children.reached())
    }

    /// Returns the row that was reached last.
    fn row(&self) -> impl Iterator<Item = u64> + '_ {
        self.levels.iter().map(|level| level.next - 1)
    }

    /// Continues the search until it ends or the work is used up.
    pub(crate) fn go(&mut self, work: &mut Work) -> Progress<'a> {
        while work.0 > 0 {
            let Some(level) = self.levels.last_mut() else {
                if self.wrapped || self.direction == Direction::Backward {
                    return self.end();
                }
                self.wrapped = true;
                self.restart();
                continue;
            };
            let child = match level.children.get(level.next, work) {
                ChildAnswer::Child(child) => child,
                ChildAnswer::Pending => return Progress::Pending,
                ChildAnswer::End(_) => {
                    let inner = self.levels.pop();
                    if let (Some(outer), Some(inner)) = (self.levels.last_mut(), inner) {
                        outer.children.pass(&inner.children);
                    }
                    continue;
                }
            };
            level.next += 1;
            let to_origin = self.row().cmp(self.origin.iter().copied());
            match self.direction {
                Direction::Forward if self.wrapped && to_origin.is_gt() => return self.end(),
                Direction::Backward if !self.wrapped && to_origin.is_ge() => {
                    if self.last.is_some() {
                        return self.end();
                    }
                    self.wrapped = true;
                }
                _ => {}
            }
            if self.matches(&child) {
                let row: RowPath = self.row().collect();
                if self.direction == Direction::Forward {
                    let levels = std::mem::take(&mut self.levels).into_iter();
                    let marks = levels.map(|level| level.children.into_marks()).collect();
                    return Progress::Found(row, marks);
                }
                self.last = Some(row);
            }
            // Packed arrays of numbers are not searched.
            let is_searched =
                |value: &VariantRef<'_>| value.has_children() || value.as_strings().is_some();
            if let Some(value) = child.value().filter(is_searched) {
                let children = Children::of(value, child.record);
                self.levels.push(SearchLevel::new(children));
            }
        }
        Progress::Pending
    }

    fn end(&mut self) -> Progress<'a> {
        match self.last.take() {
            Some(row) => Progress::Found(row, Vec::new()),
            None => Progress::Missing(format!("no key and no value has {}", self.pattern)),
        }
    }

    fn matches(&self, child: &Child<'_>) -> bool {
        let in_value = |value: VariantRef<'_>| match value.as_text() {
            Some(text) => self.pattern.is_match(text.as_bytes()),
            None => notation::line(value).is_ok_and(|text| self.pattern.is_match(&text)),
        };
        let in_name = match child.name {
            Name::Key(key, _) => in_value(key),
            Name::Property(name) => self.pattern.is_match(name.as_bytes()),
            Name::Record(_) | Name::Index(_) => false,
        };
        let in_thing = match child.thing {
            Thing::Value(value) if value.has_children() || value.packed_len().is_some() => false,
            Thing::Value(value) => in_value(value),
            Thing::Part(PathTarget::Text(text), _) => self.pattern.is_match(text.as_bytes()),
            Thing::Part(..) | Thing::Broken(_) => false,
        };
        in_name || in_thing
    }
}
