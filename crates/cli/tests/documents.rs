//! Text documents: every command reads them as values, and edits keep all other bytes.

mod common;

use std::{fs, path::PathBuf};

use common::{gdvar, stderr, stdout};

fn document(name: &str) -> PathBuf {
    gdvar_conformance::vectors::testdata("documents").join(name)
}

fn path(name: &str) -> String {
    document(name).to_str().expect("UTF-8").to_owned()
}

fn text(name: &str) -> String {
    fs::read_to_string(document(name)).expect(name)
}

/// Standard output of a command on a file that is made from a text.
fn on(file: &str, text: &str, command: &str, args: &[&str]) -> String {
    let folder = tempfile::tempdir().expect("a folder");
    let path = folder.path().join(file);
    fs::write(&path, text).expect("a file");
    let path = path.to_str().expect("UTF-8");
    stdout(&[&[command, path], args].concat(), b"", 0)
}

const SETTINGS: &str =
    "; mine\n[video]\n\nmode=1 ; window\nsize=Vector2i(640, 480)\n\n[audio]\n\nvolume=0.5\n";

/// Godot does not write what has its default, so a property to set is often not there yet.
#[test]
fn a_property_that_is_not_there_is_added() {
    let hero = text("hero.tres");
    let changed = on(
        "a.tres",
        &hero,
        "set",
        &["mana=5.0", "items[0].cost=7", "-o", "-"],
    );
    let expected = hero.replace("power = 3\n", "power = 3\ncost = 7\n");
    assert_eq!(changed, expected.trim_end().to_owned() + "\nmana = 5.0\n");
    let folder = tempfile::tempdir().expect("a folder");
    let file = folder.path().join("a.tres");
    fs::write(&file, &hero).expect("a file");
    let refused = stderr(
        &["insert", file.to_str().expect("UTF-8"), "hp=1", "-i"],
        b"",
        1,
    );
    assert!(
        refused.contains("there is such a key or property already"),
        "{refused}"
    );
}

#[test]
fn every_reading_command_reads_settings() {
    let settings = path("godot4/project.godot");
    let features = r#"application["config/features"]"#;
    assert_eq!(
        stdout(&["get", &settings, &format!("{features}[0]")], b"", 0),
        "4.6\n"
    );
    for (args, expected) in [
        (&["view", &settings][..], "config/name: \"samples\""),
        (&["json", &settings], "\"config/name\":\"samples\""),
        (
            &["gron", &settings],
            "application[\"config/name\"] = \"samples\"",
        ),
        (&["grep", "samples", &settings], "samples"),
        (
            &["query", ".application.\"config/name\"", &settings],
            "samples",
        ),
        (&["stats", &settings], "String"),
        (&["schema", &settings], "config_version"),
        (&["info", &settings], "a ConfigFile (text, 4 values)"),
    ] {
        let output = gdvar(args, b"");
        let text = String::from_utf8_lossy(&output.stdout);
        assert!(
            text.contains(expected),
            "{args:?}: {text}{}",
            String::from_utf8_lossy(&output.stderr)
        );
    }
}

#[test]
fn edits_of_settings_keep_all_other_bytes() {
    for (command, args, old, new) in [
        ("set", &["video.mode=2"][..], "mode=1 ;", "mode=2 ;"),
        (
            "set",
            &["video.size=Vector2i(1, 2)"],
            "(640, 480)",
            "(1, 2)",
        ),
        (
            "insert",
            &["video.vsync=true"],
            "480)\n",
            "480)\nvsync=true\n",
        ),
        ("del", &["video.size"], "size=Vector2i(640, 480)\n", ""),
        ("rename-key", &["audio.volume=loud"], "volume", "loud"),
        ("set", &["audio.volume=0.25"], "0.5", "0.25"),
    ] {
        let expected = SETTINGS.replace(old, new);
        assert_ne!(expected, SETTINGS);
        assert_eq!(
            on("settings.cfg", SETTINGS, command, args),
            expected,
            "{command} {args:?}"
        );
    }
}

