//! How to read and for which engine to write, as Python says it.

use gdvar_view::{Dialect, Limits, Objects, ReadOptions};
use gdvar_write::{Precision, Target};
use pyo3::prelude::*;

use crate::error;

pub(crate) fn dialect(py: Python<'_>, name: &str) -> PyResult<Dialect> {
    name.parse().map_err(|_| {
        let known: Vec<&str> = Dialect::ALL.iter().map(|dialect| dialect.name()).collect();
        let message = format!("there is no dialect {name}; there are {}", known.join(", "));
        error::other(py, "UnknownDialect", message)
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
    let mut options = ReadOptions::new(dialect(py, name)?).with_objects(objects);
    if strict {
        options = options.strict();
    }
    if let Some(max_depth) = max_depth {
        options = options.with_limits(Limits::ENGINE.with_max_depth(max_depth));
    }
    Ok(options)
}

/// `godot4`, `godot4.2`, `godot3`, `godot3.0` …
pub(crate) fn target(py: Python<'_>, name: &str, precision: &str) -> PyResult<Target> {
    let target = match name.strip_prefix("godot4.").map(str::parse) {
        Some(Ok(minor)) => Target::GODOT_4.with_minor(minor),
        _ => match name {
            "godot3.0" => Target::GODOT_3_0,
            "godot2" => Target::GODOT_2,
            name => dialect(py, name)?.into(),
        },
    };
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
