//! `schema` prints what the test itself counted, and the files fit the schema.

mod common;

use std::{env, fs};

use common::{gdvar, save, stderr, stdout};
use gdvar_conformance::vectors::{ENGINES, Engine, Vector, testdata, vectors};
use gdvar_view::{Dialect, Document};
use serde_json::Value;

fn made(text: &str) -> Vec<u8> {
    let output = gdvar(&["from-text", "-"], text.as_bytes());
    assert_eq!(output.status.code(), Some(0), "{text}");
    output.stdout
}

/// Makes twenty saves with known keys and types.
fn saves() -> tempfile::TempDir {
    let folder = tempfile::tempdir().expect("a folder");
    for n in 0..20 {
        let title = if n % 3 == 0 {
            "\"title\": \"sir\", "
        } else {
            ""
        };
        let boss = if n % 2 == 0 { "null" } else { "&\"wolf\"" };
        let tags = vec!["7"; n].join(", ");
        let text = format!(
            "{{\"level\": {n}, {title}\"boss\": {boss}, \"name\": \"hero of the long valley {n}\", \
             \"pos\": Vector2({n}, 2), \"tags\": [{tags}], \"ratio\": {n}.5, \"cells\": {{{n}: true}}, \
             \"seen\": {{\"a\": {{\"x\": 1}}, \"b\": {{\"x\": {n}}}, \"c{n}\": {{\"x\": 3}}}}}}"
        );
        fs::write(folder.path().join(format!("{n:02}.sav")), made(&text)).expect("space");
    }
    folder
}

#[test]
fn what_is_known_is_told() {
    let folder = saves();
    let text = stdout(&["schema", folder.path().to_str().expect("a path")], b"", 0);
    let lines: Vec<&str> = text.lines().map(str::trim).collect();
    for line in [
        "20 files, 20 records",
        "level: int  0 to 19",
        "title?: String  \"sir\", in 7 of 20",
        "boss: StringName | null  \"wolf\"",
        "name: String  25 to 26 characters",
        "pos: Vector2",
        "tags: Array  0 to 19 elements",
        "[*]: int  7",
        "ratio: float  0.5 to 19.5",
        "cells: Dictionary with keys int  1 pairs",
        "x: int  0 to 19",
    ] {
        assert!(lines.contains(&line), "{line} is not in\n{text}");
    }
    // Keys that are data are not fields.
    assert!(!text.contains("c7"), "{text}");
}

/// Checks a value against a JSON schema, with only those keywords that the schemas of `gdvar` use.
fn fits(schema: &Value, value: &Value) -> Result<(), String> {
    if let Some(any) = schema["anyOf"].as_array() {
        if any.iter().any(|one| fits(one, value).is_ok()) {
            return Ok(());
        }
        return Err(format!("{value} is none of {any:?}"));
    }
    if let Some(kinds) = schema["type"].as_array() {
        let any = |kind: &Value| fits(&serde_json::json!({"type": kind}), value).is_ok();
        return match kinds.iter().any(any) {
            true => Ok(()),
            false => Err(format!("{value} is none of {kinds:?}")),
        };
    }
    let Some(kind) = schema["type"].as_str() else {
        assert!(
            schema.as_object().is_some_and(serde_json::Map::is_empty),
            "{schema}"
        );
        return Ok(());
    };
    let is = match kind {
        "null" => value.is_null(),
        "boolean" => value.is_boolean(),
        "integer" => value.is_i64() || value.is_u64(),
        "number" => value.is_number(),
        "string" => value.is_string(),
        "array" => value.is_array(),
        "object" => value.is_object(),
        other => panic!("{other}"),
    };
    if !is {
        return Err(format!("{value} is no {kind}"));
    }
    for item in value.as_array().into_iter().flatten() {
        fits(&schema["items"], item)?;
    }
    let len = value.as_array().map(Vec::len).unwrap_or_default() as u64;
    if schema["minItems"].as_u64().is_some_and(|least| len < least)
        || schema["maxItems"].as_u64().is_some_and(|most| len > most)
    {
        return Err(format!("{value} has {len} elements"));
    }
    for key in schema["required"].as_array().into_iter().flatten() {
        if value.get(key.as_str().expect("a key")).is_none() {
            return Err(format!("{key} is missing"));
        }
    }
    for (key, value) in value.as_object().into_iter().flatten() {
        let own = schema["properties"].get(key);
        if let Some(own) = own.or(schema.get("additionalProperties")) {
            fits(own, value).map_err(|error| format!("{key}: {error}"))?;
        }
    }
    Ok(())
}

