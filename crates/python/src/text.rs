//! Converts values to JSON and Godot's notation, and edits and compares values in their bytes.

use gdvar_edit::{
    Change, DiffOptions, Edit, Place,
    fit::{self, FitError, FitErrorKind},
};
use gdvar_json::Style;
use gdvar_text::Notation;
use gdvar_view::{Document, ReadOptions, VariantRef};
use pyo3::{prelude::*, types::PyBytes};

use crate::{error, options};

fn style(py: Python<'_>, name: &str) -> PyResult<Style> {
    Ok(match name {
        "plain" => Style::Plain,
        "native" => Style::Native,
        "tagged" => Style::Tagged,
        other => {
            let message = format!("a style is \"plain\", \"native\" or \"tagged\", not {other:?}");
            return Err(error::other(py, "BadOption", message));
        }
    })
}

pub(crate) fn to_json(py: Python<'_>, value: VariantRef<'_>, name: &str) -> PyResult<String> {
    let style = style(py, name)?;
    let mut out = Vec::new();
    let written = py.detach(|| gdvar_json::write(value, style, &mut out));
    written.map_err(|failed| error::decode_message(py, "Json", failed.to_string()))?;
    Ok(String::from_utf8_lossy(&out).into_owned())
}

pub(crate) fn to_text(
    py: Python<'_>,
    value: VariantRef<'_>,
    notation: Notation,
) -> PyResult<String> {
    let mut out = String::new();
    let written = py.detach(|| gdvar_text::write_godot(&mut out, value, notation));
    written.map_err(|failed| error::decode_message(py, "Text", failed.to_string()))?;
    Ok(out)
}

/// Returns the bytes of a value given as JSON in the style ``plain``, ``native`` or ``tagged``.
#[pyfunction]
#[pyo3(signature = (text, *, style = "plain", target = "godot4", objects = "ids"))]
pub(crate) fn from_json<'py>(
    py: Python<'py>,
    text: &str,
    style: &str,
    target: &str,
    objects: &str,
) -> PyResult<Bound<'py, PyBytes>> {
    let style = self::style(py, style)?;
    let target = options::target(py, target, "given")?;
    let objects = options::read(py, "godot4", false, objects, None)?.objects();
    let options = gdvar_json::ReadOptions::new(style, target).with_objects(objects);
    let made = py.detach(|| gdvar_json::read(text.as_bytes(), &options));
    let made = made.map_err(|failed| error::other(py, "Json", failed.to_string()))?;
    Ok(PyBytes::new(py, &made))
}

/// One change of `_edit`: the operation, the path, the bytes of the value, and what they do at a place of
/// another type: `exact` bytes are written unchanged, a `typed` value is converted if that is possible, and a
/// `plain` one must become a value of that type.
type Op<'py> = (String, String, Option<Bound<'py, PyBytes>>, String);

/// Applies changes to a value and returns its bytes. Either all changes are made or none.
#[pyfunction]
#[pyo3(signature = (data, ops, *, dialect, objects))]
pub(crate) fn _edit<'py>(
    py: Python<'py>,
    data: &Bound<'py, PyBytes>,
    ops: Vec<Op<'py>>,
    dialect: &str,
    objects: &str,
) -> PyResult<Bound<'py, PyBytes>> {
    let options = options::read(py, dialect, false, objects, None)?;
    let document = Document::with_options(data.as_bytes(), options);
    let mut edit = Edit::new(document);
    // The places of all values that may be converted, in one walk.
    let fitted_paths = ops.iter().map(|(_, path, _, rule)| match rule.as_str() {
        "exact" => "",
        _ => path,
    });
    let places = fit::find(document, &fitted_paths.collect::<Vec<_>>());
    for ((op, path, value, rule), place) in ops.iter().zip(places) {
        let value = value
            .as_ref()
            .map(|value| value.as_bytes())
            .unwrap_or_default();
        let refused = |failed| misfit(py, path, value, options, failed);
        let fitted = |how: FitRule| match place.filter(|_| rule != "exact") {
            None => Ok(value.to_vec()),
            Some(place) => how(place, value).map_err(refused),
        };
        match op.as_str() {
            "set" => {
                let value = fitted(fit::set_at)?;
                if let Some(place) = place.filter(|_| rule == "plain") {
                    fit::keeps_type_at(place, &value).map_err(refused)?;
                }
                edit.set(path, &value)
            }
            "insert" => edit.insert(path, &fitted(fit::insert_at)?),
            "append" => edit.append(path, &fitted(fit::append_at)?),
            "remove" => edit.remove(path),
            "rename" => edit.rename_key(path, value),
            other => {
                let message = format!("there is no change named {other}");
                return Err(error::other(py, "BadOption", message));
            }
        };
    }
    let done = py.detach(|| edit.plan().map(|plan| plan.to_vec()));
    let done = done.map_err(|failed| {
        let path = ops
            .get(failed.edit())
            .map(|(_, path, ..)| path.as_str())
            .unwrap_or_default();
        error::encode(
            py,
            failed.kind().name(),
            format!("{path}: {failed}"),
            Some(path.to_owned()),
        )
    })?;
    Ok(PyBytes::new(py, &done))
}

