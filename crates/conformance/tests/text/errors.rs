//! Errors in text point at the first invalid byte, wherever the text is in the value and whatever
//! precedes the byte.

use gdvar::{Dialect, Document, Error, ErrorKind, Kind, Objects, ReadOptions};

const BOM: &[u8] = b"\xef\xbb\xbf";

fn words(out: &mut Vec<u8>, words: &[u32]) {
    out.extend(words.iter().flat_map(|word| word.to_le_bytes()));
}

fn field(out: &mut Vec<u8>, text: &[u8]) {
    words(out, &[text.len() as u32]);
    out.extend(text);
    out.resize(out.len().next_multiple_of(4), 0);
}

/// The text in every place that text has in this dialect, with the place of its first byte.
fn everywhere(dialect: Dialect, text: &[u8]) -> Vec<(&'static str, Vec<u8>, usize)> {
    let id = |kind| dialect.type_id(kind).map(|id| u32::from(id.0));
    let mut all = Vec::new();
    let mut push = |what, head: &[u32], text: &[u8], tail: &[u32]| {
        let mut bytes = Vec::new();
        words(&mut bytes, head);
        let at = bytes.len() + 4;
        field(&mut bytes, text);
        words(&mut bytes, tail);
        all.push((what, bytes, at));
    };
    push("String", &[4], text, &[]);
    let (array, dict) = (id(Kind::Array).unwrap(), id(Kind::Dictionary).unwrap());
    push("in an array", &[array, 2, 4], text, &[0]);
    push("a key", &[dict, 1, 4], text, &[0]);
    push("a value", &[dict, 1, 2, 7, 4], text, &[]);
    let strings = id(Kind::PackedStringArray).unwrap();
    let with_nul = [text, b"\0"].concat();
    push("in a packed array", &[strings, 1], &with_nul, &[]);
    if let Some(name) = id(Kind::StringName) {
        push("StringName", &[name], text, &[]);
    }
    let path = id(Kind::NodePath).unwrap();
    push("a name of a path", &[path, 0x8000_0001, 0, 0], text, &[]);
    push(
        "a sub-name of a path",
        &[path, 0x8000_0000, 1, 0],
        text,
        &[],
    );
    if dialect.has_object_payload() {
        let object = id(Kind::Object).unwrap();
        push("a class", &[object], text, &[0]);
        push("a property", &[object, 1, u32::from(b'A'), 1], text, &[0]);
    }
    all
}

fn at(error: Error) -> (ErrorKind, usize) {
    (error.kind(), error.offset())
}

#[test]
fn text_goes_wrong_at_the_first_byte_that_is_none() {
    for dialect in Dialect::ALL {
        let options = ReadOptions::new(dialect).with_objects(Objects::Inert);
        for len in (1..40).chain([63, 64, 65, 100]) {
            for bad in 0..len {
                for mark in [&[][..], BOM] {
                    let mut text = [mark, &vec![b'a'; len]].concat();
                    // No engine takes this byte (docs/FORMAT.md §6, rows 12 and 13).
                    text[mark.len() + bad] = 0xff;
                    for (what, bytes, start) in everywhere(dialect, &text) {
                        let who = format!("{dialect} {what} {len} {bad} {mark:?}");
                        let expected = (ErrorKind::InvalidUtf8, start + mark.len() + bad);
                        let document = Document::with_options(&bytes, options);
                        assert_eq!(document.validate().map_err(at), Err(expected), "{who}");
                        let strict = document.strict().validate().map_err(at);
                        assert_eq!(strict, Err(expected), "{who}");
                    }
                }
            }
        }
    }
}

/// docs/FORMAT.md §6: engines take text to end at a NUL, and look no further.
#[test]
fn nothing_counts_behind_a_nul() {
    for dialect in Dialect::ALL {
        let options = ReadOptions::new(dialect).with_objects(Objects::Inert);
        for nul in (0..30).chain([63, 64, 65]) {
            for mark in [&[][..], BOM] {
                let text = [mark, &vec![b'a'; nul], b"\0\xff"].concat();
                for (what, bytes, start) in everywhere(dialect, &text) {
                    let who = format!("{dialect} {what} {nul} {mark:?}");
                    if what == "a class" && nul == 0 {
                        // That is a null object, and no text (docs/FORMAT.md §4.4).
                        continue;
                    }
                    let document = Document::with_options(&bytes, options);
                    assert_eq!(document.validate(), Ok(bytes.len()), "{who}");
                    let expected = (ErrorKind::EmbeddedNul, start + mark.len() + nul);
                    let strict = document.strict().validate().map_err(at);
                    assert_eq!(strict, Err(expected), "{who}");
                }
                let bytes = &everywhere(dialect, &text)[0].1;
                let root = Document::new(bytes, dialect).root().unwrap();
                let read = root.as_text().unwrap();
                assert_eq!(read.to_str(), Ok("a".repeat(nul).as_str()));
                assert_eq!(read.codes().count(), nul);
                assert_eq!(read.raw(), text);
                assert_eq!(read.check(), Ok(()));
                assert!(read == *"a".repeat(nul));
                assert!(read != *"a".repeat(nul + 1));
            }
        }
    }
}

/// A handle tells the same place as validation, and gives the characters up to there.
#[test]
fn handles_tell_where_text_goes_wrong() {
    for dialect in Dialect::ALL {
        for mark in [&[][..], BOM] {
            for good in 0..10 {
                let text = [mark, "ü".repeat(good).as_bytes(), b"\xffb"].concat();
                let mut bytes = Vec::new();
                words(&mut bytes, &[4]);
                field(&mut bytes, &text);
                let root = Document::new(&bytes, dialect).root().unwrap();
                let read = root.as_text().unwrap();
                let expected = (ErrorKind::InvalidUtf8, 8 + mark.len() + 2 * good);
                assert_eq!(read.to_str().map_err(at), Err(expected), "{dialect}");
                assert_eq!(read.check().map_err(at), Err(expected), "{dialect}");
                assert_eq!(read.codes().collect::<Vec<_>>(), vec![0xfc; good]);
                assert_eq!(root.as_str(), None);
                assert_eq!(read.offset(), 8);
            }
        }
    }
}

/// `docs/FORMAT.md` §6, row 13: Godot 3 reads surrogates as characters, Godot 4 refuses them.
#[test]
fn characters_are_those_of_the_dialect() {
    let mut bytes = Vec::new();
    words(&mut bytes, &[4]);
    field(&mut bytes, b"a\xed\xa0\x80b");
    for (dialect, expected) in [
        (Dialect::GODOT_4, &[0x61][..]),
        (Dialect::GODOT_3, &[0x61, 0xd800, 0x62]),
        (Dialect::GODOT_2, &[0x61, 0xd800, 0x62]),
    ] {
        let root = Document::new(&bytes, dialect).root().unwrap();
        let codes: Vec<_> = root.as_text().unwrap().codes().collect();
        assert_eq!(codes, expected, "{dialect}");
    }
}
