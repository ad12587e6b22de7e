//! Paths: how they are written, where a text that is not a path goes wrong, and what they lead to.

use gdvar::{
    Dialect, Document, Objects, ReadOptions, VariantRef,
    index::Index,
    path::{Path, Step},
};

fn words(out: &mut Vec<u8>, words: &[u32]) {
    out.extend(words.iter().flat_map(|word| word.to_le_bytes()));
}

fn text(out: &mut Vec<u8>, text: &str) {
    words(out, &[text.len() as u32]);
    out.extend(text.as_bytes());
    out.resize(out.len().next_multiple_of(4), 0);
}

fn id(dialect: Dialect, kind: gdvar::Kind) -> u32 {
    dialect.type_id(kind).expect("a type").0.into()
}

#[test]
fn paths_are_steps() {
    use Step::{Index, Name, PairKey, PairValue};
    for (path, steps, shown) in [
        ("", &[][..], "$"),
        ("$", &[], "$"),
        ("a", &[Name("a")], "$.a"),
        ("$.a", &[Name("a")], "$.a"),
        (".a", &[Name("a")], "$.a"),
        ("_1", &[Name("_1")], "$._1"),
        ("9.ü", &[Name("9"), Name("ü")], "$.9.ü"),
        ("ü[0]", &[Name("ü"), Index(0)], "$.ü[0]"),
        ("[-1][2]", &[Index(-1), Index(2)], "$[-1][2]"),
        ("[\"a\"]", &[Name("a")], "$.a"),
        ("[\"\"]", &[Name("")], "$[\"\"]"),
        ("[\"a b\"].c", &[Name("a b"), Name("c")], "$[\"a b\"].c"),
        ("[\"]\"]", &[Name("]")], "$[\"]\"]"),
        // A backslash takes the next character as it is, and stays in the step.
        ("[\"\\\"\"]", &[Name("\\\"")], "$[\"\\\"\"]"),
        ("[\"\\\\\"]", &[Name("\\\\")], "$[\"\\\\\"]"),
        ("[\"\\\\\\\"x\"]", &[Name("\\\\\\\"x")], "$[\"\\\\\\\"x\"]"),
        // Single quotes do as well; what is shown has double ones.
        ("['a b']", &[Name("a b")], "$[\"a b\"]"),
        ("['a\"b']", &[Name("a\"b")], "$[\"a\\\"b\"]"),
        ("['a\\'b']", &[Name("a'b")], "$[\"a'b\"]"),
        ("['a']", &[Name("a")], "$.a"),
        // Control characters, and what only looks like one.
        ("['\\n\\t\\r']", &[Name("\n\t\r")], "$[\"\\n\\t\\r\"]"),
        ("['\\u{1b}[0m']", &[Name("\u{1b}[0m")], "$[\"\\u{1b}[0m\"]"),
        ("['\\u00e9\\u0041B']", &[Name("éAB")], "$.éAB"),
        (
            "['\\ud800\\u00g0\\u12']",
            &[Name("ud800u00g0u12")],
            "$.ud800u00g0u12",
        ),
        ("['\\u{}\\u{+1}']", &[Name("u{}u{+1}")], "$[\"u{}u{+1}\"]"),
        ("[&\"a\"]", &[Step::StringName("a")], "$[&\"a\"]"),
        ("[&'a b']", &[Step::StringName("a b")], "$[&\"a b\"]"),
        ("[String('a')]", &[Step::String("a")], "$[String(\"a\")]"),
        ("{0}{3:key}", &[PairValue(0), PairKey(3)], "${0}{3:key}"),
        ("{4294967295}", &[PairValue(u32::MAX)], "${4294967295}"),
        (
            "[9223372036854775807]",
            &[Index(i64::MAX)],
            "$[9223372036854775807]",
        ),
        (
            "[-9223372036854775808]",
            &[Index(i64::MIN)],
            "$[-9223372036854775808]",
        ),
    ] {
        let parsed = Path::parse(path).expect(path);
        assert_eq!(parsed.steps(), steps, "{path}");
        assert_eq!(parsed.to_string(), shown, "{path}");
    }
}

