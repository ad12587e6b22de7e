//! [`TextLayout`]: the exact layout of a text that shows bytes, so that changed bytes can be written in the
//! same layout.

use std::fmt::Write;

use crate::line;

/// The layout of a text: the program's format, the width and the line ends.
#[derive(Clone, Copy, PartialEq, Eq, Debug)]
pub struct TextLayout {
    style: Style,
    /// The number of characters in a line of digits; 0 if there is only one line.
    width: usize,
    /// `true` if lines end with CR LF, as on Windows.
    has_returns: bool,
    /// `true` if the last line has a line end.
    is_ended: bool,
}

/// The format of a line.
#[derive(Clone, Copy, PartialEq, Eq, Debug)]
enum Style {
    /// Digits in lower case.
    Hex,
    /// Digits in upper case.
    UpperHex,
    /// Base64 with padding.
    Base64,
    /// A dump of `xxd`.
    Xxd,
    /// A dump of `hexdump -C`.
    Hexdump,
    /// Numbers as `print` of a PackedByteArray shows them: `[28, 0, 255]`.
    Numbers,
}

const STYLES: [Style; 6] = [
    Style::Hex,
    Style::UpperHex,
    Style::Base64,
    Style::Xxd,
    Style::Hexdump,
    Style::Numbers,
];

/// The number of bytes in a row of a dump.
const ROW: usize = 16;

impl TextLayout {
    /// Finds the layout in which `bytes` are written as exactly `text`. Returns `None` if there is no such layout: the
    /// text can then be read but not written again. Takes linear time.
    pub(crate) fn of(text: &[u8], bytes: &[u8]) -> Option<TextLayout> {
        let is_ended = text.ends_with(b"\n");
        let has_returns = text.windows(2).any(|end| end == b"\r\n");
        let first = text.split(|&byte| byte == b'\n').next().unwrap_or_default();
        let first = first.trim_ascii_end().len();
        let is_one = text.trim_ascii_end().len() == first;
        let layouts = STYLES.into_iter().map(|style| TextLayout {
            style,
            width: if is_one { 0 } else { first },
            has_returns,
            is_ended,
        });
        // The first row excludes nearly all layouts.
        let mut likely = layouts.filter(|layout| {
            let start = layout.write(&bytes[..bytes.len().min(ROW)]);
            let shown = start.len().min(first).min(12);
            text.get(..shown) == start.get(..shown)
        });
        likely.find(|layout| layout.write(bytes) == text)
    }

    /// Writes bytes in the layout.
    pub(crate) fn write(self, bytes: &[u8]) -> Vec<u8> {
        let mut text = match self.style {
            Style::Hex => self.wrapped(&line::to_hex(bytes)),
            Style::UpperHex => self.wrapped(&line::to_hex(bytes).to_ascii_uppercase()),
            Style::Base64 => self.wrapped(&line::to_base64(bytes)),
            Style::Xxd => xxd(bytes),
            Style::Hexdump => hexdump(bytes),
            Style::Numbers => format!("{bytes:?}\n"),
        };
        if !self.is_ended && text.ends_with('\n') {
            text.pop();
        }
        if self.has_returns {
            text = text.replace('\n', "\r\n");
        }
        text.into_bytes()
    }

    /// Breaks digits into lines of one width.
    fn wrapped(self, digits: &str) -> String {
        let width = if self.width == 0 {
            digits.len()
        } else {
            self.width
        };
        let mut text = String::with_capacity(digits.len() + digits.len() / width.max(1) + 1);
        for line in digits.as_bytes().chunks(width.max(1)) {
            text.extend(line.iter().map(|&byte| char::from(byte)));
            text.push('\n');
        }
        text
    }
}

fn xxd(bytes: &[u8]) -> String {
    let mut text = String::with_capacity(bytes.len() * 5);
    for (n, row) in bytes.chunks(ROW).enumerate() {
        let _ = write!(text, "{:08x}: ", n * ROW);
        let pairs: Vec<String> = row.chunks(2).map(line::to_hex).collect();
        let _ = writeln!(text, "{:39}  {}", pairs.join(" "), shown(row));
    }
    text
}

/// Formats a dump of `hexdump -C`. Repeated rows become a single star.
fn hexdump(bytes: &[u8]) -> String {
    let mut text = String::with_capacity(bytes.len() * 5);
    let mut last: &[u8] = &[];
    let mut is_star = false;
    for (n, row) in bytes.chunks(ROW).enumerate() {
        if row == last {
            if !is_star {
                text.push_str("*\n");
            }
            is_star = true;
            continue;
        }
        (last, is_star) = (row, false);
        let half = |half: &[u8]| {
            half.iter()
                .fold(String::new(), |all, byte| all + &format!(" {byte:02x}"))
        };
        let (left, right) = row.split_at(row.len().min(ROW / 2));
        let digits = format!("{:24} {}", half(left), half(right));
        let _ = writeln!(text, "{:08x} {digits:49}  |{}|", n * ROW, shown(row));
    }
    let _ = writeln!(text, "{:08x}", bytes.len());
    text
}

/// Returns the characters of a row, with a dot for each that is not visible.
fn shown(row: &[u8]) -> String {
    let visible = |&byte: &u8| matches!(byte, b' '..=b'~');
    let shown = row
        .iter()
        .map(|byte| if visible(byte) { *byte } else { b'.' });
    shown.map(char::from).collect()
}

#[cfg(test)]
mod tests {
    use super::*;

    /// The output of the programs for `hp` after 48 zeros.
    const XXD: &str = "\
00000000: 0000 0000 0000 0000 0000 0000 0000 0000  ................
00000010: 0000 0000 0000 0000 0000 0000 0000 0000  ................
00000020: 0000 0000 0000 0000 0000 0000 0000 0000  ................
00000030: 6870                                     hp
";
    const HEXDUMP: &str = "\
00000000  00 00 00 00 00 00 00 00  00 00 00 00 00 00 00 00  |................|
*
00000030  68 70                                             |hp|
00000032
";

    fn bytes() -> Vec<u8> {
        [vec![0; 48], b"hp".to_vec()].concat()
    }

    #[test]
    fn texts_are_written_again_to_the_byte() {
        let one_line = line::to_base64(&bytes());
        // 50 bytes are 100 digits: a line of 76 and one of 24.
        let wrapped = format!("{}\n{}6870\n", "0".repeat(76), "0".repeat(20));
        let upper = "1F".repeat(50);
        let numbers = format!("{:?}", bytes());
        for text in [XXD, HEXDUMP, &one_line, &numbers, &wrapped, &upper] {
            let shown = if text == upper {
                vec![0x1f; 50]
            } else {
                bytes()
            };
            for text in [
                text.to_owned(),
                text.replace('\n', "\r\n"),
                text.trim_end().to_owned(),
            ] {
                let layout = TextLayout::of(text.as_bytes(), &shown);
                let layout = layout.unwrap_or_else(|| panic!("no layout: {text}"));
                assert_eq!(layout.write(&shown), text.as_bytes());
            }
        }
    }

    #[test]
    fn a_text_with_more_in_it_cannot_be_written_again() {
        let text = format!("# a save\n{XXD}");
        assert_eq!(TextLayout::of(text.as_bytes(), &bytes()), None);
        let spaced = "00 00 00 00";
        assert_eq!(TextLayout::of(spaced.as_bytes(), &[0; 4]), None);
    }
}
