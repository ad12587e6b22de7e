//! Paths: how they are written, where one that is none goes wrong, and what they lead to.

use gdvar::{Dialect, Document, Index, Objects, Path, ReadOptions, Step, VariantRef};

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
        ("[x]", 0),
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
        let from = format!("this is no path from byte {offset} on; ");
        assert!(error.to_string().starts_with(&from), "{path}");
    }
}

/// Where every way to take a path leads, which must be the same.
#[track_caller]
fn leads_to(document: Document<'_>, path: &str) -> Option<usize> {
    let parsed = Path::parse(path).expect(path);
    let root = document.root().expect("in order");
    let place = |value: VariantRef<'_>| value.offset();
    let found = root.get_path(&parsed).expect(path).map(place);
    let checked = document.check().expect("in order").get_path(&parsed);
    assert_eq!(
        checked.map(|value| value.into_inner().offset()),
        found,
        "{path}"
    );
    let mut index = Index::build(document).expect("in order");
    for sorted in [false, true] {
        if sorted {
            index.sort_keys(document).expect("in order");
        }
        let indexed = index.open(document).expect("its own").get_path(&parsed);
        let indexed = indexed.expect(path).map(|value| value.offset());
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
            let options = ReadOptions::new(dialect).objects(Objects::Inert);
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
