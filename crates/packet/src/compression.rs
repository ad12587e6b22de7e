//! [`Compression`] and [`Candidates`]: how ENet datagrams may be compressed.

use core::fmt;

/// How an ENet host compresses its datagrams. A datagram shows that it is compressed, but not how
/// ([`docs/PACKETS.md` §1.1]).
///
/// [`docs/PACKETS.md` §1.1]: https://github.com/gdvar/gdvar/blob/main/docs/PACKETS.md#11-which-compression
#[derive(Clone, Copy, PartialEq, Eq, Hash, Debug)]
pub enum Compression {
    /// ENet's own range coder, the default of Godot 3.6.
    Range,
    /// FastLZ (feature `compression` or `ruzstd`).
    FastLz,
    /// zlib (feature `compression` or `ruzstd`).
    Zlib,
    /// Zstandard (feature `compression` or `ruzstd`).
    Zstd,
}

impl Compression {
    /// All compressions, in the order in which they are tried.
    pub const ALL: [Compression; 4] = [
        Compression::Zstd,
        Compression::Zlib,
        Compression::Range,
        Compression::FastLz,
    ];

    /// The name: `range`, `fastlz`, `zlib` or `zstd`.
    #[must_use]
    pub const fn name(self) -> &'static str {
        match self {
            Compression::Range => "range",
            Compression::FastLz => "fastlz",
            Compression::Zlib => "zlib",
            Compression::Zstd => "zstd",
        }
    }
}

/// The compressions that a connection may use: those that could unpack all its compressed datagrams
/// so far.
///
/// ```
/// use gdvar_packet::enet::{Candidates, Compression};
///
/// assert_eq!(Candidates::default().decided(), None);
/// assert_eq!(Candidates::from(Compression::Zstd).decided(), Some(Compression::Zstd));
/// ```
#[derive(Clone, Copy, PartialEq, Eq, Hash)]
pub struct Candidates(u8);

impl Default for Candidates {
    /// All compressions: no datagram has excluded any.
    fn default() -> Candidates {
        let mut all = Candidates::NONE;
        Compression::ALL.into_iter().for_each(|one| all.add(one));
        all
    }
}

impl From<Compression> for Candidates {
    /// Creates candidates with this compression alone.
    fn from(compression: Compression) -> Candidates {
        let mut alone = Candidates::NONE;
        alone.add(compression);
        alone
    }
}

impl Candidates {
    pub(crate) const NONE: Candidates = Candidates(0);

    pub(crate) fn add(&mut self, compression: Compression) {
        self.0 |= 1 << compression as u8;
    }

    /// The compressions that remain possible.
    pub fn iter(self) -> impl Iterator<Item = Compression> {
        let all = Compression::ALL.into_iter();
        all.filter(move |&one| self.0 & 1 << one as u8 != 0)
    }

    /// The only compression that remains, or `None` if there are several.
    #[must_use]
    pub fn decided(self) -> Option<Compression> {
        self.iter().next().filter(|_| self.0.is_power_of_two())
    }
}

impl fmt::Debug for Candidates {
    fn fmt(&self, f: &mut fmt::Formatter<'_>) -> fmt::Result {
        f.debug_set().entries(self.iter()).finish()
    }
}
