//! Text as Godot 3 and Godot 2 take it.

/// What stands at a place of a text.
#[derive(Clone, Copy, PartialEq, Eq, Debug)]
pub enum WideCode {
    /// A character's number and how many bytes it takes. The number may be a surrogate or more
    /// than U+10FFFF.
    Code {
        /// The number.
        code: u32,
        /// 1 to 6.
        len: usize,
    },
    /// The text ends.
    End,
    /// The engine refuses the text here.
    Malformed,
}

/// Decodes the character that `text` begins with, as Godot 3 does: surrogates, numbers above
/// U+10FFFF, forms of five and six bytes and most overlong forms pass (`docs/FORMAT.md` §6, rows
/// 12 and 13).
///
/// ```
/// use gdvar_wire::{WideCode, wide_code};
///
/// assert_eq!(wide_code(b"\xed\xa0\x80"), WideCode::Code { code: 0xd800, len: 3 });
/// assert_eq!(wide_code(b"\xff"), WideCode::Malformed);
/// ```
#[must_use]
pub fn wide_code(text: &[u8]) -> WideCode {
    let Some((&lead, rest)) = text.split_first() else {
        return WideCode::End;
    };
    let len = match lead.leading_ones() {
        0 => {
            return WideCode::Code {
                code: u32::from(lead),
                len: 1,
            };
        }
        len @ 2..=6 => len as usize,
        _ => return WideCode::Malformed,
    };
    let Some(tail) = rest.get(..len - 1) else {
        return WideCode::Malformed;
    };
    // Overlong in two bytes.
    if len == 2 && lead & 0x1e == 0 {
        return WideCode::Malformed;
    }
    let mut code = u32::from(lead) & (0xff >> (len + 1));
    for (n, &byte) in tail.iter().enumerate() {
        if byte & 0xc0 != 0x80 {
            return WideCode::Malformed;
        }
        // The engine's own test for longer overlong forms, which looks at one place only.
        if code == 0 && n == 1 && (byte & 0x7f) >> (7 - len) == 0 {
            return WideCode::Malformed;
        }
        code = (code << 6) | u32::from(byte & 0x3f);
    }
    WideCode::Code { code, len }
}
