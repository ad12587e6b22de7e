//! Little-endian words of headers.

use crate::Error;

/// The word at `at`, if it is there.
pub(crate) fn word(bytes: &[u8], at: usize) -> Option<u32> {
    let four = bytes.get(at..)?.first_chunk()?;
    Some(u32::from_le_bytes(*four))
}

/// The word at `at`, or that bytes are missing.
pub(crate) fn need_word(bytes: &[u8], at: usize) -> Result<u32, Error> {
    word(bytes, at).ok_or_else(|| missing(bytes, at, 4))
}

/// That `len` bytes should stand at `at`, and do not.
pub(crate) fn missing(bytes: &[u8], at: usize, len: u64) -> Error {
    let missing = (at as u64 + len).saturating_sub(bytes.len() as u64);
    Error::truncated(at.min(bytes.len()) as u64, missing)
}
