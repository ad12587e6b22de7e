//! What handles report about a value: counts, ends, paths, and their `Debug` output. The bytes
//! follow docs/FORMAT.md.

use gdvar::{
    Dialect, Document, FromVariant, Kind, Objects, ReadOptions, Record, VariantRef,
    error::GetError,
    index::Index,
    record::{Fields, Key, Mismatch, MismatchKind},
    values::{ElementType, Real},
    walk::Event,
};
use gdvar_conformance::vectors::unhex;

fn document(bytes: &[u8]) -> Document<'_> {
    Document::with_options(
        bytes,
        ReadOptions::new(Dialect::GODOT_4).with_objects(Objects::Inert),
    )
}

fn bytes(hex: &str) -> Vec<u8> {
    unhex(&hex.replace(' ', ""))
}

fn root(bytes: &[u8]) -> VariantRef<'_> {
    document(bytes).root().expect("a value")
}

/// §9, example 41: {"name":"Ann","hp":100,"pos":Vector2(1.5,-2),"inv":["sword",3],"alive":true}.
const SAVE: &str = "1b000000 05000000 04000000 04000000 6e616d65 04000000 03000000 416e6e00 04000000 02000000 68700000 02000000 64000000 04000000 03000000 706f7300 05000000 0000c03f 000000c0 04000000 03000000 696e7600 1c000000 02000000 04000000 05000000 73776f72 64000000 02000000 03000000 04000000 05000000 616c6976 65000000 01000000 01000000";
/// §4.4: RefCounted with the properties script = null and b = "x".
const OBJECT: &str = "18000000 0a000000 52656643 6f756e74 65640000 02000000 06000000 73637269 70740000 00000000 01000000 62000000 04000000 01000000 78000000";

#[test]
fn containers_tell_whether_they_are_empty() {
    let save = bytes(SAVE);
    let dict = root(&save).as_dict().expect("a dictionary");
    assert_eq!((dict.len(), dict.is_empty()), (5, false));
    let items = dict.get("inv").expect("in order").expect("it is there");
    let items = items.as_array().expect("an array");
    assert_eq!((items.len(), items.is_empty()), (2, false));
    let kinds: Result<Vec<Kind>, _> = items
        .into_iter()
        .map(|item| item.map(|item| item.kind()))
        .collect();
    assert_eq!(kinds, Ok(vec![Kind::String, Kind::Int]));
    let keys: Vec<_> = dict
        .into_iter()
        .map(|pair| pair.expect("in order").0.as_str())
        .collect();
    let names = ["name", "hp", "pos", "inv", "alive"];
    assert_eq!(keys, names.map(Some));
    let object = bytes(OBJECT);
    let object = root(&object).as_object().expect("an object");
    assert_eq!((object.len(), object.is_empty()), (2, false));
    let names: Vec<String> = object
        .into_iter()
        .map(|property| {
            property
                .expect("in order")
                .0
                .to_str()
                .expect("UTF-8")
                .to_owned()
        })
        .collect();
    assert_eq!(names, ["script", "b"]);
    for (empty, name) in [
        ("1c000000 00000000", "array"),
        ("1b000000 00000000", "dict"),
    ] {
        let bytes = bytes(empty);
        let value = root(&bytes);
        let array = value.as_array().map(|array| array.is_empty());
        let dict = value.as_dict().map(|dict| dict.is_empty());
        assert_eq!(array.or(dict), Some(true), "{name}");
    }
    // An object that is stored as an id has no properties.
    let id = bytes("18000100 07000000 00000000");
    let object = root(&id).as_object().expect("an object");
    assert_eq!((object.id(), object.is_empty()), (Some(7), true));
}

