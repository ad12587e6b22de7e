//! `scan` of files that run code when a real engine reads them, and of clean files of the same kinds.
//! `testdata/scan` has them with the engines' own proof.

mod common;

use std::{collections::BTreeMap, fs, path::PathBuf};

use gdvar_file::line;
use gdvar_io::{compressed::Mode, packed};
use serde_json::Value;

use common::{gdvar, save, stderr, stdout};

fn corpus(name: &str) -> PathBuf {
    gdvar_conformance::vectors::testdata("scan").join(name)
}

/// The verdict on each file in a folder, by its path in the folder, and the exit code.
fn verdicts(folder: &str, options: &[&str]) -> (BTreeMap<String, Value>, i32) {
    let folder = corpus(folder);
    let args = [
        &["scan", "--json-lines"],
        options,
        &[folder.to_str().expect("a path")],
    ]
    .concat();
    let output = gdvar(&args, b"");
    let lines = String::from_utf8(output.stdout).expect("UTF-8");
    let lines = lines
        .lines()
        .map(|line| serde_json::from_str::<Value>(line).expect("JSON"));
    let named = lines.map(|line| {
        let file = PathBuf::from(line["file"].as_str().expect("a file"));
        let file = file.strip_prefix(&folder).expect("a file of the folder");
        (file.to_string_lossy().replace('\\', "/"), line)
    });
    (named.collect(), output.status.code().expect("an exit code"))
}

/// The files of a proof: each ran code in the engine.
fn proven(proof: &str) -> Vec<String> {
    let proof = fs::read_to_string(corpus(proof)).expect("a proof");
    let mut files: Vec<String> = Vec::new();
    let mut lines = proof.lines().peekable();
    while let Some(line) = lines.next() {
        let Some(rest) = line.strip_prefix("PROOF ") else {
            continue;
        };
        assert!(
            lines.peek().is_some_and(|next| next.starts_with("RAN ")),
            "{line}"
        );
        files.push(rest.split(' ').next().expect("a file").to_owned());
    }
    files.dedup();
    files
}

#[test]
fn no_file_that_runs_code_is_clean() {
    for (folder, proof, least) in [
        ("godot4/hostile", "godot4.proof", 80),
        ("godot3/hostile", "godot3.6.proof", 16),
        ("godot4/loads", "godot4.loads.proof", 40),
        ("godot3/loads", "godot3.6.loads.proof", 3),
        ("godot4/start", "godot4.start.proof", 13),
    ] {
        let (found, exit) = verdicts(folder, &[]);
        assert_eq!(exit, 5, "{folder}");
        let files = proven(proof);
        assert!(files.len() >= least, "{folder}: {}", files.len());
        for file in files {
            let line = &found[&file];
            // An encrypted file is reported as unread.
            let expected: &[&str] = match file.as_str() {
                "encrypted.sav" => &["unread"],
                _ => &["code", "objects"],
            };
            let state = line["state"].as_str().expect("a state");
            assert!(expected.contains(&state), "{folder}/{file}: {line}");
            assert_eq!(line["ok"], false);
            let path = corpus(folder).join(&file);
            let alone = gdvar(&["scan", path.to_str().expect("a path")], b"")
                .status
                .code();
            let exits: &[i32] = if expected == ["unread"] { &[1] } else { &[5] };
            assert!(
                alone.is_some_and(|alone| exits.contains(&alone)),
                "{folder}/{file}: {alone:?}"
            );
        }
    }
    // With the password the same file is read.
    let path = corpus("godot4/hostile/encrypted.sav");
    let text = stdout(
        &[
            "scan",
            "--password",
            "secret",
            path.to_str().expect("a path"),
        ],
        b"",
        5,
    );
    assert!(text.contains("encrypted.sav: code"), "{text}");
}

