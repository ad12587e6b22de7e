//! Converts Python's values to bytes: one walk with an explicit stack.

use gdvar_view::{HeaderWord, Kind};
use gdvar_write::{Error, IntRule, Precision, Target, WriteErrorKind, Writer};
use pyo3::{
    exceptions::{PyBufferError, PyOverflowError, PyUnicodeEncodeError},
    prelude::*,
    types::{PyBool, PyByteArray, PyBytes, PyDict, PyFloat, PyInt, PyList, PyString, PyTuple},
};

use crate::{
    buffer, error, ffi,
    fits::{Converted, ElementTypeName, Misfit, Required, Requirements},
    math::to_math,
    packed::{NumberType, PackedArray, PackedStringArray, write_numbers},
    range,
    types::{Types, is},
};

type VecWriter = Writer<Vec<u8>>;

/// A container that is being written.
struct PendingContainer<'py> {
    /// The keys of a Dictionary, or the names of an object.
    keys: Option<Bound<'py, PyList>>,
    values: Bound<'py, PyList>,
    /// What it requires if it is typed. In a box, because few containers are typed.
    required: Option<Box<Requirements>>,
    is_object: bool,
    len: usize,
    at: usize,
    /// `true` if the current key has been written and its value is next.
    behind_key: bool,
}

