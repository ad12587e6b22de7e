//! Judges short text of one- and two-byte characters in two words and without a branch:
//! most names that are not ASCII are such text.

const ONES: u128 = 0x0101_0101_0101_0101_0101_0101_0101_0101;
const HIGH_BITS: u128 = ONES << 7;

/// The longest text that fits.
pub(super) const LONGEST: usize = 16;

/// The text, at most sixteen bytes, as a number whose low byte comes first. There are at least
/// eight bytes before it.
#[inline]
fn load(bytes: &[u8], start: usize, len: usize) -> Option<u128> {
    let word = |end: usize| -> Option<u64> {
        let raw = bytes.get(end.checked_sub(8)?..end)?;
        Some(u64::from_le_bytes(*raw.first_chunk()?))
    };
    let last = u128::from(word(start + len)?);
    if len > 8 {
        // Bytes that both words have are the same.
        return Some(u128::from(word(start + 8)?) | last << (8 * (len - 8)));
    }
    Some(last >> (8 * (8 - len)))
}

/// True if the text is certainly UTF-8: `false` for text with longer characters, too.
#[inline]
pub(super) fn is_two_byte_text(bytes: &[u8], start: usize, len: usize) -> bool {
    let Some(text) = load(bytes, start, len.min(LONGEST)) else {
        return false;
    };
    let (bit6, bit5) = (text << 1, text << 2);
    let lead = text & bit6 & !bit5 & HIGH_BITS;
    let continuation = text & !bit6 & HIGH_BITS;
    let longer = text & bit6 & bit5 & HIGH_BITS;
    // C0 and C1 would begin what fits in one byte.
    let large = (text & (ONES * 0x1e)) + ONES * 0x7f;
    let in_order = longer == 0 && lead & !large == 0 && lead << 8 == continuation;
    // The last of sixteen bytes is shifted out.
    in_order && lead >> 120 == 0 && len <= LONGEST
}

#[cfg(test)]
mod tests {
    use super::is_two_byte_text;

    #[test]
    fn all_pairs_of_bytes_at_all_places_are_judged_as_the_standard_library_does() {
        for len in 0..=16_usize {
            for at in 0..len.max(1) {
                for pair in 0..=u16::MAX {
                    let mut bytes = [b'a'; 40];
                    // The bytes before the text would begin a character.
                    bytes[..16].fill(0xc3);
                    bytes[16 + at..18 + at].copy_from_slice(&pair.to_le_bytes());
                    let text = &bytes[16..16 + len];
                    let expected = core::str::from_utf8(text)
                        .is_ok_and(|text| text.chars().all(|c| c.len_utf8() <= 2));
                    assert_eq!(is_two_byte_text(&bytes, 16, len), expected, "{text:?}");
                }
            }
        }
    }
}
