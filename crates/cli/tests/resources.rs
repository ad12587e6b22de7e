//! Binary resources and packages, which every command opens like any file.

mod common;

use std::{fs, path::PathBuf};

use serde_json::Value;

use common::{gdvar, stderr, stdout};

fn sample(name: &str) -> String {
    let path = gdvar_conformance::vectors::testdata("resources").join(name);
    path.to_str().expect("UTF-8").to_owned()
}

fn package(name: &str) -> String {
    let path = gdvar_conformance::vectors::testdata("packages").join(name);
    path.to_str().expect("UTF-8").to_owned()
}

#[test]
fn every_reading_command_opens_a_resource() {
    let refs = sample("godot4/refs.res");
    let get = |path: &str| stdout(&["get", &refs, path], b"", 0);
    assert_eq!(get("[\"metadata/a\"].resource_name"), "sub\n");
    assert_eq!(get("[\"metadata/p\"]"), "NodePath(\"A/B\")\n");
    for (verb, text) in [
        (&["view"][..], "resource_name: \"sub\""),
        (&["json"], "\"ExtResource\""),
        (&["gron"], "res://out/ext.tres"),
        (&["grep", "ext.tres"], "res://out/ext.tres"),
        (&["stats"], "Object"),
        (&["schema"], "resource_name"),
        (
            &["info"],
            "a binary resource (Resource, format 6 of Godot 4.6): 3 resources, and 1 in other files",
        ),
    ] {
        let output = stdout(&[verb, &[&refs]].concat(), b"", 0);
        assert!(output.contains(text), "{verb:?}: {output}");
    }
    let query = stdout(&["query", ".[\"metadata/a\"].resource_name", &refs], b"", 0);
    assert!(query.contains("sub"), "{query}");
}

/// The same resource in the other byte order and compressed.
#[test]
fn diff_compares_resources_of_any_form() {
    for (old, new) in [
        ("godot4/all.res", "godot4/all_be.res"),
        ("godot4/all.res", "godot4/all_z.res"),
        ("godot3/all.res", "godot3/all_z.res"),
    ] {
        // The two files differ only in the name of the inner resource, which `diff` does not
        // report.
        let output = gdvar(&["diff", &sample(old), &sample(new)], b"");
        assert_eq!(output.status.code(), Some(0), "{old} {new}");
    }
}

#[test]
fn a_value_of_a_resource_is_set() {
    let folder = tempfile::tempdir().expect("a folder");
    let copy = folder.path().join("tiny.res");
    let before = fs::read(sample("godot4/tiny.res")).expect("a file");
    fs::write(&copy, &before).expect("space");
    let name = copy.to_str().expect("UTF-8");
    stdout(
        &["set", name, "resource_name=\"a longer name\"", "-i"],
        b"",
        0,
    );
    let get = |path: &str| stdout(&["get", name, path], b"", 0);
    assert_eq!(get("resource_name"), "a longer name\n");
    assert_eq!(get("[\"metadata/n\"]"), "7\n");
    stdout(&["set", name, "resource_name=\"hi\"", "-i"], b"", 0);
    assert_eq!(fs::read(&copy).expect("a file"), before);
}

