//! Panics as exceptions that a program catches.

use pyo3::{panic::PanicException, prelude::*};

/// Makes panics `gdvar.InternalError`s.
///
/// pyo3 catches the unwinding of each function and method that Python calls, and raises its PanicException. That is no
/// Exception: it passes `except Exception`, and ends a server for one bad request. The class is this module's own, so it gets
/// `InternalError`, a RuntimeError, for a base and a name: in one place, for every entry point that there is or will be.
pub(crate) fn catch(py: Python<'_>) -> PyResult<()> {
    let class = py.get_type::<PanicException>();
    let base = py.import("gdvar._errors")?.getattr("InternalError")?;
    class.setattr("__bases__", (base,))?;
    for name in ["__name__", "__qualname__"] {
        class.setattr(name, "InternalError")?;
    }
    class.setattr("__module__", "gdvar")
}

/// Panics, so that a test can tell what becomes of it.
#[pyfunction]
pub(crate) fn _panic(message: String) {
    panic!("{message}");
}