/// Objects that are let in are not a finding, but scripts are.
#[test]
fn code_is_found_where_objects_are_allowed() {
    let (found, exit) = verdicts("godot4/hostile", &["--objects", "inert"]);
    assert_eq!(exit, 5);
    for file in [
        "record.sav",
        "blob.sav",
        "base64.sav",
        "bare.bin",
        "object.cfg",
        "native.json",
    ] {
        assert_eq!(found[file]["state"], "code", "{file}: {}", found[file]);
    }
}

#[test]
fn no_clean_file_is_an_alarm() {
    for engine in ["godot4", "godot3"] {
        let (found, exit) = verdicts(&format!("{engine}/clean"), &[]);
        assert!(found.len() >= 4);
        for (file, line) in &found {
            assert_eq!(line["state"], "clean", "{engine}/{file}: {line}");
        }
        assert_eq!(exit, 0);
        // Text and binary resources are read to their ends.
        let (found, exit) = verdicts(&format!("{engine}/searched"), &[]);
        assert!(found.len() >= 6);
        for (file, line) in &found {
            assert_eq!(line["state"], "clean", "{engine}/{file}: {line}");
        }
        assert_eq!(exit, 0);
    }
}

/// Words and paths that 4.6.3 loaded nothing from, although they look like those from which it does.
#[test]
fn what_only_looks_like_code_is_clean() {
    let (found, exit) = verdicts("godot4/plain", &[]);
    assert!(found.len() >= 5);
    for (file, line) in &found {
        assert_eq!(line["state"], "clean", "{file}: {line}");
    }
    assert_eq!(exit, 0);
}

