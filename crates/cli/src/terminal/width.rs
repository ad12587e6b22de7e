//! Finds the width of the terminal, and fits text into it.

use std::{
    env,
    io::{IsTerminal, stdout},
    sync::OnceLock,
};

/// Returns the number of columns for results: `COLUMNS` if that is set, else the width of the terminal. `None` if the
/// results go to a file or a program, so that lines are not cut. The first call must come before a pager starts,
/// because later calls return the same result.
pub(crate) fn columns() -> Option<usize> {
    static COLUMNS: OnceLock<Option<usize>> = OnceLock::new();
    *COLUMNS.get_or_init(|| {
        let named = env::var("COLUMNS").ok().and_then(|text| text.parse().ok());
        let of_terminal = || {
            let size = stdout().is_terminal().then(crossterm::terminal::size);
            Some(usize::from(size?.ok()?.0))
        };
        named
            .filter(|&columns| columns > 0)
            .or_else(|| of_terminal().filter(|&columns| columns > 0))
    })
}

/// Breaks a text at spaces into lines of at most `columns` characters. All lines but the first are indented by
/// `indent`.
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

/// Cuts off the end of a text that is longer than `columns`.
pub(crate) fn cut(text: &str, columns: usize) -> String {
    if text.chars().count() <= columns {
        return text.to_owned();
    }
    let shown: String = text.chars().take(columns.saturating_sub(1)).collect();
    format!("{shown}…")
}

/// Cuts off the start of a text that is longer than `columns`, because the end of a path tells the most.
pub(crate) fn cut_start(text: &str, columns: usize) -> String {
    let len = text.chars().count();
    if len <= columns {
        return text.to_owned();
    }
    let rest: String = text.chars().skip(len + 1 - columns.max(1)).collect();
    // Starts at a step of the path, unless that would cut off more than half of the rest.
    let step = rest.find(['.', '[', '{']).filter(|&at| at < rest.len() / 2);
    format!("…{}", &rest[step.unwrap_or(0)..])
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
        assert_eq!(cut_start("Børge", 4), "…rge");
        assert_eq!(cut_start("party[12].items[3].name", 14), "…[3].name");
    }
}
