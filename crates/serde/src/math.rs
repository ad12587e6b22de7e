//! Vectors and matrices of other libraries, written as Godot's own, for `#[serde(with =
//! "gdvar::serde::math")]`.
//!
//! For serde, the types of glam and mint and plain arrays are lists. A list is written as an Array,
//! which scripts do not accept as a vector. With this attribute the field is written and read as
//! the Godot type with the same components. Keys of maps work too. Inside other types, use
//! [`Math`].
//!
//! | Rust | Godot |
//! |---|---|
//! | `[f32; 2]` … `[f32; 4]`, the same of `f64` and `i32`, and tuples of them | `Vector2` … `Vector4`, `Vector2i` … `Vector4i` |
//! | `glam::Vec2`, `DVec2`, `IVec2` … (feature `glam-033` or `glam-034`) | the same |
//! | `glam::Quat`, `Mat3`, `Mat4`, `Affine2`, `Affine3A` and their `f64` forms | `Quaternion`, `Basis`, `Projection`, `Transform2D`, `Transform3D` |
//! | `mint::Vector2`, `Point2` … (feature `mint`) | `Vector2` … |
//! | `mint::Quaternion`, `RowMatrix3`, `ColumnMatrix3`, `ColumnMatrix4`, `ColumnMatrix2x3`, `ColumnMatrix3x4` | the types listed for glam |
//! | `Option` and `Vec` of these | the value or null; an Array of them |
//! | `HashMap` and `BTreeMap` with these as keys | a Dictionary with them as keys |
//!
//! ```
//! use std::collections::HashMap;
//!
//! use serde::{Deserialize, Serialize};
//!
//! #[derive(Serialize, Deserialize, PartialEq, Debug)]
//! struct Map {
//!     #[serde(with = "gdvar_serde::math")]
//!     spawn: [f32; 3],
//!     #[serde(with = "gdvar_serde::math")]
//!     tiles: HashMap<(i32, i32), String>,
//! }
//!
//! let map = Map { spawn: [1.0, 0.0, 2.5], tiles: HashMap::from([((3, -1), "grass".into())]) };
//! let bytes = gdvar_serde::to_vec(&map)?;
//! // A script finds the tile under Vector2i(3, -1).
//! assert_eq!(gdvar_serde::from_slice::<Map>(&bytes)?, map);
//! # Ok::<(), gdvar_serde::Error>(())
//! ```

use alloc::{collections::BTreeMap, vec::Vec};
use core::{fmt, marker::PhantomData};

use gdvar_wire::math::{Vector2, Vector3, Vector4};
use serde_core::{
    Deserialize, Deserializer, Serialize, Serializer,
    de::{MapAccess, SeqAccess, Visitor},
};

/// A type that the attribute supports. The module lists them.
pub trait Field<'de>: Sized {
    #[doc(hidden)]
    fn to_serde<S: Serializer>(&self, serializer: S) -> Result<S::Ok, S::Error>;

    #[doc(hidden)]
    fn from_serde<D: Deserializer<'de>>(deserializer: D) -> Result<Self, D::Error>;
}

/// Writes vectors and matrices as Godot's own.
///
/// # Errors
///
/// Returns the serializer's error.
pub fn serialize<'de, T: Field<'de>, S: Serializer>(
    value: &T,
    serializer: S,
) -> Result<S::Ok, S::Error> {
    value.to_serde(serializer)
}

/// Reads Godot's own vectors and matrices.
///
/// # Errors
///
/// Fails if the input is something else, or with the deserializer's error.
pub fn deserialize<'de, T: Field<'de>, D: Deserializer<'de>>(
    deserializer: D,
) -> Result<T, D::Error> {
    T::from_serde(deserializer)
}

/// A vector or matrix of another library inside another type, such as `HashMap<String,
/// Math<glam::Vec3>>`.
#[derive(Clone, Copy, PartialEq, Eq, PartialOrd, Ord, Hash, Debug, Default)]
pub struct Math<T>(pub T);

impl<T: for<'a> Field<'a>> Serialize for Math<T> {
    #[inline]
    fn serialize<S: Serializer>(&self, serializer: S) -> Result<S::Ok, S::Error> {
        self.0.to_serde(serializer)
    }
}

impl<'de, T: Field<'de>> Deserialize<'de> for Math<T> {
    #[inline]
    fn deserialize<D: Deserializer<'de>>(deserializer: D) -> Result<Self, D::Error> {
        T::from_serde(deserializer).map(Math)
    }
}

