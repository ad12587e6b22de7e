//! A line of text that the user is typing.

use crossterm::event::{KeyCode, KeyEvent, KeyModifiers};

#[derive(Clone, Default, Debug)]
pub(crate) struct InputLine {
    chars: Vec<char>,
    /// The position of the cursor, in characters.
    at: usize,
}

impl InputLine {
    /// Starts with `text`, and puts the cursor after it.
    pub(crate) fn new(text: &str) -> InputLine {
        let chars: Vec<_> = text.chars().collect();
        let at = chars.len();
        InputLine { chars, at }
    }

    pub(crate) fn text(&self) -> String {
        self.chars.iter().collect()
    }

    pub(crate) fn chars(&self) -> &[char] {
        &self.chars
    }

    /// Returns the number of characters before the cursor.
    pub(crate) fn at(&self) -> usize {
        self.at
    }

    /// Inserts a text, without control characters.
    pub(crate) fn insert(&mut self, text: &str) {
        for c in text.chars().filter(|c| !c.is_control()) {
            self.chars.insert(self.at, c);
            self.at += 1;
        }
    }

    /// Handles a key that moves the cursor or edits the line.
    pub(crate) fn key(&mut self, key: KeyEvent) {
        let control = key.modifiers.contains(KeyModifiers::CONTROL);
        match key.code {
            KeyCode::Char('a') if control => self.at = 0,
            KeyCode::Char('e') if control => self.at = self.chars.len(),
            KeyCode::Char('u') if control => self.delete_from(0),
            KeyCode::Char('w') if control => self.delete_from(self.word_start()),
            KeyCode::Char(c) if !control => self.insert(c.encode_utf8(&mut [0; 4])),
            KeyCode::Backspace => self.delete_from(self.at.saturating_sub(1)),
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

    /// Deletes the characters from `start` to the cursor.
    fn delete_from(&mut self, start: usize) {
        self.chars.drain(start..self.at);
        self.at = start;
    }

    /// Returns the start of the word before the cursor.
    fn word_start(&self) -> usize {
        let before = &self.chars[..self.at];
        let end = before.iter().rposition(|c| !c.is_whitespace());
        let end = end.map_or(0, |end| end + 1);
        let space = before[..end].iter().rposition(|c| c.is_whitespace());
        space.map_or(0, |space| space + 1)
    }
}
