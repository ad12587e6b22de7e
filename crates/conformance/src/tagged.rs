//! Describes values as tagged JSON (`testdata/vectors/README.md`), through each entry point of the reader.

use gdvar::{
    Document, Error, Kind, VariantRef,
    index::{Index, Indexed},
    math::{Vector2, Vector3, Vector4},
    values::{ArrayRef, DictRef, ElementType, ObjectRef, Packed, Real, StrRef},
    walk::Event,
};
use serde_json::{Value, json};

/// The precision of reals in the engine's build, which is also the width in which it prints them.
#[derive(Clone, Copy, PartialEq, Eq, Debug)]
pub enum Precision {
    /// 8 hex digits; 64-bit reals are narrowed.
    Single,
    /// 16 hex digits; 32-bit reals are widened.
    Double,
}

/// Describes a text as a JSON string. If JSON cannot express it, describes it as a list of character codes.
///
/// # Errors
/// If the engine would not read it.
pub fn text(text: StrRef<'_>) -> Result<Value, Error> {
    text.check()?;
    let codes: Vec<u32> = text.codes().collect();
    let chars: Option<String> = codes.iter().copied().map(char::from_u32).collect();
    Ok(match chars {
        Some(text) => json!(text),
        None => json!({ "codes": codes }),
    })
}

/// Makes an object from members by moving them. `json!` would copy them, and thus each level of a deep value
/// once per level above it.
fn members<const N: usize>(members: [(&str, Value); N]) -> Value {
    Value::Object(
        members
            .into_iter()
            .map(|(name, value)| (name.to_owned(), value))
            .collect(),
    )
}

fn single(value: f32) -> Value {
    json!(format!("{:08x}", value.to_bits()))
}

fn singles(values: &[f32]) -> Value {
    values.iter().copied().map(single).collect()
}

fn doubles(values: &[f64]) -> Value {
    values
        .iter()
        .map(|value| json!(format!("{:016x}", value.to_bits())))
        .collect()
}

fn hex(bytes: &[u8]) -> Value {
    json!(crate::vectors::hex(bytes))
}

fn element_type(element: ElementType<'_>) -> Result<Value, Error> {
    Ok(match element {
        ElementType::Untyped => Value::Null,
        ElementType::Builtin(id, _) => json!({ "builtin": id.0 }),
        ElementType::Class(name) => json!({ "class": text(name)? }),
        ElementType::Script(path) => json!({ "script": text(path)? }),
    })
}

/// Returns a description as a text, in which null objects are replaced by null. So descriptions of
/// dialects with different forms of null can be compared.
#[must_use]
pub fn with_null_objects_as_null(value: &Value) -> String {
    value
        .to_string()
        .replace("{\"Object\":null}", "{\"Nil\":null}")
}

