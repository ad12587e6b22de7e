//! Rust types that a value can be asked for.

use gdvar_wire::{
    Element, F32, F64, I32, I64,
    math::{
        Aabb, Basis, Color, Plane, Projection, Quaternion, Rect2, Transform2D, Transform3D,
        Vector2, Vector3, Vector4,
    },
};

use crate::{
    containers::{ArrayRef, DictRef},
    names::NodePathRef,
    object::ObjectRef,
    packed::{PackedRef, PackedStrings},
    text::StrRef,
    variant::VariantRef,
};

/// A type that one kind of value turns into: the type parameter of
/// [`Document::get_as`](crate::Document::get_as).
///
/// Nothing is converted between kinds: an `int` is no `f64`. Math types of reals take either width.
pub trait FromVariant<'a>: Sized {
    /// The value as this type, `None` if it is of another kind.
    fn from_variant(value: VariantRef<'a>) -> Option<Self>;
}

macro_rules! from_variant {
    ($($ty:ty = $method:ident;)*) => {$(
        impl<'a> FromVariant<'a> for $ty {
            fn from_variant(value: VariantRef<'a>) -> Option<Self> {
                value.$method()
            }
        }
    )*};
}

from_variant! {
    bool = as_bool;
    i64 = as_i64;
    f64 = as_f64;
    &'a str = as_str;
    &'a [u8] = as_bytes;
    StrRef<'a> = as_text;
    NodePathRef<'a> = as_node_path;
    ArrayRef<'a> = as_array;
    DictRef<'a> = as_dict;
    ObjectRef<'a> = as_object;
    Vector2<f32> = as_vector2;
    Vector2<f64> = as_vector2_f64;
    Vector2<i32> = as_vector2i;
    Vector3<f32> = as_vector3;
    Vector3<f64> = as_vector3_f64;
    Vector3<i32> = as_vector3i;
    Vector4<f32> = as_vector4;
    Vector4<f64> = as_vector4_f64;
    Vector4<i32> = as_vector4i;
    Rect2<f32> = as_rect2;
    Rect2<f64> = as_rect2_f64;
    Rect2<i32> = as_rect2i;
    Transform2D<f32> = as_transform2d;
    Transform2D<f64> = as_transform2d_f64;
    Plane<f32> = as_plane;
    Plane<f64> = as_plane_f64;
    Quaternion<f32> = as_quaternion;
    Quaternion<f64> = as_quaternion_f64;
    Aabb<f32> = as_aabb;
    Aabb<f64> = as_aabb_f64;
    Basis<f32> = as_basis;
    Basis<f64> = as_basis_f64;
    Transform3D<f32> = as_transform3d;
    Transform3D<f64> = as_transform3d_f64;
    Projection<f32> = as_projection;
    Projection<f64> = as_projection_f64;
    Color<f32> = as_color;
    PackedRef<'a, I32> = as_i32s;
    PackedRef<'a, I64> = as_i64s;
    PackedRef<'a, F32> = as_f32s;
    PackedRef<'a, F64> = as_f64s;
    PackedRef<'a, Color<F32>> = as_colors;
    PackedStrings<'a> = as_strings;
}

impl<'a> FromVariant<'a> for VariantRef<'a> {
    fn from_variant(value: VariantRef<'a>) -> Option<Self> {
        Some(value)
    }
}

impl<'a> FromVariant<'a> for i32 {
    /// An `int` in the range of an `i32`.
    fn from_variant(value: VariantRef<'a>) -> Option<Self> {
        i32::try_from(value.as_i64()?).ok()
    }
}

/// A packed array as a native slice, where its address allows: see [`PackedRef::as_native`].
fn native<'a, T: Element>(packed: Option<PackedRef<'a, T>>) -> Option<&'a [T::Native]> {
    packed?.as_native()
}

macro_rules! native_slices {
    ($($ty:ty = $method:ident;)*) => {$(
        impl<'a> FromVariant<'a> for &'a [$ty] {
            /// `None` also where the address is not aligned; the view by [`PackedRef`] always
            /// exists.
            fn from_variant(value: VariantRef<'a>) -> Option<Self> {
                native(value.$method())
            }
        }
    )*};
}

native_slices! {
    i32 = as_i32s;
    i64 = as_i64s;
    f32 = as_f32s;
    f64 = as_f64s;
}
