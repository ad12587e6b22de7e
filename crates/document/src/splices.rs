//! [`Splices`]: changes of a text that keep all other bytes.

use std::ops::Range;

use crate::{
    lines::{self, begins_line, ends_line},
    section::{Entry, Section},
};

/// Ranges of a text, and the new texts that replace them.
pub(crate) struct Splices<'a> {
    text: &'a str,
    splices: Vec<(Range<usize>, String)>,
    /// The end of the first line, if that line is deleted and its line break remains.
    first_line: Option<usize>,
    /// The line break that the text uses.
    pub(crate) newline: &'static str,
}

impl<'a> Splices<'a> {
    pub(crate) fn new(text: &'a str) -> Splices<'a> {
        let first = text.find('\n');
        let is_crlf = first.is_some_and(|at| text[..at].ends_with('\r'));
        Splices {
            text,
            splices: Vec::new(),
            first_line: None,
            newline: if is_crlf { "\r\n" } else { "\n" },
        }
    }

    /// Replaces a part of the text.
    pub(crate) fn replace(&mut self, place: Range<usize>, new: String) {
        self.splices.push((place, new));
    }

    /// Replaces a value, or whole entries, with a new text. Its line breaks become as they are in the rest.
    pub(crate) fn replace_value(&mut self, place: Range<usize>, new: String) {
        let new = self.with_newline(new);
        self.replace(place, new);
    }

    /// Returns the text of new values or entries with the line breaks of this text.
    pub(crate) fn with_newline(&self, new: String) -> String {
        lines::with_newline(new, self.newline)
    }

    /// Deletes the lines of an entry, with a comment at their end. If something else is on these
    /// lines, deletes only the entry itself.
    pub(crate) fn delete_entry(&mut self, entry: &Entry<'_>) {
        self.delete(entry.name_at.start..entry.value_at.end);
    }

    /// Deletes an attribute and the blanks before it.
    pub(crate) fn delete_attribute(&mut self, attribute: &Entry<'_>) {
        let before = &self.text[..attribute.name_at.start];
        let start = before.trim_end_matches([' ', '\t']).len();
        self.splices
            .push((start..attribute.value_at.end, String::new()));
    }

    /// Deletes a header and the blank lines after it.
    pub(crate) fn delete_header(&mut self, section: &Section<'_>) {
        self.delete_with_blanks(section.header.clone());
    }

    fn delete_with_blanks(&mut self, mut place: Range<usize>) {
        if self.is_alone(&place) {
            let mut end = self.line_end(place.end);
            while let Some(next) = self.blank_line_after(end) {
                end = next;
            }
            place.end = end;
        }
        self.delete(place);
    }

    /// Deletes a section, and the blank lines after it. Comments on lines of their own stay.
    pub(crate) fn delete_section(&mut self, section: &Section<'_>) {
        let Some((last, entries)) = section.entries.split_last() else {
            return self.delete_header(section);
        };
        self.delete(section.header.clone());
        for entry in entries {
            self.delete_entry(entry);
        }
        self.delete_with_blanks(last.name_at.start..last.value_at.end);
    }

    /// Inserts lines and a blank line before the section that begins at `place`.
    pub(crate) fn insert_before(&mut self, place: usize, lines: &[String]) {
        let new = lines.join(self.newline) + self.newline + self.newline;
        self.replace_value(place..place, new);
    }

    /// Inserts `lines` after the line that contains the offset `place`. If more than blanks and a comment
    /// follows `place` on that line, the lines are inserted at `place`, and the rest of the line moves below
    /// them.
    pub(crate) fn insert_lines_after(&mut self, place: usize, lines: &[String]) {
        let end = match ends_line(self.text, place) {
            true => self.line_end(place),
            false => place,
        };
        let mut new = String::new();
        for line in lines {
            new += self.newline;
            new += line;
        }
        if end == place && !ends_line(self.text, place) {
            new += self.newline;
        }
        self.replace_value(end..end, new);
    }

    fn delete(&mut self, place: Range<usize>) {
        if !self.is_alone(&place) {
            self.splices.push((place, String::new()));
            return;
        }
        let start = self.text[..place.start].rfind('\n');
        let end = self.line_end(place.end);
        let place = match start {
            Some(at) => self.text[..at].strip_suffix('\r').map_or(at, str::len)..end,
            None => {
                self.first_line = Some(end);
                0..end
            }
        };
        self.splices.push((place, String::new()));
    }

    /// Returns `true` if a range is alone on its lines: only blanks before it, and only blanks or a comment
    /// after it.
    fn is_alone(&self, place: &Range<usize>) -> bool {
        begins_line(self.text, place.start) && ends_line(self.text, place.end)
    }

    /// Returns the end of a line, before its line break.
    fn line_end(&self, at: usize) -> usize {
        let line = self.text[at..].split('\n').next().unwrap_or_default();
        let line = line.strip_suffix('\r').unwrap_or(line);
        at + line.len()
    }

    /// Returns the end of the next line if it is blank, or `None`.
    fn blank_line_after(&self, end: usize) -> Option<usize> {
        let rest = &self.text[end..];
        let rest = rest.strip_prefix('\r').unwrap_or(rest).strip_prefix('\n')?;
        let start = self.text.len() - rest.len();
        let line = rest.split('\n').next()?;
        let is_last = start + line.len() == self.text.len();
        (line.trim_ascii().is_empty() && !is_last).then(|| self.line_end(start))
    }

    /// Returns the changed text. A text that is inserted inside a deleted range comes after that
    /// range.
    pub(crate) fn apply(mut self) -> String {
        if let Some(end) = self.first_line {
            // Deletes the line break after the deleted line, or the one before the lines that replace it.
            let lines = self
                .splices
                .iter_mut()
                .find(|(place, _)| *place == (end..end));
            match lines {
                Some((_, lines)) => *lines = lines.trim_start_matches(self.newline).to_owned(),
                None => {
                    let is_more = self.text[end..].starts_with(self.newline);
                    let len = if is_more { self.newline.len() } else { 0 };
                    self.splices.push((end..end + len, String::new()));
                }
            }
        }
        self.splices
            .sort_by_key(|(place, _)| (place.start, place.end));
        let mut text = String::with_capacity(self.text.len());
        let mut done = 0;
        for (place, new) in self.splices {
            text += self.text.get(done..place.start).unwrap_or_default();
            text += &new;
            done = done.max(place.end);
        }
        text + &self.text[done..]
    }
}
