//! Converts packed arrays.

use alloc::vec::Vec;

use gdvar_view::{Packed, PackedRef, PackedStrings, Real, VariantRef};
use gdvar_wire::{
    Element, Kind,
    math::{Components, Vector2, Vector3, Vector4},
    narrow,
};

use super::{
    error::Result,
    number::{float, int, narrows, rounds},
    report::{Loss, Report},
    text::fit,
};
use crate::{
    sink::Sink,
    target::{IntRule, Precision},
    writer::Writer,
};

pub(super) fn write<S: Sink>(
    value: VariantRef<'_>,
    to: &mut Writer<S>,
    report: &mut Report,
) -> Result<(), S> {
    let (kind, offset) = (value.kind(), value.offset());
    if let Some(texts) = value.as_strings() {
        return strings(texts, offset, to, report);
    }
    let can_write = to.target().can_write(kind);
    let Some(packed) = value.as_packed() else {
        return Ok(to.nil()?);
    };
    // Reals keep their bytes unless the target has another precision.
    macro_rules! vectors {
        ($all:expr, $method:ident) => {
            match $all {
                Real::Single(all) if to.target().precision() == Precision::Double => {
                    to.$method(&native(all))?;
                }
                Real::Single(all) => to.packed_le(kind, all.as_le())?,
                Real::Double(all) => {
                    if narrows(to) && all.iter().any(|v| v.components().into_iter().any(rounds)) {
                        report.note(Loss::Rounded, kind, offset);
                    }
                    if to.dialect().has_wide_math() {
                        to.$method(&native(all))?;
                    } else {
                        let narrow: Vec<_> = all.iter().map(|v| v.map(narrow)).collect();
                        to.$method(&narrow)?;
                    }
                }
            }
        };
    }
    match packed {
        Packed::Bytes(bytes) => to.packed_bytes(bytes)?,
        Packed::Int32(all) => to.packed_le(kind, all.as_le())?,
        Packed::Float32(all) => to.packed_le(kind, all.as_le())?,
        Packed::Color(all) => to.packed_le(kind, all.as_le())?,
        Packed::Int64(all) if can_write => to.packed_le(kind, all.as_le())?,
        Packed::Float64(all) if can_write => to.packed_le(kind, all.as_le())?,
        Packed::Int64(all) => {
            let short: Option<Vec<i32>> = all.iter().map(|int| int.try_into().ok()).collect();
            match short {
                Some(short) => {
                    report.note(Loss::Retyped(Kind::PackedInt32Array), kind, offset);
                    to.packed_i32(&short)?;
                }
                None => {
                    report.note(Loss::Retyped(Kind::Array), kind, offset);
                    to.begin_array(all.len())?;
                    for element in all {
                        int(element, value, to, report)?;
                    }
                    to.end()?;
                }
            }
        }
        Packed::Float64(all) => {
            if all.iter().any(rounds) {
                if to.target().int_rule() == IntRule::Always32 {
                    report.note(Loss::Rounded, kind, offset);
                }
                array(value, all.iter(), to, report, float)?;
            } else {
                report.note(Loss::Retyped(Kind::PackedFloat32Array), kind, offset);
                let short: Vec<f32> = all.iter().map(narrow).collect();
                to.packed_f32(&short)?;
            }
        }
        Packed::Vector2(all) => vectors!(all, packed_vector2),
        Packed::Vector3(all) => vectors!(all, packed_vector3),
        Packed::Vector4(all) if can_write => vectors!(all, packed_vector4),
        Packed::Vector4(Real::Single(all)) => {
            array(value, all.iter(), to, report, |v, to| {
                vector4(v.map(gdvar_wire::widen), to)
            })?;
        }
        Packed::Vector4(Real::Double(all)) => {
            let is_vector = to.target().can_write(Kind::Vector4);
            let is_short = to.target().int_rule() == IntRule::Always32;
            let has_long = |v: Vector4<f64>| v.components().into_iter().any(rounds);
            if (is_vector && narrows(to) || is_short) && all.iter().any(has_long) {
                report.note(Loss::Rounded, kind, offset);
            }
            array(value, all.iter(), to, report, vector4)?;
        }
        Packed::Vector2i(all) if can_write => to.packed_le(kind, all.as_le())?,
        Packed::Vector3i(all) if can_write => to.packed_le(kind, all.as_le())?,
        Packed::Vector4i(all) if can_write => to.packed_le(kind, all.as_le())?,
        Packed::Vector2i(all) => array(value, all.iter(), to, report, |v: Vector2<i32>, to| {
            if to.target().can_write(Kind::Vector2i) {
                Ok(to.vector2i(v)?)
            } else {
                ints(v.components(), to)
            }
        })?,
        Packed::Vector3i(all) => array(value, all.iter(), to, report, |v: Vector3<i32>, to| {
            if to.target().can_write(Kind::Vector3i) {
                Ok(to.vector3i(v)?)
            } else {
                ints(v.components(), to)
            }
        })?,
        Packed::Vector4i(all) => array(value, all.iter(), to, report, |v: Vector4<i32>, to| {
            if to.target().can_write(Kind::Vector4i) {
                Ok(to.vector4i(v)?)
            } else {
                ints(v.components(), to)
            }
        })?,
    }
    Ok(())
}

fn native<T: Element>(all: PackedRef<'_, T>) -> Vec<T::Native> {
    all.iter().collect()
}

/// Writes the elements as values of an Array.
fn array<T, S: Sink>(
    value: VariantRef<'_>,
    elements: impl ExactSizeIterator<Item = T>,
    to: &mut Writer<S>,
    report: &mut Report,
    mut write: impl FnMut(T, &mut Writer<S>) -> Result<(), S>,
) -> Result<(), S> {
    report.note(Loss::Retyped(Kind::Array), value.kind(), value.offset());
    to.begin_array(elements.len())?;
    for element in elements {
        write(element, to)?;
    }
    Ok(to.end()?)
}

fn vector4<S: Sink>(vector: Vector4<f64>, to: &mut Writer<S>) -> Result<(), S> {
    if to.target().can_write(Kind::Vector4) {
        match to.dialect().has_wide_math() {
            true => to.vector4(vector)?,
            false => to.vector4(vector.map(narrow))?,
        }
        return Ok(());
    }
    to.begin_array(4)?;
    for component in vector.components() {
        float(component, to)?;
    }
    Ok(to.end()?)
}

fn ints<const N: usize, S: Sink>(ints: [i32; N], to: &mut Writer<S>) -> Result<(), S> {
    to.begin_array(N)?;
    for int in ints {
        to.int(i64::from(int))?;
    }
    Ok(to.end()?)
}

fn strings<S: Sink>(
    texts: PackedStrings<'_>,
    offset: usize,
    to: &mut Writer<S>,
    report: &mut Report,
) -> Result<(), S> {
    let mut fitted = Vec::new();
    for text in texts {
        let text = fit(text?, to.dialect());
        if let Some(loss) = text.loss {
            report.note(loss, Kind::PackedStringArray, offset);
        }
        fitted.push(text.bytes);
    }
    Ok(to.packed_strings_bytes(&fitted)?)
}
