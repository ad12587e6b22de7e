//! Texts that the engines would cut or could not read, in every place where a text may be.
#![cfg(feature = "std")]

use gdvar_write::{
    ElementType, Error, NodePathParts, Target, WriteErrorKind, Writer,
    wire::{Dialect, Kind},
};

type Never = core::convert::Infallible;
type Bytes = Writer<Vec<u8>>;

fn godot4() -> Bytes {
    Writer::new(Vec::new(), Target::GODOT_4)
}

#[track_caller]
fn refuses(
    target: Target,
    kind: WriteErrorKind<Never>,
    write: &dyn Fn(&mut Bytes) -> Result<(), Error<Never>>,
) {
    let mut w = Writer::new(Vec::new(), target);
    let error = write(&mut w).unwrap_err();
    assert_eq!((error.kind(), error.position()), (&kind, 0));
    // Nothing was written, so another attempt works.
    w.nil().unwrap();
    assert_eq!(w.finish().unwrap(), [0; 4]);
}

/// Bytes that a faulty test could take for zero, or for a borrow from a zero byte. The engines cut
/// a text at a NUL (docs/FORMAT.md §6, row 14).
#[test]
fn a_nul_is_found_wherever_it_stands() {
    let good: String = "\u{1}\u{80}a\u{7f}\u{7ff}\u{1}\u{ffff}\u{1}"
        .chars()
        .cycle()
        .take(40)
        .collect();
    for len in 0..=40 {
        let mut text: String = good.chars().take(len).collect();
        let mut w = godot4();
        w.string(&text).unwrap();
        let bytes = w.finish().unwrap();
        assert_eq!(&bytes[8..8 + text.len()], text.as_bytes());
        for at in 0..=len {
            // Between the characters, at the front and at the end.
            let place = text
                .char_indices()
                .nth(at)
                .map_or(text.len(), |(place, _)| place);
            text.insert(place, '\0');
            refuses(Target::GODOT_4, WriteErrorKind::EmbeddedNul, &|w| {
                w.string(&text)
            });
            refuses(Target::GODOT_4, WriteErrorKind::EmbeddedNul, &|w| {
                w.burst(|burst| burst.string(&text))
            });
            let mut w = godot4();
            let error = w.packed_strings([&text]).unwrap_err();
            assert_eq!(
                (error.kind(), error.position()),
                (&WriteErrorKind::EmbeddedNul, 8)
            );
            assert_eq!(w.nil().unwrap_err().kind(), &WriteErrorKind::Broken);
            text.remove(place);
        }
    }
}

#[test]
fn a_nul_is_refused_in_every_text() {
    let nul = WriteErrorKind::EmbeddedNul;
    let long = "a text of more than twenty-four bytes\0";
    for text in ["\0", "a\0b", long] {
        let g4 = Target::GODOT_4;
        refuses(g4, nul, &|w| w.string_name(text));
        refuses(g4, nul, &|w| w.string_bytes(text.as_bytes()));
        refuses(g4, nul, &|w| w.signal(text, 1));
        refuses(g4, nul, &|w| w.begin_object(text, 0));
        refuses(g4, nul, &|w| {
            w.begin_typed_array(ElementType::Class(text), 0)
        });
        let path = format!("res://{text}");
        refuses(g4, nul, &|w| {
            w.begin_typed_array(ElementType::Script(&path), 0)
        });
        refuses(g4, nul, &|w| {
            w.begin_typed_dict(ElementType::Untyped, ElementType::Class(text), 0)
        });
        refuses(Target::PANDEMONIUM_5, nul, &|w| {
            w.begin_pandemonium_typed_array(Kind::TypedArray, ElementType::Class(text), 0)
        });
        for (names, subnames) in [(&[text][..], &[][..]), (&["a"][..], &[text][..])] {
            let absolute = false;
            let path = NodePathParts {
                names,
                subnames,
                absolute,
            };
            refuses(g4, nul, &|w| w.node_path(&path));
        }
        // A property's name, after the head of the object: 8 bytes of class, 8 of header and count.
        let mut w = godot4();
        w.begin_object("A", 1).unwrap();
        for error in [
            w.property(text).unwrap_err(),
            w.property_bytes(text.as_bytes()).unwrap_err(),
        ] {
            assert_eq!((error.kind(), error.position()), (&nul, 16));
        }
        w.property("b").unwrap();
        w.nil().unwrap();
        w.end().unwrap();
        w.finish().unwrap();
        // In the middle of a path it cuts the output: a head of 16 bytes, and "a".
        let mut w = godot4();
        let error = w.node_path_from(["a", text], [""; 0], true).unwrap_err();
        assert_eq!((error.kind(), error.position()), (&nul, 24));
        assert_eq!(w.nil().unwrap_err().kind(), &WriteErrorKind::Broken);
    }
}

