//! Numbers and types through every command that takes values: what is read back is what was typed, or the command
//! refused it.

mod common;

use std::{
    fs,
    path::{Path, PathBuf},
};

use common::{gdvar, stderr, stdout};

/// A save made of a text.
fn file(text: &str, options: &[&str]) -> (tempfile::TempDir, PathBuf) {
    let folder = tempfile::tempdir().expect("a folder");
    let path = folder.path().join("slot.sav");
    let args = [
        &["from-text", "-", "-o", path.to_str().expect("UTF-8")],
        options,
    ]
    .concat();
    stdout(&args, text.as_bytes(), 0);
    (folder, path)
}

/// The file as text.
fn text(path: &Path) -> String {
    text_of(path, "godot4")
}

/// The file of a dialect as text.
fn text_of(path: &Path, dialect: &str) -> String {
    stdout(
        &["text", path.to_str().expect("UTF-8"), "-d", dialect],
        b"",
        0,
    )
}

#[test]
fn typed_containers_and_floats_keep_their_types() {
    const SAVE: &str = r#"{"typed": Array[int]([7]), "hp": 80.5, "n": 3, "d": Dictionary[String, float]({"a": 1.0})}"#;
    for (verb, change, after, said) in [
        ("set", "typed=[1, 2]", r#""typed": Array[int]([1, 2])"#, ""),
        ("set", "typed[0]=2.0", r#""typed": Array[int]([2])"#, ""),
        ("append", "typed=2.0", r#""typed": Array[int]([7, 2])"#, ""),
        (
            "insert",
            "typed[0]=2.0",
            r#""typed": Array[int]([2, 7])"#,
            "",
        ),
        ("set", "hp=3", r#""hp": 3.0"#, ""),
        (
            "set",
            r#"d={"b": 3}"#,
            r#""d": Dictionary[String, float]({"b": 3.0})"#,
            "",
        ),
        ("set", "d.c=3", r#""c": 3.0"#, "added, it was not there"),
        ("insert", "d.c=3", r#""c": 3.0"#, ""),
        // If the type of a value changes, a message says so.
        ("set", "n=4.5", r#""n": 4.5"#, "was Int, becomes Float"),
        (
            "set",
            "typed=Array[float]([1])",
            r#""typed": Array[float]([1.0])"#,
            "was Array[int], becomes Array[float]",
        ),
    ] {
        let (_folder, path) = file(SAVE, &[]);
        let output = gdvar(&[verb, path.to_str().expect("UTF-8"), change, "-i"], b"");
        let errors = String::from_utf8_lossy(&output.stderr);
        assert_eq!(output.status.code(), Some(0), "{verb} {change}: {errors}");
        let now = text(&path);
        assert!(now.contains(after), "{verb} {change}: {now}");
        assert!(errors.contains(said), "{verb} {change}: {errors}");
    }
    for (verb, change, why) in [
        (
            "set",
            "typed=[1, 1.5]",
            "typed[1]: the container is typed and holds Int only",
        ),
        (
            "set",
            r#"typed=["a"]"#,
            "typed[0]: the container is typed and holds Int only",
        ),
        ("append", "typed=1.5", "holds Int only"),
        ("insert", r#"typed[0]="a""#, "holds Int only"),
        ("set", "hp=9007199254740993", "none equals 9007199254740993"),
    ] {
        let (_folder, path) = file(SAVE, &[]);
        let before = fs::read(&path).expect("the save");
        let errors = stderr(&[verb, path.to_str().expect("UTF-8"), change, "-i"], b"", 1);
        assert!(errors.contains(why), "{verb} {change}: {errors}");
        assert_eq!(
            fs::read(&path).expect("the save"),
            before,
            "{verb} {change}"
        );
    }
}

/// What a text stands for: an int, a float, or a number that 64 bits cannot hold. The last is refused with a
/// message that contains this part of the allowed range.
enum Meant {
    Int(i64),
    Float(f64),
    Refused(&'static str),
}

const INT: &str = "9223372036854775807";
const FLOAT: &str = "1.7976931348623157e308";

const NUMBERS: &[(&str, Meant)] = &[
    ("2147483648", Meant::Int(2_147_483_648)),
    ("-2147483649", Meant::Int(-2_147_483_649)),
    ("9007199254740993", Meant::Int(9_007_199_254_740_993)),
    ("9223372036854775807", Meant::Int(i64::MAX)),
    ("9223372036854775808", Meant::Refused(INT)),
    ("-9223372036854775808", Meant::Int(i64::MIN)),
    ("-9223372036854775809", Meant::Refused(INT)),
    ("18446744073709551615", Meant::Refused(INT)),
    ("18446744073709551616", Meant::Refused(INT)),
    ("1e308", Meant::Float(1e308)),
    ("1e309", Meant::Refused(FLOAT)),
    ("-1e400", Meant::Refused(FLOAT)),
    ("1e-400", Meant::Refused(FLOAT)),
    ("5e-324", Meant::Float(5e-324)),
    ("-0.0", Meant::Float(-0.0)),
    ("0.1", Meant::Float(0.1)),
];

/// The number that stands under a key in the text of a save.
fn number_in(text: &str, key: &str) -> String {
    let (_, rest) = text
        .split_once(&format!("{key:?}: "))
        .unwrap_or_else(|| panic!("{text}"));
    rest.split([',', '}', ']'])
        .next()
        .expect("a number")
        .trim_start_matches('[')
        .to_owned()
}

#[track_caller]
fn check(who: &str, meant: &Meant, done: &std::process::Output, (path, dialect): (&Path, &str)) {
    let errors = String::from_utf8_lossy(&done.stderr);
    let now = if done.status.success() {
        text_of(path, dialect)
    } else {
        String::new()
    };
    match meant {
        Meant::Refused(range) => {
            assert_ne!(done.status.code(), Some(0), "{who}: {now}");
            assert!(errors.contains(range), "{who}: {errors}");
        }
        Meant::Int(int) => {
            assert_eq!(done.status.code(), Some(0), "{who}: {errors}");
            assert_eq!(number_in(&now, "new"), int.to_string(), "{who}");
        }
        Meant::Float(float) => {
            assert_eq!(done.status.code(), Some(0), "{who}: {errors}");
            let found: f64 = number_in(&now, "new").parse().expect("a float");
            assert_eq!(found.to_bits(), float.to_bits(), "{who}: {now}");
        }
    }
}

#[test]
fn what_was_typed_is_what_is_read_back() {
    for dialect in ["godot4", "godot3", "pandemonium5"] {
        let options = ["-d", dialect];
        for (number, meant) in NUMBERS {
            for (verb, change) in [
                ("set", format!("new={number}")),
                ("insert", format!("new={number}")),
                ("append", format!("list={number}")),
                ("edit", String::new()),
            ] {
                let (_folder, path) = file(r#"{"list": [], "old": 4711}"#, &options);
                let file = path.to_str().expect("UTF-8");
                let who = format!("{verb} {number} in {dialect}");
                let done = if verb == "edit" {
                    common::gdvar_with(
                        &["edit", file, "-d", dialect],
                        &[(
                            "EDITOR",
                            &format!("sed -i 's/\"old\": 4711/\"new\": {number}/'"),
                        )],
                    )
                } else {
                    gdvar(&[verb, file, &change, "-i", "-d", dialect], b"")
                };
                if verb != "append" {
                    check(&who, meant, &done, (&path, dialect));
                    continue;
                }
                let now = text_of(&path, dialect).replace("\"list\": [", "\"new\": ");
                match meant {
                    Meant::Refused(range) => {
                        let errors = String::from_utf8_lossy(&done.stderr);
                        assert!(errors.contains(range), "{who}: {errors}");
                        assert!(now.contains("\"new\": ]"), "{who}: {now}");
                    }
                    Meant::Int(int) => assert_eq!(number_in(&now, "new"), int.to_string(), "{who}"),
                    Meant::Float(float) => {
                        let found: f64 = number_in(&now, "new").parse().expect("a float");
                        assert_eq!(found.to_bits(), float.to_bits(), "{who}");
                    }
                }
            }
            // The notations.
            let is_float = number.contains(['.', 'e']);
            let native = format!(
                r#"{{"type":"Dictionary","args":["s:new","{}:{number}"]}}"#,
                if is_float { 'f' } else { 'i' }
            );
            let tagged = format!(r#"{{"Dictionary":[[{{"String":"new"}},{{"Int":"{number}"}}]]}}"#);
            for (verb, style, made) in [
                ("from-text", "", format!("{{\"new\": {number}}}")),
                ("from-json", "plain", format!("{{\"new\": {number}}}")),
                ("from-json", "native", native),
                ("from-json", "tagged", tagged),
            ] {
                if style == "tagged" && is_float {
                    continue;
                }
                let folder = tempfile::tempdir().expect("a folder");
                let path = folder.path().join("slot.sav");
                let mut args = vec![
                    verb,
                    "-",
                    "-o",
                    path.to_str().expect("UTF-8"),
                    "-d",
                    dialect,
                ];
                if !style.is_empty() {
                    args.extend(["--style", style]);
                }
                let done = gdvar(&args, made.as_bytes());
                check(
                    &format!("{verb} {style} {number} in {dialect}"),
                    meant,
                    &done,
                    (&path, dialect),
                );
            }
        }
        // Other forms are refused, and not read as their first digits.
        for number in ["0x10", "0b11", "1_000"] {
            let (_folder, path) = file(r#"{"old": 1}"#, &options);
            let done = gdvar(
                &[
                    "set",
                    path.to_str().expect("UTF-8"),
                    &format!("old={number}"),
                    "-i",
                    "-d",
                    dialect,
                ],
                b"",
            );
            assert_eq!(done.status.code(), Some(1), "{number}");
            assert_eq!(number_in(&text_of(&path, dialect), "old"), "1");
        }
        // Infinity has a name.
        let (_folder, path) = file(r#"{"new": 1.5}"#, &options);
        let name = path.to_str().expect("UTF-8");
        for (typed, float) in [("inf", f64::INFINITY), ("-inf", f64::NEG_INFINITY)] {
            let done = gdvar(
                &["set", name, &format!("new={typed}"), "-i", "-d", dialect],
                b"",
            );
            check(typed, &Meant::Float(float), &done, (&path, dialect));
        }
    }
}

#[test]
fn an_int_is_not_replaced_by_a_rounded_number() {
    const SAVE: &str = r#"{"i": 5, "a": Array[int]([5]), "p": PackedInt64Array(5), "v": Vector2i(5, 5), "o": {"i": 5}}"#;
    for (number, is_exact) in [
        ("4503599627370497.0", true),
        ("9007199254740991.0", true),
        ("9007199254740992.0", false),
        ("9007199254740993.0", false),
        ("-9007199254740993.0", false),
        ("9.007199254740993e15", false),
        ("123456789012345678.0", false),
        ("-9223372036854775809.0", false),
        ("9007199254740993", true),
    ] {
        for (verb, change) in [
            ("set", format!("i={number}")),
            ("set", format!("a[0]={number}")),
            ("set", format!("a=[{number}]")),
            ("set", format!("a=Array[int]([{number}])")),
            ("append", format!("a={number}")),
            ("insert", format!("a[0]={number}")),
            ("set", format!("p[0]={number}")),
            ("set", format!("p=PackedInt64Array({number})")),
            ("set", format!(r#"o={{"i": {number}}}"#)),
            ("set", format!("v.x={number}")),
        ] {
            let (_folder, path) = file(SAVE, &[]);
            let before = fs::read(&path).expect("the save");
            let done = gdvar(&[verb, path.to_str().expect("UTF-8"), &change, "-i"], b"");
            let errors = String::from_utf8_lossy(&done.stderr);
            // A component of 32 bits has no room for any of them.
            if is_exact && !change.starts_with('v') {
                assert_eq!(done.status.code(), Some(0), "{verb} {change}: {errors}");
                let digits = number.trim_end_matches(".0");
                assert!(
                    text(&path).contains(digits),
                    "{verb} {change}: {}",
                    text(&path)
                );
                continue;
            }
            assert_eq!(
                done.status.code(),
                Some(1),
                "{verb} {change}: {}",
                text(&path)
            );
            let said = ["without a point", "whole number", "no room"];
            assert!(
                said.iter().any(|said| errors.contains(said)),
                "{change}: {errors}"
            );
            let after = fs::read(&path).expect("the save");
            assert_eq!(after, before, "{verb} {change}");
        }
    }
}

#[test]
fn values_that_differ_look_different() {
    for (old, new, shown) in [
        // An f32 and the double beside it have the same digits as singles.
        (
            "0.9268712",
            "0.9268711805343628",
            "0.9268712 -> 0.9268711805343628",
        ),
        (
            r#""x""#,
            r#"&"x""#,
            r#""x" -> &"x"  (String -> StringName)"#,
        ),
        ("1", "1.0", "1 -> 1.0  (Int -> Float)"),
    ] {
        let (_a, a) = file(&format!("{{\"v\": {old}}}"), &[]);
        let (_b, b) = file(&format!("{{\"v\": {new}}}"), &[]);
        let paths = [a.to_str().expect("UTF-8"), b.to_str().expect("UTF-8")];
        let text = stdout(&["diff", paths[0], paths[1]], b"", 1);
        assert_eq!(text, format!("~ $.v  {shown}\n"));
        let json = stdout(&["diff", "--json", paths[0], paths[1]], b"", 1);
        let line: serde_json::Value = serde_json::from_str(&json).expect("JSON");
        let same = line["from"] == line["to"];
        let other_type = line
            .get("from_type")
            .is_some_and(|from| *from != line["to_type"]);
        assert!(!same || other_type, "{json}");
    }
    // Two texts that first differ behind the length at which texts are shortened.
    let long = "a".repeat(100);
    let (_a, a) = file(&format!("\"{long}b\""), &[]);
    let (_b, b) = file(&format!("\"{long}c\""), &[]);
    let text = stdout(
        &[
            "diff",
            a.to_str().expect("UTF-8"),
            b.to_str().expect("UTF-8"),
        ],
        b"",
        1,
    );
    let (from, to) = text.trim_end().split_once(" -> ").expect("two values");
    assert!(from.ends_with("ab\"") && to.ends_with("ac\""), "{text}");
}

#[test]
fn json_is_read_in_the_style_it_has() {
    let (_folder, path) = file(r#"{"a": Vector2(1, 2), 3: &"b"}"#, &[]);
    let old = fs::read(&path).expect("the save");
    let name = path.to_str().expect("UTF-8");
    let tagged = stdout(&["json", "--style", "tagged", name], b"", 0);
    let made = gdvar(&["from-json", "-"], tagged.as_bytes());
    assert_eq!(made.stdout, old);
    assert!(String::from_utf8_lossy(&made.stderr).contains("tagged"));
    // With `--style plain`, tagged JSON is read as plain JSON.
    let made = gdvar(&["from-json", "-", "--style", "plain"], tagged.as_bytes());
    assert_ne!(made.stdout, old);
    let native = stdout(&["json", "--style", "native", name], b"", 0);
    let said = stderr(&["from-json", "-"], native.as_bytes(), 0);
    assert!(said.contains("--style native"), "{said}");
    // A key that is there twice is an error at its place; one value would be lost.
    let said = stderr(&["from-json", "-"], b"{\"a\": 1,\n \"b\": 2, \"b\": 3}", 3);
    assert!(
        said.contains("line 2, column 2: this key is in its object more than once"),
        "{said}"
    );
    // Keys with one text are two members.
    let (_folder, path) = file(r#"{3: "int", "3": "text", 3.0: "float"}"#, &[]);
    let json = stdout(&["json", path.to_str().expect("UTF-8")], b"", 0);
    let value: serde_json::Value = serde_json::from_str(&json).expect("JSON");
    assert_eq!(
        value.as_object().map(|members| members.len()),
        Some(3),
        "{json}"
    );
    assert_eq!(
        json.trim_end(),
        r#"{"3":"int","3 (String)":"text","3.0":"float"}"#
    );
}
