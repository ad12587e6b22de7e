use alloc::{vec, vec::Vec};

use gdvar_wire::{Dialect, Kind, Limits};

use super::{Cursor, PayloadWords, same};
use crate::{
    Document, ErrorKind, ReadOptions,
    bytes::{
        common::Words,
        head::BodyForm,
        samples::{array, int, nested, string, words},
    },
};

fn cursor(bytes: &[u8], options: ReadOptions) -> Cursor<'_> {
    Cursor::new(bytes, options)
}

fn godot_4(bytes: &[u8]) -> Cursor<'_> {
    cursor(bytes, ReadOptions::new(Dialect::GODOT_4))
}

#[test]
fn every_byte_of_a_name_is_compared() {
    for len in 0..40 {
        let name = vec![b'a'; len];
        assert!(same(&name, &name));
        for at in 0..len {
            let mut other = name.clone();
            other[at] = b'b';
            assert!(!same(&name, &other), "{at} of {len}");
        }
    }
}

#[test]
fn scalars_are_taken_up_to_the_last_byte() {
    for dialect in Dialect::ALL {
        let options = ReadOptions::new(dialect);
        // At the end of the buffer, and before another scalar.
        for after in [0, 8] {
            let value = |value: &[u32]| [words(value), vec![0xff; after]].concat();
            let left = |cursor: &Cursor<'_>| assert_eq!(cursor.left(), after, "{dialect}");

            let bytes = value(&[1, 7]);
            let mut at = cursor(&bytes, options);
            assert_eq!((at.int(), at.float(), at.nil()), (None, None, false));
            assert_eq!(at.bool(), Some(true));
            left(&at);
            let bytes = value(&[2, u32::MAX]);
            let mut at = cursor(&bytes, options);
            assert_eq!((at.bool(), at.float(), at.nil()), (None, None, false));
            assert_eq!(at.int(), Some(-1));
            left(&at);
            let bytes = value(&[0x1_0002, 5, 1]);
            let mut at = cursor(&bytes, options);
            assert_eq!(at.int(), Some(5 + (1 << 32)));
            left(&at);
            let bytes = value(&[3, 0x3fc0_0000]);
            let mut at = cursor(&bytes, options);
            assert_eq!((at.bool(), at.int(), at.nil()), (None, None, false));
            assert_eq!(at.float(), Some(1.5));
            left(&at);
            let bytes = value(&[0x1_0003, 0, 0x3ff8_0000]);
            let mut at = cursor(&bytes, options);
            assert_eq!(at.float(), Some(1.5));
            left(&at);
            let bytes = value(&[0]);
            let mut at = cursor(&bytes, options);
            assert_eq!((at.bool(), at.int(), at.float()), (None, None, None));
            assert!(at.nil());
            left(&at);
        }
        for short in [&[0x1_0002, 5][..], &[0x1_0003, 5]] {
            let bytes = words(short);
            let mut at = cursor(&bytes, options);
            assert_eq!((at.int(), at.float(), at.left()), (None, None, 8));
        }
    }
}

#[test]
fn null_may_be_an_object_or_have_odd_header_bits() {
    for dialect in Dialect::ALL {
        let options = ReadOptions::new(dialect);
        for word in 0..dialect.type_count() {
            let kind = dialect.kind(gdvar_wire::TypeId(word));
            let expected = matches!(kind, Some(Kind::Nil | Kind::Object));
            for header in [word.into(), u32::from(word) | 0x100] {
                let bytes = words(&[header, 0]);
                let found = cursor(&bytes, options).may_be_null();
                assert_eq!(found, expected, "{dialect} {header:#x}");
            }
        }
        assert!(cursor(&[], options).may_be_null());
    }
}

#[test]
fn text_is_taken_if_engines_read_all_of_it() {
    for text in [&b""[..], b"abc", "日本".as_bytes(), &[b'x'; 100]] {
        let bytes = string(text);
        let mut at = godot_4(&bytes);
        assert_eq!(at.fast_text().map(str::as_bytes), Some(text));
        assert_eq!(at.left(), 0);
    }
    // A byte order mark, a NUL, invalid UTF-8, another kind, and a text that is cut off.
    let mut all: Vec<Vec<u8>> = [&b"\xef\xbb\xbfa"[..], b"a\0b", b"a\xff"]
        .map(string)
        .into();
    all.push(int(7));
    all.push(words(&[4, 5, 0]));
    for bytes in all {
        let mut at = godot_4(&bytes);
        assert_eq!(at.fast_text(), None, "{bytes:x?}");
        assert_eq!(at.left(), bytes.len());
    }
}

#[test]
fn a_name_is_taken_if_it_is_equal() {
    for name in [
        "",
        "a",
        "hp",
        "abc",
        "name",
        "eight888",
        "a name of many letters",
    ] {
        let bytes = string(name.as_bytes());
        let mut at = godot_4(&bytes);
        assert!(!at.name("other") && !at.name(&name.to_uppercase().replace("", "_")));
        assert_eq!(at.left(), bytes.len());
        assert!(at.name(name), "{name}");
        assert_eq!(at.left(), 0);
    }
    // Another name of this length.
    let bytes = string(b"abc");
    assert!(!godot_4(&bytes).name("abd"));
    // The bytes of a String after the header of a NodePath.
    let bytes = [words(&[22]), string(b"abc")[4..].to_vec()].concat();
    assert!(!godot_4(&bytes).name("abc"));
}

