//! Copies the numbers out of arrays of other packages.
//!
//! Python's own `memoryview` makes the copy. It supports every layout, such as rows with gaps between them
//! and ctypes arrays, which report no strides. If another thread writes at the same time, each number is an
//! old or a new one. All Python code that reads memory which it does not own has this problem.

use pyo3::{
    exceptions::{PyBufferError, PyTypeError},
    prelude::*,
    types::{PyBytes, PyMemoryView},
};

use crate::packed::NumberType;

fn item_of(format: &str, size: usize) -> Option<NumberType> {
    let text = match format.strip_prefix(['<', '=', '@', '|']) {
        Some(rest) => rest,
        None => format,
    };
    if cfg!(target_endian = "big") && !format.starts_with('<') && size > 1 {
        return None;
    }
    Some(match (text, size) {
        ("B" | "b" | "c" | "?", 1) => NumberType::Byte,
        ("i" | "l", 4) => NumberType::Int32,
        ("q" | "l", 8) => NumberType::Int64,
        ("f", 4) => NumberType::Float32,
        ("d", 8) => NumberType::Float64,
        _ => return None,
    })
}

/// Returns the numbers in an object's memory: their type, the number of numbers in a row, and their bytes.
pub(crate) fn read<'py>(
    value: &Bound<'py, PyAny>,
) -> PyResult<(NumberType, usize, Bound<'py, PyBytes>)> {
    let view = PyMemoryView::from(value)?;
    let format: String = view.getattr("format")?.extract()?;
    let Some(item) = item_of(&format, view.getattr("itemsize")?.extract()?) else {
        let message = format!(
            "numbers of format {format:?} have no packed array: convert them, in numpy with astype('int32') or another of \
             uint8, int32, int64, float32 and float64"
        );
        return Err(PyBufferError::new_err(message));
    };
    let shape: Vec<usize> = view.getattr("shape")?.extract()?;
    let parts = match shape[..] {
        [] | [_] => 1,
        [_, parts] => parts,
        _ => {
            return Err(PyBufferError::new_err(
                "an array of more than two dimensions has no packed array",
            ));
        }
    };
    let bytes = view.call_method0("tobytes")?.cast_into::<PyBytes>()?;
    Ok((item, parts, bytes))
}

/// Returns the bytes of an object that exposes its memory. Fails if its memory does not hold bytes.
pub(crate) fn bytes<'py>(value: &Bound<'py, PyAny>) -> PyResult<Bound<'py, PyBytes>> {
    match read(value) {
        Ok((NumberType::Byte, 1, bytes)) => Ok(bytes),
        Err(error) if !error.is_instance_of::<PyBufferError>(value.py()) => Err(error),
        _ => {
            let class = value.get_type().name()?;
            let message = format!("this {class} holds other numbers than bytes: give its bytes");
            Err(PyTypeError::new_err(message))
        }
    }
}

/// Copies the numbers of an object into `to`, if they have this type and row length. Returns `false` if they
/// do not.
pub(crate) fn copy(
    value: &Bound<'_, PyAny>,
    item: NumberType,
    parts: usize,
    to: &mut Vec<u8>,
) -> PyResult<bool> {
    if !crate::ffi::has_buffer(value) {
        return Ok(false);
    }
    let (found, in_row, bytes) = read(value)?;
    let fits = found == item && (in_row == parts || in_row == 1);
    if fits {
        to.extend_from_slice(bytes.as_bytes());
    }
    Ok(fits)
}
