//! Parses reading and writing options from Python's arguments.

use gdvar_text::{Engine, Notation};
use gdvar_view::{Limits, Objects, ReadOptions};
use gdvar_write::{Precision, Target};
use pyo3::prelude::*;

use crate::error;

/// Returns the target with the name of an engine, such as `godot4`, `godot4.2` or `godot3.0`.
fn engine(py: Python<'_>, name: &str) -> PyResult<Target> {
    name.parse().map_err(|unknown| {
        error::other(
            py,
            "UnknownDialect",
            format!("there is no engine {name}: {unknown}"),
        )
    })
}

pub(crate) fn read(
    py: Python<'_>,
    name: &str,
    strict: bool,
    objects: &str,
    max_depth: Option<u16>,
) -> PyResult<ReadOptions> {
    let objects = match objects {
        "ids" => Objects::Ids,
        "inert" => Objects::Inert,
        "deny" => Objects::Deny,
        other => {
            let message = format!("objects is \"ids\", \"inert\" or \"deny\", not {other:?}");
            return Err(error::other(py, "BadOption", message));
        }
    };
    let mut options = ReadOptions::new(engine(py, name)?.dialect()).with_objects(objects);
    if strict {
        options = options.strict();
    }
    let limits = match (max_depth, Engine::from_name(name)) {
        (Some(max_depth), _) => Limits::ENGINE.with_max_depth(max_depth),
        (None, Some(engine)) => engine.limits(),
        (None, None) => Limits::ENGINE,
    };
    Ok(options.with_limits(limits))
}

/// Returns the notation that the named engine prints.
pub(crate) fn notation(py: Python<'_>, name: &str) -> PyResult<Notation> {
    Ok(match Engine::from_name(name) {
        Some(engine) => engine.notation(),
        None => engine(py, name)?.dialect().notation(),
    })
}

/// Returns the target of the named engine.
pub(crate) fn target(py: Python<'_>, name: &str, precision: &str) -> PyResult<Target> {
    let target = engine(py, name)?;
    Ok(match precision {
        "given" => target,
        "single" => target.with_precision(Precision::Single),
        "double" => target.with_precision(Precision::Double),
        other => {
            let message =
                format!("precision is \"given\", \"single\" or \"double\", not {other:?}");
            return Err(error::other(py, "BadOption", message));
        }
    })
}
