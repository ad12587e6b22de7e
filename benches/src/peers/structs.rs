//! Structs that serde formats read and write: the records of the matrix, the realistic save, packets.
//!
//! All formats share them. They differ in the types of vectors alone, which are arrays of numbers
//! where a format has no vectors.

pub(crate) mod math;
pub(crate) mod packets;
pub(crate) mod records;
pub(crate) mod save;

use std::collections::BTreeMap;

use serde::{Deserialize, Serialize, de::DeserializeOwned};

use crate::{model::Value, question, workloads::Tree};

/// A format of serde's, and its types for vectors.
pub(crate) trait Format: 'static {
    /// The entry that fills structs.
    const READ: &'static str;
    /// The entry that writes structs.
    const WRITE: &'static str;

    /// A `Vector3`.
    type Vector3: Number<[f32; 3]>;
    /// A `Vector2`.
    type Vector2: Number<[f32; 2]>;
    /// A `Vector2i`.
    type Vector2i: Number<[i32; 2]>;
    /// A `Transform3D`.
    type Transform: Number<[f32; 12]>;
    /// A `Color`.
    type Color: Number<[f32; 4]>;
    /// A `NodePath` that is kept.
    type Path: Serialize + DeserializeOwned + Leaves;

    /// The bytes of a tree.
    fn encoded(tree: &Tree) -> Vec<u8>;

    /// Reads a value. A tree's bytes may be those of Godot 3.
    fn read<'a, T: Deserialize<'a>>(bytes: &'a [u8], is_godot_3: bool) -> Option<T>;

    /// Appends a value.
    fn write<T: Serialize>(to: &mut Vec<u8>, value: &T) -> Option<()>;
}

/// A vector in the type of a format.
pub(crate) trait Number<T>: Serialize + DeserializeOwned + Leaves + From<T> {}
impl<T, N: Serialize + DeserializeOwned + Leaves + From<T>> Number<T> for N {}

/// The answer to the question for structs: the sum over all that is neither a container nor a key.
pub(crate) trait Leaves {
    /// The sum.
    fn leaves(&self) -> u64;
}

macro_rules! leaves {
    ($($ty:ty: |$value:ident| $answer:expr;)*) => {$(
        impl Leaves for $ty {
            #[inline]
            fn leaves(&self) -> u64 {
                let $value = self;
                $answer
            }
        }
    )*};
}
leaves! {
    bool: |value| question::bool(*value);
    i32: |value| question::int(i64::from(*value));
    i64: |value| question::int(*value);
    f32: |value| question::float(f64::from(*value));
    f64: |value| question::float(*value);
    &str: |value| question::text(value.as_bytes());
    String: |value| question::text(value.as_bytes());
}

impl<const N: usize> Leaves for [f32; N] {
    #[inline]
    fn leaves(&self) -> u64 {
        question::vector(*self)
    }
}

impl<const N: usize> Leaves for [i32; N] {
    #[inline]
    fn leaves(&self) -> u64 {
        question::vector_of_ints(*self)
    }
}

impl<T: Leaves> Leaves for Option<T> {
    #[inline]
    fn leaves(&self) -> u64 {
        self.as_ref().map_or(0, Leaves::leaves)
    }
}

impl<T: Leaves> Leaves for Vec<T> {
    #[inline]
    fn leaves(&self) -> u64 {
        sum(self.iter().map(Leaves::leaves))
    }
}

impl<K, T: Leaves> Leaves for BTreeMap<K, T> {
    fn leaves(&self) -> u64 {
        sum(self.values().map(Leaves::leaves))
    }
}

/// [`Leaves`] for structs, by their fields.
macro_rules! leaves_of {
    ($([$($param:tt)*] [$($bound:tt)*] $name:ty { $($field:ident)* })*) => {$(
        impl<$($param)*> $crate::peers::structs::Leaves for $name where $($bound)* {
            #[inline]
            fn leaves(&self) -> u64 {
                let sum = 0u64;
                $(let sum = sum.wrapping_add(self.$field.leaves());)*
                sum
            }
        }
    )*};
}
pub(crate) use leaves_of;

/// The answer for structs, from the plain data.
pub(crate) fn leaves(value: &Value) -> u64 {
    match value {
        Value::Nil => 0,
        Value::Array(items) | Value::TypedArray(_, items) => sum(items.iter().map(leaves)),
        Value::Dict(pairs) | Value::Named(pairs) | Value::TypedDict(_, pairs) => {
            sum(pairs.iter().map(|pair| leaves(&pair.value)))
        }
        Value::Floats(items) => items.leaves(),
        value => question::answer(value),
    }
}

fn sum(answers: impl Iterator<Item = u64>) -> u64 {
    answers.fold(0, u64::wrapping_add)
}
