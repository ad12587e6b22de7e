//! Rows of bytes: offset, hexadecimal digits, text, and a description.

use std::io::{self, Write};

use anstyle::Style;

use crate::{
    diagnose::report::printable,
    terminal::{
        style::{self, paint},
        width,
    },
};

/// The layout of rows.
#[derive(Clone, Copy, Debug)]
pub(crate) struct Rows {
    /// The number of digits of an offset.
    digits: usize,
    /// The largest number of bytes in one row.
    pub(crate) bytes: usize,
    /// `true` if there is room for the bytes as text.
    text: bool,
    /// The columns for the description.
    words: usize,
}

impl Rows {
    /// Chooses a layout for offsets up to `end` that fits into `columns` columns. `bytes` is the number of bytes in a
    /// row; `None` makes it depend on `columns`.
    pub(crate) fn new(end: usize, columns: Option<usize>, bytes: Option<usize>) -> Rows {
        let digits = format!("{end:x}").len().max(4);
        let bytes = bytes.unwrap_or(match columns {
            Some(..60) => 4,
            Some(140..) => 16,
            _ => 8,
        });
        let text = columns.is_none_or(|columns| columns >= 60);
        let taken = digits + 2 + 3 * bytes - 1 + 2 + if text { bytes + 2 } else { 0 };
        Rows {
            digits,
            bytes,
            text,
            words: columns.map_or(usize::MAX, |columns| columns.saturating_sub(taken).max(8)),
        }
    }

    /// Returns the columns for a row's description.
    pub(crate) fn words(&self) -> usize {
        self.words
    }

    /// Prints a row. `style` is the colour of the bytes; `words` is the description, with its colours.
    pub(crate) fn row(
        &self,
        out: &mut impl Write,
        offset: usize,
        bytes: &[u8],
        style: Style,
        words: &str,
    ) -> io::Result<()> {
        let digits = self.digits;
        let offset = paint(style::DIM, format!("{offset:0digits$x}"));
        let hex: Vec<_> = bytes.iter().map(|byte| format!("{byte:02x}")).collect();
        // Without a description and text, nothing but the line end follows the bytes, so they are not padded.
        let is_last = words.is_empty();
        let width = if is_last && !self.text {
            0
        } else {
            3 * self.bytes - 1
        };
        let hex = paint(style, format!("{:width$}", hex.join(" ")));
        let mut line = format!("{offset}  {hex}");
        if self.text {
            let text: String = bytes.iter().map(|&byte| printable(byte)).collect();
            let width = if is_last { 0 } else { self.bytes };
            line += &format!("  {}", paint(style, format!("{text:width$}")));
        }
        let gap = if is_last { "" } else { "  " };
        writeln!(out, "{line}{gap}{words}")
    }

    /// Prints a row that says how many bytes are left out.
    pub(crate) fn gap(&self, out: &mut impl Write, words: &str) -> io::Result<()> {
        let words = width::cut(words, 3 * self.bytes + self.words.min(80));
        let width = self.digits;
        writeln!(out, "{:width$}  {}", "", paint(style::DIM, words))
    }
}
