//! Compressed bytes without a file header: what the engines' `PackedByteArray.compress` returns,
//! and what gzip, zlib and zstd programs write ([`docs/FORMAT.md` §7.3] lists the modes).
//!
//! Games store the result of `var_to_bytes(save).compress(mode)` as a whole file, often after a
//! number with the unpacked size. [`unpack`] either reads such bytes to their end or fails.
//!
//! ```
//! use gdvar_io::{Limits, compressed::Mode, packed};
//!
//! let plain = vec![7; 1000];
//! let bytes = packed::pack(Mode::FastLz, &plain)?;
//! assert_eq!(packed::unpack(Mode::FastLz, &bytes, Limits::unpacking(bytes.len()))?, plain);
//! # Ok::<(), gdvar_io::Error>(())
//! ```
//!
//! [`docs/FORMAT.md` §7.3]: https://github.com/gdvar/gdvar/blob/main/docs/FORMAT.md#73-compressed-file-gcpf

use std::io::{self, BufRead, Read};

use crate::{
    Error, FileErrorKind, Limits,
    compressed::{Mode, fastlz},
    limits::reserve,
};

/// Returns the mode of compressed bytes that have a magic: gzip or Zstandard. `None` for all
/// others.
///
/// ```
/// use gdvar_io::{compressed::Mode, packed};
///
/// assert_eq!(packed::sniff(b"\x1f\x8b\x08\0"), Some(Mode::Gzip));
/// assert_eq!(packed::sniff(b"\x78\x9c"), None);
/// ```
#[must_use]
pub fn sniff(bytes: &[u8]) -> Option<Mode> {
    if bytes.starts_with(b"\x1f\x8b\x08") {
        return Some(Mode::Gzip);
    }
    bytes.starts_with(b"\x28\xb5\x2f\xfd").then_some(Mode::Zstd)
}

/// Returns `true` if the first two bytes are a valid zlib header (RFC 1950). About one in a
/// thousand random pairs of bytes is one, so this alone proves nothing.
#[must_use]
pub fn has_zlib_header(bytes: &[u8]) -> bool {
    bytes.first_chunk().is_some_and(|&[method, flags]| {
        let is_deflate = method & 15 == 8 && method >> 4 <= 7;
        is_deflate && u16::from_be_bytes([method, flags]) % 31 == 0 && flags & 0x20 == 0
    })
}

/// Unpacks all of `packed`. [`Mode::Deflate`] is zlib's format, as in the engines. Memory grows
/// with the bytes that are actually unpacked, up to `limits`.
///
/// # Errors
///
/// Returns [`Truncated`](FileErrorKind::Truncated), [`BadBlock`](FileErrorKind::BadBlock) for
/// damaged bytes and for bytes after the end, [`WrongChecksum`](FileErrorKind::WrongChecksum) if
/// everything can be unpacked but its checksum differs, [`TooLong`](FileErrorKind::TooLong),
/// [`NotBuilt`](FileErrorKind::NotBuilt), [`OutOfMemory`](FileErrorKind::OutOfMemory).
pub fn unpack(mode: Mode, packed: &[u8], limits: Limits) -> Result<Vec<u8>, Error> {
    let mut plain = Vec::new();
    unpack_into(mode, Steps::all(packed), limits, &mut plain)?;
    Ok(plain)
}

/// Unpacks `packed` as far as possible. Returns the bytes before the damage, and the error at the damage,
/// if any. If only the checksum is wrong, all bytes are returned. Damaged FastLZ returns no bytes: it has no
/// checksum, so none can be trusted. See [`unpack`].
#[must_use]
pub fn unpack_start(mode: Mode, packed: &[u8], limits: Limits) -> (Vec<u8>, Option<Error>) {
    let mut plain = Vec::new();
    let Err(damage) = unpack_into(mode, Steps::all(packed), limits, &mut plain) else {
        return (plain, None);
    };
    let is_damaged = !matches!(
        damage.kind(),
        FileErrorKind::TooLong { .. } | FileErrorKind::OutOfMemory { .. }
    );
    // A decoder that finds damage drops up to 32 KiB that it unpacked before. The second time it gets byte after
    // byte, and returns what each of them unpacks to.
    if is_damaged && mode != Mode::FastLz {
        plain.clear();
        let single = Steps {
            rest: packed,
            step: 1,
        };
        // The error is the same as before.
        let _ = unpack_into(mode, single, limits, &mut plain);
    }
    (plain, Some(damage))
}

/// Compressed bytes that a decoder gets in steps.
struct Steps<'a> {
    rest: &'a [u8],
    /// The most bytes in one step.
    step: usize,
}

impl<'a> Steps<'a> {
    /// Gives all bytes in one step.
    fn all(packed: &'a [u8]) -> Steps<'a> {
        Steps {
            rest: packed,
            step: usize::MAX,
        }
    }
}

impl Read for Steps<'_> {
    fn read(&mut self, out: &mut [u8]) -> io::Result<usize> {
        let most = out.len().min(self.step);
        self.rest.read(&mut out[..most])
    }
}

