//! Lines of a text: whether something is alone on its line, and line breaks as the text has them.
//!
//! The tests read no further than the neighbouring blanks. A line ends at a LF or, as the engines read it too, at a CR
//! alone.

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

/// Returns `text`, the text of new values or entries, with `newline` instead of each LF. A LF inside quotes stays: it
/// belongs to a String, and the engines read a CR before it as a part of that String.
pub(crate) fn with_newline(text: String, newline: &str) -> String {
    if newline == "\n" || !text.contains('\n') {
        return text;
    }
    let mut new = String::with_capacity(text.len() + text.len() / 16);
    let (mut in_quotes, mut is_escaped, mut before) = (false, false, ' ');
    for char in text.chars() {
        match char {
            '\n' if !in_quotes && before != '\r' => new += newline,
            _ => new.push(char),
        }
        if char == '"' && !is_escaped {
            in_quotes = !in_quotes;
        }
        is_escaped = in_quotes && char == '\\' && !is_escaped;
        before = char;
    }
    new
}
