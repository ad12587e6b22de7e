//! Plain data that every format can hold: what the workloads are made of.

use serde::{Serialize, Serializer, ser::SerializeMap};

/// A value. Peers that know no Godot types get the nearest they have: a vector is an array of
/// three floats, a packed array an array.
#[derive(Clone, Debug, PartialEq, rkyv::Archive, rkyv::Serialize)]
#[rkyv(serialize_bounds(
    __S: rkyv::ser::Writer + rkyv::ser::Allocator,
    __S::Error: rkyv::rancor::Source,
))]
#[rkyv(bytecheck(bounds(
    __C: rkyv::validation::ArchiveContext,
    __C::Error: rkyv::rancor::Source,
)))]
pub(crate) enum Value {
    /// `null`.
    Nil,
    /// `bool`.
    Bool(bool),
    /// `int`.
    Int(i64),
    /// `float`.
    Float(f64),
    /// `String`.
    Text(String),
    /// `Vector3`.
    Vector3([f32; 3]),
    /// `Array`.
    Array(#[rkyv(omit_bounds)] Vec<Value>),
    /// `Dictionary` with String keys, each once.
    Dict(#[rkyv(omit_bounds)] Vec<Pair>),
    /// `PackedByteArray`.
    Bytes(Vec<u8>),
    /// `PackedInt32Array`.
    Ints(Vec<i32>),
    /// `PackedFloat32Array`.
    Floats(Vec<f32>),
    /// `PackedVector3Array`.
    Vectors(Vec<[f32; 3]>),
    /// `PackedStringArray`.
    Texts(Vec<String>),
}

/// A key and its value.
#[derive(Clone, Debug, PartialEq, rkyv::Archive, rkyv::Serialize)]
#[rkyv(serialize_bounds(
    __S: rkyv::ser::Writer + rkyv::ser::Allocator,
    __S::Error: rkyv::rancor::Source,
))]
#[rkyv(bytecheck(bounds(
    __C: rkyv::validation::ArchiveContext,
    __C::Error: rkyv::rancor::Source,
)))]
pub(crate) struct Pair {
    /// The key.
    pub(crate) key: String,
    /// Its value.
    #[rkyv(omit_bounds)]
    pub(crate) value: Value,
}

impl Value {
    /// A dictionary of these.
    pub(crate) fn dict<const N: usize>(pairs: [(&str, Value); N]) -> Value {
        Value::Dict(pairs.into_iter().map(Pair::from).collect())
    }

    /// A text.
    pub(crate) fn text(text: &str) -> Value {
        Value::Text(text.to_owned())
    }

    /// How many Variants its encoding has: containers and keys included, a packed array is one.
    pub(crate) fn count(&self) -> usize {
        match self {
            Value::Array(items) => 1 + items.iter().map(Value::count).sum::<usize>(),
            Value::Dict(pairs) => 1 + pairs.iter().map(|p| 1 + p.value.count()).sum::<usize>(),
            _ => 1,
        }
    }
}

impl From<(&str, Value)> for Pair {
    fn from((key, value): (&str, Value)) -> Pair {
        let key = key.to_owned();
        Pair { key, value }
    }
}

impl Serialize for Value {
    fn serialize<S: Serializer>(&self, serializer: S) -> Result<S::Ok, S::Error> {
        match self {
            Value::Nil => serializer.serialize_unit(),
            Value::Bool(value) => serializer.serialize_bool(*value),
            Value::Int(value) => match i32::try_from(*value) {
                Ok(value) => serializer.serialize_i32(value),
                Err(_) => serializer.serialize_i64(*value),
            },
            Value::Float(value) => serializer.serialize_f64(*value),
            Value::Text(text) => serializer.serialize_str(text),
            Value::Vector3(value) => serializer.collect_seq(value),
            Value::Array(items) => serializer.collect_seq(items),
            Value::Dict(pairs) => {
                let mut map = serializer.serialize_map(Some(pairs.len()))?;
                for pair in pairs {
                    map.serialize_entry(&pair.key, &pair.value)?;
                }
                map.end()
            }
            Value::Bytes(bytes) => serializer.serialize_bytes(bytes),
            Value::Ints(items) => serializer.collect_seq(items),
            Value::Floats(items) => serializer.collect_seq(items),
            Value::Vectors(items) => serializer.collect_seq(items),
            Value::Texts(items) => serializer.collect_seq(items),
        }
    }
}
