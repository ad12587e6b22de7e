//! Prints a schema as Rust structs with serde.

use std::{
    collections::{HashMap, HashSet},
    fmt::Write,
};

use gdvar_view::Kind;

use crate::{
    commands::schema::{names, people, shape::Shape},
    terminal::words::plural,
};

/// Words that cannot be names of fields.
const WORDS: &str = "\
as async await break const continue crate dyn else enum extern false fn for gen if impl in let loop \
match mod move mut pub ref return self static struct super trait true type unsafe use where while \
abstract become box do final macro override priv try typeof unsized virtual yield";

/// Words that cannot be names of types: the printed code means others by them.
const TYPES: &str = "Option Self String Vec";

const ANY: &str = "gdvar::Variant";

#[derive(Clone, Default)]
struct Type {
    name: String,
    /// `true` for a packed array, because a `Vec` needs an attribute for it.
    packed: bool,
}

/// Returns the text of all structs.
pub(crate) fn text(shape: &Shape, root: &str) -> String {
    let structs = names::of_structs(shape, root, TYPES, |place| is_struct(shape, place));
    let places = shape.places();
    let mut types: HashMap<usize, Type> = HashMap::new();
    for (place, _) in places.iter().rev() {
        types.insert(*place, type_of(shape, *place, &structs, &types));
    }
    let mut out = format!(
        "// Made by `gdvar schema --style rust` of {}. Needs gdvar with the feature `serde`, and serde.\n",
        plural(shape.records, "record")
    );
    if !structs.contains_key(&Shape::ROOT) {
        let own = types.get(&Shape::ROOT).map_or(ANY, |own| &own.name);
        let _ = write!(out, "\npub type {} = {own};\n", names::of_type(root, TYPES));
    }
    // What is inside a Variant needs no struct.
    let mut typed = HashSet::from([Shape::ROOT]);
    for (place, _) in places {
        let around = shape.parent(place);
        let is_any = types.get(&around).is_none_or(|around| around.name == ANY);
        if typed.contains(&around) && (place == Shape::ROOT || !is_any) {
            typed.insert(place);
        }
        let Some(name) = structs.get(&place).filter(|_| typed.contains(&place)) else {
            continue;
        };
        let _ = write!(
            out,
            "\n#[derive(Clone, Debug, PartialEq, serde::Deserialize, serde::Serialize)]\npub struct {name} {{\n"
        );
        let fields = shape.fields(place);
        let keys: Vec<&str> = fields
            .iter()
            .filter_map(|field| shape.key(*field))
            .collect();
        let own = names::of_fields(&keys, WORDS);
        for ((field, key), own) in fields.iter().zip(&keys).zip(own) {
            let seen = people::typing_and_ranges(shape.seen(*field)).join(", ");
            if !seen.is_empty() {
                let _ = writeln!(out, "    // seen: {seen}");
            }
            let mut attributes = Vec::new();
            if own != *key {
                attributes.push(format!("rename = {key:?}"));
            }
            let Some(Type { name, packed }) = types.get(field) else {
                continue;
            };
            let optional = shape.is_optional(*field);
            let nullable = optional || shape.seen(*field).has_null();
            if optional {
                attributes.push("default, skip_serializing_if = \"Option::is_none\"".to_owned());
            }
            if *packed {
                attributes.push("with = \"gdvar::serde::packed\"".to_owned());
            }
            if !attributes.is_empty() {
                let _ = writeln!(out, "    #[serde({})]", attributes.join(", "));
            }
            let name = if nullable {
                format!("Option<{name}>")
            } else {
                name.clone()
            };
            let _ = writeln!(out, "    pub {own}: {name},");
        }
        out.push_str("}\n");
    }
    out
}

/// Returns `true` if all values of a place are dictionaries of named fields.
fn is_struct(shape: &Shape, place: usize) -> bool {
    let seen = shape.seen(place);
    seen.kind() == Some(Kind::Dictionary)
        && !shape.fields(place).is_empty()
        && shape.items(place).is_none()
}