impl BufRead for Steps<'_> {
    fn fill_buf(&mut self) -> io::Result<&[u8]> {
        Ok(&self.rest[..self.rest.len().min(self.step)])
    }

    fn consume(&mut self, count: usize) {
        self.rest.consume(count);
    }
}

/// Unpacks to the end of `plain`.
#[allow(unused_mut, unused_variables, reason = "with fewer features")]
fn unpack_into(
    mode: Mode,
    mut steps: Steps<'_>,
    limits: Limits,
    plain: &mut Vec<u8>,
) -> Result<(), Error> {
    let packed = steps.rest;
    match mode {
        Mode::FastLz => {
            *plain = fast_lz(packed, limits)?;
            Ok(())
        }
        #[cfg(feature = "deflate")]
        Mode::Deflate => {
            let mut decoder = flate2::bufread::ZlibDecoder::new(steps);
            let read = read_to_end(&mut decoder, packed.len(), limits, plain);
            read.map_err(|error| match error.kind() {
                FileErrorKind::BadBlock { .. } if has_zlib_end(packed, limits) => wrong_checksum(),
                _ => error,
            })?;
            is_all(decoder.total_in() as usize == packed.len())
        }
        #[cfg(feature = "deflate")]
        Mode::Gzip => {
            let mut decoder = flate2::bufread::MultiGzDecoder::new(steps);
            read_to_end(&mut decoder, packed.len(), limits, plain)
        }
        #[cfg(feature = "zstd")]
        Mode::Zstd => {
            let mut decoder =
                zstd::stream::read::Decoder::with_buffer(steps).map_err(|_| damaged())?;
            read_to_end(&mut decoder, packed.len(), limits, plain)
        }
        #[cfg(all(feature = "ruzstd", not(feature = "zstd")))]
        Mode::Zstd => {
            let mut decoder =
                ruzstd::decoding::StreamingDecoder::new(&mut steps).map_err(|_| damaged())?;
            read_to_end(&mut decoder, packed.len(), limits, plain)?;
            is_all(steps.rest.is_empty())
        }
        #[cfg(feature = "brotli")]
        Mode::Brotli => {
            let mut decoder = brotli_decompressor::Decompressor::new(steps, 4096);
            read_to_end(&mut decoder, packed.len(), limits, plain)
        }
        #[allow(unreachable_patterns, reason = "with all features there is none left")]
        _ => Err(Error::new(0, FileErrorKind::NotBuilt { mode })),
    }
}

/// Compresses `contents` as `PackedByteArray.compress(mode)` does. FastLZ below 64 KiB and
/// Zstandard give the same bytes as Godot 4.6. Other results may have other bytes, but unpack to
/// the same contents.
///
/// # Errors
///
/// Returns [`ReadOnly`](FileErrorKind::ReadOnly) for Brotli, [`NotBuilt`](FileErrorKind::NotBuilt).
pub fn pack(mode: Mode, contents: &[u8]) -> Result<Vec<u8>, Error> {
    let mut packed = Vec::new();
    crate::compressed::pack_block(mode, contents, &mut packed)?;
    Ok(packed)
}

#[cold]
fn damaged() -> Error {
    Error::new(0, FileErrorKind::BadBlock { block: 0 })
}

#[cfg(any(
    feature = "deflate",
    feature = "zstd",
    feature = "ruzstd",
    feature = "brotli"
))]
#[cold]
fn wrong_checksum() -> Error {
    Error::new(0, FileErrorKind::WrongChecksum)
}

#[cold]
fn too_long(limits: Limits) -> Error {
    let limit = limits.max_len;
    let length = limit.saturating_add(1);
    Error::new(0, FileErrorKind::TooLong { length, limit })
}

#[cfg(any(feature = "deflate", all(feature = "ruzstd", not(feature = "zstd"))))]
fn is_all(is_all: bool) -> Result<(), Error> {
    is_all.then_some(()).ok_or_else(damaged)
}

/// Returns `true` if zlib data can be unpacked up to its checksum, whatever the checksum is.
#[cfg(feature = "deflate")]
fn has_zlib_end(packed: &[u8], limits: Limits) -> bool {
    let end = packed.len().saturating_sub(4);
    let Some(data) = packed.get(2..end) else {
        return false;
    };
    let mut decoder = flate2::bufread::DeflateDecoder::new(data);
    let mut most = decoder.by_ref().take(limits.max_len.into());
    let is_read = io::copy(&mut most, &mut io::sink()).is_ok();
    is_read && decoder.total_in() as usize == data.len()
}

#[cfg(any(
    feature = "deflate",
    feature = "zstd",
    feature = "ruzstd",
    feature = "brotli"
))]
fn read_to_end(
    reader: &mut impl Read,
    packed_len: usize,
    limits: Limits,
    plain: &mut Vec<u8>,
) -> Result<(), Error> {
    let mut piece = [0; 1 << 14];
    loop {
        let len = match reader.read(&mut piece) {
            Ok(0) => return Ok(()),
            Ok(len) => len,
            Err(error) if error.kind() == io::ErrorKind::Interrupted => continue,
            Err(error) if error.kind() == io::ErrorKind::UnexpectedEof => {
                return Err(Error::truncated(packed_len as u64, 1));
            }
            // gzip: "corrupt gzip stream does not have a matching checksum"; Zstandard: "Restored data doesn't match
            // checksum". Neither library has a kind for this error.
            Err(error) if error.to_string().contains("checksum") => return Err(wrong_checksum()),
            Err(_) => return Err(damaged()),
        };
        if plain.len() + len > limits.max_len as usize {
            return Err(too_long(limits));
        }
        if plain.capacity() - plain.len() < len {
            let more = plain.len().max(piece.len());
            reserve(plain, more, 0)?;
        }
        plain.extend_from_slice(&piece[..len]);
    }
}

