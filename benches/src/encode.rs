//! The reference encoder: an engine's bytes of plain data, as simply as can be. Not the writer
//! under test, so that reader and writer are both held to something else.

use crate::model::{Pair, Value};

const BOOL: u32 = 1;
const INT: u32 = 2;
const FLOAT: u32 = 3;
const STRING: u32 = 4;
/// Godot 4 alone has these.
const VECTOR2I: u32 = 6;
const VECTOR3I: u32 = 10;
const WIDE: u32 = 1 << 16;

/// The type numbers that differ between engines.
#[derive(Clone, Copy, Debug)]
pub(crate) struct Numbers {
    vector2: u32,
    vector3: u32,
    transform: u32,
    color: u32,
    string_name: u32,
    node_path: u32,
    dictionary: u32,
    array: u32,
    packed_bytes: u32,
    packed_i32: u32,
    packed_f32: u32,
    packed_strings: u32,
    packed_vector3: u32,
    /// `true` if there are typed containers.
    typed: bool,
}

/// Those of Godot 4.
pub(crate) const GODOT_4: Numbers = Numbers {
    vector2: 5,
    vector3: 9,
    transform: 18,
    color: 20,
    string_name: 21,
    node_path: 22,
    dictionary: 27,
    array: 28,
    packed_bytes: 29,
    packed_i32: 30,
    packed_f32: 32,
    packed_strings: 34,
    packed_vector3: 36,
    typed: true,
};

/// Those of Godot 3.
pub(crate) const GODOT_3: Numbers = Numbers {
    vector2: 5,
    vector3: 7,
    transform: 13,
    color: 14,
    string_name: STRING,
    node_path: 15,
    dictionary: 18,
    array: 19,
    packed_bytes: 20,
    packed_i32: 21,
    packed_f32: 22,
    packed_strings: 23,
    packed_vector3: 25,
    typed: false,
};

/// Appends a value as `var_to_bytes` (Godot 3: `var2bytes`) would write it.
fn encode(value: &Value, numbers: Numbers, to: &mut Vec<u8>) {
    match value {
        Value::Nil => word(0, to),
        Value::Bool(value) => {
            word(BOOL, to);
            word(u32::from(*value), to);
        }
        Value::Int(value) => match i32::try_from(*value) {
            Ok(value) => {
                word(INT, to);
                to.extend(value.to_le_bytes());
            }
            Err(_) => {
                word(INT | WIDE, to);
                to.extend(value.to_le_bytes());
            }
        },
        Value::Float(value) => {
            if f64::from(*value as f32) == *value {
                word(FLOAT, to);
                to.extend((*value as f32).to_le_bytes());
            } else {
                word(FLOAT | WIDE, to);
                to.extend(value.to_le_bytes());
            }
        }
        Value::Text(text) => {
            word(STRING, to);
            field(text.as_bytes(), to);
        }
        Value::Name(text) => {
            word(numbers.string_name, to);
            field(text.as_bytes(), to);
        }
        Value::Path(path) => node_path(path, numbers, to),
        Value::Vector2(value) => reals(numbers.vector2, value, to),
        Value::Vector3(value) => reals(numbers.vector3, value, to),
        Value::Transform(value) => reals(numbers.transform, value.as_slice(), to),
        Value::Color(value) => reals(numbers.color, value.as_slice(), to),
        Value::Vector2i(value) => {
            word(VECTOR2I, to);
            to.extend(value.iter().flat_map(|component| component.to_le_bytes()));
        }
        Value::Vector3i(value) => {
            word(VECTOR3I, to);
            to.extend(value.iter().flat_map(|component| component.to_le_bytes()));
        }
        Value::Array(items) => {
            head(numbers.array, items.len(), to);
            items.iter().for_each(|item| encode(item, numbers, to));
        }
        Value::TypedArray(element, items) => {
            container(numbers.array, 1, &[*element], numbers, to);
            word(items.len() as u32, to);
            items.iter().for_each(|item| encode(item, numbers, to));
        }
        Value::Dict(all) => {
            head(numbers.dictionary, all.len(), to);
            pairs(STRING, all, numbers, to);
        }
        Value::Named(all) => {
            head(numbers.dictionary, all.len(), to);
            pairs(numbers.string_name, all, numbers, to);
        }
        Value::TypedDict(both, all) => {
            container(numbers.dictionary, 5, both, numbers, to);
            word(all.len() as u32, to);
            // A name where names are asked for.
            let is_name = numbers.typed && u32::from(both[0]) == numbers.string_name;
            let key = if is_name { numbers.string_name } else { STRING };
            pairs(key, all, numbers, to);
        }
        Value::Map(entries) => {
            head(numbers.dictionary, entries.len(), to);
            for entry in entries {
                encode(&entry.key, numbers, to);
                encode(&entry.value, numbers, to);
            }
        }
        Value::Bytes(bytes) => {
            word(numbers.packed_bytes, to);
            field(bytes, to);
        }
        Value::Ints(items) => {
            head(numbers.packed_i32, items.len(), to);
            to.extend(items.iter().flat_map(|item| item.to_le_bytes()));
        }
        Value::Floats(items) => {
            head(numbers.packed_f32, items.len(), to);
            to.extend(items.iter().flat_map(|item| item.to_le_bytes()));
        }
        Value::Vectors(items) => {
            head(numbers.packed_vector3, items.len(), to);
            to.extend(items.iter().flatten().flat_map(|item| item.to_le_bytes()));
        }
        Value::Texts(items) => {
            head(numbers.packed_strings, items.len(), to);
            // Their length counts a NUL.
            items
                .iter()
                .for_each(|item| field(&[item.as_bytes(), b"\0"].concat(), to));
        }
    }
}

