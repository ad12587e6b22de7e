//! `convert --to` of text documents. `testdata/converted` has what Godot 4.6.3 read of the results.

mod common;

use std::{collections::BTreeMap, fs, path::PathBuf};

use common::{gdvar, stderr, stdout};
use serde_json::Value;

fn data(name: &str) -> PathBuf {
    PathBuf::from(concat!(env!("CARGO_MANIFEST_DIR"), "/../../testdata")).join(name)
}

fn text(name: &str) -> String {
    fs::read_to_string(data(name)).expect(name)
}

/// The files of Godot 3.6.2 that were converted, and loaded by Godot 4.6.3.
const RESOURCES: [&str; 9] = [
    "all.tres",
    "class_Gradient.tres",
    "random01.tres",
    "random03.tres",
    "refs.tres",
    "inherited.tscn",
    "scene01.tscn",
    "scene02.tscn",
    "scene09.tscn",
];

#[test]
fn files_of_godot_3_become_those_that_godot_4_loaded() {
    let all = RESOURCES.map(|name| format!("forms/godot3/{name}"));
    let config = "documents/godot3.6/all.cfg".to_owned();
    for name in all.into_iter().chain([config]) {
        let path = data(&name);
        let path = path.to_str().expect("UTF-8");
        let short = name.rsplit('/').next().expect("a name");
        let converted = stdout(&["convert", "-q", "--to", "godot4", path], b"", 0);
        assert_eq!(converted, text(&format!("converted/{short}")), "{name}");
    }
}

/// 3.6.2's `var2bytes` of the old file, converted, is 4.6.3's `var_to_bytes` of the new one.
#[test]
fn a_config_file_has_the_converted_values() {
    let old = data("documents/godot3.6/all.cfg.value");
    let args = "convert -q -d godot3 --to godot4 -f bare --objects inert";
    let args: Vec<&str> = args.split(' ').chain(old.to_str()).collect();
    let converted = gdvar(&args, b"").stdout;
    assert!(converted == fs::read(data("converted/all.cfg.value")).expect("a value"));
}

/// The values by file and place, as an engine told them.
fn values(name: &str) -> BTreeMap<String, Vec<(String, String)>> {
    let mut values: BTreeMap<String, Vec<(String, String)>> = BTreeMap::new();
    for line in text(name).lines() {
        let line: [String; 3] = serde_json::from_str(line).expect(line);
        let [file, place, value] = line;
        let file = file.trim_end_matches(".form").to_owned();
        values.entry(file).or_default().push((place, value));
    }
    values
}

/// The text of a value with the names and blanks of Godot 4.
fn as_in_4(value: &str) -> String {
    let mut value = value.to_owned();
    for (old, new) in [
        ("( ", "("),
        (" )", ")"),
        ("( ", "("),
        (" )", ")"),
        ("PoolIntArray", "PackedInt32Array"),
        ("PoolRealArray", "PackedFloat32Array"),
        ("Pool", "Packed"),
        ("Quat(", "Quaternion("),
        ("Transform(", "Transform3D("),
        // These are what they are called, so the engines print them without quotes, or with.
        ("&\"", "\""),
        ("^\"", "\""),
    ] {
        value = value.replace(old, new);
    }
    value
}

/// Each property that 3.6.2 had in the old file is in the new one, as 4.6.3 loads it.
#[test]
fn godot_4_has_the_values_of_godot_3() {
    let old = values("forms/godot3/values.jsonl");
    let told = values("converted/values.jsonl");
    let mut seen = 0;
    for file in RESOURCES {
        let new: BTreeMap<&str, &str> = { told[file].iter() }
            .map(|(place, value)| (&**place, &**value))
            .collect();
        // By the place of the owner: the names of its metadata in their order.
        let mut metadata: BTreeMap<&str, Vec<&str>> = BTreeMap::new();
        for (place, _) in &told[file] {
            if let Some((owner, name)) = place.rsplit_once("metadata/") {
                if !name.contains('/') {
                    metadata.entry(owner).or_default().push(name);
                }
            }
        }
        for (place, value) in &old[file] {
            // Of lists and paths the engines print other signs.
            let is_list = ["groups", "connections", "editable"]
                .iter()
                .any(|list| place.contains(list));
            if is_list {
                continue;
            }
            let mut place = place.clone();
            while let Some((owner, rest)) = place.split_once("__meta__/") {
                let (number, rest) = rest.split_once('/').unwrap_or((rest, ""));
                let number: usize = number.parse().expect("a number");
                place = format!("{owner}metadata/{}/{rest}", metadata[owner][number]);
            }
            if let Some(owner) = place.strip_suffix("__meta__") {
                let pairs = metadata.get(owner).into_iter().flatten().map(|name| {
                    let value = as_in_4(new[&*format!("{owner}metadata/{name}")]);
                    format!("\"{name}\": {value}")
                });
                let pairs: Vec<_> = pairs.collect();
                assert_eq!(
                    as_in_4(value),
                    format!("{{{}}}", pairs.join(", ")),
                    "{file} {place}"
                );
                seen += pairs.len();
                continue;
            }
            let now = as_in_4(new[&*place]);
            let is_sprite = value == "Sprite" && now == "Sprite2D";
            assert!(
                as_in_4(value) == now || is_sprite,
                "{file} {place}: {value} {now}"
            );
            seen += 1;
        }
    }
    assert!(seen > 250, "{seen}");
}

