//! Turns panics into exceptions that a program can catch.

use pyo3::{panic::PanicException, prelude::*};

/// Makes panics `gdvar.InternalError`s.
///
/// pyo3 catches the panics of every function and method that Python calls, and raises its PanicException.
/// That class is not an Exception: `except Exception` does not catch it, so one bad request would end a
/// server. Each extension module has its own PanicException class. So this function gives the class of this
/// module the base and the name `InternalError`, which is a RuntimeError. This covers every function and
/// method, and those that are added later.
pub(crate) fn catch(py: Python<'_>) -> PyResult<()> {
    let class = py.get_type::<PanicException>();
    let base = py.import("gdvar._errors")?.getattr("InternalError")?;
    class.setattr("__bases__", (base,))?;
    for name in ["__name__", "__qualname__"] {
        class.setattr(name, "InternalError")?;
    }
    class.setattr("__module__", "gdvar")
}

/// Panics, for a test of what happens then.
#[pyfunction]
pub(crate) fn _panic(message: String) {
    panic!("{message}");
}