impl<'py> PendingContainer<'py> {
    fn list(values: Bound<'py, PyList>) -> PendingContainer<'py> {
        let len = values.len();
        PendingContainer {
            keys: None,
            values,
            required: None,
            is_object: false,
            len,
            at: 0,
            behind_key: false,
        }
    }

    fn dict(dict: &Bound<'py, PyDict>) -> PendingContainer<'py> {
        let (keys, values) = (dict.keys(), dict.values());
        let len = values.len().min(keys.len());
        PendingContainer {
            keys: Some(keys),
            values,
            required: None,
            is_object: false,
            len,
            at: 0,
            behind_key: false,
        }
    }
}

/// The reason why a value cannot be written. The caller adds the path.
enum Stop {
    Write(Error<core::convert::Infallible>),
    Type(String),
    Range(String),
    Misfit(Misfit),
    Python(PyErr),
}

impl From<Misfit> for Stop {
    fn from(misfit: Misfit) -> Stop {
        Stop::Misfit(misfit)
    }
}

impl From<Error<core::convert::Infallible>> for Stop {
    fn from(error: Error<core::convert::Infallible>) -> Stop {
        Stop::Write(error)
    }
}

impl From<PyErr> for Stop {
    fn from(error: PyErr) -> Stop {
        Stop::Python(error)
    }
}

/// Encodes a value for `target`.
pub(crate) fn value(py: Python<'_>, value: &Bound<'_, PyAny>, target: Target) -> PyResult<Vec<u8>> {
    let types = Types::get(py)?;
    let mut writer = Writer::new(Vec::new(), target);
    let mut frames: Vec<PendingContainer<'_>> = Vec::new();
    let done = all(value, &mut writer, &mut frames, types);
    let stop = match done {
        Ok(()) => match writer.finish() {
            Ok(bytes) => return Ok(bytes),
            Err(error) => Stop::Write(error),
        },
        Err(stop) => stop,
    };
    let path = path(&frames);
    Err(match stop {
        Stop::Python(error) if error.is_instance_of::<PyUnicodeEncodeError>(py) => error::encode(
            py,
            "InvalidText",
            format!("the text has half of a surrogate pair, which UTF-8 cannot hold, in {path}"),
            Some(path),
        ),
        Stop::Python(error) if error.is_instance_of::<PyBufferError>(py) => error::encode(
            py,
            "NoType",
            format!("{} in {path}", error.value(py)),
            Some(path),
        ),
        Stop::Python(error) => error,
        Stop::Type(message) => {
            error::encode(py, "NoType", format!("{message} in {path}"), Some(path))
        }
        Stop::Misfit(Misfit(code, message)) => {
            error::encode(py, code, format!("{message} in {path}"), Some(path))
        }
        Stop::Range(message) => error::encode(
            py,
            "OutOfRange",
            format!("{message}, in {path}"),
            Some(path),
        ),
        Stop::Write(failed) => error::encode(
            py,
            failed.kind().name(),
            format!("{} in {path}", message(failed.kind())),
            Some(path.clone()),
        ),
    })
}

fn message(kind: &WriteErrorKind<core::convert::Infallible>) -> String {
    match kind {
        WriteErrorKind::IntTooWide { value } => {
            format!(
                "{value} does not fit an int of this target, from {} to {}",
                i32::MIN,
                i32::MAX
            )
        }
        WriteErrorKind::DepthExceeded { limit } => {
            format!(
                "nested deeper than {limit} containers, which is all that the engines read; does a list hold itself?"
            )
        }
        kind => kind.to_string(),
    }
}

/// Returns the path of the value that is being written.
fn path(frames: &[PendingContainer<'_>]) -> String {
    let mut path = "$".to_owned();
    for frame in frames.iter().take(64) {
        let at = if frame.behind_key {
            frame.at
        } else {
            frame.at.saturating_sub(1)
        };
        match &frame.keys {
            None => path.push_str(&format!("[{at}]")),
            Some(keys) => match keys.get_item(at) {
                Ok(key) => match key.cast::<PyString>() {
                    Ok(name) => path.push_str(&format!("[{:?}]", name.to_string_lossy())),
                    Err(_) => path.push_str(&format!("{{{at}}}")),
                },
                Err(_) => path.push_str(&format!("{{{at}}}")),
            },
        }
    }
    path
}

fn all<'py>(
    value: &Bound<'py, PyAny>,
    writer: &mut VecWriter,
    frames: &mut Vec<PendingContainer<'py>>,
    types: &Types,
) -> Result<(), Stop> {
    if let Some(frame) = one(value, writer, types)? {
        frames.push(frame);
    }
    while let Some(top) = frames.last_mut() {
        if top.at >= top.len {
            frames.pop();
            writer.end()?;
            continue;
        }
        let required = top.required.as_deref();
        let (next, required) = match &top.keys {
            Some(keys) if !top.behind_key => {
                let key = keys.get_item(top.at)?;
                top.behind_key = true;
                if top.is_object {
                    writer.property_bytes(&text_bytes(&key)?)?;
                    continue;
                }
                (key, required.and_then(|all| all.keys.as_ref()))
            }
            _ => {
                let value = top.values.get_item(top.at)?;
                top.behind_key = false;
                top.at += 1;
                (value, required.and_then(|all| all.values.as_ref()))
            }
        };
        let frame = match required {
            None => one(&next, writer, types)?,
            Some(required) => fitted(&next, required, writer, types)?,
        };
        if let Some(frame) = frame {
            frames.push(frame);
        }
    }
    Ok(())
}

/// Writes a value as [`one`] does, in a container that requires a type.
fn fitted<'py>(
    value: &Bound<'py, PyAny>,
    required: &Required,
    writer: &mut VecWriter,
    types: &Types,
) -> Result<Option<PendingContainer<'py>>, Stop> {
    let number = match required.is_number() {
        true => numpy_number(value)?,
        false => None,
    };
    let value = number.as_ref().unwrap_or(value);
    match required.convert(value, types)? {
        Some(Converted::Int(int)) => writer.int(int)?,
        Some(Converted::Float(float)) => self::float(float, writer)?,
        Some(Converted::String(text)) => writer.string(text)?,
        Some(Converted::StringName(text)) => writer.string_name(text)?,
        None => {
            let start = writer.position() as usize;
            let frame = one(value, writer, types)?;
            // The header says the type, whatever class of Python the value has.
            let header = writer.sink().get(start..).and_then(|own| own.first_chunk());
            let id = header.map(|own| HeaderWord(u32::from_le_bytes(*own)).type_id());
            required.check(id.and_then(|id| writer.dialect().kind(id)), value)?;
            return Ok(frame);
        }
    }
    Ok(None)
}

/// Writes a value. If it is a container, writes only its header and returns its frame.
#[inline]
fn one<'py>(
    value: &Bound<'py, PyAny>,
    writer: &mut VecWriter,
    types: &Types,
) -> Result<Option<PendingContainer<'py>>, Stop> {
    if let Ok(text) = value.cast_exact::<PyString>() {
        writer.string(text.to_str()?)?;
    } else if value.is_exact_instance_of::<PyInt>() {
        int(value, writer)?;
    } else if let Ok(float) = value.cast_exact::<PyFloat>() {
        self::float(float.value(), writer)?;
    } else if let Ok(dict) = value.cast_exact::<PyDict>() {
        writer.begin_dict(dict.len())?;
        return Ok(Some(PendingContainer::dict(dict)));
    } else if let Ok(list) = value.cast_exact::<PyList>() {
        writer.begin_array(list.len())?;
        return Ok(Some(PendingContainer::list(list.clone())));
    } else if value.is_none() {
        writer.nil()?;
    } else if let Ok(bool) = value.cast_exact::<PyBool>() {
        writer.bool(bool.is_true())?;
    } else {
        return other(value, writer, types);
    }
    Ok(None)
}