/// A function of `fit` that converts a value to the type that its place requires.
type FitRule = fn(Place<'_>, &[u8]) -> Result<Vec<u8>, FitError>;

/// Creates the exception for a value that does not fit its place.
fn misfit(
    py: Python<'_>,
    path: &str,
    value: &[u8],
    options: ReadOptions,
    failed: FitError,
) -> PyErr {
    let path = failed.path(path, value, options);
    let hint = match failed.kind() {
        FitErrorKind::OtherType { .. } => {
            "; what says its type changes it, such as Float(1), Int(1) or Vector2(1, 2), and \
             Raw(dumps(value)) does for any value"
        }
        _ => "",
    };
    let message = format!("{path}: {failed}{hint}");
    error::encode(py, "Fit", message, Some(path))
}

/// A difference: its kind, the path, the bytes of the old value, and the bytes of the new value.
type DifferenceTuple<'py> = (
    &'static str,
    String,
    Option<Bound<'py, PyBytes>>,
    Option<Bound<'py, PyBytes>>,
);

/// Returns the differences between two values.
#[pyfunction]
#[pyo3(signature = (old, new, *, dialect, objects, tolerance))]
pub(crate) fn _diff<'py>(
    py: Python<'py>,
    old: &Bound<'py, PyBytes>,
    new: &Bound<'py, PyBytes>,
    dialect: &str,
    objects: &str,
    tolerance: Option<f64>,
) -> PyResult<Vec<DifferenceTuple<'py>>> {
    let options = options::read(py, dialect, false, objects, None)?;
    let old = Document::with_options(old.as_bytes(), options);
    let new = Document::with_options(new.as_bytes(), options);
    for document in [old, new] {
        document
            .validate()
            .map_err(|failed| error::decode(py, document, failed))?;
    }
    let in_old = |failed| error::decode(py, old, failed);
    let how = match tolerance {
        Some(tolerance) => DiffOptions::new().with_tolerance(tolerance),
        None => DiffOptions::new(),
    };
    let mut all = Vec::new();
    let mut differences = gdvar_edit::diff(
        old.root().map_err(in_old)?,
        new.root().map_err(in_old)?,
        how,
    );
    while let Some(one) = differences.try_next().map_err(in_old)? {
        let raw = |value: VariantRef<'_>| {
            value
                .raw()
                .map(|raw| Some(PyBytes::new(py, raw)))
                .map_err(in_old)
        };
        let (what, from, to) = match one.change() {
            Change::Set { from, to } => ("set", raw(from)?, raw(to)?),
            Change::Added { value } => ("added", None, raw(value)?),
            Change::Removed { value } => ("removed", raw(value)?, None),
            Change::Moved { value, .. } => ("moved", raw(value)?, raw(value)?),
            _ => continue,
        };
        all.push((what, one.path().to_owned(), from, to));
    }
    Ok(all)
}
