//! At which byte an error is, how much is missing, and both sides of each limit of a length
//! (docs/FORMAT.md §3.5 and §6).

use gdvar::{
    Dialect, Document, Error, ErrorKind, Objects, ReadOptions,
    error::NonCanonical,
    frames::{PrefixOrder, frames},
    write::wire::HeaderWord,
};
use gdvar_conformance::assembler::{Assembler, BIT_16, Column, SHARED};

/// The bytes in front of each tested value, so that no offset is right by chance: the head of an
/// array of two elements, and a null as the first.
fn after_null(column: Column) -> Assembler {
    let array = Assembler::new(column).header("Array", 0);
    array.word(2).header("Nil", 0)
}

/// The offset of the tested value, behind the bytes of `after_null`.
const START: usize = 12;

fn dialect(column: Column) -> Dialect {
    column.name().parse().expect("a dialect")
}

fn validate(bytes: &[u8], column: Column, is_strict: bool) -> Result<usize, Error> {
    let options = ReadOptions::new(dialect(column)).with_objects(Objects::Inert);
    let options = if is_strict { options.strict() } else { options };
    let found = Document::with_options(bytes, options).validate();
    // The walk without shortcuts says the same.
    let plain = Document::with_options(bytes, options.without_shortcuts(true));
    assert_eq!(plain.validate(), found, "{bytes:?}");
    found
}

fn truncated(missing: u32) -> ErrorKind {
    ErrorKind::Truncated { missing }
}

#[test]
fn an_error_says_how_many_bytes_are_missing_at_least() {
    use Column::{G2, G4, P40};
    for len in 0..4 {
        let found = validate(&[2, 0, 0][..len.min(3)], G4, false);
        let missing = 4 - len.min(3) as u32;
        let error = found.expect_err("a header has four bytes");
        assert_eq!((error.offset(), error.kind()), (0, truncated(missing)));
    }
    // A value behind the null, where its field is, and what is missing there.
    for (column, value, offset, missing) in [
        (G4, after_null(G4).header("Int", 0).raw(&[1]), 4, 3),
        (G4, after_null(G4).header("Int", BIT_16).word(1), 4, 4),
        (G4, after_null(G4).header("String", 0).raw(&[1, 0, 0]), 4, 1),
        (G4, after_null(G4).header("String", 0).word(5).word(0), 8, 4),
        // Counts: five values of four bytes, three pairs of eight, three texts of four.
        (G4, after_null(G4).header("Array", 0).word(5).word(0), 4, 16),
        (
            G4,
            after_null(G4).header("Dictionary", 0).word(3).long(0),
            4,
            16,
        ),
        (
            G4,
            after_null(G4)
                .header("PackedStringArray", 0)
                .word(3)
                .long(0),
            4,
            4,
        ),
        (
            G2,
            after_null(G2).header("Array", 0).word(5 | SHARED).word(0),
            4,
            16,
        ),
        (
            P40,
            after_null(P40)
                .header("TypedArray", 0)
                .long(5 << 32)
                .word(0),
            8,
            16,
        ),
        (
            G4,
            after_null(G4)
                .header("Object", 0)
                .field(b"A")
                .word(3)
                .long(0),
            12,
            16,
        ),
        (
            G4,
            after_null(G4)
                .header("NodePath", 0)
                .word(SHARED | 3)
                .long(0)
                .word(0),
            4,
            8,
        ),
        (
            G4,
            after_null(G4).header("PackedInt32Array", 0).word(3).long(0),
            8,
            4,
        ),
    ] {
        let bytes = value.done();
        for is_strict in [false, true] {
            if is_strict && column == G2 {
                continue;
            }
            let error = validate(&bytes, column, is_strict).expect_err("it ends too early");
            let expected = (START + offset, truncated(missing));
            assert_eq!((error.offset(), error.kind()), expected, "{bytes:?}");
        }
        // With as many bytes more the count is believed.
        let more = [bytes.as_slice(), &vec![0; missing as usize]].concat();
        let field = START + offset;
        let again = validate(&more, column, false).err();
        let again = again.filter(|error| error.offset() == field && error.is_truncated());
        assert_eq!(again, None, "{more:?}");
    }
    // Strict mode wants the padding of the last bytes; engines do not look.
    let bytes = after_null(G4)
        .header("PackedByteArray", 0)
        .word(5)
        .raw(&[7; 5])
        .done();
    assert_eq!(validate(&bytes, G4, false), Ok(bytes.len()));
    let error = validate(&bytes, G4, true).expect_err("no padding");
    assert_eq!((error.offset(), error.kind()), (START + 13, truncated(3)));
}

