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
/// damaged bytes and for bytes after the end, [`TooLong`](FileErrorKind::TooLong),
/// [`NotBuilt`](FileErrorKind::NotBuilt), [`OutOfMemory`](FileErrorKind::OutOfMemory).
pub fn unpack(mode: Mode, packed: &[u8], limits: Limits) -> Result<Vec<u8>, Error> {
    let (plain, damage) = unpack_start(mode, packed, limits);
    damage.map_or(Ok(plain), Err)
}

/// Unpacks `packed` as far as possible. Returns the bytes before the damage, and the error at the damage,
/// if any. Damaged FastLZ returns no bytes: it has no checksum, so none can be trusted. See [`unpack`].
#[must_use]
pub fn unpack_start(mode: Mode, packed: &[u8], limits: Limits) -> (Vec<u8>, Option<Error>) {
    let mut plain = Vec::new();
    let damage = unpack_into(mode, packed, limits, &mut plain).err();
    (plain, damage)
}

fn unpack_into(
    mode: Mode,
    packed: &[u8],
    limits: Limits,
    plain: &mut Vec<u8>,
) -> Result<(), Error> {
    match mode {
        Mode::FastLz => {
            *plain = fast_lz(packed, limits)?;
            Ok(())
        }
        #[cfg(feature = "deflate")]
        Mode::Deflate => {
            let mut decoder = flate2::bufread::ZlibDecoder::new(packed);
            read_to_end(&mut decoder, packed.len(), limits, plain)?;
            whole(decoder.total_in() as usize == packed.len())
        }
        #[cfg(feature = "deflate")]
        Mode::Gzip => read_to_end(
            &mut flate2::bufread::MultiGzDecoder::new(packed),
            packed.len(),
            limits,
            plain,
        ),
        #[cfg(feature = "zstd")]
        Mode::Zstd => {
            let mut decoder =
                zstd::stream::read::Decoder::with_buffer(packed).map_err(|_| damaged())?;
            read_to_end(&mut decoder, packed.len(), limits, plain)
        }
        #[cfg(all(feature = "ruzstd", not(feature = "zstd")))]
        Mode::Zstd => {
            let mut rest = packed;
            let mut decoder =
                ruzstd::decoding::StreamingDecoder::new(&mut rest).map_err(|_| damaged())?;
            read_to_end(&mut decoder, packed.len(), limits, plain)?;
            whole(rest.is_empty())
        }
        #[cfg(feature = "brotli")]
        Mode::Brotli => {
            let mut decoder = brotli_decompressor::Decompressor::new(packed, 4096);
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

#[cold]
fn too_long(limits: Limits) -> Error {
    let limit = limits.max_len;
    let length = limit.saturating_add(1);
    Error::new(0, FileErrorKind::TooLong { length, limit })
}

#[cfg(any(feature = "deflate", all(feature = "ruzstd", not(feature = "zstd"))))]
fn whole(is_whole: bool) -> Result<(), Error> {
    is_whole.then_some(()).ok_or_else(damaged)
}

#[cfg(any(
    feature = "deflate",
    feature = "zstd",
    feature = "ruzstd",
    feature = "brotli"
))]
fn read_to_end(
    reader: &mut impl std::io::Read,
    packed_len: usize,
    limits: Limits,
    plain: &mut Vec<u8>,
) -> Result<(), Error> {
    let mut piece = [0; 1 << 14];
    loop {
        let len = match reader.read(&mut piece) {
            Ok(0) => return Ok(()),
            Ok(len) => len,
            Err(error) if error.kind() == std::io::ErrorKind::Interrupted => continue,
            Err(error) if error.kind() == std::io::ErrorKind::UnexpectedEof => {
                return Err(Error::truncated(packed_len as u64, 1));
            }
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
}
