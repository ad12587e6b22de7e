//! The reference encoder: an engine's bytes of plain data, as simply as can be. Not the writer
//! under test, so that reader and writer are both held to something else.

use crate::model::Value;

const BOOL: u32 = 1;
const INT: u32 = 2;
const FLOAT: u32 = 3;
const STRING: u32 = 4;
const WIDE: u32 = 1 << 16;

/// The type numbers that differ between engines.
#[derive(Clone, Copy, Debug)]
pub(crate) struct Numbers {
    vector3: u32,
    dictionary: u32,
    array: u32,
    packed_bytes: u32,
    packed_i32: u32,
    packed_f32: u32,
    packed_strings: u32,
    packed_vector3: u32,
}

/// Those of Godot 4.
pub(crate) const GODOT_4: Numbers = Numbers {
    vector3: 9,
    dictionary: 27,
    array: 28,
    packed_bytes: 29,
    packed_i32: 30,
    packed_f32: 32,
    packed_strings: 34,
    packed_vector3: 36,
};

/// Those of Godot 3.
pub(crate) const GODOT_3: Numbers = Numbers {
    vector3: 7,
    dictionary: 18,
    array: 19,
    packed_bytes: 20,
    packed_i32: 21,
    packed_f32: 22,
    packed_strings: 23,
    packed_vector3: 25,
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
        Value::Vector3(value) => {
            word(numbers.vector3, to);
            to.extend(value.iter().flat_map(|component| component.to_le_bytes()));
        }
        Value::Array(items) => {
            head(numbers.array, items.len(), to);
            items.iter().for_each(|item| encode(item, numbers, to));
        }
        Value::Dict(pairs) => {
            head(numbers.dictionary, pairs.len(), to);
            for pair in pairs {
                word(STRING, to);
                field(pair.key.as_bytes(), to);
                encode(&pair.value, numbers, to);
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
    use crate::workloads::{self, Size};

    /// FNV-1a.
    fn hash(bytes: &[u8]) -> u64 {
        bytes.iter().fold(0xcbf2_9ce4_8422_2325, |hash, &byte| {
            (hash ^ u64::from(byte)).wrapping_mul(0x0100_0000_01b3)
        })
    }

    /// Godot 4.6.3 decoded the very bytes of these hashes and wrote them again the same. If one
    /// changes, ask the engine again: `--blobs` writes what `testdata/oracle/roundtrip.sh` reads.
    #[test]
    fn the_inputs_are_those_that_the_engine_has_seen() {
        let entities = workloads::entities(Size::Small);
        let hashes = [
            hash(&workloads::save(&entities).bytes),
            hash(&workloads::flat_save(Size::Small, &entities).bytes),
            hash(&workloads::records(Size::Small).bytes),
            hash(&workloads::packed(Size::Small).bytes),
            hash(&workloads::strings(Size::Small).bytes),
            hash(&workloads::packed_strings(Size::Small).bytes),
            hash(&workloads::nested(Size::Small).bytes),
            hash(&workloads::nested_with_siblings(Size::Small).bytes),
            hash(&workloads::shallow(Size::Small).bytes),
            hash(&workloads::ints(Size::Small).bytes),
            hash(&workloads::packets(Size::Small).bytes),
            // By Godot 3.2.3.
            hash(&workloads::plain_save(Size::Small).bytes),
        ];
        assert_eq!(hashes, SEEN, "{hashes:#x?}");
    }

    const SEEN: [u64; 12] = [
        0x3e89_d2bf_51c7_5800,
        0x979b_eb53_a70e_6fbd,
        0x43f4_db2d_7d28_c843,
        0x3b3b_9974_36bb_884b,
        0xea18_ce30_2f8c_d642,
        0x1663_40f6_c679_ab0e,
        0xb706_6f66_8020_2448,
        0xd558_cee8_6a83_cbaf,
        0x5ecf_4d0e_b3b3_1260,
        0x9c16_3942_53cd_6d4f,
        0xa75c_e793_1aed_ab7f,
        0x2a91_8a48_54d2_036b,
    ];
}
