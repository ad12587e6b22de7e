//! How wide the terminal is, and text that fits it.

use std::{
    io::{IsTerminal, stdout},
    sync::OnceLock,
};

/// The columns of the terminal that shows the results; none where a file or a program takes them. The first call
/// decides, before a pager is started.
pub(crate) fn columns() -> Option<usize> {
    static COLUMNS: OnceLock<Option<usize>> = OnceLock::new();
    *COLUMNS.get_or_init(|| {
        let size = stdout().is_terminal().then(crossterm::terminal::size);
        let columns = size?.ok()?.0;
        (columns > 0).then_some(columns.into())
    })
}

/// A text in lines of at most so many characters where spaces let it; the lines behind the first are moved to
/// the right.
pub(crate) fn fold(text: &str, columns: usize, indent: usize) -> Vec<String> {
    let mut lines = vec![String::new()];
    for word in text.split_inclusive(' ') {
        let start = if lines.len() == 1 { 0 } else { indent };
        let Some(line) = lines.last_mut() else { break };
        let len = line.chars().count();
        if len > start && len + word.trim_end().chars().count() > columns {
            line.truncate(line.trim_end().len());
            lines.push(format!("{:indent$}{word}", ""));
        } else {
            line.push_str(word);
        }
    }
    lines
}

/// The start of a text that is too long for so many columns.
pub(crate) fn cut(text: &str, columns: usize) -> String {
    if text.chars().count() <= columns {
        return text.to_owned();
    }
    let shown: String = text.chars().take(columns.saturating_sub(1)).collect();
    format!("{shown}…")
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn text_is_folded_at_spaces() {
        assert_eq!(fold("one two three", 8, 0), ["one two", "three"]);
        assert_eq!(
            fold("one two three four", 9, 2),
            ["one two", "  three", "  four"]
        );
        assert_eq!(fold("unbreakable word", 4, 2), ["unbreakable", "  word"]);
        assert_eq!(fold("", 4, 2), [""]);
    }

    #[test]
    fn text_is_cut_by_characters() {
        assert_eq!(cut("Zoë", 3), "Zoë");
        assert_eq!(cut("Børge", 4), "Bør…");
    }
}
