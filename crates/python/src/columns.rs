//! [`Table`]: columns from many values, and their export to Arrow.

mod source;

use std::{path::PathBuf, sync::Arc, thread};

use gdvar_columns::{Batch, BatchSize, Builder, Origin, Query, Sample, Schema, Type, Values};
use gdvar_file::{Opened, Record};
use gdvar_view::{Document, ReadOptions};
use pyo3::{
    exceptions::PyIndexError,
    prelude::*,
    types::{PyBytes, PyDict, PyList},
};

use self::source::{PythonSource, given, read_file};
use crate::{
    error, ffi,
    file::{self, FileOptions},
};

/// A source of rows.
enum RowSource<'a> {
    /// A bare value.
    Value(Origin<'a>, &'a [u8]),
    /// Some records of a file: the file's name, the reading options, and the records.
    Records(&'a str, ReadOptions, &'a [Record<'a>]),
    /// A file, which is read only when it is needed.
    File(&'a str, PathBuf),
    /// The contents of a file that the caller passed in memory: its name and bytes.
    Contents(&'a str, &'a [u8]),
    /// The reason why a source could not be read.
    Damage(Origin<'a>, String),
}

/// Receives each value, or the reason why it is missing.
type TakeRow<'t> = dyn FnMut(Origin<'_>, Result<Document<'_>, &str>) + 't;

/// Passes each value of a source, or its damage, to `take`.
fn each<'a>(item: &RowSource<'a>, wanted: &FileOptions, take: &mut TakeRow<'_>) {
    match item {
        RowSource::Value(origin, value) => take(
            *origin,
            Ok(Document::with_options(value, wanted.value_options())),
        ),
        RowSource::Records(name, options, all) => records(name, *options, all.iter(), take),
        RowSource::Damage(origin, reason) => take(*origin, Err(reason)),
        RowSource::Contents(name, bytes) => contents(name, bytes, wanted, take),
        RowSource::File(name, path) => match std::fs::read(path) {
            Ok(bytes) => contents(name, &bytes, wanted, take),
            Err(failed) => take(first(name), Err(&format!("{name}: {failed}"))),
        },
    }
}

/// Returns the origin for damage that concerns a whole file: its first record.
fn first(file: &str) -> Origin<'_> {
    Origin { file, record: 0 }
}

/// Passes each value in the contents of a file, or its damage, to `take`.
fn contents(name: &str, bytes: &[u8], wanted: &FileOptions, take: &mut TakeRow<'_>) {
    match wanted.open(bytes) {
        Ok(opened) => {
            let all: Vec<_> = rows(&opened).collect();
            records(name, wanted.options(&opened), all.iter(), take);
        }
        Err(failed) => take(first(name), Err(&file::message(&failed, bytes))),
    }
}

/// Returns the records of a file that become rows: values and damaged records. Empty lines are left out.
fn rows<'a>(opened: &'a Opened<'_>) -> impl Iterator<Item = Record<'a>> {
    let framing = opened.decision().framing;
    let is_row =
        move |record: &Record<'_>| record.problem.is_some() || file::is_value(record, framing);
    opened.records().filter(is_row)
}

fn records<'r>(
    file: &str,
    options: ReadOptions,
    all: impl Iterator<Item = &'r Record<'r>>,
    take: &mut TakeRow<'_>,
) {
    for record in all {
        let origin = Origin {
            file,
            record: record.index,
        };
        match record.value(options) {
            Ok(document) => take(origin, Ok(document)),
            Err(fault) => take(
                origin,
                Err(&format!("{}: {}", fault.name(), fault.message(record))),
            ),
        }
    }
}

/// The number of records in one [`RowSource::Records`].
const RECORDS: usize = 1024;