/// docs/FORMAT.md §6, row 13: only Godot 2 and 3 read surrogates as text.
#[test]
fn bytes_are_text_by_the_rules_of_the_engine() {
    let surrogate = b"\xed\xa0\x80";
    for dialect in Dialect::ALL {
        let target = Target::from(dialect);
        let wide = dialect == Dialect::GODOT_2 || dialect == Dialect::GODOT_3;
        let invalid = WriteErrorKind::InvalidText { dialect };
        // A stray continuation byte is text for no engine (row 12).
        refuses(target, invalid, &|w| w.string_bytes(b"\x80"));
        let mut w = Writer::new(Vec::new(), target);
        w.begin_array(4).unwrap();
        w.string_bytes("é".as_bytes()).unwrap();
        assert_eq!(w.position(), 20);
        let done = w.string_bytes(surrogate);
        if wide {
            done.unwrap();
            w.packed_strings_bytes([surrogate]).unwrap();
            w.node_path_from([surrogate], [surrogate], false).unwrap();
            assert_eq!(w.position(), 20 + 12 + 16 + 32);
            continue;
        }
        assert_eq!(done.unwrap_err().kind(), &invalid);
        let error = w.packed_strings_bytes([&b"ab"[..], surrogate]).unwrap_err();
        // After a head of 8 and "ab" with its NUL.
        assert_eq!((error.kind(), error.position()), (&invalid, 36));
        assert_eq!(w.nil().unwrap_err().kind(), &WriteErrorKind::Broken);
        let mut w = Writer::new(Vec::new(), target);
        let error = w
            .node_path_from([surrogate], [surrogate], false)
            .unwrap_err();
        assert_eq!((error.kind(), error.position()), (&invalid, 16));
    }
    let mut w = Writer::new(Vec::new(), Target::GODOT_3);
    w.begin_object("A", 1).unwrap();
    w.property_bytes(surrogate).unwrap();
    let mut w = godot4();
    w.begin_object("A", 1).unwrap();
    let invalid = WriteErrorKind::InvalidText {
        dialect: Dialect::GODOT_4,
    };
    assert_eq!(w.property_bytes(surrogate).unwrap_err().kind(), &invalid);
    w.property_bytes(b"b").unwrap();
}

#[test]
fn names_of_properties_stand_where_they_are_due() {
    let mut w = godot4();
    assert_eq!(
        w.property("a").unwrap_err().kind(),
        &WriteErrorKind::NotAnObject
    );
    w.begin_dict(1).unwrap();
    assert_eq!(
        w.property("a").unwrap_err().kind(),
        &WriteErrorKind::NotAnObject
    );
    w.nil().unwrap();
    w.begin_object("A", 3).unwrap();
    assert_eq!(
        w.end().unwrap_err().kind(),
        &WriteErrorKind::TooFew { missing: 3 }
    );
    w.property("a").unwrap();
    // Its value is missing too.
    assert_eq!(
        w.end().unwrap_err().kind(),
        &WriteErrorKind::TooFew { missing: 3 }
    );
    assert_eq!(
        w.property("b").unwrap_err().kind(),
        &WriteErrorKind::ExpectedValue
    );
    w.nil().unwrap();
    assert_eq!(
        w.end().unwrap_err().kind(),
        &WriteErrorKind::TooFew { missing: 2 }
    );
    assert_eq!(
        w.nil().unwrap_err().kind(),
        &WriteErrorKind::ExpectedProperty
    );
    w.property("b").unwrap();
    w.nil().unwrap();
    w.property("c").unwrap();
    assert_eq!(
        w.end().unwrap_err().kind(),
        &WriteErrorKind::TooFew { missing: 1 }
    );
    w.nil().unwrap();
    assert_eq!(w.nil().unwrap_err().kind(), &WriteErrorKind::TooMany);
    assert_eq!(
        w.property("d").unwrap_err().kind(),
        &WriteErrorKind::TooMany
    );
    w.end().unwrap();
    w.end().unwrap();
    // Head of the dictionary, null; head, class and count; names with values.
    assert_eq!(w.finish().unwrap().len(), 12 + 16 + 3 * 12);
}
