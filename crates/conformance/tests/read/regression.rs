//! Bytes on which the project once disagreed with an engine, and what the engine makes of them.

use gdvar::{
    Dialect, Document, ErrorKind, Objects, ReadOptions, Variant,
    error::NonCanonical,
    write::{Loss, Precision, Target, Writer, transcode},
};
use gdvar_conformance::vectors::{hex, unhex};

/// The value in canonical form for another or the same engine, and whether anything was lost.
fn again(bytes: &str, from: Dialect, to: Dialect) -> (String, bool) {
    let bytes = unhex(bytes);
    let mut writer = Writer::new(Vec::new(), Target::from(to));
    let report = transcode(Document::new(&bytes, from), &mut writer).expect("readable");
    (
        hex(&writer.finish().expect("a whole value")),
        report.is_empty(),
    )
}

#[test]
fn keys_are_equal_whatever_ignored_bits_their_headers_have() {
    // {null: null, null: null}, the first key with an undefined flag.
    for (dialect, dict) in [(Dialect::GODOT_4, "1b"), (Dialect::GODOT_3, "12")] {
        let bytes = format!("{dict}0000000200000000000100000000000000020000000000");
        let (written, _) = again(&bytes, dialect, dialect);
        assert_eq!(
            written,
            format!("{dict}00000001000000{}", "00".repeat(8)),
            "{dialect}"
        );
    }
    // Strict mode refuses the bits before it can come to the repetition.
    let same = unhex("1b0000000200000000000000000000000000000000000000");
    let error = Document::new(&same, Dialect::GODOT_4)
        .strict()
        .validate()
        .expect_err("repeated");
    assert_eq!(error.kind(), ErrorKind::DuplicateKey);
}

#[test]
fn overlong_text_of_godot_3_is_the_character_it_stands_for() {
    // U+00AC in three bytes.
    let bytes = "0400000003000000e082ac00";
    let canonical = "0400000002000000c2ac0000".to_owned();
    assert_eq!(
        again(bytes, Dialect::GODOT_3, Dialect::GODOT_3),
        (canonical.clone(), true)
    );
    assert_eq!(
        again(bytes, Dialect::GODOT_3, Dialect::GODOT_4),
        (canonical, true)
    );
}

#[test]
fn a_script_type_without_a_path_is_what_the_engine_makes_of_it() {
    // Array[script ""]([]), read without leave for objects.
    let (written, _) = again(
        "1c0003000000000000000000",
        Dialect::GODOT_4,
        Dialect::GODOT_4,
    );
    let class = hex(b"EncodedObjectAsID\0\0\0");
    assert_eq!(written, format!("1c00020011000000{class}00000000"));
}

#[test]
fn joined_surrogates_are_reported() {
    // U+D83D U+DE00, as Godot 3 writes them: one character to the others.
    let bytes = "0400000006000000eda0bdedb8800000";
    let (written, lossless) = again(bytes, Dialect::GODOT_3, Dialect::GODOT_4);
    assert_eq!(written, format!("0400000004000000{}", hex("😀".as_bytes())));
    assert!(!lossless);
    let same = (bytes.to_owned(), true);
    assert_eq!(again(bytes, Dialect::GODOT_3, Dialect::GODOT_3), same);
}

#[test]
fn arrays_with_a_nan_are_one_key_in_godot_3_and_two_in_godot_4() {
    // {[nan]: 1, [nan with a payload]: 2}, and what each engine writes after reading it.
    let keys = |dict: &str, array: &str| {
        let key = |nan, value| format!("{array}0000000100000003000000{nan}02000000{value}");
        let keys = key("0000c07f", "01000000") + &key("0100c0ff", "02000000");
        format!("{dict}00000002000000{keys}")
    };
    let first = "03000100000000000000f87f";
    let one = format!("12000000010000001300000001000000{first}0200000002000000");
    let (written, _) = again(&keys("12", "13"), Dialect::GODOT_3, Dialect::GODOT_3);
    assert_eq!(written, one);
    let second = "03000100000000200000f8ff";
    let two = format!(
        "1b000000020000001c00000001000000{first}02000000010000001c00000001000000{second}0200000002000000"
    );
    let (written, _) = again(&keys("1b", "1c"), Dialect::GODOT_4, Dialect::GODOT_4);
    assert_eq!(written, two);
}

