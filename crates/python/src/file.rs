//! Opens files with `gdvar-file`, and writes them again after a change.

use std::collections::BTreeMap;

use gdvar_file::{
    Choice, Decision, Engines, Fault, Framing, Hints, NotOpened, Opened, Peeled, Record,
    records::records_after, with_values,
};
use gdvar_io::encrypted::Key;
use gdvar_text::{LineOptions, Notation, write_line};
use gdvar_view::{Document, Found, Objects, Path, ReadOptions};
use pyo3::{
    prelude::*,
    types::{PyBytes, PyDict},
};

use crate::{error, options, value::Value};

/// The arguments of `open`: what the caller knows about a file, and how to read its values.
pub(crate) struct FileOptions {
    /// The engine's name as the caller gave it. `None` if the engine is to be detected.
    name: Option<String>,
    engines: Engines,
    framing: Option<Framing>,
    skip: Option<usize>,
    encoding: Option<gdvar_file::Encoding>,
    key: Option<Key>,
    max_unpacked: Option<u32>,
    options: ReadOptions,
}

impl FileOptions {
    /// Parses the keyword arguments of `open`.
    #[allow(clippy::too_many_arguments)]
    pub(crate) fn new(
        py: Python<'_>,
        dialect: &str,
        objects: &str,
        framing: &str,
        skip: Option<usize>,
        encoding: Option<&str>,
        password: Option<&str>,
        key: Option<&[u8]>,
        max_unpacked: Option<u32>,
    ) -> PyResult<FileOptions> {
        let name = Some(dialect).filter(|name| !["auto", "any"].contains(name));
        let options = options::read(py, name.unwrap_or("godot4"), false, objects, None)?;
        let key = match (password, key) {
            (Some(password), _) => Some(Key::from_password(password)),
            (None, Some(key)) => {
                Some(Key::from_file(key).map_err(|failed| error::envelope(py, failed))?)
            }
            (None, None) => None,
        };
        Ok(FileOptions {
            name: name.map(str::to_owned),
            engines: match name {
                Some(_) => Engines::Given(options.dialect()),
                None if dialect == "any" => Engines::Any,
                None => Engines::Auto,
            },
            framing: one_of(
                py,
                "framing",
                Some(framing).filter(|&name| name != "auto"),
                &Framing::ALL,
                |one| one.name(),
            )?,
            skip,
            encoding: one_of(
                py,
                "encoding",
                encoding,
                &gdvar_file::Encoding::ALL,
                |one| one.name(),
            )?,
            key,
            max_unpacked,
            options,
        })
    }

    /// Opens the contents of a file with these options.
    pub(crate) fn open<'a>(&self, bytes: &'a [u8]) -> Result<Opened<'a>, NotOpened> {
        let ask = || self.key.clone();
        let mut hints = Hints::new().with_engines(self.engines).with_key(&ask);
        hints.framing = self.framing;
        hints.skip = self.skip;
        hints.encoding = self.encoding;
        hints.max_unpacked = self.max_unpacked;
        gdvar_file::open(bytes, &hints)
    }

    /// Returns the options for reading the values of an opened file.
    pub(crate) fn options(&self, opened: &Opened<'_>) -> ReadOptions {
        let objects = match self.options.objects() {
            // Objects are allowed in a project.binary, and not in a compiled script, which has none.
            Objects::Ids if !opened.peeled().layers.is_empty() => {
                let layer = opened.peeled().layers.last();
                layer
                    .and_then(|layer| layer.objects())
                    .unwrap_or(Objects::Ids)
            }
            objects => objects,
        };
        let options = match self.name {
            Some(_) => self.options,
            None => ReadOptions::new(opened.decision().dialect),
        };
        options.with_objects(objects)
    }

    /// Returns the options for reading values that are not in a file.
    pub(crate) fn value_options(&self) -> ReadOptions {
        self.options
    }
}

/// Finds the item with the given name. If there is none, the error lists all names.
fn one_of<T: Copy>(
    py: Python<'_>,
    what: &str,
    name: Option<&str>,
    all: &[T],
    own: impl Fn(T) -> &'static str,
) -> PyResult<Option<T>> {
    let Some(name) = name else { return Ok(None) };
    let found = all.iter().copied().find(|&one| own(one) == name);
    if found.is_some() {
        return Ok(found);
    }
    let names: Vec<_> = all.iter().map(|&one| format!("{:?}", own(one))).collect();
    let message = format!("{what} is {}, not {name:?}", names.join(" or "));
    Err(error::other(py, "BadOption", message))
}

