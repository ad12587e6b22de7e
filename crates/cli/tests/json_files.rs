//! Files of `JSON.from_native`. Godot 4.6.3 wrote them (`testdata/oracle/native_files4.gd`), and the values beside them are
//! what its `JSON.to_native` makes of them.

mod common;

use std::{fs, path::PathBuf};

use common::{gdvar, stderr, stdout};

fn sample(name: &str) -> PathBuf {
    gdvar_conformance::vectors::testdata("documents/godot4").join(name)
}

fn path(name: &str) -> String {
    sample(name).to_str().expect("UTF-8").to_owned()
}

#[test]
fn native_json_has_the_values_of_the_engine() {
    for name in [
        "native.json",
        "native.tab.json",
        "native.list.json",
        "native.pairs.json",
        "native.objects.json",
    ] {
        let value = format!("{name}.value");
        for verb in ["view", "get", "json", "gron", "text", "schema", "stats"] {
            let root = if verb == "get" { &["$"][..] } else { &[] };
            let args = |file: &str, more: &[&str]| {
                let file = path(file);
                let args = [
                    &[verb][..],
                    more,
                    &["--objects", "inert", "-q", &file],
                    root,
                ];
                String::from_utf8(gdvar(&args.concat(), b"").stdout).expect("UTF-8")
            };
            let json = args(name, &[]);
            let read = args(&value, &["-d", "godot4", "-f", "bare"]);
            // The output of these also depends on the size or the name of the file, so it cannot be equal.
            if ["schema", "stats"].contains(&verb) {
                assert!(!json.is_empty(), "{verb} {name}");
                continue;
            }
            assert_eq!(json, read, "{verb} {name}");
        }
        let (json, value) = (path(name), path(&value));
        let diff = ["diff", "--objects", "inert", &json, &value];
        assert_eq!(stdout(&diff, b"", 0), "", "{name}");
    }
    let info = stdout(&["info", "--json", &path("native.json")], b"", 0);
    assert!(info.contains("json:native"), "{info}");
}

#[test]
fn an_edit_says_how_else() {
    let folder = tempfile::tempdir().expect("a folder");
    let file = folder.path().join("save.json");
    fs::copy(sample("native.json"), &file).expect("space");
    let name = file.to_str().expect("UTF-8");
    for args in [
        &["set", name, "hp=99"][..],
        &["del", name, "hp"],
        &["insert", name, "mp=1"],
        &["rename-key", name, "hp=life"],
        &["convert", "--to", "godot4", name],
    ] {
        let said = stderr(args, b"", 2);
        assert!(
            said.contains("gdvar from-json --style native"),
            "{args:?} {said}"
        );
    }
    assert!(fs::read(&file).expect("a file") == fs::read(sample("native.json")).expect("a file"));
    // What the message says.
    let save = folder.path().join("save.dat");
    let save = save.to_str().expect("UTF-8");
    stdout(
        &["from-json", "-q", "--style", "native", name, "-o", save],
        b"",
        0,
    );
    stdout(&["set", "-q", save, "hp=99", "-o", save], b"", 0);
    let json = stdout(&["json", "-q", "--style", "native", save], b"", 0);
    assert_eq!(stdout(&["get", "-", "hp"], json.as_bytes(), 0), "99\n");
}

/// JSON that is not in the native style is refused, and the message says what the file is.
#[test]
fn other_json_is_not_taken_for_native() {
    for text in [
        "{\"hp\": 80}",
        "{\"type\": \"Sword\", \"args\": [1]}",
        "{\"type\": \"Vector2\", \"args\": [1, 2], \"more\": 1}",
        "{\"type\": \"Vector2\"}",
        "{\"args\":[],\"type\":\"Dictionary\"} x",
        "[\"one\",\"two\"]",
        "[\"i:1\",2]",
        "[\"i:1\",\"x:1\"]",
        "[{\"hp\":80}]",
        "[{\"args\":[],\"type\":\"Dictionary\"},{}]",
        "[true,null]",
    ] {
        let said = stderr(&["view", "-"], text.as_bytes(), 3);
        assert!(
            said.contains("JSON") || said.contains("text"),
            "{text} {said}"
        );
    }
}
