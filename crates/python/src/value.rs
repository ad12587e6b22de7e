//! [`Value`]: a lazy view of a value in its bytes.

use gdvar_text::{Engine, Notation};
use gdvar_view::{
    Cursor, Document, Found, Kind, Numbers, Path, PathError, PathTarget, Pattern, PayloadWords,
    ReadOptions, VariantRef,
};
use pyo3::{
    exceptions::{PyIndexError, PyKeyError},
    prelude::*,
    types::{PyBytes, PyFloat, PyInt, PyList, PyString},
};

use crate::{
    decode::{self, How, Stop},
    error,
    math::from_math,
};

/// A value in its bytes. Only what you ask for is read.
#[pyclass(frozen, module = "gdvar")]
pub(crate) struct Value {
    owner: Py<PyBytes>,
    /// The range of the record's bytes within the owner's bytes.
    start: usize,
    end: usize,
    offset: u64,
    reading: u64,
    /// The notation of the engine that the caller named.
    notation: Notation,
}

/// A pickled value: its bytes, how they are read, and an engine with the same notation.
type PickledValue<'py> = (Bound<'py, PyBytes>, u64, &'static str);

/// Creates a value from its own bytes, for pickle.
#[pyfunction]
pub(crate) fn _own_value(data: &Bound<'_, PyBytes>, reading: u64, engine: &str) -> PyResult<Value> {
    let notation = Engine::from_name(engine).map_or(Notation::Godot4, Engine::notation);
    let value = Value {
        owner: data.clone().unbind(),
        start: 0,
        end: data.as_bytes().len(),
        offset: 0,
        reading,
        notation,
    };
    value.handle(data.py())?;
    Ok(value)
}

fn bad_path(py: Python<'_>, path: &str, failed: PathError) -> PyErr {
    let hint = match Pattern::parse(path) {
        Ok(_) => "; it is a pattern, which may lead to many values: use select()",
        Err(_) => "",
    };
    error::other(py, "Path", format!("{path}: {failed}{hint}"))
}

impl Value {
    /// Returns the outermost value of `owner`'s bytes from `start` to `end`.
    pub(crate) fn root(
        py: Python<'_>,
        owner: &Bound<'_, PyBytes>,
        (start, end): (usize, usize),
        options: ReadOptions,
        notation: Notation,
    ) -> PyResult<Value> {
        let bytes = owner.as_bytes().get(start..end).unwrap_or_default();
        let document = Document::with_options(bytes, options);
        let root = document
            .root()
            .map_err(|failed| error::decode(py, document, failed))?;
        let PayloadWords {
            offset, reading, ..
        } = PayloadWords::of(root);
        Ok(Value {
            owner: owner.clone().unbind(),
            start,
            end,
            offset,
            reading,
            notation,
        })
    }

    fn bytes<'py>(&'py self, py: Python<'py>) -> &'py [u8] {
        self.owner
            .bind(py)
            .as_bytes()
            .get(self.start..self.end)
            .unwrap_or_default()
    }

    pub(crate) fn handle<'py>(&'py self, py: Python<'py>) -> PyResult<VariantRef<'py>> {
        let bytes = self.bytes(py);
        let parts = PayloadWords {
            bytes,
            offset: self.offset,
            reading: self.reading,
        };
        let document = Document::new(bytes, gdvar_view::Dialect::GODOT_4);
        parts
            .value()
            .map_err(|failed| error::decode(py, document, failed))
    }

    fn child(&self, py: Python<'_>, value: VariantRef<'_>) -> Value {
        let PayloadWords {
            offset, reading, ..
        } = PayloadWords::of(value);
        Value {
            owner: self.owner.clone_ref(py),
            start: self.start,
            end: self.end,
            offset,
            reading,
            notation: self.notation,
        }
    }

    fn failed(&self, py: Python<'_>, options: ReadOptions, failed: gdvar_view::Error) -> PyErr {
        error::decode(py, Document::with_options(self.bytes(py), options), failed)
    }

    /// Follows a path: returns a [`Value`], or a part as Python's value.
    fn find<'py>(&self, py: Python<'py>, path: &str) -> PyResult<Option<Bound<'py, PyAny>>> {
        let parsed = Path::parse(path).map_err(|failed| bad_path(py, path, failed))?;
        let value = self.handle(py)?;
        let options = value.options();
        let found = value
            .find_path(&parsed)
            .map_err(|failed| self.failed(py, options, failed))?;
        found.map(|found| self.found(py, found)).transpose()
    }

    fn found<'py>(&self, py: Python<'py>, found: Found<'_>) -> PyResult<Bound<'py, PyAny>> {
        Ok(match found {
            Found::Value(value) => Bound::new(py, self.child(py, value))?.into_any(),
            Found::Part(part) => self::part(py, part)?,
        })
    }
}

