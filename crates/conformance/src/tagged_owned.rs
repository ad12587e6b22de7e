//! Describes an owned [`Variant`] as tagged JSON (`testdata/vectors/README.md`).

use gdvar::{
    Dialect, Variant,
    math::{Components, Vector2, Vector3, Vector4},
    tree::{ArrayForm, FullObject, Object, OwnedElementType, Text},
    values::Real,
    write::wire::{narrow, widen},
};
use serde_json::{Value, json};

use crate::tagged::Precision;

/// The options of a description.
#[derive(Clone, Copy, Debug)]
pub struct As {
    /// The precision of reals in the engine's build.
    pub precision: Precision,
    /// The dialect of the type numbers of element types.
    pub dialect: Dialect,
}

/// Describes a text as the engine reads it: without the byte order mark that owned texts keep.
fn text(text: &Text) -> Value {
    let codes: Vec<u32> = match text.as_str() {
        Some(text) => return json!(text.strip_prefix('\u{feff}').unwrap_or(text)),
        None => {
            let bytes = text.as_bytes();
            let mut rest = bytes.strip_prefix(b"\xef\xbb\xbf").unwrap_or(bytes);
            std::iter::from_fn(|| match gdvar::write::wire::wide_code(rest) {
                gdvar::write::wire::WideCode::Code { code, len } => {
                    rest = &rest[len..];
                    Some(code)
                }
                _ => None,
            })
            .collect()
        }
    };
    match codes
        .iter()
        .copied()
        .map(char::from_u32)
        .collect::<Option<String>>()
    {
        Some(text) => json!(text),
        None => json!({ "codes": codes }),
    }
}

fn singles(values: impl IntoIterator<Item = f32>) -> Value {
    values
        .into_iter()
        .map(|value| format!("{:08x}", value.to_bits()))
        .collect()
}

impl As {
    fn real(self, value: f64, single: f32) -> Value {
        match self.precision {
            Precision::Single => json!(format!("{:08x}", single.to_bits())),
            Precision::Double => json!(format!("{:016x}", value.to_bits())),
        }
    }

    /// Describes components in stream order, in the width that the engine prints.
    fn single(self, components: impl AsRef<[f32]>) -> Vec<Value> {
        let components = components.as_ref().iter();
        components.map(|&c| self.real(widen(c), c)).collect()
    }

    /// Describes 64-bit components.
    fn double(self, components: impl AsRef<[f64]>) -> Vec<Value> {
        let components = components.as_ref().iter();
        components.map(|&c| self.real(c, narrow(c))).collect()
    }

    fn vectors<S, D, const N: usize>(self, all: &Real<Vec<S>, Vec<D>>) -> Value
    where
        S: Components<N, Item = f32> + Copy,
        D: Components<N, Item = f64> + Copy,
    {
        match all {
            Real::Single(all) => all.iter().map(|v| self.single(v.components())).collect(),
            Real::Double(all) => all.iter().map(|v| self.double(v.components())).collect(),
        }
    }

    fn element(self, element: &OwnedElementType) -> Value {
        match element {
            OwnedElementType::Untyped => Value::Null,
            OwnedElementType::Builtin(kind) => {
                json!({ "builtin": self.dialect.type_id(*kind).expect("a type of the dialect").0 })
            }
            OwnedElementType::Class(name) => json!({ "class": text(name) }),
            OwnedElementType::Script(path) => json!({ "script": text(path) }),
        }
    }
}

fn columns(rows: &[Value]) -> Value {
    let column = |n: usize| json!([rows[n], rows[n + 3], rows[n + 6]]);
    json!({ "x": column(0), "y": column(1), "z": column(2) })
}

fn one(name: &str, content: Value) -> Value {
    Value::Object([(name.to_owned(), content)].into_iter().collect())
}

fn pair(key: Value, value: Value) -> Value {
    Value::Array(vec![key, value])
}

