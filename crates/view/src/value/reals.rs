//! The components of floats and math types, and whether they look misread.

use gdvar_wire::{layout, widen};

use crate::value::variant::VariantRef;

/// Returns the components of a math type of reals as `f64`, and their number.
pub(crate) fn reals(value: VariantRef<'_>) -> Option<([f64; 16], usize)> {
    let kind = value.kind();
    let (number, names) = layout::numbers(kind)?;
    if kind.component_count() == 0 || kind.has_ints() {
        return None;
    }
    let size = number.size(value.is_wide());
    let payload = value.bytes().get(value.offset()..)?.get(4..)?;
    let mut out = [0.0; 16];
    for (to, raw) in out
        .iter_mut()
        .zip(payload.chunks_exact(size))
        .take(names.len())
    {
        *to = match raw.first_chunk::<8>() {
            Some(raw) => f64::from_le_bytes(*raw),
            None => widen(f32::from_le_bytes(*raw.first_chunk()?)),
        };
    }
    Some((out, names.len()))
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
