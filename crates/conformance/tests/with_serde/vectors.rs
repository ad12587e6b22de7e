//! Every vector through serde: as a `Variant` and as the Rust type of its kind.

use std::collections::BTreeMap;

use gdvar::{
    Dialect, Kind, Objects, ReadOptions, Variant,
    math::{
        Aabb, Basis, Color, Plane, Projection, Quaternion, Rect2, Transform2D, Transform3D,
        Vector2, Vector3, Vector4,
    },
    serde::{self as gd, ObjectId, RawVariant, ReadWith, Rid, StringName},
    tree::{NodePath, Signal},
    values::{F32, F64, I32, I64, PackedRef},
    write::{Precision, Target, WriteErrorKind},
};
use gdvar_conformance::{
    vectors::{ENGINES, hex, vectors},
    with_big_stack,
};
use serde::{Deserialize, Serialize, de::DeserializeOwned};

fn options(dialect: Dialect) -> ReadOptions {
    ReadOptions::new(dialect).with_objects(Objects::Inert)
}

fn target(dialect: Dialect) -> Target {
    Target::from(dialect).with_precision(Precision::AsGiven)
}

#[test]
fn a_variant_is_read_and_written_as_without_serde() {
    with_big_stack(|| {
        for engine in ENGINES {
            let mut canonical = 0;
            for vector in vectors(engine) {
                let who = format!("{} {}", engine.name, vector.id);
                let reading = ReadWith::deep(options(engine.dialect)).allow_trailing_bytes();
                let own = gdvar_conformance::owned(&vector.bytes, options(engine.dialect));
                let Ok(own) = own else {
                    let error = gd::from_slice_with::<Variant>(&vector.bytes, reading);
                    assert!(error.is_err(), "{who}");
                    continue;
                };
                let read: Variant = gd::from_slice_with(&vector.bytes, reading).expect(&who);
                assert_eq!(read, own, "{who}");
                let raw: RawVariant<'_> = gd::from_slice_with(&vector.bytes, reading).expect(&who);
                let passed = gd::to_vec_with(&raw, engine.dialect).expect(&who);
                assert_eq!(hex(&passed), hex(raw.as_bytes()), "{who}");
                match own.to_vec(target(engine.dialect)) {
                    Ok(bytes) => {
                        let written = match gd::to_vec_with(&own, target(engine.dialect)) {
                            Ok(written) => written,
                            Err(error) => {
                                let text = error.to_string();
                                assert!(text.contains("nested deeper than 128"), "{who}: {text}");
                                assert!(vector.id.starts_with("depth"), "{who}");
                                continue;
                            }
                        };
                        assert_eq!(hex(&written), hex(&bytes), "{who}");
                        canonical += usize::from(vector.canonical && written == vector.clean());
                        let mut out = Vec::new();
                        gd::to_writer_with(&mut out, &own, target(engine.dialect)).expect(&who);
                        assert_eq!(out, written, "{who}");
                    }
                    // The serializer does not compare elements with the type of their container.
                    Err(error) if matches!(error.kind(), WriteErrorKind::ElementType { .. }) => {}
                    Err(_) => assert!(
                        gd::to_vec_with(&own, target(engine.dialect)).is_err(),
                        "{who}"
                    ),
                }
            }
            assert!(canonical > 100, "{}: only {canonical} vectors", engine.name);
        }
    });
}

/// Reads the bytes as that type and expects the same bytes when it is written.
fn same<'a, T: Serialize + Deserialize<'a>>(bytes: &'a [u8], dialect: Dialect, who: &str) {
    let value: T = gd::from_slice_with(bytes, options(dialect)).expect(who);
    let written = gd::to_vec_with(&value, target(dialect)).expect(who);
    assert_eq!(hex(&written), hex(bytes), "{who}");
}

#[derive(Serialize, Deserialize)]
#[serde(transparent)]
struct Packed<T>(
    #[serde(
        with = "gdvar::serde::packed",
        bound = "for<'a> T: gdvar::serde::packed::PackedItem<'a>"
    )]
    Vec<T>,
);

