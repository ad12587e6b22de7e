//! Exit codes, and which of several wins. `App::fail` keeps the worst one, and `main` returns it. There are two
//! exceptions: a signal ends the process with 128 plus the number of the signal (see `signals`), and a command line
//! that clap refuses ends the process with 2.

/// The exit code of a run. If there are several problems, the highest code wins.
#[derive(Clone, Copy, PartialEq, Eq, PartialOrd, Ord, Debug, Default)]
#[repr(u8)]
pub(crate) enum Exit {
    /// No problem.
    #[default]
    Fine = 0,
    /// Strict mode refuses something, something was lost, or a path does not exist.
    Findings = 1,
    /// The command line is wrong.
    Usage = 2,
    /// The bytes cannot be read.
    Malformed = 3,
    /// Several dialects or framings are possible, or a limit was hit.
    Ambiguous = 4,
    /// There are objects that the policy refuses.
    Refused = 5,
    /// A file cannot be read or written.
    Io = 6,
}

impl Exit {
    /// Keeps the worse of the two.
    pub(crate) fn merge(&mut self, other: Exit) {
        *self = (*self).max(other);
    }
}

/// Returns the exit code for an error in the bytes.
pub(crate) fn of_error(kind: gdvar_view::ErrorKind) -> Exit {
    match kind {
        gdvar_view::ErrorKind::ObjectsNotAllowed => Exit::Refused,
        gdvar_view::ErrorKind::DepthExceeded { .. } => Exit::Ambiguous,
        _ => Exit::Malformed,
    }
}
