//! Which keys of a Dictionary are equal: docs/FORMAT.md §6, "Equal keys". Keys that hold more than a
//! number are compared by everything in them.

use gdvar::{Dialect, Document, VariantRef};
use gdvar_conformance::vectors::unhex;

fn bytes(hex: &str) -> Vec<u8> {
    unhex(&hex.replace(' ', ""))
}

/// The value that the key leads to in {`key`: 7}.
fn found(key: &str, sought: &str) -> Option<i64> {
    let dict = bytes(&format!("1b000000 01000000 {key} 02000000 07000000"));
    let sought = bytes(sought);
    let root = Document::new(&dict, Dialect::GODOT_4).root().expect(key);
    let sought = Document::new(&sought, Dialect::GODOT_4)
        .root()
        .expect("a key");
    let dict = root.as_dict().expect("a dictionary");
    let value = dict.get_value(sought).expect("in order");
    value.and_then(VariantRef::as_i64)
}

#[test]
fn keys_are_equal_by_all_they_hold() {
    for (key, others) in [
        // A signal by its name and the id of its object.
        (
            "1a000000 02000000 68690000 07000000 00000000",
            &[
                "1a000000 02000000 68690000 08000000 00000000",
                "1a000000 02000000 686f0000 07000000 00000000",
            ][..],
        ),
        // Texts one by one, and as many.
        (
            "22000000 02000000 02000000 61000000 02000000 62000000",
            &[
                "22000000 02000000 02000000 61000000 02000000 63000000",
                "22000000 02000000 02000000 63000000 02000000 62000000",
                "22000000 01000000 02000000 61000000",
                "22000000 00000000",
            ],
        ),
        (
            "20000000 02000000 0000003f 0000803f",
            &[
                "20000000 02000000 0000003f 00000040",
                "20000000 02000000 00000040 0000803f",
                "20000000 01000000 0000003f",
                "20000000 03000000 0000003f 0000803f 0000803f",
                // The bytes as ints.
                "1e000000 02000000 0000003f 0000803f",
            ],
        ),
        (
            "21000000 01000000 9a999999 9999b93f",
            &[
                "21000000 01000000 9a999999 9999c93f",
                "21000000 02000000 9a999999 9999b93f 9a999999 9999b93f",
                "21000000 00000000",
                "1f000000 01000000 9a999999 9999b93f",
            ],
        ),
        (
            "23000000 01000000 0000003f 0000803f",
            &[
                "23000000 01000000 0000003f 00000040",
                "23000000 01000000 00000040 0000803f",
                "23000000 02000000 0000003f 0000803f 0000003f 0000803f",
                "20000000 02000000 0000003f 0000803f",
            ],
        ),
        (
            "24000000 01000000 0000003f 0000803f 00000040",
            &[
                "24000000 01000000 0000003f 0000803f 0000803f",
                "24000000 00000000",
            ],
        ),
        (
            "26000000 01000000 0000003f 0000803f 00000040 00004040",
            &[
                "26000000 01000000 0000003f 0000803f 00000040 00000040",
                "26000000 00000000",
                "25000000 01000000 0000003f 0000803f 00000040 00004040",
            ],
        ),
        (
            "25000000 01000000 0000003f 0000803f 00000040 00004040",
            &[
                "25000000 01000000 0000003f 0000803f 00000040 00000040",
                "25000000 00000000",
            ],
        ),
        (
            "1d000000 02000000 01020000",
            &["1d000000 02000000 01030000", "1d000000 03000000 01020000"],
        ),
    ] {
        assert_eq!(found(key, key), Some(7), "{key}");
        for other in others {
            assert_eq!(found(key, other), None, "{key} {other}");
            assert_eq!(found(other, key), None, "{other} {key}");
        }
    }
    // String and StringName are equal in Godot 4; Int, Float and Bool are not.
    let (text, name) = ("04000000 01000000 61000000", "15000000 01000000 61000000");
    assert_eq!((found(text, name), found(name, text)), (Some(7), Some(7)));
    let numbers = [
        "02000000 01000000",
        "03000000 0000803f",
        "01000000 01000000",
    ];
    for a in numbers {
        for b in numbers {
            assert_eq!(found(a, b), (a == b).then_some(7), "{a} {b}");
        }
    }
    // 0.0 equals −0.0.
    assert_eq!(found("03000000 00000000", "03000000 00000080"), Some(7));
}
