//! Which keys are one key, where their types, their dialect or a NaN in them matter: docs/FORMAT.md §6, "Equal keys", and
//! §4.3 for typed containers.

use gdvar::{Dialect, Document, ErrorKind, Kind, VariantRef};

fn words(words: &[u32]) -> Vec<u8> {
    words.iter().flat_map(|word| word.to_le_bytes()).collect()
}

fn id(dialect: Dialect, kind: Kind) -> u32 {
    u32::from(dialect.type_id(kind).expect("a type").0)
}

const GODOT_4: Dialect = Dialect::GODOT_4;
const GODOT_3: Dialect = Dialect::GODOT_3;

/// {`first`: 1, `second`: 2}
fn pairs(dialect: Dialect, first: &[u8], second: &[u8]) -> Vec<u8> {
    let dict = words(&[id(dialect, Kind::Dictionary), 2]);
    let (one, two) = (words(&[2, 1]), words(&[2, 2]));
    [&dict[..], first, &one, second, &two].concat()
}

/// The values that the pairs of the Dictionary keep, as an engine would have them.
fn kept(dialect: Dialect, first: &[u8], second: &[u8]) -> Vec<i64> {
    let bytes = pairs(dialect, first, second);
    let root = Document::new(&bytes, dialect).root().expect("a dictionary");
    let distinct = root
        .as_dict()
        .expect("a dictionary")
        .distinct()
        .expect("in order");
    distinct
        .iter()
        .filter_map(|(_, value)| value.as_i64())
        .collect()
}

/// Returns `true` if a search for the second key finds the value under the first. Fails unless strict mode then also
/// takes the two for the same key. Keys that strict mode refuses for another reason, elements of a wrong type, are not
/// compared in this way.
#[track_caller]
fn are_one(dialect: Dialect, first: &[u8], second: &[u8]) -> bool {
    let dict = [
        &words(&[id(dialect, Kind::Dictionary), 1])[..],
        first,
        &words(&[2, 7]),
    ]
    .concat();
    let sought = Document::new(second, dialect).root().expect("a key");
    let root = Document::new(&dict, dialect).root().expect("a dictionary");
    let found = root
        .as_dict()
        .expect("a dictionary")
        .get_value(sought)
        .expect("in order");
    let both = pairs(dialect, first, second);
    let error = Document::new(&both, dialect).strict().validate().err();
    let is_repeated = match error.map(|error| error.kind()) {
        None => Some(false),
        Some(ErrorKind::DuplicateKey) => Some(true),
        Some(ErrorKind::ElementTypeMismatch) => None,
        other => panic!("{other:?}"),
    };
    let found = found.and_then(VariantRef::as_i64).is_some();
    assert_eq!(is_repeated.unwrap_or(found), found);
    found
}

/// An Array of ints, with the type Array[`of`] if one is given.
fn ints(of: Option<u32>, values: &[u32]) -> Vec<u8> {
    let mut all = match of {
        // Bits 16 and 17 say that a builtin type follows.
        Some(of) => words(&[id(GODOT_4, Kind::Array) | 1 << 16, of, values.len() as u32]),
        None => words(&[id(GODOT_4, Kind::Array), values.len() as u32]),
    };
    for &value in values {
        all.extend(words(&[2, value]));
    }
    all
}

/// A Dictionary of one pair, with these types of key and value if some are given.
fn dict(of: Option<(u32, u32)>, key: &[u8], value: &[u8]) -> Vec<u8> {
    let head = match of {
        Some((keys, values)) => words(&[
            id(GODOT_4, Kind::Dictionary) | 1 << 16 | 1 << 18,
            keys,
            values,
            1,
        ]),
        None => words(&[id(GODOT_4, Kind::Dictionary), 1]),
    };
    [&head[..], key, value].concat()
}

#[test]
fn types_of_containers_count_where_their_children_do_not_fit() {
    let (int, text) = (2, 4);
    assert!(are_one(GODOT_4, &ints(None, &[1, 2]), &ints(None, &[1, 2])));
    assert!(are_one(
        GODOT_4,
        &ints(Some(int), &[1, 2]),
        &ints(None, &[1, 2])
    ));
    assert!(are_one(GODOT_4, &ints(None, &[]), &ints(Some(text), &[])));
    assert!(!are_one(
        GODOT_4,
        &ints(Some(int), &[1, 2]),
        &ints(None, &[1, 3])
    ));
    // The engine drops or converts ints in an Array[String].
    assert!(!are_one(
        GODOT_4,
        &ints(Some(text), &[1, 2]),
        &ints(None, &[1, 2])
    ));
    assert!(are_one(
        GODOT_4,
        &ints(Some(text), &[1]),
        &ints(Some(text), &[1])
    ));
    // One child in another Array is never looked into.
    let nested = |of| {
        let inner = ints(None, &[1]);
        let array = id(GODOT_4, Kind::Array);
        let head = match of {
            true => words(&[array | 1 << 16, array, 1]),
            false => words(&[array, 1]),
        };
        [head, inner].concat()
    };
    assert!(are_one(GODOT_4, &nested(false), &nested(false)));
    assert!(are_one(GODOT_4, &nested(true), &nested(true)));
    assert!(!are_one(GODOT_4, &nested(true), &nested(false)));
}

