//! How much memory a file of a stranger may ask for.

/// What a length in a file may be. Memory is only taken as bytes arrive or can be justified by
/// those that are there, so the limit is the last of several barriers.
#[derive(Clone, Copy, PartialEq, Eq, Debug)]
pub struct Limits {
    /// The most bytes of one record, or of the contents of a compressed or encrypted file.
    pub max_len: u32,
}

impl Limits {
    /// For files: 1 GiB.
    pub const FILE: Limits = Limits { max_len: 1 << 30 };

    /// For streams: 8 MiB, what a `PacketPeer` of the engines encodes at most by default
    /// (`docs/FORMAT.md` §7.1).
    pub const STREAM: Limits = Limits { max_len: 8 << 20 };

    /// No more than `max_len` bytes.
    #[must_use]
    pub const fn new(max_len: u32) -> Limits {
        Limits { max_len }
    }
}

/// [`Limits::FILE`].
impl Default for Limits {
    fn default() -> Limits {
        Limits::FILE
    }
}
