//! Prints a schema as JSON Schema (2020-12) for the output of `gdvar json`.

use std::io;

use gdvar_view::Kind;
use gdvar_wire::layout::{self, Number};
use serde_json::{Map, Value, json};

use crate::{
    commands::schema::{people, seen::is_real, shape::Shape},
    show::json_lines,
};

/// Returns the JSON Schema, indented or on one line.
pub(crate) fn text(shape: &Shape, name: &str, pretty: bool) -> io::Result<String> {
    let places = shape.places();
    let mut schemas: Vec<Option<Value>> = Vec::new();
    // Goes backwards, so that the schemas of a place's contents are made before its own.
    for (place, _) in places.into_iter().rev() {
        if schemas.len() <= place {
            schemas.resize(place + 1, None);
        }
        schemas[place] = Some(one(shape, place, &mut schemas));
    }
    let Some(Some(Value::Object(root))) = schemas.into_iter().next() else {
        return Ok(String::new());
    };
    let mut all = Map::new();
    all.insert(
        "$schema".to_owned(),
        "https://json-schema.org/draft/2020-12/schema".into(),
    );
    all.insert("title".to_owned(), name.into());
    all.extend(root);
    if pretty {
        return Ok(serde_json::to_string_pretty(&all)? + "\n");
    }
    let mut line = Vec::new();
    json_lines::line(&mut line, &all)?;
    Ok(String::from_utf8_lossy(&line).into_owned())
}

fn one(shape: &Shape, place: usize, schemas: &mut [Option<Value>]) -> Value {
    let seen = shape.seen(place);
    let mut forms: Vec<Value> = Vec::new();
    let mut take = |place: Option<usize>| {
        let taken = place.and_then(|place| schemas.get_mut(place)?.take());
        taken.unwrap_or_else(|| json!({}))
    };
    let items = shape.items(place);
    let kinds = seen.kinds();
    let lists = kinds.iter().any(|kind| is_list(*kind));
    let mut inside = items.map(|items| take(Some(items)));
    for kind in &kinds {
        let form = match kind {
            kind if is_list(*kind) => {
                let items = inside.take().unwrap_or_else(|| json!({}));
                json!({"type": "array", "items": items})
            }
            Kind::Dictionary | Kind::Object => {
                let fields = shape.fields(place);
                let required: Vec<_> = { fields.iter() }
                    .filter(|field| !shape.is_optional(**field))
                    .filter_map(|field| shape.key(*field))
                    .collect();
                let mut form = json!({"type": "object"});
                if !required.is_empty() && kinds.len() == 1 {
                    form["required"] = json!(required);
                }
                let properties: Map<String, Value> = { fields.iter() }
                    .filter_map(|field| Some((shape.key(*field)?.to_owned(), take(Some(*field)))))
                    .collect();
                if !properties.is_empty() {
                    form["properties"] = properties.into();
                } else if let Some(items) = inside.take().filter(|_| !lists) {
                    form["additionalProperties"] = items;
                }
                form
            }
            kind => leaf(*kind, seen.odd || seen.has_null_numbers),
        };
        if !forms.contains(&form) {
            forms.push(form);
        }
    }
    if seen.has_ids {
        forms.push(json!({"type": "string"}));
    }
    if seen.has_null() {
        forms.push(json!({"type": "null"}));
    }
    let mut schema = match forms.len() {
        1 => forms.remove(0),
        _ => json!({"anyOf": forms}),
    };
    let ranges = people::typing_and_ranges(seen).join(", ");
    if !ranges.is_empty() {
        schema["description"] = format!("seen: {ranges}").into();
    }
    schema
}

fn is_list(kind: Kind) -> bool {
    matches!(
        kind,
        Kind::Array | Kind::TypedArray | Kind::PackedTypedArray
    )
}

/// Returns the schema of a value without children in plain JSON. With `nulls` its reals may be null.
fn leaf(kind: Kind, nulls: bool) -> Value {
    let number = |number: Number| match is_real(number) {
        true if nulls => json!({"type": ["number", "null"]}),
        true => json!({"type": "number"}),
        false => json!({"type": "integer"}),
    };
    match kind {
        Kind::Bool => json!({"type": "boolean"}),
        Kind::PackedStringArray => json!({"type": "array", "items": {"type": "string"}}),
        _ => match layout::numbers(kind) {
            None => json!({"type": "string"}),
            Some((own, [""])) if kind.is_packed() => json!({"type": "array", "items": number(own)}),
            Some((own, [""])) => number(own),
            Some((own, names)) => {
                let len = names.len();
                let one = json!({"type": "array", "items": number(own), "minItems": len, "maxItems": len});
                if kind.is_packed() {
                    json!({"type": "array", "items": one})
                } else {
                    one
                }
            }
        },
    }
}