#[test]
fn properties_and_resources_come_and_go() {
    let folder = tempfile::tempdir().expect("a folder");
    let copy = folder.path().join("tiny.res");
    let before = fs::read(sample("godot4/tiny.res")).expect("a file");
    fs::write(&copy, &before).expect("space");
    let name = copy.to_str().expect("UTF-8");
    let added = r#"["metadata/held"]=[Object(Resource,"metadata/power":3)]"#;
    stdout(&["insert", name, added, "-i"], b"", 0);
    let get = |path: &str| stdout(&["get", name, path], b"", 0);
    assert_eq!(get(r#"["metadata/held"][0].SubResource"#), "Resource_1\n");
    let again = r#"["metadata/again"]=Object(SubResource,"id":"Resource_1")"#;
    stdout(&["insert", name, again, "-i"], b"", 0);
    stdout(&["del", name, r#"["metadata/held"]"#, "-i"], b"", 0);
    assert_eq!(get(r#"["metadata/again"]["metadata/power"]"#), "3\n");
    // A patch takes back what the edits did, and a mention of nothing is refused.
    let patch = stdout(
        &[
            "diff",
            "--format",
            "patch",
            name,
            &sample("godot4/tiny.res"),
        ],
        b"",
        1,
    );
    let file = folder.path().join("back.patch");
    fs::write(&file, patch).expect("space");
    let output = gdvar(
        &[
            "set",
            name,
            r#"["metadata/n"]=Object(SubResource,"id":"nowhere")"#,
            "-i",
        ],
        b"",
    );
    let text = String::from_utf8_lossy(&output.stderr).into_owned();
    assert_eq!(output.status.code(), Some(6), "{text}");
    assert!(
        text.contains("the id of a resource that is not there"),
        "{text}"
    );
    stdout(
        &["patch", name, file.to_str().expect("UTF-8"), "-i"],
        b"",
        0,
    );
    assert_eq!(
        gdvar(&["diff", name, &sample("godot4/tiny.res")], b"")
            .status
            .code(),
        Some(0)
    );
}

/// Damage that makes the engine crash is reported with its offset.
#[test]
fn damage_has_a_place() {
    let mut tiny = fs::read(sample("godot4/tiny.res")).expect("a file");
    tiny[0xed] = 99;
    let text = stderr(&["view", "-"], &tiny, 3);
    assert!(
        text.contains("error[NoSuchName]: there is no name 99"),
        "{text}"
    );
    assert!(text.contains("-:0xed"), "{text}");
}

fn scanned(file: &str) -> Value {
    let output = gdvar(&["scan", "--json-lines", file], b"");
    serde_json::from_slice(&output.stdout).expect("JSON")
}

#[test]
fn scripts_in_resources_are_found_and_nothing_else() {
    for folder in ["godot4", "godot3", "godot3.2"] {
        let path = PathBuf::from(sample(folder));
        for file in fs::read_dir(path).expect("a folder") {
            let path = file.expect("a file").path();
            let name = path
                .file_name()
                .expect("a name")
                .to_string_lossy()
                .into_owned();
            if name.ends_with(".jsonl") {
                continue;
            }
            let line = scanned(path.to_str().expect("UTF-8"));
            if name == "scene.scn" && folder == "godot3.2" {
                // Its node has a script.
                assert_eq!(line["state"], "code", "{line}");
                assert_eq!(line["path"], "$._bundled", "{line}");
            } else if name == "scripted.res" {
                assert_eq!(line["state"], "code", "{line}");
                let class = line["class"].as_str().expect("a class");
                assert!(["Resource", "ExtResource"].contains(&class), "{line}");
                assert!(
                    line["path"]
                        .as_str()
                        .expect("a path")
                        .starts_with("$.script"),
                    "{line}"
                );
            } else {
                assert_eq!(line["state"], "clean", "{folder}/{name}: {line}");
            }
        }
    }
    // A script that nothing refers to, and a scene that calls a method with arguments.
    let scan = gdvar_conformance::vectors::testdata("scan");
    for name in [
        "embedded.res",
        "external.res",
        "big_endian.res",
        "scene.scn",
        "compressed.res",
    ] {
        let file = scan.join("godot4/hostile").join(name);
        let line = scanned(file.to_str().expect("UTF-8"));
        assert_eq!(line["state"], "code", "{name}: {line}");
        assert!(
            line["path"].is_string() && line["class"].is_string(),
            "{line}"
        );
    }
}

#[test]
fn a_file_in_a_package_is_opened_by_its_name() {
    let pck = package("exported.pck");
    let settings = format!("{pck}!project.binary");
    let name = stdout(&["get", &settings, "[\"application/config/name\"]"], b"", 0);
    assert_eq!(name, "exp\n");
    let list = stdout(&["info", "--json", &pck], b"", 0);
    let list: Value = serde_json::from_str(&list).expect("JSON");
    assert_eq!(
        (&list["package"], &list["engine"]),
        (&3.into(), &"4.6.3".into())
    );
    let files = list["files"].as_array().expect("files");
    assert_eq!(files.len(), 11);
    let resource = files.iter().filter_map(|file| file["path"].as_str());
    let resource: Vec<_> = resource.filter(|path| path.ends_with(".res")).collect();
    let resource = format!("{pck}!res://{}", resource[0]);
    let text = stdout(&["view", &resource], b"", 0);
    assert!(text.starts_with("Object Resource("), "{text}");
    // The last of several files, whose name could also be taken for the path of a value.
    let both = stdout(&["info", &settings, &resource], b"", 0);
    assert!(
        both.contains("project.binary") && both.contains("a binary resource"),
        "{both}"
    );
}

#[test]
fn a_package_says_what_is_in_it() {
    for name in ["packer.pck", "embedded.bin", "packer3.pck"] {
        let text = stdout(&["info", &package(name)], b"", 0);
        assert!(
            text.contains("a.txt") && text.contains("dir/b.tres"),
            "{text}"
        );
    }
    let text = stderr(&["view", &package("exported.pck")], b"", 3);
    assert!(text.contains("it has 11 files:"), "{text}");
    assert!(text.contains("exported.pck!project.binary'"), "{text}");
    let missing = format!("{}!none.res", package("packer.pck"));
    let text = stderr(&["view", &missing], b"", 6);
    assert!(
        text.contains("the package has no file \"none.res\"; it has 3 files: a.txt"),
        "{text}"
    );
    let text = stderr(&["info", &package("packer_enc.pck")], b"", 3);
    assert!(text.contains("error[Encrypted]"), "{text}");
}

/// `testdata/oracle/zip4.gd` packed it.
#[test]
fn a_file_in_a_zip_archive_is_opened_by_its_name() {
    let zip = package("mod.zip");
    let entry = |path: &str| format!("{zip}!{path}");
    let text = stdout(&["view", &entry("data/items.tres")], b"", 0);
    assert!(text.starts_with("Object Resource("), "{text}");
    for path in ["data/items.tres", "res://data/items.res"] {
        let damage = stdout(&["get", &entry(path), "[\"metadata/damage\"]"], b"", 0);
        assert_eq!(damage, "7\n");
    }
    assert_eq!(
        stdout(&["get", &entry("settings.cfg"), "mod.title"], b"", 0),
        "Swords\n"
    );
    assert_eq!(
        stdout(&["get", &entry("start.sav"), "gold"], b"", 0),
        "25\n"
    );
    let list = stdout(&["info", "--json", &zip], b"", 0);
    let list: Value = serde_json::from_str(&list).expect("JSON");
    assert_eq!(list["archive"], "zip");
    assert_eq!(list["files"][3]["size"], 2052);
    let text = stdout(&["info", &zip], b"", 0);
    assert!(text.contains("a zip archive with 4 files"), "{text}");
    let text = stderr(&["view", &zip], b"", 3);
    assert!(
        text.contains("it has 4 files: data/items.tres, data/items.res, settings.cfg, start.sav"),
        "{text}"
    );
    assert!(text.contains("mod.zip!settings.cfg'"), "{text}");
    let text = stderr(&["view", &entry("none.res")], b"", 6);
    assert!(
        text.contains("the archive has no file \"none.res\"; it has 4 files"),
        "{text}"
    );
    assert_eq!(scanned(&zip)["state"], "clean");
    // The engine and other programs read different contents from this archive.
    let two = gdvar_conformance::vectors::testdata("scan/godot4/hostile/two_readings.zip");
    let two = two.to_str().expect("UTF-8");
    let text = stderr(&["info", two], b"", 3);
    assert!(text.contains("error[AmbiguousArchive]"), "{text}");
    let text = stderr(&["view", &format!("{two}!notes.bin")], b"", 6);
    assert!(text.contains("can be read in two ways"), "{text}");
}

#[test]
fn a_file_in_a_package_is_not_changed() {
    let folder = tempfile::tempdir().expect("a folder");
    let copy = folder.path().join("game.pck");
    fs::copy(package("exported.pck"), &copy).expect("space");
    let entry = format!("{}!project.binary", copy.display());
    let output = gdvar(&["set", &entry, "a=1", "-i"], b"");
    assert_ne!(output.status.code(), Some(0));
    let files = fs::read_dir(folder.path()).expect("a folder").count();
    assert_eq!(files, 1);
}

/// An exported game has compiled scripts, and starts one.
#[test]
fn a_package_is_scanned_file_by_file() {
    let line = scanned(&package("exported.pck"));
    assert_eq!(line["state"], "code", "{line}");
    let message = line["message"].as_str().expect("a message");
    assert!(message.starts_with("data.gd.remap: "), "{line}");
    // Text resources are only searched.
    let line = scanned(&package("packer.pck"));
    assert_eq!(line["state"], "unread", "{line}");
    let line = scanned(&package("packer_enc.pck"));
    assert_eq!(
        (&line["state"], &line["error"]),
        (&"unread".into(), &"Encrypted".into())
    );
}
