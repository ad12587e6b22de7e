//! The search along a path: one pass over the bytes, whatever the number of steps.
//!
//! The engines keep the last of repeated keys, so a Dictionary has to be read to its end even if its
//! first key matches. A search that chose the pair first and entered its value afterwards would walk
//! over the value twice, and over a value at depth d d times. This search enters a value as soon as its
//! key matches, finds the value's end from inside, and continues after it. If a later pair has the same
//! key, its result replaces the earlier one.
//!
//! ```text
//! level = the innermost entered container, with the steps after it and the last result in it
//! loop:
//!     level has another child that its step names:
//!         steps are left, and the child has children → push the level; the child becomes the level
//!         else                                       → the child, with the steps left, is the result
//!     level has no such child → pop the outer level; it takes the result and continues after the child
//! ```

use core::mem;

use smallvec::SmallVec;

use crate::{
    error::Error,
    path::{quote::same_name, step::Step, target::Found},
    value::variant::VariantRef,
    walk::children::Children,
};

/// Iterates over those children of a container that a step names.
struct Matches<'a, 'p> {
    children: Children<'a>,
    query: ChildQuery<'p>,
    /// True if the last match counts only if there is no better one ([`Step::goes_first`]).
    is_second: bool,
}

/// What a step looks for in one container.
#[derive(Clone, Copy)]
enum ChildQuery<'p> {
    /// The child with this number. In a Dictionary keys and values are counted together.
    Nth(u64),
    /// The values of pairs whose key is this text, a String or a StringName.
    Text(&'p str),
    /// The values of pairs whose key matches the step.
    Key(Step<'p>),
    /// The properties of this name.
    Property(&'p str),
    /// No further child.
    Nothing,
}

/// The last match for which [`Step::goes_first`] holds, and the last other match. The former wins.
#[derive(Clone, Copy)]
struct LastMatch<T> {
    first: Option<T>,
    second: Option<T>,
}

/// An entered container.
struct SearchLevel<'a, 'p, I> {
    matches: Matches<'a, 'p>,
    /// The steps after the one that chooses among this container's children.
    rest: I,
    /// True if the end of this container must be found, because the search continues after it in an outer
    /// container.
    end_counts: bool,
    last: LastMatch<Leaf<'a, I>>,
}

/// The value at which the search stopped, and the steps that are left: they name a part of this value.
/// `None` if the path leads nowhere.
type Leaf<'a, I> = Option<(VariantRef<'a>, I)>;

/// Returns the child that `step` leads to. Takes time linear in the bytes of `value`.
pub(super) fn child<'a>(
    value: VariantRef<'a>,
    step: Step<'_>,
) -> Result<Option<VariantRef<'a>>, Error> {
    let Some(mut matches) = Matches::new(value, step) else {
        return Ok(None);
    };
    let mut last = LastMatch::NONE;
    while let Some(child) = matches.next()? {
        last.put(matches.is_second, child);
    }
    Ok(last.get())
}

/// Returns the value or part at the end of `steps`. The search takes time linear in the bytes, whatever the
/// number of steps. It does not recurse, and up to 9 levels need no allocation.
pub(super) fn find<'a, 'p>(
    root: VariantRef<'a>,
    steps: impl Iterator<Item = Step<'p>> + Clone,
) -> Result<Option<Found<'a>>, Error> {
    let mut level = match SearchLevel::new(root, steps) {
        Ok(level) => level,
        Err((value, steps)) => return Ok(part(value, steps)),
    };
    let mut outer: SmallVec<[SearchLevel<'a, 'p, _>; 8]> = SmallVec::new();
    loop {
        if let Some(child) = level.matches.next()? {
            match SearchLevel::new(child, level.rest.clone()) {
                Ok(mut inner) => {
                    inner.end_counts = level.end_counts || level.matches.goes_on();
                    outer.push(mem::replace(&mut level, inner));
                }
                Err(leaf) => level.last.put(level.matches.is_second, Some(leaf)),
            }
            continue;
        }
        let found = level.last.get().flatten();
        let Some(mut back) = outer.pop() else {
            return Ok(found.and_then(|(value, steps)| part(value, steps)));
        };
        if level.end_counts {
            back.matches.children.pass(&level.matches.children)?;
        }
        back.last.put(back.matches.is_second, found);
        level = back;
    }
}

/// Returns the part of `value` that `steps` lead to, or the value itself if there are no steps.
fn part<'a, 'p>(
    value: VariantRef<'a>,
    mut steps: impl Iterator<Item = Step<'p>>,
) -> Option<Found<'a>> {
    let Some(step) = steps.next() else {
        return Some(Found::Value(value));
    };
    let part = steps.try_fold(value.part(step)?, |part, step| part.take_step(step));
    part.map(Found::Part)
}

