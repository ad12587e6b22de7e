//! Writes numbers that may not fit the target, and reports those that are rounded.

use gdvar_view::VariantRef;
use gdvar_wire::{fits_f32, narrow, widen};

use super::{
    error::Result,
    report::{Loss, Report},
};
use crate::{
    sink::Sink,
    target::{IntRule, Precision},
    writer::Writer,
};

/// Returns `true` if the target shortens 64-bit reals: the target's precision is `Single`, or the
/// target is not Godot 4.
pub(super) fn narrows<S: Sink>(to: &Writer<S>) -> bool {
    to.target().precision() == Precision::Single || !to.dialect().has_wide_math()
}

/// Writes an int, or the nearest float if the target's ints have 32 bits and it does not fit.
pub(super) fn int<S: Sink>(
    int: i64,
    source: VariantRef<'_>,
    to: &mut Writer<S>,
    report: &mut Report,
) -> Result<(), S> {
    if to.target().int_rule() == IntRule::Always32 && i32::try_from(int).is_err() {
        report.note(Loss::Rounded, source.kind(), source.offset());
        return float(int as f64, to);
    }
    Ok(to.int(int)?)
}

/// Writes a float, rounded if the target's floats have 32 bits.
pub(super) fn float<S: Sink>(float: f64, to: &mut Writer<S>) -> Result<(), S> {
    match to.target().int_rule() {
        IntRule::Always32 => to.float_f32(narrow(float))?,
        _ => to.float(float)?,
    }
    Ok(())
}

/// Returns `true` if narrowing to 32 bits changes a real.
pub(super) fn rounds(real: f64) -> bool {
    if real.is_nan() {
        return widen(narrow(real)).to_bits() != real.to_bits();
    }
    !fits_f32(real)
}
