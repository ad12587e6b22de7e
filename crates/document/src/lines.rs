//! Tests whether something is alone on its line. Reads no further than the neighbouring blanks. A line ends at a LF or,
//! as the engines read it too, at a CR alone.

fn is_end(byte: u8) -> bool {
    matches!(byte, b'\n' | b'\r')
}

/// Returns `true` if there are only blanks before `at` on its line.
pub(crate) fn begins_line(text: &str, at: usize) -> bool {
    let before = text.as_bytes()[..at].iter().rev();
    let last = before.copied().find(|byte| *byte > b' ' || is_end(*byte));
    last.is_none_or(is_end)
}

/// Returns `true` if there are only blanks or a comment after `at` on its line.
pub(crate) fn ends_line(text: &str, at: usize) -> bool {
    let after = text.as_bytes()[at..].iter();
    let next = after.copied().find(|byte| *byte > b' ' || is_end(*byte));
    next.is_none_or(|byte| is_end(byte) || byte == b';')
}