fn type_of(
    shape: &Shape,
    place: usize,
    structs: &HashMap<usize, String>,
    types: &HashMap<usize, Type>,
) -> Type {
    if let Some(name) = structs.get(&place) {
        return plain(name);
    }
    let seen = shape.seen(place);
    // The type of an element, optional if some are null. A packed array as an element has type `ANY`, because the
    // attribute cannot be put on it.
    let item = || {
        let items = shape.items(place)?;
        let own = types.get(&items)?;
        let name = if own.packed { ANY } else { &own.name };
        let nullable = shape.seen(items).has_null();
        Some(if nullable {
            format!("Option<{name}>")
        } else {
            name.to_owned()
        })
    };
    match seen.kinds()[..] {
        [Kind::Int, Kind::Float] => plain("f64"),
        [Kind::String, Kind::StringName] => plain("String"),
        [Kind::Array] => plain(&format!(
            "Vec<{}>",
            item().unwrap_or_else(|| ANY.to_owned())
        )),
        [Kind::Dictionary] => match (&seen.keys[..], item()) {
            ([Kind::Int], Some(item)) => plain(&format!("std::collections::BTreeMap<i64, {item}>")),
            ([Kind::String] | [Kind::StringName], Some(item)) if shape.fields(place).is_empty() => {
                plain(&format!("std::collections::BTreeMap<String, {item}>"))
            }
            _ => plain(ANY),
        },
        [kind] => leaf(kind),
        _ => plain(ANY),
    }
}

fn plain(name: &str) -> Type {
    Type {
        name: name.to_owned(),
        packed: false,
    }
}

fn leaf(kind: Kind) -> Type {
    let list = |of: &str| Type {
        name: format!("Vec<{of}>"),
        packed: true,
    };
    let math = |name: &str, of: &str| format!("gdvar::math::{name}<{of}>");
    match kind {
        Kind::Bool => plain("bool"),
        Kind::Int => plain("i64"),
        Kind::Float => plain("f64"),
        Kind::String => plain("String"),
        Kind::StringName => plain("gdvar::serde::StringName"),
        Kind::NodePath => plain("gdvar::tree::NodePath"),
        Kind::Vector2i => plain(&math("Vector2", "i32")),
        Kind::Vector3i => plain(&math("Vector3", "i32")),
        Kind::Vector4i => plain(&math("Vector4", "i32")),
        Kind::Rect2i => plain(&math("Rect2", "i32")),
        Kind::Aabb => plain(&math("Aabb", "f32")),
        Kind::Vector2
        | Kind::Vector3
        | Kind::Vector4
        | Kind::Rect2
        | Kind::Transform2D
        | Kind::Plane
        | Kind::Quaternion
        | Kind::Basis
        | Kind::Transform3D
        | Kind::Projection
        | Kind::Color => plain(&math(kind.name(), "f32")),
        Kind::PackedByteArray => list("u8"),
        Kind::PackedInt32Array => list("i32"),
        Kind::PackedInt64Array => list("i64"),
        Kind::PackedFloat32Array => list("f32"),
        Kind::PackedFloat64Array => list("f64"),
        Kind::PackedStringArray => list("String"),
        Kind::PackedVector2Array => list(&math("Vector2", "f32")),
        Kind::PackedVector3Array => list(&math("Vector3", "f32")),
        Kind::PackedVector4Array => list(&math("Vector4", "f32")),
        Kind::PackedColorArray => list(&math("Color", "f32")),
        Kind::Nil
        | Kind::Image
        | Kind::Rid
        | Kind::Object
        | Kind::InputEvent
        | Kind::Callable
        | Kind::Signal
        | Kind::Dictionary
        | Kind::Array
        | Kind::TypedArray
        | Kind::PackedTypedArray
        | Kind::PackedVector2iArray
        | Kind::PackedVector3iArray
        | Kind::PackedVector4iArray => plain(ANY),
    }
}
