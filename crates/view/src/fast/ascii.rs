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

/// The high bits of the first so many of sixteen bytes.
static FIRST: [[u64; 2]; 17] = {
    let mut masks = [[0; 2]; 17];
    let mut len = 0;
    while len <= 16 {
        let mut at = 0;
        while at < len {
            masks[len][at / 8] |= 0x80 << (8 * (at % 8));
            at += 1;
        }
        len += 1;
    }
    masks
};

/// The text of the String that `value` begins with, header first, if it is ASCII, at most sixteen
/// bytes long and not at the very end of the buffer. Loads do not depend on the length.
#[inline(always)]
pub(crate) fn short_ascii(value: &[u8], len: usize) -> Option<&[u8]> {
    let [first, second] = FIRST.get(len)?;
    let block = value.first_chunk::<24>()?;
    let word = |at: usize| {
        let raw = block.get(at..).and_then(<[u8]>::first_chunk);
        raw.map_or(u64::MAX, |raw| u64::from_le_bytes(*raw))
    };
    if (word(8) & first) | (word(16) & second) == 0 {
        block.get(8..8 + len)
    } else {
        None
    }
}

/// Ones behind the first so many of sixteen bytes.
static BEHIND: [[u64; 2]; 17] = {
    let mut behind = FIRST;
    let mut len = 0;
    while len <= 16 {
        let mut word = 0;
        while word < 2 {
            let first = behind[len][word];
            behind[len][word] = !(first | (first - (first >> 7)));
            word += 1;
        }
        len += 1;
    }
    behind
};

/// The text of the String that `value` begins with, header first, if it is at most sixteen bytes
/// long, not at the very end of the buffer, and has neither a NUL nor the first byte of a byte order
/// mark in front. It need not be UTF-8.
#[inline(always)]
pub(crate) fn short_text(value: &[u8], len: usize) -> Option<&[u8]> {
    const ONES: u64 = HIGH_BITS >> 7;
    let [first, second] = BEHIND.get(len)?;
    let block = value.first_chunk::<24>()?;
    // What is behind the text counts as ones.
    let zeros = |at: usize, behind: u64| {
        let raw = block.get(at..).and_then(<[u8]>::first_chunk);
        let word = raw.map_or(0, |raw| u64::from_le_bytes(*raw)) | behind;
        word.wrapping_sub(ONES) & !word & HIGH_BITS
    };
    if block[8] == 0xef || zeros(8, *first) | zeros(16, *second) != 0 {
        return None;
    }
    block.get(8..8 + len)
}

#[cfg(test)]
mod tests {
    use super::{is_ascii, short_ascii, short_text};

    #[test]
    fn every_place_of_every_length_counts_and_nothing_else() {
        for len in 0..70 {
            let mut bytes = [0xff; 90];
            let behind = if len % 2 == 0 { 0xff } else { 0 };
            bytes[10 + len..].fill(behind);
            bytes[10..10 + len].fill(b'a');
            assert!(is_ascii(&bytes, 10, len), "{len}");
            let short = (len <= 16).then_some(&bytes[10..10 + len]);
            assert_eq!(short_ascii(&bytes[2..], len), short, "{len}");
            assert_eq!(short_text(&bytes[2..], len), short, "{len}");
            for at in 0..len {
                bytes[10 + at] = 0;
                assert_eq!(short_text(&bytes[2..], len), None, "{at} of {len}");
                bytes[10 + at] = 0x80;
                assert!(!is_ascii(&bytes, 10, len), "{at} of {len}");
                assert_eq!(short_ascii(&bytes[2..], len), None, "{at} of {len}");
                bytes[10 + at] = b'a';
            }
            // Two at the same place of two words.
            for at in 8..len {
                (bytes[2 + at], bytes[10 + at]) = (0, 0);
                assert_eq!(short_text(&bytes[2..], len), None, "{at} of {len}");
                (bytes[2 + at], bytes[10 + at]) = (0x80, 0x80);
                assert!(!is_ascii(&bytes, 10, len), "{at} of {len}");
                assert_eq!(short_ascii(&bytes[2..], len), None, "{at} of {len}");
                (bytes[2 + at], bytes[10 + at]) = (b'a', b'a');
            }
        }
    }
}
