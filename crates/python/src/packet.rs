//! Passes the packets that [`Session`] reports to Python as tuples. `gdvar.packet` names their fields.

use gdvar_packet::{
    Direction, Engine, Message, Named, SessionEvent, Transport, Value, ValueContent, Values,
    godot3, godot4,
};
use gdvar_view::{Dialect, Document, ReadOptions};
use pyo3::{
    IntoPyObjectExt,
    prelude::*,
    types::{PyBytes, PyList},
};

use crate::{
    decode::{self, How},
    error,
};

/// Link, to the server (or to a client), source, target, relayed, sent again, command, node, method,
/// arguments, bytes, error.
type Heard<'py> = (
    u32,
    bool,
    Option<i32>,
    Option<i32>,
    bool,
    bool,
    &'static str,
    Option<String>,
    Option<Bound<'py, PyAny>>,
    Option<Bound<'py, PyList>>,
    Bound<'py, PyBytes>,
    Option<String>,
);

/// A conversation between a server and its clients.
#[pyclass(module = "gdvar._gdvar")]
pub(crate) struct _Session(gdvar_packet::Session);

#[pymethods]
impl _Session {
    #[new]
    fn new(py: Python<'_>, engine: &str, carrier: &str) -> PyResult<_Session> {
        let bad = |message: String| error::other(py, "BadOption", message);
        let engine = match engine {
            "godot4" => Engine::Godot4,
            "godot3" => Engine::Godot3,
            other => {
                return Err(bad(format!(
                    "engine is \"godot4\" or \"godot3\", not {other:?}"
                )));
            }
        };
        let carrier = match carrier {
            "enet" => Transport::Enet,
            "websocket" => Transport::WebSocket,
            "values" => Transport::Values,
            "records" => Transport::Records,
            "debugger" => Transport::Debugger,
            other => {
                let known = "\"enet\", \"websocket\", \"values\", \"records\" or \"debugger\"";
                return Err(bad(format!("carrier is {known}, not {other:?}")));
            }
        };
        Ok(_Session(gdvar_packet::Session::new(engine, carrier)))
    }

    fn hear<'py>(
        &mut self,
        py: Python<'py>,
        data: &[u8],
        to_server: bool,
        link: u32,
    ) -> PyResult<Vec<Heard<'py>>> {
        let direction = if to_server {
            Direction::ToServer
        } else {
            Direction::ToClient
        };
        let mut all = Vec::new();
        let mut failed = None;
        self.0.receive(link, direction, data, |item| {
            if failed.is_none() {
                match heard(py, &item) {
                    Ok(one) => all.push(one),
                    Err(error) => failed = Some(error),
                }
            }
        });
        failed.map_or(Ok(all), Err)
    }
}

fn heard<'py>(py: Python<'py>, item: &SessionEvent<'_>) -> PyResult<Heard<'py>> {
    let mut bytes = item.bytes;
    let mut failed = None;
    let mut method = None;
    let mut args = None;
    match item.message {
        Message::Godot4(godot4::Packet::Raw(own)) | Message::Godot3(godot3::Packet::Raw(own)) => {
            bytes = own
        }
        Message::Value(value) => {
            args = Some(PyList::new(
                py,
                [variant(py, item.bytes, value.options())?],
            )?);
        }
        Message::Debugger(message) => {
            method = Some(message.name().into_bound_py_any(py)?);
            // A debugger message consists of name, thread and arguments. Keeps only the arguments.
            let whole = variant(py, item.bytes, ReadOptions::new(Dialect::GODOT_4))?;
            args = Some(whole.get_item(-1)?.cast_into::<PyList>()?);
        }
        Message::Damaged { error, bytes: own } => {
            failed = Some(error.to_string());
            bytes = own;
        }
        message => {
            method = match message.method() {
                Some(Named::Name(name)) => {
                    Some(String::from_utf8_lossy(name.as_bytes()).into_bound_py_any(py)?)
                }
                Some(Named::Number(number)) => Some(number.into_bound_py_any(py)?),
                None => None,
            };
            if let Some(values) = message.args() {
                let list = PyList::empty(py);
                failed = arguments(values, &list)?;
                args = Some(list);
            }
        }
    }
    Ok((
        item.link,
        item.direction == Direction::ToServer,
        item.source,
        item.target,
        item.is_relayed,
        item.transport.is_resent(),
        item.message.name(),
        item.node_path().map(str::to_owned),
        method,
        args,
        PyBytes::new(py, bytes),
        failed,
    ))
}

/// Appends the values to `list`. Stops at the first that cannot be read, and returns the reason.
fn arguments(mut values: Values<'_>, list: &Bound<'_, PyList>) -> PyResult<Option<String>> {
    loop {
        match values.try_next() {
            Ok(Some(value)) => list.append(argument(list.py(), value)?)?,
            Ok(None) => return Ok(None),
            Err(error) => return Ok(Some(error.to_string())),
        }
    }
}

fn argument<'py>(py: Python<'py>, value: Value<'_>) -> PyResult<Bound<'py, PyAny>> {
    match value.content() {
        ValueContent::Bool(bool) => bool.into_bound_py_any(py),
        ValueContent::Int(int) => int.into_bound_py_any(py),
        ValueContent::Bytes(bytes) => Ok(PyBytes::new(py, bytes).into_any()),
        ValueContent::Variant(value) => {
            variant(py, value.raw().unwrap_or_default(), value.options())
        }
    }
}

/// Decodes the value at the start of `bytes`.
fn variant<'py>(
    py: Python<'py>,
    bytes: &[u8],
    options: ReadOptions,
) -> PyResult<Bound<'py, PyAny>> {
    let len = Document::with_options(bytes, options)
        .validate()
        .unwrap_or(bytes.len());
    let owner = PyBytes::new(py, &bytes[..len]);
    let document = Document::with_options(owner.as_bytes(), options);
    Ok(decode::value(py, document.cursor(), &owner, How { exact: false })?.0)
}
