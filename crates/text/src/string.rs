//! Quoted text, escaped as the engines escape it.

use gdvar_view::{NodePathRef, StrRef};
use gdvar_wire::Notation;

use crate::{
    error::TextError,
    page::{Page, on_page},
    parse::node_path::PathParts,
};

/// The sets of characters that are escaped.
#[derive(Clone, Copy, PartialEq, Eq, Debug)]
pub(crate) enum Escape {
    /// No characters. The engines do not escape names of classes and properties.
    None,
    /// Quote and backslash only; line breaks stay. For a String.
    Multiline,
    /// Also the apostrophe and the characters that have a letter escape in C. For names, paths and
    /// the strings of packed arrays in Godot 4.
    C,
    /// Also the question mark. For names, paths and the strings of packed arrays in Godot 3.
    CWithQuestionMark,
    /// For one line on a screen: all characters that could break or disturb the line, but not the
    /// apostrophe.
    Line,
}

impl Escape {
    /// Returns the escapes of names, paths and the strings of packed arrays.
    pub(crate) const fn short(notation: Notation) -> Escape {
        match notation {
            Notation::Godot4 => Escape::C,
            Notation::Godot3_6 | Notation::Godot3_2 => Escape::CWithQuestionMark,
        }
    }

    /// Returns the letter after the backslash for an ASCII character. `None` if the character is
    /// not escaped.
    const fn letter(self, byte: u8) -> Option<u8> {
        match byte {
            _ if matches!(self, Escape::None) => return None,
            b'"' | b'\\' => return Some(byte),
            _ if matches!(self, Escape::Multiline) => return None,
            b'\'' if !matches!(self, Escape::Line) => return Some(byte),
            b'?' if matches!(self, Escape::CWithQuestionMark) => return Some(byte),
            _ => {}
        }
        Some(match byte {
            0x07 => b'a',
            0x08 => b'b',
            0x09 => b't',
            0x0a => b'n',
            0x0b => b'v',
            0x0c => b'f',
            0x0d => b'r',
            _ => return None,
        })
    }
}

/// Returns `true` if a character would break a line or change the direction of text.
const fn disturbs(c: char) -> bool {
    matches!(c, '\0'..' ' | '\x7f'..='\u{9f}' | '\u{2028}'..='\u{202e}' | '\u{2066}'..='\u{2069}' | '\u{200e}' | '\u{200f}')
}

/// Writes text without quotes, escaped.
pub(crate) fn write_escaped(page: &mut Page<'_>, text: &str, escape: Escape) {
    if escape != Escape::Line {
        return write_lettered(page, text, escape);
    }
    let mut done = 0;
    for (at, c) in text.char_indices() {
        let letter = u8::try_from(c).ok().and_then(|byte| escape.letter(byte));
        if letter.is_none() && !disturbs(c) {
            continue;
        }
        page.text(&text[done..at]);
        done = at + c.len_utf8();
        page.text("\\");
        match letter {
            Some(letter) => page.char(letter.into()),
            None => {
                page.text("u");
                for shift in [12, 8, 4, 0] {
                    page.char(char::from_digit(c as u32 >> shift & 15, 16).unwrap_or('0'));
                }
            }
        }
    }
    page.text(&text[done..]);
}

/// For each byte, `true` if it is printable ASCII that no notation escapes.
const PLAIN: [bool; 256] = {
    let mut plain = [false; 256];
    let mut byte = b' ';
    while byte < 0x7f {
        plain[byte as usize] = !matches!(byte, b'"' | b'\'' | b'?' | b'\\');
        byte += 1;
    }
    plain
};

/// Returns `true` if a text needs no escapes in any notation.
#[inline]
fn is_plain(text: &[u8]) -> bool {
    // Reads every byte without stopping early, so that there is no branch: most texts are short and
    // plain.
    text.iter()
        .fold(true, |plain, byte| plain & PLAIN[usize::from(*byte)])
}

/// Returns the bytes of a text, or `None` if it is not UTF-8.
pub(crate) fn utf8(text: StrRef<'_>) -> Option<&[u8]> {
    if is_plain(text.raw()) {
        return Some(text.raw());
    }
    text.to_str().ok().map(str::as_bytes)
}

/// Writes escaped text for [`write_escaped`], with escapes that replace an ASCII character by a
/// backslash and a letter.
fn write_lettered(page: &mut Page<'_>, text: &str, escape: Escape) {
    let mut rest = text;
    while let Some((at, letter)) = rest
        .bytes()
        .enumerate()
        .find_map(|(at, byte)| escape.letter(byte).map(|letter| (at, letter)))
    {
        page.text(&rest[..at]);
        page.text("\\");
        page.char(letter.into());
        rest = &rest[at + 1..];
    }
    page.text(rest);
}