#[test]
fn what_is_no_path_goes_wrong_at_a_byte() {
    for (path, offset) in [
        ("$a", 1),
        (".", 0),
        ("$.", 1),
        ("a.", 1),
        ("a..b", 1),
        ("a b", 1),
        ("a-b", 1),
        (" a", 0),
        ("a$", 1),
        ("ü.", 2),
        ("$.ü ", 4),
        ("[", 0),
        ("[]", 0),
        ("[*]", 0),
        ("[1:2]", 0),
        ("..a", 0),
        ("[x]", 0),
        ("['a]", 0),
        ("['a\"]", 0),
        ("[&a]", 0),
        ("[&\"a\"", 0),
        ("[String(a)]", 0),
        ("[String('a']", 0),
        ("[True]", 0),
        ("[1.5.5]", 0),
        ("[.]", 0),
        ("[infinity]", 0),
        ("[Vector2i(5)]", 0),
        ("[Vector2i(5, 9, 1)]", 0),
        ("[Vector2i(5, 9.5)]", 0),
        ("[Vector2i(5, 2147483648)]", 0),
        ("[Vector2(1, 2]", 0),
        ("[Basis(1)]", 0),
        ("[vector2(1, 2)]", 0),
        ("a[1", 1),
        ("a[ 1]", 1),
        ("[9223372036854775808]", 0),
        ("[\"a", 0),
        ("[\"a\"", 0),
        ("[\"a\"x]", 0),
        ("[\"a\\\"]", 0),
        ("[\"a\\\\\\\"]", 0),
        ("[0]\"", 3),
        ("{", 0),
        ("{}", 0),
        ("{:key}", 0),
        ("{1", 0),
        ("{-1}", 0),
        ("{1:kay}", 0),
        ("a{4294967296}", 1),
        ("a}", 1),
        ("a]", 1),
    ] {
        let error = Path::parse(path).expect_err(path);
        assert_eq!(error.offset, offset, "{path}");
        let from = format!("this is not a path from byte {offset} on; ");
        assert!(error.to_string().starts_with(&from), "{path}");
    }
}

/// Keys that are not text and no int: how they are written, and how they are shown.
#[test]
fn keys_of_other_types_are_steps() {
    use gdvar::Kind;
    for (path, kind, numbers, shown) in [
        ("[null]", Kind::Nil, &[][..], "$[null]"),
        ("[true]", Kind::Bool, &[1.0], "$[true]"),
        ("[false]", Kind::Bool, &[0.0], "$[false]"),
        ("[1.5]", Kind::Float, &[1.5], "$[1.5]"),
        ("[1.0]", Kind::Float, &[1.0], "$[1.0]"),
        ("[-1e3]", Kind::Float, &[-1000.0], "$[-1000.0]"),
        ("[inf]", Kind::Float, &[f64::INFINITY], "$[inf]"),
        ("[-inf]", Kind::Float, &[f64::NEG_INFINITY], "$[-inf]"),
        (
            "[Vector2i(5,9)]",
            Kind::Vector2i,
            &[5.0, 9.0],
            "$[Vector2i(5, 9)]",
        ),
        (
            "[Vector2( 0.1 , -2 )]",
            Kind::Vector2,
            &[0.1, -2.0],
            "$[Vector2(0.1, -2)]",
        ),
        (
            "[Vector3(1,2,3)]",
            Kind::Vector3,
            &[1.0, 2.0, 3.0],
            "$[Vector3(1, 2, 3)]",
        ),
        (
            "[Vector3i(1,2,3)]",
            Kind::Vector3i,
            &[1.0, 2.0, 3.0],
            "$[Vector3i(1, 2, 3)]",
        ),
        (
            "[Rect2(1,2,3,4)]",
            Kind::Rect2,
            &[1.0, 2.0, 3.0, 4.0],
            "$[Rect2(1, 2, 3, 4)]",
        ),
        (
            "[Quat(0,0,0,1)]",
            Kind::Quaternion,
            &[0.0, 0.0, 0.0, 1.0],
            "$[Quaternion(0, 0, 0, 1)]",
        ),
        (
            "[Color(1,0.5,0,1)]",
            Kind::Color,
            &[1.0, 0.5, 0.0, 1.0],
            "$[Color(1, 0.5, 0, 1)]",
        ),
    ] {
        let parsed = Path::parse(path).expect(path);
        let [Step::Key(key)] = parsed.steps() else {
            panic!("{path}");
        };
        assert_eq!((key.kind(), key.numbers()), (kind, numbers), "{path}");
        assert_eq!(parsed.to_string(), shown);
        assert_eq!(Path::parse(shown).expect(shown), parsed);
    }
}

