//! Patterns: paths to many values, `party[*].name`.

use core::fmt;

use smallvec::SmallVec;

use crate::typed::path::{
    self, Path, PathError, Step,
    quote::{is_plain, unescaped},
};

/// A path that may lead to many values: a [`Path`] whose steps may also be these. Use this when the same thing is wanted
/// of many parts of a value; a single place is a [`Path`].
///
/// | step | takes |
/// |---|---|
/// | `[*]`, `[]`, `.*` | every child: elements, values of pairs, properties, elements of packed arrays |
/// | `[1:3]`, `[:3]`, `[-2:]` | elements 1 and 2 of an array; the first three; the last two |
/// | `..name`, `..[3]`, `..[*]` | the step behind the dots on the value itself and on all values below it |
///
/// Every path is a pattern. [`Select`] tells the places that a pattern leads to, in the order of the bytes.
/// From the first of its own steps on it sees each of repeated keys, as the bytes have them, where a path
/// takes the last, as the engines do.
///
/// At most 63 steps may stand from the first step of its own on.
///
/// ```
/// use gdvar_view::Pattern;
///
/// let pattern = Pattern::parse("party[].items[-2:]..id")?;
/// assert_eq!(pattern.to_string(), "$.party[*].items[-2:]..id");
/// assert!(pattern.as_path().is_none());
/// assert!(Pattern::parse("party[0].name")?.as_path().is_some());
/// # Ok::<(), gdvar_view::PathError>(())
/// ```
///
/// [`Select`]: crate::Select
#[derive(Clone, PartialEq, Eq, Debug, Default)]
pub struct Pattern<'p> {
    steps: SmallVec<[PatternStep<'p>; 8]>,
}

/// One step of a [`Pattern`].
#[derive(Clone, Copy, PartialEq, Eq, Debug)]
pub enum PatternStep<'p> {
    /// One child, as in a path.
    One(Step<'p>),
    /// All children.
    All,
    /// The elements of an array from the first number up to and without the second; below 0 they count
    /// from the end.
    Slice(Option<i64>, Option<i64>),
    /// The value itself, and all values below it; always before another step.
    AnyDepth,
}

/// The number of steps that may stand from the first that is not of a path.
const MOST: usize = 63;

impl<'p> Pattern<'p> {
    /// Parses a pattern; the empty text and `$` mean the outermost value.
    ///
    /// # Errors
    /// The place where the text stops being a pattern, or has too many steps.
    pub fn parse(text: &'p str) -> Result<Pattern<'p>, PathError> {
        let mut pattern = Pattern::default();
        // The number of steps from the first that is not of a path.
        let mut own = 0;
        path::parse(text, |rest, first| {
            let before = pattern.steps.len();
            let rest = pattern.take(rest, first)?;
            for step in pattern.steps.iter().skip(before) {
                own += usize::from(own > 0 || step.one().is_none());
            }
            (own <= MOST).then_some(rest)
        })?;
        Ok(pattern)
    }

    /// Takes a step, with the dots before it; returns what is behind it.
    fn take(&mut self, text: &'p str, first: bool) -> Option<&'p str> {
        let Some(behind) = text.strip_prefix("..") else {
            let (step, rest) = step(text, first)?;
            self.steps.push(step);
            return Some(rest);
        };
        self.steps.push(PatternStep::AnyDepth);
        let (step, rest) = match behind.strip_prefix('*') {
            Some(rest) => (PatternStep::All, rest),
            None if behind.starts_with('.') => return None,
            None => step(behind, true)?,
        };
        self.steps.push(step);
        Some(rest)
    }

    /// Its steps.
    #[must_use]
    pub fn steps(&self) -> &[PatternStep<'p>] {
        &self.steps
    }

    /// The steps up to the first that is not of a path.
    pub(super) fn first_steps(&self) -> &[PatternStep<'p>] {
        let own = self.own_steps().len();
        self.steps.get(..self.steps.len() - own).unwrap_or_default()
    }

    /// The steps from the first that is not of a path.
    pub(super) fn own_steps(&self) -> &[PatternStep<'p>] {
        let start = self.steps.iter().position(|step| step.one().is_none());
        let start = start.unwrap_or(self.steps.len());
        self.steps.get(start..).unwrap_or_default()
    }

    /// The pattern as a path, if it leads to one value.
    #[must_use]
    pub fn as_path(&self) -> Option<Path<'p>> {
        self.steps.iter().map(PatternStep::one).collect()
    }
}

impl<'p> PatternStep<'p> {
    /// The step of a path, if it is one.
    pub(super) fn one(&self) -> Option<Step<'p>> {
        match self {
            PatternStep::One(step) => Some(*step),
            _ => None,
        }
    }
}

impl<'p> From<Path<'p>> for Pattern<'p> {
    fn from(path: Path<'p>) -> Pattern<'p> {
        Pattern {
            steps: path.steps().iter().copied().map(PatternStep::One).collect(),
        }
    }
}

fn step(text: &str, first: bool) -> Option<(PatternStep<'_>, &str)> {
    for all in ["[*]", "[]", ".*"] {
        if let Some(rest) = text.strip_prefix(all) {
            return Some((PatternStep::All, rest));
        }
    }
    if let Some((step, rest)) = path::step(text, first) {
        return Some((PatternStep::One(step), rest));
    }
    let (slice, rest) = text.strip_prefix('[')?.split_once(']')?;
    let (from, to) = slice.split_once(':')?;
    let end = |text: &str| match text {
        "" => Some(None),
        text => text.parse().ok().map(Some),
    };
    Some((PatternStep::Slice(end(from)?, end(to)?), rest))
}

impl fmt::Display for Pattern<'_> {
    fn fmt(&self, f: &mut fmt::Formatter<'_>) -> fmt::Result {
        f.write_str("$")?;
        let mut deep = false;
        for step in &self.steps {
            match step {
                // The step behind it has a dot of its own, or a bracket.
                PatternStep::AnyDepth => deep = true,
                step => {
                    let dots = match step {
                        _ if !deep => "",
                        PatternStep::One(Step::Name(name)) if is_plain(unescaped(name)) => ".",
                        _ => "..",
                    };
                    write!(f, "{dots}{step}")?;
                    deep = false;
                }
            }
        }
        Ok(())
    }
}

impl fmt::Display for PatternStep<'_> {
    fn fmt(&self, f: &mut fmt::Formatter<'_>) -> fmt::Result {
        match self {
            PatternStep::One(step) => step.fmt(f),
            PatternStep::All => f.write_str("[*]"),
            PatternStep::Slice(from, to) => {
                f.write_str("[")?;
                from.map_or(Ok(()), |from| from.fmt(f))?;
                f.write_str(":")?;
                to.map_or(Ok(()), |to| to.fmt(f))?;
                f.write_str("]")
            }
            PatternStep::AnyDepth => f.write_str(".."),
        }
    }
}