fn int(value: &Bound<'_, PyAny>, writer: &mut VecWriter) -> Result<(), Stop> {
    match value.extract::<i64>() {
        Ok(int) => Ok(writer.int(int)?),
        Err(_) => Err(Stop::Range(range::misfit::<i64>(value, "an int of Godot"))),
    }
}

#[inline]
fn float(float: f64, writer: &mut VecWriter) -> Result<(), Stop> {
    if writer.target().int_rule() == IntRule::Always32 && !range::is_single(float) {
        let what = "a float of this target,";
        return Err(Stop::Range(range::single_misfit(float, what)));
    }
    Ok(writer.float(float)?)
}

/// Reads an int attribute and checks its range.
fn ranged<T: range::Ranged>(value: &Bound<'_, PyAny>, name: &str, what: &str) -> Result<T, Stop> {
    let int = value.getattr(name)?;
    range::int(&int, || what.to_owned()).map_err(|failed| {
        match failed.is_instance_of::<PyOverflowError>(value.py()) {
            true => Stop::Range(range::misfit::<T>(&int, what)),
            false => Stop::Type(failed.value(value.py()).to_string()),
        }
    })
}

fn other<'py>(
    value: &Bound<'py, PyAny>,
    writer: &mut VecWriter,
    types: &Types,
) -> Result<Option<PendingContainer<'py>>, Stop> {
    let py = value.py();
    if let Some((kind, bytes, wide)) = to_math(value) {
        if wide && writer.target().precision() == Precision::Single {
            let reals = bytes
                .chunks_exact(8)
                .filter_map(|raw| raw.first_chunk().copied());
            let reals = reals.map(f64::from_le_bytes);
            let mut misfits = reals.filter(|real| !range::is_single(*real));
            if let Some(real) = misfits.next() {
                let what = format!("a float of a {}", kind.name());
                return Err(Stop::Range(range::single_misfit(real, &what)));
            }
        }
        writer.math_le(kind, wide, &bytes)?;
    } else if let Ok(packed) = value.cast_exact::<PackedArray>() {
        let packed = packed.get();
        write_numbers(writer, packed.kind, packed.item, packed.bytes(py))?;
    } else if let Ok(strings) = value.cast_exact::<PackedStringArray>() {
        texts(writer, strings.get().all.bind(py))?;
    } else if is(value, &types.string_name) {
        writer.string_name(value.cast::<PyString>().map_err(PyErr::from)?.to_str()?)?;
    } else if is(value, &types.int) {
        let Ok(int) = value.extract::<i64>() else {
            return Err(Stop::Range(range::misfit::<i64>(value, "an int of Godot")));
        };
        match value.getattr("bits")?.extract::<u8>()? {
            32 => match i32::try_from(int) {
                Ok(int) => writer.int_i32(int)?,
                Err(_) => {
                    return Err(Stop::Range(range::misfit::<i32>(
                        value,
                        "an Int of 32 bits",
                    )));
                }
            },
            _ => writer.int_i64(int)?,
        }
    } else if is(value, &types.float) {
        let float = value.extract::<f64>()?;
        match value.getattr("bits")?.extract::<u8>()? {
            32 if !range::is_single(float) => {
                return Err(Stop::Range(range::single_misfit(float, "a Float")));
            }
            32 => writer.float_f32(gdvar_view::narrow(float))?,
            _ => writer.float_f64(float)?,
        }
    } else if let Ok(bytes) = value.cast::<PyBytes>() {
        writer.packed_bytes(bytes.as_bytes())?;
    } else if let Ok(bytes) = value.cast::<PyByteArray>() {
        writer.packed_bytes(&bytes.to_vec())?;
    } else if is(value, &types.raw) {
        writer.raw_bytes(
            value
                .getattr("data")?
                .cast::<PyBytes>()
                .map_err(PyErr::from)?
                .as_bytes(),
        )?;
    } else if is(value, &types.node_path) {
        node_path(value, writer)?;
    } else if is(value, &types.rid) {
        writer.rid(ranged(value, "id", "the id of a RID")?)?;
    } else if is(value, &types.callable) {
        writer.callable()?;
    } else if is(value, &types.signal) {
        let name: String = value.getattr("name")?.extract()?;
        writer.signal(
            &name,
            ranged(value, "object_id", "the object_id of a Signal")?,
        )?;
    } else if is(value, &types.object_id) {
        writer.object_id(ranged(value, "id", "the id of an ObjectId")?)?;
    } else if is(value, &types.object) {
        let class: String = value.getattr("class_name")?.extract()?;
        let properties = value.getattr("properties")?;
        let properties = properties.cast::<PyDict>().map_err(PyErr::from)?;
        writer.begin_object(&class, properties.len())?;
        return Ok(Some(PendingContainer {
            is_object: true,
            ..PendingContainer::dict(properties)
        }));
    } else {
        return container(value, writer, types);
    }
    Ok(None)
}

