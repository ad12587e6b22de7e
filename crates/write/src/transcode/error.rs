//! [`TranscodeError`]: why a conversion stopped.

use core::fmt;

use crate::{error::Error, sink::Sink};

pub(super) type Result<T, S> = core::result::Result<T, TranscodeError<<S as Sink>::Error>>;

/// Why [`transcode`](crate::transcode) stopped.
///
/// The enum gets no new variants, because only two things can fail: reading the source and writing
/// the target. New kinds of error can appear in the inner errors.
#[derive(Clone, Copy, PartialEq, Eq, Debug)]
pub enum TranscodeError<E> {
    /// The source cannot be read.
    Read(gdvar_view::Error),
    /// The target or the sink refuses.
    Write(Error<E>),
}

impl<E> From<gdvar_view::Error> for TranscodeError<E> {
    fn from(error: gdvar_view::Error) -> Self {
        TranscodeError::Read(error)
    }
}

impl<E> From<Error<E>> for TranscodeError<E> {
    fn from(error: Error<E>) -> Self {
        TranscodeError::Write(error)
    }
}

impl<E: fmt::Display> fmt::Display for TranscodeError<E> {
    fn fmt(&self, f: &mut fmt::Formatter<'_>) -> fmt::Result {
        match self {
            TranscodeError::Read(error) => error.fmt(f),
            TranscodeError::Write(error) => error.fmt(f),
        }
    }
}

impl<E: core::error::Error + 'static> core::error::Error for TranscodeError<E> {
    /// Returns the inner error's source. The inner error itself is left out, because its message
    /// is this error's message.
    fn source(&self) -> Option<&(dyn core::error::Error + 'static)> {
        match self {
            TranscodeError::Read(error) => error.source(),
            TranscodeError::Write(error) => error.source(),
        }
    }
}
