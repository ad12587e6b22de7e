//! Unpacks bytes without a container of Godot: `PackedByteArray.compress`, gzip and zstd files.

use gdvar_io::{
    Error, FileErrorKind, Limits,
    compressed::Mode,
    packed::{self, unpack_start},
};

/// The unpacked bytes exceed the limit.
pub(super) struct TooLong;

/// Unpacks zstd, gzip or zlib, recognized by the first bytes. Of a damaged stream, returns the bytes before the damage.
/// `None` if the bytes are in none of these formats, or nothing can be unpacked. Fails if there are more than `most`
/// bytes.
pub(super) fn unpack(bytes: &[u8], most: u64) -> Option<Result<Vec<u8>, TooLong>> {
    let mode = match bytes {
        // A skippable frame of Zstandard, which may come before other frames.
        [0x50..=0x5f, 0x2a, 0x4d, 0x18, ..] => Mode::Zstd,
        _ if packed::has_zlib_header(bytes) => Mode::Deflate,
        _ => packed::sniff(bytes)?,
    };
    let (start, damage) = unpack_start(mode, bytes, limits(most));
    match damage {
        Some(error) if is_too_long(error) => Some(Err(TooLong)),
        Some(_) if start.is_empty() => None,
        _ => Some(Ok(start)),
    }
}

/// Unpacks FastLZ, the default mode of `PackedByteArray.compress`, which has no magic number. `header` is empty, or
/// holds the unpacked size in 4 or 8 bytes. Returns `None` if the bytes are not a complete stream, or if `header` has
/// another length or another size. Allocates memory only for a complete stream.
pub(super) fn fast_lz(header: &[u8], bytes: &[u8], most: u64) -> Option<Result<Vec<u8>, TooLong>> {
    let size = match header.len() {
        0 => None,
        4 => Some(u64::from(u32::from_le_bytes(*header.first_chunk()?))),
        8 => Some(u64::from_le_bytes(*header.first_chunk()?)),
        _ => return None,
    };
    match packed::unpack(Mode::FastLz, bytes, limits(most)) {
        Ok(contents) => {
            let is_right = size.is_none_or(|size| size == contents.len() as u64);
            is_right.then_some(Ok(contents))
        }
        Err(error) => is_too_long(error).then_some(Err(TooLong)),
    }
}

fn limits(most: u64) -> Limits {
    Limits::new(u32::try_from(most).unwrap_or(u32::MAX))
}

fn is_too_long(error: Error) -> bool {
    matches!(error.kind(), FileErrorKind::TooLong { .. })
}
