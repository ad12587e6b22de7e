//! Each byte belongs to exactly one field, and to the field that docs/FORMAT.md names.

use std::{collections::BTreeSet, fs};

use gdvar::{
    Dialect, Document, Objects, ReadOptions,
    fields::{WireField, WireOwner, WirePart},
    frames::{PrefixOrder, frames},
};
use gdvar_conformance::{
    alike::Random,
    derived,
    mutate::mutate,
    reference::{self, Rules},
    vectors::{ENGINES, plain_saves, testdata, unhex, vectors},
    with_big_stack,
};

/// All vectors of all dialects, and the records of the saves.
fn corpus() -> Vec<(String, Vec<u8>, Dialect)> {
    let mut corpus = Vec::new();
    for engine in ENGINES {
        for vector in vectors(engine) {
            let id = format!("{} {}", engine.name, vector.id);
            corpus.push((id, vector.bytes, engine.dialect));
        }
    }
    for vector in derived::derived_vectors() {
        let dialect: Dialect = vector.dialect.parse().expect("a dialect");
        corpus.push((format!("{dialect} {}", vector.id), vector.bytes, dialect));
    }
    for reject in derived::derived_rejects() {
        let dialect: Dialect = reject.dialect.parse().expect("a dialect");
        corpus.push((format!("{dialect} {}", reject.id), reject.bytes, dialect));
    }
    for save in plain_saves() {
        for frame in frames(&save.bytes, PrefixOrder::Little).flatten() {
            corpus.push((save.name.clone(), frame.bytes.to_vec(), save.dialect));
        }
    }
    assert!(corpus.len() > 2500, "vectors are missing");
    corpus
}

fn document(bytes: &[u8], dialect: Dialect) -> Document<'_> {
    Document::with_options(
        bytes,
        ReadOptions::new(dialect).with_objects(Objects::Inert),
    )
}

/// All fields, of which each begins where the last one ended.
fn tiled(who: &str, document: Document<'_>) -> Vec<WireField> {
    let mut fields = document.wire_fields();
    let mut all: Vec<WireField> = Vec::new();
    for field in &mut fields {
        let before = all.last().map_or(0, |last| last.end);
        assert_eq!(field.start, before, "{who}: {field:?}");
        assert!(field.start < field.end, "{who}: {field:?}");
        all.push(field);
    }
    let end = all.last().map_or(0, |last| last.end);
    assert_eq!(end, document.bytes().len(), "{who}");
    // Validation must give the same result, except for text, which the walk over fields does not check.
    match (fields.error(), document.validate()) {
        (None, Ok(used)) => {
            let trailing = all.iter().find(|field| field.part == WirePart::Trailing);
            let end = trailing.map_or(document.bytes().len(), |field| field.start);
            assert_eq!(used, end, "{who}");
        }
        (None, Err(error)) => assert!(
            error.kind().to_string().contains("UTF-8"),
            "{who}: {error} is missing"
        ),
        (Some(_), Ok(_)) => panic!("{who}: nothing is wrong"),
        (Some(ours), Err(theirs)) => {
            assert!(
                ours == theirs || theirs.kind().to_string().contains("UTF-8"),
                "{who}: {ours} {theirs}"
            );
        }
    }
    all
}

#[test]
fn every_byte_has_one_field() {
    with_big_stack(|| {
        let mut random = Random(19);
        for (id, mut bytes, dialect) in corpus() {
            tiled(&id, document(&bytes, dialect));
            if bytes.len() > 10_000 {
                continue;
            }
            for n in 0..6 {
                mutate(&mut bytes, &mut random);
                tiled(
                    &format!("{id}, mutation {n}: {bytes:02x?}"),
                    document(&bytes, dialect),
                );
            }
        }
    });
}