#[test]
fn each_kind_is_a_rust_type_with_the_same_bytes() {
    let mut kinds = BTreeMap::<Kind, usize>::new();
    for engine in ENGINES {
        let dialect = engine.dialect;
        for vector in vectors(engine) {
            if !vector.canonical || !vector.dirty.is_empty() {
                continue;
            }
            let Ok(root) = gdvar::Document::with_options(&vector.bytes, options(dialect)).root()
            else {
                continue;
            };
            let who = &format!("{} {}", engine.name, vector.id);
            let (bytes, wide) = (&vector.bytes[..], root.is_wide());
            macro_rules! real {
                ($name:ident) => {
                    if wide {
                        same::<$name<f64>>(bytes, dialect, who);
                    } else {
                        same::<$name<f32>>(bytes, dialect, who);
                    }
                };
            }
            macro_rules! packed {
                ($name:ident) => {
                    if wide {
                        same::<Packed<$name<f64>>>(bytes, dialect, who);
                        same::<PackedRef<'_, $name<F64>>>(bytes, dialect, who);
                    } else {
                        same::<Packed<$name<f32>>>(bytes, dialect, who);
                        same::<PackedRef<'_, $name<F32>>>(bytes, dialect, who);
                    }
                };
            }
            match root.kind() {
                Kind::Nil => same::<Option<i32>>(bytes, dialect, who),
                Kind::Bool => same::<bool>(bytes, dialect, who),
                Kind::Int => same::<i64>(bytes, dialect, who),
                Kind::Float => same::<f64>(bytes, dialect, who),
                Kind::String
                    if root
                        .as_str()
                        .is_some_and(|text| text.len() == root.as_text().unwrap().raw().len()) =>
                {
                    same::<&str>(bytes, dialect, who);
                    same::<String>(bytes, dialect, who);
                }
                Kind::StringName
                    if root
                        .as_str()
                        .is_some_and(|text| text.len() == root.as_text().unwrap().raw().len()) =>
                {
                    same::<StringName<&str>>(bytes, dialect, who);
                    same::<StringName<String>>(bytes, dialect, who);
                }
                Kind::Vector2 => real!(Vector2),
                Kind::Vector3 => real!(Vector3),
                Kind::Vector4 => real!(Vector4),
                Kind::Rect2 => real!(Rect2),
                Kind::Plane => real!(Plane),
                Kind::Quaternion => real!(Quaternion),
                Kind::Transform2D => real!(Transform2D),
                Kind::Aabb => real!(Aabb),
                Kind::Basis => real!(Basis),
                Kind::Transform3D => real!(Transform3D),
                Kind::Projection => real!(Projection),
                Kind::Vector2i => same::<Vector2<i32>>(bytes, dialect, who),
                Kind::Vector3i => same::<Vector3<i32>>(bytes, dialect, who),
                Kind::Vector4i => same::<Vector4<i32>>(bytes, dialect, who),
                Kind::Rect2i => same::<Rect2<i32>>(bytes, dialect, who),
                Kind::Color => same::<Color<f32>>(bytes, dialect, who),
                Kind::NodePath => same::<NodePath>(bytes, dialect, who),
                Kind::Rid => same::<Rid>(bytes, dialect, who),
                Kind::Signal => same::<Signal>(bytes, dialect, who),
                Kind::Object
                    if root
                        .as_object()
                        .is_some_and(|object| object.id().is_some_and(|id| id != 0)) =>
                {
                    same::<ObjectId>(bytes, dialect, who);
                }
                Kind::PackedByteArray => {
                    same::<&serde_bytes::Bytes>(bytes, dialect, who);
                    same::<serde_bytes::ByteBuf>(bytes, dialect, who);
                }
                Kind::PackedInt32Array => {
                    same::<Packed<i32>>(bytes, dialect, who);
                    same::<PackedRef<'_, I32>>(bytes, dialect, who);
                }
                Kind::PackedInt64Array => {
                    same::<Packed<i64>>(bytes, dialect, who);
                    same::<PackedRef<'_, I64>>(bytes, dialect, who);
                }
                Kind::PackedFloat32Array => {
                    same::<Packed<f32>>(bytes, dialect, who);
                    same::<PackedRef<'_, F32>>(bytes, dialect, who);
                }
                Kind::PackedFloat64Array => {
                    same::<Packed<f64>>(bytes, dialect, who);
                    same::<PackedRef<'_, F64>>(bytes, dialect, who);
                }
                Kind::PackedStringArray
                    if gd::from_slice_with::<Vec<&str>>(bytes, options(dialect)).is_ok() =>
                {
                    same::<Packed<String>>(bytes, dialect, who);
                }
                Kind::PackedVector2Array => packed!(Vector2),
                Kind::PackedVector3Array => packed!(Vector3),
                Kind::PackedVector4Array => packed!(Vector4),
                Kind::PackedVector2iArray => {
                    same::<Packed<Vector2<i32>>>(bytes, dialect, who);
                    same::<PackedRef<'_, Vector2<I32>>>(bytes, dialect, who);
                }
                Kind::PackedVector3iArray => same::<Packed<Vector3<i32>>>(bytes, dialect, who),
                Kind::PackedVector4iArray => same::<Packed<Vector4<i32>>>(bytes, dialect, who),
                Kind::PackedColorArray => {
                    same::<Packed<Color<f32>>>(bytes, dialect, who);
                    same::<PackedRef<'_, Color<F32>>>(bytes, dialect, who);
                }
                _ => continue,
            }
            *kinds.entry(root.kind()).or_default() += 1;
        }
    }
    assert!(kinds.len() >= 36, "only {kinds:?}");
}

