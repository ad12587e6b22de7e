//! The terminal: taken over while the explorer runs, and given back however that ends.

use std::io::{self, Write, stdout};

use crossterm::{
    cursor::{Hide, MoveTo, Show},
    event::{DisableBracketedPaste, DisableMouseCapture, EnableBracketedPaste, EnableMouseCapture},
    execute, queue,
    style::{Attribute, Color, Print, ResetColor, SetAttribute, SetForegroundColor},
    terminal::{
        EnterAlternateScreen, LeaveAlternateScreen, disable_raw_mode, enable_raw_mode, size,
    },
};
use data_encoding::BASE64;
use ratatui::{
    buffer::{Buffer, Cell},
    layout::{Position, Rect},
    style::Modifier,
};

/// A terminal that shows the explorer.
pub(crate) struct Terminal {
    /// The screen that it shows.
    shown: Buffer,
}

impl Terminal {
    /// Takes it over.
    pub(crate) fn new() -> io::Result<Terminal> {
        enable_raw_mode()?;
        let terminal = Terminal {
            shown: Buffer::empty(Rect::ZERO),
        };
        #[cfg(unix)]
        crate::terminal::signals::give_back(give_back);
        execute!(
            stdout(),
            EnterAlternateScreen,
            EnableMouseCapture,
            EnableBracketedPaste,
            Hide
        )?;
        Ok(terminal)
    }

    /// Columns and rows.
    pub(crate) fn size(&self) -> io::Result<(u16, u16)> {
        size()
    }

    /// Shows what is drawn; only what is new is sent.
    pub(crate) fn show(
        &mut self,
        area: (u16, u16),
        draw: impl FnOnce(&mut Buffer) -> Option<Position>,
    ) -> io::Result<()> {
        let mut next = Buffer::empty(Rect::new(0, 0, area.0, area.1));
        let cursor = draw(&mut next);
        let mut out = stdout().lock();
        if self.shown.area != next.area {
            queue!(
                out,
                crossterm::terminal::Clear(crossterm::terminal::ClearType::All)
            )?;
            self.shown = Buffer::empty(next.area);
        }
        queue!(out, Hide)?;
        for (x, y, cell) in self.shown.diff(&next) {
            queue!(out, MoveTo(x, y))?;
            put(&mut out, cell)?;
        }
        if let Some(Position { x, y }) = cursor {
            queue!(out, MoveTo(x, y), Show)?;
        }
        self.shown = next;
        out.flush()
    }

    /// Puts a text on the clipboard, where the terminal allows that (OSC 52).
    pub(crate) fn copy(&self, text: &str) -> io::Result<()> {
        let mut out = stdout().lock();
        write!(out, "\x1b]52;c;{}\x07", BASE64.encode(text.as_bytes()))?;
        out.flush()
    }
}

fn put(out: &mut impl Write, cell: &Cell) -> io::Result<()> {
    queue!(out, SetAttribute(Attribute::Reset), ResetColor)?;
    for (modifier, attribute) in [
        (Modifier::BOLD, Attribute::Bold),
        (Modifier::DIM, Attribute::Dim),
        (Modifier::REVERSED, Attribute::Reverse),
    ] {
        if cell.modifier.contains(modifier) {
            queue!(out, SetAttribute(attribute))?;
        }
    }
    let color = match cell.fg {
        ratatui::style::Color::Red => Some(Color::DarkRed),
        ratatui::style::Color::Green => Some(Color::DarkGreen),
        ratatui::style::Color::Yellow => Some(Color::DarkYellow),
        ratatui::style::Color::Cyan => Some(Color::DarkCyan),
        _ => None,
    };
    if let Some(color) = color {
        queue!(out, SetForegroundColor(color))?;
    }
    queue!(out, Print(cell.symbol()))
}

/// The bytes that undo all that was asked of the terminal.
fn give_back() {
    let _ = disable_raw_mode();
    let mut text = Vec::new();
    let _ = queue!(
        text,
        SetAttribute(Attribute::Reset),
        DisableBracketedPaste,
        DisableMouseCapture,
        LeaveAlternateScreen,
        Show
    );
    // Not by way of `io::stdout`: a thread that cannot go on may have locked it.
    #[cfg(unix)]
    crate::terminal::signals::send(io::stdout(), &text);
    #[cfg(not(unix))]
    let _ = stdout().write_all(&text).and_then(|()| stdout().flush());
}

impl Drop for Terminal {
    fn drop(&mut self) {
        give_back();
    }
}
