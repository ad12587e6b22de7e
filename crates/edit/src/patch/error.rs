//! [`PatchError`]: what is wrong with a text that should be a patch, and where.

use core::fmt;

/// The reason why a text is not a patch.
#[derive(Clone, Copy, PartialEq, Eq, Debug)]
pub struct PatchError {
    /// The offset of the first unexpected byte.
    pub offset: usize,
    /// The line, from 1.
    pub line: usize,
    /// What was expected there.
    pub expected: &'static str,
}

impl fmt::Display for PatchError {
    fn fmt(&self, f: &mut fmt::Formatter<'_>) -> fmt::Result {
        write!(f, "line {}: expected {}", self.line, self.expected)
    }
}

impl core::error::Error for PatchError {}
