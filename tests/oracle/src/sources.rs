//! The vectors and saves, written again for their own engine or for the other one.

use std::convert::Infallible;

use gdvar::{
    Dialect,
    frames::{PrefixOrder, frames},
    write::{Error, Loss, Precision, Report, TranscodeError, WriteErrorKind},
};
use serde_json::Value;

use super::{Asked, Blob, has_whole_objects, narrowed, open, rewrite};
use gdvar_conformance::{
    derived,
    tagged::{self, Precision as Shown},
    vectors::{ENGINES, plain_saves, vectors},
};

/// A value in some dialect.
struct Source {
    id: String,
    dialect: Dialect,
    bytes: Vec<u8>,
    full_objects: bool,
}

fn sources() -> Vec<Source> {
    let mut out = Vec::new();
    for engine in ENGINES {
        out.extend(vectors(engine).into_iter().map(|vector| Source {
            id: format!("{} of {}", vector.id, engine.name),
            dialect: engine.dialect,
            bytes: vector.bytes,
            full_objects: vector.full_objects,
        }));
    }
    out.extend(derived::derived_vectors().into_iter().map(|vector| Source {
        id: format!("{} of {}", vector.id, vector.dialect),
        dialect: vector.dialect.parse().expect("a dialect"),
        bytes: vector.bytes,
        full_objects: vector.full_objects,
    }));
    for save in plain_saves() {
        for (n, frame) in frames(&save.bytes, PrefixOrder::Little).enumerate() {
            out.push(Source {
                id: format!("record {n} of {}", save.name),
                dialect: save.dialect,
                bytes: frame.expect("a record").bytes.to_vec(),
                full_objects: false,
            });
        }
    }
    out
}

/// Everything there is, for an engine: what is its own twice where it holds wide reals, once as
/// it is and once narrowed. Their names begin with `names-kept` or `key-changed` where the writer
/// reported that.
///
/// # Panics
/// If the writer cannot write what the reader reads, or the reader sees another value in it though
/// nothing was reported.
#[must_use]
pub fn blobs(asked: Asked) -> Vec<Blob> {
    let mut out = Vec::new();
    let dialect = asked.target.dialect();
    for source in sources() {
        let from = open(&source.bytes, source.dialect);
        if from.validate().is_err() {
            continue;
        }
        let id = &source.id;
        let (bytes, report) = match rewrite(from, asked.target) {
            Ok(written) => written,
            Err(TranscodeError::Write(error)) if is_too_deep(&error) => continue,
            Err(error) => panic!("{id}: {error}"),
        };
        let written = open(&bytes, dialect);
        let value = shown(tagged::events(written, Shown::Single).expect(id));
        if report.is_empty() && !id.contains("/bom-twice ") {
            let source = shown(tagged::events(from, Shown::Single).expect(id));
            assert_eq!(value, source, "{id} for {}", asked.name);
        }
        let full_objects = source.full_objects || has_whole_objects(written).expect(id);
        let single = Blob {
            id: format!("{}{}", reported(&report), source.id),
            bytes,
            full_objects,
            value,
            again: None,
        };
        if source.dialect == dialect {
            let wide = asked.target.with_precision(Precision::AsGiven);
            let (bytes, _) = rewrite(from, wide).expect("as before");
            let again = narrowed(&bytes, wide).expect("as before");
            if again.is_some() {
                out.push(Blob {
                    bytes,
                    again,
                    ..single.clone()
                });
            }
        }
        out.push(single);
    }
    out
}

/// Godot 3.2 nests deeper than others can.
fn is_too_deep(error: &Error<Infallible>) -> bool {
    matches!(error.kind(), WriteErrorKind::DepthExceeded { .. })
}

/// The change that an engine may mind, of those that were reported.
fn reported(report: &Report) -> &'static str {
    let has = |loss| report.entries().iter().any(|known| known.loss == loss);
    match (has(Loss::NamesKept), has(Loss::KeyChanged)) {
        (true, _) => "names-kept ",
        (_, true) => "key-changed ",
        _ => "",
    }
}

/// As text, with null objects as null: that is how all engines write them.
fn shown(value: Value) -> String {
    value
        .to_string()
        .replace("{\"Object\":null}", "{\"Nil\":null}")
}
