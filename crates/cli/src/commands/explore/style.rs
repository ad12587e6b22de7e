//! The styles that several parts of the screen use.

use ratatui::style::{Color, Modifier, Style};

pub(crate) const PLAIN: Style = Style::new();
pub(crate) const DIM: Style = Style::new().add_modifier(Modifier::DIM);
pub(crate) const KEY: Style = Style::new().fg(Color::Cyan);