/// Returns the types that a sample of the rows suggests.
fn sampled(query: Query, items: &[RowSource<'_>], wanted: &FileOptions) -> Schema {
    let mut sample = Sample::new(query, wanted.value_options());
    for item in items {
        if sample.is_full() {
            break;
        }
        each(item, wanted, &mut |_, value| {
            if let Ok(value) = value {
                sample.see_document(value);
            }
        });
    }
    sample.schema()
}

/// Batches, and the types that can hold all of their rows.
type Built = (Vec<Arc<Batch>>, Schema);

fn built(schema: &Schema, items: &[RowSource<'_>], wanted: &FileOptions, size: BatchSize) -> Built {
    let mut builder = Builder::new(schema, wanted.value_options()).with_batch_size(size);
    let mut batches = Vec::new();
    for item in items {
        each(item, wanted, &mut |origin, value| match value {
            Ok(value) => builder.push_document(origin, value),
            Err(reason) => builder.push_error(origin, reason),
        });
        batches.extend(std::iter::from_fn(|| builder.next_full()).map(Arc::new));
    }
    let schema = builder.schema();
    batches.extend(std::iter::from_fn(|| builder.finish()).map(Arc::new));
    (batches, schema)
}

/// Builds the batches of all sources on several threads, in the order of the sources.
fn spread(
    schema: &Schema,
    items: &[RowSource<'_>],
    wanted: &FileOptions,
    size: BatchSize,
    threads: usize,
) -> Built {
    let threads = threads.clamp(1, 64);
    let are_few = items.len() < 256 && matches!(items.first(), Some(RowSource::Value(..)) | None);
    if threads == 1 || are_few {
        return built(schema, items, wanted, size);
    }
    let share = items.len().div_ceil(threads).max(1);
    let shares: Vec<Built> = thread::scope(|scope| {
        let shares: Vec<_> = items
            .chunks(share)
            .map(|share| scope.spawn(move || built(schema, share, wanted, size)))
            .collect();
        let join = |own: thread::ScopedJoinHandle<'_, Built>| match own.join() {
            Ok(built) => built,
            // Passes on a panic, because otherwise a bug would silently lose rows.
            Err(panic) => std::panic::resume_unwind(panic),
        };
        shares.into_iter().map(join).collect()
    });
    let (batches, schemas): (Vec<_>, Vec<_>) = shares.into_iter().unzip();
    let found = Schema::of_parts(schemas).unwrap_or_else(|| schema.clone());
    (batches.into_iter().flatten().collect(), found)
}

/// Rows in columns, in the memory layout of Apache Arrow.
///
/// ``pyarrow.table(table)``, ``polars.DataFrame(table)`` and ``duckdb.sql("select … from table")`` read it
/// through the PyCapsule interface, without a copy.
#[pyclass(frozen, module = "gdvar")]
pub(crate) struct Table {
    fields: ffi::Fields,
    notes: Vec<String>,
    batches: Vec<Arc<Batch>>,
}

/// Some rows of a [`Table`].
#[pyclass(frozen, module = "gdvar", name = "Batch")]
pub(crate) struct PyBatch {
    fields: ffi::Fields,
    batch: Arc<Batch>,
}

#[pymethods]
impl Table {
    /// The names of the columns. The column of errors is the last.
    #[getter]
    fn names(&self) -> Vec<String> {
        self.fields.iter().map(|(name, _)| name.clone()).collect()
    }

    /// The types by column name, such as ``int64`` or ``list<float32[2]>``.
    #[getter]
    fn types<'py>(&self, py: Python<'py>) -> PyResult<Bound<'py, PyDict>> {
        let types = PyDict::new(py);
        for (name, ty) in self.fields.iter() {
            types.set_item(name, ty.to_string())?;
        }
        Ok(types)
    }

    /// For each column its type, and what the sample contained.
    #[getter]
    fn notes(&self) -> Vec<String> {
        self.notes.clone()
    }

    /// The rows in batches.
    #[getter]
    fn batches(&self) -> Vec<PyBatch> {
        let batches = self.batches.iter();
        let own = |batch: &Arc<Batch>| PyBatch {
            fields: Arc::clone(&self.fields),
            batch: Arc::clone(batch),
        };
        batches.map(own).collect()
    }

    /// The number of rows.
    fn __len__(&self) -> usize {
        self.batches.iter().map(|batch| batch.rows()).sum()
    }

    fn __bool__(&self) -> bool {
        true
    }

    /// Returns the columns as lists of Python's values, by name. Meant for a few rows.
    fn to_pydict<'py>(&self, py: Python<'py>) -> PyResult<Bound<'py, PyDict>> {
        let all = PyDict::new(py);
        for (place, (name, _)) in self.fields.iter().enumerate() {
            let list = PyList::empty(py);
            for batch in &self.batches {
                if let Some(column) = batch.columns().get(place) {
                    for at in 0..batch.rows() {
                        list.append(cell(py, column.array(), at)?)?;
                    }
                }
            }
            all.set_item(name, list)?;
        }
        Ok(all)
    }

    fn __arrow_c_schema__<'py>(&self, py: Python<'py>) -> PyResult<Bound<'py, PyAny>> {
        ffi::schema_capsule(py, &self.fields)
    }

    #[pyo3(signature = (requested_schema = None))]
    fn __arrow_c_stream__<'py>(
        &self,
        py: Python<'py>,
        requested_schema: Option<Bound<'py, PyAny>>,
    ) -> PyResult<Bound<'py, PyAny>> {
        // The interface allows a producer to ignore the requested schema.
        let _ = requested_schema;
        ffi::stream_capsule(py, &self.fields, self.batches.iter().map(Arc::clone))
    }

    fn __repr__(&self) -> String {
        format!(
            "<gdvar.Table {} rows: {}>",
            self.__len__(),
            self.notes.join(", ")
        )
    }
}