/// A file of Windows has CRLF in every line, also inside a Dictionary that changes.
#[test]
fn edits_keep_the_line_breaks() {
    for (file, text, path) in [
        ("a.cfg", "[a]\nd={\n\"k\": 1,\n\"s\": \"x\"\n}\n", "a.d.k"),
        (
            "project.godot",
            "config_version=5\n\n[input]\n\njump={\n\"k\": 1\n}\n",
            "input.jump.k",
        ),
        (
            "a.tres",
            "[gd_resource type=\"Resource\" format=3]\n\n[resource]\nd = {\n\"k\": 1\n}\n",
            "d.k",
        ),
        (
            "a.tscn",
            "[gd_scene format=3]\n\n[node name=\"A\" type=\"Node\"]\nmetadata/d = {\n\"k\": 1\n}\n",
            "nodes[0][\"metadata/d\"].k",
        ),
    ] {
        let windows = text.replace('\n', "\r\n");
        let changed = on(file, &windows, "set", &[&format!("{path}=2"), "-o", "-"]);
        let expected = windows.replace("\"k\": 1", "\"k\": 2");
        // Standard output of a text ends as the text does.
        assert_eq!(changed.trim_end(), expected.trim_end(), "{file}");
        let changed = on(
            file,
            &windows,
            "set",
            &[&format!("{path}={{\"l\": \"x\\r\\ny\\nz\"}}"), "-o", "-"],
        );
        let value = "\"k\": {\r\n\"l\": \"x\r\ny\nz\"\r\n}";
        let expected = windows.replace("\"k\": 1", value);
        assert_eq!(changed.trim_end(), expected.trim_end(), "{file}");
    }
}