impl<'a, 'p, I: Iterator<Item = Step<'p>> + Clone> SearchLevel<'a, 'p, I> {
    /// Starts to search the children of `value` for the first of `steps`. Returns `value` and `steps` as
    /// `Err` if no step is left or `value` has no children.
    fn new(value: VariantRef<'a>, steps: I) -> Result<SearchLevel<'a, 'p, I>, (VariantRef<'a>, I)> {
        let mut rest = steps.clone();
        let matches = rest.next().and_then(|step| Matches::new(value, step));
        let Some(matches) = matches else {
            return Err((value, steps));
        };
        Ok(SearchLevel {
            matches,
            rest,
            end_counts: false,
            last: LastMatch::NONE,
        })
    }
}

impl<T> LastMatch<T> {
    const NONE: LastMatch<T> = LastMatch {
        first: None,
        second: None,
    };

    #[inline]
    fn put(&mut self, is_second: bool, found: T) {
        let slot = match is_second {
            true => &mut self.second,
            false => &mut self.first,
        };
        *slot = Some(found);
    }

    #[inline]
    fn get(self) -> Option<T> {
        self.first.or(self.second)
    }
}

impl<'a, 'p> Matches<'a, 'p> {
    /// Prepares the search for `step` among the children of `value`. `None` if it has no children.
    #[inline(always)]
    fn new(value: VariantRef<'a>, step: Step<'p>) -> Option<Matches<'a, 'p>> {
        let (children, query) = if let Some(dict) = value.as_dict() {
            let query = match step {
                Step::PairKey(pair) => ChildQuery::Nth(2 * u64::from(pair)),
                Step::PairValue(pair) => ChildQuery::Nth(2 * u64::from(pair) + 1),
                Step::Name(name) if !name.contains('\\') => ChildQuery::Text(name),
                step => ChildQuery::Key(step),
            };
            (dict.iter().0, query)
        } else if let Some(array) = value.as_array() {
            let nth = match step {
                Step::Index(n) if n < 0 => u64::try_from(n + array.len() as i64).ok(),
                Step::Index(n) => u64::try_from(n).ok(),
                _ => None,
            };
            (
                array.iter().0,
                nth.map_or(ChildQuery::Nothing, ChildQuery::Nth),
            )
        } else if let Some(object) = value.as_object() {
            let query = match step {
                Step::Name(name) => ChildQuery::Property(name),
                _ => ChildQuery::Nothing,
            };
            (object.iter().0, query)
        } else {
            return None;
        };
        Some(Matches {
            children,
            query,
            is_second: false,
        })
    }

    /// True if the search continues after a match, because a later one would replace it.
    const fn goes_on(&self) -> bool {
        matches!(
            self.query,
            ChildQuery::Text(_) | ChildQuery::Key(_) | ChildQuery::Property(_)
        )
    }

    /// Returns the value of the next pair whose key satisfies `is_it`.
    #[inline(always)]
    fn next_pair(
        &mut self,
        is_it: impl Fn(VariantRef<'a>) -> bool,
        step: Step<'p>,
    ) -> Result<Option<VariantRef<'a>>, Error> {
        while let Some(key) = self.children.next_value()? {
            let value = self.children.next_value()?;
            if is_it(key) {
                self.is_second = !step.goes_first(key);
                return Ok(value);
            }
        }
        Ok(None)
    }

    /// Returns the next child that the step names.
    #[inline(always)]
    fn next(&mut self) -> Result<Option<VariantRef<'a>>, Error> {
        match self.query {
            ChildQuery::Nothing => Ok(None),
            ChildQuery::Nth(n) => {
                self.query = ChildQuery::Nothing;
                self.children.nth_value(n)
            }
            ChildQuery::Text(name) => {
                let is_it = |key: VariantRef<'a>| key.as_text().is_some_and(|text| text == *name);
                self.next_pair(is_it, Step::Name(name))
            }
            ChildQuery::Key(step) => self.next_pair(|key| step.is_key(key), step),
            ChildQuery::Property(wanted) => {
                while let Some(name) = self.children.next_name()? {
                    let value = self.children.next_value()?;
                    if same_name(wanted, name.as_bytes()) {
                        return Ok(value);
                    }
                }
                Ok(None)
            }
        }
    }
}

#[cfg(all(test, feature = "alloc"))]
mod tests;
