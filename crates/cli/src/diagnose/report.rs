//! Messages about a place in a file, with the bytes around it.

use std::io::{self, IsTerminal, Write};

use crate::terminal::{
    safe_text::{safe, safe_line},
    style::{self, paint},
    width,
};

/// The page of the guide on which every error has an anchor: its name in small letters.
pub(crate) const EXPLAINED: &str = concat!(
    env!("CARGO_PKG_REPOSITORY"),
    "/blob/main/docs/guide/errors.md"
);

/// A message.
#[derive(Debug, Default)]
pub(crate) struct Report<'a> {
    /// The name of the error: `Truncated`.
    pub code: String,
    /// A sentence about it.
    pub message: String,
    /// File, byte, path.
    pub place: String,
    /// The bytes around the place.
    pub window: Option<Window<'a>>,
    /// Facts and advice.
    pub notes: Vec<Note>,
}

/// A line after a message.
#[derive(Clone, PartialEq, Eq, Debug)]
pub(crate) enum Note {
    /// A further fact.
    Note(String),
    /// Advice.
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

/// Bytes to be shown.
#[derive(Clone, Copy, Debug)]
pub(crate) struct Window<'a> {
    /// The buffer.
    pub bytes: &'a [u8],
    /// The offset of the buffer in the file, to number the rows.
    pub base: usize,
    /// The byte of the buffer to point at; may be its end.
    pub offset: usize,
}

/// The number of bytes in a row.
fn row_len() -> usize {
    match width::columns() {
        Some(columns) if columns < 76 => 8,
        _ => 16,
    }
}

impl Report<'_> {
    /// A message about a whole file.
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

    /// The page that explains this error, at its place on the page.
    fn link(&self) -> String {
        format!("{}#{}", EXPLAINED, self.code.to_lowercase())
    }

    /// Prints it, and an empty line after it. A person who looks at a terminal gets a link, too; a program has
    /// the name.
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
    /// Prints two or three rows and a caret; returns the width of the row numbers.
    fn print(self, out: &mut impl Write, bar: &str) -> io::Result<usize> {
        // Rows start at multiples of 16 in the file, so that they agree with other tools; of 8 where the
        // terminal is narrow.
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

/// A byte as a visible character, or a dot.
pub(crate) fn printable(byte: u8) -> char {
    match byte {
        b' '..=b'~' => char::from(byte),
        _ => '.',
    }
}
