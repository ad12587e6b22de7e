//! Copies texts of at most 24 bytes with a few overlapping loads and stores, instead of a loop or a
//! call to a copy function. Nearly all names and keys are this short.

use crate::sink::SHORT;

/// The longest short text: with a header and a length it fills [`SHORT`] bytes.
pub(crate) const LONGEST: usize = SHORT - 8;

/// A text of at most 24 bytes, held in words.
pub(crate) struct ShortText {
    /// The text's bytes, then zeros.
    words: [u64; LONGEST / 8],
    pub(crate) has_nul: bool,
}

impl ShortText {
    /// Loads `text`, or returns `None` if it is too long. The loads overlap, so that each range of
    /// lengths needs a fixed number of them; for a literal all of this folds to constants.
    #[inline(always)]
    pub(crate) fn new(text: &[u8]) -> Option<ShortText> {
        let len = text.len();
        let made = |words: [u64; 3], nuls: u64| {
            let has_nul = nuls != 0;
            Some(ShortText { words, has_nul })
        };
        if let (true, Some(first), Some(last)) = (len > 8, text.first_chunk(), text.last_chunk()) {
            let first = u64::from_le_bytes(*first);
            let last = u64::from_le_bytes(*last);
            let found = nuls(first) | nuls(last);
            if len <= 16 {
                return made([first, last >> ((16 - len) * 8), 0], found);
            }
            if len > LONGEST {
                return None;
            }
            let middle = text[8..]
                .first_chunk()
                .map_or(0, |word| u64::from_le_bytes(*word));
            return made(
                [first, middle, last >> ((24 - len) * 8)],
                found | nuls(middle),
            );
        }
        if let (Some(first), Some(last)) = (text.first_chunk(), text.last_chunk()) {
            let first = u64::from(u32::from_le_bytes(*first));
            let last = u64::from(u32::from_le_bytes(*last));
            let word = first | last << ((len - 4) * 8);
            return made([word, 0, 0], nuls(first | last << 32));
        }
        let byte = |at: usize| text.get(at).map_or(0, |byte| u64::from(*byte) << (at * 8));
        let word = byte(0) | byte(1) | byte(2);
        made([word, 0, 0], nuls(word | u64::MAX << (len * 8)))
    }

    /// Returns `head`, then the text, then zeros.
    #[inline(always)]
    pub(crate) fn behind(&self, head: [u8; 8]) -> [u64; SHORT / 8] {
        let [a, b, c] = self.words;
        [u64::from_le_bytes(head), a, b, c]
    }

    /// Returns the length word, then the text, then zeros.
    #[inline(always)]
    pub(crate) fn behind_len(&self, len: u32) -> [u64; SHORT / 8] {
        let [a, b, c] = self.words;
        [
            u64::from(len) | a << 32,
            a >> 32 | b << 32,
            b >> 32 | c << 32,
            c >> 32,
        ]
    }
}

/// The size of the block for [`overlapping`]: header and length, the text, four zeros.
pub(crate) const BLOCK: usize = SHORT + 4;

/// Writes `head`, a text of 8 to 24 bytes and four zeros into `block`. Returns `false`, with
/// nothing written, for a text of another length or with a NUL. Loads and stores overlap, so no
/// branch depends on the length; a writer of names with mixed lengths is a tenth faster for it.
#[inline(always)]
pub(crate) fn overlapping(head: [u8; 8], text: &[u8], block: &mut [u8; BLOCK]) -> bool {
    let len = text.len();
    if !(8..=LONGEST).contains(&len) {
        return false;
    }
    let middle = (len - 8).min(8);
    let loads = (
        text.first_chunk::<8>(),
        text[middle..].first_chunk::<8>(),
        text.last_chunk::<8>(),
    );
    let (Some(a), Some(b), Some(c)) = loads else {
        return false;
    };
    let [d, e, f] = [a, b, c].map(|word| borrows(u64::from_le_bytes(*word)));
    if (d | e | f) & HIGH != 0 {
        return false;
    }
    block[..8].copy_from_slice(&head);
    block[8..16].copy_from_slice(a);
    block[8 + middle..16 + middle].copy_from_slice(b);
    block[len..len + 8].copy_from_slice(c);
    block[8 + len..12 + len].fill(0);
    true
}

/// Returns zero if no byte of the word is zero.
#[inline(always)]
const fn nuls(word: u64) -> u64 {
    borrows(word) & HIGH
}

/// The classic zero-byte test before masking: the high bit of each zero byte is set, all other bits
/// are garbage.
#[inline(always)]
const fn borrows(word: u64) -> u64 {
    word.wrapping_sub(ONES) & !word
}

const ONES: u64 = 0x0101_0101_0101_0101;
const HIGH: u64 = ONES << 7;

#[cfg(test)]
mod tests {
    use super::*;

    /// Bytes that a faulty test could take for zero, or for a borrow from a zero byte.
    const TEXT: [u8; 24] = *b"\x01\x80\xff\x01\x81a\x01\x01\x80\x80\x01\xff\x7f\x01\x80\x01\x81\x01\x01\x80\x7f\xff\x01\x80";

    #[test]
    fn every_length_is_copied_and_padded_with_zeros() {
        for len in 0..=TEXT.len() {
            let text = &TEXT[..len];
            let short = ShortText::new(text).unwrap();
            assert!(!short.has_nul, "{len}");
            let mut padded = [0; 24];
            padded[..len].copy_from_slice(text);
            let bytes = |words: [u64; 4]| words.map(u64::to_le_bytes).as_flattened().to_vec();
            let block = bytes(short.behind([9; 8]));
            assert_eq!((&block[..8], &block[8..]), (&[9; 8][..], &padded[..]));
            let block = bytes(short.behind_len(0x0909_0909));
            assert_eq!((&block[..4], &block[4..28]), (&[9; 4][..], &padded[..]));
            assert_eq!(block[28..], [0; 4]);
            let mut block = [7; BLOCK];
            assert_eq!(overlapping([9; 8], text, &mut block), len >= 8, "{len}");
            if len >= 8 {
                assert_eq!((&block[..8], &block[8..8 + len]), (&[9; 8][..], text));
                assert_eq!(block[8 + len..12 + len], [0; 4]);
            }
        }
        assert!(ShortText::new(&[b'a'; 25]).is_none());
        assert!(!overlapping([9; 8], &[b'a'; 25], &mut [0; BLOCK]));
    }

    /// Tries one NUL, and two that might hide each other.
    #[test]
    fn nuls_are_found_at_every_place() {
        for len in 1..=TEXT.len() {
            for (first, second) in (0..len * len).map(|n| (n / len, n % len)) {
                let mut text = TEXT;
                (text[first], text[second]) = (0, 0);
                let short = ShortText::new(&text[..len]).unwrap();
                assert!(short.has_nul, "{first} and {second} of {len}");
                let mut block = [0; BLOCK];
                let done = overlapping([9; 8], &text[..len], &mut block);
                assert!(!done, "{first} and {second} of {len}");
            }
        }
    }
}
