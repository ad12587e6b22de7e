//! The types of mint from and to [`Variant`] (feature `mint`).

use gdvar_view::math::{
    Basis, Projection, Quaternion, Transform2D, Transform3D, Vector2, Vector3, Vector4,
};

use crate::{Variant, try_from::by_way_of};

by_way_of! {
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
