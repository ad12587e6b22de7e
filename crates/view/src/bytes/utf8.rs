//! Decides whether bytes are valid text.
//!
//! A text that is UTF-8 is valid for every engine: the part that the engine reads, after a byte order mark
//! and before a NUL, is UTF-8 too.

use crate::bytes::ascii;

/// The number of bytes that simdutf8 checks in one step. simdutf8 leaves shorter text to the standard library.
const BLOCK: usize = 64;

/// A block of ones, then a block of zeros. A window into it masks a text of any length up to a block.
static MASK: [u8; 2 * BLOCK] = {
    let mut mask = [0; 2 * BLOCK];
    let mut at = 0;
    while at < BLOCK {
        mask[at] = 0xff;
        at += 1;
    }
    mask
};

/// True if the first `len` bytes of `rest` are UTF-8. `false` if `rest` is shorter.
#[inline(always)]
pub(crate) fn is_text(rest: &[u8], len: usize) -> bool {
    ascii::is_ascii(rest, len) || is_utf8(rest, len)
}

/// [`is_text`] without trying ASCII first. Short text is padded with NULs to a block, which does not change the
/// answer: a character that is cut off is as invalid before a NUL as at the end.
#[inline(never)]
fn is_utf8(rest: &[u8], len: usize) -> bool {
    let Some(text) = rest.get(..len) else {
        return false;
    };
    if len >= BLOCK {
        return simdutf8::basic::from_utf8(text).is_ok();
    }
    let mut block = [0; BLOCK];
    match rest.first_chunk::<BLOCK>() {
        Some(first) => {
            // A mask, because comparing each index with the length would become a loop.
            let mask = MASK.get(BLOCK - len..).unwrap_or_default();
            block = *first;
            for (byte, mask) in block.iter_mut().zip(mask) {
                *byte &= mask;
            }
        }
        // Fewer than `BLOCK` bytes are left in the buffer.
        None => {
            for (to, byte) in block.iter_mut().zip(text) {
                *to = *byte;
            }
        }
    }
    simdutf8::basic::from_utf8(&block).is_ok()
}

#[cfg(all(test, feature = "alloc"))]
mod tests;