/// Writes the text of a value, escaped as in [`write_escaped`]. Text of Godot 3 may not be Unicode.
pub(crate) fn write_str_ref(
    page: &mut Page<'_>,
    text: StrRef<'_>,
    escape: Escape,
) -> Result<(), TextError> {
    if is_plain(text.raw()) {
        page.utf8(text.raw());
        return Ok(());
    }
    if let Ok(text) = text.to_str() {
        write_escaped(page, text, escape);
        return Ok(());
    }
    text.check()?;
    for code in text.codes() {
        match char::from_u32(code) {
            Some(c) => write_escaped(page, c.encode_utf8(&mut [0; 4]), escape),
            None => page.wide(code),
        }
    }
    Ok(())
}

/// Writes a whole quoted string.
pub(crate) fn write_quoted(
    page: &mut Page<'_>,
    text: StrRef<'_>,
    escape: Escape,
) -> Result<(), TextError> {
    page.text("\"");
    write_str_ref(page, text, escape)?;
    page.text("\"");
    Ok(())
}

/// Writes the text of a NodePath (`docs/FORMAT.md` §4.5).
pub(crate) fn write_path(
    page: &mut Page<'_>,
    path: NodePathRef<'_>,
    escape: Escape,
    notation: Notation,
) -> Result<(), TextError> {
    if let Some(text) = path.old_text() {
        return write_str_ref(page, text, escape);
    }
    let names = path.name_count();
    // Godot 3 drops the mark of an absolute path that has no names.
    let empty = names == 0 && path.subname_count() == 0;
    if path.is_absolute() && !(empty && notation != Notation::Godot4) {
        page.text("/");
    }
    for (n, part) in path.parts().enumerate() {
        let part = part?;
        if n >= names as usize {
            // Godot 4 omits an empty sub-name if it is the only one.
            let single = notation == Notation::Godot4 && path.subname_count() == 1;
            if single && part.as_bytes().is_empty() {
                break;
            }
            page.text(":");
        } else if n > 0 {
            page.text("/");
        }
        write_str_ref(page, part, escape)?;
    }
    Ok(())
}

/// Returns the text of a NodePath as Godot 4's `String(path)` gives it: `/root/Player:position`.
///
/// # Errors
///
/// Fails if a name cannot be read.
pub fn path_text(path: NodePathRef<'_>) -> Result<String, gdvar_view::Error> {
    let mut text = String::new();
    match on_page(&mut text, |page| {
        write_path(page, path, Escape::None, Notation::Godot4)
    }) {
        Err(TextError::Read(error)) => Err(error),
        // Writing to a String cannot fail.
        Ok(()) | Err(TextError::Fmt) => Ok(text),
    }
}

/// Returns the text of a NodePath if the engines would read the same path from it. `None` if a name
/// is empty or contains `/` or `:`.
///
/// # Errors
///
/// Fails if a name cannot be read.
pub fn exact_path_text(path: NodePathRef<'_>) -> Result<Option<String>, gdvar_view::Error> {
    let parts: Result<Vec<_>, _> = path.parts().collect();
    let parts = parts?;
    let text = path_text(path)?;
    let again = PathParts::of(text.as_bytes());
    let is_same = again.absolute == path.is_absolute()
        && again.names.len() == path.name_count() as usize
        && (again.names.iter().chain(&again.subnames).copied())
            .eq(parts.iter().map(|part| part.as_bytes()));
    Ok(is_same.then_some(text))
}

/// Splits a text as the engine splits a NodePath. Returns whether the path is absolute, its names,
/// and its sub-names. Empty names are dropped. If a sub-name other than the last is empty, the
/// whole path is empty.
pub(crate) fn parsed_path(path: &str) -> (bool, Vec<&str>, Vec<&str>) {
    let (names, subnames) = path.split_once(':').unwrap_or((path, ""));
    let subnames = subnames.strip_suffix(':').unwrap_or(subnames);
    let subnames: Vec<&str> = match subnames {
        "" => Vec::new(),
        subnames => subnames.split(':').collect(),
    };
    if subnames.contains(&"") {
        return (false, Vec::new(), Vec::new());
    }
    let named = names.split('/').filter(|name| !name.is_empty()).collect();
    (names.starts_with('/'), named, subnames)
}

/// Writes the text of a NodePath that the engine made of a String.
pub(crate) fn write_parsed_path(
    page: &mut Page<'_>,
    path: StrRef<'_>,
    escape: Escape,
) -> Result<(), TextError> {
    let (is_absolute, names, subnames) = parsed_path(path.to_str()?);
    if is_absolute {
        page.text("/");
    }
    for (n, name) in names.into_iter().enumerate() {
        if n > 0 {
            page.text("/");
        }
        write_escaped(page, name, escape);
    }
    for name in subnames {
        page.text(":");
        write_escaped(page, name, escape);
    }
    Ok(())
}
