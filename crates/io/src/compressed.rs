//! Compressed files, `GCPF`: what `FileAccess.open_compressed` (Godot 3: `File.open_compressed`)
//! reads and writes ([`docs/FORMAT.md` §7.3]).
//!
//! The contents are split into blocks, by default of 4096 bytes, which are compressed one by one. A
//! [`Compressed`] therefore reaches any offset by unpacking one block: [`Compressed::reader`] is a
//! `Read + Seek`. [`compress`] writes such files. The contents are what a game stored, mostly
//! [records](crate::records).
//!
//! | mode | reads | writes | feature |
//! |---|---|---|---|
//! | FastLZ | yes | the engines' own bytes | |
//! | Deflate, gzip | yes | yes | `deflate` |
//! | Zstandard | yes | the bytes of Godot 4.6 | `zstd`; `ruzstd`, in pure Rust, only reads |
//! | Brotli | yes | no, like the engines | `brotli` |
//!
//! FastLZ is our own implementation of the 2007 version, with one rule of later versions at the end
//! of a block, because no maintained library writes the engines' bytes. Zstandard uses the C
//! library, which never writes past a slice of the declared size. Rejected as the default:
//! `ruzstd`, whose decoder does not bound what one block of a frame unpacks to, and whose encoder
//! gives other bytes than the engines.
//!
//! [`docs/FORMAT.md` §7.3]: https://github.com/gdvar/gdvar/blob/main/docs/FORMAT.md#73-compressed-file-gcpf

pub(crate) mod fastlz;
mod pack;
mod read;
mod unpack;

use std::fmt;

pub(crate) use pack::pack_block;
pub use pack::{BLOCK_SIZE, compress};
pub use read::Reader;
pub use unpack::Unpacker;

use crate::{
    Error, FileErrorKind, Limits,
    limits::reserve,
    words::{missing, need_word},
};

pub(crate) const MAGIC: &[u8; 4] = b"GCPF";

/// The size of the header: magic, mode, block size and length.
const HEADER: usize = 16;

/// The offset of the field with the length of the contents.
const LENGTH_AT: u64 = 12;

/// How blocks are compressed.
#[derive(Clone, Copy, PartialEq, Eq, Hash, Debug)]
pub enum Mode {
    /// FastLZ, the engines' default.
    FastLz,
    /// Deflate with the zlib header (feature `deflate`).
    Deflate,
    /// Zstandard (feature `zstd`, or `ruzstd` to read).
    Zstd,
    /// gzip (feature `deflate`).
    Gzip,
    /// Brotli (feature `brotli`), which can only be read.
    Brotli,
}

impl Mode {
    /// All modes, in the order of their numbers.
    pub const ALL: [Mode; 5] = [
        Mode::FastLz,
        Mode::Deflate,
        Mode::Zstd,
        Mode::Gzip,
        Mode::Brotli,
    ];

    /// Returns the mode with this number in the header.
    #[must_use]
    pub fn from_number(number: u32) -> Option<Mode> {
        Mode::ALL.get(number as usize).copied()
    }

    /// Returns the mode's number in the header.
    #[must_use]
    pub const fn number(self) -> u32 {
        self as u32
    }

    /// Returns the name: `fastlz`, `deflate`, `zstd`, `gzip` or `brotli`.
    #[must_use]
    pub const fn name(self) -> &'static str {
        match self {
            Mode::FastLz => "fastlz",
            Mode::Deflate => "deflate",
            Mode::Zstd => "zstd",
            Mode::Gzip => "gzip",
            Mode::Brotli => "brotli",
        }
    }
}

impl fmt::Display for Mode {
    fn fmt(&self, f: &mut fmt::Formatter<'_>) -> fmt::Result {
        f.write_str(self.name())
    }
}

/// A compressed file whose bytes are in memory.
///
/// ```
/// use gdvar_io::{Limits, compressed::{BLOCK_SIZE, Compressed, Mode, compress}};
///
/// let plain = vec![7; 10_000];
/// let file = compress(&plain, Mode::FastLz, BLOCK_SIZE)?;
/// let opened = Compressed::open(&file, Limits::unpacking(file.len()))?;
/// assert_eq!((opened.len(), opened.blocks()), (10_000, 3));
/// assert_eq!(opened.to_vec()?, plain);
/// # Ok::<(), gdvar_io::Error>(())
/// ```
#[derive(Clone)]
pub struct Compressed<'a> {
    bytes: &'a [u8],
    mode: Mode,
    block_size: u32,
    len: u32,
    /// The offset of each block in `bytes`, and the end of the last one.
    starts: Vec<u64>,
}