/// A container's header with its bits for types and, where there are such, the types.
fn container(header: u32, bits: u32, types: &[u8], numbers: Numbers, to: &mut Vec<u8>) {
    if !numbers.typed {
        return word(header, to);
    }
    word(header | bits << 16, to);
    types.iter().for_each(|&id| word(id.into(), to));
}

/// Text keys with this header, and their values.
fn pairs(key: u32, pairs: &[Pair], numbers: Numbers, to: &mut Vec<u8>) {
    for pair in pairs {
        word(key, to);
        field(pair.key.as_bytes(), to);
        encode(&pair.value, numbers, to);
    }
}

fn node_path(path: &str, numbers: Numbers, to: &mut Vec<u8>) {
    let mut parts = path.split(':');
    let names = parts.next().unwrap_or_default();
    let subnames: Vec<&str> = parts.collect();
    let relative = names.strip_prefix('/');
    let names: Vec<&str> = relative.unwrap_or(names).split('/').collect();
    let names = if names == [""] { Vec::new() } else { names };
    head(numbers.node_path, names.len() | 1 << 31, to);
    word(subnames.len() as u32, to);
    word(relative.is_some().into(), to);
    let parts = names.iter().chain(&subnames);
    parts.for_each(|part| field(part.as_bytes(), to));
}

/// Godot 4's bytes of one value.
pub(crate) fn bytes(value: &Value) -> Vec<u8> {
    bytes_of(value, GODOT_4)
}

/// The bytes of one value, of the engine that has these numbers.
pub(crate) fn bytes_of(value: &Value, numbers: Numbers) -> Vec<u8> {
    let mut bytes = Vec::new();
    encode(value, numbers, &mut bytes);
    bytes
}

fn word(word: u32, to: &mut Vec<u8>) {
    to.extend(word.to_le_bytes());
}

fn reals(header: u32, reals: &[f32], to: &mut Vec<u8>) {
    word(header, to);
    to.extend(reals.iter().flat_map(|real| real.to_le_bytes()));
}

fn head(header: u32, count: usize, to: &mut Vec<u8>) {
    word(header, to);
    word(count as u32, to);
}

