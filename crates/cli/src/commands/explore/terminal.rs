//! Takes over the terminal while the explorer runs, and restores it however the explorer ends.

use std::io::{self, Write, stdout};

use crossterm::{
    cursor::{Hide, MoveTo, Show},
    event::{DisableBracketedPaste, DisableMouseCapture, EnableBracketedPaste, EnableMouseCapture},
    execute, queue,
    style::{Attribute, Color, Print, ResetColor, SetAttribute, SetForegroundColor},
    terminal::{
        Clear, ClearType, EnterAlternateScreen, LeaveAlternateScreen, disable_raw_mode,
        enable_raw_mode, size,
    },
};
use data_encoding::BASE64;
use ratatui::{
    buffer::{Buffer, Cell},
    layout::{Position, Rect},
    style::Modifier,
};

pub(crate) struct Terminal {
    /// The cells that are on the screen now.
    shown: Buffer,
    colors: bool,
}

impl Terminal {
    /// Takes over the terminal.
    pub(crate) fn new(colors: bool) -> io::Result<Terminal> {
        enable_raw_mode()?;
        let terminal = Terminal {
            shown: Buffer::empty(Rect::ZERO),
            colors,
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

    /// Shows what `draw` draws, and puts the cursor at the position that `draw` returns. Sends only the cells that have
    /// changed.
    pub(crate) fn show(
        &mut self,
        draw: impl FnOnce(&mut Buffer) -> Option<Position>,
    ) -> io::Result<()> {
        let (width, height) = size()?;
        let mut next = Buffer::empty(Rect::new(0, 0, width, height));
        let cursor = draw(&mut next);
        let mut out = stdout().lock();
        if self.shown.area != next.area {
            queue!(out, Clear(ClearType::All))?;
            self.shown = Buffer::empty(next.area);
        }
        queue!(out, Hide)?;
        for (x, y, cell) in self.shown.diff(&next) {
            queue!(out, MoveTo(x, y))?;
            put(&mut out, cell, self.colors)?;
        }
        if let Some(Position { x, y }) = cursor {
            queue!(out, MoveTo(x, y), Show)?;
        }
        self.shown = next;
        out.flush()
    }

    /// Copies a text to the clipboard with OSC 52, if the terminal allows that.
    pub(crate) fn copy(&self, text: &str) -> io::Result<()> {
        let mut out = stdout().lock();
        write!(out, "\x1b]52;c;{}\x07", BASE64.encode(text.as_bytes()))?;
        out.flush()
    }
}

fn put(out: &mut impl Write, cell: &Cell, colors: bool) -> io::Result<()> {
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
    if let Some(color) = color.filter(|_| colors) {
        queue!(out, SetForegroundColor(color))?;
    }
    queue!(out, Print(cell.symbol()))
}

/// Restores the terminal.
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
    // Does not use `io::stdout`, because an interrupted thread may hold its lock.
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
