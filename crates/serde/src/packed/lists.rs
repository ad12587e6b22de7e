//! The list types that can be written as packed arrays, and read from them.

use alloc::{boxed::Box, collections::VecDeque, vec::Vec};

use serde_core::{Deserialize, Deserializer, Serialize, Serializer, de};

use super::PackedItem;

/// A list that can be written as a packed array: a slice, a boxed slice, a `Vec`, an array, a
/// `VecDeque`, or an `Option` of one of these, whose `None` is null.
pub trait PackedList<'i> {
    #[doc(hidden)]
    fn to_packed<S: Serializer>(&self, serializer: S) -> Result<S::Ok, S::Error>;
}

/// A list that can be read from a packed array: a `Vec`, a boxed slice, an array of the same
/// length, a `VecDeque`, or an `Option` of one of these, which is `None` for null.
pub trait FromPacked<'de>: Sized {
    #[doc(hidden)]
    fn from_packed<D: Deserializer<'de>>(deserializer: D) -> Result<Self, D::Error>;
}

macro_rules! slices {
    ($([$($param:tt)*] $list:ty;)*) => {$(
        impl<'i, T: PackedItem<'i>, $($param)*> PackedList<'i> for $list {
            fn to_packed<S: Serializer>(&self, serializer: S) -> Result<S::Ok, S::Error> {
                T::serialize(self, serializer)
            }
        }
    )*};
}
slices! {
    [] [T];
    [] &[T];
    [] Vec<T>;
    [] Box<[T]>;
    [const N: usize] [T; N];
}

impl<'i, T: PackedItem<'i> + Clone> PackedList<'i> for VecDeque<T> {
    fn to_packed<S: Serializer>(&self, serializer: S) -> Result<S::Ok, S::Error> {
        match self.as_slices() {
            (all, []) => T::serialize(all, serializer),
            (front, back) => T::serialize(&[front, back].concat(), serializer),
        }
    }
}

/// A list in an `Option` that is being written.
struct Out<'t, L>(&'t L);

impl<L: for<'a> PackedList<'a>> Serialize for Out<'_, L> {
    fn serialize<S: Serializer>(&self, serializer: S) -> Result<S::Ok, S::Error> {
        self.0.to_packed(serializer)
    }
}

impl<'i, L: for<'a> PackedList<'a>> PackedList<'i> for Option<L> {
    fn to_packed<S: Serializer>(&self, serializer: S) -> Result<S::Ok, S::Error> {
        match self {
            Some(list) => serializer.serialize_some(&Out(list)),
            None => serializer.serialize_none(),
        }
    }
}

impl<'de, T: PackedItem<'de>> FromPacked<'de> for Vec<T> {
    fn from_packed<D: Deserializer<'de>>(deserializer: D) -> Result<Self, D::Error> {
        T::deserialize(deserializer)
    }
}

impl<'de, T: PackedItem<'de>> FromPacked<'de> for Box<[T]> {
    fn from_packed<D: Deserializer<'de>>(deserializer: D) -> Result<Self, D::Error> {
        T::deserialize(deserializer).map(Vec::into_boxed_slice)
    }
}

impl<'de, T: PackedItem<'de>> FromPacked<'de> for VecDeque<T> {
    fn from_packed<D: Deserializer<'de>>(deserializer: D) -> Result<Self, D::Error> {
        T::deserialize(deserializer).map(VecDeque::from)
    }
}

impl<'de, T: PackedItem<'de>, const N: usize> FromPacked<'de> for [T; N] {
    fn from_packed<D: Deserializer<'de>>(deserializer: D) -> Result<Self, D::Error> {
        let all = T::deserialize(deserializer)?;
        all.try_into().map_err(|all: Vec<T>| {
            let expected = alloc::format!("a packed array of {N} elements");
            de::Error::invalid_length(all.len(), &expected.as_str())
        })
    }
}

/// A list in an `Option` that is being read.
struct In<L>(L);

impl<'de, L: FromPacked<'de>> Deserialize<'de> for In<L> {
    fn deserialize<D: Deserializer<'de>>(deserializer: D) -> Result<Self, D::Error> {
        L::from_packed(deserializer).map(In)
    }
}

impl<'de, L: FromPacked<'de>> FromPacked<'de> for Option<L> {
    fn from_packed<D: Deserializer<'de>>(deserializer: D) -> Result<Self, D::Error> {
        let list: Option<In<L>> = Deserialize::deserialize(deserializer)?;
        Ok(list.map(|list| list.0))
    }
}

/// Implements the traits for types of other libraries, which are converted from and to ours.
#[cfg(any(feature = "glam-033", feature = "glam-034", feature = "mint"))]
macro_rules! by_way_of {
    ($($theirs:ty = $ours:ty;)*) => {$(
        impl crate::packed::sealed::Sealed for $theirs {}

        impl<'de> PackedItem<'de> for $theirs {
            fn serialize<S: Serializer>(items: &[Self], serializer: S) -> Result<S::Ok, S::Error> {
                let items: Vec<$ours> = items.iter().map(|&item| item.into()).collect();
                <$ours>::serialize(&items, serializer)
            }

            fn deserialize<D: Deserializer<'de>>(deserializer: D) -> Result<Vec<Self>, D::Error> {
                let items = <$ours as PackedItem<'de>>::deserialize(deserializer)?;
                Ok(items.into_iter().map(Self::from).collect())
            }
        }
    )*};
}

#[cfg(any(feature = "glam-033", feature = "glam-034"))]
mod glam {
    use alloc::vec::Vec;

    use gdvar_wire::math::{Vector2, Vector3, Vector4};
    use serde_core::{Deserializer, Serializer};

    use super::PackedItem;

    macro_rules! vectors {
        ($glam:ident) => {
            by_way_of! {
                $glam::Vec2 = Vector2<f32>;
                $glam::DVec2 = Vector2<f64>;
                $glam::IVec2 = Vector2<i32>;
                $glam::Vec3 = Vector3<f32>;
                $glam::Vec3A = Vector3<f32>;
                $glam::DVec3 = Vector3<f64>;
                $glam::IVec3 = Vector3<i32>;
                $glam::Vec4 = Vector4<f32>;
                $glam::DVec4 = Vector4<f64>;
                $glam::IVec4 = Vector4<i32>;
            }
        };
    }

    #[cfg(feature = "glam-033")]
    vectors!(glam_033);
    #[cfg(feature = "glam-034")]
    vectors!(glam_034);
}

#[cfg(feature = "mint")]
mod of_mint {
    use alloc::vec::Vec;

    use gdvar_wire::math::{Vector2, Vector3, Vector4};
    use serde_core::{Deserializer, Serializer};

    use super::PackedItem;

    by_way_of! {
        mint::Vector2<f32> = Vector2<f32>;
        mint::Vector2<f64> = Vector2<f64>;
        mint::Vector3<f32> = Vector3<f32>;
        mint::Vector3<f64> = Vector3<f64>;
        mint::Vector4<f32> = Vector4<f32>;
        mint::Vector4<f64> = Vector4<f64>;
    }
}