#[pymethods]
impl PyBatch {
    /// The number of rows.
    fn __len__(&self) -> usize {
        self.batch.rows()
    }

    fn __arrow_c_schema__<'py>(&self, py: Python<'py>) -> PyResult<Bound<'py, PyAny>> {
        ffi::schema_capsule(py, &self.fields)
    }

    #[pyo3(signature = (requested_schema = None))]
    fn __arrow_c_array__<'py>(
        &self,
        py: Python<'py>,
        requested_schema: Option<Bound<'py, PyAny>>,
    ) -> PyResult<(Bound<'py, PyAny>, Bound<'py, PyAny>)> {
        let _ = requested_schema;
        ffi::array_capsules(py, &self.fields, &self.batch)
    }

    /// Returns the address of the values of a column of numbers, to show that they were not copied.
    fn address(&self, column: usize) -> PyResult<usize> {
        let column = self.batch.columns().get(column);
        let values = column.map(|column| column.array().values());
        Ok(match values {
            Some(Values::Int32(all)) => all.as_ptr().addr(),
            Some(Values::Int64(all)) => all.as_ptr().addr(),
            Some(Values::Float32(all)) => all.as_ptr().addr(),
            Some(Values::Float64(all)) => all.as_ptr().addr(),
            _ => return Err(PyIndexError::new_err("there is no such column of numbers")),
        })
    }
}

/// Returns a cell as a value of Python.
fn cell<'py>(
    py: Python<'py>,
    array: &gdvar_columns::Array,
    at: usize,
) -> PyResult<Bound<'py, PyAny>> {
    let none = || py.None().into_bound(py);
    if !array.validity().get(at) {
        return Ok(none());
    }
    let range = |offsets: &[i32]| {
        let end = |at: usize| offsets.get(at).map_or(0, |&end| end as usize);
        end(at)..end(at + 1)
    };
    let list = |array: &gdvar_columns::Array, range: std::ops::Range<usize>| {
        let list = PyList::empty(py);
        for at in range {
            list.append(cell(py, array, at)?)?;
        }
        PyResult::Ok(list.into_any())
    };
    Ok(match array.values() {
        Values::Null => none(),
        Values::Bool(all) => all.get(at).into_pyobject(py)?.to_owned().into_any(),
        Values::Int32(all) => all.get(at).into_pyobject(py)?,
        Values::Int64(all) => all.get(at).into_pyobject(py)?,
        Values::Float32(all) => all.get(at).into_pyobject(py)?,
        Values::Float64(all) => all.get(at).into_pyobject(py)?,
        Values::Text { .. } => array.text(at).into_pyobject(py)?,
        Values::Binary { offsets, data } => {
            PyBytes::new(py, data.get(range(offsets)).unwrap_or_default()).into_any()
        }
        Values::Fixed { len, numbers } => {
            let len = usize::from(*len);
            list(numbers, at * len..(at + 1) * len)?
        }
        Values::List { offsets, elements } => list(elements, range(offsets))?,
    })
}