/// Describes the value as tagged JSON. The recursion is as deep as the value.
///
/// # Panics
/// If the dialect does not have an element type.
#[must_use]
pub fn owned(value: &Variant, how: As) -> Value {
    macro_rules! reals {
        ($value:expr) => {{
            let value: &Real<_, _> = $value;
            match value {
                Real::Single(value) => how.single(value.components()),
                Real::Double(value) => how.double(value.components()),
            }
        }};
    }
    let content = match value {
        Variant::Nil | Variant::Callable | Variant::Object(Object::Null) => Value::Null,
        Variant::Bool(bool) => json!(bool),
        Variant::Int(int) => json!(int.to_string()),
        Variant::Float(float) => json!({ "bits": format!("{:016x}", float.to_bits()) }),
        Variant::String(content) | Variant::StringName(content) => text(content),
        Variant::Vector2(v) => json!(reals!(v)),
        Variant::Vector3(v) => json!(reals!(v)),
        Variant::Vector4(v) => json!(reals!(v)),
        Variant::Rect2(v) => json!(reals!(v)),
        Variant::Plane(v) => json!(reals!(v)),
        Variant::Quaternion(v) => json!(reals!(v)),
        Variant::Aabb(v) => json!(reals!(v)),
        Variant::Color(color) => singles(color.components()),
        Variant::Vector2i(v) => json!(v.components()),
        Variant::Vector3i(v) => json!(v.components()),
        Variant::Vector4i(v) => json!(v.components()),
        Variant::Rect2i(v) => json!(v.components()),
        Variant::Transform2D(v) => {
            let all = reals!(v);
            json!({ "x": all[..2], "y": all[2..4], "origin": all[4..] })
        }
        Variant::Basis(v) => columns(&reals!(v)),
        Variant::Transform3D(v) => {
            let all = reals!(v);
            json!({ "basis": columns(&all), "origin": all[9..] })
        }
        Variant::Projection(v) => {
            let all = reals!(v);
            json!({ "x": all[..4], "y": all[4..8], "z": all[8..12], "w": all[12..] })
        }
        Variant::Image(image) => json!({
            "format": image.format, "mipmaps": image.mipmaps, "width": image.width,
            "height": image.height, "data": crate::vectors::hex(&image.data),
        }),
        Variant::InputEvent(event) => json!({
            "kind": event.kind, "device": event.device, "body": crate::vectors::hex(&event.body),
        }),
        Variant::NodePath(path) => json!({
            "names": path.names.iter().map(text).collect::<Value>(),
            "subnames": path.subnames.iter().map(text).collect::<Value>(),
            "absolute": path.absolute,
        }),
        Variant::Rid(id) => json!(id.to_string()),
        Variant::Object(Object::Id(id)) => return one("ObjectId", json!(id.to_string())),
        Variant::Object(Object::Full(object)) => {
            let FullObject { class, properties } = &**object;
            let properties = properties.iter();
            let properties = properties
                .map(|(name, value)| pair(text(name), owned(value, how)))
                .collect();
            let members = [
                ("class".to_owned(), text(class)),
                ("props".to_owned(), properties),
            ];
            Value::Object(members.into_iter().collect())
        }
        Variant::Signal(signal) => {
            json!({ "name": text(&signal.name), "object_id": signal.object_id.to_string() })
        }
        Variant::Dictionary(dict) => {
            let pairs = dict.iter();
            let pairs = pairs
                .map(|(key, value)| pair(owned(key, how), owned(value, how)))
                .collect();
            let (key, value) = (how.element(dict.key_type()), how.element(dict.value_type()));
            if key.is_null() && value.is_null() {
                return one("Dictionary", pairs);
            }
            let members = [("key", key), ("value", value), ("entries", pairs)];
            let members = members.map(|(name, content)| (name.to_owned(), content));
            return one(
                "TypedDictionary",
                Value::Object(members.into_iter().collect()),
            );
        }
        Variant::Array(array) => {
            let items: Value = array.iter().map(|item| owned(item, how)).collect();
            let element = how.element(array.element_type());
            let tag = match array.form() {
                ArrayForm::Plain if element.is_null() => return one("Array", items),
                ArrayForm::Plain | ArrayForm::Typed => "TypedArray",
                ArrayForm::PackedTyped => "PackedTypedArray",
            };
            let members = [("elem".to_owned(), element), ("items".to_owned(), items)];
            return one(tag, Value::Object(members.into_iter().collect()));
        }
        Variant::PackedByteArray(all) => json!(crate::vectors::hex(all)),
        Variant::PackedInt32Array(all) => json!(all),
        Variant::PackedInt64Array(all) => all.iter().map(ToString::to_string).collect(),
        Variant::PackedFloat32Array(all) => singles(all.iter().copied()),
        Variant::PackedFloat64Array(all) => all
            .iter()
            .map(|float| format!("{:016x}", float.to_bits()))
            .collect(),
        Variant::PackedStringArray(all) => all.iter().map(text).collect(),
        Variant::PackedVector2Array(all) => how.vectors::<Vector2<f32>, Vector2<f64>, 2>(all),
        Variant::PackedVector3Array(all) => how.vectors::<Vector3<f32>, Vector3<f64>, 3>(all),
        Variant::PackedVector4Array(all) => how.vectors::<Vector4<f32>, Vector4<f64>, 4>(all),
        Variant::PackedVector2iArray(all) => all.iter().map(|v| json!(v.components())).collect(),
        Variant::PackedVector3iArray(all) => all.iter().map(|v| json!(v.components())).collect(),
        Variant::PackedVector4iArray(all) => all.iter().map(|v| json!(v.components())).collect(),
        Variant::PackedColorArray(all) => all.iter().map(|c| singles(c.components())).collect(),
        other => panic!("a variant without a tag: {other:?}"),
    };
    one(value.kind().name(), content)
}
