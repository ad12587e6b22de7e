//! [`diff`]: in which values two values differ.

mod align;
mod same;

use std::{
    collections::HashMap,
    hash::{DefaultHasher, Hash, Hasher},
};

use gdvar_view::{Error, Kind, VariantRef};

use crate::{
    container::{Child, Container, Name},
    key::Wanted,
    trail::Trail,
};
use align::{Fate, by_content, by_key};

/// The things that count as a difference.
#[derive(Clone, Copy, PartialEq, Debug, Default)]
pub struct DiffOptions {
    tolerance: f64,
    exact: bool,
}

impl DiffOptions {
    /// Differences that are read: another type or another value. Numbers in another width are the same, and
    /// so are the same pairs of a Dictionary in another order if nothing else differs.
    #[must_use]
    pub const fn new() -> DiffOptions {
        DiffOptions {
            tolerance: 0.0,
            exact: false,
        }
    }

    /// Every difference of the bytes: for [`Patch`](crate::Patch).
    #[must_use]
    pub const fn exact() -> DiffOptions {
        DiffOptions {
            tolerance: 0.0,
            exact: true,
        }
    }

    /// Floats, also those in vectors and packed arrays, are the same if they differ by no more than that.
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
    /// Another value stands there.
    Set {
        /// The old one.
        from: VariantRef<'a>,
        /// The new one.
        to: VariantRef<'a>,
    },
    /// A value is there that was not; the path is that in the new bytes.
    Added {
        /// It.
        value: VariantRef<'a>,
    },
    /// A value is not there any more; the path is that in the old bytes.
    Removed {
        /// It.
        value: VariantRef<'a>,
    },
    /// A value stands elsewhere among its siblings, unchanged; the path is that in the old bytes.
    Moved {
        /// It, in the old bytes.
        value: VariantRef<'a>,
        /// Its number among the children of the new container.
        to: usize,
    },
}

/// The place in the old bytes at which a change is made.
#[derive(Clone, Debug, Default)]
pub(crate) struct Anchor<'a> {
    /// The path of the container.
    pub(crate) container: String,
    /// The number of the old child in front of which something is put.
    pub(crate) before: usize,
    /// The number of the old child.
    pub(crate) nth: usize,
    /// The child of the new container that is added, or the old one that is removed or moved.
    pub(crate) child: Option<Child<'a>>,
    /// The number of children of the old container.
    pub(crate) of: usize,
}

impl<'a> Difference<'a> {
    /// The place: `$.party[0].hp`. A place that a path cannot say by name it says by number:
    /// `$.map{3}`.
    #[must_use]
    pub fn path(&self) -> &str {
        &self.path
    }

    /// The change.
    #[must_use]
    pub const fn change(&self) -> Change<'a> {
        self.change
    }

    pub(crate) const fn anchor(&self) -> &Anchor<'a> {
        &self.place
    }
}

/// The differences of two values, one after the other, in the order of the values. They are looked for as they
/// are asked for: one walk over both, and memory for the children of those containers that are open and
/// differ.
///
/// Children of dictionaries belong together by their keys, elements of arrays by their content where that stands
/// alone, and else by their place. Elements that were moved are recognized.
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
        trail: Trail::new(),
        next: Some((old, new)),
        open: Vec::new(),
        is_done: false,
    }
}

/// Iterator of [`diff`], fused after an error.
#[derive(Debug)]
pub struct Diff<'a> {
    options: DiffOptions,
    trail: Trail,
    /// Two values to be compared next.
    next: Option<(VariantRef<'a>, VariantRef<'a>)>,
    open: Vec<Open<'a>>,
    is_done: bool,
}

/// Two containers whose children are compared.
struct Open<'a> {
    old: Vec<Child<'a>>,
    new: Vec<Child<'a>>,
    /// The number of children in front that are equal and were not kept.
    passed: usize,
    fates: std::vec::IntoIter<Fate>,
    /// For each place the next old child that stays where it is.
    stays: Vec<usize>,
    done: usize,
    trail: usize,
}

impl std::fmt::Debug for Open<'_> {
    fn fmt(&self, f: &mut std::fmt::Formatter<'_>) -> std::fmt::Result {
        f.debug_struct("Open").finish_non_exhaustive()
    }
}

