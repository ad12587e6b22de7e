//! A key that a Dictionary has twice is found, also if its bytes differ (`docs/FORMAT.md` §6, row 22): it cannot be
//! removed alone, because the value of the other pair would appear.

use gdvar_edit::{Dialect, Document, Edit, EditErrorKind};

/// An Array of one element.
fn array(element: &[u8]) -> Vec<u8> {
    [&[28, 0, 0, 0, 1, 0, 0, 0], element].concat()
}

#[test]
fn a_repeated_key_is_not_removed_alone() {
    let (narrow, wide) = (0.5_f32.to_le_bytes(), 0.5_f64.to_le_bytes());
    let int = [2, 0, 0, 0, 1, 0, 0, 0];
    let wide_int = [2, 0, 1, 0, 1, 0, 0, 0, 0, 0, 0, 0];
    let vectors = [&[35, 0, 0, 0, 1, 0, 0, 0], &narrow[..], &narrow].concat();
    let wide_vectors = [&[35, 0, 1, 0, 1, 0, 0, 0], &wide[..], &wide].concat();
    let path = b"\x16\0\0\0\x01\0\0\x80\0\0\0\0\0\0\0\0\x01\0\0\0a\0\0\0";
    let other_path = b"\x16\0\0\0\x01\0\0\x80\0\0\0\0\0\0\0\0\x01\0\0\0b\0\0\0";
    let absolute = b"\x16\0\0\0\x01\0\0\x80\0\0\0\0\x01\0\0\0\x01\0\0\0a\0\0\0";
    let nan = [3, 0, 0, 0, 0, 0, 0xc0, 0x7f];
    for (what, first, second, is_one) in [
        ("the width of an int", array(&int), array(&wide_int), true),
        ("the width of a vector", vectors, wide_vectors, true),
        (
            "the sign of zero",
            array(&[3, 0, 0, 0, 0, 0, 0, 0]),
            array(&[3, 0, 0, 0, 0, 0, 0, 0x80]),
            true,
        ),
        ("one path", path.to_vec(), path.to_vec(), true),
        ("two paths", path.to_vec(), other_path.to_vec(), false),
        ("an absolute path", path.to_vec(), absolute.to_vec(), false),
        (
            "two ints",
            array(&int),
            array(&[2, 0, 0, 0, 2, 0, 0, 0]),
            false,
        ),
        (
            "a String and a StringName",
            array(b"\x04\0\0\0\x01\0\0\0a\0\0\0"),
            array(b"\x15\0\0\0\x01\0\0\0a\0\0\0"),
            false,
        ),
        ("NaN in an Array", array(&nan), array(&nan), false),
    ] {
        let null = [0; 4];
        let save = [
            &[27, 0, 0, 0, 2, 0, 0, 0],
            &first[..],
            &null,
            &second,
            &null,
        ]
        .concat();
        for pair in ["{0}", "{1}"] {
            let mut edit = Edit::new(Document::new(&save, Dialect::GODOT_4));
            edit.remove(pair);
            let refused = edit.plan().err().map(|error| error.kind());
            let expected = is_one.then_some(EditErrorKind::RepeatedKey);
            assert_eq!(refused, expected, "{what}: {pair}");
        }
    }
}
