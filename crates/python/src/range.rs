//! Converts ints and floats. The error for a number that does not fit contains the range.

use gdvar_view::narrow;
use pyo3::{
    exceptions::{PyOverflowError, PyTypeError},
    prelude::*,
    types::PyFloat,
};

/// An int type that can be read from Python, with the range that error messages show.
pub(crate) trait Ranged: for<'a, 'py> FromPyObject<'a, 'py> {
    /// The smallest and the largest value.
    const ENDS: (i128, i128);
}

macro_rules! ranged {
    ($($int:ty)*) => {
        $(impl Ranged for $int {
            const ENDS: (i128, i128) = (<$int>::MIN as i128, <$int>::MAX as i128);
        })*
    };
}

ranged! { u8 i32 i64 u64 }

/// Converts an int. `what` describes the int in the error message: "a number of a Vector2i".
pub(crate) fn int<T: Ranged>(
    value: &Bound<'_, PyAny>,
    what: impl FnOnce() -> String,
) -> PyResult<T> {
    if value.is_instance_of::<PyFloat>() {
        return Err(PyTypeError::new_err(format!("{value} is not an int")));
    }
    value.extract::<T>().map_err(|failed| {
        let failed: PyErr = failed.into();
        if !failed.is_instance_of::<PyOverflowError>(value.py()) {
            return failed;
        }
        PyOverflowError::new_err(misfit::<T>(value, &what()))
    })
}

/// Returns the message for an int that does not fit.
pub(crate) fn misfit<T: Ranged>(value: &Bound<'_, PyAny>, what: &str) -> String {
    let (least, most) = T::ENDS;
    format!("{value} does not fit {what}, from {least} to {most}")
}

/// Returns `true` if 32 bits can hold the number, possibly rounded. A finite number does not fit if it would
/// become infinite.
pub(crate) fn is_single(number: f64) -> bool {
    !number.is_finite() || narrow(number).is_finite()
}

/// Returns the message for a float that does not fit into 32 bits.
pub(crate) fn single_misfit(number: f64, what: &str) -> String {
    format!("{number:e} does not fit {what} of 32 bits, from -3.4028235e38 to 3.4028235e38")
}
