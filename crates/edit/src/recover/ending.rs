//! [`Ending`]: what is known about the end of damaged bytes.

/// What is known about the end of the bytes.
#[derive(Clone, Copy, PartialEq, Eq, Debug)]
pub(super) enum Ending {
    /// Anything may follow the value, and anything may be missing.
    Unknown,
    /// The value ends where the bytes end. None were added or removed.
    Known,
    /// Bytes are missing, probably at the end. The number is negative: -4 if four bytes are
    /// missing.
    Cut(isize),
    /// This many bytes were added; if negative, this many are missing.
    Changed(isize),
    /// Similar records precede or follow this one. Parts of two records may have been joined.
    Joined,
}

impl Ending {
    /// Returns `true` if bytes after the damage may have moved. Then their position proves nothing.
    pub(super) const fn is_moved(self) -> bool {
        !matches!(self, Ending::Unknown | Ending::Known)
    }

    /// Returns the number of bytes that were added (negative: that are missing), or 0 if unknown.
    pub(super) const fn change(self) -> isize {
        match self {
            Ending::Cut(change) | Ending::Changed(change) => change,
            Ending::Unknown | Ending::Known | Ending::Joined => 0,
        }
    }
}