/// The same text is judged by what the engine uses the file for, and by values, however they are spelled.
#[test]
fn texts_are_judged_by_their_values() {
    let resource = |text: &str| format!("[gd_resource type=\"Resource\" format=3]\n\n{text}");
    let scene =
        |text: &str| format!("[gd_scene format=3]\n\n[node name=\"R\" type=\"Node\"]\n{text}");
    let external = |path: &str| {
        resource(&format!(
            "[ext_resource type=\"Texture2D\" path={path} id=\"1\"]\n\n[resource]\n"
        ))
    };
    let folder = tempfile::tempdir().expect("a folder");
    for (name, text, state) in [
        (
            "a.cfg",
            "[remap]\n\npath=\"user://a.tres\"\n".to_owned(),
            "clean",
        ),
        (
            "a.png.import",
            "[remap]\n\npath=\"user://a.tres\"\n".to_owned(),
            "code",
        ),
        (
            "A.PNG.IMPORT",
            "[remap]\n\npath.s3tc=&\"/a.tres\"\n".to_owned(),
            "code",
        ),
        (
            "a.png.import",
            "[remap]\n\npath=\"uid://b1\"\n".to_owned(),
            "unread",
        ),
        (
            "a.png.import",
            "[remap]\n\nuid=\"uid://b1\"\npath=\"res://a/../b.ctex\"\n".to_owned(),
            "clean",
        ),
        (
            "a.cfg",
            "[gui]\n\ntheme/custom=\"user://a.tres\"\n".to_owned(),
            "clean",
        ),
        (
            "override.cfg",
            "[gui]\n\ntheme/custom=\"user://a.tres\"\n".to_owned(),
            "code",
        ),
        (
            "project.godot",
            "[a]\n\nb={\"c\": [&\"res://../a.tres\"]}\n".to_owned(),
            "code",
        ),
        (
            "project.godot",
            "[a]\n\nb=\"https://example.org/a\"\nc=\"res://a.tres\"\n".to_owned(),
            "clean",
        ),
        (
            "project.godot",
            "[application]\n\nrun/main_scene=\"uid://b1\"\n".to_owned(),
            "unread",
        ),
        (
            "any.cfg",
            "[application]\n\nrun/main_scene.linux=\"/a.tscn\"\n".to_owned(),
            "code",
        ),
        (
            "any.cfg",
            "[autoload]\n\nA=\"*res://a.tscn\"\n".to_owned(),
            "code",
        ),
        (
            "any.cfg",
            "[application]\n\nconfig/project_settings_override=\"res://b.cfg\"\n".to_owned(),
            "unread",
        ),
        (
            "any.cfg",
            "[a]\n\nb={\"path\": \"res://named.gd\"}\n".to_owned(),
            "code",
        ),
        ("any.cfg", "[a]\n\nb=\"x.gd\"\n".to_owned(), "clean"),
        (
            "any.cfg",
            "[a]\n\nb=Resource(\"res://a.tres\")\n".to_owned(),
            "clean",
        ),
        (
            "any.cfg",
            "[a]\n\nb=Resource(\"uid://b1\", \"res://a.tres\")\n".to_owned(),
            "unread",
        ),
        (
            "any.cfg",
            "[a]\n\nb=SubResource(\"a/../../b.tres\")\n".to_owned(),
            "code",
        ),
        ("a.tres", external("\"res://a.png\""), "clean"),
        ("a.tres", external("&\"res://../a.png\""), "code"),
        ("a.tres", external("\"uid://b1\""), "unread"),
        ("a.tres", external("NodePath(\"C:/a.png\")"), "code"),
        (
            "a.tres",
            external("\"res://a.png\" uid=&\"uid://b1\""),
            "unread",
        ),
        (
            "a.tres",
            resource("[resource]\ncode = \"#include \\\"../a.gdshaderinc\\\"\"\n"),
            "unread",
        ),
        (
            "a.tres",
            resource("[resource]\ncode = \"#include \\\"res://a.gdshaderinc\\\"\"\n"),
            "clean",
        ),
        (
            "a.tscn",
            scene("a = PackedStringArray(\"\", \"[font name=user://a.tres]\")\n"),
            "code",
        ),
        (
            "a.tscn",
            scene("a = \"[img]res://a.png[/img] in user://a.png\"\n"),
            "clean",
        ),
        (
            "a.tscn",
            scene("\n[connection signal=\"s\" from=\".\" to=\".\" binds = [ ] method=\"hide\"]\n"),
            "clean",
        ),
        (
            "a.tscn",
            scene("\n[\tconnection method=&\"callv\" signal=\"s\" from=\".\" to=\".\"]\n"),
            "code",
        ),
        (
            "a.tscn",
            scene("\n[node name=\"P\" parent=\".\" instance_placeholder=&\"/a.tscn\"]\n"),
            "code",
        ),
        (
            "a.tscn",
            scene("\n[node name=\"P\" parent=\".\" instance_placeholder=\"res://a.tscn\"]\n"),
            "clean",
        ),
    ] {
        let file = folder.path().join(name);
        fs::write(&file, &text).expect("space");
        let line = stdout_of(&["scan", "--json-lines", file.to_str().expect("a path")]);
        let line: Value = serde_json::from_str(&line).expect("JSON");
        assert_eq!(line["state"], state, "{text}\n{line}");
    }
}