/// Explains why a file was not opened: one sentence, followed by each possible way to read the file with the
/// arguments that choose it.
pub(crate) fn message(failed: &NotOpened, file: &[u8]) -> String {
    let mut message = failed.to_string();
    let NotOpened::Undecided(undecided, peeled) = failed else {
        return message;
    };
    for choice in undecided.choices() {
        let line = line(peeled, file, choice).unwrap_or_default();
        message += &format!("; {} reads {line}", arguments(choice));
    }
    message
}

/// Returns the keyword arguments of a choice: `framing='bare', dialect='godot4'`.
fn arguments(choice: Choice) -> String {
    let framing = choice
        .framing
        .map(|framing| format!("framing={:?}", framing.name()));
    let dialect = choice
        .dialect
        .map(|dialect| format!("dialect={:?}", dialect.name()));
    let skip = choice.skip.map(|skip| format!("skip={skip}"));
    let all: Vec<String> = [skip, framing, dialect].into_iter().flatten().collect();
    all.join(", ")
}

/// Returns the value that `choice` reads differently from the other choices, on one line with its path.
/// `None` if it cannot be read.
fn line(peeled: &Peeled, file: &[u8], choice: Choice) -> Option<String> {
    let (record, options) = choice.record(peeled, file)?;
    let document = Document::with_options(&record.bytes, options);
    let root = document.root().ok()?;
    let place = document.locate(choice.offset).to_string();
    let path = Path::parse(&place).ok();
    let found = path.and_then(|path| root.find_path(&path).ok().flatten());
    let (mut text, value) = match found {
        Some(Found::Value(value)) if place != "$" => (format!("{place} = "), value),
        _ => (String::new(), root),
    };
    write_line(&mut text, value, LineOptions::new().with_max_len(60)).ok()?;
    Some(text)
}

/// Creates the exception for a file that was not opened. Each of its `choices` is a set of keyword arguments
/// with which the file can be opened.
pub(crate) fn refused(py: Python<'_>, failed: &NotOpened, file: &[u8]) -> PyErr {
    let offset = match failed {
        NotOpened::Layer(gdvar_file::PeelError::Bytes(own)) => Some(own.offset()),
        _ => None,
    };
    let raised = error::not_opened(py, failed.name(), message(failed, file), offset);
    let NotOpened::Undecided(undecided, _) = failed else {
        return raised;
    };
    let choices = undecided.choices().into_iter().map(|choice| {
        let kwargs = PyDict::new(py);
        if let Some(framing) = choice.framing {
            kwargs.set_item("framing", framing.name())?;
        }
        if let Some(dialect) = choice.dialect {
            kwargs.set_item("dialect", dialect.name())?;
        }
        if let Some(skip) = choice.skip {
            kwargs.set_item("skip", skip)?;
        }
        PyResult::Ok(kwargs)
    });
    let set = choices
        .collect::<PyResult<Vec<_>>>()
        .and_then(|choices| raised.value(py).setattr("choices", choices));
    set.err().unwrap_or(raised)
}

/// Returns `true` if a record holds a value or the beginning of one. An empty line does not.
pub(crate) fn is_value(record: &Record<'_>, framing: Framing) -> bool {
    record.problem.is_none() && !(framing.is_text() && record.bytes.is_empty())
}

/// The index of a record, and the range of its value.
#[derive(Clone, Copy)]
struct ValueRange {
    record: u64,
    start: usize,
    end: usize,
}