fn again<T: DeserializeOwned>(json: &str, who: &str) -> T {
    serde_json::from_str(json).unwrap_or_else(|error| panic!("{who}: {error} in {json}"))
}

#[test]
fn json_shows_types_as_the_engine_does() {
    let json = |value: &dyn erased::Json| value.json();
    let basis = Basis::from([1.0_f32, 2.0, 3.0, 4.0, 5.0, 6.0, 7.0, 8.0, 9.0]);
    assert_eq!(
        json(&Vector2 {
            x: 1.5_f32,
            y: -2.0
        }),
        r#"{"type":"Vector2","args":[1.5,-2.0]}"#
    );
    assert_eq!(
        json(&Vector3 { x: 1, y: 2, z: 3 }),
        r#"{"type":"Vector3i","args":[1,2,3]}"#
    );
    // Columns, where the bytes have rows.
    assert_eq!(
        json(&basis),
        r#"{"type":"Basis","args":[1.0,4.0,7.0,2.0,5.0,8.0,3.0,6.0,9.0]}"#
    );
    assert_eq!(again::<Basis<f32>>(&json(&basis), "basis"), basis);
    assert_eq!(
        json(&Vector2 { x: 0.1_f64, y: 1.0 }),
        r#"{"type":"Vector2","args":[0.1,1.0]}"#
    );
    assert_eq!(
        json(&StringName("a")),
        r#"{"type":"StringName","args":["a"]}"#
    );
    assert_eq!(
        json(&Packed(vec![Vector2 { x: 1.0_f32, y: 2.0 }; 2])),
        r#"{"type":"PackedVector2Array","args":[1.0,2.0,1.0,2.0]}"#
    );
    assert_eq!(
        again::<Vector2<f32>>("[1, 2]", "list"),
        Vector2 { x: 1.0, y: 2.0 }
    );
}

mod erased {
    pub(super) trait Json {
        fn json(&self) -> String;
    }
    impl<T: serde::Serialize> Json for T {
        fn json(&self) -> String {
            serde_json::to_string(self).expect("JSON")
        }
    }
}
