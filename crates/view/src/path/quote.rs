//! Names inside paths: quotes and escapes.

use core::{
    fmt::{self, Write},
    str::Chars,
};

/// Returns `true` if a name without quotes may contain `c`.
pub(crate) fn is_name(c: char) -> bool {
    c.is_ascii_alphanumeric() || c == '_' || !c.is_ascii()
}

/// The characters of a name with its escapes resolved. `\n`, `\t`, `\r` and `\u{1b}` are escapes of Rust,
/// `\u001b` is one of Godot. Any other character after a backslash is itself.
#[derive(Clone, Debug)]
pub(crate) struct Unescaped<'p>(Chars<'p>);

pub(crate) fn unescaped(name: &str) -> Unescaped<'_> {
    Unescaped(name.chars())
}

impl Iterator for Unescaped<'_> {
    type Item = char;

    fn next(&mut self) -> Option<char> {
        match self.0.next()? {
            '\\' => Some(match self.0.next()? {
                'n' => '\n',
                't' => '\t',
                'r' => '\r',
                'u' => match code(self.0.as_str()) {
                    Some((c, rest)) => {
                        self.0 = rest.chars();
                        c
                    }
                    None => 'u',
                },
                c => c,
            }),
            c => Some(c),
        }
    }
}

/// Splits `{1b}`, one to six hex digits in braces, or `001b`, four of them, into its character and the text
/// after it.
fn code(text: &str) -> Option<(char, &str)> {
    let (digits, rest) = match text.strip_prefix('{') {
        Some(text) => {
            // Reads at most seven bytes. A search for the closing brace would make a text with an escape in
            // every third byte take quadratic time.
            let is_digit = |byte: &u8| byte.is_ascii_hexdigit();
            let len = text.bytes().take(7).take_while(is_digit).count();
            let (digits, rest) = text.split_at(len);
            (digits, rest.strip_prefix('}').filter(|_| len <= 6)?)
        }
        None => text.split_at_checked(4)?,
    };
    let is_number = digits.bytes().all(|byte| byte.is_ascii_hexdigit());
    let code = u32::from_str_radix(digits, 16).ok().filter(|_| is_number)?;
    Some((char::from_u32(code)?, rest))
}

/// Returns `true` if `name`, with its escapes resolved, equals `text`.
pub(crate) fn same_name(name: &str, text: &[u8]) -> bool {
    if !name.contains('\\') {
        return name.as_bytes() == text;
    }
    let mut rest = text;
    for c in unescaped(name) {
        match rest.strip_prefix(c.encode_utf8(&mut [0; 4]).as_bytes()) {
            Some(tail) => rest = tail,
            None => return false,
        }
    }
    rest.is_empty()
}

/// Splits a quoted text into the part between the quotes, escapes kept, and the text after them.
pub(super) fn quoted(text: &str) -> Option<(&str, &str)> {
    let quote = text.chars().next().filter(|c| matches!(c, '"' | '\''))?;
    let rest = text.get(1..)?;
    let mut escaped = false;
    let end = rest.find(|c| {
        let ends = c == quote && !escaped;
        escaped = c == '\\' && !escaped;
        ends
    })?;
    Some((rest.get(..end)?, rest.get(end + 1..)?))
}

/// Returns the offset in `text` of the first place outside quotes where `ends` returns `true` for the rest of the text.
/// Returns the length of the text if there is none. A path that starts at the first byte of `text` and is followed by
/// other text ends there: keys in quotes may contain anything.
///
/// ```
/// let line = r#"party["a = b"].hp = 3"#;
/// let end = gdvar_view::path_end(line, |rest| rest.starts_with(" = "));
/// assert_eq!(&line[..end], r#"party["a = b"].hp"#);
/// ```
#[must_use]
pub fn path_end(text: &str, mut ends: impl FnMut(&str) -> bool) -> usize {
    let (mut quote, mut escaped) = (None, false);
    let end = text.char_indices().find(|&(at, c)| {
        match quote {
            None if ends(&text[at..]) => return true,
            None => quote = Some(c).filter(|c| matches!(c, '"' | '\'')),
            Some(open) if c == open && !escaped => quote = None,
            Some(_) => {}
        }
        escaped = quote.is_some() && c == '\\' && !escaped;
        false
    });
    end.map_or(text.len(), |(at, _)| at)
}

/// Returns `true` if `c` is escaped in quotes: a control character, which a terminal would obey, or white space
/// other than a blank, which a terminal hides and a program may trim.
fn is_escaped(c: char) -> bool {
    c.is_control() || c.is_whitespace() && c != ' '
}

/// Writes a name in double quotes. Escapes quotes, backslashes, control characters and unusual white space.
pub(crate) fn fmt_quoted(
    chars: impl Iterator<Item = char>,
    f: &mut fmt::Formatter<'_>,
) -> fmt::Result {
    f.write_str("\"")?;
    for c in chars {
        match c {
            '"' | '\\' => write!(f, "\\{c}")?,
            c if is_escaped(c) => write!(f, "{}", c.escape_default())?,
            c => write!(f, "{c}")?,
        }
    }
    f.write_str("\"")
}

/// Returns `true` if a name needs no quotes.
pub(crate) fn needs_no_quotes(chars: impl Iterator<Item = char>) -> bool {
    let mut has_some = false;
    let mut chars = chars.inspect(|_| has_some = true);
    chars.all(|c| is_name(c) && !is_escaped(c)) && has_some
}

/// Writes a text key or the name of a property as a step: `.name`, or `["odd name"]`.
pub(crate) fn fmt_name(
    mut chars: impl Iterator<Item = char> + Clone,
    f: &mut fmt::Formatter<'_>,
) -> fmt::Result {
    if needs_no_quotes(chars.clone()) {
        f.write_str(".")?;
        return chars.try_for_each(|c| f.write_char(c));
    }
    f.write_str("[")?;
    fmt_quoted(chars, f)?;
    f.write_str("]")
}

#[cfg(test)]
mod tests {
    use alloc::{format, string::ToString};

    use crate::{Path, Step};

    /// A terminal, an editor or a program that trims leaves the printed path as it is, and it names the same key.
    #[test]
    fn white_space_is_visible_and_comes_back() {
        for c in (char::MIN..=char::MAX).filter(|c| c.is_whitespace() || c.is_control()) {
            for name in [
                format!("{c}"),
                format!("{c}a"),
                format!("a{c}b"),
                format!("a{c}"),
            ] {
                for step in [
                    Step::Name(&name),
                    Step::String(&name),
                    Step::StringName(&name),
                ] {
                    let text = Path::from_iter([step]).to_string();
                    let hidden = |c: char| c.is_control() || c.is_whitespace() && c != ' ';
                    assert!(!text.contains(hidden), "{text:?}");
                    assert_eq!(text.trim(), text);
                    let path: Path<'_> = [step].into_iter().collect();
                    assert_eq!(Path::parse(&text).unwrap(), path, "{text:?}");
                }
                // Without quotes it is a name too, unless it is ASCII.
                if !c.is_ascii() {
                    let path: Path<'_> = [Step::Name(&name)].into_iter().collect();
                    assert_eq!(Path::parse(&name).unwrap(), path);
                }
            }
        }
    }
}
