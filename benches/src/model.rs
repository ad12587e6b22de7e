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
    /// `StringName`; a String in Godot 3.
    Name(String),
    /// `NodePath`: names behind `/`, sub-names behind `:`.
    Path(String),
    /// `Vector2`.
    Vector2([f32; 2]),
    /// `Vector2i`.
    Vector2i([i32; 2]),
    /// `Vector3i`.
    Vector3i([i32; 3]),
    /// `Transform3D`. In a box, so that a value is not larger for it.
    Transform(Box<[f32; 12]>),
    /// `Color`.
    Color(Box<[f32; 4]>),
    /// `Dictionary` with StringName keys, each once; with String keys in Godot 3.
    Named(#[rkyv(omit_bounds)] Vec<Pair>),
    /// `Array[type]`; an Array in Godot 3.
    TypedArray(u8, #[rkyv(omit_bounds)] Vec<Value>),
    /// `Dictionary[type, type]` with String or StringName keys; a Dictionary in Godot 3.
    TypedDict([u8; 2], #[rkyv(omit_bounds)] Vec<Pair>),
    /// `Dictionary` with keys of any type.
    Map(#[rkyv(omit_bounds)] Vec<Entry>),
}

/// Godot 4's type numbers, for typed containers.
pub(crate) mod types {
    pub(crate) const INT: u8 = 2;
    pub(crate) const FLOAT: u8 = 3;
    pub(crate) const STRING: u8 = 4;
    pub(crate) const VECTOR2I: u8 = 6;
    pub(crate) const STRING_NAME: u8 = 21;
    pub(crate) const DICTIONARY: u8 = 27;
}

/// A key of any type and its value.
#[derive(Clone, Debug, PartialEq, rkyv::Archive, rkyv::Serialize)]
#[rkyv(serialize_bounds(
    __S: rkyv::ser::Writer + rkyv::ser::Allocator,
    __S::Error: rkyv::rancor::Source,
))]
#[rkyv(bytecheck(bounds(
    __C: rkyv::validation::ArchiveContext,
    __C::Error: rkyv::rancor::Source,
)))]
pub(crate) struct Entry {
    /// The key.
    #[rkyv(omit_bounds)]
    pub(crate) key: Value,
    /// Its value.
    #[rkyv(omit_bounds)]
    pub(crate) value: Value,
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

    /// The number of Variants of its encoding: containers and keys included, a packed array is one.
    pub(crate) fn count(&self) -> usize {
        match self {
            Value::Array(items) | Value::TypedArray(_, items) => {
                1 + items.iter().map(Value::count).sum::<usize>()
            }
            Value::Dict(pairs) | Value::Named(pairs) | Value::TypedDict(_, pairs) => {
                1 + pairs.iter().map(|p| 1 + p.value.count()).sum::<usize>()
            }
            Value::Map(entries) => {
                let both = |entry: &Entry| entry.key.count() + entry.value.count();
                1 + entries.iter().map(both).sum::<usize>()
            }
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
            Value::Text(text) | Value::Name(text) | Value::Path(text) => {
                serializer.serialize_str(text)
            }
            Value::Vector2(value) => serializer.collect_seq(value),
            Value::Vector3(value) => serializer.collect_seq(value),
            Value::Vector2i(value) => serializer.collect_seq(value),
            Value::Vector3i(value) => serializer.collect_seq(value),
            Value::Transform(value) => serializer.collect_seq(value.as_slice()),
            Value::Color(value) => serializer.collect_seq(value.as_slice()),
            Value::Array(items) | Value::TypedArray(_, items) => serializer.collect_seq(items),
            Value::Map(entries) => {
                serializer.collect_map(entries.iter().map(|entry| (&entry.key, &entry.value)))
            }
            Value::Dict(pairs) | Value::Named(pairs) | Value::TypedDict(_, pairs) => {
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
