//! A line that is typed.

use crossterm::event::{KeyCode, KeyEvent, KeyModifiers};

/// The text that was typed so far, and where the next character goes.
#[derive(Clone, Default, Debug)]
pub(crate) struct Line {
    chars: Vec<char>,
    at: usize,
}

impl Line {
    /// With a text to change, and the cursor behind it.
    pub(crate) fn new(text: &str) -> Line {
        let chars: Vec<_> = text.chars().collect();
        let at = chars.len();
        Line { chars, at }
    }

    /// The text of it.
    pub(crate) fn text(&self) -> String {
        self.chars.iter().collect()
    }

    /// In front of which character the cursor stands.
    pub(crate) fn at(&self) -> usize {
        self.at
    }

    /// Puts a text in.
    pub(crate) fn put(&mut self, text: &str) {
        for c in text.chars().filter(|c| !c.is_control()) {
            self.chars.insert(self.at, c);
            self.at += 1;
        }
    }

    /// A key that is neither the end nor the start of typing.
    pub(crate) fn key(&mut self, key: KeyEvent) {
        let control = key.modifiers.contains(KeyModifiers::CONTROL);
        match key.code {
            KeyCode::Char('a') if control => self.at = 0,
            KeyCode::Char('e') if control => self.at = self.chars.len(),
            KeyCode::Char('u') if control => {
                self.chars.drain(..self.at);
                self.at = 0;
            }
            KeyCode::Char('w') if control => {
                let start = self.word();
                self.chars.drain(start..self.at);
                self.at = start;
            }
            KeyCode::Char(c) if !control => self.put(&c.to_string()),
            KeyCode::Backspace if self.at > 0 => {
                self.at -= 1;
                self.chars.remove(self.at);
            }
            KeyCode::Delete if self.at < self.chars.len() => {
                self.chars.remove(self.at);
            }
            KeyCode::Left => self.at = self.at.saturating_sub(1),
            KeyCode::Right => self.at = (self.at + 1).min(self.chars.len()),
            KeyCode::Home => self.at = 0,
            KeyCode::End => self.at = self.chars.len(),
            _ => {}
        }
    }

    /// The place at which the word in front of the cursor begins.
    fn word(&self) -> usize {
        let before = &self.chars[..self.at];
        let end = before.iter().rposition(|c| !c.is_whitespace());
        let end = end.map_or(0, |end| end + 1);
        let space = before[..end].iter().rposition(|c| c.is_whitespace());
        space.map_or(0, |space| space + 1)
    }
}