#[test]
fn a_length_may_be_as_large_as_engines_count() {
    use Column::{G2, G4};
    const MOST: u32 = i32::MAX as u32;
    // A value with a length, where that stands, where its bytes do, how many they may be.
    for (column, before, field, body, most) in [
        (G4, after_null(G4).header("String", 0), 4, 8, MOST - 3),
        (G4, after_null(G4).header("PackedByteArray", 0), 4, 8, MOST),
        (
            G4,
            after_null(G4).header("PackedInt32Array", 0),
            4,
            8,
            MOST / 4,
        ),
        (
            G4,
            after_null(G4).header("PackedVector4Array", BIT_16),
            4,
            8,
            MOST / 32,
        ),
        (
            G2,
            after_null(G2).header("InputEvent", 0).long(0),
            12,
            4,
            MOST,
        ),
    ] {
        let at_most = before.clone().word(most).done();
        let error = validate(&at_most, column, false).expect_err("not so much");
        assert_eq!(error.offset(), START + body, "{at_most:?}");
        assert!(error.is_truncated(), "{at_most:?}");
        for value in [most + 1, u32::MAX] {
            let bytes = before.clone().word(value).done();
            let error = validate(&bytes, column, false).expect_err("too much");
            let expected = (START + field, ErrorKind::InvalidLength { value });
            assert_eq!((error.offset(), error.kind()), expected, "{bytes:?}");
        }
    }
    // The length of an event counts the twelve bytes before it.
    for (value, is_right) in [(11, false), (12, true)] {
        let bytes = after_null(G2)
            .header("InputEvent", 0)
            .long(0)
            .word(value)
            .done();
        assert_eq!(validate(&bytes, G2, false).is_ok(), is_right, "{value}");
    }
}

#[test]
fn strict_mode_names_the_byte() {
    use Column::{G4, P40};
    let header = |column: Column, name| u32::from(column.number(name).expect("a type"));
    let id_of_array = HeaderWord(header(P40, "TypedArray") | BIT_16);
    for (column, value, offset, kind) in [
        (
            G4,
            after_null(G4).header("String", 0).word(1).raw(b"a\0\x01\0"),
            10,
            ErrorKind::NonZeroPadding,
        ),
        (
            G4,
            after_null(G4).header("String", 0).word(2).raw(b"ab\0\x01"),
            11,
            ErrorKind::NonZeroPadding,
        ),
        (
            G4,
            after_null(G4)
                .header("PackedByteArray", 0)
                .word(1)
                .raw(b"a\x01\0\0"),
            9,
            ErrorKind::NonZeroPadding,
        ),
        (
            G4,
            after_null(G4).header("Bool", 0).word(2),
            4,
            ErrorKind::InvalidBool { value: 2 },
        ),
        (
            G4,
            after_null(G4).header("Int", BIT_16).long(1),
            0,
            ErrorKind::NonCanonical(NonCanonical::WideInt),
        ),
        (
            G4,
            after_null(G4).header("Float", BIT_16).long(0),
            0,
            ErrorKind::NonCanonical(NonCanonical::WideFloat),
        ),
        (
            G4,
            after_null(G4).header("Float", 0).word(0x7fc0_0000),
            0,
            ErrorKind::NonCanonical(NonCanonical::NarrowNan),
        ),
        (
            P40,
            after_null(P40).header("TypedArray", BIT_16).long(2),
            0,
            ErrorKind::ReservedBits(id_of_array),
        ),
        (
            P40,
            after_null(P40).header("TypedArray", 0).long(40),
            4,
            ErrorKind::BadElementType { id: 40 },
        ),
        (
            P40,
            after_null(P40)
                .header("TypedArray", 0)
                .long(u64::from(SHARED)),
            4,
            ErrorKind::SharedBit,
        ),
    ] {
        let bytes = value.done();
        assert!(validate(&bytes, column, false).is_ok(), "{bytes:?}");
        let error = validate(&bytes, column, true).expect_err("it is not what engines write");
        assert_eq!(
            (error.offset(), error.kind()),
            (START + offset, kind),
            "{bytes:?}"
        );
    }
    // A class that is a String is refused without strictness too, flags of its header are not.
    let object = header(P40, "Object");
    let typed = after_null(P40).header("TypedArray", 0).word(object);
    for (class, bits, kinds) in [
        ("String", 0, [Some(ErrorKind::BadClassName); 2]),
        (
            "StringName",
            1 << 20,
            [
                None,
                Some(ErrorKind::ReservedBits(HeaderWord(
                    header(P40, "StringName") | 1 << 20,
                ))),
            ],
        ),
        ("StringName", 0, [None; 2]),
    ] {
        let bytes = typed
            .clone()
            .header(class, bits)
            .field(b"Node")
            .word(0)
            .done();
        for (is_strict, kind) in [false, true].into_iter().zip(kinds) {
            let error = validate(&bytes, P40, is_strict).err();
            let expected = kind.map(|kind| (START + 8, kind));
            assert_eq!(
                error.map(|error| (error.offset(), error.kind())),
                expected,
                "{bytes:?}"
            );
        }
    }
}