#[test]
fn packed_arrays_are_read_from_either_end() {
    let array = bytes("1e000000 03000000 01000000 feffffff 03000000");
    let ints = root(&array).as_i32s().expect("a PackedInt32Array");
    assert_eq!((ints.len(), ints.is_empty()), (3, false));
    assert_eq!((ints.get(1), ints.get(3)), (Some(-2), None));
    assert_eq!(ints.iter().rev().collect::<Vec<_>>(), [3, -2, 1]);
    let mut ends = ints.iter();
    assert_eq!(
        (ends.next_back(), ends.next(), ends.len()),
        (Some(3), Some(1), 1)
    );
    assert_eq!(format!("{ints:?}"), "[1, -2, 3]");
    let mut into = [9; 3];
    assert_eq!(ints.copy_to(&mut into), Some(()));
    assert_eq!(into, [1, -2, 3]);
    for wrong in [2, 4] {
        let mut into = vec![9; wrong];
        assert_eq!(ints.copy_to(&mut into), None);
        assert!(into.iter().all(|int| *int == 9), "nothing is copied");
    }
    let again = Clone::clone(&ints);
    assert_eq!(again.as_bytes(), &array[8..]);
    let empty = bytes("1e000000 00000000");
    assert!(root(&empty).as_i32s().expect("one of none").is_empty());
    let texts = bytes("22000000 01000000 04000000 61626300");
    let texts = root(&texts).as_strings().expect("a PackedStringArray");
    assert_eq!((texts.len(), texts.is_empty()), (1, false));
    let none = bytes("22000000 00000000");
    assert!(root(&none).as_strings().expect("one of none").is_empty());

    // As a native slice wherever the address allows: of four bytes it does at every other word.
    for at in 0..4 {
        let mut moved = vec![0; at];
        moved.extend(&array);
        let value = root(&moved[at..]);
        let slice = <&[i32]>::from_variant(value);
        let address = moved[at + 8..].as_ptr() as usize;
        if address % 4 == 0 && cfg!(target_endian = "little") {
            assert_eq!(slice, Ok(&[1, -2, 3][..]));
        } else {
            let wrong = slice.expect_err("not aligned").kind();
            assert_eq!(wrong, MismatchKind::Misaligned);
        }
        let wrong = <&[f32]>::from_variant(value).expect_err("ints").kind();
        let (expected, found) = (Kind::PackedFloat32Array, Kind::PackedInt32Array);
        assert_eq!(wrong, MismatchKind::WrongKind { expected, found });
        // Copied, from any address.
        assert_eq!(value.read::<Vec<i32>>(), Ok(vec![1, -2, 3]));
    }
}

#[test]
fn a_path_leads_to_a_value_or_says_why_not() {
    let save = bytes(SAVE);
    let document = document(&save);
    assert_eq!(document.get_as::<i64>("hp"), Ok(Some(100)));
    assert_eq!(document.get_as::<&str>("inv[0]"), Ok(Some("sword")));
    let error = document.get_as::<&str>("hp").expect_err("an int");
    let text = "expected String, found Int at byte ";
    assert!(error.to_string().starts_with(text), "{error}");
    assert_eq!(document.get_as::<i64>("mp"), Ok(None));
    let error = document.get("inv[").expect_err("no path");
    let GetError::Path(path) = error else {
        panic!("{error:?}");
    };
    assert_eq!(error.to_string(), path.to_string());
    assert!(
        error
            .to_string()
            .starts_with("this is not a path from byte ")
    );
    // Cut off in the last value.
    let short = Document::new(&save[..save.len() - 4], Dialect::GODOT_4);
    let error = short.get_as::<bool>("alive").expect_err("cut off");
    let GetError::Read(read) = error else {
        panic!("{error:?}");
    };
    assert_eq!(read.offset(), save.len() - 4);
    assert_eq!(error.to_string(), read.to_string());
    assert!(read.is_truncated());
}

