//! [`diff`]: lists the differences between two values.

mod align;
mod same;

use std::{
    collections::HashMap,
    hash::{DefaultHasher, Hash, Hasher},
};

use gdvar_view::{Error, Kind, VariantRef};

use crate::{
    container::{Child, Container, Name},
    key::KeyQuery,
    path_builder::PathBuilder,
};
use align::{Alignment, by_content, by_key};

/// What counts as a difference.
#[derive(Clone, Copy, PartialEq, Debug, Default)]
pub struct DiffOptions {
    tolerance: f64,
    exact: bool,
}

impl DiffOptions {
    /// Finds differences that a reader would see: another type or another value. Numbers in another width are
    /// equal. Two dictionaries are equal if only the order of their pairs differs.
    #[must_use]
    pub const fn new() -> DiffOptions {
        DiffOptions {
            tolerance: 0.0,
            exact: false,
        }
    }

    /// Finds every difference of the bytes, as [`Patch`](crate::Patch) needs.
    #[must_use]
    pub const fn exact() -> DiffOptions {
        DiffOptions {
            tolerance: 0.0,
            exact: true,
        }
    }

    /// Treats floats as equal if they differ by at most `tolerance`, also inside vectors and packed arrays.
    #[must_use]
    pub const fn with_tolerance(self, tolerance: f64) -> DiffOptions {
        DiffOptions { tolerance, ..self }
    }
}

/// One difference.
#[derive(Clone, Debug)]
pub struct Difference<'a> {
    path: String,
    change: Change<'a>,
    place: Anchor<'a>,
}

/// The kinds of difference.
#[derive(Clone, Copy, Debug)]
#[non_exhaustive]
pub enum Change<'a> {
    /// Another value is in the same place.
    Set {
        /// The old value.
        from: VariantRef<'a>,
        /// The new value.
        to: VariantRef<'a>,
    },
    /// A value was added. The path is its path in the new bytes.
    Added {
        /// The added value.
        value: VariantRef<'a>,
    },
    /// A value was removed. The path is its path in the old bytes.
    Removed {
        /// The removed value.
        value: VariantRef<'a>,
    },
    /// A value moved among its siblings, unchanged. The path is its path in the old bytes.
    Moved {
        /// The moved value, in the old bytes.
        value: VariantRef<'a>,
        /// Its index among the children of the new container.
        to: usize,
    },
}

/// Where in the old bytes a change is made.
#[derive(Clone, Debug, Default)]
pub(crate) struct Anchor<'a> {
    /// The path of the container.
    pub(crate) container: String,
    /// The index of the old child before which something is inserted.
    pub(crate) before: usize,
    /// The index of the old child.
    pub(crate) nth: usize,
    /// The child that is added (from the new container), removed or moved (from the old one).
    pub(crate) child: Option<Child<'a>>,
    /// The number of children of the old container.
    pub(crate) of: usize,
}

impl<'a> Difference<'a> {
    /// Returns the path of the value, such as `$.party[0].hp`. A key that cannot be written in a path is
    /// given by its index: `$.map{3}`.
    #[must_use]
    pub fn path(&self) -> &str {
        &self.path
    }

    /// Returns what changed.
    #[must_use]
    pub const fn change(&self) -> Change<'a> {
        self.change
    }

    pub(crate) const fn anchor(&self) -> &Anchor<'a> {
        &self.place
    }
}

