//! `explain TYPE`: prints the layout of a type, from the tables that the reader uses.

use std::io::{self, Write};

use gdvar_view::{Dialect, Document, Kind, Objects, ReadOptions, TypeId};
use gdvar_wire::layout::{self, Number};
use serde_json::{Value, json};

use crate::{
    app::App,
    commands::{
        explain::samples,
        hex::{Rows, Show, Span},
    },
    show::json_lines,
    terminal::{
        style::{self, paint},
        width,
    },
};

/// Returns the dialects to show: the given one, or all.
fn dialects(app: &App) -> Vec<Dialect> {
    match app.global.dialect.given() {
        Some(dialect) => vec![dialect],
        None => Dialect::ALL.to_vec(),
    }
}

/// Prints all types with their numbers.
pub(crate) fn all(app: &mut App) -> io::Result<()> {
    let dialects = dialects(app);
    if app.global.json {
        for kind in Kind::ALL {
            json_lines::line(&mut app.out, &line(*kind, &dialects))?;
        }
        return Ok(());
    }
    // A narrow terminal has no room for all dialects.
    let shown = match width::columns() {
        Some(..100) => &dialects[..dialects.len().min(2)],
        _ => &dialects[..],
    };
    let width = |dialect: &Dialect| dialect.name().len() + 2;
    let names = shown
        .iter()
        .map(|one| format!("{:>1$}", one.name(), width(one)));
    let head = format!("{:19}{}", "type", names.collect::<String>());
    writeln!(app.out, "{}", paint(style::HEAD, head))?;
    for kind in Kind::ALL {
        let number = |dialect: &Dialect| {
            let id = dialect.type_id(*kind);
            let id = id.map_or("-".to_owned(), |id| id.to_string());
            format!("{id:>0$}", width(dialect))
        };
        let numbers: String = shown.iter().map(number).collect();
        writeln!(app.out, "{kind:19}{numbers}")?;
    }
    Ok(())
}

/// Prints what a type number means.
pub(crate) fn number(app: &mut App, id: TypeId) -> io::Result<()> {
    for dialect in dialects(app) {
        let kind = dialect.kind(id).map(Kind::name);
        if app.global.json {
            let line =
                json!({"schema": 1, "number": id.0, "dialect": dialect.name(), "type": kind});
            json_lines::line(&mut app.out, &line)?;
            continue;
        }
        let name = dialect.name();
        writeln!(app.out, "{name:13} {}", kind.unwrap_or("no type"))?;
    }
    Ok(())
}

fn line(kind: Kind, dialects: &[Dialect]) -> Value {
    let one = |dialect: &Dialect| {
        let id = dialect.type_id(kind)?;
        Some(json!({
            "dialect": dialect.name(),
            "number": id.0,
            "flags": dialect.defined_flags(id).0,
            "bytes": dialect.fixed_payload(id, false).map(|size| 4 + size),
            "wide_bytes": wide(*dialect, kind).map(|size| 4 + size),
        }))
    };
    json!({
        "schema": 1,
        "type": kind.name(),
        "dialects": dialects.iter().filter_map(one).collect::<Vec<_>>(),
        "numbers": layout::numbers(kind).map(|(number, names)| json!({
            "stored": number.name(false),
            "names": names,
        })),
    })
}

/// Returns the payload size of `kind` with the 64-bit flag. `None` if the size is not fixed, or if `kind` has no such
/// flag or the same size with it.
fn wide(dialect: Dialect, kind: Kind) -> Option<usize> {
    let id = dialect.type_id(kind)?;
    let narrow = dialect.fixed_payload(id, false)?;
    let flagged = dialect.defined_flags(id).0 & 1 != 0;
    dialect
        .fixed_payload(id, true)
        .filter(|&size| flagged && size != narrow)
}

