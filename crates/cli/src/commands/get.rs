//! `get`: one value, for scripts.

use std::{io, path::Path as FilePath};

use gdvar_view::{Document, Error, ErrorKind, Kind, Objects, Path, VariantRef};
use serde::Serialize;
use serde_json::Value;

use crate::{
    app::App,
    brief::{self, Cut, Item},
    exit::Exit,
    fault::Fault,
    lookup::{Found, Lookup, Missing, lookup},
    machine, notation,
    records::Record,
};

/// Runs it.
pub(crate) fn run(app: &mut App, file: &FilePath, path_text: &str, index: i64) -> io::Result<()> {
    let path = match Path::parse(path_text) {
        Ok(path) => path,
        Err(error) => {
            app.exit.merge(Exit::Usage);
            return app.error(&format!("{path_text:?}: {error}"));
        }
    };
    let Some(input) = app.open(file)? else {
        return Ok(());
    };
    let Some(plan) = app.plan(&input)? else {
        return Ok(());
    };
    let mut all = input.records(plan.framing);
    let wanted = input.record_number(plan.framing, index);
    let is_it = |record: &Record<'_>| Some(record.index) == wanted;
    let Some(record) = all.by_ref().find(is_it) else {
        app.exit.merge(Exit::Findings);
        let count = brief::plural(input.records(plan.framing).count() as u64, "record");
        return app.error(&format!(
            "{}: there is no record {index}, only {count}",
            input.name
        ));
    };
    let options = app.options(plan.dialect, Objects::Inert);
    if let Some(problem) = record.problem {
        return app.fault(
            &input,
            plan.framing,
            &record,
            Fault::Problem(problem),
            options,
        );
    }
    let document = Document::with_options(&record.bytes, options);
    let result = match find(document, &path) {
        // The engines look at some script paths only where objects are allowed.
        Err(error) if error.kind() == ErrorKind::BadScriptPath && app.global.objects.is_none() => {
            find(document.objects(Objects::Ids), &path)
        }
        result => result,
    };
    match result {
        Err(error) => app.fault(&input, plan.framing, &record, Fault::Read(error), options),
        Ok(Lookup::Missing(missing)) => not_found(app, &path, &missing),
        Ok(Lookup::Found(found, damage)) => {
            let line = match unreadable(&found) {
                Some(error) => Err(error),
                None => render(&found, app.global.json),
            };
            let hidden = behind_nul(&found);
            if hidden > 0 {
                let hidden = brief::plural(hidden as u64, "byte");
                app.note(&format!(
                    "the text ends at a NUL; engines drop the {hidden} behind it"
                ))?;
            }
            // What lies before the damage is worth having all the same.
            let damage = match line {
                Ok(line) => {
                    app.text(&line)?;
                    app.text(b"\n")?;
                    damage
                }
                Err(error) => Some(error),
            };
            if let Some(error) = damage {
                return app.fault(&input, plan.framing, &record, Fault::Read(error), options);
            }
            if index == 0 && all.next().is_some() {
                app.note("the file has more records; choose one with --record N")?;
            }
            Ok(())
        }
    }
}

/// How many bytes of a text are not seen.
fn behind_nul(found: &Found<'_>) -> usize {
    let text = match found {
        Found::Value(value) => value.as_text(),
        Found::Item(Item::Text(text)) => Some(*text),
        _ => None,
    };
    text.map_or(0, brief::behind_nul)
}

/// What is wrong inside the value itself.
fn unreadable(found: &Found<'_>) -> Option<Error> {
    let Found::Value(value) = found else {
        return None;
    };
    let mut events = value.events();
    loop {
        match events.try_next() {
            Ok(Some(_)) => {}
            Ok(None) => return None,
            Err(error) => return Some(error),
        }
    }
}

fn find<'a>(document: Document<'a>, path: &Path<'_>) -> Result<Lookup<'a>, Error> {
    lookup(document.root()?, path)
}

/// Says how far the path leads.
pub(crate) fn not_found(app: &mut App, path: &Path<'_>, missing: &Missing) -> io::Result<()> {
    app.exit.merge(Exit::Findings);
    if app.global.json {
        let line = machine::NotFound {
            error: "NotFound",
            path: path.to_string(),
            exists: &missing.exists,
            missing: &missing.step,
            meant: missing.meant.as_deref(),
        };
        return machine::line(&mut app.err, &line);
    }
    let mut text = format!(
        "not found: {path}\n{} exists and is {}",
        missing.exists, missing.there
    );
    if let Some(meant) = &missing.meant {
        let dot = if meant.starts_with('[') { "" } else { "." };
        let whole = format!("{}{dot}{meant}", missing.exists);
        let whole = whole.strip_prefix("$.").or(whole.strip_prefix('$'));
        text += &format!("\ndid you mean {}?", whole.unwrap_or_default());
    }
    app.error(&text)
}

/// What was found, as it is printed.
fn render(found: &Found<'_>, json: bool) -> Result<Vec<u8>, Error> {
    if json {
        let json = match found {
            Found::Value(value) => Json::of(*value)?,
            Found::Item(Item::Number(number)) | Found::Component(number) => Json::number(number),
            Found::Item(Item::Vector(name, components)) => {
                Json::text(name, format!("{name}({})", components.join(", ")))
            }
            Found::Item(Item::Text(text)) => match text.to_str() {
                Ok(text) => Json::Plain(text.into()),
                Err(_) => Json::text("String", brief::quoted(*text, Cut::NONE)),
            },
        };
        // Text and numbers always have a form in JSON.
        let mut line = Vec::new();
        let _ = machine::write(&mut line, &json);
        return Ok(line);
    }
    Ok(match found {
        Found::Value(value) => match (value.as_text(), value.as_f64()) {
            (Some(text), _) => text.as_bytes().to_vec(),
            (_, Some(float)) => brief::float_text(float).into_bytes(),
            _ => notation::line(*value)?,
        },
        Found::Item(Item::Text(text)) => text.as_bytes().to_vec(),
        Found::Item(item) => item.text(Cut::NONE).into_bytes(),
        Found::Component(number) => number.clone().into_bytes(),
    })
}

/// A value as plain JSON where JSON has it, else its type and its text.
#[derive(Serialize)]
#[serde(untagged)]
enum Json {
    Plain(Value),
    Text {
        #[serde(rename = "type")]
        kind: &'static str,
        text: String,
    },
}

impl Json {
    fn text(kind: &'static str, text: String) -> Json {
        Json::Text { kind, text }
    }

    /// A number; infinities and NaN as text.
    fn number(number: &str) -> Json {
        match serde_json::from_str(number) {
            Ok(number) => Json::Plain(number),
            Err(_) => Json::text("Float", number.to_owned()),
        }
    }

    fn of(value: VariantRef<'_>) -> Result<Json, Error> {
        let plain: Option<Value> = match value.kind() {
            Kind::Nil => Some(Value::Null),
            Kind::Bool => value.as_bool().map(Value::from),
            Kind::Int => value.as_i64().map(Value::from),
            Kind::Float => value
                .as_f64()
                .filter(|float| float.is_finite())
                .map(Value::from),
            Kind::String => value.as_str().map(Value::from),
            _ => None,
        };
        if let Some(plain) = plain {
            return Ok(Json::Plain(plain));
        }
        let text = notation::line(value)?;
        let text = String::from_utf8_lossy(&text).into_owned();
        Ok(Json::text(value.kind().name(), text))
    }
}