/// The saves of real engines: objects are found in those that have some, and nothing in the others.
/// What 4.6.3 writes into a project for itself names scripts, but it is not code.
#[test]
fn files_that_the_engine_writes_are_not_code() {
    let (found, exit) = verdicts("godot4/project", &[]);
    assert_eq!(exit, 1);
    for (file, line) in &found {
        let expected = match file.rsplit('/').next().unwrap_or_default() {
            "global_script_class_cache.cfg" => ("unread", "ClassCache"),
            "uid_cache.bin" => ("unread", "UidCache"),
            "filesystem_cache10" | ".gdignore" => ("unread", "Text"),
            _ => ("clean", ""),
        };
        let state = line["state"].as_str().unwrap_or_default();
        let error = line["error"].as_str().unwrap_or_default();
        assert_eq!((state, error), expected, "{file}: {line}");
    }
    let imports = found.keys().filter(|file| file.ends_with(".import"));
    assert!(imports.count() >= 6 && found.contains_key(".godot/editor/editor_layout.cfg"));
    // A game may load what this file refers to, if the file has another name.
    let own = fs::read(corpus(
        "godot4/project/.godot/global_script_class_cache.cfg",
    ));
    let own = own.expect("a file");
    let folder = tempfile::tempdir().expect("a folder");
    for (name, bytes, state, exit) in [
        ("settings.cfg", &own[..], "code", 5),
        ("global_script_class_cache.cfg", b"list=[]\n", "clean", 0),
        ("extension_list.cfg", b"res://a.gdextension\n", "code", 5),
    ] {
        let file = folder.path().join(name);
        fs::write(&file, bytes).expect("space");
        let line = stdout(
            &["scan", "--json-lines", file.to_str().expect("a path")],
            b"",
            exit,
        );
        let line: Value = serde_json::from_str(&line).expect("JSON");
        assert_eq!(line["state"], state, "{line}");
    }
}

#[test]
fn saves_of_engines_are_clean() {
    for entry in fs::read_dir(gdvar_conformance::vectors::testdata("saves")).expect("saves") {
        let path = entry.expect("a save").path();
        let name = path
            .file_name()
            .expect("a name")
            .to_string_lossy()
            .into_owned();
        if name.contains(".json") || name.ends_with(".md") {
            continue;
        }
        let line = stdout_of(&["scan", "--json-lines", path.to_str().expect("a path")]);
        let line: Value = serde_json::from_str(&line).expect("JSON");
        let expected = match name.as_str() {
            _ if name.starts_with("objects") => &["objects", "code"][..],
            _ if name.contains("gdec") => &["unread"],
            // What is lost of them is told.
            _ if name.starts_with("exact") => &["clean", "unread", "objects"],
            _ => &["clean"],
        };
        let state = line["state"].as_str().expect("a state");
        assert!(expected.contains(&state), "{line}");
    }
}

fn stdout_of(args: &[&str]) -> String {
    String::from_utf8(gdvar(args, b"").stdout).expect("UTF-8")
}

/// These bytes are just a Projection to Godot 4. To Godot 3 they are a damaged Array, but it creates an object before
/// it comes to the damage.
#[test]
fn a_reading_of_another_engine_hides_nothing() {
    let mut bytes = b"\x13\0\0\0\x02\0\0\0\x11\0\0\0\x09\0\0\0Reference\0\0\0\0\0\0\0".to_vec();
    bytes.extend(b"\x63\0\0\0\x1c\0\0\0abcdefghijklmnopqrstuvwxyz..");
    assert_eq!(bytes.len(), 4 + 64);
    let value = stdout(
        &["view", "-d", "4", "-f", "bare", "--format", "line", "-"],
        &bytes,
        0,
    );
    assert!(value.starts_with("Projection("), "{value}");
    let text = stdout(&["scan", "--json-lines", "-f", "bare", "-"], &bytes, 5);
    assert!(
        text.contains("\"state\":\"objects\"") && text.contains("Godot 3"),
        "{text}"
    );
}

