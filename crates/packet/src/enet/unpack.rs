//! [`Unpacker`]: datagrams that are compressed.

use alloc::{boxed::Box, vec};
use core::fmt;

use super::{MAX_DATAGRAM, commands, range::RangeDecoder};

/// How a host compresses its datagrams. The datagram only says that it is compressed.
#[derive(Clone, Copy, PartialEq, Eq, Hash, Debug)]
pub enum Compression {
    /// ENet's own range coder: the default of Godot 3.6.
    Range,
    /// FastLZ (feature `compression`).
    FastLz,
    /// zlib (feature `compression`).
    Zlib,
    /// Zstandard (feature `compression`).
    Zstd,
}

impl Compression {
    /// All of them, the surest to be told apart first.
    pub const ALL: [Compression; 4] = [
        Compression::Zstd,
        Compression::Zlib,
        Compression::Range,
        Compression::FastLz,
    ];

    /// The name: `range`, `fastlz`, `zlib`, `zstd`.
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

/// Unpacks datagrams, and finds out by which compression. It keeps its memory (70 KiB) from datagram to
/// datagram.
///
/// ```
/// use gdvar_packet::enet::{Compression, Datagram, Unpacker, commands};
///
/// // A server of Godot 3.6 says how much it can take.
/// let datagram = Datagram::parse(b"\xc0\0\x2c\x5b\x8b\x73\x90\xab\xd4\x5c\x3a\x44\x54\xd3")?;
/// let mut unpacker = Unpacker::new(None);
/// let body = unpacker.unpack(datagram.body()).unwrap();
/// let names: Vec<_> = commands(body).map(|command| command.unwrap().name()).collect();
/// assert_eq!(names, ["BANDWIDTH_LIMIT"]);
/// assert_eq!(unpacker.compression(), Some(Compression::Range));
/// # Ok::<(), gdvar_packet::Error>(())
/// ```
pub struct Unpacker {
    told: Option<Compression>,
    found: Option<Compression>,
    range: Option<RangeDecoder>,
    #[cfg(any(feature = "compression", feature = "ruzstd"))]
    blocks: gdvar_io::compressed::Unpacker,
    out: Box<[u8]>,
}

impl Unpacker {
    /// For hosts of that compression; `None` to find out.
    #[must_use]
    pub fn new(compression: Option<Compression>) -> Unpacker {
        Unpacker {
            told: compression,
            found: None,
            range: None,
            #[cfg(any(feature = "compression", feature = "ruzstd"))]
            blocks: gdvar_io::compressed::Unpacker::default(),
            out: vec![0; MAX_DATAGRAM].into_boxed_slice(),
        }
    }

    /// The compression, told or found.
    #[must_use]
    pub fn compression(&self) -> Option<Compression> {
        self.told.or(self.found)
    }

    /// Unpacks the body of a datagram. `None` if it is not of the told compression, or of none that turns
    /// it into commands of ENet to the last byte. The compression found last is tried first, so that
    /// finding costs nothing from the second datagram on.
    pub fn unpack(&mut self, body: &[u8]) -> Option<&[u8]> {
        if let Some(told) = self.told {
            let len = self.unpack_as(told, body)?;
            return self.out.get(..len);
        }
        let found = self.found;
        let others = Compression::ALL
            .into_iter()
            .filter(|&other| Some(other) != found);
        for compression in found.into_iter().chain(others) {
            let Some(len) = self.unpack_as(compression, body) else {
                continue;
            };
            let mut all = commands(self.out.get(..len)?);
            let any = len > 0;
            if any && all.all(|command| command.is_ok()) {
                self.found = Some(compression);
                return self.out.get(..len);
            }
        }
        None
    }

    fn unpack_as(&mut self, compression: Compression, body: &[u8]) -> Option<usize> {
        match compression {
            Compression::Range => self
                .range
                .get_or_insert_with(RangeDecoder::new)
                .unpack(body, &mut self.out),
            Compression::FastLz => self.block(Block::FastLz, body),
            Compression::Zlib => self.block(Block::Zlib, body),
            Compression::Zstd => self.block(Block::Zstd, body),
        }
    }

    #[cfg(any(feature = "compression", feature = "ruzstd"))]
    fn block(&mut self, block: Block, body: &[u8]) -> Option<usize> {
        use gdvar_io::compressed::Mode;

        let mode = match block {
            Block::FastLz => Mode::FastLz,
            Block::Zlib => Mode::Deflate,
            Block::Zstd => Mode::Zstd,
        };
        self.blocks.unpack_into(mode, body, &mut self.out)
    }

    #[cfg(not(any(feature = "compression", feature = "ruzstd")))]
    fn block(&mut self, _: Block, _: &[u8]) -> Option<usize> {
        None
    }
}

/// The compressions that are the engines' own, and so in `gdvar-io`.
enum Block {
    FastLz,
    Zlib,
    Zstd,
}

impl fmt::Debug for Unpacker {
    fn fmt(&self, f: &mut fmt::Formatter<'_>) -> fmt::Result {
        f.debug_struct("Unpacker")
            .field("compression", &self.compression())
            .finish_non_exhaustive()
    }
}
