//! Many texts at once: strings that stand one behind the other are judged together.

use crate::bytes::{
    marks::Marks,
    plain::{pair, text_end},
    utf8::is_text,
};

#[cfg(all(test, feature = "alloc"))]
mod tests;

/// The first batch of a run, in bytes, and the largest. Growing keeps the work small that is lost
/// when a batch has to be looked at string by string.
const SMALLEST: usize = 512;
const LARGEST: usize = 1 << 14;

/// A string whose place is known.
#[derive(Clone, Copy)]
struct Field {
    len: u32,
    start: usize,
    end: usize,
}

impl Field {
    /// The text and what is after it.
    fn rest(self, bytes: &[u8]) -> &[u8] {
        bytes.get(self.start..).unwrap_or_default()
    }
}

/// The string at `at`, if the buffer holds it: with this header as a value, without one as an element
/// of a packed array.
#[inline(always)]
fn field(bytes: &[u8], at: usize, header: Option<u32>) -> Option<Field> {
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
    Some(Field { len, start, end })
}

/// Strings from `at` on that are UTF-8 if everything is from `at` to the end: the end and how many
/// they are.
///
/// Bytes between two texts must not hide that a character is cut off or that one begins in the
/// middle: the length in front of a text is ASCII, and the byte behind a text, be it padding or
/// the next string's, continues no character.
#[inline(always)]
fn batch(
    bytes: &[u8],
    at: usize,
    left: u32,
    header: Option<u32>,
    size: usize,
    marks: &mut impl Marks,
) -> (usize, u32) {
    let (mut end, mut count) = (at, 0);
    while count < left && end - at < size {
        let Some(next) = field(bytes, end, header) else {
            break;
        };
        let behind = bytes.get(next.start + next.len as usize).unwrap_or(&0);
        if next.len & 0x8080_8080 != 0 || behind & 0xc0 == 0x80 {
            break;
        }
        marks.child(end);
        end = next.end;
        count += 1;
    }
    (end, count)
}

/// Advances over strings from `at` on that are in order, at most `left`: values with this header, or
/// elements of a packed array. Returns where it stopped and how many are left.
#[inline(never)]
pub(crate) fn run(
    bytes: &[u8],
    at: usize,
    left: u32,
    header: Option<u32>,
    marks: &mut impl Marks,
) -> (usize, u32) {
    let (mut at, mut left, mut size) = (at, left, SMALLEST);
    while left > 0 {
        let (end, count) = batch(bytes, at, left, header, size, marks);
        let all = bytes.get(at..end).unwrap_or_default();
        if count > 1 && simdutf8::basic::from_utf8(all).is_ok() {
            (at, left) = (end, left - count);
            size = LARGEST.min(2 * size);
            continue;
        }
        marks.take_back(count);
        for _ in 0..count.max(1) {
            match field(bytes, at, header) {
                Some(next) if is_text(next.rest(bytes), next.len as usize) => {
                    marks.child(at);
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
