//! [`Name`]: a name or path in a packet.

use core::fmt;

/// A name or path in a packet: usually UTF-8, without the NUL that ends it. Other bytes are
/// accepted too; the engines read them as some other text.
#[derive(Clone, Copy, PartialEq, Eq, Hash, Default)]
pub struct Name<'a>(&'a [u8]);

impl<'a> Name<'a> {
    /// Wraps the bytes of a name, without a NUL.
    #[must_use]
    pub const fn new(bytes: &'a [u8]) -> Name<'a> {
        Name(bytes)
    }

    /// The bytes, without a NUL.
    #[must_use]
    pub const fn as_bytes(self) -> &'a [u8] {
        self.0
    }

    /// The text, or `None` if it is not UTF-8. O(n).
    #[must_use]
    pub fn to_str(self) -> Option<&'a str> {
        core::str::from_utf8(self.0).ok()
    }
}

impl PartialEq<str> for Name<'_> {
    fn eq(&self, other: &str) -> bool {
        self.0 == other.as_bytes()
    }
}

impl PartialEq<&str> for Name<'_> {
    fn eq(&self, other: &&str) -> bool {
        self.0 == other.as_bytes()
    }
}

impl fmt::Display for Name<'_> {
    fn fmt(&self, f: &mut fmt::Formatter<'_>) -> fmt::Result {
        for chunk in self.0.utf8_chunks() {
            f.write_str(chunk.valid())?;
            if !chunk.invalid().is_empty() {
                f.write_str("\u{fffd}")?;
            }
        }
        Ok(())
    }
}

impl fmt::Debug for Name<'_> {
    fn fmt(&self, f: &mut fmt::Formatter<'_>) -> fmt::Result {
        write!(f, "\"{self}\"")
    }
}
