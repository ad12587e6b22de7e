//! Converts text of one engine to the form that another engine reads.

use alloc::{borrow::Cow, string::String, vec::Vec};

use gdvar_view::StrRef;
use gdvar_wire::{Dialect, TextRules, wide_bytes};

use super::report::Loss;

/// A text in the form that the target's engine writes.
pub(super) struct Fitted<'a> {
    /// The bytes: UTF-8 unless the target reads more.
    pub(super) bytes: Cow<'a, [u8]>,
    /// What changed, if anything did.
    pub(super) loss: Option<Loss>,
}

impl Fitted<'_> {
    /// Returns the text for a place that takes UTF-8 only.
    pub(super) fn to_str(&self) -> Cow<'_, str> {
        String::from_utf8_lossy(&self.bytes)
    }
}

/// Converts a text for a dialect (`docs/FORMAT.md` §6, row 13). UTF-8 stays unchanged. In text of
/// Godot 3 and 2, overlong sequences become their characters. Surrogates and numbers that are not
/// characters are kept for these engines and replaced for others, except that a pair of surrogates
/// becomes its character.
pub(super) fn fit(text: StrRef<'_>, dialect: Dialect) -> Fitted<'_> {
    fit_to(text, dialect.text_rules())
}

/// Converts text for a place that takes UTF-8 in every dialect, such as the name of a class.
pub(super) fn utf8(text: StrRef<'_>) -> Fitted<'_> {
    fit_to(text, TextRules::Utf8)
}

fn fit_to(text: StrRef<'_>, rules: TextRules) -> Fitted<'_> {
    let text = text.with_mark();
    if let Ok(text) = text.to_str() {
        let bytes = text.as_bytes().into();
        return Fitted { bytes, loss: None };
    }
    if rules == TextRules::Wide {
        let mut bytes = Vec::new();
        for (code, len) in text.codes().map(wide_bytes) {
            bytes.extend(code.iter().take(len));
        }
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
