//! The colours of output, named after what they mark.

use anstyle::{AnsiColor, Style};

pub(crate) const ERROR: Style = AnsiColor::Red.on_default().bold();
pub(crate) const WARNING: Style = AnsiColor::Yellow.on_default().bold();
/// Marks that point at a place.
pub(crate) const FRAME: Style = AnsiColor::Blue.on_default().bold();
/// Success, such as `ok`.
pub(crate) const GOOD: Style = AnsiColor::Green.on_default().bold();
/// Headings and file names.
pub(crate) const HEAD: Style = Style::new().bold();
pub(crate) const KEY: Style = AnsiColor::Cyan.on_default();
pub(crate) const TEXT: Style = AnsiColor::Green.on_default();
/// Lengths and counts.
pub(crate) const NUMBER: Style = AnsiColor::Yellow.on_default();
/// Secondary information.
pub(crate) const DIM: Style = Style::new().dimmed();

/// The parameters of the escape sequences that these styles produce.
const PARAMETERS: [&str; 8] = ["0", "1", "2", "31", "32", "33", "34", "36"];

/// Returns the length of a style's escape sequence at the start of `text`. `None` if there is none.
pub(crate) fn sequence(text: &str) -> Option<usize> {
    let (parameter, _) = text.strip_prefix("\u{1b}[")?.split_once('m')?;
    PARAMETERS
        .contains(&parameter)
        .then_some(parameter.len() + 3)
}

/// Returns `true` if `text` is an incomplete escape sequence of a style.
pub(crate) fn is_begun(text: &str) -> bool {
    let begins = |parameter: &&str| format!("\x1b[{parameter}m").starts_with(text);
    PARAMETERS.iter().any(begins)
}

/// Wraps `text` in the codes that switch `style` on and off.
pub(crate) fn paint(style: Style, text: impl std::fmt::Display) -> String {
    format!("{style}{text}{style:#}")
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn the_sequences_of_all_styles_are_known() {
        for style in [ERROR, WARNING, FRAME, GOOD, HEAD, KEY, TEXT, NUMBER, DIM] {
            let painted = paint(style, "");
            let mut rest = painted.as_str();
            assert!(!rest.is_empty());
            while !rest.is_empty() {
                let len = sequence(rest).expect("a sequence of ours");
                assert!((1..len).all(|len| is_begun(&rest[..len])));
                rest = &rest[len..];
            }
        }
        // Hidden text, clearing the screen, and setting the title.
        for other in [
            "\x1b[8m",
            "\x1b[0;8m",
            "\x1b[2J",
            "\x1b]0;m",
            "\x1b[",
            "[1m",
        ] {
            assert_eq!(sequence(other), None, "{other:?}");
        }
    }
}
