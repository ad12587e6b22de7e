//! The question that every peer must answer before it is timed: a sum over all that a workload
//! holds. It does not depend on the order of keys, because some formats sort them.

use std::fmt;

use serde::{
    Deserialize, Deserializer,
    de::{MapAccess, SeqAccess, Visitor},
};

use crate::model::Value;

/// The addition of a null.
pub(crate) const NIL: u64 = 0x1001;

/// The addition of a bool.
#[inline]
pub(crate) fn bool(value: bool) -> u64 {
    0x2003 + u64::from(value)
}

/// The addition of an int.
#[inline]
pub(crate) fn int(value: i64) -> u64 {
    value as u64
}

/// The addition of a float, whatever its width in the format.
#[inline]
pub(crate) fn float(value: f64) -> u64 {
    value.to_bits()
}

/// The addition of a vector: that of an array of its components.
#[inline]
pub(crate) fn vector<const N: usize>(components: [f32; N]) -> u64 {
    components.into_iter().fold(array(N), |sum, component| {
        sum.wrapping_add(float(f64::from(component)))
    })
}

/// The addition of a vector of ints: that of an array of its components.
#[inline]
pub(crate) fn vector_of_ints<const N: usize>(components: [i32; N]) -> u64 {
    components.into_iter().fold(array(N), |sum, component| {
        sum.wrapping_add(int(i64::from(component)))
    })
}

/// The addition of a text or key: both of its ends are read.
#[inline]
pub(crate) fn text(text: &[u8]) -> u64 {
    match text {
        [] => 0x3007,
        [first, .., last] => ends(text.len(), *first, *last),
        [only] => ends(1, *only, *only),
    }
}

/// The addition of a text of that length that begins and ends so.
#[inline]
pub(crate) fn ends(len: usize, first: u8, last: u8) -> u64 {
    len as u64 + (u64::from(first) << 16) + (u64::from(last) << 24)
}

/// The addition of an array besides its elements.
#[inline]
pub(crate) fn array(len: usize) -> u64 {
    (len as u64) << 32
}

/// The addition of a dictionary besides its keys and values.
#[inline]
pub(crate) fn dict(len: usize) -> u64 {
    (len as u64) << 40
}

/// The answer for plain data.
pub(crate) fn answer(value: &Value) -> u64 {
    let sum =
        |start: u64, parts: &mut dyn Iterator<Item = u64>| parts.fold(start, u64::wrapping_add);
    match value {
        Value::Nil => NIL,
        Value::Bool(value) => bool(*value),
        Value::Int(value) => int(*value),
        Value::Float(value) => float(*value),
        Value::Text(value) | Value::Name(value) | Value::Path(value) => text(value.as_bytes()),
        Value::Vector2(value) => vector(*value),
        Value::Vector3(value) => vector(*value),
        Value::Vector2i(value) => vector_of_ints(*value),
        Value::Vector3i(value) => vector_of_ints(*value),
        Value::Transform(value) => vector(**value),
        Value::Color(value) => vector(**value),
        Value::Array(items) | Value::TypedArray(_, items) => {
            sum(array(items.len()), &mut items.iter().map(answer))
        }
        Value::Map(entries) => {
            let both =
                |entry: &crate::model::Entry| answer(&entry.key).wrapping_add(answer(&entry.value));
            sum(dict(entries.len()), &mut entries.iter().map(both))
        }
        Value::Dict(pairs) | Value::Named(pairs) | Value::TypedDict(_, pairs) => {
            let pair = |pair: &crate::model::Pair| {
                text(pair.key.as_bytes()).wrapping_add(answer(&pair.value))
            };
            sum(dict(pairs.len()), &mut pairs.iter().map(pair))
        }
        Value::Bytes(bytes) => text(bytes),
        Value::Ints(items) => sum(
            array(items.len()),
            &mut items.iter().map(|item| int(i64::from(*item))),
        ),
        Value::Floats(items) => sum(
            array(items.len()),
            &mut items.iter().map(|item| float(f64::from(*item))),
        ),
        Value::Vectors(items) => sum(
            array(items.len()),
            &mut items.iter().map(|item| vector(*item)),
        ),
        Value::Texts(items) => sum(
            array(items.len()),
            &mut items.iter().map(|item| text(item.as_bytes())),
        ),
    }
}

/// The answer for anything that a serde format holds.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub(crate) struct Answer(pub(crate) u64);

impl<'de> Deserialize<'de> for Answer {
    fn deserialize<D: Deserializer<'de>>(deserializer: D) -> Result<Answer, D::Error> {
        struct Sum;
        impl<'de> Visitor<'de> for Sum {
            type Value = Answer;

            fn expecting(&self, f: &mut fmt::Formatter<'_>) -> fmt::Result {
                f.write_str("any value")
            }
            fn visit_unit<E>(self) -> Result<Answer, E> {
                Ok(Answer(NIL))
            }
            fn visit_bool<E>(self, value: bool) -> Result<Answer, E> {
                Ok(Answer(bool(value)))
            }
            fn visit_i64<E>(self, value: i64) -> Result<Answer, E> {
                Ok(Answer(int(value)))
            }
            fn visit_u64<E>(self, value: u64) -> Result<Answer, E> {
                Ok(Answer(value))
            }
            fn visit_f64<E>(self, value: f64) -> Result<Answer, E> {
                Ok(Answer(float(value)))
            }
            fn visit_str<E>(self, value: &str) -> Result<Answer, E> {
                Ok(Answer(text(value.as_bytes())))
            }
            fn visit_bytes<E>(self, value: &[u8]) -> Result<Answer, E> {
                Ok(Answer(text(value)))
            }
            fn visit_seq<A: SeqAccess<'de>>(self, mut items: A) -> Result<Answer, A::Error> {
                let (mut len, mut sum) = (0, 0u64);
                while let Some(Answer(item)) = items.next_element()? {
                    len += 1;
                    sum = sum.wrapping_add(item);
                }
                Ok(Answer(sum.wrapping_add(array(len))))
            }
            fn visit_map<A: MapAccess<'de>>(self, mut pairs: A) -> Result<Answer, A::Error> {
                let (mut len, mut sum) = (0, 0u64);
                while let Some((Answer(key), Answer(value))) = pairs.next_entry()? {
                    len += 1;
                    sum = sum.wrapping_add(key).wrapping_add(value);
                }
                Ok(Answer(sum.wrapping_add(dict(len))))
            }
        }
        deserializer.deserialize_any(Sum)
    }
}
