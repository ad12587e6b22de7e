//! `Serialize` and `Deserialize` for [`PackedRef`]. Reading borrows from the input, or fails.

use gdvar_wire::{
    Element, F32, F64, I32, I64, Kind,
    math::{Color, Vector2, Vector3, Vector4},
    native::{self, Bytes, Content, Native, NativeVisitor},
};
use serde_core::{Deserialize, Deserializer, Serialize, Serializer, de, ser::SerializeSeq};

use crate::value::packed::PackedRef;

/// Serializes a packed array as one list of all its numbers.
struct FlatNumbers<'a, T, const N: usize>(PackedRef<'a, T>);

/// Elements that consist of `N` numbers.
trait HasNumbers<const N: usize>: Element {
    type Number: Serialize;
    fn numbers(native: Self::Native) -> [Self::Number; N];
}

impl<T: HasNumbers<N>, const N: usize> Serialize for FlatNumbers<'_, T, N> {
    fn serialize<S: Serializer>(&self, serializer: S) -> Result<S::Ok, S::Error> {
        let mut list = serializer.serialize_seq(Some(N * self.0.len()))?;
        for element in self.0 {
            for number in T::numbers(element) {
                list.serialize_element(&number)?;
            }
        }
        list.end()
    }
}

macro_rules! packed {
    ($($element:ty = $kind:ident, $wide:literal, [$number:ty; $n:literal] |$native:ident| $all:expr;)*) => {$(
        impl HasNumbers<$n> for $element {
            type Number = $number;
            fn numbers($native: Self::Native) -> [$number; $n] {
                $all
            }
        }

        impl Serialize for PackedRef<'_, $element> {
            fn serialize<S: Serializer>(&self, serializer: S) -> Result<S::Ok, S::Error> {
                let (kind, args, compact) = (Kind::$kind, FlatNumbers(*self), Bytes(self.as_bytes()));
                Content { kind, args, compact }.pass($wide, serializer)
            }
        }

        impl<'de> Native<'de> for PackedRef<'de, $element> {
            const KIND: Kind = Kind::$kind;
            const WIDE: bool = $wide;

            fn ask<D: Deserializer<'de>>(
                deserializer: D,
                visitor: NativeVisitor<Self>,
            ) -> Result<Self, D::Error> {
                deserializer.deserialize_bytes(visitor)
            }

            fn from_borrowed_bytes<E: de::Error>(bytes: &'de [u8]) -> Result<Self, E> {
                if bytes.len() % size_of::<$element>() != 0 {
                    return Err(E::invalid_length(bytes.len(), &"the bytes of whole elements"));
                }
                Ok(PackedRef::new(bytes))
            }
        }

        impl<'de: 'a, 'a> Deserialize<'de> for PackedRef<'a, $element> {
            /// Borrows the elements from the input, which only the format of `gdvar-serde` allows. The
            /// packed array must have this element type and width; a `Vec` reads others too.
            fn deserialize<D: Deserializer<'de>>(deserializer: D) -> Result<Self, D::Error> {
                native::deserialize::<PackedRef<'de, $element>, D>(deserializer)
            }
        }
    )*};
}

packed! {
    I32 = PackedInt32Array, false, [i32; 1] |int| [int];
    I64 = PackedInt64Array, false, [i64; 1] |int| [int];
    F32 = PackedFloat32Array, false, [f32; 1] |float| [float];
    F64 = PackedFloat64Array, false, [f64; 1] |float| [float];
    Vector2<F32> = PackedVector2Array, false, [f32; 2] |vector| vector.into();
    Vector2<F64> = PackedVector2Array, true, [f64; 2] |vector| vector.into();
    Vector2<I32> = PackedVector2iArray, false, [i32; 2] |vector| vector.into();
    Vector3<F32> = PackedVector3Array, false, [f32; 3] |vector| vector.into();
    Vector3<F64> = PackedVector3Array, true, [f64; 3] |vector| vector.into();
    Vector3<I32> = PackedVector3iArray, false, [i32; 3] |vector| vector.into();
    Vector4<F32> = PackedVector4Array, false, [f32; 4] |vector| vector.into();
    Vector4<F64> = PackedVector4Array, true, [f64; 4] |vector| vector.into();
    Vector4<I32> = PackedVector4iArray, false, [i32; 4] |vector| vector.into();
    Color<F32> = PackedColorArray, false, [f32; 4] |color| color.into();
}