#[test]
fn dictionaries_with_a_nan_for_a_key_are_one_key_in_godot_4_and_with_one_for_a_value_two() {
    // {{nan: 1}: 1, {nan: 1}: 2} and {{1: nan}: 1, {1: nan}: 2}, and what Godot 4.6.3 writes.
    let (one, two, nan) = ("0200000001000000", "0200000002000000", "030000000000c07f");
    let wide = "03000100000000000000f87f";
    let dict = |key: &str, value: &str| format!("1b00000001000000{key}{value}");
    let pairs = |inner: &str| format!("1b00000002000000{inner}{one}{inner}{two}");
    let engine_4 = |bytes: &str| again(bytes, Dialect::GODOT_4, Dialect::GODOT_4).0;
    let merged = format!("1b00000001000000{}{two}", dict(wide, one));
    assert_eq!(engine_4(&pairs(&dict(nan, one))), merged);
    assert_eq!(engine_4(&pairs(&dict(one, nan))), pairs(&dict(one, wide)));
}

#[test]
fn an_owned_text_is_what_the_engine_reads_not_how_it_was_spelt() {
    // U+07FF in three bytes instead of two, alone and before a surrogate.
    for (bytes, expected) in [
        ("0400000003000000e09fbf00", "0400000002000000dfbf0000"),
        (
            "0400000006000000e09fbfeda0800000",
            "0400000005000000dfbfeda080000000",
        ),
    ] {
        for dialect in [Dialect::GODOT_3, Dialect::GODOT_2] {
            let tree = Variant::from_slice(&unhex(bytes), dialect).expect("readable");
            let written = tree.to_vec(dialect).expect("the same text");
            assert_eq!(hex(&written), expected, "{dialect}");
            assert_eq!(again(bytes, dialect, dialect), (expected.to_owned(), true));
        }
    }
    let short = Variant::from_slice(&unhex("0400000002000000dfbf0000"), Dialect::GODOT_3);
    let long = Variant::from_slice(&unhex("0400000003000000e09fbf00"), Dialect::GODOT_3);
    assert_eq!(short, long);
}

#[test]
fn an_element_type_that_is_no_type_is_not_dropped_in_silence() {
    // A PackedTypedArray of type number 227, which the engine does not check.
    let typed = "1c000000e300000000000000";
    let expected = ("1c0000000000000000000000".to_owned(), false);
    let dialect = Dialect::PANDEMONIUM_5;
    assert_eq!(again(typed, dialect, dialect), expected);
}

#[test]
fn only_godot_4_has_wide_vectors_without_a_flag() {
    // A Vector4 of single precision, with an option that other dialects do not know.
    let vector = unhex("0b0000000000803f000000400000404000008040");
    let options = ReadOptions::new(Dialect::PANDEMONIUM_5).with_unflagged_vector4_is_f64(true);
    let root = Document::with_options(&vector, options).root();
    let vector = root.expect("valid").as_vector4().expect("a vector");
    assert_eq!(<[f32; 4]>::from(vector), [1.0, 2.0, 3.0, 4.0]);
}

#[test]
fn the_document_leaves_no_padding_of_node_paths_unset() {
    // NodePath("."), its padding not zero: engines leave it unset, of this dialect there is none.
    let path = unhex("0f000000010000800000000000000000010000002e000050");
    let strictly = |dialect| Document::new(&path, dialect).strict().validate();
    assert_eq!(strictly(Dialect::GODOT_3), Ok(path.len()));
    let error = strictly(Dialect::GODOT_4_DOCS).expect_err("refused");
    assert_eq!(error.kind(), ErrorKind::NonZeroPadding);
}