#[test]
fn containers_are_entered_while_they_fit() {
    for dialect in Dialect::ALL {
        let Words { array, dict, .. } = Words::of(dialect);
        let options = ReadOptions::new(dialect);
        for (word, least) in [(array, 1), (dict, 2)] {
            // An array of nulls, which take four bytes each.
            for count in [0, 1, 2, 9] {
                let bytes = words(&vec![0; 2 + least * count as usize]);
                let bytes = [&words(&[word, count])[..], &bytes[8..]].concat();
                let least = 4 * least as u64;
                let mut at = cursor(&bytes, options);
                assert_eq!(at.fast_count(word, least), Some(count), "{dialect}");
                assert_eq!((at.depth, at.offset()), (1, 8));
                let more = [&words(&[word, count + 1])[..], &bytes[8..]].concat();
                let mut at = cursor(&more, options);
                assert_eq!(at.fast_count(word, least), None, "{dialect}");
                assert_eq!((at.depth, at.offset()), (0, 0));
            }
            let shared = words(&[word, 1 << 31]);
            assert_eq!(cursor(&shared, options).fast_count(word, 4), None);
            let other = words(&[2, 0]);
            assert_eq!(cursor(&other, options).fast_count(word, 4), None);
        }
        let bytes = words(&[array, 1, 2, 7]);
        let mut at = cursor(&bytes, options);
        assert_eq!(at.enter_untyped_array(), Some(1));
        assert_eq!(at.int(), Some(7));
        at.leave();
        assert_eq!((at.depth, at.left()), (0, 0));
    }
}

#[test]
fn the_depth_limit_is_kept() {
    let bytes = nested(2, array(&[int(7)]));
    let options = ReadOptions::new(Dialect::GODOT_4);
    for (limit, entered) in [(1, 1), (2, 2), (3, 3)] {
        let limits = Limits::ENGINE.with_max_depth(limit);
        let mut at = cursor(&bytes, options.with_limits(limits));
        for _ in 0..entered {
            assert_eq!(at.enter_array(), Ok(Some(1)), "{limit}");
        }
        let inner = at.enter_array();
        if limit == 3 {
            assert_eq!((inner, at.int()), (Ok(None), Some(7)));
        } else {
            let kind = ErrorKind::DepthExceeded { limit };
            assert_eq!(inner.unwrap_err().kind(), kind);
        }
    }
}

#[test]
fn payloads_of_a_kind_are_taken() {
    let vector = words(&[9, 1, 2, 3]);
    let wide = words(&[0x1_0009, 1, 2, 3, 4, 5, 6]);
    let mut at = godot_4(&vector);
    assert_eq!(at.fast_payload(Kind::Vector3), Some(&vector[4..]));
    assert_eq!(at.left(), 0);
    let mut at = godot_4(&wide);
    assert_eq!(at.fast_payload(Kind::Vector3), None);
    assert_eq!(at.payload(Kind::Vector3), Ok(Some((&wide[4..], true))));
    assert_eq!(at.left(), 0);
    // A value of another kind is not taken, with children or without.
    for other in [int(7), string(b"abc"), array(&[])] {
        let mut at = godot_4(&other);
        assert_eq!(at.payload(Kind::Vector3), Ok(None));
        assert_eq!(at.left(), other.len());
    }
    let mut strict = cursor(&vector, ReadOptions::new(Dialect::GODOT_4).strict());
    assert_eq!(strict.fast_payload(Kind::Vector3), None);
    assert_eq!(
        strict.payload(Kind::Vector3),
        Ok(Some((&vector[4..], false)))
    );
}

#[test]
fn payload_words_give_the_value_again() {
    let bytes = nested(3, int(7));
    for options in [
        ReadOptions::new(Dialect::GODOT_4),
        ReadOptions::new(Dialect::GODOT_4).strict(),
    ] {
        let mut value = Document::with_options(&bytes, options).root().unwrap();
        for depth in 0..=3 {
            let again = PayloadWords::of(value).value().unwrap();
            assert_eq!(again.offset(), 8 * usize::from(depth));
            assert_eq!(again.depth(), depth);
            assert_eq!(again.options(), options);
            let Some(array) = value.as_array() else {
                assert_eq!(again.as_i64(), Some(7));
                continue;
            };
            value = array.iter().try_next().unwrap().unwrap();
        }
    }
}

