//! [`Unpacker`] and [`Candidates`]: datagrams that are compressed, and by which compression.

use alloc::{boxed::Box, vec};
use core::fmt;

use super::{Datagram, Header, MAX_DATAGRAM, commands, range::RangeDecoder};
use crate::{Error, PacketErrorKind};

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
    /// All of them.
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

/// The compressions that one connection may use: those that read all its compressed datagrams so far.
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
    /// All compressions.
    fn default() -> Candidates {
        let mut all = Candidates::NONE;
        Compression::ALL.into_iter().for_each(|one| all.add(one));
        all
    }
}

impl From<Compression> for Candidates {
    /// That compression alone.
    fn from(compression: Compression) -> Candidates {
        let mut alone = Candidates::NONE;
        alone.add(compression);
        alone
    }
}

impl Candidates {
    const NONE: Candidates = Candidates(0);

    fn add(&mut self, compression: Compression) {
        self.0 |= 1 << compression as u8;
    }

    /// The compressions that are left.
    pub fn iter(self) -> impl Iterator<Item = Compression> {
        let all = Compression::ALL.into_iter();
        all.filter(move |&one| self.0 & 1 << one as u8 != 0)
    }

    /// The only compression that is left; `None` if there are several.
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

/// Unpacks datagrams. It keeps its memory (70 KiB) from datagram to datagram, and serves any number of connections: what
/// is known of each is in its [`Candidates`].
///
/// ```
/// use gdvar_packet::enet::{Candidates, Compression, Datagram, Unpacker, commands};
///
/// // A server of Godot 3.6 says how much it can take.
/// let datagram = Datagram::parse(b"\xc0\0\x2c\x5b\x8b\x73\x90\xab\xd4\x5c\x3a\x44\x54\xd3")?;
/// let (mut unpacker, mut candidates) = (Unpacker::new(), Candidates::default());
/// let body = unpacker.body(datagram, &mut candidates)?;
/// let names: Vec<_> = commands(body).map(|command| command.unwrap().name()).collect();
/// assert_eq!(names, ["BANDWIDTH_LIMIT"]);
/// assert_eq!(candidates.decided(), Some(Compression::Range));
/// # Ok::<(), gdvar_packet::Error>(())
/// ```
pub struct Unpacker {
    range: Option<RangeDecoder>,
    #[cfg(any(feature = "compression", feature = "ruzstd"))]
    blocks: gdvar_io::compressed::Unpacker,
    out: Box<[u8]>,
}

impl Default for Unpacker {
    fn default() -> Unpacker {
        Unpacker::new()
    }
}

impl Unpacker {
    /// With memory for the longest datagram.
    #[must_use]
    pub fn new() -> Unpacker {
        Unpacker {
            range: None,
            #[cfg(any(feature = "compression", feature = "ruzstd"))]
            blocks: gdvar_io::compressed::Unpacker::default(),
            out: vec![0; MAX_DATAGRAM].into_boxed_slice(),
        }
    }

    /// The commands' bytes of a datagram, unpacked if it is compressed. `candidates` is what is known of the datagram's
    /// connection, both directions together; a compressed datagram may leave fewer of them.
    ///
    /// A compression reads a datagram if it unpacks it to more bytes than it has, all of them commands that ENet would
    /// have sent with such a header (`docs/PACKETS.md`, section 1.1). Until the connection is decided, each datagram costs as many attempts as there are
    /// candidates.
    ///
    /// # Errors
    /// [`NotUnpacked`](PacketErrorKind::NotUnpacked) if no candidate reads the datagram, which changes nothing;
    /// [`Undecided`](PacketErrorKind::Undecided) if several do: a later datagram will decide.
    pub fn body<'a>(
        &'a mut self,
        datagram: Datagram<'a>,
        candidates: &mut Candidates,
    ) -> Result<&'a [u8], Error> {
        let (header, body) = (datagram.header(), datagram.body());
        if !header.compressed {
            return Ok(body);
        }
        let refused = |kind| Error::new(datagram.body_start(), kind);
        let decided = match candidates.decided() {
            Some(decided) => decided,
            None => {
                let mut fitting = Candidates::NONE;
                for one in candidates.iter() {
                    let commands = self.unpack(one, body).unwrap_or_default();
                    if commands.len() > body.len() && is_as_sent(header, commands) {
                        fitting.add(one);
                    }
                }
                if fitting == Candidates::NONE {
                    return Err(refused(PacketErrorKind::NotUnpacked));
                }
                *candidates = fitting;
                let undecided = PacketErrorKind::Undecided(fitting);
                fitting.decided().ok_or(refused(undecided))?
            }
        };
        let unpacked = self.unpack(decided, body);
        unpacked.ok_or(refused(PacketErrorKind::NotUnpacked))
    }

    /// Unpacks the bytes after a datagram's header by that compression, whatever they become. `None` if they are damaged,
    /// or if the feature `compression` is off and the compression is not [`Compression::Range`].
    pub fn unpack(&mut self, compression: Compression, body: &[u8]) -> Option<&[u8]> {
        let len = match compression {
            Compression::Range => self
                .range
                .get_or_insert_with(RangeDecoder::new)
                .unpack(body, &mut self.out),
            Compression::FastLz => self.block(Block::FastLz, body),
            Compression::Zlib => self.block(Block::Zlib, body),
            Compression::Zstd => self.block(Block::Zstd, body),
        };
        self.out.get(..len?)
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
        f.debug_struct("Unpacker").finish_non_exhaustive()
    }
}

/// The bits of a command's first byte that mean nothing.
const UNUSED: u8 = 0x30;

/// Returns `true` if ENet would have sent these bytes in a datagram with that header.
fn is_as_sent(header: Header, body: &[u8]) -> bool {
    let mut wants_ack = false;
    let mut commands = commands(body);
    loop {
        let head = body.get(commands.position()).copied().unwrap_or_default();
        match commands.try_next() {
            Ok(Some(command)) if head & UNUSED == 0 && command.is_as_sent(header) => {
                wants_ack |= command.wants_ack;
            }
            Ok(None) => return wants_ack == header.sent_time.is_some(),
            _ => return false,
        }
    }
}
