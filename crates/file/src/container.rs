//! Recognises the containers of the engines and compressed data by their first bytes, without removing them.

use gdvar_io::{Envelope, FileErrorKind, Limits, compressed::Mode, packed, sniff};

/// The least number of bytes that damaged zlib data must unpack to. Other bytes, taken for zlib data, fail after fewer.
const LEAST: usize = 64;

/// Returns `true` if `bytes` start with a compressed or encrypted file of the engines, or are gzip, Zstandard or zlib
/// data, whole or damaged.
pub(crate) fn starts(bytes: &[u8]) -> bool {
    let is_file = matches!(
        sniff(bytes),
        Envelope::Compressed { .. } | Envelope::Encrypted3 | Envelope::Encrypted4
    );
    is_file || is_compressed(bytes)
}

/// Returns `true` if all of `bytes` is gzip, Zstandard or zlib data that unpacks.
pub(crate) fn is_whole(bytes: &[u8]) -> bool {
    let limits = Limits::unpacking(bytes.len());
    compression(bytes).is_some_and(|mode| packed::unpack(mode, bytes, limits).is_ok())
}

/// Returns `true` if `bytes` are gzip, Zstandard or zlib data, whole or damaged. gzip and Zstandard have a magic of three
/// and four bytes, and no reserved bit is set after it. The two bytes of zlib occur by chance: all of it must unpack, or
/// at least 64 bytes, or the end of at least 64 bytes must be missing.
pub(crate) fn is_compressed(bytes: &[u8]) -> bool {
    let limits = Limits::unpacking(bytes.len());
    match compression(bytes) {
        None => false,
        Some(Mode::Gzip) => bytes.get(3).is_some_and(|flags| flags & 0xe0 == 0),
        Some(Mode::Zstd) => bytes.get(4).is_some_and(|flags| flags & 8 == 0),
        Some(mode) => {
            let (start, damage) = packed::unpack_start(mode, bytes, limits);
            let is_cut = damage.is_some_and(|damage| {
                bytes.len() >= LEAST && matches!(damage.kind(), FileErrorKind::Truncated { .. })
            });
            damage.is_none() || start.len() >= LEAST || is_cut
        }
    }
}

/// Returns the compression of data that starts like gzip, Zstandard, or zlib with the largest window, which all engines
/// and programs write.
pub(crate) fn compression(bytes: &[u8]) -> Option<Mode> {
    let is_zlib = bytes.first() == Some(&0x78) && packed::has_zlib_header(bytes);
    packed::sniff(bytes).or(is_zlib.then_some(Mode::Deflate))
}
