//! Keys of every type that a path can name are found, added only once, and checked against the types of the
//! Dictionary. The expected bytes come from the parser, which reads the same value as text.

use gdvar_edit::{Dialect, Document, Edit, EditErrorKind, places};
use gdvar_text::{ParseOptions, parse_godot};
use gdvar_view::{Found, Path};
use gdvar_write::{Precision, Target};

/// Steps and the keys that they name.
const KEYS: &[(&str, &str)] = &[
    (r#"[&"x"]"#, r#"&"x""#),
    (r#"[&"say \"x\""]"#, r#"&"say \"x\"""#),
    (r#"[String("x")]"#, r#""x""#),
    ("x", r#""x""#),
    ("[7]", "7"),
    ("[-3000000000]", "-3000000000"),
    ("[null]", "null"),
    ("[true]", "true"),
    ("[false]", "false"),
    ("[1.5]", "1.5"),
    ("[0.1]", "0.1"),
    ("[7.0]", "7.0"),
    ("[1e300]", "1e300"),
    ("[inf]", "inf"),
    ("[nan]", "nan"),
    ("[Vector2(1.5, 0.1)]", "Vector2(1.5, 0.1)"),
    ("[Vector2i(50,-50)]", "Vector2i(50, -50)"),
    ("[Vector3(1, 2, 3)]", "Vector3(1, 2, 3)"),
    ("[Vector3i(1, 2, 3)]", "Vector3i(1, 2, 3)"),
    ("[Vector4(1, 2, 3, 4)]", "Vector4(1, 2, 3, 4)"),
    ("[Vector4i(1, 2, 3, 4)]", "Vector4i(1, 2, 3, 4)"),
    ("[Rect2(1, 2, 3, 4)]", "Rect2(1, 2, 3, 4)"),
    ("[Rect2i(1, 2, 3, 4)]", "Rect2i(1, 2, 3, 4)"),
    ("[Plane(0, 1, 0, 4)]", "Plane(0, 1, 0, 4)"),
    ("[Quaternion(0, 0, 0, 1)]", "Quaternion(0, 0, 0, 1)"),
    ("[Color(1, 0.5, 0, 1)]", "Color(1, 0.5, 0, 1)"),
];

fn read(text: &str, target: Target) -> Option<Vec<u8>> {
    // Godot 2 and 3 have other names for two types.
    let text = match target.dialect() {
        Dialect::GODOT_2 | Dialect::GODOT_3 => text.replace("Quaternion(", "Quat("),
        _ => text.to_owned(),
    };
    let parsed = parse_godot(&text, &ParseOptions::new(target).with_whole(true));
    parsed.ok().map(|parsed| parsed.bytes)
}

fn bytes(text: &str) -> Vec<u8> {
    read(text, Target::GODOT_4).unwrap_or_else(|| panic!("{text}"))
}

/// The targets to try: every dialect, and a double-precision engine.
fn targets() -> Vec<Target> {
    let mut all: Vec<Target> = Dialect::ALL.iter().map(|one| Target::from(*one)).collect();
    all.push(Target::GODOT_4.with_precision(Precision::Double));
    all
}

#[test]
fn every_key_that_a_path_names_is_added_once() {
    let mut added = 0;
    for target in targets() {
        // A new key has the width of those that are there.
        let first = "Vector2(9, 9): 0";
        for (step, key) in KEYS {
            for before in [format!("{{{first}}}"), format!("{{{first}, \"a\": 1}}")] {
                let with = |value: &str| {
                    let rest = before.trim_end_matches('}');
                    read(&format!("{rest}, {key}: {value}}}"), target)
                };
                let who = format!("{step} in {before} for {target:?}");
                let old = read(&before, target).expect("every engine has it");
                let document = Document::new(&old, target.dialect());
                let five = read("5", target).expect("an int");
                for is_insert in [false, true] {
                    let mut edit = Edit::new(document);
                    match is_insert {
                        true => edit.insert(step, &five),
                        false => edit.set(step, &five),
                    };
                    let Ok(plan) = edit.plan() else {
                        // The engine lacks the type.
                        let kind = edit.plan().map(|_| ()).expect_err(&who).kind();
                        assert!(
                            matches!(kind, EditErrorKind::Unwritable(_)),
                            "{who}: {kind}"
                        );
                        assert!(with("5").is_none() || key.starts_with('&'), "{who}");
                        continue;
                    };
                    let new = plan.to_vec();
                    assert_eq!(Some(&new), with("5").as_ref(), "{who}");
                    added += 1;
                    // Now it is there: it can be set, but not added again.
                    let document = Document::new(&new, target.dialect());
                    let mut edit = Edit::new(document);
                    edit.set(step, read("6", target).expect("an int"));
                    let again = edit.plan().expect(&who).to_vec();
                    assert_eq!(Some(again), with("6"), "{who}");
                    let mut edit = Edit::new(document);
                    edit.insert(step, &five);
                    let error = edit.plan().expect_err(&who);
                    assert_eq!(error.kind(), EditErrorKind::KeyExists, "{who}");
                    let mut edit = Edit::new(document);
                    edit.remove(step);
                    assert_eq!(edit.plan().expect(&who).to_vec(), old, "{who}");
                }
            }
        }
    }
    assert!(added > 400, "{added}");
}

#[test]
fn a_typed_dictionary_takes_its_own_keys_only() {
    for (typed, own) in [
        ("Vector2i", "[Vector2i(1, 2)]"),
        ("StringName", r#"[&"x"]"#),
        ("StringName", "x"),
        ("String", "x"),
        ("String", r#"[String("x")]"#),
        ("float", "[1.5]"),
        ("bool", "[true]"),
        ("Color", "[Color(1, 0, 0, 1)]"),
    ] {
        let old = bytes(&format!("Dictionary[{typed}, int]({{}})"));
        for (step, _) in KEYS.iter().chain(&[(own, "")]) {
            let mut edit = Edit::new(Document::new(&old, Dialect::GODOT_4));
            edit.set(step, bytes("5"));
            let is_own = match typed {
                "String" => step.starts_with("[String") || *step == "x",
                "StringName" => step.starts_with("[&") || *step == "x",
                "float" => {
                    step.contains(['.', 'e', 'i', 'n']) && !step.contains(['(', 'u', '&', 's'])
                }
                "bool" => matches!(*step, "[true]" | "[false]"),
                name => step.starts_with(&format!("[{name}(")),
            };
            let who = format!("{step} in {typed}");
            match edit.plan() {
                Ok(_) => assert!(is_own, "{who}"),
                Err(error) => {
                    let is_type = matches!(error.kind(), EditErrorKind::KeyType { .. });
                    assert!(is_type && !is_own, "{who}: {error}");
                }
            }
        }
    }
}

#[test]
fn what_the_engine_takes_for_one_key_is_not_added_twice() {
    for (before, steps, after) in [
        // In Godot 4 a String and a StringName of one text are one key.
        (r#"{"x": 1}"#, &[r#"[&"x"]"#][..], None),
        (r#"{&"x": 1}"#, &[r#"[String("x")]"#], None),
        (r#"{&"x": 1}"#, &["x"], Some(r#"{&"x": 5}"#)),
        ("{}", &["x", r#"[&"x"]"#], None),
        ("{}", &["[1.5]", "[1.50]"], None),
        ("{}", &["[0.0]", "[-0.0]"], None),
        // Digits find what a vector of 32-bit reals made of them.
        (
            "{Vector2(0.1, 0.2): 1}",
            &["[Vector2(0.1, 0.2)]"],
            Some("{Vector2(0.1, 0.2): 5}"),
        ),
        ("{0.0: 1}", &["[-0.0]"], Some("{0.0: 5}")),
        // A float is not an int.
        ("{1: 1}", &["[1.0]"], Some("{1: 1, 1.0: 5}")),
        ("{true: 1}", &["[1]"], Some("{true: 1, 1: 5}")),
    ] {
        let old = bytes(before);
        let mut edit = Edit::new(Document::new(&old, Dialect::GODOT_4));
        for step in steps {
            edit.set(step, bytes("5"));
        }
        let who = format!("{steps:?} in {before}");
        match (edit.plan(), after) {
            (Ok(plan), Some(after)) => assert_eq!(plan.to_vec(), bytes(after), "{who}"),
            (Err(error), None) => assert_eq!(error.kind(), EditErrorKind::KeyExists, "{who}"),
            (done, _) => panic!("{who}: {done:?}"),
        }
    }
    // A key may take the place of one that goes.
    let old = bytes(r#"{"x": 1}"#);
    let mut edit = Edit::new(Document::new(&old, Dialect::GODOT_4));
    edit.remove("x").set(r#"[&"x"]"#, bytes("5"));
    assert_eq!(
        edit.plan().expect("one key").to_vec(),
        bytes(r#"{&"x": 5}"#)
    );
}

#[test]
fn many_paths_lead_where_each_of_them_leads() {
    for target in targets() {
        let mut text =
            "{\"list\": [1, {\"at\": Vector2(1, 2)}], \"deep\": {\"a\": {\"b\": [[3]]}}".to_owned();
        let names = KEYS.iter().enumerate().filter(|(_, (_, key))| {
            let has_key = read(&format!("{{{key}: 0}}"), target).is_some();
            has_key && !key.starts_with("&\"x")
        });
        names.for_each(|(n, (_, key))| text += &format!(", {key}: {n}"));
        let old = read(&(text + "}"), target).expect("a value");
        let document = Document::new(&old, target.dialect());
        let mut steps: Vec<&str> = KEYS.iter().map(|(step, _)| *step).collect();
        steps.extend([
            "$",
            "list",
            "list[0]",
            "list[-1].at",
            "list[-1].at.y",
            "list[1].at.w",
            "list[2]",
            "list[-3]",
            "list.a",
            "deep.a.b[0][0]",
            "deep.a.c",
            "deep.a.b[0][0].x",
            "deep{0}.b",
            "{2}",
            "{99}",
            "[0.10]",
            "[Vector2(1.5, 0.10000000149011612)]",
            "[1e39]",
            "[Vector2i(50, 50)]",
            "missing",
            "x",
        ]);
        let paths: Vec<Path<'_>> = steps
            .iter()
            .map(|step| Path::parse(step).expect(step))
            .collect();
        let all = places(document, &paths).expect("they can be read");
        let root = document.root().expect("a value");
        for ((step, path), place) in steps.iter().zip(&paths).zip(all) {
            let alone = root.find_path(path).expect("it can be read");
            let shown = |found: Option<Found<'_>>| format!("{found:?}");
            assert_eq!(shown(place.found()), shown(alone), "{step} for {target:?}");
        }
    }
}