#[test]
fn edits_of_resources_keep_all_other_bytes() {
    let scripted = text("godot4/scripted.tres");
    for (args, old, new) in [
        (&["n=7"][..], "n = 6", "n = 7"),
        (
            &[r#"any[0].resource_name="x""#],
            "resource_name = \"sub\"",
            "resource_name = \"x\"",
        ),
        (&[r#"table.k=4"#], "\"k\": 3", "\"k\": 4"),
        (
            &[r#"script.path="res://b.gd""#],
            "res://data.gd",
            "res://b.gd",
        ),
    ] {
        let expected = scripted.replace(old, new);
        assert_ne!(expected, scripted);
        assert_eq!(
            on("scripted.tres", &scripted, "set", args),
            expected,
            "{args:?}"
        );
    }
    let scene = text("godot3.6/scene.tscn");
    // A connection contains the name of the node too, so both are changed together.
    let edits = [r#"nodes[1].name="Child""#, r#"connections[0].to="Child""#];
    assert_eq!(
        on("scene.tscn", &scene, "set", &edits),
        scene.replace("\"Kid\"", "\"Child\"")
    );
    let args = ["del", &path("godot4/scene.tscn"), "nodes[1]"];
    let error = stderr(&args, b"", 6);
    assert!(
        error.contains("expected a node with this path") && error.contains("to \"Kid é\""),
        "{error}"
    );
}

#[test]
fn nodes_are_added_and_deleted() {
    let scene = text("godot4/scene.tscn");
    let (before, kid) = scene.split_once("[node name=\"Kid").expect("a node");
    let (_, connection) = kid.split_once("[connection").expect("a connection");
    let (before_script, _) = before.split_once("[sub_resource").expect("a script");
    let (_, root) = before.split_once("[node").expect("a root");
    // The script that only the node used is gone too.
    let args = ["nodes[1]", "connections[0]"];
    let less = on("scene.tscn", &scene, "del", &args);
    assert_eq!(
        less.trim_end(),
        format!("{before_script}[node{root}").trim_end()
    );
    let node = r#"nodes[2]=Object(Timer, "name": "Clock", "parent": "Kid é", "wait_time": 0.5)"#;
    let more = on("scene.tscn", &scene, "insert", &[node]);
    let new =
        "[node name=\"Clock\" type=\"Timer\" parent=\"Kid é\"]\nwait_time = 0.5\n\n[connection";
    assert_eq!(more, scene.replace("[connection", new));
    assert!(connection.contains("ready"));
}

#[test]
fn a_patch_of_two_settings_applies_to_a_third() {
    let folder = tempfile::tempdir().expect("a folder");
    let file = |name: &str, text: &str| {
        let path = folder.path().join(name);
        fs::write(&path, text).expect("a file");
        path.to_str().expect("UTF-8").to_owned()
    };
    let old = file("old.cfg", SETTINGS);
    let new = file("new.cfg", &SETTINGS.replace("mode=1", "mode=3"));
    let third = SETTINGS.replace("volume=0.5", "volume=0.7");
    let own = file("own.cfg", &third);
    let merged = stdout(&["merge", &old, &new, &own], b"", 0);
    assert_eq!(merged, third.replace("mode=1", "mode=3"));
    let difference = stdout(&["diff", &old, &new], b"", 1);
    assert!(difference.contains("video.mode"), "{difference}");
}

/// The merged file is ours with other values. What git would take for a whole merge has lost a comment of theirs.
#[test]
fn a_merge_tells_the_comments_that_only_theirs_has() {
    let folder = tempfile::tempdir().expect("a folder");
    let file = |name: &str, text: &str| {
        let path = folder.path().join(name);
        fs::write(&path, text).expect("a file");
        path.to_str().expect("UTF-8").to_owned()
    };
    let base = file("base.cfg", SETTINGS);
    let commented = SETTINGS.replace("volume=0.5", "; loud\nvolume=0.9 ; very\n; mine");
    let theirs = file("theirs.cfg", &commented);
    let ours = file("ours.cfg", &SETTINGS.replace("mode=1", "mode=3"));
    let args = ["merge", &base, &ours, &theirs];
    let expected = SETTINGS.replace("mode=1", "mode=3").replace("0.5", "0.9");
    assert_eq!(stdout(&args, b"", 1), expected);
    let said = stderr(&args, b"", 1);
    let expected =
        "theirs.cfg: 3 comments that only this file has, left out, first in line 9: ; loud";
    assert!(said.contains(expected), "{said}");
    // Comments that ours has too, or that theirs deleted, are no loss.
    let same = file("same.cfg", &commented.replace("mode=1", "mode=3"));
    let without = file("without.cfg", &SETTINGS.replace("; mine\n", ""));
    for args in [
        ["merge", &base, &same, &theirs],
        ["merge", &base, &theirs, &base],
        ["merge", &base, &ours, &without],
    ] {
        stdout(&args, b"", 0);
    }
}

#[test]
fn the_name_of_a_section_changes_in_its_place() {
    let renamed = on(
        "a.cfg",
        SETTINGS,
        "rename-key",
        &["video=screen", "-o", "-"],
    );
    assert_eq!(renamed, SETTINGS.replace("[video]", "[screen]"));
}

/// `ConfigFile.save_encrypted_pass` of 4.6.3 and 3.6.2.
#[test]
fn encrypted_settings_are_edited_under_their_password() {
    for engine in ["godot4", "godot3.6"] {
        let folder = tempfile::tempdir().expect("a folder");
        let new = folder.path().join("new.cfg");
        let new = new.to_str().expect("UTF-8");
        let old = path(&format!("{engine}/encrypted.cfg"));
        let secret = ["--password", "secret"];
        stdout(
            &[&["set", &old, "types.i=8", "-o", new], &secret[..]].concat(),
            b"",
            0,
        );
        let all = |file: &str| stdout(&[&["gron", file], &secret[..]].concat(), b"", 0);
        assert_eq!(
            all(new),
            all(&old).replace("types.i = -7;", "types.i = 8;"),
            "{engine}"
        );
        assert_ne!(all(new), all(&old));
    }
}

/// Godot 3.6.2 saves this file, and refuses all of it if it has a PackedByteArray.
#[test]
fn an_edit_asks_for_the_engine_if_both_could_have_written_the_file() {
    let folder = tempfile::tempdir().expect("a folder");
    let file = folder.path().join("tiny.cfg");
    fs::write(&file, "[root]\n\nv={\n\"hp\": 1\n}\n").expect("a file");
    let file = file.to_str().expect("UTF-8");
    let set = |more: &[&'static str]| {
        let args = ["set", file, "root.v=PoolByteArray(1,2)", "-o", "-"];
        gdvar(&[more, &args].concat(), b"")
    };
    let refused = set(&[]);
    assert_ne!(refused.status.code(), Some(0));
    assert_eq!(refused.stdout, b"");
    let error = String::from_utf8_lossy(&refused.stderr);
    assert!(error.contains("-d godot3 or -d godot4"), "{error}");
    for (engine, written) in [
        ("godot3", "PoolByteArray( 1, 2 )"),
        ("godot4", "PackedByteArray(1, 2)"),
    ] {
        let text = String::from_utf8(set(&["-d", engine]).stdout).expect("UTF-8");
        assert_eq!(text, format!("[root]\n\nv={written}\n"));
    }
}

#[test]
fn a_value_as_text_is_read_and_edited() {
    let value = "{\n\"hp\": 80,\n\"pos\": Vector2(1, 2)\n}\n";
    assert_eq!(on("save.txt", value, "get", &["hp"]), "80\n");
    assert_eq!(
        on("save.txt", value, "set", &["hp=90"]),
        value.replace("80", "90")
    );
    // What is left after an edit may be JSON as well.
    let folder = tempfile::tempdir().expect("a folder");
    let file = folder.path().join("save.txt");
    fs::write(&file, value).expect("a file");
    let file = file.to_str().expect("UTF-8");
    for (command, change, left) in [
        ("del", "pos", "{\n\"hp\": 80\n}\n"),
        ("set", "hp=[]", "{\n\"hp\": []\n}\n"),
        ("del", "hp", "{}\n"),
    ] {
        stdout(&["-q", command, file, change, "-i"], b"", 0);
        assert_eq!(fs::read_to_string(file).expect("a file"), left);
        stdout(&["check", file], b"", 0);
    }
    assert_eq!(stdout(&["get", "-", "[1]"], b"[1, 2]", 0), "2\n");
    // JSON stays JSON.
    let error = stderr(&["view", "-"], b"{\"hp\": 80}", 3);
    assert!(error.contains("this is JSON"), "{error}");
}

#[test]
fn an_error_in_a_document_has_a_line_and_a_column() {
    let error = stderr(&["view", "-"], b"[video]\nmode=1\nsize=big\n", 3);
    let expected = "a ConfigFile with an error, line 3, column 6: expected a value";
    assert!(error.contains(expected), "{error}");
    assert!(error.contains("after 1 value"), "{error}");
    let error = stderr(
        &["view", "-"],
        b"[gd_resource format=3]\n# x\n[resource]\n",
        3,
    );
    assert!(error.contains("a resource with an error, line"), "{error}");
    // A line of a log looks like a section and is not one.
    let error = stderr(&["view", "-"], b"[12:30:01] x=5 done\n", 3);
    assert!(!error.contains("with an error"), "{error}");
}

/// Each was seen to run in 4.6.3: `testdata/scan`.
#[test]
fn code_in_documents_is_found_and_clean_ones_are_clean() {
    let scan = |name: &str, text: &str| {
        let folder = tempfile::tempdir().expect("a folder");
        let path = folder.path().join(name);
        fs::write(&path, text).expect("a file");
        let output = gdvar(
            &["scan", "--json-lines", path.to_str().expect("UTF-8")],
            b"",
        );
        let line: serde_json::Value = serde_json::from_slice(&output.stdout).expect("JSON");
        line["state"].as_str().expect("a state").to_owned()
    };
    let unused = "[gd_resource type=\"Resource\" format=3]\n\n\
                  [sub_resource type=\"GDScript\" id=\"1\"]\nscript/source = \"extends Node\"\n\n[resource]\n";
    assert_eq!(scan("a.tres", unused), "code");
    assert_eq!(scan("a.dat", unused), "code");
    assert_eq!(
        scan("a.cfg", "[a]\nx=Object(GDScript,\"script/source\":\"\")\n"),
        "code"
    );
    assert_eq!(scan("a.tres", &text("godot4/scripted.tres")), "code");
    // Godot loads the file that has this uid, and only the game knows which one that is. So the
    // reference cannot be checked.
    let by_uid = "[gd_resource type=\"Resource\" load_steps=2 format=3]\n\n\
        [ext_resource type=\"Texture2D\" uid=\"uid://b1\" path=\"res://a.png\" id=\"1\"]\n\n\
        [resource]\nmetadata/a = ExtResource(\"1\")\n";
    assert_eq!(scan("a.tres", by_uid), "unread");
    assert_eq!(scan("a.cfg", SETTINGS), "clean");
    assert_eq!(scan("a.tres", &text("godot4/refs.tres")), "clean");
    assert_eq!(scan("a.tres", &text("godot3.6/all.tres")), "clean");
}

/// A node of 4.6.3 whose script has variables named like attributes of its tag: each has a path of its own, in every verb.
#[test]
fn an_attribute_and_a_property_of_one_name_are_two_values() {
    let scene = "[gd_scene format=3]\n\n[node name=\"Root\" type=\"Node\" unique_id=7 groups=[\"g\"]]\nunique_id = 8\n\
                 groups = Array[String]([\"own\"])\n";
    let folder = tempfile::tempdir().expect("a folder");
    let path = |name: &str| folder.path().join(name).to_str().expect("UTF-8").to_owned();
    let (old, new) = (path("a.tscn"), path("b.tscn"));
    fs::write(&old, scene).expect("a file");
    let own = r#"nodes[0]["property/groups"]"#;
    for (place, value) in [
        ("nodes[0].groups", "[\"g\"]\n"),
        (own, "Array[String]([\"own\"])\n"),
        ("nodes[0].unique_id", "7\n"),
        (r#"nodes[0]["property/unique_id"]"#, "8\n"),
    ] {
        let shown = stdout(&["view", "--format", "line", &old, place], b"", 0);
        assert_eq!(shown, value, "{place}");
        let found = stdout(&["grep", "", &old, "--json-lines"], b"", 0);
        let places = found.lines().filter(|line| {
            let line: serde_json::Value = serde_json::from_str(line).expect("JSON");
            line["path"] == place
        });
        assert_eq!(places.count(), 1, "{place}");
    }
    let json = stdout(&["json", "-q", &old], b"", 0);
    assert_eq!(json.matches("\"groups\"").count(), 1, "{json}");
    for (verb, change, from, to) in [
        ("set", "nodes[0].groups=[\"h\"]", "[\"g\"]]", "[\"h\"]]"),
        ("set", "nodes[0].unique_id=9", "=7", "=9"),
        ("set", r#"nodes[0]["property/unique_id"]=9"#, " = 8", " = 9"),
        ("del", "nodes[0].groups", " groups=[\"g\"]", ""),
        ("del", own, "\ngroups = Array[String]([\"own\"])", ""),
        (
            "set",
            r#"nodes[0]["property/index"]=1"#,
            "\"])\n",
            "\"])\nindex = 1\n",
        ),
        ("set", "nodes[0].index=\"1\"", "]]\n", "] index=\"1\"]\n"),
    ] {
        stdout(&["-q", verb, &old, change, "-o", &new], b"", 0);
        let text = fs::read_to_string(&new).expect("a file");
        assert_eq!(text, scene.replacen(from, to, 1), "{verb} {change}");
        let difference = stdout(&["diff", &old, &new], b"", 1);
        assert_eq!(difference.lines().count(), 1, "{difference}");
        let patch = stdout(&["diff", "--format", "patch", &old, &new], b"", 1);
        let patched = stdout(&["patch", &old, "-", "-o", "-"], patch.as_bytes(), 0);
        assert_eq!(patched, text, "{verb} {change}");
    }
    // The binary form has both, and gives both back.
    let (binary, back) = (path("a.scn"), path("c.tscn"));
    gdvar(&["-q", "convert", &old, "-o", &binary], b"");
    gdvar(&["-q", "convert", &binary, "-o", &back], b"");
    let text = fs::read_to_string(&back).expect("a file");
    assert_eq!(text, scene.replace("Array[String]([\"own\"])", "[\"own\"]"));
}
