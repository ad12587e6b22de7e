//! [`Cut`]: the bytes of a damaged value that are left out, and the corrected counts around them.

use std::ops::Range;

use gdvar_view::{Document, Error as ReadError, Limits, ReadOptions};

use super::{
    level::{Level, Members, SHARED, field_end},
    recovered::{Lost, Recovered, splice},
    validity::padding,
};
use crate::{
    container::Name,
    path_builder::{self, PathBuilder},
    plan::{Plan, Splice, word},
};

/// The place after the damage from which children are kept again.
#[derive(Clone, Copy, Debug)]
pub(super) struct Resume {
    /// The index of the container that these children belong to; 0 is the outermost.
    pub(super) level: usize,
    pub(super) at: usize,
    /// The number of this container's children from there on.
    pub(super) tail: usize,
}

/// A gap in a damaged value: a range of bytes that is left out. It lies in the innermost of
/// `levels`.
#[derive(Clone, Debug)]
pub(super) struct Cut {
    pub(super) levels: Vec<Level>,
    /// The number of children of the innermost container that are kept before the gap.
    pub(super) kept: usize,
    /// The end of the last kept child before the gap.
    pub(super) end: usize,
    /// `None` if nothing after the gap is kept.
    pub(super) resume: Option<Resume>,
    /// `true` if the omitted child has no children.
    pub(super) is_leaf: bool,
}

impl Cut {
    /// Keeps only what lies before the damage. `kept` is the number of children of the innermost container
    /// that remain: all that were read, all but the last, or none.
    pub(super) fn before(levels: &[Level], kept: usize) -> Cut {
        let cut = Cut {
            levels: levels.to_vec(),
            kept,
            end: 0,
            resume: None,
            is_leaf: false,
        };
        cut.at_the_end_of_what_is_kept()
    }

    /// Sets `end` to the end of the kept children.
    pub(super) fn at_the_end_of_what_is_kept(mut self) -> Cut {
        self.end = self.levels.last().map_or(0, |level| match self.kept {
            0 => level.count_at + 4,
            kept if kept == level.done => level.start,
            _ => level.before,
        });
        self
    }

    /// Drops inner containers that would be empty.
    fn without_empty(mut self) -> Cut {
        // A container inside a key cannot be kept in part: that would be another key.
        let is_key = |pair: &[Level]| pair[0].value_at.is_none();
        if let Some(outer) = self.levels.windows(2).position(is_key) {
            self.levels.truncate(outer + 1);
            (self.kept, self.end) = (self.levels[outer].done, self.levels[outer].start);
            self.resume = self.resume.filter(|resume| resume.level < outer);
        }
        let least = self.resume.map_or(0, |resume| resume.level);
        while self.kept == 0 && self.levels.len() > least + 1 {
            self.levels.pop();
            let Some(outer) = self.levels.last() else {
                break;
            };
            (self.kept, self.end) = (outer.done, outer.start);
        }
        self
    }

    /// Applies the cut to `bytes`.
    pub(super) fn recovered(
        self,
        bytes: &[u8],
        options: ReadOptions,
        error: ReadError,
    ) -> Recovered<'_> {
        let damaged = damaged(bytes, &self.levels, options);
        let cut = self.without_empty();
        let mut splices = Vec::new();
        let mut lost = Vec::new();
        let last = cut.levels.len() - 1;
        let mut gone = 0;
        for (n, level) in cut.levels.iter().enumerate() {
            let inner = usize::from(n < last);
            let front = if n < last { level.done } else { cut.kept } + inner;
            let tail = match cut.resume {
                Some(resume) if n == resume.level => resume.tail,
                Some(resume) if n < resume.level => level.left(),
                _ => 0,
            };
            let count = front + tail;
            if count != level.count || level.is_overfull {
                splices.push(with_count(bytes, level, count, options));
            }
            if count < level.count {
                lost.push(Lost {
                    path: path(bytes, &cut.levels[..n], options),
                    from: front,
                    count: level.count - count,
                    of: level.count,
                });
                gone += level.count - count;
            }
        }
        let resume = cut.resume.map_or(bytes.len(), |resume| resume.at);
        // The bytes may lack only the last padding of a valid child.
        let missing = match cut.end == bytes.len() {
            true => padding(cut.end, options),
            false => 0,
        };
        if resume > cut.end || missing > 0 {
            splices.push(splice(cut.end, resume, vec![0; missing]));
        }
        let is_counted = cut.is_leaf && cut.resume.is_some();
        Recovered {
            plan: Plan::new(bytes, splices).ok(),
            lost,
            skipped: skipped(cut.end..resume),
            gone: is_counted.then_some(gone),
            damage: Some(error),
            damaged: Some(damaged),
        }
    }
}

