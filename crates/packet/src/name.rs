//! [`Name`] and [`NodeRef`]: texts in packets, and how a packet says which node it is for.

use core::fmt;

/// A name or path in a packet: bytes that ought to be UTF-8 and end before a NUL. The engines read bytes
/// that are no UTF-8 as something else; nothing here refuses them.
#[derive(Clone, Copy, PartialEq, Eq, Hash, Default)]
pub struct Name<'a>(&'a [u8]);

impl<'a> Name<'a> {
    /// From bytes without their NUL.
    #[must_use]
    pub const fn new(bytes: &'a [u8]) -> Name<'a> {
        Name(bytes)
    }

    /// The bytes, without the NUL.
    #[must_use]
    pub const fn as_bytes(self) -> &'a [u8] {
        self.0
    }

    /// The text, if it is UTF-8. O(n).
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

/// The node that a call is for.
#[derive(Clone, Copy, PartialEq, Eq, Hash, Debug)]
pub enum NodeRef<'a> {
    /// The id that the sender gave to the node's path in a SIMPLIFY_PATH.
    Id(u32),
    /// The path, relative to the root of the multiplayer API, without `/root/`: `Net`. It stands in the
    /// packet until the receiver has confirmed the id.
    Path(Name<'a>),
}

impl<'a> From<&'a str> for NodeRef<'a> {
    fn from(path: &'a str) -> NodeRef<'a> {
        NodeRef::Path(Name::new(path.as_bytes()))
    }
}

impl From<u32> for NodeRef<'_> {
    fn from(id: u32) -> Self {
        NodeRef::Id(id)
    }
}