/// Describes a value without children.
///
/// # Errors
/// If its text cannot be read.
///
/// # Panics
/// If a getter disagrees with the value's kind.
pub fn leaf(value: VariantRef<'_>, precision: Precision) -> Result<Value, Error> {
    // Returns the components of a math type of reals, in the width in which the engine prints them.
    macro_rules! reals {
        ($single:ident, $double:ident) => {
            match precision {
                // Narrows 64 bits as a single-precision engine does.
                Precision::Single => {
                    let wide = <[f64; _]>::from(value.$double().expect("the kind"));
                    let single = value.$single().map(<[f32; _]>::from);
                    singles(&single.unwrap_or(wide.map(gdvar::write::wire::narrow)))
                }
                Precision::Double => doubles(&<[f64; _]>::from(value.$double().expect("the kind"))),
            }
        };
    }
    // Returns the numbers in groups.
    let groups = |flat: Value, of: usize| -> Vec<Value> {
        let flat = flat.as_array().cloned().unwrap_or_default();
        flat.chunks(of)
            .map(|group| Value::Array(group.to_vec()))
            .collect()
    };
    let columns = |rows: &Value| -> Value {
        let column = |n: usize| json!([rows[n], rows[n + 3], rows[n + 6]]);
        json!({ "x": column(0), "y": column(1), "z": column(2) })
    };
    let kind = value.kind();
    let content = match kind {
        Kind::Nil | Kind::Callable => Value::Null,
        Kind::Bool => json!(value.as_bool().expect("a bool")),
        Kind::Int => json!(value.as_i64().expect("an int").to_string()),
        Kind::Float => {
            let bits = value.as_f64().expect("a float").to_bits();
            json!({ "bits": format!("{bits:016x}") })
        }
        Kind::String | Kind::StringName => text(value.as_text().expect("text"))?,
        Kind::Vector2 => reals!(as_vector2, as_vector2_f64),
        Kind::Vector3 => reals!(as_vector3, as_vector3_f64),
        Kind::Vector4 => reals!(as_vector4, as_vector4_f64),
        Kind::Rect2 => reals!(as_rect2, as_rect2_f64),
        Kind::Plane => reals!(as_plane, as_plane_f64),
        Kind::Quaternion => reals!(as_quaternion, as_quaternion_f64),
        Kind::Aabb => reals!(as_aabb, as_aabb_f64),
        Kind::Color => singles(&<[f32; 4]>::from(value.as_color().expect("a colour"))),
        Kind::Vector2i => json!(<[i32; 2]>::from(value.as_vector2i().expect("the kind"))),
        Kind::Vector3i => json!(<[i32; 3]>::from(value.as_vector3i().expect("the kind"))),
        Kind::Vector4i => json!(<[i32; 4]>::from(value.as_vector4i().expect("the kind"))),
        Kind::Rect2i => json!(<[i32; 4]>::from(value.as_rect2i().expect("the kind"))),
        Kind::Transform2D => {
            let parts = groups(reals!(as_transform2d, as_transform2d_f64), 2);
            json!({ "x": parts[0], "y": parts[1], "origin": parts[2] })
        }
        Kind::Basis => columns(&reals!(as_basis, as_basis_f64)),
        Kind::Transform3D => {
            let all = reals!(as_transform3d, as_transform3d_f64);
            json!({ "basis": columns(&all), "origin": [all[9], all[10], all[11]] })
        }
        Kind::Projection => {
            let parts = groups(reals!(as_projection, as_projection_f64), 4);
            json!({ "x": parts[0], "y": parts[1], "z": parts[2], "w": parts[3] })
        }
        Kind::NodePath => {
            let path = value.as_node_path().expect("a path");
            let names: Result<Vec<Value>, Error> = path.names().map(|name| text(name?)).collect();
            let subnames: Result<Vec<Value>, Error> =
                path.subnames().map(|name| text(name?)).collect();
            json!({ "names": names?, "subnames": subnames?, "absolute": path.is_absolute() })
        }
        Kind::Rid => json!(value.as_rid().expect("a RID").to_string()),
        Kind::Signal => {
            let (name, id) = value.as_signal().expect("a signal");
            json!({ "name": text(name)?, "object_id": id.to_string() })
        }
        Kind::Object => match value.as_object().expect("an object") {
            object if object.is_null() => Value::Null,
            object => {
                let id = object.id().expect("an id, or else it has children");
                return Ok(json!({ "ObjectId": id.to_string() }));
            }
        },
        Kind::Image => {
            let image = value.as_image().expect("an image");
            json!({
                "format": image.format, "mipmaps": image.mipmaps,
                "width": image.width, "height": image.height, "data": hex(image.data),
            })
        }
        Kind::InputEvent => {
            let event = value.as_input_event().expect("an event");
            json!({ "kind": event.kind, "device": event.device, "body": hex(event.body) })
        }
        Kind::PackedStringArray => {
            let strings = value.as_strings().expect("strings");
            let strings: Result<Vec<Value>, Error> =
                strings.iter().map(|string| text(string?)).collect();
            json!(strings?)
        }
        _ => packed(value.as_packed().expect("packed"), precision),
    };
    Ok(json!({ kind.name(): content }))
}

fn packed(packed: Packed<'_>, precision: Precision) -> Value {
    macro_rules! vectors {
        ($packed:expr, $vector:ident) => {{
            let to_single = |v: $vector<f32>| singles(&<[f32; _]>::from(v));
            let to_double = |v: $vector<f64>| doubles(&<[f64; _]>::from(v));
            match ($packed, precision) {
                (Real::Single(all), Precision::Single) => all.iter().map(to_single).collect(),
                (Real::Single(all), Precision::Double) => all
                    .iter()
                    .map(|v| to_double(v.map(gdvar::write::wire::widen)))
                    .collect(),
                (Real::Double(all), Precision::Single) => all
                    .iter()
                    .map(|v| to_single(v.map(gdvar::write::wire::narrow)))
                    .collect(),
                (Real::Double(all), Precision::Double) => all.iter().map(to_double).collect(),
            }
        }};
    }
    match packed {
        Packed::Bytes(bytes) => hex(bytes),
        Packed::Int32(ints) => ints.iter().collect(),
        Packed::Int64(ints) => ints.iter().map(|int| int.to_string()).collect(),
        Packed::Float32(floats) => floats.iter().map(single).collect(),
        Packed::Float64(floats) => doubles(&floats.to_native()),
        Packed::Vector2(all) => vectors!(all, Vector2),
        Packed::Vector3(all) => vectors!(all, Vector3),
        Packed::Vector4(all) => vectors!(all, Vector4),
        Packed::Vector2i(all) => all.iter().map(|v| json!(<[i32; 2]>::from(v))).collect(),
        Packed::Vector3i(all) => all.iter().map(|v| json!(<[i32; 3]>::from(v))).collect(),
        Packed::Vector4i(all) => all.iter().map(|v| json!(<[i32; 4]>::from(v))).collect(),
        Packed::Color(all) => all.iter().map(|c| singles(&<[f32; 4]>::from(c))).collect(),
    }
}

fn tag_array(array: ArrayRef<'_>, items: Vec<Value>) -> Result<Value, Error> {
    let element = element_type(array.element_type())?;
    let items = Value::Array(items);
    Ok(match array.value().kind() {
        Kind::PackedTypedArray => members([(
            "PackedTypedArray",
            members([("elem", element), ("items", items)]),
        )]),
        Kind::Array if element.is_null() => members([("Array", items)]),
        _ => members([("TypedArray", members([("elem", element), ("items", items)]))]),
    })
}

