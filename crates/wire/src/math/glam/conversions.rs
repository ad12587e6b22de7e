// Conversions for one version of glam, which `glam` names. `glam.rs` includes this file in a module for each
// version.

use glam::{
    Affine2, Affine3, Affine3A, DAffine2, DAffine3, DMat3, DMat4, DQuat, DVec2, DVec3, DVec4,
    IVec2, IVec3, IVec4, Mat3, Mat3A, Mat4, Quat, Vec2, Vec3, Vec3A, Vec4,
};

use crate::math::{
    Basis, NotAffine, Projection, Quaternion, Transform2D, Transform3D, Vector2, Vector3, Vector4,
};

/// Implements both conversions for types with the same components in the same order.
macro_rules! alike {
    ($($ours:ident<$component:ty> = $theirs:ident { $($field:ident),* };)*) => {$(
        impl From<$theirs> for $ours<$component> {
            #[inline]
            fn from(value: $theirs) -> Self {
                $ours { $($field: value.$field),* }
            }
        }

        impl From<$ours<$component>> for $theirs {
            #[inline]
            fn from(value: $ours<$component>) -> Self {
                $theirs::from_array([$(value.$field),*])
            }
        }
    )*};
}
alike! {
    Vector2<f32> = Vec2 { x, y };
    Vector2<f64> = DVec2 { x, y };
    Vector2<i32> = IVec2 { x, y };
    Vector3<f32> = Vec3 { x, y, z };
    Vector3<f32> = Vec3A { x, y, z };
    Vector3<f64> = DVec3 { x, y, z };
    Vector3<i32> = IVec3 { x, y, z };
    Vector4<f32> = Vec4 { x, y, z, w };
    Vector4<f64> = DVec4 { x, y, z, w };
    Vector4<i32> = IVec4 { x, y, z, w };
    Quaternion<f32> = Quat { x, y, z, w };
    Quaternion<f64> = DQuat { x, y, z, w };
}

/// Implements both conversions for 3×3 matrices.
macro_rules! bases {
    ($($component:ty: $matrix:ident;)*) => {$(
        impl From<$matrix> for Basis<$component> {
            #[inline]
            fn from(value: $matrix) -> Self {
                Basis::from_columns(value.x_axis.into(), value.y_axis.into(), value.z_axis.into())
            }
        }

        impl From<Basis<$component>> for $matrix {
            #[inline]
            fn from(value: Basis<$component>) -> Self {
                $matrix::from_cols(value.x().into(), value.y().into(), value.z().into())
            }
        }
    )*};
}
bases! { f32: Mat3; f32: Mat3A; f64: DMat3; }

/// Implements the conversions of 2D transforms: from and into affine types, and 3×3 matrices.
macro_rules! transforms_2d {
    ($($component:ty: $affine:ident, $matrix:ident, $row:ident;)*) => {$(
        impl From<$affine> for Transform2D<$component> {
            #[inline]
            fn from(value: $affine) -> Self {
                Transform2D {
                    x: value.matrix2.x_axis.into(),
                    y: value.matrix2.y_axis.into(),
                    origin: value.translation.into(),
                }
            }
        }

        impl From<Transform2D<$component>> for $affine {
            #[inline]
            fn from(value: Transform2D<$component>) -> Self {
                $affine::from_cols(value.x.into(), value.y.into(), value.origin.into())
            }
        }

        impl From<Transform2D<$component>> for $matrix {
            #[inline]
            fn from(value: Transform2D<$component>) -> Self {
                $affine::from(value).into()
            }
        }

        impl TryFrom<$matrix> for Transform2D<$component> {
            type Error = NotAffine;

            #[inline]
            fn try_from(value: $matrix) -> Result<Self, NotAffine> {
                if value.row(2) != $row::new(0.0, 0.0, 1.0) {
                    return Err(NotAffine);
                }
                Ok($affine::from_mat3(value).into())
            }
        }
    )*};
}
transforms_2d! { f32: Affine2, Mat3, Vec3; f64: DAffine2, DMat3, DVec3; }

/// Implements both conversions for 3D transforms.
macro_rules! affine {
    ($($component:ty: $affine:ident;)*) => {$(
        impl From<$affine> for Transform3D<$component> {
            #[inline]
            fn from(value: $affine) -> Self {
                Transform3D { basis: value.matrix3.into(), origin: value.translation.into() }
            }
        }

        impl From<Transform3D<$component>> for $affine {
            #[inline]
            fn from(value: Transform3D<$component>) -> Self {
                $affine { matrix3: value.basis.into(), translation: value.origin.into() }
            }
        }
    )*};
}
affine! { f32: Affine3; f32: Affine3A; f64: DAffine3; }

/// Implements the conversions of 4×4 matrices: projections, and transforms where the last row
/// allows it.
macro_rules! matrices {
    ($($component:ty: $matrix:ident, $affine:ident, $row:ident;)*) => {$(
        impl From<$matrix> for Projection<$component> {
            #[inline]
            fn from(value: $matrix) -> Self {
                Projection {
                    x: value.x_axis.into(),
                    y: value.y_axis.into(),
                    z: value.z_axis.into(),
                    w: value.w_axis.into(),
                }
            }
        }

        impl From<Projection<$component>> for $matrix {
            #[inline]
            fn from(value: Projection<$component>) -> Self {
                $matrix::from_cols(value.x.into(), value.y.into(), value.z.into(), value.w.into())
            }
        }

        impl From<Transform3D<$component>> for $matrix {
            #[inline]
            fn from(value: Transform3D<$component>) -> Self {
                $affine::from(value).into()
            }
        }

        impl TryFrom<$matrix> for Transform3D<$component> {
            type Error = NotAffine;

            #[inline]
            fn try_from(value: $matrix) -> Result<Self, NotAffine> {
                if value.row(3) != $row::new(0.0, 0.0, 0.0, 1.0) {
                    return Err(NotAffine);
                }
                Ok($affine::from_mat4(value).into())
            }
        }
    )*};
}
matrices! { f32: Mat4, Affine3A, Vec4; f64: DMat4, DAffine3, DVec4; }
