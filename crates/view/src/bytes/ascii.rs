//! Recognizes short ASCII text with a few wide loads.

const HIGH_BITS: u64 = 0x8080_8080_8080_8080;

/// For each length from 0 to 32: four words with `0xff` for each byte that belongs to the text.
static MASKS: [[u64; 4]; 33] = {
    let mut masks = [[0; 4]; 33];
    let mut len = 0;
    while len < masks.len() {
        let mut at = 0;
        while at < len {
            masks[len][at / 8] |= 0xff << (8 * (at % 8));
            at += 1;
        }
        len += 1;
    }
    masks
};

/// Returns the first 32 bytes of `rest` as four words, each with a mask of the bytes that belong to a text of
/// length `len`. `None` if `len` is more than 32 or `rest` is shorter than 32 bytes.
///
/// Most texts have at most 32 bytes, and a processor cannot predict a branch on their length. So the length
/// causes no branch: all 32 bytes are loaded, whatever follows the text, and a row of the table masks what does
/// not belong to it.
///
/// ```text
/// length 11   TTTTTTTT TTT..... ........ ........
///             ffffffff fff00000 00000000 00000000   its row, a digit for a byte
/// ```
#[inline(always)]
fn masked(rest: &[u8], len: usize) -> Option<impl Iterator<Item = (u64, &'static u64)>> {
    let words = rest.first_chunk::<32>()?.chunks_exact(8);
    let words = words.map(|raw| raw.first_chunk().map_or(0, |raw| u64::from_le_bytes(*raw)));
    Some(words.zip(MASKS.get(len)?))
}

/// True if the first `len` bytes of `rest` are ASCII. `false` if `rest` is shorter.
#[inline(always)]
pub(crate) fn is_ascii(rest: &[u8], len: usize) -> bool {
    match masked(rest, len) {
        Some(words) => words.fold(0, |set, (word, mask)| set | word & mask) & HIGH_BITS == 0,
        None => is_long_ascii(rest, len),
    }
}

/// True if the first `len` bytes of `rest` are ASCII without a NUL, `len` is at most 32, and `rest` has 32
/// bytes or more.
#[inline(always)]
pub(crate) fn is_short_ascii_without_nul(rest: &[u8], len: usize) -> bool {
    const ONES: u64 = HIGH_BITS >> 7;
    let Some(words) = masked(rest, len) else {
        return false;
    };
    let all = words.fold(u64::MAX, |all, (word, mask)| {
        // Bytes after the text become 1, which is ASCII and not NUL.
        let word = word & mask | ONES & !mask;
        // Adding 0x7f sets the high bit of every ASCII byte except NUL. In `!word` every ASCII byte has its
        // high bit set.
        all & (word.wrapping_add(HIGH_BITS - ONES)) & !word
    });
    all & HIGH_BITS == HIGH_BITS
}

/// [`is_ascii`] for texts of more than 32 bytes, or near the end of the buffer: a word at a time. The last
/// word ends where the text ends, so it may overlap the word before it.
#[inline(always)]
fn is_long_ascii(rest: &[u8], len: usize) -> bool {
    let Some(text) = rest.get(..len) else {
        return false;
    };
    let Some(last) = text.last_chunk() else {
        return text.is_ascii();
    };
    let words = text.chunks_exact(8).filter_map(<[u8]>::first_chunk);
    let set = words.fold(u64::from_le_bytes(*last), |set, raw| {
        set | u64::from_le_bytes(*raw)
    });
    set & HIGH_BITS == 0
}

/// Returns the `len` bytes of text of the String whose header is at the start of `value`. `None` if they
/// contain a NUL, if they begin with `0xef` (perhaps a byte order mark), if `len` is more than 32, or if the
/// buffer has less than 32 bytes from the text on. The text need not be UTF-8.
#[inline(always)]
pub(crate) fn short_text(value: &[u8], len: usize) -> Option<&[u8]> {
    const ONES: u64 = HIGH_BITS >> 7;
    let text = value.get(8..)?;
    let zeros = masked(text, len)?.fold(0, |zeros, (word, mask)| {
        // Bytes after the text become 0xff, so they are not NUL.
        let word = word | !mask;
        zeros | word.wrapping_sub(ONES) & !word & HIGH_BITS
    });
    if zeros != 0 || text.first() == Some(&0xef) {
        return None;
    }
    text.get(..len)
}

#[cfg(test)]
mod tests {
    use super::{is_ascii, is_short_ascii_without_nul, short_text};

    #[test]
    fn exactly_the_bytes_of_the_text_are_checked() {
        for len in 0..70 {
            let mut bytes = [0xff; 90];
            let after = if len % 2 == 0 { 0xff } else { 0 };
            bytes[6..10].copy_from_slice(&(len as u32).to_le_bytes());
            bytes[10 + len..].fill(after);
            bytes[10..10 + len].fill(b'a');
            assert!(is_ascii(&bytes[10..], len), "{len}");
            assert!(is_ascii(&bytes[10..10 + len], len), "{len}");
            assert!(
                !is_ascii(&bytes[10..(9 + len).max(10)], len) || len == 0,
                "{len}"
            );
            let up_to = |most| (len <= most).then_some(&bytes[10..10 + len]);
            assert_eq!(short_text(&bytes[2..], len), up_to(32), "{len}");
            let is_good = |bytes: &[u8]| is_short_ascii_without_nul(&bytes[10..], len);
            assert_eq!(is_good(&bytes), len <= 32, "{len}");
            let is_bad = |bytes: &[u8]| !is_ascii(&bytes[10..], len) && !is_good(bytes);
            for at in 0..len {
                bytes[10 + at] = 0;
                assert_eq!(short_text(&bytes[2..], len), None, "{at} of {len}");
                assert!(!is_good(&bytes), "{at} of {len}");
                bytes[10 + at] = 0x80;
                assert!(is_bad(&bytes), "{at} of {len}");
                bytes[10 + at] = b'a';
            }
            // Two bad bytes at the same place of two words.
            for at in 8..len {
                (bytes[2 + at], bytes[10 + at]) = (0, 0);
                assert_eq!(short_text(&bytes[2..], len), None, "{at} of {len}");
                assert!(!is_good(&bytes), "{at} of {len}");
                (bytes[2 + at], bytes[10 + at]) = (0x80, 0x80);
                assert!(is_bad(&bytes), "{at} of {len}");
                (bytes[2 + at], bytes[10 + at]) = (b'a', b'a');
            }
        }
    }
}
