//! Looks for a text in keys and values, in the order of the file, a piece at a time.

use gdvar_view::{Part, VariantRef};
use regex::bytes::{Regex, RegexBuilder};

use crate::{
    commands::explore::{
        children::{Children, Got, Mark, Work},
        nodes::{Node, Trail},
        source::Source,
        walk::{Child, Name, Thing},
    },
    show::notation,
};

/// A regular expression; letters stand for both cases unless one of them is upper case. Text that is none is
/// looked for as it is.
pub(crate) fn pattern(text: &str) -> Option<Regex> {
    let build = |text: &str| {
        RegexBuilder::new(text)
            .case_insensitive(!text.chars().any(char::is_uppercase))
            .build()
            .ok()
    };
    build(text).or_else(|| build(&regex::escape(text)))
}

/// Which way to look.
#[derive(Clone, Copy, PartialEq, Eq, Debug)]
pub(crate) enum Direction {
    Forward,
    Backward,
}

/// The result of a piece of work.
pub(crate) enum Step<'a> {
    /// There is more to do.
    Pending,
    /// It is there; with the marks of the walk, level by level.
    Found(Trail, Vec<Vec<Mark<'a>>>),
    /// It is not.
    Missing(String),
}

/// A search under way.
pub(crate) struct Search<'a> {
    source: &'a Source<'a>,
    pattern: Regex,
    direction: Direction,
    /// From where it began.
    origin: Trail,
    /// The containers around the place it has come to.
    levels: Vec<Level<'a>>,
    /// `true` if it began anew at the start of the file.
    wrapped: bool,
    /// The place that was found last, on the way to those in front of the origin.
    last: Option<Trail>,
}

struct Level<'a> {
    children: Children<'a>,
    /// The child that comes next.
    next: u64,
}

impl<'a> Search<'a> {
    /// From a row on, or back.
    pub(crate) fn new(
        source: &'a Source<'a>,
        root: &mut Node<'a>,
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
            Direction::Forward => search.start_behind(root, origin),
            Direction::Backward => search.restart(),
        }
        search
    }

    fn restart(&mut self) {
        self.levels = vec![Level {
            children: Children::of_file(self.source),
            next: 0,
        }];
    }

    /// Goes behind the row itself, to what is in it.
    fn start_behind(&mut self, root: &mut Node<'a>, origin: &[u64]) {
        let mut children = Children::of_file(self.source);
        for (depth, &index) in origin.iter().enumerate() {
            if let Some(node) = root.at(&origin[..depth]) {
                children.learn(node.children.marks_to(index));
            }
            let child = children.get(index, &mut Work(Work::ALL));
            self.levels.push(Level {
                children,
                next: index + 1,
            });
            let Got::Child(child) = child else { return };
            let Some(value) = child.value() else { return };
            children = Children::of(value, child.place);
        }
        self.levels.push(Level { children, next: 0 });
    }

    /// How far it has come in its record, in bytes.
    pub(crate) fn reached(&self) -> usize {
        let level = self.levels.iter().rev().find(|level| level.next > 0);
        level.map_or(0, |level| level.children.reached())
    }

    /// The way to the child that was handed out last.
    fn trail(&self) -> impl Iterator<Item = u64> + '_ {
        self.levels.iter().map(|level| level.next - 1)
    }

    /// Goes on for a while.
    pub(crate) fn step(&mut self, work: &mut Work) -> Step<'a> {
        while work.0 > 0 {
            let Some(level) = self.levels.last_mut() else {
                match self.at_the_end() {
                    Some(step) => return step,
                    None => continue,
                }
            };
            let child = match level.children.get(level.next, work) {
                Got::Child(child) => child,
                Got::Pending => return Step::Pending,
                Got::End(_) => {
                    let inner = self.levels.pop();
                    if let (Some(outer), Some(inner)) = (self.levels.last_mut(), inner) {
                        outer.children.pass(&inner.children);
                    }
                    continue;
                }
            };
            level.next += 1;
            if self.is_past_origin() {
                if let Some(step) = self.came_around() {
                    return step;
                }
            }
            if self.matches(&child) {
                let trail: Trail = self.trail().collect();
                match self.direction {
                    Direction::Forward => {
                        let levels = std::mem::take(&mut self.levels).into_iter();
                        let marks = levels.map(|level| level.children.into_marks()).collect();
                        return Step::Found(trail, marks);
                    }
                    Direction::Backward => self.last = Some(trail),
                }
            }
            if let Some(value) = child.value().filter(|&value| is_searched(value)) {
                self.levels.push(Level {
                    children: Children::of(value, child.place),
                    next: 0,
                });
            }
        }
        Step::Pending
    }

    /// Returns `true` if the end of this round is reached: where a search that began anew meets its origin, and a
    /// search back as soon as it does.
    fn is_past_origin(&self) -> bool {
        let meets = match self.direction {
            Direction::Forward => self.wrapped,
            Direction::Backward => !self.wrapped,
        };
        let behind = |order: std::cmp::Ordering| match self.direction {
            Direction::Forward => order.is_gt(),
            Direction::Backward => order.is_ge(),
        };
        meets && behind(self.trail().cmp(self.origin.iter().copied()))
    }

    fn came_around(&mut self) -> Option<Step<'a>> {
        match (self.direction, self.last.take()) {
            (Direction::Forward, _) => Some(self.nothing()),
            (Direction::Backward, Some(trail)) => Some(Step::Found(trail, Vec::new())),
            (Direction::Backward, None) => {
                self.wrapped = true;
                None
            }
        }
    }

    fn at_the_end(&mut self) -> Option<Step<'a>> {
        match (self.direction, self.last.take()) {
            (Direction::Forward, _) if !self.wrapped => {
                self.wrapped = true;
                self.restart();
                None
            }
            (_, Some(trail)) => Some(Step::Found(trail, Vec::new())),
            (_, None) => Some(self.nothing()),
        }
    }

    fn nothing(&self) -> Step<'a> {
        Step::Missing(format!("no key and no value has {}", self.pattern))
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
        in_name
            || match child.thing {
                Thing::Value(value) if value.has_children() || value.packed_len().is_some() => {
                    false
                }
                Thing::Value(value) => in_value(value),
                Thing::Part(Part::Text(text), _) => self.pattern.is_match(text.as_bytes()),
                Thing::Part(..) | Thing::Broken(_) => false,
            }
    }
}

/// Numbers of packed arrays are passed.
fn is_searched(value: VariantRef<'_>) -> bool {
    value.has_children() || value.as_strings().is_some()
}
