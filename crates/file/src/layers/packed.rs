//! Bytes that are compressed as a whole: gzip, zlib, Zstandard, FastLZ, with or without their size before
//! them.
//!
//! zlib and FastLZ have no magic. Data is accepted as zlib if all of it unpacks and its checksum is right. Data that
//! unpacks to 64 bytes before it is damaged is an error, and so are 64 bytes that lack only their end. Data is accepted
//! as FastLZ if the size before it is the size that it unpacks to, and if its contents are another container or give
//! evidence of values. This is necessary because any bytes could be FastLZ.

use gdvar_io::{Limits, compressed::Mode, packed};

use super::{FoundLayer, LayerKind, PeelError, WrapError};
use crate::{Hints, container, header};

/// The size was written by `store_32` or by `store_64`.
const SIZE_LENS: [usize; 2] = [4, 8];

/// Unpacks a file with the compression that the caller names.
pub(super) fn peel_given(
    bytes: &[u8],
    mode: Mode,
    hints: &Hints<'_>,
) -> Result<FoundLayer, PeelError> {
    let limits = hints.limits(bytes.len());
    for size_len in SIZE_LENS {
        if let Some(contents) = sized(bytes, size_len, mode, limits) {
            return Ok((LayerKind::Packed { mode, size_len }, contents));
        }
    }
    let contents = packed::unpack(mode, bytes, limits)?;
    Ok((LayerKind::Packed { mode, size_len: 0 }, contents))
}

/// Unpacks gzip, Zstandard or zlib data at the first byte; `None` if it is something else.
pub(super) fn peel(bytes: &[u8], hints: &Hints<'_>) -> Result<Option<FoundLayer>, PeelError> {
    let limits = hints.limits(bytes.len());
    let kind = |mode| LayerKind::Packed { mode, size_len: 0 };
    let Some(mode) = container::compression(bytes) else {
        return Ok(None);
    };
    match packed::unpack(mode, bytes, limits) {
        Ok(contents) => Ok(Some((kind(mode), contents))),
        // zlib has no magic. Bytes that are not zlib fail after a few bytes.
        Err(error) if mode != Mode::Deflate || container::is_compressed(bytes) => Err(error.into()),
        Err(_) => Ok(None),
    }
}

/// Unpacks FastLZ data after its size. `None` if the size is wrong, or if there is no evidence that `bytes` are such
/// data.
pub(super) fn peel_sized(bytes: &[u8], hints: &Hints<'_>) -> Option<FoundLayer> {
    let dialects = hints.engines.candidates();
    let mode = Mode::FastLz;
    SIZE_LENS.into_iter().find_map(|size_len| {
        let contents = sized(bytes, size_len, mode, hints.limits(bytes.len()))?;
        if header::explains(bytes, &dialects) {
            return None;
        }
        let is_evidence = container::starts(&contents) || header::explains(&contents, &dialects);
        is_evidence.then_some((LayerKind::Packed { mode, size_len }, contents))
    })
}

/// Compresses `contents`. Puts their size in front as `size_len` bytes; 0 means no size.
pub(super) fn wrap(mode: Mode, size_len: usize, contents: &[u8]) -> Result<Vec<u8>, WrapError> {
    let size = (contents.len() as u64).to_le_bytes();
    let mut file = size[..size_len.min(8)].to_vec();
    file.extend(packed::pack(mode, contents)?);
    Ok(file)
}

/// Unpacks the data after a size of `size_len` bytes. `None` unless it unpacks to this size.
fn sized(bytes: &[u8], size_len: usize, mode: Mode, limits: Limits) -> Option<Vec<u8>> {
    let (size, packed) = bytes.split_at_checked(size_len)?;
    let mut eight = [0; 8];
    eight[..size_len].copy_from_slice(size);
    let size = u64::from_le_bytes(eight);
    // One byte of FastLZ unpacks to at most 255 bytes. Data that is not shorter than its contents was not
    // compressed; records look like this.
    let is_likely = size > packed.len() as u64
        && size <= limits.max_len.into()
        && size / 255 <= packed.len() as u64;
    if !is_likely {
        return None;
    }
    let contents = packed::unpack(mode, packed, Limits::new(size as u32)).ok()?;
    (contents.len() as u64 == size).then_some(contents)
}