/// Neither rules for git, nor hidden names, nor links switch `scan`, `check` and `info` off.
#[cfg(unix)]
#[test]
fn a_folder_cannot_hide_its_files() {
    let folder = tempfile::tempdir().expect("a folder");
    let dir = folder.path();
    let hostile = fs::read(corpus("godot4/hostile/record.sav")).expect("a file");
    fs::write(dir.join(".ignore"), "*\n").expect("space");
    fs::write(dir.join(".gitignore"), "*\n").expect("space");
    fs::create_dir(dir.join(".hidden")).expect("space");
    fs::write(dir.join(".hidden/.evil.sav"), &hostile).expect("space");
    fs::write(dir.join("evil.sav"), &hostile).expect("space");
    let dir_name = dir.to_str().expect("a path");
    for verb in ["scan", "check", "info"] {
        let output = gdvar(&[verb, dir_name], b"");
        let text = String::from_utf8_lossy(&output.stdout);
        assert!(text.contains("evil.sav"), "{verb}: {text}");
        assert!(text.contains(".evil.sav"), "{verb}: {text}");
        // Unless they are asked for.
        let output = gdvar(&[verb, "--git-ignore", dir_name], b"");
        let text = String::from_utf8_lossy(&output.stdout);
        assert!(!text.contains("evil.sav"), "{verb}: {text}");
        assert_ne!(
            output.status.code(),
            Some(0),
            "{verb}: no file is not all in order"
        );
    }
    let links = tempfile::tempdir().expect("a folder");
    std::os::unix::fs::symlink(dir.join("evil.sav"), links.path().join("link.sav"))
        .expect("a link");
    std::os::unix::fs::symlink(dir, links.path().join("linked")).expect("a link");
    for verb in ["scan", "check", "info"] {
        let output = gdvar(&[verb, links.path().to_str().expect("a path")], b"");
        let all = [output.stdout, output.stderr].concat();
        let all = String::from_utf8_lossy(&all);
        assert!(
            all.contains("link.sav") && all.contains("linked"),
            "{verb}: {all}"
        );
        assert_ne!(output.status.code(), Some(0), "{verb}");
    }
    let empty = tempfile::tempdir().expect("a folder");
    for verb in [
        "scan",
        "check",
        "info",
        "grep -k x",
        "get -p x",
        "stats",
        "schema",
        "view",
        "hex",
        "query .",
    ] {
        let mut args: Vec<_> = verb.split(' ').collect();
        args.push(empty.path().to_str().expect("a path"));
        let message = String::from_utf8_lossy(&gdvar(&args, b"").stderr).into_owned();
        assert!(message.contains("no files in"), "{verb}: {message}");
        assert_ne!(gdvar(&args, b"").status.code(), Some(0), "{verb}");
    }
}

/// A file that was not read to its end is never called clean.
#[test]
fn what_is_not_read_is_not_clean() {
    let folder = tempfile::tempdir().expect("a folder");
    let rpg = fs::read(save("rpg4.sav")).expect("a save");
    for (name, bytes, state, exit) in [
        ("empty.sav", Vec::new(), "unread", 1),
        (
            "image.png",
            b"\x89PNG\r\n\x1a\n\0\0\0\rIHDR".to_vec(),
            "unread",
            1,
        ),
        ("README.txt", b"hello, world!\n".to_vec(), "unread", 1),
        ("a.zip", b"PK\x03\x04\x14\0\0\0".to_vec(), "damaged", 3),
        ("game.pck", b"GDPC\x03\0\0\0".to_vec(), "damaged", 3),
        ("new.pck", b"GDPC\x09\0\0\0".to_vec(), "unread", 1),
        ("cut.res", b"RSRC\0\0\0\0".to_vec(), "damaged", 3),
        ("cut.sav", rpg[..5000].to_vec(), "damaged", 3),
        (
            "more.sav",
            b"\x0c\0\0\0\x02\0\0\0\x05\0\0\0\0\0\0\0".to_vec(),
            "unread",
            1,
        ),
        ("zeros.sav", vec![0; 64], "damaged", 3),
        ("script.gd", b"extends Node\n".to_vec(), "code", 5),
        ("Lib.DLL", b"MZ\x90\0\x03\0\0\0".to_vec(), "code", 5),
        ("program", b"\x7fELF\x02\x01\x01\0".to_vec(), "code", 5),
    ] {
        let file = folder.path().join(name);
        fs::write(&file, bytes).expect("space");
        let file = file.to_str().expect("a path");
        let line = stdout(&["scan", "--json-lines", file], b"", exit);
        let line: Value = serde_json::from_str(&line).expect("JSON");
        assert_eq!(line["state"], state, "{line}");
        assert_eq!(line["ok"], false, "{line}");
    }
    let text = stderr(
        &["scan", folder.path().join("none").to_str().expect("a path")],
        b"",
        6,
    );
    assert!(text.contains("No such file"), "{text}");
}

