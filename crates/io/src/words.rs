//! Reads the little-endian words of headers.

use crate::Error;

/// Returns the word at offset `at`, or `None` past the end.
pub(crate) fn word(bytes: &[u8], at: usize) -> Option<u32> {
    let four = bytes.get(at..)?.first_chunk()?;
    Some(u32::from_le_bytes(*four))
}

/// Returns the word at offset `at`, or the error for missing bytes.
pub(crate) fn need_word(bytes: &[u8], at: usize) -> Result<u32, Error> {
    word(bytes, at).ok_or_else(|| missing(bytes, at, 4))
}

/// Returns the error for `len` bytes that should be at offset `at`.
pub(crate) fn missing(bytes: &[u8], at: usize, len: u64) -> Error {
    let missing = (at as u64 + len).saturating_sub(bytes.len() as u64);
    Error::truncated(at.min(bytes.len()) as u64, missing)
}
