//! [`signs`]: the tokens of a text that help to recognise it.

use crate::name::word_len;

/// A token outside of quotes and comments, an escape inside quotes, or a comment.
pub(crate) enum Sign<'t> {
    /// A word, and the text after it.
    Word(&'t [u8], &'t [u8]),
    /// The `&` of a StringName.
    StringName,
    /// A `[` and the text after it.
    Bracket(&'t [u8]),
    /// The `;` of a comment, which continues to the end of the line.
    Comment,
    /// A backslash in quotes before a character that some engines read differently.
    Escape,
}

/// Iterates over the tokens of a text, with their offsets.
pub(crate) fn signs(text: &str) -> impl Iterator<Item = (usize, Sign<'_>)> {
    let bytes = text.as_bytes();
    let mut next = 0;
    let mut in_quotes = false;
    std::iter::from_fn(move || {
        loop {
            let at = next;
            let rest = &bytes[at..];
            let (byte, after) = rest.split_first()?;
            next += 1;
            match byte {
                b'"' => in_quotes = !in_quotes,
                b'\\' => {
                    let escaped = after.first();
                    next += usize::from(in_quotes && escaped.is_some());
                    if !in_quotes || escaped.is_some_and(|byte| !b"\"\\nrt".contains(byte)) {
                        return Some((at, Sign::Escape));
                    }
                }
                _ if in_quotes => {}
                b';' => {
                    let end = after.iter().position(|byte| *byte == b'\n');
                    next += end.map_or(after.len(), |end| end + 1);
                    return Some((at, Sign::Comment));
                }
                b'[' => return Some((at, Sign::Bracket(after))),
                b'&' if after.starts_with(b"\"") => return Some((at, Sign::StringName)),
                b'_' | b'a'..=b'z' | b'A'..=b'Z' => {
                    let (word, after) = rest.split_at(word_len(rest));
                    next = at + word.len();
                    return Some((at, Sign::Word(word, after)));
                }
                _ => {}
            }
        }
    })
}