#[test]
fn the_class_name_of_a_typed_array_is_a_value_with_a_header_to_check() {
    // A TypedArray of Node; the header of the StringName has bits that mean nothing.
    let array = unhex("1b000000170000001800f700040000004e6f646500000000");
    let document = Document::new(&array, Dialect::PANDEMONIUM_5);
    assert_eq!(document.validate(), Ok(array.len()));
    let error = document.strict().validate().expect_err("refused");
    assert_eq!((error.kind().name(), error.offset()), ("ReservedBits", 8));
}

#[test]
fn rounded_vectors_of_packed_arrays_are_reported() {
    // [Vector2(0.1, 0)] and [Vector4(0.1, 0, 0, 0)] of a double build of Godot 4.
    for (header, rest) in [("23000100", 8), ("26000100", 24)] {
        let bytes = format!("{header}010000009a9999999999b93f{}", "00".repeat(rest));
        let bytes = unhex(&bytes);
        let older = Target::GODOT_4.with_minor(2);
        for target in [
            Target::GODOT_3,
            Target::PANDEMONIUM_5,
            Target::GODOT_4,
            older,
        ] {
            let mut writer = Writer::new(Vec::new(), target.with_precision(Precision::Single));
            let document = Document::new(&bytes, Dialect::GODOT_4);
            let report = transcode(document, &mut writer).expect("readable");
            let rounded = report
                .entries()
                .iter()
                .any(|entry| entry.loss == Loss::Rounded);
            // Godot 3 has no Vector4: its components are floats of 64 bits.
            let has_vector = rest == 8 || target != Target::GODOT_3;
            assert_eq!(rounded, has_vector, "{header} {target:?}");
        }
        let mut writer = Writer::new(
            Vec::new(),
            Target::PANDEMONIUM_3.with_precision(Precision::AsGiven),
        );
        let report = transcode(Document::new(&bytes, Dialect::GODOT_4), &mut writer);
        assert!(!report.expect("readable").is_empty(), "{header}");
    }
}

#[test]
fn a_mark_inside_an_old_node_path_is_a_character() {
    // Godot 2 reads the whole text, without the mark in front of it, and takes that apart
    // (docs/FORMAT.md §4.5).
    let text = "\u{feff}/\u{feff}a/b:\u{feff}c";
    let mut bytes = unhex("10000000");
    bytes.extend((text.len() as u32).to_le_bytes());
    bytes.extend(text.as_bytes());
    let root = Document::new(&bytes, Dialect::GODOT_2).root();
    let path = root.expect("readable").as_node_path().expect("a path");
    assert!(path.is_absolute());
    assert_eq!((path.name_count(), path.subname_count()), (2, 1));
    let parts = path.parts().map(|part| part.expect("readable"));
    let parts: Vec<_> = parts
        .map(|part| (part.to_str().expect("text"), part.offset()))
        .collect();
    assert_eq!(parts, [("\u{feff}a", 12), ("b", 17), ("\u{feff}c", 19)]);
    let first = path.names().next().expect("a name").expect("readable");
    assert!(first == "\u{feff}a" && first != "a");
    assert_eq!(first.codes().collect::<Vec<_>>(), [0xfeff, 0x61]);
}

#[test]
fn a_class_without_a_name_is_the_type_object() {
    // Godot 4.6.3 makes the second of the first, with full objects (docs/FORMAT.md §4.3).
    for [named, written] in [
        ["1c0002000000000000000000", "1c0001001800000000000000"],
        ["1b00080000000000000000", "1b0004001800000000000000"],
    ] {
        let named = format!("{named:0<24}");
        let dialect = Dialect::GODOT_4;
        assert_eq!(again(&named, dialect, dialect), (written.into(), true));
        let bytes = unhex(&named);
        let strict = Document::new(&bytes, dialect).strict().validate();
        let error = strict.expect_err("not as the engine writes it");
        let what = NonCanonical::EmptyClassName;
        assert_eq!(
            (error.kind(), error.offset()),
            (ErrorKind::NonCanonical(what), 4)
        );
        let bytes = unhex(written);
        assert!(Document::new(&bytes, dialect).strict().validate().is_ok());
    }
}

