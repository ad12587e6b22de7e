//! The components of floats and math types, and whether they look misread.

use gdvar_wire::Kind;

use crate::value::variant::VariantRef;

/// Returns the components of a math type of reals as `f64`, and their number.
pub(crate) fn reals(value: VariantRef<'_>) -> Option<([f64; 16], usize)> {
    let mut out = [0.0; 16];
    let mut put = |components: &[f64]| {
        for (to, from) in out.iter_mut().zip(components) {
            *to = *from;
        }
        components.len()
    };
    let len = match value.kind() {
        Kind::Vector2 => put(&<[f64; 2]>::from(value.as_vector2_f64()?)),
        Kind::Vector3 => put(&<[f64; 3]>::from(value.as_vector3_f64()?)),
        Kind::Vector4 => put(&<[f64; 4]>::from(value.as_vector4_f64()?)),
        Kind::Rect2 => put(&<[f64; 4]>::from(value.as_rect2_f64()?)),
        Kind::Transform2D => put(&<[f64; 6]>::from(value.as_transform2d_f64()?)),
        Kind::Plane => put(&<[f64; 4]>::from(value.as_plane_f64()?)),
        Kind::Quaternion => put(&<[f64; 4]>::from(value.as_quaternion_f64()?)),
        Kind::Aabb => put(&<[f64; 6]>::from(value.as_aabb_f64()?)),
        Kind::Basis => put(&<[f64; 9]>::from(value.as_basis_f64()?)),
        Kind::Transform3D => put(&<[f64; 12]>::from(value.as_transform3d_f64()?)),
        Kind::Projection => put(&<[f64; 16]>::from(value.as_projection_f64()?)),
        Kind::Color => put(&<[f32; 4]>::from(value.as_color()?).map(f64::from)),
        _ => return None,
    };
    Some((out, len))
}

/// True if a float is NaN, subnormal as an f32, or larger than 1e30 in size. Real data rarely contain such
/// floats, but counts and text look like this when they are misread as floats.
pub(crate) fn is_odd_float(value: f64) -> bool {
    let size = value.abs();
    value.is_nan() || size > 1e30 || (size > 0.0 && size < f64::from(f32::MIN_POSITIVE))
}

/// Returns how many components of a float or math type are odd.
pub(crate) fn odd_components(value: VariantRef<'_>) -> u32 {
    if let Some(float) = value.as_f64() {
        return u32::from(is_odd_float(float));
    }
    match reals(value) {
        Some((components, len)) => {
            let own = components.iter().take(len);
            own.filter(|&&component| is_odd_float(component)).count() as u32
        }
        None => 0,
    }
}