/// Unpacks a FastLZ stream. The stream does not contain its unpacked size, so the size is measured
/// first. Bytes that are not a valid stream fail before memory is allocated.
fn fast_lz(packed: &[u8], limits: Limits) -> Result<Vec<u8>, Error> {
    let len = fastlz::unpacked_len(packed).ok_or_else(damaged)?;
    if len > limits.max_len as usize {
        return Err(too_long(limits));
    }
    let mut plain = Vec::new();
    reserve(&mut plain, len, 0)?;
    plain.resize(len, 0);
    let written = fastlz::decompress(packed, &mut plain);
    if written == Some(len) {
        Ok(plain)
    } else {
        Err(damaged())
    }
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn every_mode_comes_back_and_damage_is_refused() {
        for len in [0_usize, 1, 15, 16, 17, 4096, 100_000] {
            let plain: Vec<u8> = (0..len).map(|n| (n / 7 % 251) as u8).collect();
            for mode in [Mode::FastLz, Mode::Deflate, Mode::Gzip, Mode::Zstd] {
                let packed = pack(mode, &plain).expect("packed");
                let back = unpack(mode, &packed, Limits::FILE).expect("unpacked");
                // FastLZ cannot take less than 16 bytes. The engines pad, and keep the size
                // elsewhere.
                if mode == Mode::FastLz {
                    assert!(
                        back.starts_with(&plain) && back.len() <= plain.len().max(16),
                        "{len}"
                    );
                } else {
                    assert_eq!(back, plain, "{mode} {len}");
                    let cut = &packed[..packed.len() - 1];
                    let (start, damage) = unpack_start(mode, cut, Limits::FILE);
                    assert!(
                        damage.is_some() && plain.starts_with(&start),
                        "{mode} {len}"
                    );
                    assert_eq!(unpack(mode, cut, Limits::FILE).err(), damage);
                    let more = [&packed[..], b"x"].concat();
                    assert!(unpack(mode, &more, Limits::FILE).is_err(), "{mode} {len}");
                }
                if len > 100 {
                    let small = Limits::new(len as u32 - 1);
                    let kind = unpack(mode, &packed, small).map_err(Error::kind);
                    assert!(
                        matches!(kind, Err(FileErrorKind::TooLong { .. })),
                        "{mode} {kind:?}"
                    );
                }
            }
        }
        assert!(has_zlib_header(&pack(Mode::Deflate, b"x").expect("packed")));
    }

    /// The offset of the checksum of gzip (RFC 1952, 2.3.1), zlib (RFC 1950, 2.2) and Zstandard (RFC 8878, 3.1.1),
    /// counted from the end.
    const SUMS: [(Mode, usize); 3] = [(Mode::Gzip, 8), (Mode::Deflate, 4), (Mode::Zstd, 4)];

    #[test]
    fn with_a_wrong_checksum_all_is_unpacked() {
        for len in [1_usize, 100, 16_384, 100_000] {
            let plain: Vec<u8> = (0..len).map(|n| (n * 31 / 7 % 251) as u8).collect();
            for (mode, from_end) in SUMS {
                let mut packed = match mode {
                    Mode::Zstd => with_sum(&plain),
                    _ => pack(mode, &plain).expect("packed"),
                };
                assert_eq!(
                    unpack(mode, &packed, Limits::FILE).as_deref(),
                    Ok(&plain[..])
                );
                let at = packed.len() - from_end;
                packed[at] ^= 1;
                let (start, damage) = unpack_start(mode, &packed, Limits::FILE);
                assert_eq!(
                    damage.map(Error::kind),
                    Some(FileErrorKind::WrongChecksum),
                    "{mode} {len}"
                );
                assert!(start == plain, "{mode} {len}: {}", start.len());
                // More bytes after the end lose nothing either.
                packed[at] ^= 1;
                packed.extend_from_slice(b"more bytes");
                let (start, damage) = unpack_start(mode, &packed, Limits::FILE);
                assert!(
                    start == plain && damage.is_some(),
                    "{mode} {len}: {}",
                    start.len()
                );
            }
        }
    }

    /// Compresses with a checksum, as the program `zstd` does.
    fn with_sum(plain: &[u8]) -> Vec<u8> {
        let mut packer = zstd::stream::write::Encoder::new(Vec::new(), 3).expect("an encoder");
        packer.include_checksum(true).expect("a checksum");
        std::io::Write::write_all(&mut packer, plain).expect("written");
        packer.finish().expect("finished")
    }
}
