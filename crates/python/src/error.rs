//! Creates Python's exceptions, with code, offset and path.

use gdvar_view::{Document, Error};
use pyo3::{prelude::*, sync::PyOnceLock, types::PyType};

/// The exception classes of `gdvar._errors`.
static DECODE: PyOnceLock<Py<PyType>> = PyOnceLock::new();
static ENCODE: PyOnceLock<Py<PyType>> = PyOnceLock::new();
static ANY: PyOnceLock<Py<PyType>> = PyOnceLock::new();

fn raise(
    py: Python<'_>,
    class: PyResult<&Bound<'_, PyType>>,
    message: String,
    code: &str,
    offset: Option<u64>,
    path: Option<String>,
) -> PyErr {
    let made = class.and_then(|class| class.call1((message, code, offset, path)));
    match made {
        Ok(error) => PyErr::from_value(error),
        Err(error) => {
            let _ = py;
            error
        }
    }
}

/// Creates the exception for bytes that cannot be read.
pub(crate) fn decode(py: Python<'_>, document: Document<'_>, error: Error) -> PyErr {
    let place = document.locate(error.offset()).to_string();
    let message = format!("{error} in {place}");
    let class = DECODE.import(py, "gdvar._errors", "DecodeError");
    let (code, offset) = (error.kind().name(), error.offset() as u64);
    raise(py, class, message, code, Some(offset), Some(place))
}

/// Creates the exception for a file or stream that cannot be read.
pub(crate) fn envelope(py: Python<'_>, error: gdvar_io::Error) -> PyErr {
    let class = DECODE.import(py, "gdvar._errors", "DecodeError");
    let code = error.kind().name();
    raise(
        py,
        class,
        error.to_string(),
        code,
        Some(error.offset()),
        None,
    )
}

/// Creates the exception for bytes that cannot be read, if only a message is known.
pub(crate) fn decode_message(py: Python<'_>, code: &str, message: String) -> PyErr {
    not_opened(py, code, message, None)
}

/// Creates the exception for a file that cannot be opened.
pub(crate) fn not_opened(
    py: Python<'_>,
    code: &str,
    message: String,
    offset: Option<u64>,
) -> PyErr {
    let class = DECODE.import(py, "gdvar._errors", "DecodeError");
    raise(py, class, message, code, offset, None)
}

/// Creates the exception for a value that cannot be written.
pub(crate) fn encode(py: Python<'_>, code: &str, message: String, path: Option<String>) -> PyErr {
    let class = ENCODE.import(py, "gdvar._errors", "EncodeError");
    raise(py, class, message, code, None, path)
}

/// Creates the exception for any other error.
pub(crate) fn other(py: Python<'_>, code: &str, message: String) -> PyErr {
    let class = ANY.import(py, "gdvar._errors", "Error");
    raise(py, class, message, code, None, None)
}
