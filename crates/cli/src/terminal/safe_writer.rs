//! [`SafeWriter`]: output that a terminal shows, but does not obey.

use std::io::{self, Write};

use crate::terminal::{safe_text, style};

/// A stream that escapes dangerous characters if it writes to a terminal. These are control characters other than line
/// end and tab, characters that are invisible or change the direction of text, and bytes that are not UTF-8.
///
/// All output goes through a `SafeWriter`, so that no command has to escape text itself.
pub(crate) struct SafeWriter<W> {
    to: W,
    on_terminal: bool,
    /// `true` if the command's own styles are not escaped.
    with_styles: bool,
    /// The start of a character or style, kept until the rest of it is written.
    begun: Vec<u8>,
}

impl<W: Write> SafeWriter<W> {
    /// Creates a stream for text with the command's own styles. All other escape sequences are escaped.
    pub(crate) fn styled(to: W, on_terminal: bool) -> SafeWriter<W> {
        SafeWriter {
            to,
            on_terminal,
            with_styles: true,
            begun: Vec::new(),
        }
    }

    /// Creates a stream for text of a file. All escape sequences are escaped.
    pub(crate) fn plain(to: W, on_terminal: bool) -> SafeWriter<W> {
        SafeWriter {
            with_styles: false,
            ..SafeWriter::styled(to, on_terminal)
        }
    }

    /// Appends `bytes`, escaped, to `shown`. Returns the number of bytes that were used. The unused bytes are the start
    /// of a character or style. If `ends` is `true`, all bytes are used.
    fn show(&self, bytes: &[u8], ends: bool, shown: &mut String) -> usize {
        let mut at = 0;
        while let Some(rest) = bytes.get(at..).filter(|rest| !rest.is_empty()) {
            let (text, bad) = match std::str::from_utf8(rest) {
                Ok(text) => (text, None),
                Err(error) => {
                    let (text, bad) = rest.split_at(error.valid_up_to());
                    let text = std::str::from_utf8(text).unwrap_or_default();
                    (text, Some(error.error_len().unwrap_or(bad.len())))
                }
            };
            let len = self.show_text(text, ends || bad.is_some(), shown);
            at += len;
            let Some(bad) = bad.filter(|_| len == text.len()) else {
                return at;
            };
            // The rest of this character may come with the next write.
            let is_begun =
                std::str::from_utf8(&rest[len..]).is_err_and(|e| e.error_len().is_none());
            if is_begun && !ends {
                return at;
            }
            shown.push(char::REPLACEMENT_CHARACTER);
            at += bad;
        }
        at
    }

    fn show_text(&self, text: &str, ends: bool, shown: &mut String) -> usize {
        let mut at = 0;
        while let Some(c) = text[at..].chars().next() {
            let rest = &text[at..];
            if self.with_styles && c == '\u{1b}' {
                if let Some(len) = style::sequence(rest) {
                    shown.push_str(&rest[..len]);
                    at += len;
                    continue;
                }
                if !ends && style::is_begun(rest) {
                    return at;
                }
            }
            safe_text::push_safe(shown, c);
            at += c.len_utf8();
        }
        at
    }
}

impl<W: Write> Write for SafeWriter<W> {
    fn write(&mut self, bytes: &[u8]) -> io::Result<usize> {
        if !self.on_terminal {
            return self.to.write(bytes);
        }
        let mut all = std::mem::take(&mut self.begun);
        all.extend_from_slice(bytes);
        let mut shown = String::with_capacity(all.len());
        let len = self.show(&all, false, &mut shown);
        self.begun = all.split_off(len);
        self.to.write_all(shown.as_bytes())?;
        Ok(bytes.len())
    }

    fn flush(&mut self) -> io::Result<()> {
        if !self.begun.is_empty() {
            let mut shown = String::new();
            let begun = std::mem::take(&mut self.begun);
            self.show(&begun, true, &mut shown);
            self.to.write_all(shown.as_bytes())?;
        }
        self.to.flush()
    }
}

#[cfg(test)]
mod tests {
    use super::*;

    /// Returns what a terminal gets if `bytes` are written in pieces of `piece` bytes.
    fn shown(bytes: &[u8], piece: usize, with_styles: bool) -> String {
        let mut out = Vec::new();
        let mut stream = match with_styles {
            true => SafeWriter::styled(&mut out, true),
            false => SafeWriter::plain(&mut out, true),
        };
        for piece in bytes.chunks(piece) {
            stream.write_all(piece).expect("memory");
        }
        stream.flush().expect("memory");
        String::from_utf8(out).expect("UTF-8")
    }

    #[test]
    fn pieces_make_no_difference() {
        let text = format!(
            "a\u{e9}\u{65e5}\u{1f600}\n\t{}b{:#} \u{1b}]0;x\u{7} \u{1b}[2J \u{1b}[8mhidden \u{9b}1m \u{202e}\r\u{1b}",
            style::ERROR,
            style::ERROR
        );
        let bytes = [text.as_bytes(), b"\x9b\xff\xe6\x97"].concat();
        for piece in 1..bytes.len() {
            assert_eq!(
                shown(&bytes, piece, true),
                "a\u{e9}\u{65e5}\u{1f600}\n\t\u{1b}[1m\u{1b}[31mb\u{1b}[0m \\u{1b}]0;x\\u{7} \\u{1b}[2J \
                 \\u{1b}[8mhidden \\u{9b}1m \\u{202e}\\r\\u{1b}\u{fffd}\u{fffd}\u{fffd}",
                "{piece}"
            );
            assert!(!shown(&bytes, piece, false).contains('\u{1b}'), "{piece}");
        }
    }

    #[test]
    fn nothing_changes_without_a_terminal() {
        let bytes: Vec<u8> = (0..=255).collect();
        let mut out = Vec::new();
        SafeWriter::plain(&mut out, false)
            .write_all(&bytes)
            .expect("memory");
        assert_eq!(out, bytes);
    }
}