/// An object too large to be walked, so that the index knows its properties.
#[test]
fn properties_of_large_objects_are_found_by_the_index() {
    let mut large = bytes("18000000 01000000 41000000 28000000");
    for n in 0..40_u8 {
        // Names of two letters, the last of them twice; values 0 to 39.
        let n = n.min(38);
        large.extend([2, 0, 0, 0, b'a' + n / 10, b'a' + n % 10, 0, 0]);
        large.extend([2, 0, 0, 0]);
        large.extend((large.len() as u32).to_le_bytes());
    }
    let document = document(&large);
    let index = Index::build(document).expect("in order");
    assert_eq!(
        format!("{index:?}"),
        format!("Index {{ bytes: {}, slots: 82, .. }}", large.len())
    );
    let object = index.open(document).expect("its own document");
    let object = object.as_object().expect("an object");
    let plain = root(&large).as_object().expect("an object");
    for name in ["aa", "ab", "ci", "dh", "di", "dj", "a", ""] {
        let found = object.get(name);
        let expected = plain.get(name).expect("in order");
        let place = |value: VariantRef<'_>| value.offset();
        assert_eq!(
            found.map(|value| place(*value)),
            expected.map(place),
            "{name}"
        );
    }
    // The last of repeated names wins: "di" is the 39th and the 40th.
    let last = object.get("di").expect("it is there");
    assert_eq!(last.offset(), large.len() - 8);
    assert_eq!(object.into_iter().count(), 40);
    let names: Vec<String> = object
        .into_iter()
        .take(2)
        .map(|(name, _)| name.to_str().expect("UTF-8").to_owned())
        .collect();
    assert_eq!(names, ["aa", "ab"]);

    let small = bytes(OBJECT);
    let document = self::document(&small);
    let index = Index::build(document).expect("in order");
    let object = index.open(document).expect("its own document");
    let object = object.as_object().expect("an object");
    let b = object.get("b").expect("it is there");
    assert_eq!(b.as_str(), Some("x"));
    assert!(object.get("c").is_none());
    assert_eq!(object.into_iter().count(), 2);
    let save = bytes(SAVE);
    let document = self::document(&save);
    let index = Index::build(document).expect("in order");
    let dict = index.open(document).expect("its own document");
    let dict = dict.as_dict().expect("a dictionary");
    let key = bytes("04000000 02000000 68700000");
    let hp = dict.get_value(root(&key));
    assert_eq!(hp.and_then(|hp| hp.as_i64()), Some(100));
    assert!(dict.get_value(root(&save)).is_none());
}

#[test]
fn types_of_containers_admit_their_own() {
    let types = [
        // An Array[Node], one of a script, one of ints, and one without a type.
        ("1c000200 04000000 4e6f6465 00000000", [true, true, false]),
        (
            "1c000300 07000000 7265733a 2f2f6100 00000000",
            [true, true, false],
        ),
        // Number 24 is Object (§4.3).
        ("1c000100 18000000 00000000", [true, true, false]),
        ("1c000100 02000000 00000000", [false, false, true]),
        ("1c000000 00000000", [true, true, true]),
    ];
    for (array, expected) in types {
        let bytes = bytes(array);
        let element = root(&bytes).as_array().expect("an array").element_type();
        let found = [Kind::Object, Kind::Nil, Kind::Int].map(|kind| element.admits(kind));
        assert_eq!(found, expected, "{array}");
    }
    let string = ElementType::Builtin(gdvar::write::wire::TypeId(4), Some(Kind::String));
    assert!(string.admits(Kind::String) && !string.admits(Kind::StringName));
    let unknown = ElementType::Builtin(gdvar::write::wire::TypeId(200), None);
    assert!(!unknown.admits(Kind::Nil));
}

/// §4.5: flag bit 1 sets a property apart.
#[test]
fn the_property_of_a_node_path_is_told() {
    for (flags, has, count) in [
        ("00", false, 1),
        ("01", false, 1),
        ("02", true, 2),
        ("03", true, 2),
    ] {
        let path = format!(
            "10000000 01000080 01000000 {flags}000000 01000000 41000000 01000000 62000000 01000000 63000000"
        );
        let bytes = bytes(&path);
        let value = Document::new(&bytes, Dialect::GODOT_2)
            .root()
            .expect("a path");
        let path = value.as_node_path().expect("a path");
        assert_eq!(path.has_property_flag(), has, "{flags}");
        assert_eq!((path.name_count(), path.subname_count()), (1, count));
        assert_eq!(path.is_absolute(), flags == "01" || flags == "03");
    }
}