#[test]
fn types_of_dictionaries_count_likewise() {
    let (one, two) = (words(&[2, 1]), words(&[2, 2]));
    let plain = dict(None, &one, &two);
    assert!(are_one(GODOT_4, &plain, &plain));
    assert!(are_one(GODOT_4, &dict(Some((2, 2)), &one, &two), &plain));
    // Keys that are not text in a Dictionary[String, …].
    assert!(!are_one(GODOT_4, &dict(Some((4, 2)), &one, &two), &plain));
    // A key or a value with children.
    let list = ints(None, &[1]);
    for (key, value) in [(&list, &two), (&one, &list)] {
        let kind = |bytes: &[u8]| u32::from(bytes[0]);
        let of = Some((kind(key), kind(value)));
        assert!(are_one(
            GODOT_4,
            &dict(None, key, value),
            &dict(None, key, value)
        ));
        assert!(!are_one(
            GODOT_4,
            &dict(of, key, value),
            &dict(None, key, value)
        ));
    }
}

/// A PackedFloat32Array.
fn reals(dialect: Dialect, values: &[f32]) -> Vec<u8> {
    let mut all = words(&[id(dialect, Kind::PackedFloat32Array), values.len() as u32]);
    values
        .iter()
        .for_each(|value| all.extend(value.to_le_bytes()));
    all
}

#[test]
fn godot_3_hashes_the_bits_of_reals() {
    let equal: [(&[f32], &[f32], bool, bool); 4] = [
        (&[0.5, 2.0], &[0.5, 2.0], true, true),
        (&[0.5, 2.0], &[0.5, 3.0], false, false),
        (&[0.0], &[-0.0], false, true),
        (&[f32::NAN, 1.0], &[f32::NAN, 1.0], false, true),
    ];
    for (a, b, in_3, in_4) in equal {
        assert_eq!(
            are_one(GODOT_3, &reals(GODOT_3, a), &reals(GODOT_3, b)),
            in_3,
            "{a:?} {b:?}"
        );
        assert_eq!(
            are_one(GODOT_4, &reals(GODOT_4, a), &reals(GODOT_4, b)),
            in_4,
            "{a:?} {b:?}"
        );
    }
}

/// Of equal keys the first is kept with the value of the last, unless the engine may see another key than the bytes.
#[test]
fn pairs_are_told_apart_only_where_the_engine_keeps_the_key_as_it_is() {
    let (int, text) = (words(&[2, 1]), [&words(&[4, 3])[..], b"abc\0"].concat());
    let path = |flags: u32, names: &[&[u8]]| {
        let mut all = words(&[
            id(GODOT_4, Kind::NodePath),
            names.len() as u32 | 1 << 31,
            0,
            flags,
        ]);
        for name in names {
            all.extend(words(&[name.len() as u32]));
            all.extend_from_slice(name);
        }
        all
    };
    let absolute = 1;
    let list = [&words(&[id(GODOT_4, Kind::Array), 2])[..], &int, &text].concat();
    let vector = words(&[id(GODOT_4, Kind::Vector2), 0, 0]);
    let same = dict(None, &int, &text);
    for key in [
        &int,
        &text,
        &path(0, &[]),
        &path(absolute, &[b"root"]),
        &list,
        &vector,
        &same,
    ] {
        assert_eq!(kept(GODOT_4, key, key), [2], "{key:02x?}");
    }
    // Arrays whose types count; a path that is absolute and has no names; reals of 64 bits; a Dictionary that has a key twice.
    let wide = [
        &words(&[id(GODOT_4, Kind::Vector2) | 1 << 16])[..],
        &[0; 16],
    ]
    .concat();
    let twice = [
        &words(&[id(GODOT_4, Kind::Dictionary), 2])[..],
        &int,
        &int,
        &int,
        &text,
    ]
    .concat();
    let in_array = |inner: &[u8]| [&words(&[id(GODOT_4, Kind::Array), 1])[..], inner].concat();
    for key in [
        &ints(Some(4), &[1]),
        &path(absolute, &[]),
        &wide,
        &twice,
        &in_array(&twice),
        &in_array(&wide),
    ] {
        assert_eq!(kept(GODOT_4, key, key), [1, 2], "{key:02x?}");
    }
    // Wide numbers are numbers.
    let wide_int = [&words(&[2 | 1 << 16])[..], &1_u64.to_le_bytes()].concat();
    assert_eq!(kept(GODOT_4, &wide_int, &int), [2]);
    // Two Dictionaries are two keys in Godot 3.
    let dict_3 = [&words(&[id(GODOT_3, Kind::Dictionary), 1])[..], &int, &int].concat();
    assert_eq!(kept(GODOT_3, &dict_3, &dict_3), [1, 2]);
    assert!(!are_one(GODOT_3, &dict_3, &dict_3) && are_one(GODOT_4, &same, &same));
}