impl<'a> Compressed<'a> {
    /// Reads the header and the table of blocks, and unpacks nothing. The time is O(blocks). Each
    /// entry of the table takes 8 bytes of memory. A block is checked only when it is read, so the
    /// whole blocks of a truncated file can still be read.
    ///
    /// # Errors
    ///
    /// Returns [`BadMagic`](FileErrorKind::BadMagic), [`UnknownMode`](FileErrorKind::UnknownMode),
    /// [`NoBlockSize`](FileErrorKind::NoBlockSize), [`TooLong`](FileErrorKind::TooLong) for
    /// contents above the limit, [`Truncated`](FileErrorKind::Truncated) inside header or table,
    /// [`OutOfMemory`](FileErrorKind::OutOfMemory).
    pub fn open(bytes: &'a [u8], limits: Limits) -> Result<Compressed<'a>, Error> {
        Compressed::open_as(bytes, MAGIC, limits)
    }

    /// Opens a file that has the layout of a compressed file but begins with `magic`, such as the
    /// `RSCC` of a compressed resource.
    ///
    /// # Errors
    ///
    /// Returns the errors of [`Compressed::open`].
    pub fn open_as(
        bytes: &'a [u8],
        magic: &[u8; 4],
        limits: Limits,
    ) -> Result<Compressed<'a>, Error> {
        if !bytes.starts_with(magic) {
            let expected = *magic;
            return Err(Error::new(0, FileErrorKind::BadMagic { expected }));
        }
        let number = need_word(bytes, 4)?;
        let Some(mode) = Mode::from_number(number) else {
            return Err(Error::new(4, FileErrorKind::UnknownMode { mode: number }));
        };
        let block_size = need_word(bytes, 8)?;
        if block_size == 0 {
            return Err(Error::new(8, FileErrorKind::NoBlockSize));
        }
        let len = need_word(bytes, 12)?;
        let limit = limits.max_len;
        if len > limit {
            return Err(Error::new(
                LENGTH_AT,
                FileErrorKind::TooLong { length: len, limit },
            ));
        }
        let table_len = (u64::from(len / block_size) + 1) * 4;
        let table = usize::try_from(table_len)
            .ok()
            .and_then(|table_len| bytes[HEADER..].get(..table_len))
            .ok_or_else(|| missing(bytes, HEADER, table_len))?;
        let mut at = HEADER as u64 + table_len;
        let mut starts = Vec::new();
        reserve(&mut starts, table.len() / 4 + 1, LENGTH_AT)?;
        starts.push(at);
        starts.extend(table.chunks_exact(4).map(|four| {
            // These are words of a table in memory, so the sum stays far below 2⁶⁴.
            at += u64::from(u32::from_le_bytes([four[0], four[1], four[2], four[3]]));
            at
        }));
        Ok(Compressed {
            bytes,
            mode,
            block_size,
            len,
            starts,
        })
    }

    /// Returns how the blocks are compressed.
    #[must_use]
    pub fn mode(&self) -> Mode {
        self.mode
    }

    /// Returns the length of the contents in bytes, according to the header.
    #[must_use]
    #[expect(clippy::len_without_is_empty, reason = "a size, not a collection")]
    pub fn len(&self) -> u32 {
        self.len
    }

    /// Returns the unpacked length of every block but the last.
    #[must_use]
    pub fn block_size(&self) -> u32 {
        self.block_size
    }

