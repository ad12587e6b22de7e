//! [`OwnStep`]: a step of a path that keeps its text.

use gdvar_view::{SimpleKey, Step};

/// A step of a path that keeps its text.
#[derive(Clone, PartialEq, Debug)]
pub(crate) enum OwnStep {
    /// A name without a backslash: the key is this text.
    Plain(String),
    Name(String),
    Index(i64),
    PairValue(u32),
    PairKey(u32),
    String(String),
    StringName(String),
    Key(SimpleKey),
}

impl OwnStep {
    pub(crate) fn new(step: Step<'_>) -> OwnStep {
        match step {
            Step::Name(name) if !name.contains('\\') => OwnStep::Plain(name.to_owned()),
            Step::Name(name) => OwnStep::Name(name.to_owned()),
            Step::Index(index) => OwnStep::Index(index),
            Step::PairValue(pair) => OwnStep::PairValue(pair),
            Step::PairKey(pair) => OwnStep::PairKey(pair),
            Step::String(text) => OwnStep::String(text.to_owned()),
            Step::StringName(text) => OwnStep::StringName(text.to_owned()),
            Step::Key(key) => OwnStep::Key(key),
        }
    }

    pub(crate) fn as_step(&self) -> Step<'_> {
        match self {
            OwnStep::Plain(name) | OwnStep::Name(name) => Step::Name(name),
            OwnStep::Index(index) => Step::Index(*index),
            OwnStep::PairValue(pair) => Step::PairValue(*pair),
            OwnStep::PairKey(pair) => Step::PairKey(*pair),
            OwnStep::String(text) => Step::String(text),
            OwnStep::StringName(text) => Step::StringName(text),
            OwnStep::Key(key) => Step::Key(*key),
        }
    }

    /// The text of a name that stands for itself.
    #[inline]
    pub(crate) fn plain(&self) -> Option<&str> {
        match self {
            OwnStep::Plain(name) => Some(name),
            _ => None,
        }
    }
}
