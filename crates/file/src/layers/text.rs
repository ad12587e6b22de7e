//! Files whose bytes are written as text: dumps, arrays of numbers, hex and base64 on one line or many.
//!
//! A file of one value per line is not a layer: see [`Framing::Hex`]. Text is a layer if it is a dump or an array of
//! numbers, if a line is only a part of a value, or if the bytes are another layer.

use super::{FoundLayer, LayerKind, PeelError, WrapError};
use gdvar_view::{Dialect, Document};

use crate::{Encoding, Framing, Hints, TextLayout, container, dump, header, line};

pub(super) fn peel(bytes: &[u8], hints: &Hints<'_>) -> Result<Option<FoundLayer>, PeelError> {
    let named = hints.encoding;
    let encoding = match named {
        Some(encoding) => encoding,
        None if hints.skip.is_some() => return Ok(None),
        None => {
            let printed = || dump::recognize(bytes).filter(|&found| !is_other_list(bytes, found));
            let found = match hints.framing {
                // Lines are the values, not a layer around them.
                Some(framing) if framing.is_text() => None,
                // The caller knows how the bytes are read that are in the text.
                Some(_) => printed().or_else(|| encoded(bytes)),
                None => printed().or_else(|| wrapped(bytes)),
            };
            match found {
                Some(encoding) => encoding,
                None => return Ok(None),
            }
        }
    };
    // Each line is a value.
    let is_lines =
        encoding == Encoding::Hex && named.is_some() && hints.framing.is_none_or(Framing::is_text);
    let decoded = match encoding {
        Encoding::Raw => return Ok(None),
        _ if is_lines => dump::hex_lines(bytes).map(String::into_bytes),
        encoding => dump::decode(bytes, encoding),
    };
    match decoded {
        Ok(contents) => {
            let layout = match is_lines {
                true => None,
                false => TextLayout::of(bytes, &contents),
            };
            let kind = LayerKind::Text {
                encoding,
                is_lines,
                layout,
            };
            Ok(Some((kind, contents)))
        }
        Err(dump::NotEncoded(line)) => Err(PeelError::NotEncoded(encoding, line)),
    }
}

/// Recognises hex or base64 of values, or of another layer. Unlike in [`wrapped`], a line may be one value.
fn encoded(bytes: &[u8]) -> Option<Encoding> {
    let start = &bytes[..bytes.len().min(4096)];
    let is_text = |byte: &u8| byte.is_ascii_graphic() || byte.is_ascii_whitespace();
    if !start.iter().all(is_text) {
        return None;
    }
    let mut all = [Encoding::Hex, Encoding::Base64].into_iter();
    all.find(|encoding| dump::decode(bytes, *encoding).is_ok_and(|value| holds_values(&value)))
}

/// True if values, whole or damaged, or another layer begin at byte 0.
fn holds_values(bytes: &[u8]) -> bool {
    crate::is_value(bytes, &Dialect::ALL)
        || container::starts(bytes)
        || header::explains(bytes, &Dialect::ALL)
        || header::starts_well(bytes, &Dialect::ALL)
}

/// True if `bytes` is a list that `var_to_str` may have written of an Array of ints: no value begins in its numbers.
fn is_other_list(bytes: &[u8], found: Encoding) -> bool {
    if found != Encoding::Array || !bytes.trim_ascii_start().starts_with(b"[") {
        return false;
    }
    dump::decode(bytes, found).is_ok_and(|value| !holds_values(&value))
}

/// Recognises hex or base64 whose lines are not one value each. A single line must decode to a container, or to values
/// that are not exactly one value. Several lines must have one width, except for a shorter last line, and at least one
/// of them must not be a value or a record by itself.
fn wrapped(bytes: &[u8]) -> Option<Encoding> {
    let start = &bytes[..bytes.len().min(4096)];
    let is_encoded = |byte: &u8| {
        byte.is_ascii_alphanumeric() || byte.is_ascii_whitespace() || b"+/=-_".contains(byte)
    };
    if bytes.len() < 16 || !start.iter().all(is_encoded) {
        return None;
    }
    let text = bytes.trim_ascii();
    let end = memchr::memchr(b'\n', text).unwrap_or(text.len());
    let first = text[..end].trim_ascii();
    let is_one = end == text.len();
    // Programs wrap lines at one width.
    let lines = || text.split(|&byte| byte == b'\n').map(<[u8]>::trim_ascii);
    let is_cut = !is_one && {
        let mut before = lines().rev().skip(1);
        let last = lines().next_back().map_or(0, <[u8]>::len);
        before.all(|line| line.len() == first.len()) && last <= first.len()
    };
    if !is_one && !is_cut {
        return None;
    }
    // Hex digits are also letters of base64.
    let (encoding, value) = match line::from_hex(first) {
        Ok(value) => (Encoding::Hex, value),
        Err(_) => (
            Encoding::Base64,
            dump::decode(first, Encoding::Base64).ok()?,
        ),
    };
    let is_values =
        |bytes: &[u8]| container::starts(bytes) || header::explains(bytes, &Dialect::ALL);
    // The values may be damaged, or cut with the text. Bytes after a whole value are no damage.
    let is_damaged = |bytes: &[u8]| {
        let starts_with_value = |dialect| {
            let document = Document::with_options(bytes, crate::options(dialect));
            document.validate().is_ok()
        };
        header::starts_well(bytes, &Dialect::ALL)
            && !Dialect::ALL.into_iter().any(starts_with_value)
    };
    let is_wrapped = match is_one {
        // A line that is one value is a line of `Framing::Hex`.
        true => {
            container::starts(&value)
                || !crate::is_value(&value, &Dialect::ALL)
                    && (is_values(&value) || is_damaged(&value))
        }
        false => {
            let joined = dump::decode(text, encoding).ok()?;
            // A whole line may be a value or a record. A part of a value looks like one only by chance.
            let is_part = |line: &[u8]| {
                match encoding {
                    Encoding::Hex => line::from_hex(line),
                    _ => line::from_base64(line),
                }
                .is_ok_and(|part| !crate::is_one_value(&part))
            };
            let is_wide = first.len() >= 32 && is_part(first);
            is_wide || lines().any(is_part) && is_values(&joined)
        }
    };
    is_wrapped.then_some(encoding)
}

/// Returns a phrase for a text that can only be read.
pub(super) fn read_only(encoding: Encoding) -> &'static str {
    match encoding {
        Encoding::Hexdump => "a dump of this layout",
        Encoding::Array => "a list of numbers of this layout",
        Encoding::Raw | Encoding::Hex | Encoding::Base64 => "a text of this layout",
    }
}

/// Writes contents in the layout of the text.
pub(super) fn wrap(
    encoding: Encoding,
    layout: Option<TextLayout>,
    contents: &[u8],
) -> Result<Vec<u8>, WrapError> {
    match layout {
        Some(layout) => Ok(layout.write(contents)),
        None => Err(WrapError::ReadOnly(read_only(encoding))),
    }
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn lines_of_hex_that_are_a_value_each_are_no_layer() {
        // [1, 2, 3] of Godot 4. Its digits are also letters of base64.
        let value = "1c00000003000000020000000100000002000000020000000200000003000000";
        let two = format!("{value}\n0400000003000000");
        assert_eq!(wrapped(two.as_bytes()), None);
        // One value, cut into lines of one width.
        let (first, rest) = value.split_at(36);
        assert_eq!(
            wrapped(format!("{first}\n{rest}\n").as_bytes()),
            Some(Encoding::Hex)
        );
    }
}
