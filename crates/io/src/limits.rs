//! How much memory a file of a stranger may ask for.
//!
//! A block's memory is taken only if its compressed bytes can hold it: at most 255 times their number in FastLZ, 1032 times
//! in deflate, 128 KiB for each block that stands in a Zstandard frame. Brotli has no such bound, so long blocks are unpacked
//! into nothing first. Limits come on top; [`Limits::unpacking`] follows the length of the file.

use crate::{Error, FileErrorKind};

/// The largest lengths that a file may declare. Memory is only taken as bytes arrive or can be
/// justified by those that are there, so the limit is the last of several barriers.
#[derive(Clone, Copy, PartialEq, Eq, Debug)]
#[non_exhaustive]
pub struct Limits {
    /// The most bytes of one record, or of the contents of a compressed or encrypted file.
    pub max_len: u32,
}

impl Limits {
    /// For records in files: 1 GiB. For the contents of compressed files see [`Limits::unpacking`].
    pub const FILE: Limits = Limits { max_len: 1 << 30 };

    /// For streams: 8 MiB, what a `PacketPeer` of the engines encodes at most by default
    /// (`docs/FORMAT.md` §7.1).
    pub const STREAM: Limits = Limits { max_len: 8 << 20 };

    /// For the contents of a compressed file of `file_len` bytes: 200 times as much, but never less than
    /// 64 MiB and never more than [`Limits::FILE`].
    ///
    /// No file that an engine writes is refused by the factor: its blocks are of 4096 bytes, and 4096 zeros
    /// become 23 bytes at best (Zstandard, 177 times; Deflate 136, gzip 97, FastLZ 69). A file of a stranger
    /// that promises more was made to take memory, or has larger blocks than engines write.
    ///
    /// ```
    /// use gdvar_io::Limits;
    ///
    /// assert_eq!(Limits::unpacking(1_000_000).max_len, 200_000_000);
    /// assert_eq!(Limits::unpacking(1_000).max_len, 64 << 20);
    /// assert_eq!(Limits::unpacking(usize::MAX), Limits::FILE);
    /// ```
    #[must_use]
    pub const fn unpacking(file_len: usize) -> Limits {
        let most = file_len.saturating_mul(Limits::MOST_TIMES as usize);
        if most < Limits::LEAST_UNPACKED as usize {
            Limits::new(Limits::LEAST_UNPACKED)
        } else if most < Limits::FILE.max_len as usize {
            Limits::new(most as u32)
        } else {
            Limits::FILE
        }
    }

    /// The factor of [`Limits::unpacking`].
    const MOST_TIMES: u32 = 200;

    /// The least of [`Limits::unpacking`].
    const LEAST_UNPACKED: u32 = 64 << 20;

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

/// Makes room for as many bytes as a field at `offset` promises, or says that there is no memory.
pub(crate) fn reserve<T>(out: &mut Vec<T>, more: usize, offset: u64) -> Result<(), Error> {
    out.try_reserve_exact(more)
        .map_err(|_| no_memory(more.saturating_mul(size_of::<T>()), offset))
}

/// That the system gives no memory for so many bytes.
#[cold]
pub(crate) fn no_memory(length: usize, offset: u64) -> Error {
    let length = u32::try_from(length).unwrap_or(u32::MAX);
    Error::new(offset, FileErrorKind::OutOfMemory { length })
}