/// A value that is being written. `'de` is the lifetime of its [`Field`] implementation.
struct Out<'t, 'de, T>(&'t T, PhantomData<&'de ()>);

impl<'de, T: Field<'de>> Serialize for Out<'_, 'de, T> {
    fn serialize<S: Serializer>(&self, serializer: S) -> Result<S::Ok, S::Error> {
        self.0.to_serde(serializer)
    }
}

fn out<'t, 'de, T: Field<'de>>(value: &'t T) -> Out<'t, 'de, T> {
    Out(value, PhantomData)
}

macro_rules! fields {
    ($($theirs:ty = $ours:ty;)*) => {$(
        impl<'de> Field<'de> for $theirs {
            #[inline]
            fn to_serde<S: Serializer>(&self, serializer: S) -> Result<S::Ok, S::Error> {
                <$ours>::from(*self).serialize(serializer)
            }

            #[inline]
            fn from_serde<D: Deserializer<'de>>(deserializer: D) -> Result<Self, D::Error> {
                <$ours as Deserialize<'de>>::deserialize(deserializer).map(Self::from)
            }
        }
    )*};
}

macro_rules! lists {
    ($($number:ty),*) => {$(
        fields! {
            [$number; 2] = Vector2<$number>;
            [$number; 3] = Vector3<$number>;
            [$number; 4] = Vector4<$number>;
        }

        impl<'de> Field<'de> for ($number, $number) {
            fn to_serde<S: Serializer>(&self, serializer: S) -> Result<S::Ok, S::Error> {
                Vector2::new(self.0, self.1).serialize(serializer)
            }

            fn from_serde<D: Deserializer<'de>>(deserializer: D) -> Result<Self, D::Error> {
                let Vector2 { x, y } = Vector2::deserialize(deserializer)?;
                Ok((x, y))
            }
        }

        impl<'de> Field<'de> for ($number, $number, $number) {
            fn to_serde<S: Serializer>(&self, serializer: S) -> Result<S::Ok, S::Error> {
                Vector3::new(self.0, self.1, self.2).serialize(serializer)
            }

            fn from_serde<D: Deserializer<'de>>(deserializer: D) -> Result<Self, D::Error> {
                let Vector3 { x, y, z } = Vector3::deserialize(deserializer)?;
                Ok((x, y, z))
            }
        }

        impl<'de> Field<'de> for ($number, $number, $number, $number) {
            fn to_serde<S: Serializer>(&self, serializer: S) -> Result<S::Ok, S::Error> {
                Vector4::new(self.0, self.1, self.2, self.3).serialize(serializer)
            }

            fn from_serde<D: Deserializer<'de>>(deserializer: D) -> Result<Self, D::Error> {
                let Vector4 { x, y, z, w } = Vector4::deserialize(deserializer)?;
                Ok((x, y, z, w))
            }
        }
    )*};
}
lists!(f32, f64, i32);

#[cfg(any(feature = "glam-033", feature = "glam-034"))]
mod glam {
    use gdvar_wire::for_glam;
    use serde_core::{Deserialize, Deserializer, Serialize, Serializer};

    use super::Field;

    #[cfg(feature = "glam-033")]
    for_glam!(fields, glam_033);
    #[cfg(feature = "glam-034")]
    for_glam!(fields, glam_034);
}

#[cfg(feature = "mint")]
mod mint_types {
    use gdvar_wire::math::{
        Basis, Projection, Quaternion, Transform2D, Transform3D, Vector2, Vector3, Vector4,
    };
    use serde_core::{Deserialize, Deserializer, Serialize, Serializer};

    use super::Field;

    fields! {
        mint::Vector2<f32> = Vector2<f32>;
        mint::Vector2<f64> = Vector2<f64>;
        mint::Vector2<i32> = Vector2<i32>;
        mint::Point2<f32> = Vector2<f32>;
        mint::Point2<f64> = Vector2<f64>;
        mint::Point2<i32> = Vector2<i32>;
        mint::Vector3<f32> = Vector3<f32>;
        mint::Vector3<f64> = Vector3<f64>;
        mint::Vector3<i32> = Vector3<i32>;
        mint::Point3<f32> = Vector3<f32>;
        mint::Point3<f64> = Vector3<f64>;
        mint::Point3<i32> = Vector3<i32>;
        mint::Vector4<f32> = Vector4<f32>;
        mint::Vector4<f64> = Vector4<f64>;
        mint::Vector4<i32> = Vector4<i32>;
        mint::Quaternion<f32> = Quaternion<f32>;
        mint::Quaternion<f64> = Quaternion<f64>;
        mint::RowMatrix3<f32> = Basis<f32>;
        mint::RowMatrix3<f64> = Basis<f64>;
        mint::ColumnMatrix3<f32> = Basis<f32>;
        mint::ColumnMatrix3<f64> = Basis<f64>;
        mint::ColumnMatrix2x3<f32> = Transform2D<f32>;
        mint::ColumnMatrix2x3<f64> = Transform2D<f64>;
        mint::ColumnMatrix3x4<f32> = Transform3D<f32>;
        mint::ColumnMatrix3x4<f64> = Transform3D<f64>;
        mint::ColumnMatrix4<f32> = Projection<f32>;
        mint::ColumnMatrix4<f64> = Projection<f64>;
    }
}