#[test]
fn logs_show_where_a_walk_is() {
    let save = bytes(SAVE);
    let mut events = document(&save).events();
    assert_eq!(format!("{events:?}"), "Events { position: 0, open: 0, .. }");
    assert!(matches!(events.try_next(), Ok(Some(Event::Begin(_)))));
    assert_eq!(format!("{events:?}"), "Events { position: 8, open: 1, .. }");
    let options = ReadOptions::from(Dialect::GODOT_3);
    assert_eq!(
        format!("{options:?}"),
        "ReadOptions { dialect: Dialect(godot3), mode: Engine, objects: Ids, max_depth: 1024 }"
    );
    let options = ReadOptions::new(Dialect::GODOT_4)
        .strict()
        .with_objects(Objects::Deny)
        .with_early_godot_3(true)
        .with_ints_always_64(true)
        .with_zero_node_path_padding(true)
        .with_unflagged_vector4_is_f64(true)
        .without_shortcuts(true);
    assert_eq!(
        format!("{options:?}"),
        "ReadOptions { dialect: Dialect(godot4), mode: Strict, objects: Deny, max_depth: 1024, \
         early_godot_3: true, ints_always_64: true, zero_node_path_padding: true, \
         unflagged_vector4_is_f64: true, without_shortcuts: true }"
    );
}

/// §2: null, an int, a float.
#[test]
fn null_is_a_value_of_an_option() {
    for (hex, expected) in [
        ("00000000", Ok(None)),
        ("02000000 07000000", Ok(Some(7))),
        ("03000000 0000c03f", Err(())),
    ] {
        let bytes = bytes(hex);
        let found = <Option<i32>>::from_variant(root(&bytes));
        assert_eq!(found.map_err(|_| ()), expected, "{hex}");
    }
}

/// Lengths around those that are compared in words.
const NAMES: [&str; 7] = [
    "",
    "a",
    "abcd",
    "abcdefgh",
    "abcdefghijklmnopqrstuvw",
    "abcdefghijklmnopqrstuvwx",
    "abcdefghijklmnopqrstuvwxy",
];

/// The field of one of these names, if it is there.
#[derive(Clone, Copy, Debug, PartialEq)]
struct Named<const N: usize>(Option<i64>);

impl<'a, const N: usize> Record<'a> for Named<N> {
    const KEYS: &'static [Key] = &Key::all([NAMES[N]]);

    fn read(fields: &mut impl Fields<'a>) -> Result<Self, Mismatch> {
        Ok(Named(fields.next().ok()))
    }
}

fn every_byte_of_the_name_counts<const N: usize>() {
    let name = NAMES[N];
    for change in 0..=name.len() {
        // {name: 7}, alone and with bytes behind it; and with one letter changed.
        let mut text = name.as_bytes().to_vec();
        if let Some(letter) = text.get_mut(change) {
            *letter ^= 1;
        }
        let mut record = bytes("1b000000 01000000 04000000");
        record.extend((text.len() as u32).to_le_bytes());
        record.extend(&text);
        record.resize(record.len().next_multiple_of(4), 0);
        record.extend([2, 0, 0, 0, 7, 0, 0, 0]);
        let mut inside = bytes("1c000000 0a000000");
        inside.extend(&record);
        inside.extend([0; 36]);
        let expected = Named::<N>((change == name.len()).then_some(7));
        let found = root(&record).as_dict().expect("it is one").iter().read();
        assert_eq!(found, Ok(expected), "{name} {change}");
        let mut items = root(&inside).as_array().expect("it is one").iter();
        assert_eq!(items.next_record(), Some(Ok(expected)), "{name} {change}");
    }
}

