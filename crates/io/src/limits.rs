//! How much memory an untrusted file may take.
//!
//! Memory for a block is allocated only if its compressed bytes can unpack to its length. One byte
//! of FastLZ becomes at most 255 bytes, one byte of deflate at most 1032, and each block inside a
//! Zstandard frame at most 128 KiB. Brotli has no such bound, so a long block is first unpacked
//! once and discarded. Limits apply in addition; [`Limits::unpacking`] depends on the length of the
//! file.

use crate::{Error, FileErrorKind};

/// The greatest length that a record, or the contents of a compressed or encrypted file, may have.
/// A file that declares more is refused. The limit is an additional protection: a length below it
/// allocates memory only if enough bytes are present to read, or to unpack to that length.
#[derive(Clone, Copy, PartialEq, Eq, Debug)]
#[non_exhaustive]
pub struct Limits {
    /// The most bytes of one record, or of the contents of a compressed or encrypted file.
    pub max_len: u32,
}

impl Limits {
    /// For records in files: 1 GiB. For the contents of compressed files use [`Limits::unpacking`].
    pub const FILE: Limits = Limits { max_len: 1 << 30 };

    /// For streams: 8 MiB, the default limit of what the engines' `PacketPeer` encodes
    /// ([`docs/FORMAT.md` §7.1]).
    ///
    /// [`docs/FORMAT.md` §7.1]: https://github.com/gdvar/gdvar/blob/main/docs/FORMAT.md#71-length-prefixed-values
    pub const STREAM: Limits = Limits { max_len: 8 << 20 };

    /// For the contents of a compressed file of `file_len` bytes: 200 times as much, but at least
    /// 64 MiB and at most [`Limits::FILE`].
    ///
    /// The factor refuses no file that an engine writes: the engines' blocks have 4096 bytes, and
    /// 4096 zeros become 23 bytes at best (Zstandard, 177 times; Deflate 136, gzip 97, FastLZ 69).
    /// A file that declares more was made to exhaust memory, or has larger blocks than the engines
    /// write.
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

    /// The least limit of [`Limits::unpacking`], for short files.
    const LEAST_UNPACKED: u32 = 64 << 20;

    /// Allows at most `max_len` bytes.
    #[must_use]
    pub const fn new(max_len: u32) -> Limits {
        Limits { max_len }
    }
}

/// Returns [`Limits::FILE`].
impl Default for Limits {
    fn default() -> Limits {
        Limits::FILE
    }
}

/// Reserves memory for `more` elements, or returns the error for missing memory. `offset` is where
/// the file declares their number; the error reports it.
pub(crate) fn reserve<T>(out: &mut Vec<T>, more: usize, offset: u64) -> Result<(), Error> {
    out.try_reserve_exact(more)
        .map_err(|_| no_memory(more.saturating_mul(size_of::<T>()), offset))
}

/// Returns the error for missing memory.
#[cold]
pub(crate) fn no_memory(length: usize, offset: u64) -> Error {
    let length = u32::try_from(length).unwrap_or(u32::MAX);
    Error::new(offset, FileErrorKind::OutOfMemory { length })
}