impl<'de, T: Field<'de>> Field<'de> for Option<T> {
    fn to_serde<S: Serializer>(&self, serializer: S) -> Result<S::Ok, S::Error> {
        match self {
            Some(value) => serializer.serialize_some(&out(value)),
            None => serializer.serialize_none(),
        }
    }

    fn from_serde<D: Deserializer<'de>>(deserializer: D) -> Result<Self, D::Error> {
        let value: Option<Math<T>> = Option::deserialize(deserializer)?;
        Ok(value.map(|value| value.0))
    }
}

impl<'de, T: Field<'de>> Field<'de> for Vec<T> {
    fn to_serde<S: Serializer>(&self, serializer: S) -> Result<S::Ok, S::Error> {
        serializer.collect_seq(self.iter().map(out))
    }

    fn from_serde<D: Deserializer<'de>>(deserializer: D) -> Result<Self, D::Error> {
        struct Items<T>(PhantomData<T>);
        impl<'de, T: Field<'de>> Visitor<'de> for Items<T> {
            type Value = Vec<T>;
            fn expecting(&self, f: &mut fmt::Formatter<'_>) -> fmt::Result {
                f.write_str("a list of vectors or matrices")
            }
            fn visit_seq<A: SeqAccess<'de>>(self, mut items: A) -> Result<Vec<T>, A::Error> {
                let mut all = Vec::new();
                while let Some(Math(item)) = items.next_element()? {
                    all.push(item);
                }
                Ok(all)
            }
        }
        deserializer.deserialize_seq(Items(PhantomData))
    }
}

/// Implements `Field` for maps whose keys are vectors.
macro_rules! maps {
    ($map:ident<K, V $(, $state:ident: $($bound:ident)|+)?> where K: $($key:ident)|+) => {
        impl<'de, K, V, $($state)?> Field<'de> for $map<K, V, $($state)?>
        where
            K: Field<'de> $(+ $key)+,
            V: Serialize + Deserialize<'de>,
            $($state: $($bound +)+,)?
        {
            fn to_serde<Z: Serializer>(&self, serializer: Z) -> Result<Z::Ok, Z::Error> {
                serializer.collect_map(self.iter().map(|(key, value)| (out(key), value)))
            }

            fn from_serde<D: Deserializer<'de>>(deserializer: D) -> Result<Self, D::Error> {
                struct Pairs<M>(PhantomData<M>);
                impl<'de, K, V, $($state)?> Visitor<'de> for Pairs<$map<K, V, $($state)?>>
                where
                    K: Field<'de> $(+ $key)+,
                    V: Serialize + Deserialize<'de>,
                    $($state: $($bound +)+,)?
                {
                    type Value = $map<K, V, $($state)?>;
                    fn expecting(&self, f: &mut fmt::Formatter<'_>) -> fmt::Result {
                        f.write_str("a Dictionary with vectors as keys")
                    }
                    fn visit_map<A: MapAccess<'de>>(
                        self,
                        mut pairs: A,
                    ) -> Result<Self::Value, A::Error> {
                        let mut all: Self::Value = Default::default();
                        while let Some((Math(key), value)) = pairs.next_entry()? {
                            all.insert(key, value);
                        }
                        Ok(all)
                    }
                }
                deserializer.deserialize_map(Pairs(PhantomData::<Self>))
            }
        }
    };
}
maps!(BTreeMap<K, V> where K: Ord);

#[cfg(feature = "std")]
mod hashed {
    use core::{
        fmt,
        hash::{BuildHasher, Hash},
        marker::PhantomData,
    };
    use std::collections::HashMap;

    use serde_core::{
        Deserialize, Deserializer, Serialize, Serializer,
        de::{MapAccess, Visitor},
    };

    use super::{Field, Math, out};

    maps!(HashMap<K, V, H: BuildHasher | Default> where K: Eq | Hash);
}