/// The reference decoder, which was written from docs/FORMAT.md alone, reads field by field: none of its
/// reads crosses the end of a field.
#[test]
fn fields_end_where_the_document_says() {
    use WirePart::{Elements, InstanceId, Nul, Payload};
    with_big_stack(|| {
        let mut compared = 0;
        for (id, bytes, dialect) in corpus() {
            let document = document(&bytes, dialect);
            if document.validate() != Ok(bytes.len()) {
                continue;
            }
            let theirs = reference::cuts(&bytes, Rules::new(dialect).inert());
            let theirs = BTreeSet::from_iter(theirs);
            let fields = tiled(&id, document);
            for field in &fields {
                // It takes the NUL with the text, and numbers one by one.
                let before_nul = fields
                    .iter()
                    .any(|nul| nul.part == Nul && nul.start == field.end);
                assert!(before_nul || theirs.contains(&field.end), "{id}: {field:?}");
                if !matches!(field.part, Payload | Elements | InstanceId) {
                    let inside = theirs.range(field.start + 1..field.end).next();
                    assert_eq!(inside, None, "{id}: {field:?}");
                }
                compared += 1;
            }
        }
        assert!(compared > 20_000, "{compared}");
    });
}

/// The path of each field is that of its first byte.
#[test]
fn paths_are_those_of_the_bytes() {
    with_big_stack(|| {
        for (id, bytes, dialect) in corpus() {
            let document = document(&bytes, dialect);
            if bytes.len() > 4000 || document.validate() != Ok(bytes.len()) {
                continue;
            }
            let mut fields = document.wire_fields();
            while let Some(field) = fields.next() {
                let ours = fields.path().to_string();
                assert_eq!(
                    ours,
                    document.locate(field.start).to_string(),
                    "{id} {field:?}"
                );
                if let Some(value) = fields.value() {
                    assert!(value.offset() <= field.start, "{id} {field:?}");
                    assert_eq!(usize::from(value.depth()), fields.depth(), "{id} {field:?}");
                }
            }
        }
    });
}

