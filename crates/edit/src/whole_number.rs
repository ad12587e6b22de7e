//! [`whole_number`]: the int that a float was meant to be.

/// The result of [`whole_number`].
#[derive(Clone, Copy, PartialEq, Eq, Debug)]
pub(crate) enum WholeNumber {
    Int(i64),
    /// The float equals an int, but other whole numbers are rounded to the same float.
    MaybeRounded,
    /// No int equals the float: a fraction, -0.0, infinity, not a number, or beyond 64 bits.
    No,
}

/// Returns the int that a float was certainly meant to be. From 2⁵³ on this is unknown, because several whole
/// numbers round to one float: 9007199254740993.0 is read as 9007199254740992.0.
pub(crate) fn whole_number(float: f64) -> WholeNumber {
    const EXACT: f64 = 9_007_199_254_740_992.0;
    const END: f64 = 9_223_372_036_854_775_808.0;
    let is_whole = float.fract() == 0.0 && float.to_bits() != (-0.0_f64).to_bits();
    match float.abs() < EXACT {
        true if is_whole => WholeNumber::Int(float as i64),
        false if (-END..END).contains(&float) => WholeNumber::MaybeRounded,
        _ => WholeNumber::No,
    }
}