impl<'a> Diff<'a> {
    /// The next difference; `Ok(None)` at the end, and after an error.
    ///
    /// # Errors
    /// If a part of one of the values cannot be read.
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
            self.trail.truncate(open.trail);
            let Some(fate) = open.fates.next() else {
                self.open.pop();
                continue;
            };
            if let Fate::Kept(old, new) = fate {
                open.done = old + 1;
                self.trail.push(open.old[old].name, open.passed + old);
                self.next = Some((open.old[old].value, open.new[new].value));
                continue;
            }
            return open.difference(fate, &self.trail).map(Some);
        }
    }

    /// Compares two values: the same, different as a whole, or in their children.
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
            path: self.trail.as_str().to_owned(),
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

    /// The children of two containers, and which belong together; `None` if they are better replaced together.
    fn open(&self, a: Container<'a>, b: Container<'a>) -> Result<Option<Open<'a>>, Error> {
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
            // Keys have to be looked at for repeated ones, all of them.
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
        let fates = if a.is_array() {
            Some(self.items(&old, &new)?)
        } else {
            self.pairs((a, &old), (b, &new))?
        };
        let Some(fates) = fates else {
            return Ok(None);
        };
        // An added child stands in front of the next old child that stays.
        let mut stays = vec![old.len(); old.len() + 1];
        for fate in &fates {
            if let Fate::Kept(place, _) = fate {
                stays[*place] = *place;
            }
        }
        for place in (0..old.len()).rev() {
            stays[place] = stays[place].min(stays[place + 1]);
        }
        Ok(Some(Open {
            old,
            new,
            passed,
            fates: fates.into_iter(),
            stays,
            done: 0,
            trail: self.trail.len(),
        }))
    }

    fn items(&self, old: &[Child<'a>], new: &[Child<'a>]) -> Result<Vec<Fate>, Error> {
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

    /// Pairs or properties, by their keys. `None` if a key is there twice, or is one of those that only the
    /// engine can compare and not on both sides, or has other bytes on the other side.
    fn pairs(
        &self,
        (a, old): (Container<'a>, &[Child<'a>]),
        (b, new): (Container<'a>, &[Child<'a>]),
    ) -> Result<Option<Vec<Fate>>, Error> {
        // Padding that is not zero cannot be told in a patch.
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
        let mut fates = by_key(&pairs, old.len(), new.len());
        for fate in &mut fates {
            if let Fate::Moved(a, b) = *fate {
                let same = old[a].value.raw()? == new[b].value.raw()?;
                match (same, self.options.exact) {
                    // If only the order differs, nothing that is read does.
                    (_, false) => *fate = Fate::Kept(a, b),
                    (true, true) => {}
                    (false, true) => return Ok(None),
                }
            }
        }
        Ok(Some(fates))
    }
}

/// A key as the engine compares it, or its text or bytes.
type Known<'a> = (Option<Wanted<'a>>, &'a [u8]);

/// The key that a child is known by, and whether only the engine can say whether two such are one.
fn key_of(child: Child<'_>) -> Result<(Known<'_>, bool), Error> {
    if let Some(wanted) = Wanted::of_child(child) {
        return Ok(((Some(wanted), &[]), false));
    }
    // A StringName where a String is another key: one text, whatever the bits of its header that mean nothing.
    if let Name::Key(key) = child.name {
        if let Some(text) = key.as_text().filter(|_| key.kind() == Kind::StringName) {
            return Ok(((None, text.as_bytes()), false));
        }
    }
    Ok(((None, name_raw(child)?), true))
}

/// Returns `true` if nothing but zeros stands behind the names of properties.
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

/// The bytes of a child's key or name.
fn name_raw(child: Child<'_>) -> Result<&[u8], Error> {
    match child.name {
        Name::Place => Ok(&[]),
        Name::Key(key) => key.raw(),
        Name::Property(name) => Ok(name.raw()),
    }
}

impl<'a> Open<'a> {
    /// A child that is not where it was.
    fn difference(&self, fate: Fate, trail: &Trail) -> Result<Difference<'a>, Error> {
        let stay = self.stays.get(self.done).copied();
        let mut place = Anchor {
            container: trail.as_str().to_owned(),
            before: self.passed + stay.unwrap_or(self.old.len()),
            of: self.passed + self.old.len(),
            ..Anchor::default()
        };
        let mut of_old = |old: usize| {
            place.nth = self.passed + old;
            place.child = Some(self.old[old]);
            trail.with(self.old[old].name, self.passed + old)
        };
        let (path, change) = match fate {
            Fate::Removed(old) => {
                let value = self.old[old].value;
                (of_old(old), Change::Removed { value })
            }
            Fate::Moved(old, new) => {
                let (value, to) = (self.old[old].value, self.passed + new);
                (of_old(old), Change::Moved { value, to })
            }
            Fate::Added(new) | Fate::Kept(_, new) => {
                place.child = Some(self.new[new]);
                let value = self.new[new].value;
                let path = trail.with(self.new[new].name, self.passed + new);
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
