//! Writes a [`Value`] as tagged JSON (`testdata/vectors/README.md`).

use gdvar::Kind;
use serde_json::{Map, Value as Json, json};

use super::{Component, Element, Text, Value};
use crate::{tagged::Precision, vectors::hex};

/// Returns the value as tagged JSON, with its reals in the width that the engine prints.
#[must_use]
pub fn tagged(value: &Value, precision: Precision) -> Json {
    let pairs = |pairs: &[(Value, Value)]| -> Json {
        pairs
            .iter()
            .map(|(key, value)| Json::Array(vec![tagged(key, precision), tagged(value, precision)]))
            .collect()
    };
    let items =
        |items: &[Value]| -> Json { items.iter().map(|item| tagged(item, precision)).collect() };
    let content = match value {
        Value::Nil | Value::Callable | Value::NullObject => Json::Null,
        Value::Bool(bool) => json!(bool),
        Value::Int(int) => json!(int.to_string()),
        Value::Float(bits) => json!({ "bits": format!("{bits:016x}") }),
        Value::Text(_, content) => text(content),
        Value::Math(kind, all) => math(*kind, all, precision),
        Value::Packed(_, 1, all) => numbers(all, None),
        Value::Packed(Kind::PackedColorArray, of, all) => {
            all.chunks(*of).map(|all| numbers(all, None)).collect()
        }
        Value::Packed(_, of, all) => {
            let element = |all| numbers(all, Some(precision));
            all.chunks(*of).map(element).collect()
        }
        Value::Bytes(all) => json!(hex(all)),
        Value::Strings(all) => all.iter().map(text).collect(),
        Value::NodePath {
            names,
            subnames,
            absolute,
        } => json!({
            "names": names.iter().map(text).collect::<Json>(),
            "subnames": subnames.iter().map(text).collect::<Json>(),
            "absolute": absolute,
        }),
        Value::Rid(id) => json!(id.to_string()),
        Value::Signal(name, id) => json!({ "name": text(name), "object_id": id.to_string() }),
        Value::ObjectId(id) => return one("ObjectId", json!(id.to_string())),
        Value::Object(class, properties) => {
            let property = |(name, value): &(Text, Value)| {
                Json::Array(vec![text(name), tagged(value, precision)])
            };
            let properties = properties.iter().map(property).collect();
            members([("class", text(class)), ("props", properties)])
        }
        Value::Image([format, mipmaps, width, height], data) => json!({
            "format": format, "mipmaps": mipmaps, "width": width, "height": height,
            "data": hex(data),
        }),
        Value::InputEvent(kind, device, body) => {
            json!({ "kind": kind, "device": device, "body": hex(body) })
        }
        Value::Array(Kind::Array, Element::Untyped, all) => items(all),
        Value::Array(kind, of, all) => {
            let tag = match kind {
                Kind::PackedTypedArray => "PackedTypedArray",
                _ => "TypedArray",
            };
            return one(tag, members([("elem", element(of)), ("items", items(all))]));
        }
        Value::Dictionary(Element::Untyped, Element::Untyped, all) => pairs(all),
        Value::Dictionary(key, value, all) => {
            let (key, value) = (element(key), element(value));
            let content = members([("key", key), ("value", value), ("entries", pairs(all))]);
            return one("TypedDictionary", content);
        }
    };
    one(value.kind().name(), content)
}

fn one(name: &str, content: Json) -> Json {
    members([(name, content)])
}

/// Makes an object from members, moving them where `json!` would copy.
fn members<const N: usize>(members: [(&str, Json); N]) -> Json {
    let members = members
        .into_iter()
        .map(|(name, content)| (name.to_owned(), content));
    Json::Object(members.collect::<Map<_, _>>())
}

fn text(text: &Text) -> Json {
    let chars: Option<String> = text.0.iter().map(|code| char::from_u32(*code)).collect();
    match chars {
        Some(text) => json!(text),
        None => json!({ "codes": text.0 }),
    }
}

fn element(element: &Element) -> Json {
    match element {
        Element::Untyped => Json::Null,
        Element::Builtin(number) => json!({ "builtin": number }),
        Element::Class(name) => json!({ "class": text(name) }),
        Element::Script(path) => json!({ "script": text(path) }),
    }
}

/// Writes numbers in their own width, or reals in the given width.
fn numbers(all: &[Component], precision: Option<Precision>) -> Json {
    let number = |number: &Component| match (*number, precision) {
        (Component::Int(int), _) => json!(int),
        (Component::Long(int), _) => json!(int.to_string()),
        (Component::Single(bits), Some(Precision::Double)) => {
            let wide = gdvar::write::wire::widen(f32::from_bits(bits));
            json!(format!("{:016x}", wide.to_bits()))
        }
        (Component::Double(bits), Some(Precision::Single)) => {
            let narrow = gdvar::write::wire::narrow(f64::from_bits(bits));
            json!(format!("{:08x}", narrow.to_bits()))
        }
        (Component::Single(bits), _) => json!(format!("{bits:08x}")),
        (Component::Double(bits), _) => json!(format!("{bits:016x}")),
    };
    all.iter().map(number).collect()
}

fn math(kind: Kind, all: &[Component], precision: Precision) -> Json {
    let part = |from: usize, to: usize| numbers(&all[from..to], Some(precision));
    // The stream contains rows; the description names columns (§3.1).
    let columns = || {
        let column = |n: usize| numbers(&[all[n], all[n + 3], all[n + 6]], Some(precision));
        json!({ "x": column(0), "y": column(1), "z": column(2) })
    };
    match kind {
        Kind::Color => numbers(all, None),
        Kind::Transform2D => json!({ "x": part(0, 2), "y": part(2, 4), "origin": part(4, 6) }),
        Kind::Basis => columns(),
        Kind::Transform3D => json!({ "basis": columns(), "origin": part(9, 12) }),
        Kind::Projection => {
            json!({ "x": part(0, 4), "y": part(4, 8), "z": part(8, 12), "w": part(12, 16) })
        }
        _ => part(0, all.len()),
    }
}
