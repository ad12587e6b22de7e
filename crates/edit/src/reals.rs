//! Reads the components of math types, such as Vector2 and Transform2D, as doubles.

use gdvar_view::{Kind, VariantRef};

/// Returns the components of a math type as doubles. `None` if `value` is of another type.
pub(crate) fn reals(value: VariantRef<'_>) -> Option<Vec<f64>> {
    Some(match value.kind() {
        Kind::Vector2 => <[f64; 2]>::from(value.as_vector2_f64()?).to_vec(),
        Kind::Vector3 => <[f64; 3]>::from(value.as_vector3_f64()?).to_vec(),
        Kind::Vector4 => <[f64; 4]>::from(value.as_vector4_f64()?).to_vec(),
        Kind::Rect2 => <[f64; 4]>::from(value.as_rect2_f64()?).to_vec(),
        Kind::Transform2D => <[f64; 6]>::from(value.as_transform2d_f64()?).to_vec(),
        Kind::Plane => <[f64; 4]>::from(value.as_plane_f64()?).to_vec(),
        Kind::Quaternion => <[f64; 4]>::from(value.as_quaternion_f64()?).to_vec(),
        Kind::Aabb => <[f64; 6]>::from(value.as_aabb_f64()?).to_vec(),
        Kind::Basis => <[f64; 9]>::from(value.as_basis_f64()?).to_vec(),
        Kind::Transform3D => <[f64; 12]>::from(value.as_transform3d_f64()?).to_vec(),
        Kind::Projection => <[f64; 16]>::from(value.as_projection_f64()?).to_vec(),
        Kind::Color => <[f32; 4]>::from(value.as_color()?).map(f64::from).to_vec(),
        _ => return None,
    })
}
