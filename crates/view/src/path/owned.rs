//! [`OwnedStep`]: a step of a path that owns its text.

use alloc::string::String;

use super::{simple_key::SimpleKey, step::Step};

/// A [`Step`] that owns its text. A list of them is a path that outlives the text it was parsed from,
/// such as a filter that is compiled once. Creating a step allocates memory for its text, if the step
/// has a text.
///
/// ```
/// use gdvar_view::{OwnedStep, Path};
///
/// let steps: Vec<OwnedStep> = {
///     let text = String::from("party[0].name");
///     Path::parse(&text)?.steps().iter().copied().map(OwnedStep::from).collect()
/// };
/// let path: Path<'_> = steps.iter().map(OwnedStep::as_step).collect();
/// assert_eq!(path.to_string(), "$.party[0].name");
/// # Ok::<(), gdvar_view::PathError>(())
/// ```
#[derive(Clone, PartialEq, Eq, Debug)]
pub enum OwnedStep {
    /// See [`Step::Name`].
    Name(String),
    /// See [`Step::Index`].
    Index(i64),
    /// See [`Step::PairValue`].
    PairValue(u32),
    /// See [`Step::PairKey`].
    PairKey(u32),
    /// See [`Step::String`].
    String(String),
    /// See [`Step::StringName`].
    StringName(String),
    /// See [`Step::Key`].
    Key(SimpleKey),
}

impl From<Step<'_>> for OwnedStep {
    fn from(step: Step<'_>) -> OwnedStep {
        match step {
            Step::Name(name) => OwnedStep::Name(name.into()),
            Step::Index(index) => OwnedStep::Index(index),
            Step::PairValue(pair) => OwnedStep::PairValue(pair),
            Step::PairKey(pair) => OwnedStep::PairKey(pair),
            Step::String(text) => OwnedStep::String(text.into()),
            Step::StringName(text) => OwnedStep::StringName(text.into()),
            Step::Key(key) => OwnedStep::Key(key),
        }
    }
}

impl OwnedStep {
    /// The step, with its text borrowed.
    #[must_use]
    pub fn as_step(&self) -> Step<'_> {
        match self {
            OwnedStep::Name(name) => Step::Name(name),
            OwnedStep::Index(index) => Step::Index(*index),
            OwnedStep::PairValue(pair) => Step::PairValue(*pair),
            OwnedStep::PairKey(pair) => Step::PairKey(*pair),
            OwnedStep::String(text) => Step::String(text),
            OwnedStep::StringName(text) => Step::StringName(text),
            OwnedStep::Key(key) => Step::Key(*key),
        }
    }
}