/// A StringName and a String are told apart on request, and found by one word.
#[test]
fn texts_are_told_apart_on_request() {
    for dialect in Dialect::ALL {
        let Some(string_name) = dialect.type_id(gdvar::Kind::StringName) else {
            continue;
        };
        let mut bytes = Vec::new();
        words(&mut bytes, &[id(dialect, gdvar::Kind::Dictionary), 4]);
        let mut places = Vec::new();
        for (key, name) in [
            (4, "a"),
            (u32::from(string_name.0), "a"),
            (u32::from(string_name.0), "b"),
            (4, "c"),
        ] {
            words(&mut bytes, &[key]);
            text(&mut bytes, name);
            places.push(bytes.len());
            words(&mut bytes, &[2, 7]);
        }
        let document = Document::new(&bytes, dialect);
        let [string, name, b, c] = places[..] else {
            panic!()
        };
        // One key in Godot 4, of which the last counts; two keys in Pandemonium, and the String goes first.
        let one_key = dialect.string_names_equal_strings();
        assert_eq!(
            leads_to(document, "a"),
            Some(if one_key { name } else { string }),
            "{dialect}"
        );
        assert_eq!(
            leads_to(document, "['\\a']"),
            leads_to(document, "a"),
            "{dialect}"
        );
        assert_eq!(leads_to(document, "[&\"a\"]"), Some(name));
        assert_eq!(leads_to(document, "[String(\"a\")]"), Some(string));
        assert_eq!(leads_to(document, "b"), Some(b), "{dialect}");
        assert_eq!(leads_to(document, "[&\"b\"]"), Some(b));
        assert_eq!(leads_to(document, "[String(\"b\")]"), None);
        assert_eq!(leads_to(document, "c"), Some(c));
        assert_eq!(leads_to(document, "[&\"c\"]"), None);
        let shown = document.locate(b).to_string();
        assert_eq!(shown, if one_key { "$.b" } else { "$[&\"b\"]" });
        assert_eq!(leads_to(document, &shown), Some(b));
    }
}

/// Returns the offset that `path` leads to. Every way to follow a path must lead to the same offset.
#[track_caller]
fn leads_to(document: Document<'_>, path: &str) -> Option<usize> {
    let parsed = Path::parse(path).expect(path);
    let root = document.root().expect("in order");
    let place = |value: VariantRef<'_>| value.offset();
    let found = root.get_path(&parsed).expect(path).map(place);
    let mut index = Index::build(document).expect("in order");
    for sorted in [false, true] {
        if sorted {
            index.sort_keys(document).expect("in order");
        }
        let indexed = index.open(document).expect("its own").get_path(&parsed);
        let indexed = indexed.map(|value| value.offset());
        assert_eq!(indexed, found, "{path}");
    }
    found
}

#[test]
fn numbers_count_from_either_end_of_an_array() {
    for dialect in Dialect::ALL {
        // Small enough to be walked, and so large that an index has it.
        for len in [0, 1, 3, 40] {
            let mut bytes = Vec::new();
            words(&mut bytes, &[id(dialect, gdvar::Kind::Array), len]);
            (0..len).for_each(|n| words(&mut bytes, &[2, n]));
            let document = Document::new(&bytes, dialect);
            let len = i64::from(len);
            for n in -len - 2..len + 2 {
                let from_start = if n < 0 { n + len } else { n };
                let expected = (0..len).contains(&from_start).then_some(8 + 8 * from_start);
                let found = leads_to(document, &format!("[{n}]"));
                assert_eq!(
                    found.map(|at| at as i64),
                    expected,
                    "{dialect} {n} of {len}"
                );
            }
            for path in [
                "[-9223372036854775808]",
                "[9223372036854775807]",
                "{0}",
                "{0:key}",
                "a",
            ] {
                assert_eq!(leads_to(document, path), None, "{path}");
            }
            // Numbers have no children.
            if len > 0 {
                for path in ["[0][0]", "[0]{0}", "[0].a"] {
                    assert_eq!(leads_to(document, path), None, "{path}");
                }
            }
        }
    }
}

/// Names, some of them odd, the first of them once more behind all others; then ints.
const NAMES: [&str; 7] = ["a", "", "a b", "a\"b", "a\\b", "\\\\", "a\\"];