/// Reads typed columns from many values, by path.
///
/// ``source`` is a path, a list of paths, the ``bytes`` of a file, a dict of names and ``bytes``, or a list
/// of values as ``bytes``. Each value, or each record of a file, is a row.
///
/// ``columns`` maps names to paths: ``{"gold": "player.gold", "levels": "party[*].level"}``. A pattern gives
/// a list. ``@file``, ``@record`` and ``@element`` give the file's name, the index of the record, and the
/// index of the child.
///
/// ``each`` is a path. Each child of the value there becomes a row, and the paths of the columns start at the
/// child.
///
/// A column has the type that holds most of its rows, whatever their sequence; ints mixed with floats are
/// ``float64``. ``types`` sets the types of some columns, such as ``{"gold": "int64"}``: ``bool``, ``int32``,
/// ``int64``, ``float32``, ``float64``, ``text``, ``binary``, ``float32[3]``, ``list<int64>``.
/// ``Table.notes`` says what was found.
///
/// ``error`` is the name of the column that says why a value could not be read, or a file. In a list of
/// files, a missing file is a row with an error; if all are missing, or the only one, ``OSError`` is raised.
///
/// ``dialect``, ``objects``, ``framing``, ``password``, ``key``, ``max_unpacked`` are as for :func:`open`,
/// for each file separately, so one table can combine saves of several engines. Values passed as ``bytes`` in
/// a list are read as Godot 4 unless ``dialect`` is given. A batch has at most ``batch_rows`` rows.
/// ``threads`` defaults to the number of cores.
#[pyfunction]
#[pyo3(signature = (source, columns, *, each = None, types = None, error = "error", dialect = "auto",
    objects = "ids", framing = "auto", password = None, key = None, max_unpacked = None, batch_rows = 65_536, threads = None))]
