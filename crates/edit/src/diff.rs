//! [`diff`]: lists the differences between two values.

mod align;
mod key_identity;
mod same;
mod whole;

use std::collections::{HashMap, HashSet};

use gdvar_view::{Error, Kind, VariantRef};

use crate::{
    container::{Child, Container, Name},
    path_builder::PathBuilder,
};
use align::{Alignment, by_content, by_key};
use key_identity::KeyIdentity;
use whole::{Middle, Whole};

/// Options of [`diff`]: which differences count.
#[derive(Clone, Copy, PartialEq, Debug, Default)]
pub struct DiffOptions {
    tolerance: f64,
    exact: bool,
    in_place: bool,
}

impl DiffOptions {
    /// Finds differences that a reader would see: another type or another value. Numbers that differ only in
    /// their width are equal. So are Dictionaries that differ only in the order of their pairs.
    #[must_use]
    pub const fn new() -> DiffOptions {
        DiffOptions {
            tolerance: 0.0,
            exact: false,
            in_place: false,
        }
    }

    /// Finds every difference of the bytes. [`Patch`](crate::Patch) uses these options.
    #[must_use]
    pub const fn exact() -> DiffOptions {
        DiffOptions {
            tolerance: 0.0,
            exact: true,
            in_place: false,
        }
    }

    /// Returns options that replace fewer Dictionaries as a whole: a pair that moved among its siblings stays in its old
    /// place, and keys with different bytes are different keys, also those that only the engine can compare.
    pub(crate) const fn in_place(self) -> DiffOptions {
        DiffOptions {
            in_place: true,
            ..self
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
    /// The value was replaced.
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
        /// The index of the moved value among the children of the new container.
        to: usize,
    },
}

/// Where in the old bytes a change is made.
#[derive(Clone, Debug, Default)]
pub(crate) struct Anchor<'a> {
    /// The path of the container.
    pub(crate) container: String,
    /// The index of the old child before which the new one is inserted.
    pub(crate) before: usize,
    /// The index of the old child that is removed or moved.
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

/// Iterates over the differences between two values, in the order of the values. Each step of the
/// iterator computes one difference. Together the steps take one walk over both values, and memory
/// for the children of the open containers that differ.
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
        roots: Some((old, new)),
        open: Vec::new(),
        is_done: false,
    }
}

/// The iterator that [`diff`] returns. After an error it ends.
#[derive(Debug)]
pub struct Diff<'a> {
    options: DiffOptions,
    path: PathBuilder,
    /// The two values, until they are compared.
    roots: Option<(VariantRef<'a>, VariantRef<'a>)>,
    open: Vec<OpenPair<'a>>,
    is_done: bool,
}