/// Dictionaries of the values that engines wrote: infinities, NaN and ids of objects in all kinds.
#[test]
fn json_of_every_value_fits_its_json_schema() {
    let folder = tempfile::tempdir().expect("a folder");
    let mut nulls = 0;
    let is_godot4 = |engine: &Engine| engine.dialect == Dialect::GODOT_4 && !engine.double;
    for engine in ENGINES.into_iter().filter(is_godot4) {
        let is_good = |vector: &Vector| {
            let document = Document::new(&vector.bytes, engine.dialect);
            // serde_json reads 128 levels.
            let is_deep = vector.id.contains("depth") || vector.id.contains("deep");
            // An engine may leave out the padding of the last text, but not before another value.
            let end = document.validate().ok();
            let is_padded = end == Some(vector.bytes.len()) && vector.bytes.len().is_multiple_of(4);
            vector.canonical && !is_deep && is_padded
        };
        let values: Vec<Vector> = vectors(engine).into_iter().filter(is_good).collect();
        assert!(values.len() > 200, "{}", values.len());
        // A few values in a Dictionary, so that each key is a field.
        for values in values.chunks(8) {
            let mut bytes = [27, values.len() as u32].map(u32::to_le_bytes).concat();
            for (n, vector) in values.iter().enumerate() {
                bytes.extend(
                    [4_u32, 1, u32::from(b'a') + n as u32]
                        .map(u32::to_le_bytes)
                        .concat(),
                );
                bytes.extend(&vector.bytes);
            }
            let path = folder.path().join("one.dat");
            fs::write(&path, bytes).expect("space");
            let args = ["-f", "bare", "-d", "godot4", path.to_str().expect("a path")];
            let schema = [&["schema", "--style", "json-schema"], &args[..]].concat();
            let schema = serde_json::from_str(&stdout(&schema, b"", 0)).expect("JSON");
            let json = stdout(&[&["json", "-q"], &args[..]].concat(), b"", 0);
            let json = serde_json::from_str(&json).expect("JSON");
            fits(&schema, &json).unwrap_or_else(|error| panic!("{}: {error}", values[0].id));
            nulls += usize::from(schema.to_string().contains(r#"["number","null"]"#));
        }
    }
    assert!(nulls > 10, "{nulls}");
}

#[test]
fn json_of_saves_fits_their_json_schema() {
    let folder = saves();
    let mut sets = vec![folder.path().to_str().expect("a path").to_owned()];
    for name in [
        "rpg3.sav",
        "rpg4.sav",
        "camp4.sav",
        "exact4.sav",
        "settings4.cfg",
        "leaderboard4.dat",
        "replay4.rec",
        "voxel4.chunk",
    ] {
        sets.push(save(name).to_str().expect("a path").to_owned());
    }
    for set in sets {
        let schema = stdout(&["schema", "--style", "json-schema", &set], b"", 0);
        let schema: Value = serde_json::from_str(&schema).expect("JSON");
        assert_eq!(schema["title"], "Save");
        let files = if fs::metadata(&set).expect("it is there").is_dir() {
            let files = fs::read_dir(&set).expect("a folder");
            files.map(|file| file.expect("a file").path()).collect()
        } else {
            vec![set.clone().into()]
        };
        for file in files {
            let json = stdout(&["json", "-q", file.to_str().expect("a path")], b"", 0);
            for line in json.lines() {
                let value = serde_json::from_str(line).expect("JSON");
                fits(&schema, &value).unwrap_or_else(|error| panic!("{}: {error}", file.display()));
            }
        }
    }
    // The JSON schema requires a key that all saves have, and refuses a type that no save has.
    let schema = stdout(
        &["schema", "--json", folder.path().to_str().expect("a path")],
        b"",
        0,
    );
    let schema: Value = serde_json::from_str(&schema).expect("JSON");
    assert!(fits(&schema, &serde_json::json!({"level": 1})).is_err());
    let one = stdout(
        &[
            "json",
            "-q",
            folder.path().join("03.sav").to_str().expect("a path"),
        ],
        b"",
        0,
    );
    let mut one: Value = serde_json::from_str(&one).expect("JSON");
    one["level"] = "three".into();
    assert!(fits(&schema, &one).is_err());
}

/// The classes for typed containers, which Godot 4.6.3 compiled, filled, and wrote as the same bytes
/// (`testdata/oracle/typed_schema4.gd`).
#[test]
fn typed_containers_keep_their_types() {
    let file = testdata("schema").join("typed4.dat");
    let file = file.to_str().expect("a path");
    let text = stdout(&["schema", "--style", "gdscript", file], b"", 0);
    let path = testdata("schema").join("typed4.gd");
    if env::var_os("UPDATE_SCHEMA").is_some() {
        fs::write(&path, text).expect("space");
    } else {
        assert_eq!(text, fs::read_to_string(&path).expect("the code"));
    }
    let types = [
        ("points", "Array[Vector2]"),
        ("counts", "Dictionary[String, int]"),
        ("places", "Dictionary[StringName, Vector3]"),
        ("lists", "Dictionary[int, Array]"),
        ("half", "Dictionary[String, Variant]"),
        ("rows", "Array[Dictionary]"),
        ("grids", "Array[Array]"),
        ("bytes", "Array[PackedByteArray]"),
        ("names", "Array[StringName]"),
        ("empty", "Array[float]"),
    ];
    let code = fs::read_to_string(path).expect("the code");
    let tree = stdout(&["schema", file], b"", 0);
    let json = stdout(&["schema", "--style", "json-schema", file], b"", 0);
    let rust = stdout(&["schema", "--style", "rust", file], b"", 0);
    for (name, kind) in types {
        assert!(
            code.contains(&format!("\nvar {name}: {kind}")),
            "{name}: {code}"
        );
        assert!(
            tree.contains(&format!("\n  {name}: {kind}")),
            "{name}: {tree}"
        );
        assert!(json.contains(&format!("\"seen: {kind}")), "{name}: {json}");
        assert!(rust.contains(&format!("// seen: {kind}")), "{name}: {rust}");
    }
}

/// `gdvar schema` prints exactly the stored code: the structs that `conformance/tests/records/schema.rs` compiles and
/// fills from the save, and the classes that Godot 4.6.3 compiled and filled. With `UPDATE_SCHEMA` set, the stored code
/// is written again.
#[test]
fn code_is_that_which_was_tried() {
    for (style, end) in [("rust", "rs"), ("gdscript", "gd")] {
        let path = testdata("schema").join(format!("rpg4.{end}"));
        let text = stdout(
            &[
                "schema",
                "--style",
                style,
                save("rpg4.sav").to_str().expect("a path"),
            ],
            b"",
            0,
        );
        if env::var_os("UPDATE_SCHEMA").is_some() {
            fs::write(&path, text).expect("space");
        } else {
            assert_eq!(
                text,
                fs::read_to_string(&path).expect("the code"),
                "{style}"
            );
        }
    }
}

/// Keys with the names of types that the code uses, of one of them with its own new name, and of a word of Rust.
#[test]
fn keys_do_not_take_the_names_of_types() {
    let text = "{\"option\": {\"m\": 1}, \"string\": {\"q\": \"t\"}, \"vec\": {\"list\": [1]}, \
                \"self\": {\"s\": 1}, \"saved_string\": {\"q\": 2}, \"vecs\": [{\"a\": 1}, {\"b\": \"t\"}]}";
    let code = stdout(
        &["-d", "godot4", "schema", "--style", "rust", "-"],
        &made(text),
        0,
    );
    let path = testdata("schema").join("names4.rs");
    if env::var_os("UPDATE_SCHEMA").is_some() {
        fs::write(&path, &code).expect("space");
    }
    // `conformance/tests/records/schema.rs` compiles it.
    assert_eq!(code, fs::read_to_string(&path).expect("the code"));
    for name in ["Option", "String", "Vec", "Self"] {
        let named = stdout(
            &[
                "-d", "godot4", "schema", "--style", "rust", "--name", name, "-",
            ],
            &made(text),
            0,
        );
        assert!(
            named.contains(&format!("pub struct Saved{name} {{")),
            "{named}"
        );
        let alias = stdout(
            &[
                "-d", "godot4", "-f", "len32", "schema", "--style", "rust", "--name", name, "-",
            ],
            &made("[\"a text\"]"),
            0,
        );
        assert!(
            alias.contains(&format!("pub type Saved{name} = Vec<String>;")),
            "{alias}"
        );
    }
}

/// A save chooses the class and the script of its arrays. A line end in such a name must not end a comment of the code.
#[test]
fn names_of_types_add_no_lines_to_the_code() {
    let hostile = "A]\nfunc _init():\n\tpass #";
    // A Dictionary with one Array, of a class (2) or a script (3).
    for (descriptor, name) in [
        (2_u32, hostile.to_owned()),
        (3, format!("res://{hostile}.gd")),
    ] {
        let field = |text: &str| {
            let mut bytes = (text.len() as u32).to_le_bytes().to_vec();
            bytes.extend(text.bytes());
            bytes.resize(bytes.len().next_multiple_of(4), 0);
            bytes
        };
        let word = |word: u32| word.to_le_bytes().to_vec();
        let array = [word(28 | descriptor << 16), field(&name), word(0)].concat();
        let bytes = [word(27), word(1), word(4), field("a"), array].concat();
        let folder = tempfile::tempdir().expect("a folder");
        let file = folder.path().join("typed.dat");
        fs::write(&file, bytes).expect("space");
        let file = file.to_str().expect("a path");
        for style in ["gdscript", "rust", "json-schema"] {
            let code = stdout(
                &[
                    "schema", "--style", style, "-f", "bare", "-d", "godot4", file,
                ],
                b"",
                0,
            );
            assert!(!code.contains("\nfunc _init"), "{style}: {code}");
            assert!(!code.contains("\n\tpass"), "{style}: {code}");
        }
    }
}

#[test]
fn damaged_files_are_told_and_left_out() {
    let folder = saves();
    let bad = folder.path().join("bad.sav");
    let bytes = fs::read(folder.path().join("03.sav")).expect("a save");
    fs::write(&bad, &bytes[..bytes.len() - 8]).expect("space");
    let output = gdvar(&["schema", folder.path().to_str().expect("a path")], b"");
    assert_eq!(output.status.code(), Some(3));
    let text = String::from_utf8(output.stdout).expect("UTF-8");
    assert!(text.starts_with("21 files, 20 records\n"), "{text}");
    stderr(&["schema", "no such file"], b"", 6);
}
