//! Values of two engines are compared key by key, even if the engines encode the same key as
//! different bytes.

use gdvar_edit::{Dialect, DiffOptions, Document, diff};
use gdvar_text::{ParseOptions, parse_godot};
use gdvar_write::{Precision, Target, Writer, transcode};

/// A key of every type that can be one in Godot 4.
const KEYS: &[&str] = &[
    "null",
    "true",
    "7",
    "3000000000",
    "1.5",
    "0.1",
    r#""text""#,
    r#"&"name""#,
    r#"NodePath("/a/b:c")"#,
    "Vector2(1, 2.5)",
    "Vector2i(1, 2)",
    "Vector3(1, 2, 3)",
    "Vector3i(1, 2, 3)",
    "Vector4(1, 2, 3, 4)",
    "Vector4i(1, 2, 3, 4)",
    "Rect2(1, 2, 3, 4)",
    "Rect2i(1, 2, 3, 4)",
    "Plane(0, 1, 0, 4)",
    "Quaternion(0, 0, 0, 1)",
    "AABB(1, 2, 3, 4, 5, 6)",
    "Transform2D(1, 0, 0, 1, 5, 6)",
    "Basis(1, 0, 0, 0, 1, 0, 0, 0, 1)",
    "Transform3D(1, 0, 0, 0, 1, 0, 0, 0, 1, 5, 6, 7)",
    "Projection(1, 0, 0, 0, 0, 1, 0, 0, 0, 0, 1, 0, 0, 0, 0, 1)",
    "Color(1, 0.5, 0, 1)",
    "[1, Vector2(1, 2)]",
    r#"{"a": Color(1, 0, 0, 1)}"#,
    "PackedByteArray(1, 2)",
    "PackedInt32Array(1, 2)",
    "PackedInt64Array(1, 2)",
    "PackedFloat32Array(1.5)",
    "PackedFloat64Array(1.5)",
    r#"PackedStringArray("a", "b")"#,
    "PackedVector2Array(1, 2)",
    "PackedVector3Array(1, 2, 3)",
    "PackedColorArray(1, 0, 0, 1)",
    "PackedVector4Array(1, 2, 3, 4)",
    "Array[int]([1])",
];

/// The same value for another target, if it has everything that is in it.
fn converted(bytes: &[u8], target: Target) -> Option<Vec<u8>> {
    let mut writer = Writer::new(Vec::new(), target);
    let report = transcode(Document::new(bytes, Dialect::GODOT_4), &mut writer).ok()?;
    report.is_empty().then(|| writer.finish().ok()).flatten()
}

#[test]
fn keys_of_different_engines_are_compared_by_value() {
    let mut targets: Vec<Target> = Dialect::ALL.iter().map(|one| Target::from(*one)).collect();
    targets.push(Target::GODOT_4.with_precision(Precision::Double));
    let mut compared = 0;
    for key in KEYS {
        let read = |text: String| {
            let options = ParseOptions::new(Target::GODOT_4).with_whole(true);
            parse_godot(&text, &options).expect(&text).bytes
        };
        let old = read(format!("{{\"a\": 1, {key}: 34, \"b\": [2]}}"));
        let changed = read(format!("{{\"a\": 1, {key}: 35, \"b\": [2]}}"));
        let turned = read(format!("{{\"b\": [2], {key}: 34, \"a\": 1}}"));
        for one in &targets {
            for other in &targets {
                let both = |left: &[u8], right: &[u8]| {
                    Some((converted(left, *one)?, converted(right, *other)?))
                };
                let count = |(left, right): (Vec<u8>, Vec<u8>)| {
                    let left = Document::new(&left, one.dialect());
                    let right = Document::new(&right, other.dialect());
                    let roots = (
                        left.root().expect("a value"),
                        right.root().expect("a value"),
                    );
                    let all = diff(roots.0, roots.1, DiffOptions::new());
                    let paths = all.map(|one| one.expect("it can be read").path().to_owned());
                    paths.collect::<Vec<_>>()
                };
                let Some(same) = both(&old, &old) else {
                    continue;
                };
                let who = format!("{key}: {one:?} and {other:?}");
                assert_eq!(count(same), [""; 0], "{who}");
                assert_eq!(count(both(&old, &turned).expect(&who)), [""; 0], "{who}");
                let found = count(both(&old, &changed).expect(&who));
                assert!(found.len() == 1 && found[0] != "$", "{who}: {found:?}");
                compared += 1;
            }
        }
    }
    assert!(compared > 600, "{compared}");
}
