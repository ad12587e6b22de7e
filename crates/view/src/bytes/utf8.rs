//! Judges text: is it in order?
//!
//! Text is in order for every engine if all of it is UTF-8: then so is the part that counts, which
//! begins behind a byte order mark and ends before a NUL.

use crate::bytes::ascii;

/// The bytes that simdutf8 takes in one step. It leaves anything shorter to the standard library.
const BLOCK: usize = 64;

/// Ones for a block, and zeros for another.
static MASK: [u8; 2 * BLOCK] = {
    let mut mask = [0; 2 * BLOCK];
    let mut at = 0;
    while at < BLOCK {
        mask[at] = 0xff;
        at += 1;
    }
    mask
};

/// True if the first `len` bytes of `rest` are valid text. `false` also if they are not all there.
#[inline(always)]
pub(crate) fn is_text(rest: &[u8], len: usize) -> bool {
    ascii::is_ascii(rest, len) || is_utf8(rest, len)
}

/// Judges text without a guess that it is ASCII. Short text is followed by NULs up to a whole block:
/// they change nothing, as a character that is cut off is no better before a NUL than at the end.
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
            // By a mask, as a comparison of every place with the length makes a loop of it.
            let mask = MASK.get(BLOCK - len..).unwrap_or_default();
            block = *first;
            for (byte, mask) in block.iter_mut().zip(mask) {
                *byte &= mask;
            }
        }
        // The last text of the buffer.
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
