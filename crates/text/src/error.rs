//! The errors of printing and of building.

use core::{convert::Infallible, fmt};

use gdvar_write::WriteErrorKind;

/// The writer's error. The sink is memory, which never fails.
pub type BuildError = WriteErrorKind<Infallible>;

/// The reason why printing stopped. Some text may already have been written.
#[derive(Clone, Copy, PartialEq, Eq, Debug)]
pub enum TextError {
    /// The bytes cannot be read.
    Read(gdvar_view::Error),
    /// The sink refused the text.
    Fmt,
}

impl From<gdvar_view::Error> for TextError {
    fn from(error: gdvar_view::Error) -> TextError {
        TextError::Read(error)
    }
}

impl From<fmt::Error> for TextError {
    fn from(_: fmt::Error) -> TextError {
        TextError::Fmt
    }
}

impl fmt::Display for TextError {
    fn fmt(&self, f: &mut fmt::Formatter<'_>) -> fmt::Result {
        match self {
            TextError::Read(error) => error.fmt(f),
            TextError::Fmt => f.write_str("the text could not be written"),
        }
    }
}

impl core::error::Error for TextError {
    fn source(&self) -> Option<&(dyn core::error::Error + 'static)> {
        match self {
            TextError::Read(error) => Some(error),
            TextError::Fmt => None,
        }
    }
}
