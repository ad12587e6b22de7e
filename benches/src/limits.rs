//! The most that the machine can do with the same bytes.

use crate::{
    harness::{Note, Suite},
    workloads::Tree,
};

/// The name of [`sum`]'s entry.
pub(crate) const READ: &str = "limit: sum of u64 (R)";
/// The name of [`copy`]'s entry.
pub(crate) const COPY: &str = "limit: warm memcpy (M)";
/// The name of the entry that passes all strings and validates their bytes in one go.
pub(crate) const TEXT: &str = "limit: pass the strings, simdutf8 over all bytes";
/// The name of the entry that validates the text alone, one string behind the other.
pub(crate) const TEXT_ONLY: &str = "limit: simdutf8 over the text alone";

/// The sum of all whole words: as fast as memory can be read.
pub(crate) fn sum(bytes: &[u8]) -> u64 {
    let words = bytes
        .chunks_exact(8)
        .map(|word| word.try_into().map_or(0, u64::from_le_bytes));
    words.fold(0, u64::wrapping_add)
}

/// Registers R.
pub(crate) fn read<'a>(suite: &mut Suite<'a>, bytes: &'a [u8]) {
    let note = Note::new("nothing", "nothing");
    suite.add(READ, note, bytes.len(), sum(bytes), || sum(bytes));
}

/// Registers M: a copy into memory that is there already.
pub(crate) fn copy<'a>(suite: &mut Suite<'a>, bytes: &'a [u8]) {
    let mut to = vec![0; bytes.len()];
    let note = Note::new("nothing", "bytes");
    suite.add(COPY, note, bytes.len(), bytes.len() as u64, move || {
        to.copy_from_slice(bytes);
        to.len() as u64
    });
}

/// Registers the limits of text: for an array of strings, W4 or W4p.
pub(crate) fn text<'a>(suite: &mut Suite<'a>, tree: &'a Tree, packed: bool) {
    let bytes = &tree.bytes;
    let mut all = Vec::new();
    each_string(bytes, packed, |text| all.extend_from_slice(text));
    let len = all.len() as u64;
    suite.add(
        TEXT_ONLY,
        Note::new("text", "nothing"),
        all.len(),
        len,
        move || simdutf8::basic::from_utf8(&all).map_or(0, |text| text.len() as u64),
    );
    suite.add(
        TEXT,
        Note::new("text", "nothing"),
        bytes.len(),
        len,
        move || {
            let mut len = 0;
            each_string(bytes, packed, |text| len += text.len() as u64);
            match simdutf8::basic::from_utf8(bytes) {
                Ok(_) => len,
                Err(_) => 0,
            }
        },
    );
}

/// Passes an array of strings with nothing but the additions that it takes.
fn each_string<'b>(bytes: &'b [u8], packed: bool, mut found: impl FnMut(&'b [u8])) {
    let word = |at: usize| {
        let word = bytes.get(at..at + 4).and_then(|word| word.try_into().ok());
        u32::from_le_bytes(word.unwrap_or_default()) as usize
    };
    let header = if packed { 0 } else { 4 };
    let mut at = 8;
    for _ in 0..word(4) {
        let start = at + header + 4;
        let end = start + word(at + header);
        found(bytes.get(start..end).unwrap_or_default());
        at = end.next_multiple_of(4);
    }
}