impl<'a> Recovered<'a> {
    /// Makes a result that keeps all bytes and corrects a word.
    pub(super) fn mended(
        bytes: &'a [u8],
        splices: Vec<Splice<'a>>,
        error: ReadError,
        levels: &[Level],
        options: ReadOptions,
    ) -> Recovered<'a> {
        let outer = levels.len().saturating_sub(1);
        Recovered {
            plan: Plan::new(bytes, splices).ok(),
            lost: Vec::new(),
            skipped: Vec::new(),
            gone: Some(0),
            damage: Some(error),
            damaged: Some(path(bytes, &levels[..outer], options)),
        }
    }

    /// Also leaves out the bytes in `rest`, which follow the value.
    pub(super) fn without(mut self, rest: Range<usize>) -> Recovered<'a> {
        match self.skipped.last_mut() {
            Some(last) if last.end == rest.start => last.end = rest.end,
            _ => self.skipped.extend(skipped(rest)),
        }
        self
    }

    /// Makes a result that keeps nothing.
    pub(super) fn nothing(error: ReadError) -> Recovered<'a> {
        Recovered {
            plan: None,
            lost: Vec::new(),
            skipped: Vec::new(),
            gone: None,
            damage: Some(error),
            damaged: Some("$".to_owned()),
        }
    }
}

pub(super) fn skipped(range: Range<usize>) -> Vec<Range<usize>> {
    if range.is_empty() {
        Vec::new()
    } else {
        vec![range]
    }
}

fn with_count(bytes: &[u8], level: &Level, count: usize, options: ReadOptions) -> Splice<'static> {
    // Only Godot 2 uses this bit. Other engines never write it.
    let has_shared = options.dialect().has_shared_containers();
    let shared = if has_shared { SHARED } else { 0 } & word(bytes, level.count_at);
    let new = (u32::try_from(count).unwrap_or(u32::MAX) | shared).to_le_bytes();
    splice(level.count_at, level.count_at + 4, new.to_vec())
}

/// Returns the path of the current child of the innermost of `levels`.
fn path(bytes: &[u8], levels: &[Level], options: ReadOptions) -> String {
    let mut built = PathBuilder::new();
    for level in levels {
        built.push_step(&step(bytes, level, options).unwrap_or_default());
    }
    built.as_str().to_owned()
}

/// Returns the path of the damaged value.
fn damaged(bytes: &[u8], levels: &[Level], options: ReadOptions) -> String {
    let Some((level, outer)) = levels.split_last() else {
        return "$".to_owned();
    };
    let mut text = path(bytes, outer, options);
    match step(bytes, level, options) {
        Some(step) if level.value_at.is_some() => text += &step,
        _ => text += &format!("{{{}:key}}", level.done),
    }
    text
}

/// Returns the path step from `level` to its current child.
fn step(bytes: &[u8], level: &Level, options: ReadOptions) -> Option<String> {
    let deep = options.with_limits(Limits::MOST);
    let key = match level.members {
        Members::Elements => return Some(path_builder::step(Name::Place, level.done)),
        Members::Pairs => bytes.get(level.start..)?.into(),
        Members::Properties => {
            let name = bytes.get(level.start..field_end(bytes, level.start)?)?;
            // A property name has the layout of a String without its header, so it becomes one here.
            std::borrow::Cow::<[u8]>::from([&[4, 0, 0, 0], name].concat())
        }
    };
    let key = Document::with_options(&key, deep).root();
    Some(path_builder::step(
        key.map_or(Name::Place, Name::Key),
        level.done,
    ))
}
