//! Bytes that are compressed without a container of Godot's: `PackedByteArray.compress`, gzip and zstd files.

use gdvar_io::{
    Error, FileErrorKind, Limits,
    compressed::Mode,
    packed::{self, unpack_start},
};

/// There are more bytes than allowed.
pub(super) struct TooLong;

/// Unpacks zstd, gzip or zlib by its first bytes. `None` if the bytes are none of these, or damaged from the
/// start. At most `most` bytes come out; of a damaged stream those before the damage.
pub(super) fn unpack(bytes: &[u8], most: u64) -> Option<Result<Vec<u8>, TooLong>> {
    let mode = match bytes {
        // A frame of Zstandard that every reader skips, in front of others.
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

/// Unpacks FastLZ, the mode that `PackedByteArray.compress` has by default. It has no mark: `None` if the
/// bytes are not a whole stream, or if the `header` before them is not their unpacked size of 4 or 8 bytes.
/// Allocates memory only for a whole stream.
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