#[pymethods]
impl Value {
    /// The name of its type in Godot 4, such as ``Dictionary`` or ``PackedInt32Array``.
    #[getter]
    fn r#type(&self, py: Python<'_>) -> PyResult<&'static str> {
        Ok(self.handle(py)?.kind().name())
    }

    /// Its offset in bytes from the start of its record.
    #[getter]
    fn offset(&self) -> u64 {
        self.offset
    }

    /// Returns the value at a path below this one as Python's value, or ``default`` if there is none. Skips
    /// other values.
    #[pyo3(signature = (path, default = None))]
    fn get<'py>(
        &self,
        py: Python<'py>,
        path: &str,
        default: Option<Bound<'py, PyAny>>,
    ) -> PyResult<Bound<'py, PyAny>> {
        match self.find(py, path)? {
            Some(found) => match found.cast::<Value>() {
                Ok(value) => value.get().load(py, false),
                Err(_) => Ok(found.clone()),
            },
            None => Ok(default.unwrap_or_else(|| py.None().into_bound(py))),
        }
    }

    /// Returns the paths and values that match a pattern, such as ``party[*].name``, ``..id`` or ``[1:3]``.
    /// The values are lazy; parts of a value, such as ``pos.x``, are Python's values.
    fn select<'py>(
        &self,
        py: Python<'py>,
        pattern: &str,
    ) -> PyResult<Vec<(String, Bound<'py, PyAny>)>> {
        let parsed = Pattern::parse(pattern)
            .map_err(|failed| error::other(py, "Path", format!("{pattern}: {failed}")))?;
        let value = self.handle(py)?;
        let mut all = Vec::new();
        let mut found = value.select(&parsed);
        while let Some(one) = found
            .try_next()
            .map_err(|failed| self.failed(py, value.options(), failed))?
        {
            all.push((found.path().to_string(), self.found(py, one)?));
        }
        Ok(all)
    }

    /// Returns the value at a path, not yet decoded. An int is an index or an int key.
    fn __getitem__<'py>(
        &self,
        py: Python<'py>,
        path: &Bound<'py, PyAny>,
    ) -> PyResult<Bound<'py, PyAny>> {
        let (text, is_index) = match path.extract::<i64>() {
            Ok(index) => (format!("[{index}]"), true),
            Err(_) => (path.extract::<String>()?, false),
        };
        self.find(py, &text)?.ok_or_else(|| match is_index {
            true => PyIndexError::new_err(format!("there is no {text}")),
            false => PyKeyError::new_err(text),
        })
    }

    fn __contains__(&self, py: Python<'_>, path: &str) -> PyResult<bool> {
        Ok(self.find(py, path)?.is_some())
    }

    /// Returns the whole value as Python's value.
    #[pyo3(signature = (exact = false))]
    fn load<'py>(&self, py: Python<'py>, exact: bool) -> PyResult<Bound<'py, PyAny>> {
        let value = self.handle(py)?;
        if self.start == 0 && self.end == self.owner.bind(py).as_bytes().len() {
            let cursor = Cursor::of(value);
            return Ok(decode::value(py, cursor, self.owner.bind(py), How { exact })?.0);
        }
        // Copies this record, so that packed arrays do not keep the whole file alive.
        let owner = PyBytes::new(py, self.bytes(py));
        let parts = PayloadWords {
            bytes: owner.as_bytes(),
            offset: self.offset,
            reading: self.reading,
        };
        let value = parts
            .value()
            .map_err(|failed| self.failed(py, value.options(), failed))?;
        Ok(decode::value(py, Cursor::of(value), &owner, How { exact })?.0)
    }

    /// Returns the value's bytes.
    fn raw<'py>(&self, py: Python<'py>) -> PyResult<Bound<'py, PyBytes>> {
        let value = self.handle(py)?;
        let raw = value
            .raw()
            .map_err(|failed| self.failed(py, value.options(), failed))?;
        Ok(PyBytes::new(py, raw))
    }

    /// The number of children or elements.
    fn __len__(&self, py: Python<'_>) -> PyResult<usize> {
        let value = self.handle(py)?;
        let len = value.as_array().map(|array| array.len());
        let len = len.or_else(|| value.as_dict().map(|dict| dict.len()));
        let len = len.or_else(|| value.packed_len());
        let len = len.or_else(|| value.as_object().map(|object| object.len()));
        len.ok_or_else(|| {
            let message = format!("{} has no length", value.kind().name());
            pyo3::exceptions::PyTypeError::new_err(message)
        })
    }

    fn __bool__(&self) -> bool {
        true
    }

    /// Returns the keys of a Dictionary, or the names of an object's properties.
    fn keys<'py>(&self, py: Python<'py>) -> PyResult<Bound<'py, PyList>> {
        let list = PyList::empty(py);
        for pair in self.pairs(py)? {
            list.append(pair.0)?;
        }
        Ok(list)
    }

    /// Returns the children of a Dictionary or an array. Each is decoded when it is used.
    fn values<'py>(&self, py: Python<'py>) -> PyResult<Vec<Value>> {
        let value = self.handle(py)?;
        let failed = |failed| self.failed(py, value.options(), failed);
        if let Some(array) = value.as_array() {
            let all = array
                .iter()
                .map(|item| Ok(self.child(py, item.map_err(failed)?)));
            return all.collect();
        }
        Ok(self
            .pairs(py)?
            .into_iter()
            .map(|(_, value)| value)
            .collect())
    }

    /// Returns pairs of key and value. The keys are decoded; each value is decoded when it is used.
    fn items<'py>(&self, py: Python<'py>) -> PyResult<Vec<(Bound<'py, PyAny>, Value)>> {
        self.pairs(py)
    }

    fn __iter__<'py>(&self, py: Python<'py>) -> PyResult<Bound<'py, PyAny>> {
        let list = match self.handle(py)?.as_array() {
            Some(_) => PyList::new(py, self.values(py)?)?,
            None => self.keys(py)?,
        };
        Ok(list.as_any().try_iter()?.into_any())
    }

    /// Returns the value as JSON: ``plain``, ``native`` (for Godot's ``JSON.to_native``) or ``tagged``
    /// (lossless).
    #[pyo3(signature = (style = "plain"))]
    fn to_json(&self, py: Python<'_>, style: &str) -> PyResult<String> {
        let value = self.handle(py)?;
        crate::text::to_json(py, value, style)
    }

    /// Returns the text that ``var_to_str`` prints, or ``var2str`` of the engine that was named:
    /// ``dialect="godot3.2"``.
    fn to_text(&self, py: Python<'_>) -> PyResult<String> {
        crate::text::to_text(py, self.handle(py)?, self.notation)
    }

    /// Pickles only this value's bytes.
    fn __reduce__<'py>(&self, py: Python<'py>) -> PyResult<(Bound<'py, PyAny>, PickledValue<'py>)> {
        let rebuild = py.import("gdvar._gdvar")?.getattr("_own_value")?;
        let mut engines = Engine::ALL.into_iter();
        let engine = engines.find(|engine| engine.notation() == self.notation);
        let engine = engine.unwrap_or(Engine::GODOT_4_6).name();
        Ok((rebuild, (self.raw(py)?, self.reading, engine)))
    }

    fn __repr__(&self, py: Python<'_>) -> PyResult<String> {
        Ok(format!(
            "<gdvar.Value {} at byte {}>",
            self.r#type(py)?,
            self.offset
        ))
    }
}

