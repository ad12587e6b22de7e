//! Conversions from and into the types of glam 0.33 and 0.34.
//!
//! Components keep their values: both sides are right-handed and multiply a matrix by a column
//! vector. glam stores matrices by columns and [`Basis`](super::Basis) stores rows, so the
//! conversion transposes a `Basis`.

#[cfg(feature = "glam-033")]
mod glam_033 {
    use ::glam_033 as glam;
    include!("glam/conversions.rs");
}

#[cfg(feature = "glam-034")]
mod glam_034 {
    use ::glam_034 as glam;
    include!("glam/conversions.rs");
}

/// Calls a macro with each type of a version of glam (`glam_033`, `glam_034`) and the type of Godot
/// that it converts to. Crates that implement more traits for these types use this list too, so it
/// exists only once.
#[doc(hidden)]
#[macro_export]
macro_rules! for_glam {
    ($each:ident, $glam:ident) => {
        $each! {
            ::$glam::Vec2 = $crate::math::Vector2<f32>;
            ::$glam::DVec2 = $crate::math::Vector2<f64>;
            ::$glam::IVec2 = $crate::math::Vector2<i32>;
            ::$glam::Vec3 = $crate::math::Vector3<f32>;
            ::$glam::Vec3A = $crate::math::Vector3<f32>;
            ::$glam::DVec3 = $crate::math::Vector3<f64>;
            ::$glam::IVec3 = $crate::math::Vector3<i32>;
            ::$glam::Vec4 = $crate::math::Vector4<f32>;
            ::$glam::DVec4 = $crate::math::Vector4<f64>;
            ::$glam::IVec4 = $crate::math::Vector4<i32>;
            ::$glam::Quat = $crate::math::Quaternion<f32>;
            ::$glam::DQuat = $crate::math::Quaternion<f64>;
            ::$glam::Mat3 = $crate::math::Basis<f32>;
            ::$glam::Mat3A = $crate::math::Basis<f32>;
            ::$glam::DMat3 = $crate::math::Basis<f64>;
            ::$glam::Affine2 = $crate::math::Transform2D<f32>;
            ::$glam::DAffine2 = $crate::math::Transform2D<f64>;
            ::$glam::Affine3 = $crate::math::Transform3D<f32>;
            ::$glam::Affine3A = $crate::math::Transform3D<f32>;
            ::$glam::DAffine3 = $crate::math::Transform3D<f64>;
            ::$glam::Mat4 = $crate::math::Projection<f32>;
            ::$glam::DMat4 = $crate::math::Projection<f64>;
        }
    };
}
