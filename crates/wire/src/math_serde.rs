//! `Serialize` and `Deserialize` for the math types, as [`native`](crate::native) describes.

use serde_core::{
    Deserialize, Deserializer, Serialize, Serializer,
    de::SeqAccess,
    ser::{SerializeSeq, SerializeTuple},
};

use crate::{
    Kind,
    math::{
        Aabb, Basis, Color, Components, Plane, Projection, Quaternion, Rect2, Transform2D,
        Transform3D, Vector2, Vector3, Vector4,
    },
    native::{self, Component, Content, Native, NativeVisitor},
};

/// Serializes components in stream order.
struct Compact<'a, T>(&'a [T]);

impl<T: Serialize> Serialize for Compact<'_, T> {
    #[inline(always)]
    fn serialize<S: Serializer>(&self, serializer: S) -> Result<S::Ok, S::Error> {
        let mut tuple = serializer.serialize_tuple(self.0.len())?;
        for component in self.0 {
            tuple.serialize_element(component)?;
        }
        tuple.end()
    }
}

/// Serializes components in the engine's listing order.
struct Listed<'a, T>(&'a [T], Kind);

impl<T: Serialize> Serialize for Listed<'_, T> {
    fn serialize<S: Serializer>(&self, serializer: S) -> Result<S::Ok, S::Error> {
        let mut list = serializer.serialize_seq(Some(self.0.len()))?;
        let order = native::engine_order(self.1);
        for n in 0..self.0.len() {
            let place = order.map_or(n, |order| order[n]);
            list.serialize_element(&self.0[place])?;
        }
        list.end()
    }
}

#[inline(always)]
fn components<'de, T, A, const N: usize>(
    mut parts: A,
    kind: Kind,
    listed: bool,
) -> Result<[T; N], A::Error>
where
    T: Component,
    A: SeqAccess<'de>,
{
    let mut all = [T::default(); N];
    for (n, place) in all.iter_mut().enumerate() {
        *place = native::part::<T::Read, A>(&mut parts, n, kind)?.into();
    }
    native::no_more(&mut parts, N, kind)?;
    let Some(order) = native::engine_order(kind).filter(|_| listed) else {
        return Ok(all);
    };
    let mut sorted = all;
    for (from, &place) in order.iter().enumerate() {
        sorted[place] = all[from];
    }
    Ok(sorted)
}

macro_rules! native {
    ($($name:ident<$number:ty> = $kind:ident, $n:literal, $wide:literal;)*) => {$(
        impl Serialize for $name<$number> {
            #[inline(always)]
            fn serialize<S: Serializer>(&self, serializer: S) -> Result<S::Ok, S::Error> {
                let all: [$number; $n] = self.components();
                let (kind, args, compact) = (Kind::$kind, Listed(&all, Kind::$kind), Compact(&all));
                Content { kind, args, compact }.pass($wide, serializer)
            }
        }

        impl<'de> Native<'de> for $name<$number> {
            const KIND: Kind = Kind::$kind;
            const WIDE: bool = $wide;

            fn ask<D: Deserializer<'de>>(
                deserializer: D,
                visitor: NativeVisitor<Self>,
            ) -> Result<Self, D::Error> {
                deserializer.deserialize_tuple($n, visitor)
            }

            #[inline(always)]
            fn from_seq<A: SeqAccess<'de>>(parts: A, listed: bool) -> Result<Self, A::Error> {
                let all: [$number; $n] = components(parts, Kind::$kind, listed)?;
                Ok(all.into())
            }
        }

        impl<'de> Deserialize<'de> for $name<$number> {
            #[inline(always)]
            fn deserialize<D: Deserializer<'de>>(deserializer: D) -> Result<Self, D::Error> {
                native::deserialize(deserializer)
            }
        }
    )*};
}

macro_rules! reals {
    ($($name:ident, $n:literal;)*) => {$(
        native! {
            $name<f32> = $name, $n, false;
            $name<f64> = $name, $n, true;
        }
    )*};
}

reals! {
    Vector2, 2;
    Vector3, 3;
    Vector4, 4;
    Rect2, 4;
    Transform2D, 6;
    Plane, 4;
    Quaternion, 4;
    Aabb, 6;
    Basis, 9;
    Transform3D, 12;
    Projection, 16;
}

native! {
    Vector2<i32> = Vector2i, 2, false;
    Vector3<i32> = Vector3i, 3, false;
    Vector4<i32> = Vector4i, 4, false;
    Rect2<i32> = Rect2i, 4, false;
    Color<f32> = Color, 4, false;
}