#[test]
fn pairs_are_found_by_name_number_and_place() {
    for dialect in Dialect::ALL {
        for ints in [0, 3, 60] {
            let count = NAMES.len() as u32 + 1 + ints;
            let mut bytes = Vec::new();
            let mut places = Vec::new();
            words(&mut bytes, &[id(dialect, gdvar::Kind::Dictionary), count]);
            for n in 0..count {
                let key = bytes.len();
                match NAMES.get(n as usize) {
                    Some(name) => {
                        words(&mut bytes, &[4]);
                        text(&mut bytes, name);
                    }
                    None if n + 1 == count => {
                        words(&mut bytes, &[4]);
                        text(&mut bytes, NAMES[0]);
                    }
                    None => words(&mut bytes, &[2, n]),
                }
                places.push((key, bytes.len()));
                words(&mut bytes, &[2, n]);
            }
            let document = Document::new(&bytes, dialect);
            for (n, &(key, value)) in places.iter().enumerate() {
                assert_eq!(leads_to(document, &format!("{{{n}}}")), Some(value));
                assert_eq!(leads_to(document, &format!("{{{n}:key}}")), Some(key));
                let path = match NAMES.get(n) {
                    Some(name) => {
                        let name = name.replace('\\', "\\\\").replace('"', "\\\"");
                        format!("[\"{name}\"]")
                    }
                    None => format!("[{n}]"),
                };
                // The last of the keys that are equal.
                let last = places.len() - 1;
                let expected = match n {
                    0 => Some(places[last].1),
                    n if n == last => None,
                    _ => Some(value),
                };
                assert_eq!(leads_to(document, &path), expected, "{dialect} {path}");
                // A path that was not written by hand leads back.
                let shown = document.locate(value).to_string();
                let expected = expected.unwrap_or(places[last].1);
                assert_eq!(leads_to(document, &shown), Some(expected), "{shown}");
                let shown = document.locate(key).to_string();
                assert_eq!(shown, format!("${{{n}:key}}"));
            }
            for path in [
                "[\"b\"]",
                "[\"a \"]",
                "[\"a\\\\\\\\b\"]",
                "[100]",
                "[-1]",
                "{100}",
                "{100:key}",
            ] {
                assert_eq!(leads_to(document, path), None, "{dialect} {path}");
            }
            // An escape that is not needed means the same.
            assert_eq!(leads_to(document, "[\"\\a b\"]"), Some(places[2].1));
        }
    }
}

#[test]
fn properties_are_found_by_name() {
    for dialect in Dialect::ALL
        .into_iter()
        .filter(|dialect| dialect.has_object_payload())
    {
        for more in [0, 60] {
            let count = NAMES.len() as u32 + 1 + more;
            let mut bytes = Vec::new();
            words(&mut bytes, &[id(dialect, gdvar::Kind::Object)]);
            text(&mut bytes, "A");
            words(&mut bytes, &[count]);
            let mut places = Vec::new();
            for n in 0..count {
                let other = format!("p{n}");
                let name = match NAMES.get(n as usize) {
                    Some(name) => name,
                    None if n + 1 == count => NAMES[0],
                    None => other.as_str(),
                };
                text(&mut bytes, name);
                places.push(bytes.len());
                words(&mut bytes, &[2, n]);
            }
            let options = ReadOptions::new(dialect).with_objects(Objects::Inert);
            let document = Document::with_options(&bytes, options);
            assert_eq!(leads_to(document, "a"), places.last().copied(), "{dialect}");
            for (n, name) in NAMES.iter().enumerate().skip(1) {
                let name = name.replace('\\', "\\\\").replace('"', "\\\"");
                let found = leads_to(document, &format!("[\"{name}\"]"));
                assert_eq!(found, Some(places[n]), "{dialect} {name}");
            }
            let found = (more > 0).then(|| places[20]);
            assert_eq!(leads_to(document, "p20"), found, "{dialect}");
            for path in ["b", "[0]", "{0}", "{0:key}", "a[0]"] {
                assert_eq!(leads_to(document, path), None, "{dialect} {path}");
            }
        }
    }
}

/// Names as people see them in the place of a byte: quoted if they must be, and never with control
/// characters, which a terminal would obey.
#[test]
fn odd_names_are_quoted() {
    for (name, shown) in [
        ("ab_9", "$.ab_9"),
        ("ü", "$.ü"),
        ("", "$[\"\"]"),
        ("ü b!", "$[\"ü b!\"]"),
        ("'", "$[\"'\"]"),
        ("\"", "$[\"\\\"\"]"),
        ("\\", "$[\"\\\\\"]"),
        ("a\nb", "$[\"a\\nb\"]"),
        ("\u{1b}[0m", "$[\"\\u{1b}[0m\"]"),
    ] {
        let mut bytes = Vec::new();
        words(
            &mut bytes,
            &[id(Dialect::GODOT_4, gdvar::Kind::Dictionary), 1, 4],
        );
        text(&mut bytes, name);
        let value = bytes.len();
        words(&mut bytes, &[2, 7]);
        let document = Document::new(&bytes, Dialect::GODOT_4);
        assert_eq!(document.locate(value).to_string(), shown);
    }
}
