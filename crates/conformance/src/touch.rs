//! Calls every getter of a value without allocating.

use gdvar::{VariantRef, values::Packed};

/// Calls every getter of a value, recursing at most `levels` deep, and returns a sum of the results.
///
/// # Panics
/// If two ways to a number give different numbers.
pub fn touch(value: VariantRef<'_>, levels: u32) -> u64 {
    let mut seen = (value.kind() as u64).wrapping_add(value.as_i64().unwrap_or(1) as u64);
    let mut add = |more: u64| seen = seen.wrapping_mul(31).wrapping_add(more);
    macro_rules! presence {
        ($($getter:ident)*) => { $(add(u64::from(value.$getter().is_some()));)* };
    }
    presence! {
        as_bool as_number as_text as_signal as_rid as_color as_image as_input_event
        as_vector2 as_vector2_real as_vector3 as_vector3_real as_vector4 as_vector4_f64
        as_rect2 as_rect2_f64 as_plane as_plane_f64 as_quaternion as_quaternion_f64
        as_aabb as_aabb_f64 as_basis as_basis_f64 as_transform2d as_transform2d_f64
        as_transform3d as_transform3d_f64 as_projection as_projection_f64
        as_vector2i as_vector3i as_vector4i as_rect2i as_vector2s as_vector3s as_vector4s
        as_vector2is as_vector3is as_vector4is as_colors as_f64s as_bytes
    }
    add(u64::from(value.is_nil()) + u64::from(value.is_wide()));
    add(value.as_f64().map_or(0, f64::to_bits));
    add(value.as_str().map_or(0, str::len) as u64);
    add(value.as_vector3_f64().map_or(0, |v| v.z.to_bits()));
    add(value.packed_len().unwrap_or(7) as u64);
    if let Some(text) = value.as_text() {
        add(text.codes().map(u64::from).sum());
        add(u64::from(text.check().is_ok()));
    }
    if let Some(Packed::Int64(all)) = value.as_packed() {
        add(all.iter().fold(0, i64::wrapping_add) as u64);
        // The slice is available only at some addresses. Its contents must not depend on the address.
        if let Some(native) = all.as_native() {
            assert!(all.iter().eq(native.iter().copied()));
        }
        assert_eq!(all.get(all.len()), None);
    }
    if let Some(all) = value.as_i32s() {
        add(all.iter().fold(0, i32::wrapping_add) as u64);
    }
    if let Some(all) = value.as_f32s() {
        add(all.iter().map(|f| u64::from(f.to_bits())).sum());
    }
    if let Some(path) = value.as_node_path() {
        add(path.parts().flatten().count() as u64);
        add(path
            .names()
            .flatten()
            .chain(path.subnames().flatten())
            .count() as u64);
        add(u64::from(path.is_absolute()));
    }
    if let Some(all) = value.as_strings() {
        add(all
            .iter()
            .flatten()
            .map(|text| text.raw().len() as u64)
            .sum());
    }
    if levels == 0 {
        return seen;
    }
    let mut below = |child: VariantRef<'_>| add(touch(child, levels - 1));
    if let Some(array) = value.as_array() {
        array.iter().flatten().for_each(below);
    } else if let Some(dict) = value.as_dict() {
        for (key, value) in dict.iter().flatten() {
            below(key);
            below(value);
        }
    } else if let Some(object) = value.as_object() {
        object.iter().flatten().for_each(|(_, child)| below(child));
    }
    seen
}
