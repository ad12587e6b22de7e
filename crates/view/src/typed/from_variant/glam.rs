//! The types of glam as what a value can be asked for (feature `glam-034`).

use gdvar_wire::{
    Dialect,
    math::{Basis, Projection, Quaternion, Transform2D, Transform3D, Vector2, Vector3, Vector4},
};
use glam_034::{
    Affine2, Affine3, Affine3A, DAffine2, DAffine3, DMat3, DMat4, DQuat, DVec2, DVec3, DVec4,
    IVec2, IVec3, IVec4, Mat3, Mat3A, Mat4, Quat, Vec2, Vec3, Vec3A, Vec4,
};

use super::{
    FromVariant,
    convert::{Convert, Place},
};
use crate::{typed::mismatch::Mismatch, value::variant::VariantRef};

macro_rules! from_ours {
    ($($theirs:ident = $ours:ident<$component:ty>;)*) => {$(
        impl<'a> FromVariant<'a> for $theirs {}

        impl<'a> Convert<'a> for $theirs {
            #[inline]
            fn convert(value: VariantRef<'a>, levels: u8) -> Result<Self, Mismatch> {
                <$ours<$component>>::convert(value, levels).map(Into::into)
            }


            #[inline(always)]
            fn header(dialect: Dialect) -> Option<u32> {
                <$ours<$component>>::header(dialect)
            }

            #[inline(always)]
            fn headed(value: &'a [u8], place: Place<'a>) -> Option<(Self, &'a [u8])> {
                let (ours, behind) = <$ours<$component>>::headed(value, place)?;
                Some((ours.into(), behind))
            }
        }
    )*};
}

from_ours! {
    Vec2 = Vector2<f32>;
    DVec2 = Vector2<f64>;
    IVec2 = Vector2<i32>;
    Vec3 = Vector3<f32>;
    Vec3A = Vector3<f32>;
    DVec3 = Vector3<f64>;
    IVec3 = Vector3<i32>;
    Vec4 = Vector4<f32>;
    DVec4 = Vector4<f64>;
    IVec4 = Vector4<i32>;
    Quat = Quaternion<f32>;
    DQuat = Quaternion<f64>;
    Mat3 = Basis<f32>;
    Mat3A = Basis<f32>;
    DMat3 = Basis<f64>;
    Affine2 = Transform2D<f32>;
    DAffine2 = Transform2D<f64>;
    Affine3 = Transform3D<f32>;
    Affine3A = Transform3D<f32>;
    DAffine3 = Transform3D<f64>;
    Mat4 = Projection<f32>;
    DMat4 = Projection<f64>;
}
