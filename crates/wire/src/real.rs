//! Conversions between `f32` and `f64` that give the engines' bits.

/// Widens an `f32` without loss. A NaN becomes quiet and keeps its payload in the top bits
/// ([`docs/FORMAT.md` §2.3] and §3.1).
///
/// ```
/// let wide = gdvar_wire::widen(f32::from_bits(0x7fa0_0001));
/// assert_eq!(wide.to_bits(), 0x7ffc_0000_2000_0000);
/// ```
///
/// [`docs/FORMAT.md` §2.3]: https://github.com/gdvar/gdvar/blob/main/docs/FORMAT.md#23-double-precision-engine-builds
#[inline]
#[must_use]
pub fn widen(value: f32) -> f64 {
    if value.is_nan() {
        let bits = value.to_bits();
        let sign = u64::from(bits >> 31) << 63;
        let payload = u64::from(bits & 0x007f_ffff) << 29;
        return f64::from_bits(sign | 0x7ff8_0000_0000_0000 | payload);
    }
    f64::from(value)
}

/// Narrows an `f64` as a single-precision engine does: to the nearest, ties to even, and to
/// infinity if it is too large. A NaN becomes quiet and keeps the top of its payload
/// ([`docs/FORMAT.md` §2.3]).
///
/// [`docs/FORMAT.md` §2.3]: https://github.com/gdvar/gdvar/blob/main/docs/FORMAT.md#23-double-precision-engine-builds
#[inline]
#[must_use]
pub fn narrow(value: f64) -> f32 {
    if value.is_nan() {
        let bits = value.to_bits();
        let sign = ((bits >> 63) as u32) << 31;
        let payload = (bits >> 29) as u32 & 0x007f_ffff;
        return f32::from_bits(sign | 0x7fc0_0000 | payload);
    }
    value as f32
}

/// Returns `true` if an `f32` holds the value exactly; the engines then write 32 bits. True for
/// zeros, infinities and subnormals of `f32`, never for a NaN ([`docs/FORMAT.md` §5]).
///
/// [`docs/FORMAT.md` §5]: https://github.com/gdvar/gdvar/blob/main/docs/FORMAT.md#5-canonical-encoder-choices
#[inline]
#[must_use]
pub fn fits_f32(value: f64) -> bool {
    f64::from(value as f32) == value
}