    /// Returns the bytes after the last block. In a complete file, they begin with a second copy of
    /// the magic.
    #[must_use]
    pub fn rest(&self) -> &'a [u8] {
        let end = self.starts.last().copied().unwrap_or_default();
        let end = usize::try_from(end).unwrap_or(usize::MAX);
        self.bytes.get(end..).unwrap_or_default()
    }

    /// Returns the bytes after the second copy of the magic, which no engine reads. If this copy
    /// does not follow the last block, returns everything after that block.
    #[must_use]
    pub fn trailer(&self) -> &'a [u8] {
        let (rest, magic) = (self.rest(), &self.bytes[..MAGIC.len()]);
        rest.strip_prefix(magic).unwrap_or(rest)
    }

    /// Returns the number of blocks, at least one. The last may be empty.
    #[must_use]
    pub fn blocks(&self) -> usize {
        self.starts.len() - 1
    }

    /// Returns the unpacked length of a block.
    fn block_len(&self, block: usize) -> usize {
        let last = block + 1 == self.blocks();
        let len = if last {
            self.len % self.block_size
        } else {
            self.block_size
        };
        len as usize
    }

    /// Returns the compressed bytes of a block. Fails if there is no such block, if the file ends
    /// before the block does, if this build does not read the mode, or if the bytes cannot unpack
    /// to the block's length.
    fn justified(&self, block: usize) -> Result<&'a [u8], Error> {
        let (Some(&start), Some(&end)) = (self.starts.get(block), self.starts.get(block + 1))
        else {
            return Err(Error::new(
                self.bytes.len() as u64,
                FileErrorKind::OutOfRange,
            ));
        };
        if !unpack::is_built(self.mode) {
            let mode = self.mode;
            return Err(Error::new(4, FileErrorKind::NotBuilt { mode }));
        }
        let have = self.bytes.len() as u64;
        if end > have {
            return Err(Error::truncated(start.min(have), end - have));
        }
        // Both offsets are within the bytes.
        let packed = &self.bytes[start as usize..end as usize];
        let length = self.block_len(block);
        if !unpack::can_hold(self.mode, packed, length) {
            let (block, length) = (block as u32, length as u32);
            return Err(Error::new(
                start,
                FileErrorKind::Impossible { block, length },
            ));
        }
        Ok(packed)
    }

    /// Unpacks a block into `out`, which must have the unpacked length.
    fn unpack(&self, unpacker: &mut Unpacker, block: usize, out: &mut [u8]) -> Result<(), Error> {
        let packed = self.justified(block)?;
        if unpacker.unpack(self.mode, packed, out) {
            return Ok(());
        }
        let start = self.starts[block];
        let block = block as u32;
        Err(Error::new(start, FileErrorKind::BadBlock { block }))
    }

    /// Unpacks all contents into one vector of exactly their length.
    ///
    /// Before the memory is allocated, each block is checked: its compressed bytes must be able to
    /// unpack to the block's length. The bound is 1032 bytes for each compressed byte in FastLZ,
    /// Deflate and gzip, and 128 KiB for each block inside a Zstandard frame. Brotli has no such
    /// bound: a Brotli block that declares more than 1032 bytes for each compressed byte is first
    /// unpacked and discarded, to see whether it is that long. The length is never above the limit
    /// given to [`Compressed::open`].
    ///
    /// # Errors
    ///
    /// Returns the error of [`Reader::read_block`] for the first faulty block;
    /// [`OutOfMemory`](FileErrorKind::OutOfMemory).
    pub fn to_vec(&self) -> Result<Vec<u8>, Error> {
        let mut out = Vec::new();
        self.read_to_vec(&mut out)?;
        Ok(out)
    }

    /// Appends all contents to a vector, which is unchanged after an error. See
    /// [`Compressed::to_vec`].
    ///
    /// # Errors
    ///
    /// Returns the errors of [`Compressed::to_vec`].
    pub fn read_to_vec(&self, out: &mut Vec<u8>) -> Result<(), Error> {
        let start = out.len();
        let mut unpacker = Unpacker::default();
        for block in 0..self.blocks() {
            self.justified(block)?;
        }
        reserve(out, self.len as usize, LENGTH_AT)?;
        out.resize(start + self.len as usize, 0);
        let whole = out[start..]
            .chunks_mut(self.block_size as usize)
            .chain(self.empty_tail().then_some(&mut [][..]))
            .enumerate()
            .try_for_each(|(block, out)| self.unpack(&mut unpacker, block, out));
        if whole.is_err() {
            out.truncate(start);
        }
        whole
    }

    /// Recovers what is left of a damaged file: the contents of all valid blocks, and of a damaged block what unpacks
    /// before the damage. Of a damaged block of FastLZ, which has no checksum, this is nothing, unless only its end is
    /// missing. Adjacent contents are joined to one piece, and each piece comes with its offset in the
    /// contents. Blocks are read one by one, with the check that [`Compressed::to_vec`] describes.
    ///
    /// ```
    /// use gdvar_io::{Limits, compressed::{Compressed, Mode, compress}};
    ///
    /// let contents: Vec<u8> = (0..100).collect();
    /// let file = compress(&contents, Mode::FastLz, 32)?;
    /// let cut = &file[..file.len() - 50]; // inside the third of four blocks
    /// let opened = Compressed::open(cut, Limits::FILE)?;
    /// assert!(opened.to_vec().is_err());
    /// let pieces = opened.pieces();
    /// assert_eq!(pieces, [(0, contents[..64].to_vec())]);
    /// # Ok::<(), gdvar_io::Error>(())
    /// ```
    #[must_use]
    pub fn pieces(&self) -> Vec<(u64, Vec<u8>)> {
        let mut pieces: Vec<(u64, Vec<u8>)> = Vec::new();
        let mut reader = self.reader();
        for block in 0..self.blocks() {
            let left;
            let contents = match reader.read_block(block) {
                Ok(contents) => contents,
                Err(_) => {
                    left = self.block_start(block);
                    &left[..]
                }
            };
            let start = block as u64 * u64::from(self.block_size);
            match pieces.last_mut() {
                Some((first, piece)) if *first + piece.len() as u64 == start => {
                    piece.extend_from_slice(contents);
                }
                _ if contents.is_empty() => {}
                _ => pieces.push((start, contents.to_vec())),
            }
        }
        pieces
    }

    /// Returns what unpacks of a damaged block before the damage.
    fn block_start(&self, block: usize) -> Vec<u8> {
        let have = self.bytes.len() as u64;
        let (start, end) = (self.starts[block].min(have), self.starts[block + 1]);
        let packed = &self.bytes[start as usize..end.min(have) as usize];
        let len = self.block_len(block);
        if self.mode != Mode::FastLz {
            let limits = Limits::new(len as u32);
            return crate::packed::unpack_start(self.mode, packed, limits).0;
        }
        let most = packed.len().saturating_mul(fastlz::EXPANSION as usize);
        let mut left = vec![0; len.min(most)];
        let unpacked = match end > have {
            true => fastlz::decompress_start(packed, &mut left),
            false => 0,
        };
        left.truncate(unpacked);
        left
    }

    /// Unpacks like [`Compressed::to_vec`], with all threads of the current `rayon` pool.
    ///
    /// # Errors
    ///
    /// Returns the first of the errors of [`Compressed::to_vec`].
    #[cfg(feature = "rayon")]
    pub fn to_vec_parallel(&self) -> Result<Vec<u8>, Error> {
        use rayon::prelude::*;
        use zerocopy::FromZeros;

        for block in 0..self.blocks() {
            self.justified(block)?;
        }
        // Zero pages from the system, so that each thread is the first to touch its own.
        let mut out = u8::new_vec_zeroed(self.len as usize)
            .map_err(|_| crate::limits::no_memory(self.len as usize, LENGTH_AT))?;
        // Several blocks form a task, because one is too little work.
        let many = (1_usize << 18).div_ceil(self.block_size as usize);
        let errors: Vec<Error> = out
            .par_chunks_mut((self.block_size as usize).saturating_mul(many))
            .enumerate()
            .map_init(Unpacker::default, |unpacker, (part, out)| {
                out.chunks_mut(self.block_size as usize)
                    .enumerate()
                    .try_for_each(|(n, out)| self.unpack(unpacker, part * many + n, out))
            })
            .filter_map(Result::err)
            .collect();
        let tail = if self.empty_tail() {
            self.unpack(&mut Unpacker::default(), self.blocks() - 1, &mut [])
        } else {
            Ok(())
        };
        match errors.first() {
            Some(error) => Err(*error),
            None => tail.map(|()| out),
        }
    }

    /// Returns `true` if the last block is empty.
    fn empty_tail(&self) -> bool {
        self.len % self.block_size == 0
    }

    /// Returns a reader, which unpacks block by block and reaches any offset by unpacking one
    /// block.
    #[must_use]
    pub fn reader(&self) -> Reader<'_, 'a> {
        Reader::new(self)
    }
}

impl fmt::Debug for Compressed<'_> {
    fn fmt(&self, f: &mut fmt::Formatter<'_>) -> fmt::Result {
        f.debug_struct("Compressed")
            .field("mode", &self.mode)
            .field("len", &self.len)
            .field("block_size", &self.block_size)
            .finish_non_exhaustive()
    }
}

/// Unpacks a single block that is not part of a compressed file. `len` is its unpacked length.
pub(crate) fn unpack_one(mode: Mode, packed: &[u8], len: usize) -> Result<Vec<u8>, FileErrorKind> {
    if !unpack::is_built(mode) {
        return Err(FileErrorKind::NotBuilt { mode });
    }
    if !unpack::can_hold(mode, packed, len) {
        let length = u32::try_from(len).unwrap_or(u32::MAX);
        return Err(FileErrorKind::Impossible { block: 0, length });
    }
    let mut out = vec![0; len];
    if Unpacker::default().unpack(mode, packed, &mut out) {
        Ok(out)
    } else {
        Err(FileErrorKind::BadBlock { block: 0 })
    }
}
