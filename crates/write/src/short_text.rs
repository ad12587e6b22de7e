//! Short texts without a loop and without a call: names and keys are nearly all of that sort.

use crate::sink::SHORT;

/// The longest text that is short: with a value's header and length it makes a block.
const LONGEST: usize = SHORT - 8;

/// A text of at most 16 bytes, held in two words.
pub(crate) struct ShortText {
    /// The bytes, then zeros.
    words: [u64; 2],
    pub(crate) has_nul: bool,
}

impl ShortText {
    /// `None` for a longer text. The loads overlap where they must; where the text is a literal
    /// all of this folds into constants.
    #[inline(always)]
    pub(crate) fn new(text: &[u8]) -> Option<ShortText> {
        let len = text.len();
        if len > LONGEST {
            return None;
        }
        if len > 8 {
            if let (Some(first), Some(last)) = (text.first_chunk(), text.last_chunk()) {
                let first = u64::from_le_bytes(*first);
                let last = u64::from_le_bytes(*last);
                return Some(ShortText {
                    words: [first, last >> ((LONGEST - len) * 8)],
                    has_nul: nuls(first) | nuls(last) != 0,
                });
            }
        }
        if let (Some(first), Some(last)) = (text.first_chunk(), text.last_chunk()) {
            let first = u64::from(u32::from_le_bytes(*first));
            let last = u64::from(u32::from_le_bytes(*last));
            return Some(ShortText {
                words: [first | last << ((len - 4) * 8), 0],
                has_nul: nuls(first | last << 32) != 0,
            });
        }
        let byte = |at: usize| text.get(at).map_or(0, |byte| u64::from(*byte) << (at * 8));
        let word = byte(0) | byte(1) | byte(2);
        Some(ShortText {
            words: [word, 0],
            has_nul: nuls(word | u64::MAX << (len * 8)) != 0,
        })
    }

    /// Header and length, the text, zeros.
    #[inline(always)]
    pub(crate) fn behind(&self, head: [u8; 8]) -> [u64; SHORT / 8] {
        let [low, high] = self.words;
        [u64::from_le_bytes(head), low, high]
    }

    /// A length, the text, zeros.
    #[inline(always)]
    pub(crate) fn behind_len(&self, len: u32) -> [u64; SHORT / 8] {
        let [low, high] = self.words;
        [
            u64::from(len) | low << 32,
            low >> 32 | high << 32,
            high >> 32,
        ]
    }
}

/// Not zero if a byte of the word is.
#[inline(always)]
const fn nuls(word: u64) -> u64 {
    const ONES: u64 = 0x0101_0101_0101_0101;
    word.wrapping_sub(ONES) & !word & (ONES << 7)
}

#[cfg(test)]
mod tests {
    use super::*;

    /// Bytes that are easily taken for zero, or for a borrow from one.
    const TEXT: [u8; 16] = [
        1, 0x80, 0xff, 1, 0x81, b'a', 1, 1, 0x80, 0x80, 1, 0xff, 0x7f, 1, 0x80, 1,
    ];

    #[test]
    fn every_length_is_copied_and_padded_with_zeros() {
        for len in 0..=TEXT.len() {
            let text = &TEXT[..len];
            let short = ShortText::new(text).unwrap();
            assert!(!short.has_nul, "{len}");
            let mut padded = [0; 16];
            padded[..len].copy_from_slice(text);
            let bytes = |words: [u64; 3]| words.map(u64::to_le_bytes).as_flattened().to_vec();
            let block = bytes(short.behind([9; 8]));
            assert_eq!((&block[..8], &block[8..]), (&[9; 8][..], &padded[..]));
            let block = bytes(short.behind_len(0x0909_0909));
            assert_eq!((&block[..4], &block[4..20]), (&[9; 4][..], &padded[..]));
            assert_eq!(block[20..], [0; 4]);
        }
        assert!(ShortText::new(&[b'a'; 17]).is_none());
    }

    #[test]
    fn a_nul_is_found_at_every_place() {
        for len in 1..=TEXT.len() {
            for at in 0..len {
                let mut text = TEXT;
                text[at] = 0;
                let short = ShortText::new(&text[..len]).unwrap();
                assert!(short.has_nul, "{at} of {len}");
            }
        }
    }
}
