//! Which engine wrote a document, by what only one of them writes.

use gdvar_view::Dialect;

use crate::name::word_len;

/// Names in values that only Godot 3 writes.
const GODOT_3: [&[u8]; 9] = [
    b"PoolByteArray",
    b"PoolIntArray",
    b"PoolRealArray",
    b"PoolStringArray",
    b"PoolVector2Array",
    b"PoolVector3Array",
    b"PoolColorArray",
    b"Quat",
    b"Transform",
];

/// Names in values that only Godot 4 writes.
const GODOT_4: [&[u8]; 23] = [
    b"PackedByteArray",
    b"PackedInt32Array",
    b"PackedInt64Array",
    b"PackedFloat32Array",
    b"PackedFloat64Array",
    b"PackedStringArray",
    b"PackedVector2Array",
    b"PackedVector3Array",
    b"PackedVector4Array",
    b"PackedColorArray",
    b"Vector2i",
    b"Vector3i",
    b"Vector4",
    b"Vector4i",
    b"Rect2i",
    b"Quaternion",
    b"Transform3D",
    b"Projection",
    b"Callable",
    b"Signal",
    b"RID",
    b"Array",
    b"Dictionary",
];

/// Returns the dialect of a ConfigFile or value: what `config_version` before the first section says, or what
/// the values say, or Godot 4. Linear.
pub(crate) fn of_values(text: &str) -> Dialect {
    let bytes = text.as_bytes();
    let (mut at, mut in_sections, mut is_3) = (0, false, false);
    while let Some(&byte) = bytes.get(at) {
        let rest = &bytes[at..];
        match byte {
            b'"' => at += quoted_len(rest),
            b';' => at += rest.iter().position(|b| *b == b'\n').unwrap_or(rest.len()),
            b'&' if rest.starts_with(b"&\"") => return Dialect::GODOT_4,
            b'[' => {
                // Godot 3 writes this header before entries without a section.
                is_3 |= !in_sections && rest.starts_with(b"[]");
                in_sections = true;
                at += 1;
            }
            b'_' | b'a'..=b'z' | b'A'..=b'Z' => {
                let (name, after) = rest.split_at(word_len(rest));
                at += name.len();
                if name == b"config_version" && !in_sections {
                    if let Some(version) = config_version(after) {
                        return version;
                    }
                }
                let opens = after.starts_with(b"(") || after.starts_with(b"[");
                if opens && GODOT_4.contains(&name) {
                    return Dialect::GODOT_4;
                }
                is_3 |= opens && (GODOT_3.contains(&name) || after.starts_with(b"( "));
            }
            _ => at += 1,
        }
    }
    if is_3 {
        Dialect::GODOT_3
    } else {
        Dialect::GODOT_4
    }
}

/// Names that both engines write in values.
const BOTH: [&[u8]; 14] = [
    b"Vector2",
    b"Rect2",
    b"Vector3",
    b"Transform2D",
    b"Plane",
    b"AABB",
    b"Basis",
    b"Color",
    b"NodePath",
    b"Object",
    b"Resource",
    b"ExtResource",
    b"SubResource",
    b"Transform",
];

/// Returns the place of the first token that Godot's notation has and JSON has not. Linear.
pub(crate) fn first_of_godot(text: &str) -> Option<usize> {
    let bytes = text.as_bytes();
    let mut at = 0;
    while let Some(&byte) = bytes.get(at) {
        let rest = &bytes[at..];
        match byte {
            b'"' => at += quoted_len(rest),
            b'&' if rest.starts_with(b"&\"") => return Some(at),
            b'_' | b'a'..=b'z' | b'A'..=b'Z' => {
                let (name, after) = rest.split_at(word_len(rest));
                let opens = after.starts_with(b"(") || after.starts_with(b"[");
                let mut types = GODOT_4.iter().chain(&GODOT_3).chain(&BOTH);
                let is_number = matches!(name, b"inf" | b"inf_neg" | b"nan");
                if is_number || opens && types.any(|known| *known == name) {
                    return Some(at);
                }
                at += name.len();
            }
            _ => at += 1,
        }
    }
    None
}

/// Returns the length of a text in quotes at the beginning.
fn quoted_len(bytes: &[u8]) -> usize {
    let mut at = 1;
    while let Some(byte) = bytes.get(at) {
        match byte {
            b'"' => return at + 1,
            b'\\' => at += 2,
            _ => at += 1,
        }
    }
    bytes.len()
}

/// Reads `=5` after `config_version`.
fn config_version(after: &[u8]) -> Option<Dialect> {
    let value = after.trim_ascii_start().strip_prefix(b"=")?;
    let value = value.trim_ascii_start();
    let digits = value.iter().position(|byte| !byte.is_ascii_digit());
    let digits = std::str::from_utf8(&value[..digits.unwrap_or(value.len())]).ok()?;
    Some(match digits.parse::<u32>().ok()? {
        0..=4 => Dialect::GODOT_3,
        _ => Dialect::GODOT_4,
    })
}
