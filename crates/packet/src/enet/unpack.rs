//! [`Unpacker`]: unpacks compressed datagrams, and detects the compression.

use alloc::{boxed::Box, vec};
use core::fmt;

use super::{Datagram, Header, MAX_DATAGRAM, commands, range::RangeDecoder};
use crate::{
    compression::{Candidates, Compression},
    error::{Error, PacketErrorKind},
};

/// Unpacks datagrams of any number of connections, and reuses its memory (70 KiB). Each connection
/// has its own [`Candidates`], which remember the possible compressions.
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
    /// Allocates memory for the longest datagram.
    #[must_use]
    pub fn new() -> Unpacker {
        Unpacker {
            range: None,
            #[cfg(any(feature = "compression", feature = "ruzstd"))]
            blocks: gdvar_io::compressed::Unpacker::default(),
            out: vec![0; MAX_DATAGRAM].into_boxed_slice(),
        }
    }

    /// Returns the bytes of a datagram's commands, unpacked if necessary. `candidates` are the
    /// possible compressions of the datagram's connection, the same for both directions. A
    /// compressed datagram may exclude some of them.
    ///
    /// A compression is possible for a datagram if the result is longer and consists of commands
    /// that ENet would send with this header ([`docs/PACKETS.md` §1.1]). Until only one is left,
    /// each datagram is unpacked once for each candidate.
    ///
    /// # Errors
    /// Returns [`NotUnpacked`](PacketErrorKind::NotUnpacked) if no candidate is possible for the
    /// datagram; `candidates` remain unchanged. Returns [`Undecided`](PacketErrorKind::Undecided)
    /// if several candidates are possible: a later datagram has to decide.
    ///
    /// [`docs/PACKETS.md` §1.1]: https://github.com/gdvar/gdvar/blob/main/docs/PACKETS.md#11-which-compression
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

    /// Unpacks `body`, the bytes after a datagram's header, with `compression`. The result is not
    /// checked. Returns `None` if `body` is damaged. Without the features `compression` and
    /// `ruzstd`, returns `None` for everything except [`Compression::Range`].
    pub fn unpack(&mut self, compression: Compression, body: &[u8]) -> Option<&[u8]> {
        let len = match compression {
            Compression::Range => self
                .range
                .get_or_insert_with(RangeDecoder::new)
                .unpack(body, &mut self.out),
            Compression::FastLz => self.block(BlockFormat::FastLz, body),
            Compression::Zlib => self.block(BlockFormat::Zlib, body),
            Compression::Zstd => self.block(BlockFormat::Zstd, body),
        };
        self.out.get(..len?)
    }

    #[cfg(any(feature = "compression", feature = "ruzstd"))]
    fn block(&mut self, block: BlockFormat, body: &[u8]) -> Option<usize> {
        use gdvar_io::compressed::Mode;

        let mode = match block {
            BlockFormat::FastLz => Mode::FastLz,
            BlockFormat::Zlib => Mode::Deflate,
            BlockFormat::Zstd => Mode::Zstd,
        };
        self.blocks.unpack_into(mode, body, &mut self.out)
    }

    #[cfg(not(any(feature = "compression", feature = "ruzstd")))]
    fn block(&mut self, _: BlockFormat, _: &[u8]) -> Option<usize> {
        None
    }
}

/// The compressions that `gdvar-io` implements. The range coder is not among them.
enum BlockFormat {
    FastLz,
    Zlib,
    Zstd,
}

impl fmt::Debug for Unpacker {
    fn fmt(&self, f: &mut fmt::Formatter<'_>) -> fmt::Result {
        f.debug_struct("Unpacker").finish_non_exhaustive()
    }
}

/// The bits of a command's first byte that have no meaning.
const UNUSED: u8 = 0x30;

/// True if ENet would send these commands in a datagram with this header.
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