#[test]
fn what_conversion_drops_from_classes_and_shared_containers_is_reported() {
    let losses = |bytes: &str, from, to| {
        let bytes = unhex(bytes);
        let options = ReadOptions::new(from).with_objects(Objects::Inert);
        let mut writer = Writer::new(Vec::new(), Target::from(to));
        let report = transcode(Document::with_options(&bytes, options), &mut writer);
        let losses = report.expect("readable");
        let losses: Vec<_> = losses
            .entries()
            .iter()
            .map(|reported| reported.loss)
            .collect();
        (hex(&writer.finish().expect("a whole value")), losses)
    };
    // A class with a surrogate, which Godot 3 reads, as text that only UTF-8 can stand for.
    let object = "110000000600000073eda080060200000000000000";
    let (written, lost) = losses(object, Dialect::GODOT_3, Dialect::GODOT_3);
    assert_eq!(written, "110000000600000073efbfbd0602000000000000");
    assert_eq!(lost, [Loss::TextReplaced]);
    // A typed array of Godot 4 with bit 31 in its count, which Godot 2 alone gives a meaning.
    let typed = "1c000100020000000000008000000000";
    let (written, lost) = losses(typed, Dialect::GODOT_4, Dialect::GODOT_2);
    assert_eq!(written, "1500000000000080");
    assert_eq!(lost, [Loss::TypeDropped]);
    let typed = "1b00010002000000000000800000000000";
    let (written, lost) = losses(typed, Dialect::GODOT_4, Dialect::GODOT_2);
    assert_eq!(written, "1400000000000080");
    assert_eq!(lost, [Loss::TypeDropped]);
}

#[test]
fn a_script_that_is_an_array_is_written_as_other_arrays() {
    // {class "A", script: [true]}, with a Bool of 256, which an engine writes as 1.
    let object =
        "1400000001000000410000000100000006000000736372697074000017000000010000000100000000010000";
    let bytes = unhex(object);
    let options = ReadOptions::new(Dialect::PANDEMONIUM_3).with_objects(Objects::Inert);
    let mut writer = Writer::new(Vec::new(), Target::from(Dialect::PANDEMONIUM_3));
    let document = Document::with_options(&bytes, options);
    let report = transcode(document, &mut writer).expect("readable");
    assert!(report.is_empty());
    let written = hex(&writer.finish().expect("a whole value"));
    let in_order = object
        .strip_suffix("00010000")
        .map(|all| format!("{all}01000000"));
    assert_eq!(Some(written), in_order);
}

#[test]
fn bytes_after_a_value_are_refused_unless_a_prefix_is_read() {
    // 7, and what another value would begin with.
    let bytes = unhex("020000000700000002000000");
    let options = ReadOptions::new(Dialect::GODOT_4);
    for options in [options, options.strict()] {
        let error = Variant::from_slice_with(&bytes, options).unwrap_err();
        assert_eq!(error.kind(), ErrorKind::TrailingBytes { count: 4 });
        assert_eq!(error.offset(), 8);
        let read = Variant::from_slice_with(&bytes[..8], options);
        assert_eq!(read, Ok(Variant::Int(7)));
        let read = Variant::from_prefix(&bytes, options);
        assert_eq!(read, Ok((Variant::Int(7), &bytes[8..])));
    }
}

