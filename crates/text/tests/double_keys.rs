//! Keys of a double-precision save that differ only beyond 32 bits are two keys. In a save of single precision the same
//! texts are one key.

use gdvar_text::{ParseOptions, parse_godot, write_exact};
use gdvar_view::{Dialect, Document};
use gdvar_write::{Precision, Target};

/// Types of reals, with the number of their components.
const TYPES: &[(&str, usize)] = &[
    ("Vector2", 2),
    ("Vector3", 3),
    ("Vector4", 4),
    ("Rect2", 4),
    ("Plane", 4),
    ("Quaternion", 4),
    ("AABB", 6),
    ("Transform2D", 6),
    ("Basis", 9),
    ("Transform3D", 12),
    ("Projection", 16),
    ("PackedVector2Array", 2),
    ("PackedVector3Array", 3),
    ("PackedVector4Array", 4),
];

#[test]
fn keys_that_differ_beyond_32_bits_are_two_in_double_precision() {
    for (name, len) in TYPES {
        for component in 0..*len {
            let key = |real: &str| {
                let mut all = vec!["1"; *len];
                all[component] = real;
                format!("{name}({})", all.join(", "))
            };
            let (one, other) = (key("0.1"), key("0.10000000149011612"));
            let mut forms = vec![
                format!("{{{one}: 1, {other}: 2}}"),
                format!("{{[{one}]: 1, [{other}]: 2}}"),
                format!("{{{{\"k\": {one}}}: 1, {{\"k\": {other}}}: 2}}"),
                format!("{{{{{one}: 0}}: 1, {{{other}: 0}}: 2}}"),
            ];
            if !name.starts_with("Packed") {
                forms.push(format!("Dictionary[{name}, int]({{{one}: 1, {other}: 2}})"));
                forms.push(format!(
                    "{{Array[{name}]([{one}]): 1, Array[{name}]([{other}]): 2}}"
                ));
            }
            for text in forms {
                for (precision, pairs) in [(Precision::Double, 2), (Precision::Single, 1)] {
                    let target = Target::GODOT_4.with_precision(precision);
                    let parsed = parse_godot(&text, &ParseOptions::new(target).with_whole(true));
                    let parsed = parsed.unwrap_or_else(|error| panic!("{text}: {error}"));
                    let root = Document::new(&parsed.bytes, Dialect::GODOT_4).root();
                    let root = root.expect("a value");
                    let dict = root.as_dict().expect("a Dictionary");
                    assert_eq!(dict.len(), pairs, "{text} with {precision:?}");
                    if precision == Precision::Double {
                        let mut again = String::new();
                        write_exact(&mut again, root).expect("text");
                        assert_eq!(again, text);
                    }
                }
            }
        }
    }
}
