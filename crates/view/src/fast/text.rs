//! Validates many strings at once: their bytes are checked together, with everything between them.

use crate::bytes::{
    common::{pair, text_end},
    observer::Observer,
    utf8::is_text,
};

#[cfg(all(test, feature = "alloc"))]
mod tests;

/// The sizes in bytes of the first batch of a run and of the largest. If a batch fails, its strings are checked
/// one by one. Batches start small, so that little work is lost if that happens early.
const SMALLEST: usize = 512;
const LARGEST: usize = 1 << 14;

/// The offsets of a string.
#[derive(Clone, Copy)]
struct StringSpan {
    len: u32,
    start: usize,
    end: usize,
}

impl StringSpan {
    /// The text and everything after it.
    fn rest(self, bytes: &[u8]) -> &[u8] {
        bytes.get(self.start..).unwrap_or_default()
    }
}

/// Returns the offsets of the string at `at`. If `header` is given, the string is a value that must
/// begin with it; otherwise it is an element of a packed array. `None` if the header differs or the
/// buffer ends before the string does.
#[inline(always)]
fn field(bytes: &[u8], at: usize, header: Option<u32>) -> Option<StringSpan> {
    let (start, len) = if let Some(header) = header {
        let (word, len) = pair(bytes, at)?;
        if word != header {
            return None;
        }
        (at + 8, len)
    } else {
        let raw = bytes.get(at..)?.first_chunk()?;
        (at + 4, u32::from_le_bytes(*raw))
    };
    let end = text_end(bytes, start, len)?;
    Some(StringSpan { len, start, end })
}

/// Collects strings from `at` on, up to `size` bytes. Returns the end of the batch and the number of its
/// strings. If all bytes from `at` to the end are UTF-8 together, each of these strings is UTF-8 alone.
///
/// Bytes between two texts could hide that a character is cut off, or that one begins in the middle. So a
/// batch ends before a string whose length word is not ASCII, or whose text is followed by a byte that
/// continues a character, be it padding or part of the next string.
#[inline(always)]
fn batch(
    bytes: &[u8],
    at: usize,
    left: u32,
    header: Option<u32>,
    size: usize,
    observer: &mut impl Observer,
) -> (usize, u32) {
    let (mut end, mut count) = (at, 0);
    while count < left && end - at < size {
        let Some(next) = field(bytes, end, header) else {
            break;
        };
        let after = bytes.get(next.start + next.len as usize).unwrap_or(&0);
        if next.len & 0x8080_8080 != 0 || after & 0xc0 == 0x80 {
            break;
        }
        observer.child(end, 0);
        end = next.end;
        count += 1;
    }
    (end, count)
}

/// Skips valid strings from `at` on, at most `left`: values with this header, or elements of a packed array.
/// Returns where it stopped and how many are left.
#[inline(never)]
pub(crate) fn run(
    bytes: &[u8],
    at: usize,
    left: u32,
    header: Option<u32>,
    observer: &mut impl Observer,
) -> (usize, u32) {
    let (mut at, mut left, mut size) = (at, left, SMALLEST);
    while left > 0 {
        let (end, count) = batch(bytes, at, left, header, size, observer);
        let all = bytes.get(at..end).unwrap_or_default();
        if count > 1 && simdutf8::basic::from_utf8(all).is_ok() {
            (at, left) = (end, left - count);
            size = LARGEST.min(2 * size);
            continue;
        }
        observer.retract(count);
        for _ in 0..count.max(1) {
            match field(bytes, at, header) {
                Some(next) if is_text(next.rest(bytes), next.len as usize) => {
                    observer.child(at, 0);
                    at = next.end;
                }
                _ => return (at, left),
            }
            left -= 1;
        }
        size = SMALLEST;
    }
    (at, left)
}
