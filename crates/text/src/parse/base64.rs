//! Decodes base64 as Godot 4 does.

/// Returns the bytes, or `None` if the engine refuses the text. Blanks are accepted at the end,
/// line breaks anywhere.
pub(crate) fn decode(text: &[u8]) -> Option<Vec<u8>> {
    let mut out = Vec::with_capacity(text.len() / 4 * 3);
    let (mut group, mut digits, mut equals) = (0u32, 0, 0);
    let mut at = 0;
    while at < text.len() {
        let blanks = text[at..]
            .iter()
            .take_while(|byte| is_blank(**byte))
            .count();
        at += blanks;
        let Some(&byte) = text.get(at) else {
            break;
        };
        at += 1;
        if byte == b'\n' || byte == b'\r' && text.get(at) == Some(&b'\n') {
            continue;
        }
        if blanks > 0 {
            return None;
        }
        group <<= 6;
        if byte == b'=' {
            equals += 1;
        } else {
            group |= digit(byte)?;
        }
        if equals > 2 || byte != b'=' && equals > 0 {
            return None;
        }
        digits += 1;
        if digits == 4 {
            out.extend_from_slice(&group.to_be_bytes()[1..4 - equals]);
            (group, digits) = (0, 0);
        }
    }
    (digits == 0).then_some(out)
}

/// Returns `true` for a space, and for characters beyond ASCII, which the engine replaces by
/// spaces.
fn is_blank(byte: u8) -> bool {
    byte == b' ' || byte >= 0x80
}

fn digit(byte: u8) -> Option<u32> {
    Some(u32::from(match byte {
        b'A'..=b'Z' => byte - b'A',
        b'a'..=b'z' => byte - b'a' + 26,
        b'0'..=b'9' => byte - b'0' + 52,
        b'+' => 62,
        b'/' => 63,
        _ => return None,
    }))
}
