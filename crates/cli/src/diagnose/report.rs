//! Prints messages about a place in a file, with the bytes around it.

use std::io::{self, IsTerminal, Write};

use crate::terminal::{
    safe_text::{safe, safe_line},
    style::{self, paint},
    width,
};

/// The page of the guide that explains all errors. The anchor of an error is its name in lower case.
pub(crate) const EXPLAINED: &str = concat!(
    env!("CARGO_PKG_REPOSITORY"),
    "/blob/main/docs/guide/errors.md"
);

/// A message about an error.
#[derive(Debug, Default)]
pub(crate) struct Report<'a> {
    /// The name of the error: `Truncated`.
    pub code: String,
    /// The error as a sentence.
    pub message: String,
    /// The file, the byte, the path.
    pub place: String,
    /// The bytes around the place.
    pub window: Option<Window<'a>>,
    /// Lines of facts and advice.
    pub notes: Vec<Note>,
}

/// A line after the message.
#[derive(Clone, PartialEq, Eq, Debug)]
pub(crate) enum Note {
    /// A fact, printed as `note`.
    Note(String),
    /// Advice, printed as `help`.
    Help(String),
}

impl Note {
    pub(crate) fn fact(text: impl Into<String>) -> Note {
        Note::Note(text.into())
    }

    pub(crate) fn help(text: impl Into<String>) -> Note {
        Note::Help(text.into())
    }
}

/// The bytes that a report shows.
#[derive(Clone, Copy, Debug)]
pub(crate) struct Window<'a> {
    /// All bytes that may be shown.
    pub bytes: &'a [u8],
    /// The offset of `bytes` in the file, for the row numbers.
    pub base: usize,
    /// The index in `bytes` to point at. It may be the length of `bytes`.
    pub offset: usize,
}

/// Returns the number of bytes in a row: 8 on a narrow terminal, else 16.
fn row_len() -> usize {
    match width::columns() {
        Some(columns) if columns < 76 => 8,
        _ => 16,
    }
}

impl Report<'_> {
    /// Creates a message about a whole file.
    pub(crate) fn of_file(
        code: &str,
        message: impl Into<String>,
        file: &str,
        notes: Vec<Note>,
    ) -> Self {
        Report {
            code: code.to_owned(),
            message: message.into(),
            place: file.to_owned(),
            notes,
            ..Report::default()
        }
    }

    /// Returns the address of the explanation of this error.
    fn link(&self) -> String {
        format!("{}#{}", EXPLAINED, self.code.to_lowercase())
    }

    /// Prints the report and an empty line. On a terminal, the report ends with a link to the explanation of the error.
    pub(crate) fn print(&self, out: &mut impl Write) -> io::Result<()> {
        let head = format!("error[{}]", self.code);
        writeln!(
            out,
            "{}: {}",
            paint(style::ERROR, head),
            safe(&self.message)
        )?;
        let arrow = paint(style::FRAME, "-->");
        writeln!(out, "  {arrow} {}", safe_line(&self.place))?;
        let bar = paint(style::FRAME, "|");
        let width = match self.window {
            Some(window) => window.print(out, &bar)?,
            None => 1,
        };
        for note in &self.notes {
            let (kind, text) = match note {
                Note::Note(text) => ("note", text),
                Note::Help(text) => ("help", text),
            };
            let mark = paint(style::FRAME, "=");
            let kind = paint(style::HEAD, kind);
            writeln!(out, "{:width$} {mark} {kind}: {}", "", safe(text))?;
        }
        if io::stdout().is_terminal() && io::stderr().is_terminal() {
            let mark = paint(style::FRAME, "=");
            writeln!(out, "{:width$} {mark} {}", "", safe(&self.link()))?;
        }
        writeln!(out)
    }
}

impl Window<'_> {
    /// Prints two or three rows of bytes, and a caret below the place. Returns the width of the row numbers.
    fn print(self, out: &mut impl Write, bar: &str) -> io::Result<usize> {
        // Rows start at multiples of their length in the file (16, or 8 on a narrow terminal), as in other tools.
        let in_row = row_len();
        let hex_columns = 3 * in_row - 1;
        let lead = self.base % in_row;
        let row_of = |offset: usize| (offset + lead) / in_row;
        let at = self.offset.min(self.bytes.len());
        let ends = at == self.bytes.len();
        let row = row_of(at);
        let first = row.saturating_sub(1);
        let last = row_of(self.bytes.len().saturating_sub(1)).min(row + 1);
        let number = |row: usize| self.base - lead + row * in_row;
        let width = format!("{:x}", number(last.max(row))).len().max(4);
        writeln!(out, "{:width$} {bar}", "")?;
        for shown in first..=last.max(row) {
            let start = (shown * in_row).saturating_sub(lead);
            let end = ((shown + 1) * in_row - lead).min(self.bytes.len());
            let gap = if shown == 0 { lead } else { 0 };
            let bytes = self.bytes.get(start..end).unwrap_or_default();
            if !bytes.is_empty() {
                let hex: Vec<_> = bytes.iter().map(|byte| format!("{byte:02x}")).collect();
                let text: String = bytes.iter().map(|&byte| printable(byte)).collect();
                let label = paint(style::FRAME, format!("{:0width$x}", number(shown)));
                let column = format!("{}{}", "   ".repeat(gap), hex.join(" "));
                writeln!(
                    out,
                    "{label} {bar} {column:hex_columns$}  {}{text}",
                    " ".repeat(gap)
                )?;
            }
            if shown == row {
                let column = (at + lead) % in_row;
                let mark = if ends { "^ the bytes end here" } else { "^^" };
                let mark = paint(style::ERROR, mark);
                writeln!(out, "{:width$} {bar} {}{mark}", "", "   ".repeat(column))?;
            }
        }
        Ok(width)
    }
}

/// Shows a byte as an ASCII character, or as a dot if it is not printable.
pub(crate) fn printable(byte: u8) -> char {
    match byte {
        b' '..=b'~' => char::from(byte),
        _ => '.',
    }
}
