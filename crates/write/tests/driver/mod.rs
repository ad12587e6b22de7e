//! Tagged JSON (testdata/vectors/README.md) written through the event API.

use gdvar_write::{
    ElementType, NodePathParts, Real, Sink, Writer,
    wire::{
        Kind,
        math::{Basis, Color, Projection, Transform2D, Transform3D, Vector2, Vector3, Vector4},
    },
};
use serde_json::Value;

type Done<S> = Result<(), gdvar_write::Error<<S as Sink>::Error>>;

/// Writes one tagged value. Recursive: values nest at most 16 deep; the deeper ones are `Nest`.
pub(crate) fn write<S: Sink>(w: &mut Writer<S>, value: &Value) -> Done<S> {
    let object = value.as_object().expect("a tagged value");
    assert_eq!(object.len(), 1);
    let (tag, v) = object.iter().next().unwrap();
    match tag.as_str() {
        "Nil" => w.nil(),
        "Bool" => w.bool(v.as_bool().unwrap()),
        "Int" => w.int(number(v)),
        "Float" => w.float(f64::from_bits(bits(&v["bits"]))),
        "String" => match text(v) {
            Text::Str(text) => w.string(text),
            Text::Codes(bytes) => w.string_bytes(&bytes),
        },
        "StringName" => w.string_name(str_of(v)),
        "NodePath" => {
            let (names, subnames) = (strings(&v["names"]), strings(&v["subnames"]));
            w.node_path(&NodePathParts {
                names: &names,
                subnames: &subnames,
                absolute: v["absolute"].as_bool().unwrap(),
            })
        }
        "RID" => w.rid(number(v)),
        "ObjectId" => w.object_id(number(v)),
        "Object" if v.is_null() => w.null_object(),
        "Object" => {
            let props = v["props"].as_array().unwrap();
            w.begin_object(str_of(&v["class"]), props.len())?;
            for prop in props {
                w.property(str_of(&prop[0]))?;
                write(w, &prop[1])?;
            }
            w.end()
        }
        "Callable" => w.callable(),
        "Signal" => w.signal(str_of(&v["name"]), number(&v["object_id"])),
        "Array" => {
            let items = v.as_array().unwrap();
            w.begin_array(items.len())?;
            all(w, items)
        }
        "TypedArray" if w.dialect().name() == "pandemonium5" => {
            pandemonium_array(w, Kind::TypedArray, v)
        }
        "PackedTypedArray" => pandemonium_array(w, Kind::PackedTypedArray, v),
        "TypedArray" => {
            let items = v["items"].as_array().unwrap();
            let element = element(w, &v["elem"]);
            w.begin_typed_array(element, items.len())?;
            all(w, items)
        }
        "Dictionary" => {
            let entries = v.as_array().unwrap();
            w.begin_dict(entries.len())?;
            pairs(w, entries)
        }
        "TypedDictionary" => {
            let entries = v["entries"].as_array().unwrap();
            let (key, value) = (element(w, &v["key"]), element(w, &v["value"]));
            w.begin_typed_dict(key, value, entries.len())?;
            pairs(w, entries)
        }
        "Nest" => {
            let steps = v["steps"].as_array().unwrap();
            for step in steps {
                match step.get("key") {
                    None => w.begin_array(1)?,
                    Some(key) => {
                        w.begin_dict(1)?;
                        write(w, key)?;
                    }
                }
            }
            write(w, &v["leaf"])?;
            steps.iter().try_for_each(|_| w.end())
        }
        "Vector2i" => w.vector2i(array(v, int).into()),
        "Vector3i" => w.vector3i(array(v, int).into()),
        "Vector4i" => w.vector4i(array(v, int).into()),
        "Rect2i" => w.rect2i(array(v, int).into()),
        "Color" => w.color(array(v, f32_of).into()),
        "PackedByteArray" => w.packed_bytes(&unhex(v.as_str().unwrap())),
        "PackedInt32Array" => w.packed_i32(&vec(v, int)),
        "PackedInt64Array" => w.packed_i64(&vec(v, number)),
        "PackedFloat32Array" => w.packed_f32(&vec(v, f32_of)),
        "PackedFloat64Array" => w.packed_f64(&vec(v, |item| f64::from_bits(bits(item)))),
        "PackedStringArray" => w.packed_strings(strings(v)),
        "PackedColorArray" => w.packed_colors(&vec(v, |c| Color::from(array(c, f32_of)))),
        "PoolVector2iArray" => w.packed_vector2i(&vec(v, |c| Vector2::from(array(c, int)))),
        "PoolVector3iArray" => w.packed_vector3i(&vec(v, |c| Vector3::from(array(c, int)))),
        "PoolVector4iArray" => w.packed_vector4i(&vec(v, |c| Vector4::from(array(c, int)))),
        _ if has_wide_reals(v) => reals(w, tag, v, |item| f64::from_bits(bits(item))),
        _ => reals(w, tag, v, f32_of),
    }
}