impl Value {
    fn pairs<'py>(&self, py: Python<'py>) -> PyResult<Vec<(Bound<'py, PyAny>, Value)>> {
        let value = self.handle(py)?;
        let failed = |failed| self.failed(py, value.options(), failed);
        let mut all = Vec::new();
        if let Some(dict) = value.as_dict() {
            let mut pairs = dict.iter();
            while let Some((key, value)) = pairs.try_next().map_err(failed)? {
                all.push((self.child(py, key).load(py, false)?, self.child(py, value)));
            }
        } else if let Some(object) = value.as_object() {
            for property in object.iter() {
                let (name, value) = property.map_err(failed)?;
                let name = decode::property(py, name).map_err(|stop| match stop {
                    Stop::Read(error) => failed(error),
                    Stop::Python(error) => error,
                })?;
                all.push((name, self.child(py, value)));
            }
        } else {
            let message = format!("{} has no keys", value.kind().name());
            return Err(pyo3::exceptions::PyTypeError::new_err(message));
        }
        Ok(all)
    }
}

/// Converts a part of a value to Python's value.
fn part<'py>(py: Python<'py>, part: PathTarget<'_>) -> PyResult<Bound<'py, PyAny>> {
    Ok(match part {
        PathTarget::Text(text) => match text.to_str() {
            Ok(text) => PyString::new(py, text).into_any(),
            Err(failed) => {
                return Err(error::decode_message(
                    py,
                    failed.kind().name(),
                    failed.to_string(),
                ));
            }
        },
        PathTarget::Int(int) => PyInt::new(py, int).into_any(),
        PathTarget::Math(math) => match (math.kind(), math.numbers()) {
            (Kind::Int, Numbers::Ints([int, ..])) => PyInt::new(py, *int).into_any(),
            (Kind::Float, _) => PyFloat::new(py, math.iter().next().unwrap_or(0.0)).into_any(),
            _ => from_math(py, &math)?,
        },
    })
}
