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
    if len <= 8 {
        // Only the bytes of the text count: the last ones of the word.
        let counts = HIGH_BITS.checked_shl(64 - 8 * len as u32).unwrap_or(0);
        return word_before(bytes, end).is_some_and(|word| word & counts == 0);
    }
    if len <= 16 {
        return match (word_before(bytes, start + 8), word_before(bytes, end)) {
            (Some(first), Some(last)) => (first | last) & HIGH_BITS == 0,
            _ => false,
        };
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
