//! Bytes that are compressed as a whole: gzip, zlib, Zstandard, FastLZ, with or without their size in front.
//!
//! zlib and FastLZ have no magic. zlib counts if all of it unpacks and its checksum holds; a long one without its end is
//! an error. FastLZ counts if the size in
//! front is the size it unpacks to, and if values in it are evidence: any bytes could be FastLZ.

use gdvar_io::{FileErrorKind, Limits, compressed::Mode, packed};

use super::{Found, LayerKind, PeelError, WrapError};
use crate::{Hints, header};

/// The size may be in front as `store_32` or as `store_64`.
const SIZE_LENS: [usize; 2] = [4, 8];

/// Unpacks a file that the caller says is compressed so.
pub(super) fn peel_given(bytes: &[u8], mode: Mode, hints: &Hints<'_>) -> Result<Found, PeelError> {
    let limits = hints.limits(bytes.len());
    for size_len in SIZE_LENS {
        if let Some(contents) = sized(bytes, size_len, mode, limits) {
            return Ok((LayerKind::Packed { mode, size_len }, contents));
        }
    }
    let contents = packed::unpack(mode, bytes, limits)?;
    Ok((LayerKind::Packed { mode, size_len: 0 }, contents))
}

/// Unpacks what is gzip, Zstandard or zlib from the first byte; `None` if it is none of these.
pub(super) fn peel(bytes: &[u8], hints: &Hints<'_>) -> Result<Option<Found>, PeelError> {
    let limits = hints.limits(bytes.len());
    let kind = |mode| LayerKind::Packed { mode, size_len: 0 };
    if let Some(mode) = packed::sniff(bytes) {
        return Ok(Some((kind(mode), packed::unpack(mode, bytes, limits)?)));
    }
    if !is_zlib_start(bytes) {
        return Ok(None);
    }
    match packed::unpack(Mode::Deflate, bytes, limits) {
        Ok(contents) => Ok(Some((kind(Mode::Deflate), contents))),
        // Bytes that are no zlib are an error after a few of them. So all that is wrong is the missing end.
        Err(error) if is_cut(error) && bytes.len() >= LEAST_CUT => Err(error.into()),
        Err(_) => Ok(None),
    }
}

/// Unpacks FastLZ, whose size is in front and right; `None` if there is no evidence for it.
pub(super) fn peel_sized(bytes: &[u8], hints: &Hints<'_>) -> Option<Found> {
    let dialects = hints.engines.candidates();
    let mode = Mode::FastLz;
    SIZE_LENS.into_iter().find_map(|size_len| {
        let contents = sized(bytes, size_len, mode, hints.limits(bytes.len()))?;
        if header::explains(bytes, &dialects) {
            return None;
        }
        let is_evidence =
            super::starts_container(&contents) || header::explains(&contents, &dialects);
        is_evidence.then_some((LayerKind::Packed { mode, size_len }, contents))
    })
}

/// Compresses contents, with their size in front if there was one.
pub(super) fn wrap(mode: Mode, size_len: usize, contents: &[u8]) -> Result<Vec<u8>, WrapError> {
    let size = (contents.len() as u64).to_le_bytes();
    let mut file = size[..size_len.min(8)].to_vec();
    file.extend(packed::pack(mode, contents)?);
    Ok(file)
}

/// Returns `true` if all of `bytes` is gzip, Zstandard or zlib data that unpacks.
pub(super) fn is_whole(bytes: &[u8]) -> bool {
    let zlib = is_zlib_start(bytes).then_some(Mode::Deflate);
    let limits = Limits::unpacking(bytes.len());
    let mode = packed::sniff(bytes).or(zlib);
    mode.is_some_and(|mode| packed::unpack(mode, bytes, limits).is_ok())
}

/// Shorter bytes may go on like zlib by chance.
const LEAST_CUT: usize = 64;

fn is_cut(error: gdvar_io::Error) -> bool {
    matches!(error.kind(), FileErrorKind::Truncated { .. })
}

/// The largest window, which all engines and programs write, and a level.
fn is_zlib_start(bytes: &[u8]) -> bool {
    bytes.first() == Some(&0x78) && packed::has_zlib_header(bytes)
}

/// Unpacks what follows a size of `size_len` bytes, if it has that size.
fn sized(bytes: &[u8], size_len: usize, mode: Mode, limits: Limits) -> Option<Vec<u8>> {
    let (size, packed) = bytes.split_at_checked(size_len)?;
    let mut eight = [0; 8];
    eight[..size_len].copy_from_slice(size);
    let size = u64::from_le_bytes(eight);
    // FastLZ makes at most 255 bytes of one. What is not shorter than its contents was not compressed: records are so.
    let is_likely = size > packed.len() as u64
        && size <= limits.max_len.into()
        && size / 255 <= packed.len() as u64;
    if !is_likely {
        return None;
    }
    let contents = packed::unpack(mode, packed, Limits::new(size as u32)).ok()?;
    (contents.len() as u64 == size).then_some(contents)
}