fn container<'py>(
    value: &Bound<'py, PyAny>,
    writer: &mut VecWriter,
    types: &Types,
) -> Result<Option<PendingContainer<'py>>, Stop> {
    let py = value.py();
    if is(value, &types.pairs) {
        let list = value.cast::<PyList>().map_err(PyErr::from)?;
        let (keys, values) = (PyList::empty(py), PyList::empty(py));
        for pair in list {
            keys.append(pair.get_item(0)?)?;
            values.append(pair.get_item(1)?)?;
        }
        let required = begin_dict(value, keys.len(), writer)?;
        return Ok(Some(PendingContainer {
            keys: Some(keys),
            required,
            ..PendingContainer::list(values)
        }));
    }
    if is(value, &types.array) {
        let list = value.cast::<PyList>().map_err(PyErr::from)?;
        let element = ElementTypeName::of(&value.getattr("element_type")?)?;
        let kind: String = value.getattr("kind")?.extract()?;
        let element = element.as_type()?;
        let required = match Kind::from_name(&kind) {
            Some(kind @ (Kind::TypedArray | Kind::PackedTypedArray)) => {
                writer.begin_pandemonium_typed_array(kind, element, list.len())?;
                Requirements::pandemonium_array(element)
            }
            _ => {
                writer.begin_typed_array(element, list.len())?;
                Requirements::array(element)
            }
        };
        return Ok(Some(PendingContainer {
            required,
            ..PendingContainer::list(list.clone())
        }));
    }
    if is(value, &types.dictionary) {
        let dict = value.cast::<PyDict>().map_err(PyErr::from)?;
        let required = begin_dict(value, dict.len(), writer)?;
        return Ok(Some(PendingContainer {
            required,
            ..PendingContainer::dict(dict)
        }));
    }
    // The remaining checks must be in this sequence, because some types are subclasses of others.
    if let Ok(text) = value.cast::<PyString>() {
        writer.string(text.to_str()?)?;
    } else if let Ok(bool) = value.cast::<PyBool>() {
        writer.bool(bool.is_true())?;
    } else if value.is_instance_of::<PyInt>() {
        int(value, writer)?;
    } else if let Ok(float) = value.cast::<PyFloat>() {
        self::float(float.value(), writer)?;
    } else if let Ok(dict) = value.cast::<PyDict>() {
        writer.begin_dict(dict.len())?;
        return Ok(Some(PendingContainer::dict(dict)));
    } else if let Ok(list) = value.cast::<PyList>() {
        writer.begin_array(list.len())?;
        return Ok(Some(PendingContainer::list(list.clone())));
    } else if let Ok(tuple) = value.cast::<PyTuple>() {
        writer.begin_array(tuple.len())?;
        return Ok(Some(PendingContainer::list(tuple.to_list())));
    } else if let Some(number) = numpy_number(value)? {
        return one(&number, writer, types);
    } else if ffi::has_buffer(value) {
        array(value, writer)?;
    } else if let Ok(int) = value.call_method0("__index__") {
        self::int(&int, writer)?;
    } else {
        let class = value.get_type().name()?;
        return Err(Stop::Type(format!(
            "a value of type {class} is not a value of Godot; values are None, bool, int, float, str, bytes, list, dict, numpy arrays and the types of gdvar"
        )));
    }
    Ok(None)
}

