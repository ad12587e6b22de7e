//! Sample values of every type, as an engine writes them.

use gdvar_text::{ParseOptions, parse_godot};
use gdvar_view::{Dialect, Kind, Objects};
use gdvar_write::Target;

/// A sample value.
pub(crate) struct Sample {
    /// The value in Godot's notation, or a description in words.
    pub(crate) text: &'static str,
    /// The encoded value.
    pub(crate) bytes: Vec<u8>,
}

/// Returns samples of a type as a dialect writes them.
pub(crate) fn of(kind: Kind, dialect: Dialect) -> Vec<Sample> {
    let written = texts(kind).iter().filter_map(|text| {
        let options = ParseOptions::new(Target::from(dialect)).with_objects(Objects::Inert);
        let bytes = parse_godot(text, &options).ok()?.bytes;
        // A dialect without the type may have written another type.
        (dialect.type_id(kind)?.0 == *bytes.first()?).then_some(Sample { text, bytes })
    });
    let samples: Vec<Sample> = written.collect();
    if samples.is_empty() {
        return assembled(kind, dialect).into_iter().collect();
    }
    samples
}

fn texts(kind: Kind) -> &'static [&'static str] {
    match kind {
        Kind::Nil => &["null"],
        Kind::Bool => &["true"],
        Kind::Int => &["5", "4294967296"],
        Kind::Float => &["0.5", "0.1"],
        Kind::String => &["\"hello\""],
        Kind::StringName => &["&\"hello\""],
        Kind::NodePath => &["NodePath(\"/root/Hero:name\")"],
        Kind::Vector2 => &["Vector2(1, 2)"],
        Kind::Vector2i => &["Vector2i(1, 2)"],
        Kind::Rect2 => &["Rect2(1, 2, 3, 4)"],
        Kind::Rect2i => &["Rect2i(1, 2, 3, 4)"],
        Kind::Vector3 => &["Vector3(1, 2, 3)"],
        Kind::Vector3i => &["Vector3i(1, 2, 3)"],
        Kind::Vector4 => &["Vector4(1, 2, 3, 4)"],
        Kind::Vector4i => &["Vector4i(1, 2, 3, 4)"],
        Kind::Plane => &["Plane(0, 1, 0, 5)"],
        Kind::Quaternion => &["Quaternion(0, 0, 0, 1)", "Quat(0, 0, 0, 1)"],
        Kind::Aabb => &["AABB(1, 2, 3, 4, 5, 6)"],
        Kind::Transform2D => &["Transform2D(1, 2, 3, 4, 5, 6)"],
        Kind::Basis => &["Basis(1, 2, 3, 4, 5, 6, 7, 8, 9)"],
        Kind::Transform3D => &[
            "Transform3D(1, 2, 3, 4, 5, 6, 7, 8, 9, 10, 11, 12)",
            "Transform(1, 2, 3, 4, 5, 6, 7, 8, 9, 10, 11, 12)",
        ],
        Kind::Projection => &["Projection(1, 2, 3, 4, 5, 6, 7, 8, 9, 10, 11, 12, 13, 14, 15, 16)"],
        Kind::Color => &["Color(1, 0.5, 0, 1)"],
        Kind::Callable => &["Callable()"],
        Kind::Array => &["[5]", "Array[int]([5])"],
        Kind::Dictionary => &["{\"hp\": 80}", "Dictionary[String, int]({\"hp\": 80})"],
        Kind::PackedByteArray => &["PackedByteArray(1, 2, 3)", "PoolByteArray(1, 2, 3)"],
        Kind::PackedInt32Array => &["PackedInt32Array(1, -2)", "PoolIntArray(1, -2)"],
        Kind::PackedInt64Array => &["PackedInt64Array(1, -2)"],
        Kind::PackedFloat32Array => &["PackedFloat32Array(0.5, 2)", "PoolRealArray(0.5, 2)"],
        Kind::PackedFloat64Array => &["PackedFloat64Array(0.5, 2)"],
        Kind::PackedStringArray => &[
            "PackedStringArray(\"abc\", \"\")",
            "PoolStringArray(\"abc\", \"\")",
        ],
        Kind::PackedVector2Array => &["PackedVector2Array(1, 2)", "PoolVector2Array(1, 2)"],
        Kind::PackedVector3Array => &["PackedVector3Array(1, 2, 3)", "PoolVector3Array(1, 2, 3)"],
        Kind::PackedVector4Array => &["PackedVector4Array(1, 2, 3, 4)"],
        Kind::PackedColorArray => &[
            "PackedColorArray(1, 0.5, 0, 1)",
            "PoolColorArray(1, 0.5, 0, 1)",
        ],
        // `assembled` has these.
        Kind::Image
        | Kind::Rid
        | Kind::Object
        | Kind::InputEvent
        | Kind::Signal
        | Kind::TypedArray
        | Kind::PackedTypedArray
        | Kind::PackedVector2iArray
        | Kind::PackedVector3iArray
        | Kind::PackedVector4iArray => &[],
    }
}

/// Assembles a sample of a type that has no notation.
fn assembled(kind: Kind, dialect: Dialect) -> Option<Sample> {
    let id = u32::from(dialect.type_id(kind)?.0);
    let word = |text: &[u8; 4]| u32::from_le_bytes(*text);
    let int = dialect.type_id(Kind::Int).map_or(2, |id| u32::from(id.0));
    let (text, words) = match kind {
        Kind::Rid if dialect.rid_has_id() => ("a RID", vec![id, 5, 0]),
        Kind::Rid => ("a RID", vec![id]),
        Kind::Object if dialect.has_object_payload() => {
            ("an object as id", vec![id | 1 << 16, 1234, 0])
        }
        Kind::Object => ("an object", vec![id]),
        Kind::Signal => ("a signal", vec![id, 4, word(b"died"), 1234, 0]),
        Kind::Image => (
            "an image of one pixel",
            vec![id, 0, 0, 1, 1, 3, 0x0040_80ff],
        ),
        Kind::InputEvent => ("a key", vec![id, 1, 0, 20, 0, 65]),
        Kind::TypedArray | Kind::PackedTypedArray => {
            ("an array of one int", vec![id, int, 1, int, 5])
        }
        Kind::PackedVector2iArray => ("one vector", vec![id, 1, 1, 2]),
        Kind::PackedVector3iArray => ("one vector", vec![id, 1, 1, 2, 3]),
        Kind::PackedVector4iArray | Kind::PackedVector4Array => {
            ("one vector", vec![id, 1, 1, 2, 3, 4])
        }
        _ => return None,
    };
    let bytes = words.into_iter().flat_map(u32::to_le_bytes).collect();
    Some(Sample { text, bytes })
}
