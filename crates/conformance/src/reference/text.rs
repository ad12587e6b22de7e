//! Decodes text (docs/FORMAT.md §3.2, §6 rows 12 to 15).

use super::{Refusal, Text};

const BAD: Refusal = Refusal("InvalidUtf8");

/// The bytes of a byte order mark, which readers drop from the start of a text.
pub(super) const BYTE_ORDER_MARK: &[u8] = b"\xef\xbb\xbf";

/// The form of UTF-8 that an engine reads.
#[derive(Clone, Copy, PartialEq, Eq, Debug)]
pub(super) enum Alphabet {
    /// The form of the standard.
    Unicode,
    /// The form of Godot 3: any code point of up to 31 bits, in up to six bytes. Surrogates are read, and so
    /// are most overlong sequences of three and more bytes.
    Wide,
}

/// Decodes a text up to the first NUL, and leaves out one byte order mark at its start. The bytes after
/// the NUL are not checked.
pub(super) fn decode(bytes: &[u8], alphabet: Alphabet) -> Result<Text, Refusal> {
    let bytes = bytes.strip_prefix(BYTE_ORDER_MARK).unwrap_or(bytes);
    let end = bytes.iter().position(|byte| *byte == 0);
    let mut rest = &bytes[..end.unwrap_or(bytes.len())];
    let mut codes = Vec::new();
    while let [lead, behind @ ..] = rest {
        let followers = match lead.leading_ones() {
            0 => 0,
            ones @ 2..=6 => ones as usize - 1,
            _ => return Err(BAD), // a continuation byte, FE or FF
        };
        if followers > behind.len() {
            return Err(BAD);
        }
        let (continuation, tail) = behind.split_at(followers);
        if continuation.iter().any(|byte| byte & 0xc0 != 0x80) {
            return Err(BAD);
        }
        let own_bits = if followers == 0 { 7 } else { 6 - followers };
        let first = u32::from(lead & ((1 << own_bits) - 1));
        let code = continuation
            .iter()
            .fold(first, |code, byte| code << 6 | u32::from(byte & 0x3f));
        let fits = match alphabet {
            Alphabet::Unicode => {
                let least = [0, 0x80, 0x800, 0x1_0000, u32::MAX, u32::MAX][followers];
                code >= least && char::from_u32(code).is_some()
            }
            Alphabet::Wide => match continuation {
                [] => true,
                [_] => code >= 0x80,
                // Refuses two continuation bytes without a bit where the shortest form of this length has
                // one.
                [0x80, second, ..] if first == 0 => second & 0x7f >= 1 << (6 - followers),
                _ => true,
            },
        };
        if !fits {
            return Err(BAD);
        }
        codes.push(code);
        rest = tail;
    }
    Ok(Text(codes))
}

/// Checks that a correct encoder could have written the text: Unicode without a NUL.
pub(super) fn check_strictly(bytes: &[u8]) -> Result<(), Refusal> {
    if bytes.contains(&0) {
        return Err(Refusal("EmbeddedNul"));
    }
    decode(bytes, Alphabet::Unicode).map(drop)
}

impl Text {
    pub(super) fn starts_with(&self, prefix: &str) -> bool {
        let prefix: Vec<u32> = prefix.chars().map(u32::from).collect();
        self.0.starts_with(&prefix)
    }
}
