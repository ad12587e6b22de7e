//! Colours.

use anstyle::{AnsiColor, Style};

/// Of errors.
pub(crate) const ERROR: Style = AnsiColor::Red.on_default().bold();
/// Of warnings.
pub(crate) const WARNING: Style = AnsiColor::Yellow.on_default().bold();
/// Of what helps to find the place.
pub(crate) const FRAME: Style = AnsiColor::Blue.on_default().bold();
/// Of what is good.
pub(crate) const GOOD: Style = AnsiColor::Green.on_default().bold();
/// Of headings and file names.
pub(crate) const HEAD: Style = Style::new().bold();
/// Of keys.
pub(crate) const KEY: Style = AnsiColor::Cyan.on_default();
/// Of texts.
pub(crate) const TEXT: Style = AnsiColor::Green.on_default();
/// Of lengths and counts.
pub(crate) const NUMBER: Style = AnsiColor::Yellow.on_default();
/// Of what matters less.
pub(crate) const DIM: Style = Style::new().dimmed();

/// Text in a style.
pub(crate) fn paint(style: Style, text: impl std::fmt::Display) -> String {
    format!("{style}{text}{style:#}")
}
