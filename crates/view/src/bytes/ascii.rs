//! Tells short text that is ASCII, by few and large loads.

use gdvar_wire::pad4;

const HIGH_BITS: u64 = 0x8080_8080_8080_8080;

/// True if the `len` bytes of text are ASCII that stand behind the first eight bytes of `value`, a header
/// and a length. `false` also if they are not all there.
///
/// Eight bytes end where the text ends, however short it is: they begin in the length or the header,
/// whose bits do not count. Up to 16 bytes there is no branch on the length, which nobody can guess:
///
/// ```text
/// length  5   hhhhllllTTTTT...       header, length, text
///              [ last  ]             5 bytes of it count
/// length 11   hhhhllllTTTTTTTTTTT
///                     [ first]
///                        [ last ]    both count whole
/// ```
#[inline(always)]
pub(crate) fn is_ascii(value: &[u8], len: usize) -> bool {
    is_ascii_text(value, len).unwrap_or(false)
}

#[inline(always)]
fn is_ascii_text(value: &[u8], len: usize) -> Option<bool> {
    let word = |at: usize| -> Option<u64> {
        let raw = value.get(at..)?.first_chunk()?;
        Some(u64::from_le_bytes(*raw))
    };
    let last = word(len)?;
    if len > 16 {
        let mut seen = last;
        let mut at = 8;
        while at < len {
            seen |= word(at)?;
            at += 8;
        }
        return Some(seen & HIGH_BITS == 0);
    }
    let counts = HIGH_BITS
        .checked_shl(64 - 8 * len.min(8) as u32)
        .unwrap_or(0);
    // Near the end of the buffer there may be no eight bytes to load; then the text is shorter than they.
    let Some(first) = word(8) else {
        return Some(last & counts == 0);
    };
    let first = if len > 8 { first } else { 0 };
    Some((first & HIGH_BITS) | (last & counts) == 0)
}

/// The high bits of the first so many of 24 bytes. The fourth word makes the place of a row a shift.
static FIRST: [[u64; 4]; 25] = {
    let mut masks = [[0; 4]; 25];
    let mut len = 0;
    while len < masks.len() {
        let mut at = 0;
        while at < len {
            masks[len][at / 8] |= 0x80 << (8 * (at % 8));
            at += 1;
        }
        len += 1;
    }
    masks
};

/// True if all bits of the masks are clear in the words of a text.
#[inline(always)]
fn all_clear(text: &[u8], masks: &[u64]) -> bool {
    let words = text.chunks_exact(8).zip(masks);
    let set = words.fold(0, |set, (raw, mask)| {
        let word = raw
            .first_chunk()
            .map_or(u64::MAX, |raw| u64::from_le_bytes(*raw));
        set | word & mask
    });
    set == 0
}

/// The size of the text whose length `value` begins with, its length and padding included, if it
/// is ASCII, at most 24 bytes long and not at the very end of the buffer.
#[inline(always)]
pub(crate) fn short_size(value: &[u8]) -> Option<usize> {
    let block = value.first_chunk::<28>()?;
    let (len, text) = block.split_first_chunk()?;
    let len = u32::from_le_bytes(*len) as usize;
    all_clear(text, FIRST.get(len)?).then_some(4 + pad4(len))
}

/// Ones behind the first so many of 32 bytes.
static BEHIND: [[u64; 4]; 33] = {
    let mut behind = [[u64::MAX; 4]; 33];
    let mut len = 0;
    while len < behind.len() {
        let mut at = 0;
        while at < len {
            behind[len][at / 8] ^= 0xff << (8 * (at % 8));
            at += 1;
        }
        len += 1;
    }
    behind
};

/// The text of the String that `value` begins with, header first, if it is at most 32 bytes
/// long, not at the very end of the buffer, and has neither a NUL nor the first byte of a byte order
/// mark in front. It need not be UTF-8.
#[inline(always)]
pub(crate) fn short_text(value: &[u8], len: usize) -> Option<&[u8]> {
    const ONES: u64 = HIGH_BITS >> 7;
    let behind = BEHIND.get(len)?;
    let (_, text) = value.first_chunk::<40>()?.split_first_chunk::<8>()?;
    let mut zeros = [0; 4];
    for ((raw, behind), zeros) in text.chunks_exact(8).zip(behind).zip(&mut zeros) {
        let raw = raw.first_chunk();
        // Bytes behind the text count as ones.
        let word = raw.map_or(0, |raw| u64::from_le_bytes(*raw)) | behind;
        *zeros = word.wrapping_sub(ONES) & !word & HIGH_BITS;
    }
    let has_zero = zeros.iter().fold(0, |all, zeros| all | zeros) != 0;
    if has_zero || text.first() == Some(&0xef) {
        return None;
    }
    text.get(..len)
}

#[cfg(test)]
mod tests {
    use super::{is_ascii, pad4, short_size, short_text};

    #[test]
    fn every_place_of_every_length_counts_and_nothing_else() {
        for len in 0..70 {
            let mut bytes = [0xff; 90];
            let behind = if len % 2 == 0 { 0xff } else { 0 };
            bytes[6..10].copy_from_slice(&(len as u32).to_le_bytes());
            bytes[10 + len..].fill(behind);
            bytes[10..10 + len].fill(b'a');
            assert!(is_ascii(&bytes[2..], len), "{len}");
            assert!(is_ascii(&bytes[2..10 + len], len), "{len}");
            assert!(!is_ascii(&bytes[2..9 + len], len) || len == 0, "{len}");
            let up_to = |most| (len <= most).then_some(&bytes[10..10 + len]);
            let size = up_to(24).map(|_| 4 + pad4(len));
            assert_eq!(short_size(&bytes[6..]), size, "{len}");
            assert_eq!(short_text(&bytes[2..], len), up_to(32), "{len}");
            let is_bad =
                |bytes: &[u8]| !is_ascii(&bytes[2..], len) && short_size(&bytes[6..]).is_none();
            for at in 0..len {
                bytes[10 + at] = 0;
                assert_eq!(short_text(&bytes[2..], len), None, "{at} of {len}");
                bytes[10 + at] = 0x80;
                assert!(is_bad(&bytes), "{at} of {len}");
                bytes[10 + at] = b'a';
            }
            // Two at the same place of two words.
            for at in 8..len {
                (bytes[2 + at], bytes[10 + at]) = (0, 0);
                assert_eq!(short_text(&bytes[2..], len), None, "{at} of {len}");
                (bytes[2 + at], bytes[10 + at]) = (0x80, 0x80);
                assert!(is_bad(&bytes), "{at} of {len}");
                (bytes[2 + at], bytes[10 + at]) = (b'a', b'a');
            }
        }
    }
}