/// An opened file: the layers around its contents, and the ranges of its values.
#[pyclass(frozen, module = "gdvar")]
pub(crate) struct _Opened {
    /// The layers. Their contents are not stored here.
    peeled: Peeled,
    decision: Decision,
    contents: Py<PyBytes>,
    /// The bytes that contain the values: the contents, or the decoded lines of text.
    values: Py<PyBytes>,
    places: Vec<ValueRange>,
    /// The reason why the first incomplete record is none, and why no list of all values is complete.
    incomplete: Option<(&'static str, String)>,
    name: String,
    options: ReadOptions,
    notation: Notation,
}

/// Opens a file, given as bytes.
#[pyfunction]
#[pyo3(signature = (data, *, dialect, objects, framing, skip, encoding, password, key, max_unpacked))]
#[allow(clippy::too_many_arguments)]
pub(crate) fn _open(
    py: Python<'_>,
    data: &Bound<'_, PyBytes>,
    dialect: &str,
    objects: &str,
    framing: &str,
    skip: Option<usize>,
    encoding: Option<&str>,
    password: Option<&str>,
    key: Option<&[u8]>,
    max_unpacked: Option<u32>,
) -> PyResult<_Opened> {
    let wanted = FileOptions::new(
        py,
        dialect,
        objects,
        framing,
        skip,
        encoding,
        password,
        key,
        max_unpacked,
    )?;
    let bytes = data.as_bytes();
    let (opened, found) = py
        .detach(|| {
            let opened = wanted.open(bytes)?;
            let found = FileValues::of(&opened);
            Ok((opened, found))
        })
        .map_err(|failed| refused(py, &failed, bytes))?;
    let options = wanted.options(&opened);
    let name = wanted
        .name
        .unwrap_or_else(|| options.dialect().name().to_owned());
    let notation = options::notation(py, &name)?;
    let (mut peeled, decision) = opened.into_parts();
    let contents = match peeled.unpacked.take() {
        Some(own) => PyBytes::new(py, &own),
        None => data.clone(),
    };
    let values = match found.decoded {
        Some(own) => PyBytes::new(py, &own),
        None => contents.clone(),
    };
    Ok(_Opened {
        peeled,
        decision,
        contents: contents.unbind(),
        values: values.unbind(),
        places: found.places,
        incomplete: found.incomplete,
        name,
        options,
        notation,
    })
}

/// Returns why a record is not all there: its error's name, and a sentence. Its value is not read.
fn incomplete(record: &Record<'_>) -> Option<(&'static str, String)> {
    let fault = match record.problem {
        Some(problem) => Fault::Problem(problem),
        None => Fault::Read(record.end().err()?),
    };
    Some((fault.name(), fault.message(record)))
}

/// The ranges of the values in a file, one for each record that holds a value.
struct FileValues {
    places: Vec<ValueRange>,
    /// The decoded lines of text, joined.
    decoded: Option<Vec<u8>>,
    /// See [`_Opened`].
    incomplete: Option<(&'static str, String)>,
}

impl FileValues {
    fn of(opened: &Opened<'_>) -> FileValues {
        let framing = opened.decision().framing;
        let mut values = FileValues {
            places: Vec::new(),
            decoded: framing.is_text().then(Vec::new),
            incomplete: None,
        };
        for record in opened.records() {
            if values.incomplete.is_none() {
                values.incomplete = incomplete(&record);
            }
            if !is_value(&record, framing) {
                continue;
            }
            let start = match &mut values.decoded {
                Some(decoded) => {
                    decoded.extend_from_slice(&record.bytes);
                    decoded.len() - record.bytes.len()
                }
                None => record.place.base(),
            };
            values.places.push(ValueRange {
                record: record.index,
                start,
                end: start + record.bytes.len(),
            });
        }
        values
    }
}

/// A record that cannot be read: its index, the error's name, a sentence, the offset and the path.
type DamageTuple = (u64, &'static str, String, usize, String);

impl _Opened {
    fn place(&self, index: usize) -> PyResult<ValueRange> {
        let place = self.places.get(index).copied();
        place.ok_or_else(|| pyo3::exceptions::PyIndexError::new_err("there is no such value"))
    }
}

#[pymethods]
impl _Opened {
    #[getter]
    fn layers(&self) -> Vec<String> {
        self.peeled
            .layers
            .iter()
            .map(gdvar_file::Layer::name)
            .collect()
    }

    #[getter]
    fn header<'py>(&self, py: Python<'py>) -> Bound<'py, PyBytes> {
        let contents = self.contents.bind(py).as_bytes();
        PyBytes::new(
            py,
            contents.get(..self.peeled.header_len).unwrap_or_default(),
        )
    }