#[test]
fn a_frame_is_as_long_as_engines_count() {
    for (order, most, more) in [
        (
            PrefixOrder::Little,
            [0xff, 0xff, 0xff, 0x7f],
            [0, 0, 0, 0x80],
        ),
        (PrefixOrder::Big, [0x7f, 0xff, 0xff, 0xff], [0x80, 0, 0, 0]),
    ] {
        let file = [&most[..], &[1, 2, 3]].concat();
        let mut records = frames(&file, order);
        let frame = records.next().expect("one").expect("a length");
        assert!(frame.is_cut());
        assert_eq!(
            (frame.offset, frame.bytes, frame.declared),
            (4, &[1, 2, 3][..], 0x7fff_ffff)
        );
        assert_eq!((records.position(), records.next()), (7, None));
        for (prefix, length) in [(more, 0x8000_0000), ([0xff; 4], u32::MAX)] {
            let mut records = frames(&prefix, order);
            let error = records.next().expect("one").expect_err("no length");
            assert_eq!(
                (error.offset(), error.kind()),
                (0, ErrorKind::BadFrame { length })
            );
            assert_eq!(records.next(), None);
        }
    }
    // Whole, empty, and cut where no byte of it is left.
    let file = [1, 0, 0, 0, 9, 0, 0, 0, 0, 1, 0, 0, 0];
    let found: Vec<_> = frames(&file, PrefixOrder::Little)
        .map(|frame| frame.expect("a length"))
        .map(|frame| (frame.offset, frame.bytes.len(), frame.is_cut()))
        .collect();
    assert_eq!(found, [(4, 1, false), (9, 0, false), (13, 0, true)]);
    let mut whole = frames(&file[..9], PrefixOrder::Little);
    assert_eq!(whole.by_ref().count(), 2);
    assert_eq!(whole.position(), 9);
}

#[test]
fn indexed_values_are_found_as_others_are() {
    // [{7: 8, 9: 10}, Object A {a: 1, b: 2}]
    let value = Assembler::new(Column::G4).header("Array", 0).word(2);
    let value = value.header("Dictionary", 0).word(2);
    let value = [7, 8, 9, 10]
        .into_iter()
        .fold(value, |value, int| value.header("Int", 0).word(int));
    let value = value.header("Object", 0).field(b"A").word(2);
    let value = value.field(b"a").header("Int", 0).word(1);
    let bytes = value.field(b"b").header("Int", 0).word(2).done();
    let options = ReadOptions::new(Dialect::GODOT_4).with_objects(Objects::Inert);
    let document = Document::with_options(&bytes, options);
    let index = gdvar::index::Index::build(document).expect("valid");
    let root = index.open(document).expect("its own");
    let root = root.as_array().expect("an array");
    let [dict, object] = [0, 1].map(|n| root.get(n).expect("two"));
    assert!(root.get(2).is_none());
    assert_eq!((dict.offset(), object.offset()), (8, 48));
    let dict = dict.as_dict().expect("a dictionary");
    let ints = [7, 9, 8].map(|key| dict.get_int(key).and_then(|value| value.as_i64()));
    assert_eq!(ints, [Some(8), Some(10), None]);
    let object = object.as_object().expect("an object");
    let ints = ["a", "b", "A"].map(|name| object.get(name).and_then(|value| value.as_i64()));
    assert_eq!(ints, [Some(1), Some(2), None]);
}