/// Names of properties in Godot 3 may hold lone surrogates, as all its texts: `a` and U+D800.
#[test]
fn names_of_properties_that_are_not_utf_8_go_through_serde() {
    let bytes = unhex("11000000040000004e6f6465010000000400000061eda0800200000007000000");
    let options = ReadOptions::new(Dialect::GODOT_3).with_objects(Objects::Inert);
    let read = Variant::from_slice_with(&bytes, options).expect("in order");
    let target = Target::from(Dialect::GODOT_3);
    assert_eq!(read.to_vec(target).as_ref(), Ok(&bytes));
    assert_eq!(
        gdvar::serde::to_vec_with(&read, target).expect("the name is text"),
        bytes
    );
    // Godot 4 reads no such text, and bytes are not a name.
    assert!(gdvar::serde::to_vec_with(&read, Target::GODOT_4).is_err());
}

/// Asked of Godot 4.6.3: an object without an id is a RID in an array of RIDs, and in keys of a typed Dictionary, where
/// a null would be dropped.
#[test]
fn a_null_object_among_rids_is_a_rid() {
    let rid = "170000000000000000000000";
    let object = "180001000000000000000000";
    let null = "00000000";
    for (from, to) in [
        // Array[RID], one of nulls among them, and arrays in it.
        (
            format!("1c0001001700000001000000{object}"),
            format!("1c0001001700000001000000{rid}"),
        ),
        (
            format!("1c0001001700000002000000{object}{rid}"),
            format!("1c0001001700000002000000{rid}{rid}"),
        ),
        (
            format!("1c000000020000001c0001001700000001000000{object}{object}"),
            format!("1c000000020000001c0001001700000001000000{rid}{null}"),
        ),
        // Dictionary[RID, RID]: the engine does not look at the values.
        (
            format!("1b000500170000001700000001000000{object}{object}"),
            format!("1b000500170000001700000001000000{rid}{null}"),
        ),
    ] {
        assert_eq!(
            again(&from, Dialect::GODOT_4, Dialect::GODOT_4),
            (to, false),
            "{from}"
        );
    }
}

/// Printed by Godot 4.6.3: in a Dictionary of String keys, NodePaths of different names and equal text are one key.
#[test]
fn node_paths_of_equal_text_are_one_key_among_strings() {
    let path = |names: &[&str], subnames: &[&str], absolute: u32| {
        let mut all = vec![
            22,
            names.len() as u32 | 1 << 31,
            subnames.len() as u32,
            absolute,
        ]
        .into_iter()
        .flat_map(u32::to_le_bytes)
        .collect::<Vec<u8>>();
        for name in names.iter().chain(subnames) {
            all.extend((name.len() as u32).to_le_bytes());
            all.extend(name.as_bytes());
            all.resize(all.len().next_multiple_of(4), 0);
        }
        all
    };
    let keys = [
        path(&["a", "b"], &[], 0),
        path(&["a/b"], &[], 0),
        path(&["a"], &["b"], 0),
        path(&["a:b"], &[], 0),
        path(&[], &["a:b"], 0),
        path(&["a"], &[], 1),
        path(&["/a"], &[], 0),
        path(&[], &[], 1),
        path(&["\u{feff}a"], &[], 0),
        path(&[], &[], 0),
        path(&["a"], &[], 0),
    ];
    let mut bytes = unhex("1b000100040000000b000000");
    for (n, key) in (0_u32..).zip(&keys) {
        bytes.extend(key);
        bytes.extend([2_u32, n].into_iter().flat_map(u32::to_le_bytes));
    }
    let document = Document::new(&bytes, Dialect::GODOT_4);
    let mut text = String::new();
    let root = document.root().expect("readable");
    gdvar_text::write_godot(&mut text, root, gdvar_text::Notation::Godot4).expect("readable");
    let text: String = text.split_whitespace().collect::<Vec<_>>().join(" ");
    let printed = r#"Dictionary[String, Variant]({ "": 9, "/": 7, "/a": 6, ":a:b": 4, "a": 10, "a/b": 1, "a:b": 3 })"#;
    assert_eq!(text, printed);
}
