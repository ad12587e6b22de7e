//! Reads values as math types, views of packed arrays, and handles of containers.

use gdvar_wire::{
    Dialect, Element, F32, F64, I32, I64, Kind,
    math::{
        Aabb, Basis, Color, Plane, Projection, Quaternion, Rect2, Transform2D, Transform3D,
        Vector2, Vector3, Vector4,
    },
};
use zerocopy::FromBytes;

use super::{
    FromVariant,
    convert::{ReadContext, by_convert},
};
use crate::{
    bytes::common,
    typed::mismatch::{Mismatch, MismatchKind},
    value::{
        array::ArrayRef,
        dict::DictRef,
        node_path::NodePathRef,
        object::ObjectRef,
        packed::{PackedRef, PackedStrings},
        variant::VariantRef,
    },
};

/// Implements [`FromVariant`] for types that a method of [`VariantRef`] returns. Their values are always read
/// through a handle.
macro_rules! by_method {
    ($($ty:ty = $method:ident, $kind:ident;)*) => {$(
        impl<'a> FromVariant<'a> for $ty {
            by_convert!();

            fn convert(value: VariantRef<'a>, _: u8) -> Result<Self, Mismatch> {
                value.$method().ok_or_else(|| Mismatch::of_kind(value, Kind::$kind))
            }

            #[inline(always)]
            fn expect(_: u32, value: &'a [u8], context: ReadContext<'a>) -> Option<(Self, &'a [u8])> {
                context.value(value)
            }
        }
    )*};
}

by_method! {
    &'a [u8] = as_bytes, PackedByteArray;
    NodePathRef<'a> = as_node_path, NodePath;
    ArrayRef<'a> = as_array, Array;
    DictRef<'a> = as_dict, Dictionary;
    ObjectRef<'a> = as_object, Object;
    PackedRef<'a, I32> = as_i32s, PackedInt32Array;
    PackedRef<'a, I64> = as_i64s, PackedInt64Array;
    PackedRef<'a, F32> = as_f32s, PackedFloat32Array;
    PackedRef<'a, F64> = as_f64s, PackedFloat64Array;
    PackedRef<'a, Color<F32>> = as_colors, PackedColorArray;
    PackedStrings<'a> = as_strings, PackedStringArray;
}

/// Implements [`FromVariant`] for math types that a method of [`VariantRef`] returns. Their expected form has
/// numbers of the type's own width.
macro_rules! math {
    ($($ty:ty = $method:ident, $kind:ident, [$number:ty; $n:literal];)*) => {$(
        impl<'a> FromVariant<'a> for $ty {
            by_convert!();

            fn convert(value: VariantRef<'a>, _: u8) -> Result<Self, Mismatch> {
                value.$method().ok_or_else(|| Mismatch::of_kind(value, Kind::$kind))
            }


            #[inline(always)]
            fn header(dialect: Dialect) -> Option<u32> {
                common::header(Kind::$kind, dialect)
            }

            #[inline(always)]
            fn headed(value: &'a [u8], _: ReadContext<'a>) -> Option<(Self, &'a [u8])> {
                let payload = value.get(4..)?;
                let (raw, after) = <[$number; $n]>::read_from_prefix(payload).ok()?;
                Some((<$ty>::from(raw.map(<$number>::get)), after))
            }
        }
    )*};
}

math! {
    Vector2<f32> = as_vector2, Vector2, [F32; 2];
    Vector2<i32> = as_vector2i, Vector2i, [I32; 2];
    Vector3<f32> = as_vector3, Vector3, [F32; 3];
    Vector3<i32> = as_vector3i, Vector3i, [I32; 3];
    Vector4<f32> = as_vector4, Vector4, [F32; 4];
    Vector4<i32> = as_vector4i, Vector4i, [I32; 4];
    Rect2<f32> = as_rect2, Rect2, [F32; 4];
    Rect2<i32> = as_rect2i, Rect2i, [I32; 4];
    Transform2D<f32> = as_transform2d, Transform2D, [F32; 6];
    Plane<f32> = as_plane, Plane, [F32; 4];
    Quaternion<f32> = as_quaternion, Quaternion, [F32; 4];
    Aabb<f32> = as_aabb, Aabb, [F32; 6];
    Basis<f32> = as_basis, Basis, [F32; 9];
    Transform3D<f32> = as_transform3d, Transform3D, [F32; 12];
    Projection<f32> = as_projection, Projection, [F32; 16];
    Color<f32> = as_color, Color, [F32; 4];
}

by_method! {
    Vector2<f64> = as_vector2_f64, Vector2;
    Vector3<f64> = as_vector3_f64, Vector3;
    Vector4<f64> = as_vector4_f64, Vector4;
    Rect2<f64> = as_rect2_f64, Rect2;
    Transform2D<f64> = as_transform2d_f64, Transform2D;
    Plane<f64> = as_plane_f64, Plane;
    Quaternion<f64> = as_quaternion_f64, Quaternion;
    Aabb<f64> = as_aabb_f64, Aabb;
    Basis<f64> = as_basis_f64, Basis;
    Transform3D<f64> = as_transform3d_f64, Transform3D;
    Projection<f64> = as_projection_f64, Projection;
}

/// A packed array as a native slice, if its address is aligned: see [`PackedRef::as_native`].
fn native<'a, T: Element>(
    value: VariantRef<'a>,
    packed: Option<PackedRef<'a, T>>,
    kind: Kind,
) -> Result<&'a [T::Native], Mismatch> {
    let packed = packed.ok_or_else(|| Mismatch::of_kind(value, kind))?;
    let misaligned = || Mismatch::new(value.offset(), MismatchKind::Misaligned);
    packed.as_native().ok_or_else(misaligned)
}

macro_rules! native_slices {
    ($($ty:ty = $method:ident, $kind:ident;)*) => {$(
        impl<'a> FromVariant<'a> for &'a [$ty] {
            by_convert!();

            fn convert(value: VariantRef<'a>, _: u8) -> Result<Self, Mismatch> {
                native(value, value.$method(), Kind::$kind)
            }

            #[inline(always)]
            fn expect(_: u32, value: &'a [u8], context: ReadContext<'a>) -> Option<(Self, &'a [u8])> {
                context.value(value)
            }
        }
    )*};
}

native_slices! {
    i32 = as_i32s, PackedInt32Array;
    i64 = as_i64s, PackedInt64Array;
    f32 = as_f32s, PackedFloat32Array;
    f64 = as_f64s, PackedFloat64Array;
}
