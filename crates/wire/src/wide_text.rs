//! Text as Godot 3 and Godot 2 encode and decode it.

/// The result of decoding one character.
#[derive(Clone, Copy, PartialEq, Eq, Debug)]
pub enum WideCode {
    /// A character's number. It may be a surrogate or more than U+10FFFF.
    Code {
        /// The character's number.
        code: u32,
        /// The length of the character in bytes, 1 to 6.
        len: usize,
    },
    /// The text has ended.
    End,
    /// The engine refuses the text at this byte.
    Malformed,
}

/// Decodes the first character of `text` as Godot 3 does. Surrogates, numbers above U+10FFFF, sequences of five and six
/// bytes and most overlong sequences are valid (rows 12 and 13 of the table in [`docs/FORMAT.md` §6]).
///
/// ```
/// use gdvar_wire::{WideCode, wide_code};
///
/// assert_eq!(wide_code(b"\xed\xa0\x80"), WideCode::Code { code: 0xd800, len: 3 });
/// assert_eq!(wide_code(b"\xff"), WideCode::Malformed);
/// ```
///
/// [`docs/FORMAT.md` §6]: https://github.com/gdvar/gdvar/blob/main/docs/FORMAT.md#6-reading-engine-mode-strict-mode-errors
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
    // An overlong sequence of two bytes.
    if len == 2 && lead & 0x1e == 0 {
        return WideCode::Malformed;
    }
    let mut code = u32::from(lead) & (0xff >> (len + 1));
    for (n, &byte) in tail.iter().enumerate() {
        if byte & 0xc0 != 0x80 {
            return WideCode::Malformed;
        }
        // The engine's own test for longer overlong sequences, which checks one byte only.
        if code == 0 && n == 1 && (byte & 0x7f) >> (7 - len) == 0 {
            return WideCode::Malformed;
        }
        code = (code << 6) | u32::from(byte & 0x3f);
    }
    WideCode::Code { code, len }
}

/// Encodes a character number as Godot 3 does, and returns the buffer and how many of its bytes are
/// used ([`docs/FORMAT.md` §5]). The encoding is never overlong. [`wide_code`] decodes it.
///
/// ```
/// use gdvar_wire::wide_bytes;
///
/// let (bytes, len) = wide_bytes(0xd800);
/// assert_eq!(bytes[..len], *b"\xed\xa0\x80");
/// ```
///
/// [`docs/FORMAT.md` §5]: https://github.com/gdvar/gdvar/blob/main/docs/FORMAT.md#5-canonical-encoder-choices
#[must_use]
pub const fn wide_bytes(code: u32) -> ([u8; 6], usize) {
    // The length of the sequence, by the number of bits in the code.
    let len = match code {
        0..0x80 => return ([code as u8, 0, 0, 0, 0, 0], 1),
        0x80..0x800 => 2,
        0x800..0x1_0000 => 3,
        0x1_0000..0x20_0000 => 4,
        0x20_0000..0x400_0000 => 5,
        _ => 6,
    };
    let mut bytes = [0; 6];
    let mut rest = code;
    let mut n = len;
    while n > 1 {
        n -= 1;
        bytes[n] = 0x80 | rest as u8 & 0x3f;
        rest >>= 6;
    }
    bytes[0] = (0xff00_u32 >> len) as u8 | rest as u8;
    (bytes, len)
}

#[cfg(test)]
mod tests {
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
            let (bytes, len) = wide_bytes(code);
            let expected = WideCode::Code { code, len };
            assert_eq!(wide_code(&bytes[..len]), expected, "{code:x}");
        }
        let (bytes, len) = wide_bytes(0x20ac);
        assert_eq!(bytes[..len], *"€".as_bytes());
    }
}