fn reals<S: Sink, R: Real>(w: &mut Writer<S>, tag: &str, v: &Value, f: fn(&Value) -> R) -> Done<S> {
    match tag {
        "Vector2" => w.vector2::<R>(array(v, f).into()),
        "Vector3" => w.vector3::<R>(array(v, f).into()),
        "Vector4" => w.vector4::<R>(array(v, f).into()),
        "Rect2" => w.rect2::<R>(array(v, f).into()),
        "Plane" => w.plane::<R>(array(v, f).into()),
        "Quaternion" => w.quaternion::<R>(array(v, f).into()),
        "AABB" => w.aabb::<R>(array(v, f).into()),
        "Transform2D" => w.transform2d::<R>(Transform2D {
            x: array(&v["x"], f).into(),
            y: array(&v["y"], f).into(),
            origin: array(&v["origin"], f).into(),
        }),
        "Basis" => w.basis(basis(v, f)),
        "Transform3D" => w.transform3d(Transform3D {
            basis: basis(&v["basis"], f),
            origin: array(&v["origin"], f).into(),
        }),
        "Projection" => w.projection::<R>(Projection {
            x: array(&v["x"], f).into(),
            y: array(&v["y"], f).into(),
            z: array(&v["z"], f).into(),
            w: array(&v["w"], f).into(),
        }),
        "PackedVector2Array" => w.packed_vector2(&vec(v, |c| Vector2::from(array(c, f)))),
        "PackedVector3Array" => w.packed_vector3(&vec(v, |c| Vector3::from(array(c, f)))),
        "PackedVector4Array" => w.packed_vector4(&vec(v, |c| Vector4::from(array(c, f)))),
        other => panic!("unknown tag {other}"),
    }
}

fn basis<R: Real>(v: &Value, f: fn(&Value) -> R) -> Basis<R> {
    let column = |name: &str| Vector3::from(array(&v[name], f));
    Basis::from_columns(column("x"), column("y"), column("z"))
}

fn all<S: Sink>(w: &mut Writer<S>, items: &[Value]) -> Done<S> {
    items.iter().try_for_each(|item| write(w, item))?;
    w.end()
}

fn pairs<S: Sink>(w: &mut Writer<S>, entries: &[Value]) -> Done<S> {
    for entry in entries {
        write(w, &entry[0])?;
        write(w, &entry[1])?;
    }
    w.end()
}

fn pandemonium_array<S: Sink>(w: &mut Writer<S>, kind: Kind, v: &Value) -> Done<S> {
    let items = v["items"].as_array().unwrap();
    let element = element(w, &v["elem"]);
    w.begin_pandemonium_typed_array(kind, element, items.len())?;
    all(w, items)
}

fn element<'v, S: Sink>(w: &Writer<S>, v: &'v Value) -> ElementType<'v> {
    if let Some(id) = v.get("builtin") {
        let id = gdvar_write::wire::TypeId(u8::try_from(id.as_u64().unwrap()).unwrap());
        return ElementType::Builtin(w.dialect().kind(id).unwrap());
    }
    if let Some(class) = v.get("class") {
        return ElementType::Class(str_of(class));
    }
    if let Some(path) = v.get("script") {
        return ElementType::Script(str_of(path));
    }
    assert!(v.is_null());
    ElementType::Untyped
}

/// Only the double-precision vectors have 16 hex digits for a real.
fn has_wide_reals(v: &Value) -> bool {
    match v {
        Value::String(digits) => digits.len() == 16,
        Value::Array(items) => items.first().is_some_and(has_wide_reals),
        Value::Object(map) => map.values().any(has_wide_reals),
        _ => false,
    }
}

enum Text<'v> {
    Str(&'v str),
    Codes(Vec<u8>),
}

fn text(v: &Value) -> Text<'_> {
    match v.get("codes") {
        None => Text::Str(str_of(v)),
        Some(codes) => {
            let mut bytes = Vec::new();
            for code in codes.as_array().unwrap() {
                encode_wide(code.as_u64().unwrap(), &mut bytes);
            }
            Text::Codes(bytes)
        }
    }
}

/// Encodes as UTF-8 without its upper limit, and encodes surrogates too.
fn encode_wide(code: u64, out: &mut Vec<u8>) {
    let len = match code {
        0..0x80 => return out.push(code as u8),
        0x80..0x800 => 2,
        0x800..0x1_0000 => 3,
        0x1_0000..0x20_0000 => 4,
        0x20_0000..0x400_0000 => 5,
        _ => 6,
    };
    let lead = (0xff00_u64 >> len) as u8;
    out.push(lead | (code >> (6 * (len - 1))) as u8);
    for n in (0..len - 1).rev() {
        out.push(0x80 | (code >> (6 * n)) as u8 & 0x3f);
    }
}

fn str_of(v: &Value) -> &str {
    v.as_str().expect("a text")
}

fn strings(v: &Value) -> Vec<&str> {
    v.as_array().unwrap().iter().map(str_of).collect()
}

fn vec<T>(v: &Value, f: impl Fn(&Value) -> T) -> Vec<T> {
    v.as_array().unwrap().iter().map(f).collect()
}

fn array<T, const N: usize>(v: &Value, f: impl Fn(&Value) -> T) -> [T; N] {
    vec(v, f).try_into().ok().expect("so many items")
}

fn number<T: std::str::FromStr<Err: std::fmt::Debug>>(v: &Value) -> T {
    str_of(v).parse().unwrap()
}

fn int(v: &Value) -> i32 {
    i32::try_from(v.as_i64().unwrap()).unwrap()
}

fn bits(v: &Value) -> u64 {
    assert_eq!(str_of(v).len(), 16);
    u64::from_str_radix(str_of(v), 16).unwrap()
}

fn f32_of(v: &Value) -> f32 {
    assert_eq!(str_of(v).len(), 8);
    f32::from_bits(u32::from_str_radix(str_of(v), 16).unwrap())
}

pub(crate) fn unhex(hex: &str) -> Vec<u8> {
    (0..hex.len())
        .step_by(2)
        .map(|at| u8::from_str_radix(&hex[at..at + 2], 16).unwrap())
        .collect()
}
