//! The extension module of the Python package `gdvar`. Users import `python/gdvar/__init__.py`.

// `ffi` is the only module with unsafe code, apart from what pyo3's macros generate.
mod buffer;
mod bug;
mod columns;
mod decode;
mod encode;
mod error;
mod exact;
mod ffi;
mod file;
mod fits;
mod math;
mod options;
mod packed;
mod packet;
mod paused;
mod range;
mod text;
mod types;
mod value;

use gdvar_view::Document;
use pyo3::{prelude::*, sync::PyOnceLock, types::PyBytes};

use crate::{decode::How, value::Value};

/// `gdvar._typed.convert`.
static CONVERT: PyOnceLock<Py<PyAny>> = PyOnceLock::new();

/// Returns the bytes of a `bytes` object, or a copy of any other object that exposes its memory.
fn owned<'py>(data: &Bound<'py, PyAny>) -> PyResult<Bound<'py, PyBytes>> {
    match data.cast::<PyBytes>() {
        Ok(bytes) => Ok(bytes.clone()),
        Err(_) => buffer::bytes(data),
    }
}

/// Reads the value in ``data``, as ``var_to_bytes`` makes it. ``type`` is the type of the result, as for
/// :func:`convert`.
#[pyfunction]
#[pyo3(signature = (data, *, dialect = "godot4", strict = false, objects = "ids", exact = false, max_depth = None, r#type = None))]
#[expect(clippy::too_many_arguments, reason = "they are Python's keywords")]
fn loads<'py>(
    py: Python<'py>,
    data: &Bound<'py, PyAny>,
    dialect: &str,
    strict: bool,
    objects: &str,
    exact: bool,
    max_depth: Option<u16>,
    r#type: Option<&Bound<'py, PyAny>>,
) -> PyResult<Bound<'py, PyAny>> {
    let owner = owned(data)?;
    let options = options::read(py, dialect, strict, objects, max_depth)?;
    let document = Document::with_options(owner.as_bytes(), options);
    if strict {
        let done = py.detach(|| document.validate());
        done.map_err(|failed| error::decode(py, document, failed))?;
    }
    let value = decode::value(py, document.cursor(), &owner, How { exact })?.0;
    match r#type {
        None => Ok(value),
        Some(wanted) => CONVERT
            .import(py, "gdvar._typed", "convert")?
            .call1((value, wanted)),
    }
}

/// Returns the bytes of a value, as ``var_to_bytes`` makes them.
#[pyfunction]
#[pyo3(signature = (value, *, target = "godot4", precision = "given"))]
fn dumps<'py>(
    py: Python<'py>,
    value: &Bound<'py, PyAny>,
    target: &str,
    precision: &str,
) -> PyResult<Bound<'py, PyBytes>> {
    let target = options::target(py, target, precision)?;
    Ok(PyBytes::new(py, &encode::value(py, value, target)?))
}

/// Returns the size in bytes of the value at the start of ``data``. Raises an error that says what is wrong
/// with it.
#[pyfunction]
#[pyo3(signature = (data, *, dialect = "godot4", strict = false, objects = "ids"))]
fn validate(
    py: Python<'_>,
    data: &Bound<'_, PyAny>,
    dialect: &str,
    strict: bool,
    objects: &str,
) -> PyResult<usize> {
    let owner = owned(data)?;
    let options = options::read(py, dialect, strict, objects, None)?;
    let document = Document::with_options(owner.as_bytes(), options);
    let done = py.detach(|| document.validate());
    done.map_err(|failed| error::decode(py, document, failed))
}

/// Returns the value in ``data`` as a lazy :class:`Value`.
#[pyfunction]
#[pyo3(signature = (data, *, dialect = "godot4", objects = "ids"))]
fn view(py: Python<'_>, data: &Bound<'_, PyAny>, dialect: &str, objects: &str) -> PyResult<Value> {
    let owner = owned(data)?;
    let options = options::read(py, dialect, false, objects, None)?;
    let notation = options::notation(py, dialect)?;
    Value::root(py, &owner, (0, owner.as_bytes().len()), options, notation)
}

/// Replaces a file atomically: afterwards it is either the old or the new one, even after a crash.
#[pyfunction]
fn _replace(py: Python<'_>, path: std::path::PathBuf, contents: &[u8]) -> PyResult<()> {
    use std::io::Write;
    py.detach(|| {
        let mut file = gdvar_io::replace::Replacement::new(&path)?;
        file.write_all(contents)?;
        file.finish()
    })?;
    Ok(())
}

#[pymodule]
fn _gdvar(module: &Bound<'_, PyModule>) -> PyResult<()> {
    bug::catch(module.py())?;
    math::add(module)?;
    module.add_class::<packed::PackedArray>()?;
    module.add_class::<packed::PackedStringArray>()?;
    module.add_class::<Value>()?;
    module.add_class::<packet::_Session>()?;
    module.add_class::<columns::Table>()?;
    module.add_class::<columns::PyBatch>()?;
    module.add_function(wrap_pyfunction!(loads, module)?)?;
    module.add_function(wrap_pyfunction!(dumps, module)?)?;
    module.add_function(wrap_pyfunction!(validate, module)?)?;
    module.add_function(wrap_pyfunction!(view, module)?)?;
    module.add_function(wrap_pyfunction!(columns::columns, module)?)?;
    module.add_function(wrap_pyfunction!(text::from_json, module)?)?;
    module.add_function(wrap_pyfunction!(text::_edit, module)?)?;
    module.add_function(wrap_pyfunction!(text::_diff, module)?)?;
    module.add_function(wrap_pyfunction!(packed::_packed, module)?)?;
    module.add_function(wrap_pyfunction!(value::_own_value, module)?)?;
    module.add_class::<file::_Opened>()?;
    module.add_function(wrap_pyfunction!(file::_open, module)?)?;
    module.add_function(wrap_pyfunction!(_replace, module)?)?;
    module.add_function(wrap_pyfunction!(bug::_panic, module)?)?;
    module.add("__version__", env!("CARGO_PKG_VERSION"))?;
    Ok(())
}
