//! Escapes text so that a terminal shows it, but does not obey it.

use std::borrow::Cow;

/// The characters of the Unicode categories Cf, Zl and Zp (Unicode 14). They are invisible, or change the order of the
/// text around them, so that a text can look like another one.
const FORMAT: [(u32, u32); 21] = [
    (0xad, 0xad),
    (0x600, 0x605),
    (0x61c, 0x61c),
    (0x6dd, 0x6dd),
    (0x70f, 0x70f),
    (0x890, 0x891),
    (0x8e2, 0x8e2),
    (0x180e, 0x180e),
    (0x200b, 0x200f),
    (0x2028, 0x202e),
    (0x2060, 0x2064),
    (0x2066, 0x206f),
    (0xfeff, 0xfeff),
    (0xfff9, 0xfffb),
    (0x110bd, 0x110bd),
    (0x110cd, 0x110cd),
    (0x13430, 0x13438),
    (0x1bca0, 0x1bca3),
    (0x1d173, 0x1d17a),
    (0xe0001, 0xe0001),
    (0xe0020, 0xe007f),
];

/// Returns `true` if a terminal only shows the character, and does not act on it.
pub(crate) fn is_safe(c: char) -> bool {
    let code = u32::from(c);
    !c.is_control()
        && !FORMAT
            .iter()
            .any(|&(first, last)| (first..=last).contains(&code))
}

/// Escapes characters that a terminal would obey. Line ends and tabs are kept.
pub(crate) fn safe(text: &str) -> Cow<'_, str> {
    escaped(text, |c| is_safe(c) || matches!(c, '\n' | '\t'))
}

/// Escapes characters that a terminal would obey, including line ends and tabs. For names.
pub(crate) fn safe_line(text: &str) -> Cow<'_, str> {
    escaped(text, is_safe)
}

fn escaped(text: &str, stays: impl Fn(char) -> bool) -> Cow<'_, str> {
    if text.chars().all(&stays) {
        return Cow::Borrowed(text);
    }
    let mut out = String::with_capacity(text.len() + 16);
    for c in text.chars() {
        if stays(c) {
            out.push(c);
        } else {
            escape(&mut out, c);
        }
    }
    Cow::Owned(out)
}

fn escape(out: &mut String, c: char) {
    if c.is_control() {
        out.extend(c.escape_default());
    } else {
        out.extend(c.escape_unicode());
    }
}

/// Appends `c`, or its escape if a terminal would obey it. Line ends and tabs are kept.
pub(crate) fn push_safe(out: &mut String, c: char) {
    if is_safe(c) || matches!(c, '\n' | '\t') {
        out.push(c);
    } else {
        escape(out, c);
    }
}

/// Returns a name on one line, cut to [`NAME`] characters.
pub(crate) fn short_name(text: &str) -> String {
    let mut short: String = text.chars().take(NAME).collect();
    if short.len() < text.len() {
        short.push('…');
    }
    safe(&short).replace(['\n', '\t'], " ")
}

/// The largest number of characters of a name that are shown.
const NAME: usize = 60;

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn what_a_terminal_would_obey_is_escaped() {
        for c in [
            '\u{1b}', '\u{9b}', '\u{200b}', '\u{202e}', '\u{2066}', '\u{2069}', '\u{feff}',
        ] {
            assert!(!is_safe(c), "{c:?}");
            let text = format!("a{c}b");
            let code = format!("a\\u{{{:x}}}b", u32::from(c));
            assert_eq!(
                (safe(&text), safe_line(&text)),
                (code.clone().into(), code.into())
            );
        }
        // Accents, Arabic and Devanagari are text.
        for text in ["é", "e\u{301}", "سلام", "नमस्ते", "日本語", "a\nb\tc"] {
            assert_eq!(safe(text), text);
        }
        assert_eq!(safe_line("a\nb"), "a\\nb");
    }
}