#[allow(clippy::too_many_arguments)]
pub(crate) fn columns(
    py: Python<'_>,
    source: &Bound<'_, PyAny>,
    columns: &Bound<'_, PyDict>,
    each: Option<&str>,
    types: Option<&Bound<'_, PyDict>>,
    error: &str,
    dialect: &str,
    objects: &str,
    framing: &str,
    password: Option<&str>,
    key: Option<&[u8]>,
    max_unpacked: Option<u32>,
    batch_rows: usize,
    threads: Option<usize>,
) -> PyResult<Table> {
    let wrong = |failed: gdvar_columns::QueryError| error::other(py, "Query", failed.to_string());
    for (name, _) in types.into_iter().flatten() {
        if !columns.contains(&name)? {
            let known: Vec<String> = columns.keys().extract()?;
            return Err(error::other(
                py,
                "Query",
                format!(
                    "types names a column that is not asked for: {:?}; the columns are {}",
                    name.str()?.to_string(),
                    known.join(", ")
                ),
            ));
        }
    }
    let mut query = Query::new();
    for (name, path) in columns {
        let (name, path): (String, String) = (name.extract()?, path.extract()?);
        let ty = match types
            .map(|types| types.get_item(&name))
            .transpose()?
            .flatten()
        {
            Some(ty) => Some(ty.extract::<String>()?.parse::<Type>().map_err(wrong)?),
            None => None,
        };
        query = match ty {
            Some(ty) => query.typed_column(&name, &path, ty).map_err(wrong)?,
            None => query.column(&name, &path).map_err(wrong)?,
        };
    }
    query = query.error_column(error).map_err(wrong)?;
    if let Some(each) = each {
        query = query.each(each).map_err(wrong)?;
    }
    let wanted = &FileOptions::new(
        py,
        dialect,
        objects,
        framing,
        None,
        None,
        password,
        key,
        max_unpacked,
    )?;
    let size = BatchSize {
        rows: batch_rows,
        ..BatchSize::default()
    };
    let cores = || thread::available_parallelism().map_or(1, usize::from);
    let threads = threads.unwrap_or_else(cores);
    let given = given(source)?;
    let values: Vec<&[u8]> = match &given {
        PythonSource::Bytes(all) => all.iter().map(|own| own.as_bytes()).collect(),
        PythonSource::Contents(own) => vec![own.as_bytes()],
        PythonSource::Path(..) | PythonSource::Paths(_) | PythonSource::Named(_) => Vec::new(),
    };
    let read = match &given {
        PythonSource::Path(name, path) => Some((name.as_str(), read_file(py, name, path, 1)?)),
        // If no file exists, the names probably come from another folder or another machine, so raise an
        // error.
        PythonSource::Paths(paths) if !paths.iter().any(|(_, path)| path.exists()) => {
            if let Some((name, path)) = paths.first() {
                read_file(py, name, path, paths.len())?;
            }
            None
        }
        _ => None,
    };
    let named: Vec<(&str, &[u8])> = match &given {
        PythonSource::Named(all) => all
            .iter()
            .map(|(name, own)| (name.as_str(), own.as_bytes()))
            .collect(),
        _ => Vec::new(),
    };
    let is_contents = matches!(given, PythonSource::Contents(_));
    let paths = match &given {
        PythonSource::Paths(paths) => paths.as_slice(),
        _ => &[],
    };
    let (schema, batches) = py.detach(|| {
        let (opened, all);
        let mut items = Vec::new();
        // The records of one file are divided among the threads; many files are read one by one.
        let contents = match (&read, is_contents, values.first()) {
            (Some((name, bytes)), ..) => Some((*name, bytes.as_slice())),
            (None, true, Some(bytes)) => Some(("", *bytes)),
            _ => None,
        };
        if let Some((name, bytes)) = contents {
            match wanted.open(bytes) {
                Ok(own) => {
                    opened = own;
                    all = rows(&opened).collect::<Vec<_>>();
                    let options = wanted.options(&opened);
                    let parts = all.chunks(RECORDS);
                    items.extend(parts.map(|part| RowSource::Records(name, options, part)));
                }
                Err(failed) => items.push(RowSource::Damage(
                    first(name),
                    file::message(&failed, bytes),
                )),
            }
        } else if !named.is_empty() {
            items.extend(
                named
                    .iter()
                    .map(|&(name, own)| RowSource::Contents(name, own)),
            );
        } else if paths.is_empty() {
            for (record, value) in values.iter().enumerate() {
                items.push(RowSource::Value(
                    Origin {
                        file: "",
                        record: record as u64,
                    },
                    value,
                ));
            }
        } else {
            items.extend(
                paths
                    .iter()
                    .map(|(name, path)| RowSource::File(name, path.clone())),
            );
        }
        let schema = sampled(query, &items, wanted);
        let (batches, found) = spread(&schema, &items, wanted, size, threads);
        match found.has_types_of(&schema) {
            true => (found, batches),
            // Builds again, with types that can hold all rows.
            false => {
                drop(batches);
                let (batches, _) = spread(&found, &items, wanted, size, threads);
                (found, batches)
            }
        }
    });
    let fields = schema
        .fields()
        .iter()
        .map(|field| (field.name().to_owned(), field.ty()));
    Ok(Table {
        fields: Arc::new(fields.collect()),
        notes: schema.fields().iter().map(ToString::to_string).collect(),
        batches,
    })
}
