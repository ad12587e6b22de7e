//! Text of one engine as another takes it.

use alloc::{borrow::Cow, string::String, vec::Vec};

use gdvar_view::StrRef;
use gdvar_wire::{Dialect, TextRules};

use super::Loss;

/// A text in the form that the target's engine writes.
pub(super) struct Fitted<'a> {
    /// Its bytes: UTF-8 unless the target takes more.
    pub(super) bytes: Cow<'a, [u8]>,
    /// What changed, if anything did.
    pub(super) loss: Option<Loss>,
}

impl Fitted<'_> {
    /// The text for a place that takes UTF-8 only.
    pub(super) fn to_str(&self) -> Cow<'_, str> {
        String::from_utf8_lossy(&self.bytes)
    }
}

/// Fits a text to a dialect (`docs/FORMAT.md` §6, row 13). UTF-8 stays as it is. Of what Godot 3
/// and Godot 2 take beyond that, overlong forms become the characters they stand for; surrogates
/// and numbers that are no characters stay for those engines and are replaced for the others, but
/// for two surrogates that belong together, which become the character they stand for.
pub(super) fn fit(text: StrRef<'_>, dialect: Dialect) -> Fitted<'_> {
    if let Ok(text) = text.to_str() {
        let bytes = text.as_bytes().into();
        return Fitted { bytes, loss: None };
    }
    if dialect.text_rules() == TextRules::Wide {
        let mut bytes = Vec::new();
        text.codes().for_each(|code| push_wide(code, &mut bytes));
        let bytes = bytes.into();
        return Fitted { bytes, loss: None };
    }
    let mut out = String::new();
    let mut loss = None;
    let mut codes = text.codes().peekable();
    while let Some(code) = codes.next() {
        let low = codes
            .peek()
            .copied()
            .filter(|low| (0xdc00..0xe000).contains(low));
        let code = match low {
            Some(low) if (0xd800..0xdc00).contains(&code) => {
                codes.next();
                loss = loss.or(Some(Loss::SurrogatesJoined));
                0x10000 + ((code - 0xd800) << 10) + (low - 0xdc00)
            }
            _ => code,
        };
        let character = char::from_u32(code);
        if character.is_none() {
            loss = Some(Loss::TextReplaced);
        }
        out.push(character.unwrap_or(char::REPLACEMENT_CHARACTER));
    }
    Fitted {
        bytes: out.into_bytes().into(),
        loss,
    }
}

/// A number as Godot 3 writes it: mechanically, in up to six bytes (`docs/FORMAT.md` §5).
fn push_wide(code: u32, out: &mut Vec<u8>) {
    // How many bits each number of bytes holds.
    let len = match code {
        0..0x80 => return out.push(code as u8),
        0x80..0x800 => 2,
        0x800..0x1_0000 => 3,
        0x1_0000..0x20_0000 => 4,
        0x20_0000..0x400_0000 => 5,
        _ => 6,
    };
    let lead = (0xff00_u32 >> len) as u8;
    out.push(lead | (code >> (6 * (len - 1))) as u8);
    for n in (0..len - 1).rev() {
        out.push(0x80 | (code >> (6 * n)) as u8 & 0x3f);
    }
}

#[cfg(test)]
mod tests {
    use gdvar_wire::{WideCode, wide_code};

    use super::*;

    #[test]
    fn wide_codes_are_read_as_they_are_written() {
        for code in [
            0x41,
            0x7f,
            0x80,
            0x7ff,
            0x800,
            0xd800,
            0xffff,
            0x1_0000,
            0x11_0000,
            0x20_0000,
            0x400_0000,
            0x7fff_ffff,
        ] {
            let mut bytes = Vec::new();
            push_wide(code, &mut bytes);
            assert_eq!(
                wide_code(&bytes),
                WideCode::Code {
                    code,
                    len: bytes.len()
                },
                "{code:x}"
            );
        }
        let mut bytes = Vec::new();
        push_wide(0x20ac, &mut bytes);
        assert_eq!(bytes, "€".as_bytes());
    }
}