fn tag_dict(dict: DictRef<'_>, pairs: Vec<Value>) -> Result<Value, Error> {
    let (key, value) = (
        element_type(dict.key_type())?,
        element_type(dict.value_type())?,
    );
    let pairs = Value::Array(pairs);
    Ok(if key.is_null() && value.is_null() {
        members([("Dictionary", pairs)])
    } else {
        members([(
            "TypedDictionary",
            members([("key", key), ("value", value), ("entries", pairs)]),
        )])
    })
}

fn tag_object(object: ObjectRef<'_>, properties: Vec<Value>) -> Result<Value, Error> {
    let class = text(object.class().expect("a whole object"))?;
    let properties = Value::Array(properties);
    Ok(members([(
        "Object",
        members([("class", class), ("props", properties)]),
    )]))
}

/// Describes a value through the lazy handles.
///
/// # Errors
/// Returns the first error.
pub fn lazy(value: VariantRef<'_>, precision: Precision) -> Result<Value, Error> {
    if let Some(array) = value.as_array() {
        let items: Result<_, Error> = array.iter().map(|item| lazy(item?, precision)).collect();
        return tag_array(array, items?);
    }
    if let Some(dict) = value.as_dict() {
        let pair = |pair: Result<(VariantRef<'_>, VariantRef<'_>), Error>| {
            let (key, value) = pair?;
            Ok(Value::Array(vec![
                lazy(key, precision)?,
                lazy(value, precision)?,
            ]))
        };
        let pairs: Result<_, Error> = dict.iter().map(pair).collect();
        return tag_dict(dict, pairs?);
    }
    if let Some(object) = value.as_object().filter(|object| object.class().is_some()) {
        let property = |property: Result<(StrRef<'_>, VariantRef<'_>), Error>| {
            let (name, value) = property?;
            Ok(Value::Array(vec![text(name)?, lazy(value, precision)?]))
        };
        let properties: Result<_, Error> = object.iter().map(property).collect();
        return tag_object(object, properties?);
    }
    leaf(value, precision)
}

/// Describes a value through an [`Index`].
///
/// # Errors
/// Returns the first error that building the index finds.
pub fn indexed(document: Document<'_>, precision: Precision) -> Result<Value, Error> {
    fn walk(value: Indexed<'_, VariantRef<'_>>, precision: Precision) -> Result<Value, Error> {
        if let Some(array) = value.as_array() {
            let items: Result<_, Error> = array.iter().map(|item| walk(item, precision)).collect();
            return tag_array(*array, items?);
        }
        if let Some(dict) = value.as_dict() {
            let pair = |(key, value)| {
                Ok(Value::Array(vec![
                    walk(key, precision)?,
                    walk(value, precision)?,
                ]))
            };
            let pairs: Result<_, Error> = dict.iter().map(pair).collect();
            return tag_dict(*dict, pairs?);
        }
        if let Some(object) = value.as_object().filter(|object| object.class().is_some()) {
            let property =
                |(name, value)| Ok(Value::Array(vec![text(name)?, walk(value, precision)?]));
            let properties: Result<_, Error> = object.iter().map(property).collect();
            return tag_object(*object, properties?);
        }
        leaf(*value, precision)
    }
    let index = Index::build(document)?;
    walk(index.open(document)?, precision)
}

/// Groups children into pairs by moving them. Copying would take n² steps for a value nested n deep.
fn pairs(children: Vec<Value>) -> Vec<Value> {
    let mut pairs = Vec::with_capacity(children.len() / 2);
    let mut children = children.into_iter();
    while let Some(first) = children.next() {
        pairs.push(Value::Array(
            std::iter::once(first).chain(children.next()).collect(),
        ));
    }
    pairs
}

/// Describes a value through [`Events`](gdvar::walk::Events).
///
/// # Errors
/// Returns the first error.
///
/// # Panics
/// If the events do not nest.
pub fn events(document: Document<'_>, precision: Precision) -> Result<Value, Error> {
    let mut open: Vec<(VariantRef<'_>, Vec<Value>)> = Vec::new();
    let mut events = document.events();
    while let Some(event) = events.try_next()? {
        let done = match event {
            Event::Begin(value) => {
                open.push((value, Vec::new()));
                continue;
            }
            Event::Property(name) => text(name)?,
            Event::Value(value) => leaf(value, precision)?,
            Event::End => {
                let (value, children) = open.pop().expect("an open container");
                if let Some(array) = value.as_array() {
                    tag_array(array, children)?
                } else if let Some(dict) = value.as_dict() {
                    tag_dict(dict, pairs(children))?
                } else {
                    tag_object(value.as_object().expect("an object"), pairs(children))?
                }
            }
        };
        match open.last_mut() {
            Some((_, children)) => children.push(done),
            None => {
                assert!(
                    events.try_next()?.is_none(),
                    "events after the outermost value"
                );
                return Ok(done);
            }
        }
    }
    panic!("events ended before the value did")
}
