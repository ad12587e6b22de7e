//! `explain FILE@BYTE`: prints what a byte of a file means.

use std::{
    io::{self, Write},
    path::Path as FilePath,
};

use gdvar_file::records::{Place, Record};
use gdvar_view::{Dialect, Document, Path, Step, VariantRef, WireField, WirePart};
use serde_json::json;

use crate::{
    app::{self, App},
    commands::hex::{Rows, Show, Span},
    input::layers,
    show::{
        field_meanings::{self, FieldNumbers},
        json_lines,
        summary::{self, Cut},
    },
    terminal::{
        exit::Exit,
        safe_text,
        style::{self, paint},
        width,
    },
};

/// The field that contains a byte.
struct ByteField<'a> {
    field: WireField,
    bytes: &'a [u8],
    value: Option<VariantRef<'a>>,
    path: String,
    /// The containers that contain the field, outermost first.
    parents: Vec<VariantRef<'a>>,
}

pub(crate) fn run(app: &mut App, file: &FilePath, at: usize) -> io::Result<()> {
    let Some((input, decision)) = app.open_decided(file)? else {
        return Ok(());
    };
    if !input.peeled.layers.is_empty() {
        let name = input.short_name();
        let layers = layers::describe_all(&input.peeled.layers);
        app.note(&format!(
            "{name}: {layers}; the byte is one of what was in it"
        ))?;
    }
    let (header, trailer) = (input.header().len(), input.trailer().len());
    let end = input.contents().len();
    if at < header {
        return told_own(app, at, header, ("skipped", "in front of the values"));
    }
    if (end - trailer..end).contains(&at) {
        return told_own(app, at, trailer, ("after values", "after the values"));
    }
    let prefix = usize::from(decision.framing.order().is_some()) * 4;
    for record in input.records(decision.framing) {
        let (Place::Byte(start), None) = (record.place, record.problem) else {
            continue;
        };
        if at >= start + record.bytes.len() || at + prefix < start {
            continue;
        }
        if at < start {
            let length = record.cut.map_or(record.bytes.len(), |cut| cut as usize);
            return told_prefix(app, &record, at, length);
        }
        let options = app.showing(decision.dialect, &record.bytes);
        let document = Document::with_options(&record.bytes, options);
        if let Some(found) = find(document, at - start) {
            return tell(app, &record, &found, at, decision.dialect);
        }
    }
    let size = app::size(end);
    app.fail(
        Exit::Findings,
        &format!(
            "{}: no value has a byte {at:#x}; there are {size}",
            input.name
        ),
    )
}

/// Says that the byte is one of `len` bytes that are not Godot's, and which `place` they have.
fn told_own(app: &mut App, at: usize, len: usize, (field, place): (&str, &str)) -> io::Result<()> {
    if app.global.json {
        let line = json!({ "schema": 1, "offset": at, "field": field, "text": len.to_string() });
        return json_lines::line(&mut app.out, &line);
    }
    let size = app::size(len);
    writeln!(
        app.out,
        "{at:#x} is in the {size} of the game's own {place}"
    )
}

fn told_prefix(app: &mut App, record: &Record<'_>, at: usize, length: usize) -> io::Result<()> {
    let size = app::size(length);
    if app.global.json {
        let line = json!({
            "schema": 1, "record": record.index, "offset": at, "field": "record length",
            "text": length.to_string(),
        });
        return json_lines::line(&mut app.out, &line);
    }
    writeln!(
        app.out,
        "{at:#x} is in the length in front of record {}: {size} follow",
        record.index
    )
}