/// The worked examples of `docs/FORMAT.md` §9 and what its §3 and §4 say of them, field by field.
#[test]
fn examples_have_the_fields_of_the_document() {
    let examples = [
        (Dialect::GODOT_4, "00000000", "header 4"),
        (
            Dialect::GODOT_4,
            "02000100 00000080 00000000",
            "header 4, payload 8",
        ),
        (
            Dialect::GODOT_4,
            "04000000 05000000 48656c6c 6f000000",
            "header 4, length 4, text 5, padding 3",
        ),
        (Dialect::GODOT_4, "04000000 00000000", "header 4, length 4"),
        (
            Dialect::GODOT_4,
            "16000000 02000080 02000000 00000000 01000000 61000000 01000000 62000000 01000000 63000000 01000000 64000000",
            "header 4, name count 4, sub-name count 4, flags 4, length of name 0 4, name 0 1, padding 3, \
             length of name 1 4, name 1 1, padding 3, length of sub-name 0 4, sub-name 0 1, padding 3, \
             length of sub-name 1 4, sub-name 1 1, padding 3",
        ),
        (
            Dialect::GODOT_4,
            "17000000 88776655 44332211",
            "header 4, payload 8",
        ),
        (
            Dialect::GODOT_4,
            "18000100 ad050004 06000080",
            "header 4, instance id 8",
        ),
        (
            Dialect::GODOT_4,
            "18000000 0a000000 52656643 6f756e74 65640000 01000000 06000000 73637269 70740000 00000000",
            "header 4, length of class name 4, class name 10, padding 2, count 4, \
             length of property name 4, property name 6, padding 2, header 4",
        ),
        (
            Dialect::GODOT_4,
            "1a000000 0e000000 73637269 70745f63 68616e67 65640000 ad050004 06000080",
            "header 4, length of signal name 4, signal name 14, padding 2, instance id 8",
        ),
        (
            Dialect::GODOT_4,
            "1c000100 02000000 02000000 02000000 01000000 02000000 02000000",
            "header 4, element type 4, count 4, header 4, payload 4, header 4, payload 4",
        ),
        (
            Dialect::GODOT_4,
            "1c000200 04000000 4e6f6465 00000000",
            "header 4, length of element type 4, element type 4, count 4",
        ),
        (
            Dialect::GODOT_4,
            "1b000d00 04000000 0d000000 7265733a 2f2f6974 656d2e67 64000000 01000000 04000000 01000000 6b000000 00000000",
            "header 4, key type 4, length of value type 4, value type 13, padding 3, count 4, \
             header 4, length 4, text 1, padding 3, header 4",
        ),
        (
            Dialect::GODOT_4,
            "1d000000 05000000 01020304 ff000000",
            "header 4, count 4, elements 5, padding 3",
        ),
        (
            Dialect::GODOT_4,
            "22000000 04000000 04000000 61626300 01000000 00000000 05000000 61626364 00000000 03000000 c3a90000",
            "header 4, count 4, length of element 0 4, element 0 3, NUL 1, length of element 1 4, NUL 1, padding 3, \
             length of element 2 4, element 2 4, NUL 1, padding 3, length of element 3 4, element 3 2, NUL 1, padding 1",
        ),
        (
            Dialect::GODOT_4,
            "23000100 01000000 00000000 0000f03f 00000000 00000040",
            "header 4, count 4, elements 16",
        ),
        (Dialect::GODOT_3, "10000000", "header 4"),
        (
            Dialect::PANDEMONIUM_5,
            "1b000000 17000000 18000000 04000000 4e6f6465 00000000",
            "header 4, element type 4, header of class name 4, length of class name 4, class name 4, count 4",
        ),
        (
            Dialect::GODOT_2,
            "0f000000 04000000 00000000 01000000 01000000 03000000 ff80407f",
            "header 4, format 4, mipmap count 4, width 4, height 4, length 4, payload 3, padding 1",
        ),
        (
            Dialect::GODOT_2,
            "13000000 01000000 00000000 14000000 00000002 20000000",
            "header 4, kind 4, device 4, length 4, body 8",
        ),
        // Behind the value, and where it breaks.
        (
            Dialect::GODOT_4,
            "01000000 01000000 ffffff",
            "header 4, payload 4, trailing bytes 3",
        ),
        (
            Dialect::GODOT_4,
            "04000000 09000000 48656c6c 6f000000",
            "header 4, length 4, unread 8",
        ),
        (
            Dialect::GODOT_4,
            "1c000000 ff000000 02000000 05000000",
            "header 4, count 4, unread 8",
        ),
        (
            Dialect::GODOT_4,
            "1c000000 02000000 02000000 05000000 63000000",
            "header 4, count 4, header 4, payload 4, unread 4",
        ),
        (
            Dialect::GODOT_4,
            "22000000 02000000 02000000 61000000 09000000 61",
            "header 4, count 4, \
             length of element 0 4, element 0 1, NUL 1, padding 2, length of element 1 4, unread 1",
        ),
    ];
    for (dialect, bytes, expected) in examples {
        let bytes = unhex(&bytes.replace(' ', ""));
        let fields = tiled("an example", document(&bytes, dialect));
        let told: Vec<String> = { fields.iter() }
            .map(|field| format!("{field} {}", field.len()))
            .collect();
        let expected: Vec<&str> = expected.split(',').map(str::trim).collect();
        assert_eq!(told, expected, "{bytes:02x?}");
    }
}

#[test]
fn names_are_words_of_the_document() {
    let text = fs::read_to_string(testdata("../docs/FORMAT.md")).expect("the document");
    let words = text.to_lowercase().replace('\n', " ");
    for part in WirePart::ALL {
        if *part == WirePart::Unread {
            continue;
        }
        assert!(words.contains(&part.name().to_lowercase()), "{part}");
    }
    for of in [
        WireOwner::ElementType,
        WireOwner::KeyType,
        WireOwner::ValueType,
        WireOwner::ClassName,
        WireOwner::PropertyName,
    ] {
        let name = of.to_string();
        let words = words.replace("string field property name", "property name");
        assert!(words.contains(&name), "{name}");
    }
}