/// Iterates over the differences between two values, in the order of the values. Each difference is computed
/// when it is asked for: one walk over both values, with memory for the children of the open containers that
/// differ.
///
/// Children of dictionaries are matched by key. Array elements are matched by content where that is unique,
/// and otherwise by index. Moved elements are recognised.
///
/// ```
/// use gdvar_edit::{Dialect, DiffOptions, Document, diff};
///
/// // [1, 2] and [2, 2.5]
/// let old = b"\x1c\0\0\0\x02\0\0\0\x02\0\0\0\x01\0\0\0\x02\0\0\0\x02\0\0\0";
/// let new = b"\x1c\0\0\0\x02\0\0\0\x02\0\0\0\x02\0\0\0\x03\0\0\0\0\0\x20\x40";
/// let (old, new) = (Document::new(old, Dialect::GODOT_4), Document::new(new, Dialect::GODOT_4));
/// let all: Result<Vec<_>, _> = diff(old.root()?, new.root()?, DiffOptions::new()).collect();
/// let paths: Vec<_> = all?.iter().map(|one| one.path().to_owned()).collect();
/// assert_eq!(paths, ["$[0]", "$[1]"]);
/// # Ok::<(), gdvar_edit::ReadError>(())
/// ```
#[must_use]
pub fn diff<'a>(old: VariantRef<'a>, new: VariantRef<'a>, options: DiffOptions) -> Diff<'a> {
    Diff {
        options,
        path: PathBuilder::new(),
        next: Some((old, new)),
        open: Vec::new(),
        is_done: false,
    }
}

/// The iterator that [`diff`] returns. It is fused after an error.
#[derive(Debug)]
pub struct Diff<'a> {
    options: DiffOptions,
    path: PathBuilder,
    /// The two values to compare next.
    next: Option<(VariantRef<'a>, VariantRef<'a>)>,
    open: Vec<OpenPair<'a>>,
    is_done: bool,
}

/// Two containers whose children are compared.
struct OpenPair<'a> {
    old: Vec<Child<'a>>,
    new: Vec<Child<'a>>,
    /// The number of equal leading children, which are not stored.
    passed: usize,
    alignments: std::vec::IntoIter<Alignment>,
    /// For each index, the next old child that keeps its place.
    stays: Vec<usize>,
    done: usize,
    /// The length of the containers' path.
    path_len: usize,
}

impl std::fmt::Debug for OpenPair<'_> {
    fn fmt(&self, f: &mut std::fmt::Formatter<'_>) -> std::fmt::Result {
        f.debug_struct("OpenPair").finish_non_exhaustive()
    }
}

