//! Finds out which engine wrote a document, by texts that only one engine writes.

use gdvar_view::Dialect;

use crate::{
    lines::begins_line,
    signs::{Sign, signs},
};

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

/// Returns `true` if `after`, the text after a name, shows that the name is a type: a parenthesis or bracket.
fn opens(after: &[u8]) -> bool {
    after.starts_with(b"(") || after.starts_with(b"[")
}

/// How the dialect of a text was found.
#[derive(Clone, Copy, PartialEq, Eq, Debug)]
#[non_exhaustive]
pub enum Evidence {
    /// The caller gave it, or the text states it in `format` or `config_version`.
    Stated,
    /// A value has a form that only this engine writes.
    Values,
    /// Nothing shows the dialect, but other engines read the same values.
    Same,
    /// Nothing shows the dialect, and another engine may read other values, because escapes differ.
    None,
}

/// Returns the dialect of a ConfigFile or a value, and how it was found: by `config_version` before
/// the first section, by the values, or Godot 4 by default. `has_sections` is `false` for a value.
pub(crate) fn of_values(text: &str, has_sections: bool) -> (Dialect, Evidence) {
    let (mut in_sections, mut is_3, mut has_escapes) = (false, false, false);
    for (at, sign) in signs(text) {
        if only_in_4(&sign).is_some() {
            return (Dialect::GODOT_4, Evidence::Values);
        }
        match sign {
            Sign::StringName | Sign::Comment => {}
            Sign::Escape => has_escapes = true,
            Sign::Bracket(after) if has_sections && begins_line(text, at) => {
                // Godot 3 writes the header `[]` before entries without a section.
                is_3 |= !in_sections && after.starts_with(b"]");
                in_sections = true;
            }
            // Godot 3 writes `[ 1, 2 ]` and `[  ]`, Godot 4 `[1, 2]` and `[]`.
            Sign::Bracket(after) => is_3 |= after.starts_with(b" "),
            Sign::Word(name, after) => {
                if name == b"config_version" && !in_sections {
                    if let Some(version) = config_version(after) {
                        return (version, Evidence::Stated);
                    }
                }
                is_3 |= opens(after) && (GODOT_3.contains(&name) || after.starts_with(b"( "));
            }
        }
    }
    match (is_3, has_escapes) {
        (true, _) => (Dialect::GODOT_3, Evidence::Values),
        (false, true) => (Dialect::GODOT_4, Evidence::None),
        (false, false) => (Dialect::GODOT_4, Evidence::Same),
    }
}

/// Returns the name of the first type in a text that only Godot 4 reads, or `None`. Godot 3 refuses a whole
/// ConfigFile that contains one.
pub(crate) fn first_only_in_4(text: &str) -> Option<String> {
    let name = signs(text).find_map(|(_, sign)| only_in_4(&sign))?;
    Some(String::from_utf8_lossy(name).into_owned())
}

fn only_in_4<'t>(sign: &Sign<'t>) -> Option<&'t [u8]> {
    match sign {
        Sign::StringName => Some(b"StringName"),
        Sign::Word(name, after) if opens(after) && GODOT_4.contains(name) => Some(name),
        _ => None,
    }
}

/// Returns the offset of the first token that exists in Godot's notation but not in JSON, or
/// `None`.
pub(crate) fn first_of_godot(text: &str) -> Option<usize> {
    let is_godot = |sign: &Sign<'_>| match sign {
        Sign::StringName => true,
        Sign::Word(b"inf" | b"inf_neg" | b"nan", _) => true,
        Sign::Word(name, after) => {
            let mut types = GODOT_4.iter().chain(&GODOT_3).chain(&BOTH);
            opens(after) && types.any(|known| known == name)
        }
        Sign::Bracket(_) | Sign::Escape | Sign::Comment => false,
    };
    { signs(text).find(|(_, sign)| is_godot(sign)) }.map(|(at, _)| at)
}

/// Returns the dialect for the text after `config_version`, such as `=5`.
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
