//! Quoted text, escaped as the engines escape it.

use core::fmt;

use gdvar_view::{NodePathRef, StrRef};

use crate::{Notation, error::TextError, sink::Sink};

/// Which characters are escaped.
#[derive(Clone, Copy, PartialEq, Eq, Debug)]
pub(crate) enum Escape {
    /// None. The engines print names of classes and properties as they are.
    None,
    /// Quote and backslash only; line breaks stay. What a String gets.
    Multiline,
    /// Also what C gives a letter, and the apostrophe. What names, paths and the strings of packed
    /// arrays get in Godot 4.
    C,
    /// Also the question mark: the same in Godot 3.
    CWithQuestionMark,
    /// For one line on a screen: no apostrophe, but everything that could break or disturb a line.
    Line,
}

impl Escape {
    /// What names, paths and the strings of packed arrays get.
    pub(crate) const fn short(notation: Notation) -> Escape {
        match notation {
            Notation::Godot4 => Escape::C,
            Notation::Godot3_6 | Notation::Godot3_2 => Escape::CWithQuestionMark,
        }
    }

    /// The letter behind the backslash, for characters below 128.
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

/// Whether a character would break a line or turn the text around it.
const fn disturbs(c: char) -> bool {
    matches!(c, '\0'..' ' | '\x7f'..='\u{9f}' | '\u{2028}'..='\u{202e}' | '\u{2066}'..='\u{2069}' | '\u{200e}' | '\u{200f}')
}

/// Text without quotes, escaped.
pub(crate) fn write_escaped<S: Sink + ?Sized>(
    out: &mut S,
    text: &str,
    escape: Escape,
) -> fmt::Result {
    if escape != Escape::Line {
        return write_lettered(out, text, escape);
    }
    let mut done = 0;
    for (at, c) in text.char_indices() {
        let letter = u8::try_from(c).ok().and_then(|byte| escape.letter(byte));
        let by_number = escape == Escape::Line && letter.is_none() && disturbs(c);
        if letter.is_none() && !by_number {
            continue;
        }
        out.write_text(&text[done..at])?;
        done = at + c.len_utf8();
        out.write_text("\\")?;
        match letter {
            Some(letter) => out.write_text(char::from(letter).encode_utf8(&mut [0; 4]))?,
            None => {
                out.write_text("u")?;
                for shift in [12, 8, 4, 0] {
                    let digit = char::from_digit(c as u32 >> shift & 15, 16).unwrap_or('0');
                    out.write_text(digit.encode_utf8(&mut [0; 4]))?;
                }
            }
        }
    }
    out.write_text(&text[done..])
}

/// Whether any notation escapes a byte by a letter.
const fn is_escaped(byte: u8) -> bool {
    matches!(byte, b'"' | b'\'' | b'?' | b'\\' | 7..=13)
}

/// The same where only ASCII characters are escaped, by letters.
fn write_lettered<S: Sink + ?Sized>(out: &mut S, text: &str, escape: Escape) -> fmt::Result {
    // Most texts have nothing to escape.
    if !text.bytes().any(is_escaped) {
        return out.write_text(text);
    }
    let mut rest = text;
    while let Some((at, letter)) = rest
        .bytes()
        .enumerate()
        .find_map(|(at, byte)| escape.letter(byte).map(|letter| (at, letter)))
    {
        out.write_text(&rest[..at])?;
        out.write_text("\\")?;
        out.write_text(char::from(letter).encode_utf8(&mut [0; 4]))?;
        rest = &rest[at + 1..];
    }
    out.write_text(rest)
}

/// The same for text in the bytes, which in Godot 3 may be no Unicode.
pub(crate) fn write_str_ref<S: Sink + ?Sized>(
    out: &mut S,
    text: StrRef<'_>,
    escape: Escape,
) -> Result<(), TextError> {
    if let Ok(text) = text.to_str() {
        return Ok(write_escaped(out, text, escape)?);
    }
    text.check()?;
    for code in text.codes() {
        match char::from_u32(code) {
            Some(c) => write_escaped(out, c.encode_utf8(&mut [0; 4]), escape)?,
            None => out.write_wide(code)?,
        }
    }
    Ok(())
}

/// A whole quoted string.
pub(crate) fn write_quoted<S: Sink + ?Sized>(
    out: &mut S,
    text: StrRef<'_>,
    escape: Escape,
) -> Result<(), TextError> {
    out.write_text("\"")?;
    write_str_ref(out, text, escape)?;
    Ok(out.write_text("\"")?)
}

/// The text of a NodePath (`docs/FORMAT.md` §4.5).
pub(crate) fn write_path<S: Sink + ?Sized>(
    out: &mut S,
    path: NodePathRef<'_>,
    escape: Escape,
    notation: Notation,
) -> Result<(), TextError> {
    if let Some(text) = path.old_text() {
        return write_str_ref(out, text, escape);
    }
    let names = path.name_count();
    // Godot 3 forgets that a path without any name was absolute.
    let empty = names == 0 && path.subname_count() == 0;
    if path.is_absolute() && !(empty && notation != Notation::Godot4) {
        out.write_text("/")?;
    }
    for (n, part) in path.parts().enumerate() {
        let part = part?;
        if n >= names as usize {
            // Godot 4 leaves out a single sub-name that is empty.
            let single = notation == Notation::Godot4 && path.subname_count() == 1;
            if single && part.as_bytes().is_empty() {
                break;
            }
            out.write_text(":")?;
        } else if n > 0 {
            out.write_text("/")?;
        }
        write_str_ref(out, part, escape)?;
    }
    Ok(())
}

/// The text of a NodePath as Godot 4's `String(path)` gives it: `/root/Player:position`.
///
/// # Errors
/// If a name cannot be read.
pub fn path_text(path: NodePathRef<'_>) -> Result<String, gdvar_view::Error> {
    let mut text = String::new();
    match write_path(&mut text, path, Escape::None, Notation::Godot4) {
        Err(TextError::Read(error)) => Err(error),
        // A String takes every text.
        Ok(()) | Err(TextError::Fmt) => Ok(text),
    }
}

/// The text of a NodePath that was made of text: empty names are left out, and a sub-name that is
/// empty but for the last one makes all of it empty.
pub(crate) fn write_parsed_path<S: Sink + ?Sized>(
    out: &mut S,
    path: StrRef<'_>,
    escape: Escape,
) -> Result<(), TextError> {
    let path = path.to_str()?;
    let (names, subnames) = path.split_once(':').unwrap_or((path, ""));
    let subnames = subnames.strip_suffix(':').unwrap_or(subnames);
    if !subnames.is_empty() && subnames.split(':').any(str::is_empty) {
        return Ok(());
    }
    if names.starts_with('/') {
        out.write_text("/")?;
    }
    for (n, name) in names.split('/').filter(|name| !name.is_empty()).enumerate() {
        if n > 0 {
            out.write_text("/")?;
        }
        write_escaped(out, name, escape)?;
    }
    if !subnames.is_empty() {
        out.write_text(":")?;
        write_escaped(out, subnames, escape)?;
    }
    Ok(())
}