impl<'a> Diff<'a> {
    /// Returns the next difference, or `Ok(None)` at the end and after an error.
    ///
    /// # Errors
    /// Returns an error if a part of one of the values cannot be read.
    pub fn try_next(&mut self) -> Result<Option<Difference<'a>>, Error> {
        if self.is_done {
            return Ok(None);
        }
        let found = self.step();
        self.is_done = !matches!(found, Ok(Some(_)));
        found
    }

    fn step(&mut self) -> Result<Option<Difference<'a>>, Error> {
        loop {
            if let Some((old, new)) = self.next.take() {
                if let Some(found) = self.compare(old, new)? {
                    return Ok(Some(found));
                }
                continue;
            }
            let Some(open) = self.open.last_mut() else {
                return Ok(None);
            };
            self.path.truncate(open.path_len);
            let Some(alignment) = open.alignments.next() else {
                self.open.pop();
                continue;
            };
            if let Alignment::Kept(old, new) = alignment {
                open.done = old + 1;
                self.path.push(open.old[old].name, open.passed + old);
                self.next = Some((open.old[old].value, open.new[new].value));
                continue;
            }
            return open.difference(alignment, &self.path).map(Some);
        }
    }

    /// Compares two values: they are equal, differ as a whole, or differ in their children.
    fn compare(
        &mut self,
        old: VariantRef<'a>,
        new: VariantRef<'a>,
    ) -> Result<Option<Difference<'a>>, Error> {
        let (old_raw, new_raw) = (old.raw()?, new.raw()?);
        let same_reader = old.dialect() == new.dialect();
        if same_reader && old_raw == new_raw {
            return Ok(None);
        }
        let set = Difference {
            path: self.path.as_str().to_owned(),
            change: Change::Set { from: old, to: new },
            place: Anchor::default(),
        };
        let (Some(a), Some(b)) = (Container::of(old)?, Container::of(new)?) else {
            let exact = self.options.exact && same_reader;
            let same = !exact && same::leaves(old, new, self.options.tolerance);
            return Ok((!same).then_some(set));
        };
        if !same::heads(a, b, self.options.exact && same_reader) {
            return Ok(Some(set));
        }
        match self.open(a, b)? {
            Some(open) => {
                self.open.push(open);
                Ok(None)
            }
            None => Ok(Some(set)),
        }
    }

    /// Reads the children of two containers and matches them. Returns `None` if the containers should be
    /// replaced as a whole.
    fn open(&self, a: Container<'a>, b: Container<'a>) -> Result<Option<OpenPair<'a>>, Error> {
        let (mut left, mut right) = (a.children(), b.children());
        let (mut old, mut new) = (Vec::new(), Vec::new());
        let mut passed = 0;
        let (a_bytes, b_bytes) = (a.value.options(), b.value.options());
        let same_reader = a_bytes.dialect() == b_bytes.dialect();
        loop {
            let (one, other) = (left.try_next()?, right.try_next()?);
            let (Some(one), Some(other)) = (one, other) else {
                old.extend(one);
                new.extend(other);
                break;
            };
            let same = same_reader
                && name_raw(one)? == name_raw(other)?
                && one.value.raw()? == other.value.raw()?;
            // Dictionary keys are all kept, because they must be checked for repetitions.
            if same && a.is_array() && old.is_empty() {
                passed += 1;
            } else {
                old.push(one);
                new.push(other);
            }
        }
        while let Some(one) = left.try_next()? {
            old.push(one);
        }
        while let Some(other) = right.try_next()? {
            new.push(other);
        }
        let alignments = if a.is_array() {
            Some(self.items(&old, &new)?)
        } else {
            self.pairs((a, &old), (b, &new))?
        };
        let Some(alignments) = alignments else {
            return Ok(None);
        };
        // An added child goes before the next old child that keeps its place.
        let mut stays = vec![old.len(); old.len() + 1];
        for alignment in &alignments {
            if let Alignment::Kept(place, _) = alignment {
                stays[*place] = *place;
            }
        }
        for place in (0..old.len()).rev() {
            stays[place] = stays[place].min(stays[place + 1]);
        }
        Ok(Some(OpenPair {
            old,
            new,
            passed,
            alignments: alignments.into_iter(),
            stays,
            done: 0,
            path_len: self.path.len(),
        }))
    }

    fn items(&self, old: &[Child<'a>], new: &[Child<'a>]) -> Result<Vec<Alignment>, Error> {
        let hash = |child: &Child<'a>| {
            let mut hasher = DefaultHasher::new();
            child.value.raw()?.hash(&mut hasher);
            Ok(hasher.finish())
        };
        let olds: Vec<u64> = old.iter().map(hash).collect::<Result<_, Error>>()?;
        let news: Vec<u64> = new.iter().map(hash).collect::<Result<_, Error>>()?;
        Ok(by_content(&olds, &news, |a, b| {
            let (a, b) = (old[a].value.raw(), new[b].value.raw());
            a.is_ok() && a == b
        }))
    }

    /// Matches pairs or properties by their keys. Returns `None`, so that the container is replaced as a
    /// whole, if a key is repeated, if the bytes of a key changed, or if a key that only the engine can
    /// compare is on one side only.
    fn pairs(
        &self,
        (a, old): (Container<'a>, &[Child<'a>]),
        (b, new): (Container<'a>, &[Child<'a>]),
    ) -> Result<Option<Vec<Alignment>>, Error> {
        // A patch cannot describe padding that is not zero.
        if self.options.exact && !(has_zero_padding(a, old)? && has_zero_padding(b, new)?) {
            return Ok(None);
        }
        let mut places = HashMap::new();
        for (n, child) in old.iter().enumerate() {
            if places.insert(key_of(*child)?, n).is_some() {
                return Ok(None);
            }
        }
        let mut pairs = Vec::new();
        let mut seen = vec![false; old.len()];
        for (n, child) in new.iter().enumerate() {
            let (key, is_odd) = key_of(*child)?;
            match places.get(&(key, is_odd)).copied() {
                Some(place) if seen[place] => return Ok(None),
                Some(place) => {
                    seen[place] = true;
                    if self.options.exact && name_raw(old[place])? != name_raw(*child)? {
                        return Ok(None);
                    }
                    pairs.push((place, n));
                }
                None if is_odd => return Ok(None),
                None => {}
            }
        }
        let mut distinct = std::collections::HashSet::new();
        for child in new {
            if !distinct.insert(key_of(*child)?) {
                return Ok(None);
            }
        }
        for (child, seen) in old.iter().zip(&seen) {
            if !seen && key_of(*child)?.1 {
                return Ok(None);
            }
        }
        let mut alignments = by_key(&pairs, old.len(), new.len());
        for alignment in &mut alignments {
            if let Alignment::Moved(a, b) = *alignment {
                let same = old[a].value.raw()? == new[b].value.raw()?;
                match (same, self.options.exact) {
                    // Only the order differs, which is not a difference of the values.
                    (_, false) => *alignment = Alignment::Kept(a, b),
                    (true, true) => {}
                    (false, true) => return Ok(None),
                }
            }
        }
        Ok(Some(alignments))
    }
}