/// A scene whose node Godot 4 does not have.
const GONE: &str = "[gd_scene format=2]\n\n[node name=\"A\" type=\"ImmediateGeometry\"]\n";

#[test]
fn what_is_missing_is_listed_and_can_forbid_the_file() {
    let folder = tempfile::tempdir().expect("a folder");
    let path = |name: &str| folder.path().join(name).to_str().expect("UTF-8").to_owned();
    let (old, new) = (path("old.tscn"), path("new.tscn"));
    fs::write(&old, GONE).expect("space");
    let args = ["convert", "--to", "godot4", &old, "-o", &new];
    let said = stderr(&[&args[..], &["--on-loss", "fail"]].concat(), b"", 1);
    assert!(said.contains("nothing was written"), "{said}");
    assert!(!fs::exists(&new).expect("a folder"));
    let said = stderr(&args, b"", 1);
    let expected =
        "warning: 1 × class ImmediateGeometry, which Godot 4 does not have, first in line 3 (type)";
    assert!(said.contains(expected), "{said}");
    assert_eq!(
        fs::read_to_string(&new).expect("a file"),
        GONE.replace("format=2", "format=3")
    );
    let line = stdout(&[&args[..], &["--json"]].concat(), b"", 1);
    let line: Value = serde_json::from_str(&line).expect("JSON");
    assert_eq!(line["changes"][0]["kind"], "ClassMissing");
    assert_eq!(line["changes"][0]["line"], 3);
    assert_eq!(line["form"], "scene");
}

#[test]
fn an_encrypted_config_file_stays_encrypted() {
    let folder = tempfile::tempdir().expect("a folder");
    let new = folder.path().join("new.cfg");
    let new = new.to_str().expect("UTF-8");
    let old = data("documents/godot3.6/encrypted.cfg");
    let old = old.to_str().expect("UTF-8");
    let args = [
        "convert",
        "--to",
        "godot4",
        "--password",
        "secret",
        old,
        "-o",
        new,
    ];
    stdout(&args, b"", 0);
    let info = stdout(&["info", "--json", "--password", "secret", new], b"", 0);
    assert!(info.contains("encrypted:godot4, config-file"), "{info}");
    let plain = data("converted/all.cfg");
    let plain = plain.to_str().expect("UTF-8");
    let diff = ["diff", "--password", "secret", new, plain];
    assert_eq!(stdout(&diff, b"", 0), "");
}

/// `ConfigFile.save` of Godot 3.6.2 and 3.2.3 writes nothing for a RID (`x=`, `[ ,  ]`), and `load` refuses the result
/// with error 43. `null` is read.
#[test]
fn rids_become_null_in_a_text_for_godot_3() {
    let convert = |text: &str, more: &[&str], code| {
        let args = [&["-d", "godot4", "convert", "--to", "godot3", "-"], more].concat();
        let (out, said) = (
            stdout(&args, text.as_bytes(), code),
            stderr(&args, text.as_bytes(), code),
        );
        (out, said)
    };
    let text = "[a]\n\nw=1\nx={\"b\": [RID(1), RID()]}\ny=RID(7)\n";
    let (out, said) = convert(text, &[], 1);
    assert_eq!(out, "[a]\n\nw=1\nx={\n\"b\": [ null, null ]\n}\ny=null\n");
    assert_eq!(said, "warning: 3 × RID became null, first in line 4 (x)\n");
    let (out, _) = convert("[a]\n\nx=RID()\n", &["--on-loss", "warn"], 1);
    assert_eq!(out, "[a]\n\nx=null\n");
    let (out, said) = convert("[a]\n\nx=RID()\n", &["--on-loss", "fail"], 1);
    assert_eq!(out, "");
    assert!(
        said.contains("1 × RID became null, first in line 3 (x)"),
        "{said}"
    );
    // A key that is a RID, an element of a typed array, and a value alone.
    let (out, said) = convert("[a]\n\nx={RID(1): 2}\ny=Array[RID]([RID(3)])\n", &[], 1);
    assert!(out.contains("null: 2") && out.contains("[ null ]"), "{out}");
    assert!(said.contains("2 × RID became null"), "{said}");
    // Keys that are equal now: the last one counts, as in the engine.
    for keys in [
        "RID(1): 1, RID(2): 2",
        "Signal(): 1, RID(): 2",
        "Signal(): 1, Callable(): 2",
    ] {
        let (out, said) = convert(&format!("[a]\n\nx={{{keys}}}\n"), &[], 1);
        assert_eq!(out, "[a]\n\nx={\nnull: 2\n}\n", "{said}");
        let merged = "1 × Dictionary had repeated keys, the last value counts, first in line 3 (x)";
        assert!(said.contains(merged), "{said}");
    }
    let (out, _) = convert("RID(5)", &[], 1);
    assert_eq!(out.trim_end(), "null");
}

#[test]
fn settings_of_a_project_are_left_to_godot() {
    let text = b"config_version=4\n\n[a]\n\nb=PoolIntArray( 1 )\n";
    let said = stderr(&["convert", "--to", "godot4", "-"], text, 1);
    assert!(said.contains("godot --convert-3to4"), "{said}");
}