fn field(bytes: &[u8], to: &mut Vec<u8>) {
    word(bytes.len() as u32, to);
    to.extend(bytes);
    to.resize(to.len().next_multiple_of(4), 0);
}

#[cfg(test)]
mod tests {
    use crate::workloads::{self, Group};

    /// FNV-1a.
    fn hash(bytes: &[u8]) -> u64 {
        bytes.iter().fold(0xcbf2_9ce4_8422_2325, |hash, &byte| {
            (hash ^ u64::from(byte)).wrapping_mul(0x0100_0000_01b3)
        })
    }

    /// Each group's bytes, one blob behind the other.
    fn hashes(groups: &[Group]) -> Vec<(&'static str, u64)> {
        let one = |group: &Group| (group.name, hash(&group.blobs.concat()));
        groups.iter().map(one).collect()
    }

    /// Godot 4.6.3 and Godot 3.2.3 decoded the very bytes of these hashes and wrote them again the
    /// same. If one changes, ask the engine again: `--blobs` writes what
    /// `testdata/oracle/roundtrip.sh` reads.
    #[test]
    fn the_inputs_are_those_that_the_engine_has_seen() {
        let found = hashes(&workloads::groups());
        assert_eq!(found, SEEN_BY_GODOT_4, "{found:#x?}");
        let found = hashes(&workloads::groups_of_godot_3());
        assert_eq!(found, SEEN_BY_GODOT_3, "{found:#x?}");
    }

    const SEEN_BY_GODOT_4: [(&str, u64); 33] = [
        ("M plain", 0xeec0_9c22_5820_2589),
        ("M keys", 0x51f0_c1bb_2228_9008),
        ("M names", 0x0e20_10a8_593d_0dd5),
        ("M vector2i", 0x2d56_ab7d_38f0_9ece),
        ("M quarter", 0x7e11_e7e7_13d5_3a39),
        ("M order", 0x11cb_7bf0_54b9_b7f1),
        ("M missing", 0x0a9e_36ac_48a3_57aa),
        ("M typed array", 0x98b1_e026_d95f_0097),
        ("M typed dict", 0xc130_f643_bb10_d209),
        ("M wide", 0x9501_4a91_3909_ef5b),
        ("M lists", 0x403d_ca76_e517_bca7),
        ("M all", 0x5e1a_3cf6_aa2b_aafd),
        ("S4", 0x9805_b522_85b4_b2a7),
        ("W1", 0x3e89_d2bf_51c7_5800),
        ("W1f", 0x979b_eb53_a70e_6fbd),
        ("W1b", 0x43f4_db2d_7d28_c843),
        ("W2", 0x3b3b_9974_36bb_884b),
        ("W4", 0xea18_ce30_2f8c_d642),
        ("W4p", 0x1663_40f6_c679_ab0e),
        ("W6", 0xb706_6f66_8020_2448),
        ("W6s", 0xd558_cee8_6a83_cbaf),
        ("W6f", 0x5ecf_4d0e_b3b3_1260),
        ("W7", 0x9c16_3942_53cd_6d4f),
        ("W3", 0xa75c_e793_1aed_ab7f),
        ("P", 0x3b68_c1ee_8927_1f70),
        ("F", 0x6022_0943_ed0a_70a7),
        ("L", 0xdb2d_982d_e157_c846),
        ("V", 0x896a_2a1a_b11c_47d3),
        ("S4 text", 0x9805_b522_85b4_b2a7),
        ("K text", 0x89a8_4efd_cf7b_ef06),
        ("B text", 0xb8c1_3705_af19_c71a),
        ("W1f write", 0x979b_eb53_a70e_6fbd),
        ("W1 write", 0x4ce0_c7e5_efcc_e8ad),
    ];

    const SEEN_BY_GODOT_3: [(&str, u64); 2] = [
        ("W1n", 0x2a91_8a48_54d2_036b),
        ("S3", 0x8ae1_a5ea_2ee5_3883),
    ];
}