/// Prints the layout of a type.
pub(crate) fn kind(app: &mut App, kind: Kind) -> io::Result<()> {
    let dialects = dialects(app);
    if app.global.json {
        return json_lines::line(&mut app.out, &line(kind, &dialects));
    }
    writeln!(app.out, "{}", paint(style::HEAD, kind))?;
    let has: Vec<Dialect> = dialects
        .iter()
        .copied()
        .filter(|one| one.type_id(kind).is_some())
        .collect();
    writeln!(app.out)?;
    writeln!(app.out, "  {:13}{:>6}  size", "engine", "number")?;
    for dialect in &has {
        let number = dialect.type_id(kind).map_or(0, |id| id.0);
        writeln!(
            app.out,
            "  {:13}{number:>6}  {}",
            dialect.name(),
            size(*dialect, kind)
        )?;
    }
    for dialect in dialects.iter().filter(|one| !has.contains(one)) {
        writeln!(app.out, "  {:13}{:>6}", dialect.name(), "-")?;
    }
    // Shows layouts that differ only in their type numbers once.
    let mut shown: Vec<Vec<u8>> = Vec::new();
    for dialect in has {
        for sample in samples::of(kind, dialect) {
            let mut alike = sample.bytes.clone();
            alike[0] = 0;
            if kind.is_container() || shown.contains(&alike) {
                // Compares only the lengths, because the elements have type numbers too.
                if shown.iter().any(|other| other.len() == alike.len()) {
                    continue;
                }
            }
            shown.push(alike);
            let title = dialect.title();
            writeln!(
                app.out,
                "\n{}",
                paint(style::HEAD, format!("{} in {title}", sample.text))
            )?;
            let rows = Rows::new(sample.bytes.len(), width::columns(), None);
            let show = Show {
                rows,
                span: Span::ALL,
                full: true,
                dialect,
                record: 0,
                mark: None,
            };
            let options = ReadOptions::new(dialect).with_objects(Objects::Inert);
            let document = Document::with_options(&sample.bytes, options);
            show.fields(app, &sample.bytes, 0, "", &mut document.wire_fields())?;
        }
    }
    Ok(())
}

/// Describes the size of a value: the number of bytes, or what the number depends on.
fn size(dialect: Dialect, kind: Kind) -> String {
    let numbers = layout::numbers(kind);
    let bytes = |size: usize| format!("{size} bytes");
    let Some(id) = dialect.type_id(kind) else {
        return String::new();
    };
    let flagged = dialect.defined_flags(id).0 & 1 != 0;
    if let Some(narrow) = dialect.fixed_payload(id, false) {
        let Some(wide) = wide(dialect, kind) else {
            return bytes(4 + narrow);
        };
        let (narrow_name, wide_name) = match numbers {
            Some((number @ (Number::Int | Number::Real), _)) => {
                (number.name(false), number.name(true))
            }
            _ => ("", ""),
        };
        return format!(
            "{} ({narrow_name}), {} with bit 16 ({wide_name})",
            bytes(4 + narrow),
            bytes(4 + wide)
        );
    }
    if let Some(narrow) = layout::packed_element(kind, false) {
        let padded = if narrow % 4 == 0 { "" } else { ", padded to 4" };
        let wide = layout::packed_element(kind, true).filter(|&wide| flagged && wide != narrow);
        let wide = wide.map_or(String::new(), |wide| format!(", {wide} with bit 16"));
        return format!("8 bytes and {narrow} for each element{wide}{padded}");
    }
    match kind {
        Kind::Array if flagged => "its elements; bits 16-17: they are of a type".to_owned(),
        Kind::Dictionary if flagged => {
            "its pairs; bits 16-17: keys are of a type, 18-19: values are".to_owned()
        }
        Kind::Object if !dialect.has_object_payload() => bytes(4),
        Kind::Object => "12 bytes with bit 16 (as id), else its properties".to_owned(),
        Kind::Array | Kind::TypedArray | Kind::PackedTypedArray => "its elements".to_owned(),
        Kind::Dictionary => "its pairs".to_owned(),
        Kind::NodePath => {
            "16 bytes and its names, each after its length and padded to 4".to_owned()
        }
        Kind::PackedStringArray => {
            "8 bytes and its texts, each after its length, with a NUL, padded to 4".to_owned()
        }
        Kind::Signal => "16 bytes and its name, padded to 4".to_owned(),
        Kind::Image => "24 bytes and its pixels, padded to 4".to_owned(),
        Kind::InputEvent => "4 bytes and as many as its length says".to_owned(),
        _ => "8 bytes and its text, padded to 4".to_owned(),
    }
}
