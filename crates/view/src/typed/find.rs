//! The search along a path: one pass over the bytes, however many steps the path has.
//!
//! The engines keep the last of repeated keys, so a Dictionary is read to its end even where its first key
//! matches. A search that first chose the pair and then went into its value would pass that value twice, and a
//! value nested d levels deep d times. So the search goes into the value where its key matches, learns there
//! where the value ends, and goes on behind it. A later pair with that key replaces what was found.
//!
//! ```text
//! level = the innermost container on the way, with the steps behind it and what was found in it last
//! loop:
//!     it has another child that its step names:
//!         steps are left, and the child has children → put the level aside, the child is the level
//!         else                                       → the level keeps the child, and the steps for its parts
//!     it has none → the level put aside last keeps what was found, and goes on behind it
//! ```

use core::mem;

use smallvec::SmallVec;

use crate::{
    error::Error,
    typed::{
        part::Found,
        path::{Step, quote::same_name},
    },
    value::variant::VariantRef,
    walk::children::Children,
};

/// The children of a container that a step names, one after the other.
struct Matches<'a, 'p> {
    children: Children<'a>,
    sought: Sought<'p>,
    /// True if the key that matched last counts only where none goes before it ([`Step::goes_first`]).
    is_second: bool,
}

/// The children that a step names.
#[derive(Clone, Copy)]
enum Sought<'p> {
    /// One by its number; a Dictionary's keys and values are counted alike.
    Nth(u64),
    /// The values of pairs whose key is that text, String or StringName.
    Text(&'p str),
    /// The values of pairs whose key the step is.
    Key(Step<'p>),
    /// The properties of that name.
    Property(&'p str),
    /// None any more.
    Nothing,
}

/// Of two keys that a step stands for the one that goes first counts, and of equal keys the last.
#[derive(Clone, Copy)]
struct Last<T> {
    first: Option<T>,
    second: Option<T>,
}

/// A container on the way.
struct Level<'a, 'p, I> {
    matches: Matches<'a, 'p>,
    /// The steps behind the one into this container.
    behind: I,
    /// True if a container around this one is read on behind it, and has to know where it ends.
    end_counts: bool,
    last: Last<Find<'a, I>>,
}

/// A value without children, or the last, and the steps that are left; or nothing.
type Find<'a, I> = Option<(VariantRef<'a>, I)>;

/// The child that one step leads to: linear in the bytes.
pub(super) fn child<'a>(
    value: VariantRef<'a>,
    step: Step<'_>,
) -> Result<Option<VariantRef<'a>>, Error> {
    let Some(mut matches) = Matches::new(value, step) else {
        return Ok(None);
    };
    let mut last = Last::NONE;
    while let Some(child) = matches.next()? {
        last.put(matches.is_second, child);
    }
    Ok(last.get())
}

/// The thing at the end of these steps: linear in the bytes, whatever the number of steps. No recursion; up
/// to 9 levels take no memory.
pub(super) fn find<'a, 'p>(
    root: VariantRef<'a>,
    steps: impl Iterator<Item = Step<'p>> + Clone,
) -> Result<Option<Found<'a>>, Error> {
    let mut level = match Level::new(root, steps) {
        Ok(level) => level,
        Err((value, steps)) => return Ok(part(value, steps)),
    };
    // The levels around it.
    let mut outer: SmallVec<[Level<'a, 'p, _>; 8]> = SmallVec::new();
    loop {
        if let Some(child) = level.matches.next()? {
            match Level::new(child, level.behind.clone()) {
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

/// The part of a value that steps lead to; the value itself, if there are none.
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

impl<'a, 'p, I: Iterator<Item = Step<'p>> + Clone> Level<'a, 'p, I> {
    /// Into a container. `Err` gives back a value without children, and the last value.
    fn new(value: VariantRef<'a>, steps: I) -> Result<Level<'a, 'p, I>, (VariantRef<'a>, I)> {
        let mut behind = steps.clone();
        let matches = behind.next().and_then(|step| Matches::new(value, step));
        let Some(matches) = matches else {
            return Err((value, steps));
        };
        Ok(Level {
            matches,
            behind,
            end_counts: false,
            last: Last::NONE,
        })
    }
}

impl<T> Last<T> {
    const NONE: Last<T> = Last {
        first: None,
        second: None,
    };

    #[inline]
    fn put(&mut self, is_second: bool, found: T) {
        let place = match is_second {
            true => &mut self.second,
            false => &mut self.first,
        };
        *place = Some(found);
    }

    #[inline]
    fn get(self) -> Option<T> {
        self.first.or(self.second)
    }
}

impl<'a, 'p> Matches<'a, 'p> {
    /// `None` for a value without children.
    #[inline(always)]
    fn new(value: VariantRef<'a>, step: Step<'p>) -> Option<Matches<'a, 'p>> {
        let (children, sought) = if let Some(dict) = value.as_dict() {
            let sought = match step {
                Step::PairKey(pair) => Sought::Nth(2 * u64::from(pair)),
                Step::PairValue(pair) => Sought::Nth(2 * u64::from(pair) + 1),
                Step::Name(name) if !name.contains('\\') => Sought::Text(name),
                step => Sought::Key(step),
            };
            (dict.iter().0, sought)
        } else if let Some(array) = value.as_array() {
            let nth = match step {
                Step::Index(n) if n < 0 => u64::try_from(n + array.len() as i64).ok(),
                Step::Index(n) => u64::try_from(n).ok(),
                _ => None,
            };
            (array.iter().0, nth.map_or(Sought::Nothing, Sought::Nth))
        } else if let Some(object) = value.as_object() {
            let sought = match step {
                Step::Name(name) => Sought::Property(name),
                _ => Sought::Nothing,
            };
            (object.iter().0, sought)
        } else {
            return None;
        };
        Some(Matches {
            children,
            sought,
            is_second: false,
        })
    }

    /// True if children are read on behind one that matched.
    const fn goes_on(&self) -> bool {
        matches!(
            self.sought,
            Sought::Text(_) | Sought::Key(_) | Sought::Property(_)
        )
    }

    /// The value of the next pair whose key is the one that is sought.
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

    /// The next child that the step names.
    #[inline(always)]
    fn next(&mut self) -> Result<Option<VariantRef<'a>>, Error> {
        match self.sought {
            Sought::Nothing => Ok(None),
            Sought::Nth(n) => {
                self.sought = Sought::Nothing;
                self.children.nth_value(n)
            }
            Sought::Text(name) => {
                let is_it = |key: VariantRef<'a>| key.as_text().is_some_and(|text| text == *name);
                self.next_pair(is_it, Step::Name(name))
            }
            Sought::Key(step) => self.next_pair(|key| step.is_key(key), step),
            Sought::Property(wanted) => {
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