/// Returns the number of a numpy scalar as a number of Python. `None` if the value is none.
fn numpy_number<'py>(value: &Bound<'py, PyAny>) -> Result<Option<Bound<'py, PyAny>>, Stop> {
    let is_number = |value: &Bound<'_, PyAny>| {
        value.is_instance_of::<PyFloat>() || value.is_instance_of::<PyInt>()
    };
    let has_no_dimension = || {
        let ndim = value.getattr("ndim").and_then(|n| n.extract::<u8>());
        ndim.is_ok_and(|n| n == 0)
    };
    if is_number(value) || !has_no_dimension() || !value.hasattr("item")? {
        return Ok(None);
    }
    let number = value.call_method0("item")?;
    match is_number(&number) {
        true => Ok(Some(number)),
        false => Err(Stop::Type(format!(
            "{value} of numpy is not a value of Godot"
        ))),
    }
}

/// Writes an array of numpy or a similar package. It must have one dimension, or two, with a second dimension
/// of 2, 3 or 4.
fn array(value: &Bound<'_, PyAny>, writer: &mut VecWriter) -> Result<(), Stop> {
    let (item, parts, bytes) = buffer::read(value)?;
    let kind = match (item, parts) {
        (NumberType::Byte, 1) => Kind::PackedByteArray,
        (NumberType::Int32, 1) => Kind::PackedInt32Array,
        (NumberType::Int64, 1) => Kind::PackedInt64Array,
        (NumberType::Float32, 1) => Kind::PackedFloat32Array,
        (NumberType::Float64, 1) => Kind::PackedFloat64Array,
        (NumberType::Float32 | NumberType::Float64, 2) => Kind::PackedVector2Array,
        (NumberType::Float32 | NumberType::Float64, 3) => Kind::PackedVector3Array,
        (NumberType::Float32 | NumberType::Float64, 4) => Kind::PackedVector4Array,
        (NumberType::Int32, 2) => Kind::PackedVector2iArray,
        (NumberType::Int32, 3) => Kind::PackedVector3iArray,
        (NumberType::Int32, 4) => Kind::PackedVector4iArray,
        _ => {
            return Err(Stop::Type(format!(
                "an array with {parts} numbers of this type in a row is not a packed array of Godot"
            )));
        }
    };
    Ok(write_numbers(writer, kind, item, bytes.as_bytes())?)
}

fn texts(writer: &mut VecWriter, all: &Bound<'_, PyTuple>) -> Result<(), Stop> {
    let mut texts = Vec::new();
    for text in all {
        texts.push(text_bytes(&text)?);
    }
    Ok(writer.packed_strings_bytes(texts.iter().map(Vec::as_slice))?)
}

/// Returns the bytes of a text: a str, or an object for a text that a str cannot hold.
fn text_bytes(text: &Bound<'_, PyAny>) -> Result<Vec<u8>, Stop> {
    if let Ok(text) = text.cast::<PyString>() {
        return Ok(text.to_str()?.as_bytes().to_vec());
    }
    match text
        .getattr("data")
        .ok()
        .map(|data| data.extract::<Vec<u8>>())
    {
        Some(Ok(raw)) => Ok(raw),
        _ => Err(Stop::Type(format!("{text} is not text"))),
    }
}

fn node_path(value: &Bound<'_, PyAny>, writer: &mut VecWriter) -> Result<(), Stop> {
    let texts = |name: &str| -> Result<Vec<Vec<u8>>, Stop> {
        let all = value.getattr(name)?.try_iter()?;
        all.map(|text| text_bytes(&text?)).collect()
    };
    let absolute = value.getattr("absolute")?.extract()?;
    Ok(writer.node_path_from(texts("names")?, texts("subnames")?, absolute)?)
}

/// Writes the header of a Dictionary. Returns what it requires of its keys and values.
fn begin_dict(
    value: &Bound<'_, PyAny>,
    len: usize,
    writer: &mut VecWriter,
) -> Result<Option<Box<Requirements>>, Stop> {
    let keys = ElementTypeName::of(&value.getattr("key_type")?)?;
    let values = ElementTypeName::of(&value.getattr("value_type")?)?;
    let (keys, values) = (keys.as_type()?, values.as_type()?);
    writer.begin_typed_dict(keys, values, len)?;
    Ok(Requirements::dict(keys, values))
}
