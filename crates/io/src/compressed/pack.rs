//! Writes compressed files.

use super::{MAGIC, Mode, fastlz::Packer, unpack::FASTLZ_MIN};
use crate::{
    Error, FileErrorKind,
    limits::{no_memory, reserve},
};

/// The block size that the engines write. They read any other, too.
pub const BLOCK_SIZE: u32 = 4096;

/// Compresses `contents` in the format of `open_compressed`, in blocks of `block_size` bytes. The
/// engines use [`BLOCK_SIZE`]. FastLZ gives the same bytes as the engines, and Zstandard the same
/// bytes as Godot 4.6. The other modes may give other compressed bytes, which unpack to the same
/// contents. The time is linear in the length of the contents.
///
/// # Errors
///
/// Returns [`ReadOnly`](FileErrorKind::ReadOnly) for Brotli, [`NotBuilt`](FileErrorKind::NotBuilt)
/// if this build lacks the mode, [`NoBlockSize`](FileErrorKind::NoBlockSize) for a block size of
/// zero, [`TooLong`](FileErrorKind::TooLong) for contents of 4 GiB and more, which the header
/// cannot express, [`OutOfMemory`](FileErrorKind::OutOfMemory).
pub fn compress(contents: &[u8], mode: Mode, block_size: u32) -> Result<Vec<u8>, Error> {
    let mut packer = AnyPacker::new(mode)?;
    if block_size == 0 {
        return Err(Error::new(0, FileErrorKind::NoBlockSize));
    }
    let Ok(len) = u32::try_from(contents.len()) else {
        let (length, limit) = (u32::MAX, u32::MAX);
        return Err(Error::new(0, FileErrorKind::TooLong { length, limit }));
    };
    let mut file = Vec::new();
    file.extend_from_slice(MAGIC);
    for word in [mode.number(), block_size, len] {
        file.extend_from_slice(&word.to_le_bytes());
    }
    let table = file.len();
    let blocks = len as usize / block_size as usize + 1;
    reserve(&mut file, blocks * 4, 0)?;
    file.resize(table + blocks * 4, 0);
    // If the last block is full, an empty one follows.
    let all = contents
        .chunks(block_size as usize)
        .chain(std::iter::repeat(&[][..]))
        .take(blocks);
    for (n, block) in all.enumerate() {
        let start = file.len();
        // More than any mode adds to a block.
        let most = block.len() + block.len() / 16 + 1024;
        file.try_reserve(most).map_err(|_| no_memory(most, 0))?;
        packer.pack(block, &mut file);
        // A block's size has 32 bits, and compression adds little, so this saturates only in
        // theory.
        let size = u32::try_from(file.len() - start).unwrap_or(u32::MAX);
        file[table + n * 4..][..4].copy_from_slice(&size.to_le_bytes());
    }
    file.extend_from_slice(MAGIC);
    Ok(file)
}

/// A compressor, which is reused for each block.
enum AnyPacker {
    FastLz(Packer),
    #[cfg(feature = "deflate")]
    Deflate(flate2::Compress),
    #[cfg(feature = "deflate")]
    Gzip,
    #[cfg(feature = "zstd")]
    Zstd(zstd::bulk::Compressor<'static>),
}

#[cfg(feature = "zstd")]
fn zstd_packer() -> Result<zstd::bulk::Compressor<'static>, Error> {
    // The engines' level. Creating it fails only if there is no memory.
    let refused = FileErrorKind::NotBuilt { mode: Mode::Zstd };
    zstd::bulk::Compressor::new(3).map_err(|_| Error::new(0, refused))
}

/// Compresses `block` in `mode` and appends the compressed bytes to `out`, without a header or a
/// table of blocks.
pub(crate) fn pack_block(mode: Mode, block: &[u8], out: &mut Vec<u8>) -> Result<(), Error> {
    AnyPacker::new(mode)?.pack(block, out);
    Ok(())
}

impl AnyPacker {
    fn new(mode: Mode) -> Result<AnyPacker, Error> {
        Ok(match mode {
            Mode::FastLz => AnyPacker::FastLz(Packer::new()),
            #[cfg(feature = "deflate")]
            Mode::Deflate => {
                AnyPacker::Deflate(flate2::Compress::new(flate2::Compression::default(), true))
            }
            #[cfg(feature = "deflate")]
            Mode::Gzip => AnyPacker::Gzip,
            #[cfg(feature = "zstd")]
            Mode::Zstd => AnyPacker::Zstd(zstd_packer()?),
            Mode::Brotli => return Err(Error::new(0, FileErrorKind::ReadOnly { mode })),
            #[allow(unreachable_patterns, reason = "with all features there is none left")]
            _ => return Err(Error::new(0, FileErrorKind::NotBuilt { mode })),
        })
    }

    fn pack(&mut self, block: &[u8], file: &mut Vec<u8>) {
        match self {
            AnyPacker::FastLz(packer) if block.len() < FASTLZ_MIN => {
                let mut padded = [0; FASTLZ_MIN];
                padded[..block.len()].copy_from_slice(block);
                packer.compress(&padded, file);
            }
            AnyPacker::FastLz(packer) => packer.compress(block, file),
            #[cfg(feature = "deflate")]
            AnyPacker::Deflate(state) => {
                state.reset();
                // Room for the worst case: stored in pieces, with header and checksum.
                file.reserve(block.len() + block.len() / 1000 + 64);
                let done = state.compress_vec(block, file, flate2::FlushCompress::Finish);
                debug_assert!(matches!(done, Ok(flate2::Status::StreamEnd)));
            }
            #[cfg(feature = "deflate")]
            AnyPacker::Gzip => {
                use std::io::Write;

                let level = flate2::Compression::default();
                let mut encoder = flate2::write::GzEncoder::new(file, level);
                let done = encoder.write_all(block).and_then(|()| encoder.try_finish());
                debug_assert!(done.is_ok(), "a vector takes everything");
            }
            #[cfg(feature = "zstd")]
            AnyPacker::Zstd(state) => {
                let start = file.len();
                file.resize(start + zstd::zstd_safe::compress_bound(block.len()), 0);
                let done = state.compress_to_buffer(block, &mut file[start..]);
                debug_assert!(done.is_ok(), "there is room for the worst case");
                file.truncate(start + done.unwrap_or(0));
            }
        }
    }
}
