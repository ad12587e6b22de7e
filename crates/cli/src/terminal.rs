//! How wide the output may be.

use std::{
    env,
    io::{self, IsTerminal},
};

/// The columns of the terminal, or what `COLUMNS` says. `None` where a program reads: lines are as long as
/// they are.
pub(crate) fn columns() -> Option<usize> {
    let named = env::var("COLUMNS").ok().and_then(|text| text.parse().ok());
    if let Some(columns) = named.filter(|&columns| columns > 0) {
        return Some(columns);
    }
    if !io::stdout().is_terminal() {
        return None;
    }
    terminal_size::terminal_size().map(|(width, _)| usize::from(width.0))
}

/// A text in at most so many columns, what is too much left out at its end.
pub(crate) fn cut(text: &str, columns: usize) -> String {
    if text.chars().count() <= columns {
        return text.to_owned();
    }
    let kept: String = text.chars().take(columns.saturating_sub(1)).collect();
    kept + "…"
}

/// The same, left out at its start: of paths the end says most.
pub(crate) fn cut_start(text: &str, columns: usize) -> String {
    let len = text.chars().count();
    if len <= columns {
        return text.to_owned();
    }
    let rest: String = text.chars().skip(len + 1 - columns.max(1)).collect();
    // It begins with a whole step, if that is not all.
    let step = rest.find(['.', '[', '{']).filter(|&at| at < rest.len() / 2);
    format!("…{}", &rest[step.unwrap_or(0)..])
}
