//! Whether short text is ASCII, by few and large loads.

const HIGH_BITS: u64 = 0x8080_8080_8080_8080;

/// The eight bytes that end at `end`.
#[inline]
fn word_before(bytes: &[u8], end: usize) -> Option<u64> {
    let raw = bytes.get(end.checked_sub(8)?..end)?;
    Some(u64::from_le_bytes(*raw.first_chunk()?))
}

/// Whether `len` bytes at `start` are ASCII. There are at least eight bytes before them, a header
/// and a length, so that short text can be loaded together with what stands before it.
#[inline]
pub(crate) fn is_ascii(bytes: &[u8], start: usize, len: usize) -> bool {
    let end = start + len;
    if len <= 16 {
        // The last bytes of the text, as many as it has, and the first eight if it has more:
        // without a branch on the length, which nobody can guess.
        let counts = HIGH_BITS
            .checked_shl(64 - 8 * len.min(8) as u32)
            .unwrap_or(0);
        let last = word_before(bytes, end).unwrap_or(HIGH_BITS);
        // Near the end of the buffer there may be no eight bytes to load; then the text is short.
        let first = word_before(bytes, start + 8).unwrap_or(0);
        let first = if len > 8 { first } else { 0 };
        return (first & HIGH_BITS) | (last & counts) == 0;
    }
    bytes.get(start..end).is_some_and(<[u8]>::is_ascii)
}

#[cfg(test)]
mod tests {
    use super::is_ascii;

    #[test]
    fn every_place_of_every_length_counts_and_nothing_else() {
        for len in 0..70 {
            let mut bytes = [0xff; 90];
            bytes[10..10 + len].fill(b'a');
            assert!(is_ascii(&bytes, 10, len), "{len}");
            for at in 0..len {
                bytes[10 + at] = 0x80;
                assert!(!is_ascii(&bytes, 10, len), "{at} of {len}");
                bytes[10 + at] = b'a';
            }
        }
    }
}