/// A file that unpacks to far more than its size does not use up the memory: the limit counts the unpacked bytes of all
/// its parts together.
#[test]
fn what_is_packed_has_a_bound() {
    let zeros = zstd::bulk::compress(&vec![0; 60 << 20], 19).expect("zstd");
    // 40 arrays of 60 MiB each, packed.
    let mut value = b"\x1c\0\0\0\x28\0\0\0".to_vec();
    for _ in 0..40 {
        value.extend(b"\x1d\0\0\0");
        value.extend(u32::try_from(zeros.len()).expect("short").to_le_bytes());
        value.extend(&zeros);
        value.resize(value.len().next_multiple_of(4), 0);
    }
    let line = stdout(&["scan", "--json-lines", "-f", "bare", "-"], &value, 1);
    assert!(line.contains("\"error\":\"TooLong\""), "{line}");
}

/// Code is found however the engine can unpack it, also after a frame of Zstandard that every reader skips.
#[test]
fn code_is_found_in_every_packing() {
    let code = fs::read(corpus("godot4/hostile/blanks.tres")).expect("a resource");
    let pack = |mode| packed::pack(mode, &code).expect("packed");
    let skipped = b"\x50\x2a\x4d\x18\x04\0\0\0note";
    for (name, bytes) in [
        ("gzip", pack(Mode::Gzip)),
        ("zlib", pack(Mode::Deflate)),
        ("zstd", pack(Mode::Zstd)),
        (
            "zstd after a frame",
            [&skipped[..], &pack(Mode::Zstd)].concat(),
        ),
        ("fastlz", pack(Mode::FastLz)),
    ] {
        let size = (code.len() as u64).to_le_bytes();
        let text = |mark: &str| (4, [mark, &line::to_base64(&bytes)].concat().into_bytes());
        let mut values = vec![text(""), text("v1:"), text("save=")];
        // FastLZ has no mark, so only its size tells it from other bytes.
        let headers: &[&[u8]] = match name {
            "fastlz" => &[b"", &size[..4], &size],
            _ => &[b"", &size[..4], &size, b"MAGIC", &[7; 64]],
        };
        values.extend(
            headers
                .iter()
                .map(|header| (29, [header, &bytes[..]].concat())),
        );
        for (id, bytes) in values {
            let mut value = vec![id, 0, 0, 0];
            value.extend(u32::try_from(bytes.len()).expect("short").to_le_bytes());
            value.extend(&bytes);
            value.resize(value.len().next_multiple_of(4), 0);
            let args = ["scan", "--json-lines", "-d", "godot4", "-f", "bare", "-"];
            let line = stdout(&args, &value, 5);
            let line: Value = serde_json::from_str(&line).expect("JSON");
            assert_eq!(line["state"], "code", "{name}, {:x?}: {line}", &bytes[..12]);
        }
    }
}

/// No engine reads what follows a compressed save, but a game may.
#[test]
fn code_after_a_container_is_found() {
    let code = fs::read(corpus("godot4/hostile/blanks.tres")).expect("a resource");
    let save = fs::read(save("rpg4.sav")).expect("a save");
    let packed = gdvar(&["pack", "--mode", "zstd", "-o", "-", "-"], &save).stdout;
    assert!(packed.starts_with(b"GCPF"));
    for code in [&code[..], &packed::pack(Mode::Gzip, &code).expect("packed")] {
        let file = [&packed[..], code].concat();
        let line = stdout(&["scan", "--json-lines", "-"], &file, 5);
        let line: Value = serde_json::from_str(&line).expect("JSON");
        assert_eq!(line["state"], "code", "{line}");
    }
}