#[test]
fn keys_are_compared_to_their_last_byte() {
    every_byte_of_the_name_counts::<0>();
    every_byte_of_the_name_counts::<1>();
    every_byte_of_the_name_counts::<2>();
    every_byte_of_the_name_counts::<3>();
    every_byte_of_the_name_counts::<4>();
    every_byte_of_the_name_counts::<5>();
    every_byte_of_the_name_counts::<6>();
}

#[test]
fn names_that_no_engine_reads_are_no_keys() {
    for bad in [
        "a\0b",
        "\0",
        "\u{feff}",
        "\u{feff}\u{feff}abc",
        "a name of more than 24 bytes\0",
    ] {
        let made = std::panic::catch_unwind(|| Key::all(std::hint::black_box([bad])));
        let panic = made.expect_err("no engine reads that as text");
        let text = panic.downcast_ref::<&str>().copied().unwrap_or_default();
        let expected = if bad.contains('\0') {
            "a key has a NUL"
        } else {
            "a key begins with a byte order mark"
        };
        assert_eq!(text, expected, "{bad:?}");
    }
}

/// Formats for people see the numbers of a packed array, and its type.
#[test]
fn packed_arrays_are_shown_to_people() {
    let json = |hex: &str| {
        let bytes = bytes(hex);
        let value = root(&bytes);
        let ints = value.as_i32s().map(|ints| serde_json::to_string(&ints));
        let longs = value.as_i64s().map(|longs| serde_json::to_string(&longs));
        let points = value.as_vector2s().map(|points| match points {
            Real::Single(points) => serde_json::to_string(&points),
            Real::Double(points) => serde_json::to_string(&points),
        });
        let colors = value
            .as_colors()
            .map(|colors| serde_json::to_string(&colors));
        let json = ints.or(longs).or(points).or(colors);
        json.expect(hex).expect("it is numbers")
    };
    assert_eq!(
        json("1e000000 02000000 01000000 feffffff"),
        r#"{"type":"PackedInt32Array","args":[1,-2]}"#
    );
    assert_eq!(
        json("1f000000 01000000 01000000 00000000"),
        r#"{"type":"PackedInt64Array","args":[1]}"#
    );
    assert_eq!(
        json("23000000 02000000 0000803f 00000040 00004040 00008040"),
        r#"{"type":"PackedVector2Array","args":[1.0,2.0,3.0,4.0]}"#
    );
    assert_eq!(
        json("23000100 01000000 9a999999 9999b93f 00000000 00000040"),
        r#"{"type":"PackedVector2Array","args":[0.1,2.0]}"#
    );
    assert_eq!(
        json("25000000 01000000 0000803e 0000003f 0000403f 0000803f"),
        r#"{"type":"PackedColorArray","args":[0.25,0.5,0.75,1.0]}"#
    );
}

#[test]
fn packed_arrays_are_equal_by_their_bytes() {
    let array = bytes("1e000000 03000000 01000000 feffffff 03000000");
    let same = bytes("1e000000 03000000 01000000 feffffff 03000000");
    let ints = root(&array).as_i32s().expect("a PackedInt32Array");
    assert!(ints == root(&same).as_i32s().expect("a PackedInt32Array"));
    for other in [
        "1e000000 03000000 01000000 feffffff 04000000",
        "1e000000 02000000 01000000 feffffff",
        "1e000000 00000000",
    ] {
        let other = bytes(other);
        assert!(ints != root(&other).as_i32s().expect("a PackedInt32Array"));
    }
    let mut items = ints.iter();
    for left in (0..=3).rev() {
        assert_eq!((items.len(), items.size_hint()), (left, (left, Some(left))));
        items.next();
    }
}

#[test]
fn numbers_of_either_sort_are_read_as_one() {
    let number = |hex: &str| root(&bytes(hex)).as_number();
    assert_eq!(number("02000000 07000000"), Some(7.0));
    assert_eq!(number("02000100 ffffffff ffffffff"), Some(-1.0));
    assert_eq!(number("03000000 0000c03f"), Some(1.5));
    assert_eq!(number("01000000 01000000"), None);
    assert_eq!(number("00000000"), None);
}