    #[getter]
    fn trailer<'py>(&self, py: Python<'py>) -> Bound<'py, PyBytes> {
        let contents = self.contents.bind(py).as_bytes();
        let start = contents.len().saturating_sub(self.peeled.trailer_len);
        PyBytes::new(py, contents.get(start..).unwrap_or_default())
    }

    #[getter]
    fn framing(&self) -> &'static str {
        self.decision.framing.name()
    }

    #[getter]
    fn dialect(&self) -> &str {
        &self.name
    }

    #[getter]
    fn objects(&self) -> &'static str {
        match self.options.objects() {
            Objects::Inert => "inert",
            Objects::Deny => "deny",
            _ => "ids",
        }
    }

    #[getter]
    fn certainty(&self) -> &'static str {
        self.decision.certainty.name()
    }

    #[getter]
    fn same(&self) -> Vec<&'static str> {
        self.decision
            .same
            .iter()
            .map(|dialect| dialect.name())
            .collect()
    }

    #[getter]
    fn contents(&self, py: Python<'_>) -> Py<PyBytes> {
        self.contents.clone_ref(py)
    }

    #[getter]
    fn incomplete(&self) -> Option<(&'static str, String)> {
        self.incomplete.clone()
    }

    /// Lists the records that cannot be read: of the whole file, or only the one with this index of a value.
    #[pyo3(signature = (index = None))]
    fn damage(&self, py: Python<'_>, index: Option<usize>) -> PyResult<Vec<DamageTuple>> {
        let only = index.map(|index| self.place(index)).transpose()?;
        let contents = self.contents.bind(py).as_bytes();
        let end = contents.len().saturating_sub(self.peeled.trailer_len);
        let header = self.peeled.header_len;
        let (framing, options) = (self.decision.framing, self.options);
        let values = contents.get(header..end).unwrap_or_default();
        let damaged = |record: Record<'_>| {
            if framing.is_text() && record.bytes.is_empty() && record.problem.is_none() {
                return None;
            }
            let fault = record.read(options).err()?;
            let document = Document::with_options(&record.bytes, options);
            Some((
                record.index,
                fault.name(),
                fault.message(&record),
                fault.offset(&record),
                fault.path(document),
            ))
        };
        Ok(py.detach(|| {
            let mut all = records_after(values, framing, header);
            match only {
                Some(only) => {
                    let mut one = all.find(|record| record.index == only.record);
                    one.take().and_then(damaged).into_iter().collect()
                }
                None => all.filter_map(damaged).collect(),
            }
        }))
    }

    fn __len__(&self) -> usize {
        self.places.len()
    }

    /// Returns a value as a lazy :class:`Value`.
    fn value(&self, py: Python<'_>, index: usize) -> PyResult<Value> {
        let ValueRange { start, end, .. } = self.place(index)?;
        Value::root(
            py,
            self.values.bind(py),
            (start, end),
            self.options,
            self.notation,
        )
    }

    /// Returns the bytes of a value, and what follows it in its record.
    fn raw<'py>(&self, py: Python<'py>, index: usize) -> PyResult<Bound<'py, PyBytes>> {
        let ValueRange { start, end, .. } = self.place(index)?;
        let all = self.values.bind(py).as_bytes();
        Ok(PyBytes::new(py, all.get(start..end).unwrap_or_default()))
    }

    /// Returns the file with one value replaced. `iv` must be 16 random bytes.
    fn with_value<'py>(
        &self,
        py: Python<'py>,
        index: usize,
        new: &[u8],
        iv: [u8; 16],
    ) -> PyResult<Bound<'py, PyBytes>> {
        let changes = BTreeMap::from([(self.place(index)?.record, new)]);
        let old = self.contents.bind(py).as_bytes();
        let contents = with_values(old, self.peeled.header_len, self.decision.framing, &changes);
        let contents = contents
            .map_err(|failed| error::decode_message(py, failed.name(), failed.to_string()))?;
        let file = py.detach(|| self.peeled.replace(old.len(), contents, Some(iv)));
        let file =
            file.map_err(|failed| error::encode(py, "ReadOnly", failed.to_string(), None))?;
        Ok(PyBytes::new(py, &file))
    }
}
