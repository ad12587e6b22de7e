//! [`PythonSource`]: what the caller of `columns` passed as the source of rows.

use std::path::{Path, PathBuf};

use pyo3::{
    exceptions::PyOSError,
    prelude::*,
    types::{PyBytes, PyDict},
};

use crate::error;

/// The source of rows that the caller passed.
pub(super) enum PythonSource<'py> {
    Bytes(Vec<Bound<'py, PyBytes>>),
    Path(String, PathBuf),
    Paths(Vec<(String, PathBuf)>),
    Contents(Bound<'py, PyBytes>),
    /// The contents of several files, by name.
    Named(Vec<(String, Bound<'py, PyBytes>)>),
}

/// Returns the source that a Python value is.
pub(super) fn given<'py>(source: &Bound<'py, PyAny>) -> PyResult<PythonSource<'py>> {
    if let Ok(bytes) = source.cast::<PyBytes>() {
        return Ok(PythonSource::Contents(bytes.clone()));
    }
    if let Ok(named) = source.cast::<PyDict>() {
        let own = |(name, bytes): (Bound<'py, PyAny>, Bound<'py, PyAny>)| {
            PyResult::Ok((name.extract()?, bytes.cast_into::<PyBytes>()?))
        };
        return Ok(PythonSource::Named(
            named.iter().map(own).collect::<PyResult<_>>()?,
        ));
    }
    let path = |path: &Bound<'_, PyAny>| {
        let path: PathBuf = path.extract()?;
        PyResult::Ok((path.to_string_lossy().into_owned(), path))
    };
    if let Ok((name, path)) = path(source) {
        return Ok(PythonSource::Path(name, path));
    }
    let (mut bytes, mut paths) = (Vec::new(), Vec::new());
    for item in source.try_iter()? {
        let item = item?;
        match item.cast::<PyBytes>() {
            Ok(own) => bytes.push(own.clone()),
            Err(_) => paths.push(path(&item)?),
        }
    }
    if !bytes.is_empty() && !paths.is_empty() {
        let message = "rows come from files or from bytes, not from both";
        return Err(error::other(source.py(), "BadOption", message.to_owned()));
    }
    Ok(if paths.is_empty() {
        PythonSource::Bytes(bytes)
    } else {
        PythonSource::Paths(paths)
    })
}

/// Reads a file that must exist, because there would be no table without it.
pub(super) fn read_file(py: Python<'_>, name: &str, path: &Path, of: usize) -> PyResult<Vec<u8>> {
    py.detach(|| std::fs::read(path)).map_err(|failed| {
        let hint = if name.contains(['*', '?']) {
            "; a pattern of names is not expanded: give glob.glob(…)".to_owned()
        } else if of > 1 {
            format!("; none of these {of} files is there")
        } else {
            String::new()
        };
        // From these three arguments Python makes FileNotFoundError and similar exceptions.
        PyOSError::new_err((
            failed.raw_os_error(),
            format!("{failed}{hint}"),
            name.to_owned(),
        ))
    })
}