/// Two containers whose children are compared.
struct OpenPair<'a> {
    old: Vec<Whole<'a>>,
    new: Vec<Whole<'a>>,
    /// The number of equal elements at the front of an Array. Like the equal ones at its end, they are not in
    /// `old` and `new`.
    passed: usize,
    /// The number of children of the old container.
    of: usize,
    alignments: std::vec::IntoIter<Alignment>,
    /// For each index of an old child, the next old child that keeps its place.
    stays: Vec<usize>,
    done: usize,
    /// The length of the path of the two containers.
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
            let (old, new) = match self.roots.take() {
                Some((old, new)) => (Whole::root(old)?, Whole::root(new)?),
                None => {
                    let Some(open) = self.open.last_mut() else {
                        return Ok(None);
                    };
                    self.path.truncate(open.path_len);
                    let Some(alignment) = open.alignments.next() else {
                        self.open.pop();
                        continue;
                    };
                    let Alignment::Kept(old, new) = alignment else {
                        return Ok(Some(open.difference(alignment, &self.path)));
                    };
                    open.done = old + 1;
                    (open.old[old], open.new[new])
                }
            };
            if old.is_same(new) {
                continue;
            }
            if let Some(open) = self.open.last() {
                self.path.push(old.child.name, open.passed + open.done - 1);
            }
            if let Some(found) = self.compare(old, new)? {
                return Ok(Some(found));
            }
        }
    }

    /// Compares two values with different bytes. They may still be equal, differ as a whole, or differ in
    /// their children.
    fn compare(
        &mut self,
        one: Whole<'a>,
        other: Whole<'a>,
    ) -> Result<Option<Difference<'a>>, Error> {
        let (old, new) = (one.child.value, other.child.value);
        let exact = self.options.exact && old.dialect() == new.dialect();
        let set = Difference {
            path: self.path.as_str().to_owned(),
            change: Change::Set { from: old, to: new },
            place: Anchor::default(),
        };
        let (Some(a), Some(b)) = (Container::of(old)?, Container::of(new)?) else {
            let same = !exact && same::leaves(old, new, self.options.tolerance);
            return Ok((!same).then_some(set));
        };
        if !same::heads((a, one.raw()), (b, other.raw()), exact) {
            return Ok(Some(set));
        }
        match self.open((a, one), (b, other))? {
            Some(open) => {
                self.open.push(open);
                Ok(None)
            }
            None => Ok(Some(set)),
        }
    }

    /// Reads the children of two containers and matches them. Returns `None` if the containers should be
    /// replaced as a whole.
    fn open(
        &self,
        (a, old): (Container<'a>, Whole<'a>),
        (b, new): (Container<'a>, Whole<'a>),
    ) -> Result<Option<OpenPair<'a>>, Error> {
        let (left, right) = (old.children(a)?, new.children(b)?);
        let is_one_dialect = a.value.dialect() == b.value.dialect();
        let middle = if a.is_array() && is_one_dialect {
            Middle::of_arrays(left, right)?
        } else {
            Middle::all(left, right)?
        };
        let alignments = if a.is_array() {
            let raw = |all: &[Whole<'a>]| Vec::from_iter(all.iter().map(|one| one.raw()));
            Some(by_content(&raw(&middle.old), &raw(&middle.new)))
        } else {
            self.pairs((a, &middle.old), (b, &middle.new))
        };
        let Some(alignments) = alignments else {
            return Ok(None);
        };
        // An added child goes before the next old child that keeps its place.
        let Middle { passed, old, new } = middle;
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
            of: a.len,
            alignments: alignments.into_iter(),
            stays,
            done: 0,
            path_len: self.path.len(),
        }))
    }

    /// Matches pairs or properties by their keys. Returns `None` if the container must be replaced as a
    /// whole: a key is repeated, the bytes of a key changed, or a key that only the engine can compare is on
    /// one side only.
    fn pairs(
        &self,
        old: (Container<'a>, &[Whole<'a>]),
        new: (Container<'a>, &[Whole<'a>]),
    ) -> Option<Vec<Alignment>> {
        let is_one_dialect = old.0.value.dialect() == new.0.value.dialect();
        let mut pairs = None;
        // Within one dialect it is enough to compare bytes, unless the widths of reals differ.
        if is_one_dialect || self.options.exact {
            pairs = self.pairs_by(false, old, new);
        }
        if pairs.is_none() && !self.options.exact {
            pairs = self.pairs_by(true, old, new);
        }
        pairs
    }

    /// Makes one attempt at the matching that [`Diff::pairs`] describes. A key that only the engine
    /// can compare is matched by its value if `by_value`, otherwise by its bytes.
    fn pairs_by(
        &self,
        by_value: bool,
        (a, old): (Container<'a>, &[Whole<'a>]),
        (b, new): (Container<'a>, &[Whole<'a>]),
    ) -> Option<Vec<Alignment>> {
        // A patch cannot describe padding that is not zero.
        if self.options.exact && !(has_zero_padding(a, old) && has_zero_padding(b, new)) {
            return None;
        }
        let exact = self.options.exact;
        let dialects = [a, b].map(|container| container.value.dialect());
        let has_names = dialects.map(|one| one.type_id(Kind::StringName).is_some());
        let typed = has_names == [true; 2]
            && dialects[0].string_names_equal_strings() != dialects[1].string_names_equal_strings();
        let mut places = HashMap::with_capacity(old.len());
        for (n, one) in old.iter().enumerate() {
            if places
                .insert(KeyIdentity::of(*one, by_value, typed), n)
                .is_some()
            {
                return None;
            }
        }
        let is_certain = |key: &KeyIdentity<'_>| self.options.in_place || key.is_certain();
        let mut pairs = Vec::new();
        let mut seen = vec![false; old.len()];
        let mut added = HashSet::new();
        for (n, one) in new.iter().enumerate() {
            let key = KeyIdentity::of(*one, by_value, typed);
            match places.get(&key).copied() {
                Some(place) if seen[place] => return None,
                Some(place) => {
                    seen[place] = true;
                    if exact && old[place].name_raw() != one.name_raw() {
                        return None;
                    }
                    pairs.push((place, n));
                }
                None if !is_certain(&key) || !added.insert(key) => return None,
                None => {}
            }
        }
        if places
            .iter()
            .any(|(key, place)| !seen[*place] && !is_certain(key))
        {
            return None;
        }
        let mut alignments = by_key(&pairs, old.len(), new.len());
        for alignment in &mut alignments {
            if let Alignment::Moved(a, b) = *alignment {
                match (old[a].raw() == new[b].raw(), self.options.exact) {
                    // Only the order of the pairs differs. The values are equal.
                    (_, false) => *alignment = Alignment::Kept(a, b),
                    _ if self.options.in_place => *alignment = Alignment::Kept(a, b),
                    (true, true) => {}
                    (false, true) => return None,
                }
            }
        }
        Some(alignments)
    }
}

/// Returns `true` if the padding of all property names is zero.
fn has_zero_padding(container: Container<'_>, children: &[Whole<'_>]) -> bool {
    if !container.is_object() {
        return true;
    }
    children.iter().all(|one| {
        let Name::Property(name) = one.child.name else {
            return true;
        };
        let padding = one.parts().0.get(4 + name.raw().len()..);
        padding.is_some_and(|padding| padding.iter().all(|byte| *byte == 0))
    })
}

impl<'a> OpenPair<'a> {
    /// Describes a child that was added, removed or moved. `parent` is the path of the container.
    fn difference(&self, alignment: Alignment, parent: &PathBuilder) -> Difference<'a> {
        let stay = self.stays.get(self.done).copied();
        let mut place = Anchor {
            container: parent.as_str().to_owned(),
            before: self.passed + stay.unwrap_or(self.old.len()),
            of: self.of,
            ..Anchor::default()
        };
        let mut of_old = |old: usize| {
            let child = self.old[old].child;
            place.nth = self.passed + old;
            place.child = Some(child);
            (parent.with(child.name, self.passed + old), child.value)
        };
        let (path, change) = match alignment {
            Alignment::Removed(old) => {
                let (path, value) = of_old(old);
                (path, Change::Removed { value })
            }
            Alignment::Moved(old, new) => {
                let ((path, value), to) = (of_old(old), self.passed + new);
                (path, Change::Moved { value, to })
            }
            Alignment::Added(new) | Alignment::Kept(_, new) => {
                let child = self.new[new].child;
                place.child = Some(child);
                let path = parent.with(child.name, self.passed + new);
                (path, Change::Added { value: child.value })
            }
        };
        Difference {
            path,
            change,
            place,
        }
    }
}

impl<'a> Iterator for Diff<'a> {
    type Item = Result<Difference<'a>, Error>;

    fn next(&mut self) -> Option<Self::Item> {
        self.try_next().transpose()
    }
}
