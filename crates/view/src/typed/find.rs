//! The search along a path: one pass over the bytes, however many steps the path has.
//!
//! The engines keep the last of repeated keys, so a Dictionary is read to its end even where its first key
//! matches. A search that first chose the pair and then went into its value would pass that value twice, and a
//! value nested d levels deep d times. So the search goes into the value where its key matches, learns there
//! where the value ends, and goes on behind it. A later pair with that key replaces what was found.
//!
//! ```text
//! levels = the containers on the way, each with the steps behind it and what was found in it last
//! loop:
//!     the innermost has another child that its step names:
//!         no step is left       → the level keeps the child
//!         the child has children → it becomes the innermost level
//!         it has parts           → the level keeps the part
//!     it has none → the level around it keeps what was found in it, and goes on behind it
//! ```

use smallvec::SmallVec;

use crate::{
    error::Error,
    typed::{
        part::Found,
        path::{Step, quote::same_name},
    },
    value::variant::VariantRef,
    walk::{children::Children, keys::is_text_kind},
};

/// A container on the way.
struct Level<'a, 'p, I> {
    children: Children<'a>,
    sought: Sought<'p>,
    /// The steps behind the one into this container.
    behind: I,
    /// True if a container around this one is read on behind it, and has to know where it ends.
    end_counts: bool,
    /// True if the key that matched last is a StringName where a String would be another key.
    is_second: bool,
    /// The find below the key that matched last; of two keys that a name stands for, the String.
    first: Option<Find<'a, I>>,
    /// The find below the other one.
    second: Option<Find<'a, I>>,
}

/// A value without children, or the last, and the steps that are left; or nothing.
type Find<'a, I> = Option<(VariantRef<'a>, I)>;

/// The children that a step names.
#[derive(Clone, Copy)]
enum Sought<'p> {
    /// One by its number; a Dictionary's keys and values are counted alike.
    Nth(u64),
    /// The values of pairs whose key the step is.
    Key(Step<'p>),
    /// The properties of that name.
    Property(&'p str),
    /// None any more.
    Nothing,
}

/// The thing at the end of these steps: linear in the bytes, whatever the number of steps. No recursion; up
/// to 8 levels take no memory.
pub(super) fn find<'a, 'p>(
    root: VariantRef<'a>,
    steps: impl Iterator<Item = Step<'p>> + Clone,
) -> Result<Option<Found<'a>>, Error> {
    let mut levels: SmallVec<[Level<'a, 'p, _>; 8]> = SmallVec::new();
    match Level::new(root, steps) {
        Ok(level) => levels.push(level),
        Err((value, steps)) => return Ok(part(value, steps)),
    }
    while let Some(level) = levels.last_mut() {
        if let Some(child) = level.next()? {
            match Level::new(child, level.behind.clone()) {
                Ok(mut inner) => {
                    inner.end_counts = level.end_counts || level.goes_on();
                    levels.push(inner);
                }
                Err(leaf) => level.keep(Some(leaf)),
            }
            continue;
        }
        let Some(done) = levels.pop() else {
            break;
        };
        let found = done.first.or(done.second).flatten();
        let Some(outer) = levels.last_mut() else {
            return Ok(found.and_then(|(value, steps)| part(value, steps)));
        };
        if done.end_counts {
            outer.children.pass(&done.children)?;
        }
        outer.keep(found);
    }
    Ok(None)
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
    /// Into a container. `Err` gives back a value without children, and one that no step leads on from.
    fn new(value: VariantRef<'a>, steps: I) -> Result<Level<'a, 'p, I>, (VariantRef<'a>, I)> {
        let mut behind = steps.clone();
        let Some(step) = behind.next() else {
            return Err((value, steps));
        };
        let (children, sought) = if let Some(dict) = value.as_dict() {
            let sought = match step {
                Step::PairKey(pair) => Sought::Nth(2 * u64::from(pair)),
                Step::PairValue(pair) => Sought::Nth(2 * u64::from(pair) + 1),
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
            return Err((value, steps));
        };
        Ok(Level {
            children,
            sought,
            behind,
            end_counts: false,
            is_second: false,
            first: None,
            second: None,
        })
    }

    /// True if children are read on behind one that matched.
    const fn goes_on(&self) -> bool {
        matches!(self.sought, Sought::Key(_) | Sought::Property(_))
    }

    /// The next child that the step names.
    fn next(&mut self) -> Result<Option<VariantRef<'a>>, Error> {
        match self.sought {
            Sought::Nothing => Ok(None),
            Sought::Nth(n) => {
                self.sought = Sought::Nothing;
                self.children.nth_value(n)
            }
            Sought::Key(step) => {
                while let Some(key) = self.children.next_value()? {
                    let value = self.children.next_value()?;
                    if step.is_key(key) {
                        let is_text = is_text_kind(key.kind(), key.dialect());
                        self.is_second = matches!(step, Step::Name(_)) && !is_text;
                        return Ok(value);
                    }
                }
                Ok(None)
            }
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

    /// Keeps what was found in the child that matched last.
    fn keep(&mut self, found: Find<'a, I>) {
        *(if self.is_second {
            &mut self.second
        } else {
            &mut self.first
        }) = Some(found);
    }
}

#[cfg(all(test, feature = "alloc"))]
mod tests;
