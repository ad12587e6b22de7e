//! The losses that a verdict reports, as docs/FORMAT.md §6 defines them.

use gdvar::{
    Dialect, Document, Kind, Objects, ReadOptions,
    detect::{Change, verdict},
};

/// Little-endian words, one after the other.
fn words(words: &[u32]) -> Vec<u8> {
    words.iter().flat_map(|word| word.to_le_bytes()).collect()
}

fn id(dialect: Dialect, kind: Kind) -> u32 {
    u32::from(dialect.type_id(kind).expect("a type").0)
}

/// An Array of these values.
fn array(dialect: Dialect, values: &[&[u8]]) -> Vec<u8> {
    let head = words(&[id(dialect, Kind::Array), values.len() as u32]);
    [&head[..], &values.concat()].concat()
}

/// A value of that type with a length, these bytes, and this padding.
fn text(kind: u32, bytes: &[u8], padding: &[u8]) -> Vec<u8> {
    [&words(&[kind, bytes.len() as u32])[..], bytes, padding].concat()
}

/// The changes of a value that is read whole, and their display.
fn changes(dialect: Dialect, bytes: &[u8]) -> Vec<(Change, u64, usize)> {
    let verdict = verdict(Document::with_options(bytes, ReadOptions::new(dialect)));
    assert!(verdict.read.is_ok(), "{verdict:?}");
    let all: Vec<_> = verdict
        .changes()
        .map(|one| (one.change, one.count, one.first))
        .collect();
    assert_eq!(verdict.is_ok(), all.is_empty());
    all
}

const GODOT_4: Dialect = Dialect::GODOT_4;
const GODOT_3: Dialect = Dialect::GODOT_3;

#[test]
fn callables_and_ids_of_objects_are_told_in_values_that_are_in_order() {
    let callable = words(&[id(GODOT_4, Kind::Callable)]);
    let int = words(&[2, 5]);
    // EncodedObjectAsID: the flag of bit 16, and 64 bits of id.
    let object = |number| words(&[id(GODOT_4, Kind::Object) | 1 << 16, number, 0]);
    let all = array(
        GODOT_4,
        &[
            &int,
            &callable,
            &object(0),
            &object(7),
            &callable,
            &object(9),
        ],
    );
    let at = |n: usize| {
        let sizes = [8, 8, 4, 12, 12, 4];
        sizes.iter().take(n + 1).sum::<usize>()
    };
    assert_eq!(
        changes(GODOT_4, &all),
        [(Change::ObjectIds, 2, at(3)), (Change::Callables, 2, at(1))]
    );
    assert_eq!(changes(GODOT_4, &array(GODOT_4, &[&int, &object(0)])), []);
    // With bytes behind, strict mode refuses them, and the places are the same.
    let longer = [&all[..], &[1, 2, 3]].concat();
    assert_eq!(
        changes(GODOT_4, &longer),
        [
            (Change::TrailingBytes, 3, all.len()),
            (Change::ObjectIds, 2, at(3)),
            (Change::Callables, 2, at(1)),
        ]
    );
}

#[test]
fn text_behind_a_nul_and_padding_are_told_of_texts_and_bytes() {
    let name = id(GODOT_4, Kind::StringName);
    let bytes = id(GODOT_4, Kind::PackedByteArray);
    let all = array(
        GODOT_4,
        &[
            &text(4, b"in order", b""),
            &text(4, b"a\0b", b"\0"),
            &text(name, b"a\0bcd", b"\0\x07\0"),
            &text(4, b"abc", b"\x01"),
            &text(bytes, b"\0\0\0", b"\x02"),
            &text(bytes, b"\0\0\0", b"\0"),
        ],
    );
    let third = 8 + 16 + 12;
    assert_eq!(
        changes(GODOT_4, &all),
        [
            (Change::EmbeddedNul, 2, 8 + 16),
            (Change::Padding, 3, third)
        ]
    );
    // Godot 3.2 itself leaves padding unset, and so may a save of Godot 3 have it.
    assert_eq!(
        changes(GODOT_3, &array(GODOT_3, &[&text(4, b"abc", b"\x01")])),
        []
    );
    assert_eq!(
        changes(GODOT_3, &array(GODOT_3, &[&text(4, b"a\0b", b"\x01")])),
        [(Change::EmbeddedNul, 1, 8)]
    );
    // A NodePath with an odd flag is refused by strict mode, and nothing of it is lost.
    assert_eq!(
        changes(GODOT_4, &array(GODOT_4, &[&words(&[2 | 1 << 20, 5])])),
        []
    );
}

#[test]
fn keys_that_come_again_are_told_of_each_dictionary() {
    let dict = |pairs: &[(&[u8], &[u8])]| {
        let mut all = words(&[id(GODOT_4, Kind::Dictionary), pairs.len() as u32]);
        for (key, value) in pairs {
            all.extend_from_slice(key);
            all.extend_from_slice(value);
        }
        all
    };
    let int = |n| words(&[2, n]);
    let (one, two) = (int(1), int(2));
    let inner = dict(&[(&one, &two), (&two, &two), (&one, &one), (&one, &two)]);
    let outer = dict(&[(&one, &inner), (&two, &one), (&two, &two)]);
    // The inner one has two entries too many, the outer one; the first of all is in the inner one.
    assert_eq!(
        changes(GODOT_4, &outer),
        [(Change::RepeatedKeys, 3, 8 + 8 + 8 + 32)]
    );
    // Equal keys in two Dictionaries are not a repetition.
    let apart = array(
        GODOT_4,
        &[
            &dict(&[(&one, &two)]),
            &dict(&[(&one, &two)]),
            &text(4, b"x", b"\x01\0\0"),
        ],
    );
    assert_eq!(
        changes(GODOT_4, &apart),
        [(Change::Padding, 1, 8 + 24 + 24)]
    );
    // Elements of an Array, and values, are not keys.
    let equal = array(
        GODOT_4,
        &[
            &one,
            &one,
            &dict(&[(&one, &two), (&two, &two)]),
            &text(4, b"x", b"\x01\0\0"),
        ],
    );
    assert_eq!(
        changes(GODOT_4, &equal),
        [(Change::Padding, 1, 8 + 16 + 40)]
    );
}

#[test]
fn a_refused_value_has_no_changes() {
    let callable = words(&[id(GODOT_4, Kind::Callable)]);
    let cut = array(GODOT_4, &[&callable, &[2, 0, 0, 0]]);
    let verdict = verdict(Document::new(&cut, GODOT_4));
    assert!(verdict.read.is_err() && verdict.strict.is_err() && !verdict.is_ok());
    assert_eq!(verdict.changes().count(), 0);
}

/// People are told in words, of one change and of several.
#[test]
fn changes_are_told_in_words() {
    let said = |bytes: &[u8]| {
        let options = ReadOptions::new(GODOT_4).with_objects(Objects::Inert);
        let all: Vec<_> = verdict(Document::with_options(bytes, options))
            .changes()
            .map(|one| one.to_string())
            .collect();
        all
    };
    let callable = words(&[id(GODOT_4, Kind::Callable)]);
    assert_eq!(
        said(&[&callable[..], &[0]].concat()),
        [
            "1 byte after the value is lost",
            "1 Callable carries nothing and is lost"
        ]
    );
    assert_eq!(
        said(&array(GODOT_4, &[&callable, &callable])),
        ["2 Callables carry nothing and are lost"]
    );
}