#[test]
fn a_name_is_found_from_any_index() {
    let names = ["hp", "name", "he", "position", "hp"];
    for from in 0..=names.len() {
        for (place, name) in names.iter().enumerate() {
            let bytes = string(name.as_bytes());
            let mut at = godot_4(&bytes);
            // From `from` on, the first of the two equal names.
            let expected = match (place, from) {
                (0 | 4, 1..=4) => 4,
                (0 | 4, _) => 0,
                (place, _) => place,
            };
            assert_eq!(at.one_of(&names, from), Some(expected), "{name} {from}");
            assert_eq!(at.left(), 0);
        }
    }
    for other in [
        string(b"h"),
        string(b"hpx"),
        string(b"hq"),
        string(b""),
        int(7),
    ] {
        let mut at = godot_4(&other);
        assert_eq!(at.one_of(&names, 1), None);
        assert_eq!(at.left(), other.len());
    }
    // Cut after the text, and in it.
    let whole = string(b"name!");
    for end in 8..whole.len() {
        assert_eq!(godot_4(&whole[..end]).one_of(&["name!"], 0), None, "{end}");
    }
    assert_eq!(godot_4(&whole).one_of(&["name!"], 0), Some(0));
    assert_eq!(godot_4(&whole).one_of(&["name!"], 2), None);
}

#[test]
fn string_names_are_names() {
    for dialect in Dialect::ALL {
        let Some(id) = dialect.type_id(Kind::StringName) else {
            continue;
        };
        let mut bytes = string(b"hp");
        bytes[0] = id.0;
        let mut at = cursor(&bytes, ReadOptions::new(dialect));
        assert!(at.name("hp"), "{dialect}");
        assert_eq!(at.left(), 0);
        let mut at = cursor(&bytes, ReadOptions::new(dialect));
        assert_eq!(at.one_of(&["mp", "hp"], 0), Some(1), "{dialect}");
    }
    // Type 21 is a StringName in Godot 4, but not in Godot 3.
    let mut bytes = string(b"hp");
    bytes[0] = 21;
    assert!(!cursor(&bytes, ReadOptions::new(Dialect::GODOT_3)).name("hp"));
}

/// `docs/FORMAT.md` §4.3: the element types are words before the count.
#[test]
fn containers_of_builtin_types_are_entered() {
    let list = words(&[0x1_001c, 2, 1, 2, 7]);
    let mut at = godot_4(&list);
    assert_eq!(at.enter_dict(), Ok(None));
    assert_eq!(at.left(), list.len());
    assert_eq!((at.enter_array(), at.int()), (Ok(Some(1)), Some(7)));
    assert_eq!((at.depth, at.left()), (1, 0));
    let pairs = words(&[0x5_001b, 2, 2, 1, 2, 7, 2, 8]);
    let mut at = godot_4(&pairs);
    assert_eq!(at.enter_array(), Ok(None));
    assert_eq!(at.enter_dict(), Ok(Some(1)));
    assert_eq!((at.int(), at.int(), at.left()), (Some(7), Some(8), 0));
    // A type that does not exist, and more children than bytes.
    for bad in [[0x1_001c, 99, 1, 2, 7], [0x1_001c, 2, 9, 2, 7]] {
        assert!(godot_4(&words(&bad)).enter_array().is_err(), "{bad:?}");
    }
    let limits = Limits::ENGINE.with_max_depth(0);
    let options = ReadOptions::new(Dialect::GODOT_4).with_limits(limits);
    let error = cursor(&list, options).enter_array().unwrap_err();
    assert_eq!(error.kind(), ErrorKind::DepthExceeded { limit: 0 });
}

#[test]
fn a_common_header_gives_the_kind() {
    for (word, kind) in [
        (0, Some(Kind::Nil)),
        (0x1_0002, Some(Kind::Int)),
        (9, Some(Kind::Vector3)),
        (0x1_001c, Some(Kind::Array)),
        (0x8_0002, None),
        (0x63, None),
    ] {
        assert_eq!(godot_4(&words(&[word])).common_kind(), kind, "{word:#x}");
    }
    assert_eq!(godot_4(&[2, 0, 0]).common_kind(), None);
}

/// Common containers are entered without reading a head: untyped Dictionaries, and containers of a builtin
/// type.
#[test]
fn common_containers_are_entered_fast() {
    let dict = words(&[27, 1, 2, 5, 2, 6]);
    let typed_array = words(&[0x1_001c, 2, 1, 2, 7]);
    let typed_dict = words(&[0x5_001b, 2, 2, 1, 2, 5, 2, 6]);
    assert_eq!(godot_4(&dict).enter_untyped_dict(), Some(1));
    assert_eq!(godot_4(&typed_dict).enter_untyped_dict(), None);
    for (bytes, form, other) in [
        (&typed_array, BodyForm::Items, BodyForm::Pairs),
        (&typed_dict, BodyForm::Pairs, BodyForm::Items),
    ] {
        let mut at = godot_4(bytes);
        assert_eq!(at.enter_typed(other), None);
        assert_eq!(at.offset(), 0);
        assert_eq!(at.enter_typed(form), Some(1));
        assert!(at.int().is_some());
        let mut limited = cursor(bytes, ReadOptions::new(Dialect::GODOT_4).strict());
        assert_eq!(limited.enter_typed(form), None);
    }
    assert_eq!(godot_4(&int(7)).enter_typed(BodyForm::Items), None);
}
