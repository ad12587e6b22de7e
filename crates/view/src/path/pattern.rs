//! [`Pattern`]: a path with wildcards, `party[*].name`.

use core::fmt;

use smallvec::SmallVec;

use super::{
    Path,
    parse::{PathError, parse_steps, path_step},
    quote::{needs_no_quotes, unescaped},
    step::Step,
};

/// A path that can lead to many values: `party[*].name`. [`VariantRef::select`] finds them.
///
/// A pattern may have all steps of a [`Path`], and these wildcards:
///
/// | step | leads to |
/// |---|---|
/// | `[*]`, `[]`, `.*` | every child: elements, values of pairs, properties, elements of packed arrays |
/// | `[1:3]`, `[:3]`, `[-2:]` | elements 1 and 2 of an array; the first three; the last two |
/// | `..name`, `..[3]`, `..[*]` | what the step after the dots leads to, from the value itself and from every value below it |
///
/// Up to the first wildcard a pattern is a path: the last of repeated keys counts, as in the engines.
/// From there on it finds the values of all repeated keys.
///
/// There may be at most 63 steps from the first wildcard on. The `..` of a step counts as one more.
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
/// [`VariantRef::select`]: crate::VariantRef::select
#[derive(Clone, PartialEq, Eq, Debug, Default)]
pub struct Pattern<'p> {
    steps: SmallVec<[PatternStep<'p>; 8]>,
}

/// One step of a [`Pattern`].
#[derive(Clone, Copy, PartialEq, Eq, Debug)]
pub enum PatternStep<'p> {
    /// A step of a path.
    One(Step<'p>),
    /// `[*]`: every child. Of a Dictionary the values, not the keys.
    All,
    /// `[from:to]`: the elements of an array from `from` up to but not including `to`. Negative
    /// numbers count from the end; `None` is the start or the end.
    Slice(Option<i64>, Option<i64>),
    /// `..`: the value itself and all values below it. Another step follows.
    AnyDepth,
}

/// The most steps from the first wildcard on: [`Select`](super::select::Select) has a bit for each.
const MAX_OWN_STEPS: usize = 63;

impl<'p> Pattern<'p> {
    /// Parses a pattern. The empty text and `$` are the pattern of the outermost value.
    ///
    /// # Errors
    /// Returns [`PathError`] with the offset of the first step that is not valid, or that is one
    /// too many.
    pub fn parse(text: &'p str) -> Result<Pattern<'p>, PathError> {
        let mut pattern = Pattern::default();
        // The number of steps from the first wildcard on.
        let mut own = 0;
        parse_steps(text, |rest, is_first| {
            let before = pattern.steps.len();
            let rest = pattern.take(rest, is_first)?;
            for step in pattern.steps.iter().skip(before) {
                own += usize::from(own > 0 || step.one().is_none());
            }
            (own <= MAX_OWN_STEPS).then_some(rest)
        })?;
        Ok(pattern)
    }

    /// Adds the first step of `text`, with the dots before it, and returns the text after it.
    fn take(&mut self, text: &'p str, is_first: bool) -> Option<&'p str> {
        let Some(after) = text.strip_prefix("..") else {
            let (step, rest) = step(text, is_first)?;
            self.steps.push(step);
            return Some(rest);
        };
        self.steps.push(PatternStep::AnyDepth);
        let (step, rest) = match after.strip_prefix('*') {
            Some(rest) => (PatternStep::All, rest),
            None if after.starts_with('.') => return None,
            None => step(after, true)?,
        };
        self.steps.push(step);
        Some(rest)
    }

    /// The steps, outermost first.
    #[must_use]
    pub fn steps(&self) -> &[PatternStep<'p>] {
        &self.steps
    }

    /// The steps before the first wildcard.
    pub(super) fn first_steps(&self) -> &[PatternStep<'p>] {
        let own = self.own_steps().len();
        self.steps.get(..self.steps.len() - own).unwrap_or_default()
    }

    /// The steps from the first wildcard on.
    pub(super) fn own_steps(&self) -> &[PatternStep<'p>] {
        let start = self.steps.iter().position(|step| step.one().is_none());
        let start = start.unwrap_or(self.steps.len());
        self.steps.get(start..).unwrap_or_default()
    }

    /// The pattern as a path; `None` if it has a wildcard.
    #[must_use]
    pub fn as_path(&self) -> Option<Path<'p>> {
        self.steps.iter().map(PatternStep::one).collect()
    }
}

impl<'p> PatternStep<'p> {
    /// The step of a path; `None` for a wildcard.
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

/// Splits off the first step. Dots before it were removed already.
fn step(text: &str, is_first: bool) -> Option<(PatternStep<'_>, &str)> {
    for all in ["[*]", "[]", ".*"] {
        if let Some(rest) = text.strip_prefix(all) {
            return Some((PatternStep::All, rest));
        }
    }
    if let Some((step, rest)) = path_step(text, is_first) {
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
                // The next step writes the dots, because it may start with a dot itself.
                PatternStep::AnyDepth => deep = true,
                step => {
                    let dots = match step {
                        _ if !deep => "",
                        PatternStep::One(Step::Name(name)) if needs_no_quotes(unescaped(name)) => {
                            "."
                        }
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
