//! Tests whether something is alone on its line. Reads no further than the neighbouring blanks.

/// Returns `true` if there are only blanks before `at` on its line.
pub(crate) fn begins_line(text: &str, at: usize) -> bool {
    let before = text.as_bytes()[..at].iter().rev();
    let last = before.copied().find(|byte| *byte > b' ' || *byte == b'\n');
    last.is_none_or(|byte| byte == b'\n')
}

/// Returns `true` if there are only blanks or a comment after `at` on its line.
pub(crate) fn ends_line(text: &str, at: usize) -> bool {
    let after = text.as_bytes()[at..].iter();
    let next = after.copied().find(|byte| *byte > b' ' || *byte == b'\n');
    next.is_none_or(|byte| byte == b'\n' || byte == b';')
}
