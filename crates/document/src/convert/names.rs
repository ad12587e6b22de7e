//! Finds and replaces what the other engine writes in another way in the text of a value.

use std::borrow::Cow;

use gdvar_text::Notation;
use gdvar_view::{Dialect, Kind};

use crate::signs::{Sign, signs};

/// Returns the text of a value with the other engine's names of types, and for Godot 4 with the ids
/// of resources in quotes. Returns the text itself if it has neither.
pub(super) fn renamed(text: &str, from: Dialect, to: Dialect) -> Cow<'_, str> {
    let mut new = String::new();
    let mut done = 0;
    for (at, sign) in signs(text) {
        let Sign::Word(name, after) = sign else {
            continue;
        };
        let Some(inside) = after.trim_ascii_start().strip_prefix(b"(") else {
            continue;
        };
        if matches!(name, b"ExtResource" | b"SubResource") {
            let id = inside.trim_ascii_start();
            let len = id.iter().position(|byte| !byte.is_ascii_digit());
            if let (Some(len @ 1..), Notation::Godot4) = (len, to.notation()) {
                let start = text.len() - id.len();
                new += &format!("{}\"{}\"", &text[done..start], &text[start..start + len]);
                done = start + len;
            }
            continue;
        }
        let mut kinds = Kind::ALL.iter();
        let kind = kinds.find(|kind| kind.name_in(from.notation()).as_bytes() == name);
        let other = kind.map(|kind| kind.name_in(to.notation()));
        if let Some(other) = other.filter(|other| other.as_bytes() != name) {
            new += &text[done..at];
            new += other;
            done = at + name.len();
        }
    }
    match done {
        0 => Cow::Borrowed(text),
        _ => Cow::Owned(new + &text[done..]),
    }
}

/// Returns `true` if a text has an escape such as `\u00e9`, which neither engine reads right in a file.
pub(super) fn has_wide_escape(text: &str) -> bool {
    signs(text).any(|(at, sign)| {
        let len = match (sign, text.as_bytes().get(at + 1)) {
            (Sign::Escape, Some(b'u')) => 4,
            (Sign::Escape, Some(b'U')) => 6,
            _ => return false,
        };
        let digits = text.get(at + 2..at + 2 + len).unwrap_or_default();
        u32::from_str_radix(digits, 16).is_ok_and(|code| code >= 0x80)
    })
}

/// Returns `true` if a text has a comment.
pub(super) fn has_comment(text: &str) -> bool {
    signs(text).any(|(_, sign)| matches!(sign, Sign::Comment))
}

/// Returns `true` for a name that Godot 4 allows for metadata.
pub(super) fn is_identifier(name: &str) -> bool {
    let is_word = |byte: u8| byte.is_ascii_alphanumeric() || byte == b'_';
    !name.is_empty()
        && name.bytes().all(is_word)
        && !name.starts_with(|first: char| first.is_ascii_digit())
}