/// A key as the engine compares it; if that is unknown, its text or bytes.
type KeyIdentity<'a> = (Option<KeyQuery<'a>>, &'a [u8]);

/// Returns the identity of a child's key. The flag is `true` if only the engine could say whether two such
/// keys are equal.
fn key_of(child: Child<'_>) -> Result<(KeyIdentity<'_>, bool), Error> {
    if let Some(query) = KeyQuery::of_child(child) {
        return Ok(((Some(query), &[]), false));
    }
    // Where a StringName never equals a String, its text alone identifies it, whatever unused bits its header
    // has.
    if let Name::Key(key) = child.name {
        if let Some(text) = key.as_text().filter(|_| key.kind() == Kind::StringName) {
            return Ok(((None, text.as_bytes()), false));
        }
    }
    Ok(((None, name_raw(child)?), true))
}

/// Returns `true` if the padding of all property names is zero.
fn has_zero_padding(container: Container<'_>, children: &[Child<'_>]) -> Result<bool, Error> {
    if !container.is_object() {
        return Ok(true);
    }
    let (raw, start) = (container.value.raw()?, container.value.offset());
    Ok(children.iter().all(|child| {
        let Name::Property(name) = child.name else {
            return true;
        };
        let from = name.offset() + name.raw().len() - start;
        let padding = raw.get(from..child.value.offset() - start);
        padding.is_some_and(|padding| padding.iter().all(|byte| *byte == 0))
    }))
}

/// Returns the bytes of a child's key or name.
fn name_raw(child: Child<'_>) -> Result<&[u8], Error> {
    match child.name {
        Name::Place => Ok(&[]),
        Name::Key(key) => key.raw(),
        Name::Property(name) => Ok(name.raw()),
    }
}

impl<'a> OpenPair<'a> {
    /// Describes a child that was added, removed or moved. `parent` is the path of the container.
    fn difference(
        &self,
        alignment: Alignment,
        parent: &PathBuilder,
    ) -> Result<Difference<'a>, Error> {
        let stay = self.stays.get(self.done).copied();
        let mut place = Anchor {
            container: parent.as_str().to_owned(),
            before: self.passed + stay.unwrap_or(self.old.len()),
            of: self.passed + self.old.len(),
            ..Anchor::default()
        };
        let mut of_old = |old: usize| {
            place.nth = self.passed + old;
            place.child = Some(self.old[old]);
            parent.with(self.old[old].name, self.passed + old)
        };
        let (path, change) = match alignment {
            Alignment::Removed(old) => {
                let value = self.old[old].value;
                (of_old(old), Change::Removed { value })
            }
            Alignment::Moved(old, new) => {
                let (value, to) = (self.old[old].value, self.passed + new);
                (of_old(old), Change::Moved { value, to })
            }
            Alignment::Added(new) | Alignment::Kept(_, new) => {
                place.child = Some(self.new[new]);
                let value = self.new[new].value;
                let path = parent.with(self.new[new].name, self.passed + new);
                (path, Change::Added { value })
            }
        };
        Ok(Difference {
            path,
            change,
            place,
        })
    }
}

impl<'a> Iterator for Diff<'a> {
    type Item = Result<Difference<'a>, Error>;

    fn next(&mut self) -> Option<Self::Item> {
        self.try_next().transpose()
    }
}
