//! Recognises the containers of the engines and compressed data by their first bytes, without removing them.

use gdvar_io::{Envelope, Limits, compressed::Mode, packed, sniff};

/// Returns `true` if `bytes` start with a compressed or encrypted file of the engines, or if all of `bytes` unpack as
/// gzip, Zstandard or zlib data. The first bytes of such data are not enough, because they also occur in other files by
/// chance.
pub(crate) fn starts(bytes: &[u8]) -> bool {
    let is_file = matches!(
        sniff(bytes),
        Envelope::Compressed { .. } | Envelope::Encrypted3 | Envelope::Encrypted4
    );
    is_file || is_whole(bytes)
}

/// Returns `true` if all of `bytes` is gzip, Zstandard or zlib data that unpacks.
fn is_whole(bytes: &[u8]) -> bool {
    let zlib = is_zlib_start(bytes).then_some(Mode::Deflate);
    let limits = Limits::unpacking(bytes.len());
    let mode = packed::sniff(bytes).or(zlib);
    mode.is_some_and(|mode| packed::unpack(mode, bytes, limits).is_ok())
}

/// Returns `true` for a zlib header with the largest window, which all engines and programs write.
pub(crate) fn is_zlib_start(bytes: &[u8]) -> bool {
    bytes.first() == Some(&0x78) && packed::has_zlib_header(bytes)
}
