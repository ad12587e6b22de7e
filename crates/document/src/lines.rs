//! Whether something is alone on its line. Blanks are looked at, and nothing beyond them.

/// Returns `true` if only blanks are before `at` on its line.
pub(crate) fn begins_line(text: &str, at: usize) -> bool {
    let before = text.as_bytes()[..at].iter().rev();
    let last = before.copied().find(|byte| *byte > b' ' || *byte == b'\n');
    last.is_none_or(|byte| byte == b'\n')
}

/// Returns `true` if only blanks or a comment are after `at` on its line.
pub(crate) fn ends_line(text: &str, at: usize) -> bool {
    let after = text.as_bytes()[at..].iter();
    let next = after.copied().find(|byte| *byte > b' ' || *byte == b'\n');
    next.is_none_or(|byte| byte == b'\n' || byte == b';')
}