fn find(document: Document<'_>, at: usize) -> Option<ByteField<'_>> {
    let mut fields = document.wire_fields();
    let mut parents: Vec<VariantRef<'_>> = Vec::new();
    while let Some(field) = fields.next() {
        parents.truncate(fields.depth());
        if (field.start..field.end).contains(&at) {
            return Some(ByteField {
                field,
                bytes: &document.bytes()[field.start..field.end],
                value: fields.value(),
                path: fields.path().to_string(),
                parents,
            });
        }
        if let Some(value) = fields.value().filter(|value| value.has_children()) {
            if parents.len() == fields.depth() {
                parents.push(value);
            }
        }
    }
    None
}

fn tell(
    app: &mut App,
    record: &Record<'_>,
    found: &ByteField<'_>,
    at: usize,
    dialect: Dialect,
) -> io::Result<()> {
    let base = record.place.base();
    let field = found.field;
    let text = field_meanings::of(field, found.bytes, found.value, dialect);
    let inside = at - base - field.start;
    let number = FieldNumbers::of(field, found.bytes, found.value)
        .map(|numbers| (numbers.path(inside), numbers.text(inside), numbers.stored()));
    let bare = |path: &str| {
        let bare = path.strip_prefix("$.").or(path.strip_prefix('$'));
        let bare = bare.filter(|bare| !bare.is_empty());
        safe_text::safe_line(bare.unwrap_or(path)).into_owned()
    };
    let steps = Path::parse(&found.path).ok();
    let steps = steps.as_ref().map_or(&[][..], |path| path.steps());
    let parents: Vec<(String, VariantRef<'_>)> = { found.parents.iter().enumerate() }
        .map(|(n, parent)| {
            let steps = steps.get(..n).unwrap_or_default();
            let path: String = steps.iter().map(Step::to_string).collect();
            (bare(&format!("${path}")), *parent)
        })
        .collect();
    if app.global.json {
        let line = json!({
            "schema": 1,
            "record": record.index,
            "offset": at,
            "field": field.to_string(),
            "field_offset": base + field.start,
            "field_bytes": field.len(),
            "path": bare(&found.path),
            "type": found.value.map(|value| value.kind().name()),
            "text": text,
            "number": number.as_ref().map(|(path, text, stored)| json!({"path": path, "text": text, "stored": stored})),
            "parents": parents.iter().map(|(path, value)| json!({
                "path": path, "type": value.kind().name(), "offset": base + value.offset(),
            })).collect::<Vec<_>>(),
        });
        return json_lines::line(&mut app.out, &line);
    }
    let path = bare(&found.path);
    let place = match found.value {
        _ if field.part == WirePart::Trailing => "after the value".to_owned(),
        Some(value) => format!("of {}, {}", paint(style::KEY, &path), article(value)),
        None => format!("at {}", paint(style::KEY, &path)),
    };
    let which = if field.len() > 1 {
        format!("byte {inside} of {} of ", field.len())
    } else {
        String::new()
    };
    let name = paint(style::HEAD, format!("the {field}"));
    writeln!(app.out, "{at:#x} is {which}{name} {place}")?;
    let room = width::columns().unwrap_or(usize::MAX);
    let mut row = |label: &str, text: &str| {
        let label = paint(style::DIM, format!("{label:8}"));
        let text = safe_text::safe_line(text);
        let text = width::cut(&text, room.saturating_sub(11));
        writeln!(app.out, "  {label} {text}")
    };
    if let Some((component, text, stored)) = &number {
        let component = component.trim_start_matches('.');
        let component = if component.is_empty() {
            String::new()
        } else {
            format!("{component} = ")
        };
        row("number", &format!("{component}{text}, stored as {stored}"))?;
    } else if !text.is_empty() && found.value.is_none_or(|value| summary::kind(value) != text) {
        row("says", &text)?;
    }
    if let Some(value) = found.value {
        let shown = summary::leaf(value, Cut::LINE);
        row(
            "value",
            &format!("{shown}, from {:#x}", base + value.offset()),
        )?;
    }
    for (n, (path, value)) in parents.iter().rev().enumerate() {
        let label = if n == 0 { "inside" } else { "" };
        let head = summary::head(*value);
        row(
            label,
            &format!("{path}  {head}, from {:#x}", base + value.offset()),
        )?;
    }
    if record.index > 0 {
        row("record", &record.index.to_string())?;
    }
    // Shows the fields of the value, or of the bytes that belong to no value.
    let rows = Rows::new(base + record.bytes.len(), width::columns(), None);
    let start = found.value.map_or(field.start, VariantRef::offset);
    // Shows only the rows around the byte if the field is long.
    let before = 2 * rows.bytes;
    let from = if inside > 2 * before { at - before } else { 0 };
    let show = Show {
        rows,
        span: Span {
            from: from.max(base + start),
            to: (base + field.end).min(at + rows.bytes + 1),
        },
        full: true,
        dialect,
        record: record.index,
        mark: Some(at),
    };
    writeln!(app.out)?;
    match found.value {
        Some(value) => {
            let mut fields = value.wire_fields();
            show.fields(app, &record.bytes, base, &found.path, &mut fields)
        }
        None => show.run(app, &field.to_string(), found.bytes, base + field.start),
    }
}

/// Returns the name of the type with an article: `an Int`, `a Vector2`.
fn article(value: VariantRef<'_>) -> String {
    let name = summary::kind(value);
    let an = name.starts_with(['A', 'I', 'O', 'R']) && !name.starts_with("Re");
    format!("{} {name}", if an { "an" } else { "a" })
}
