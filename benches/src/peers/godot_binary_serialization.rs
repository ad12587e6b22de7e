//! godot-binary-serialization: the same format, without arrays.

use ::godot_binary_serialization::{
    decoder::Decoder,
    encoder::Encoder,
    types::{
        primitive::{GodotBool, GodotFloat, GodotInteger, GodotString},
        structures::{GodotDictionary, GodotVector3},
        variant::{AsVariant, GodotVariant},
    },
};

use crate::{
    harness::{Note, Suite},
    model::Value,
    question,
    workloads::Tree,
};

/// The entry that decodes.
pub(crate) const DECODE: &str = "godot-binary-serialization decode";
/// The entry that encodes.
pub(crate) const ENCODE: &str = "godot-binary-serialization encode";

/// Registers what reads a tree without arrays.
pub(crate) fn tree<'a>(suite: &mut Suite<'a>, tree: &'a Tree) {
    let bytes = tree.bytes.as_slice();
    let decoded = Decoder::decode_variant(bytes).expect("it has all types of W1f");
    assert_eq!(answer(&*decoded), tree.answer);
    let whole = bytes.len() as u64;
    let note = Note::new("text", "tree");
    suite.add(DECODE, note, bytes.len(), whole, || {
        Decoder::decode_variant(bytes).map_or(0, |value| value.byte_length() as u64)
    });
}

/// Registers what writes a tree without arrays.
pub(crate) fn write<'a>(suite: &mut Suite<'a>, tree: &'a Tree) {
    let Value::Dict(pairs) = &tree.value else {
        return;
    };
    let root = dictionary(pairs);
    let bytes = Encoder::encode_variant(&root).expect("it has all types of W1f");
    assert_eq!(bytes, tree.bytes);
    let note = Note::new("", "bytes, from a tree");
    suite.add(ENCODE, note, bytes.len(), bytes.len() as u64, move || {
        Encoder::encode_variant(&root).map_or(0, |bytes| bytes.len() as u64)
    });
}

fn dictionary(pairs: &[crate::model::Pair]) -> GodotDictionary {
    let mut dictionary = GodotDictionary::new();
    for pair in pairs {
        let key = GodotString::new(&pair.key);
        match &pair.value {
            Value::Bool(value) => dictionary.insert(key, GodotBool::new(*value)),
            Value::Int(value) => dictionary.insert(key, GodotInteger::new_from_i32(*value as i32)),
            Value::Float(value) if f64::from(*value as f32) == *value => {
                dictionary.insert(key, GodotFloat::new_from_f32(*value as f32));
            }
            Value::Float(value) => dictionary.insert(key, GodotFloat::new_from_f64(*value)),
            Value::Text(text) => dictionary.insert(key, GodotString::new(text)),
            Value::Vector3([x, y, z]) => dictionary.insert(key, GodotVector3::new(*x, *y, *z)),
            Value::Dict(pairs) => dictionary.insert(key, self::dictionary(pairs)),
            other => unreachable!("W1f has no {other:?}"),
        }
    }
    dictionary
}

fn answer(value: &dyn GodotVariant) -> u64 {
    if let Some(value) = value.as_var::<GodotBool>() {
        return question::bool(value.value);
    }
    if let Some(value) = value.as_var::<GodotInteger>() {
        return question::int(value.value);
    }
    if let Some(value) = value.as_var::<GodotFloat>() {
        return question::float(value.value);
    }
    if let Some(value) = value.as_var::<GodotString>() {
        return question::text(value.value.as_bytes());
    }
    if let Some(value) = value.as_var::<GodotVector3>() {
        return question::vector([value.x, value.y, value.z]);
    }
    value.as_var::<GodotDictionary>().map_or(0, |dictionary| {
        let sum = question::dict(dictionary.map.len());
        dictionary.map.iter().fold(sum, |sum, (key, value)| {
            sum.wrapping_add(answer(&**key))
                .wrapping_add(answer(&**value))
        })
    })
}
