//! `convert` returns canonical bytes unchanged, and reports everything that is lost.

mod common;

use std::fs;

use common::{gdvar, save, stderr, stdout};
use gdvar_conformance::{
    deliberate,
    vectors::{ENGINES, hex, vectors},
};
use serde_json::Value;

#[test]
fn canonical_vectors_come_back_identical() {
    for engine in ENGINES {
        for (full_objects, objects) in [(false, "ids"), (true, "inert")] {
            let all: Vec<_> = vectors(engine)
                .into_iter()
                .filter(|vector| vector.canonical && vector.full_objects == full_objects)
                .collect();
            let input: String = all.iter().map(|vector| hex(&vector.bytes) + "\n").collect();
            let dialect = engine.dialect.name();
            let args = [
                "convert",
                "-d",
                dialect,
                "--to",
                dialect,
                "-f",
                "hex",
                "--out-framing",
                "hex",
                "--objects",
                objects,
                "-",
            ];
            let output = gdvar(&args, input.as_bytes());
            let text = String::from_utf8(output.stdout).expect("UTF-8");
            let lines: Vec<&str> = text.lines().collect();
            assert_eq!(lines.len(), all.len(), "a line for each record");
            for (vector, line) in all.iter().zip(lines) {
                if line == hex(&vector.clean()) {
                    continue;
                }
                // An empty line means that the value was refused on purpose.
                let known = deliberate::VERDICTS
                    .iter()
                    .any(|known| vector.id.starts_with(known.id));
                let refused = known || vector.engine_refuses;
                assert!(line.is_empty() && refused, "{} {}", engine.name, vector.id);
            }
        }
    }
}

#[test]
fn saves_come_back_identical() {
    let folder = tempfile::tempdir().expect("a folder");
    let out = folder.path().join("out.sav");
    let out = out.to_str().expect("UTF-8");
    for (name, dialect) in [
        ("rpg4.sav", "godot4"),
        ("objects4.sav", "godot4"),
        ("replay4.rec", "godot4"),
        ("settings4.cfg", "godot4"),
        ("voxel4.chunk", "godot4"),
        ("leaderboard3.dat", "godot3"),
        ("settings3.cfg", "godot3"),
    ] {
        let path = save(name);
        let path = path.to_str().expect("UTF-8");
        let args = [
            "convert",
            "-q",
            "--objects",
            "inert",
            "--to",
            dialect,
            path,
            "-o",
            out,
        ];
        assert_eq!(stderr(&args, b"", 0), "", "{name}");
        assert!(
            fs::read(out).expect("a file") == fs::read(path).expect("a file"),
            "{name}"
        );
    }
    assert_eq!(fs::read_dir(folder.path()).expect("a folder").count(), 1);
}

/// For a file, lengths in front of records are filled in afterwards; for standard output they are known at
/// once. Both give the same bytes, in either byte order.
#[test]
fn a_file_has_what_standard_output_gets() {
    let folder = tempfile::tempdir().expect("a folder");
    let out = folder.path().join("out.sav");
    let out = out.to_str().expect("UTF-8");
    for (name, framing) in [
        ("rpg3.sav", "len32"),
        ("rpg3.sav", "len32be"),
        ("replay3.rec", "len32be"),
        ("rpg3.sav", "bare"),
    ] {
        let path = save(name);
        let path = path.to_str().expect("UTF-8");
        let args = [
            "convert",
            "-q",
            "--to",
            "godot4",
            path,
            "--out-framing",
            framing,
        ];
        let shown = gdvar(&args, b"");
        let written = gdvar(&[&args[..], &["-o", out]].concat(), b"");
        assert_eq!(written.status.code(), shown.status.code(), "{name}");
        let file = fs::read(out).expect("a file");
        assert!(
            file == shown.stdout && file.len() > 1000,
            "{name} {framing}"
        );
    }
}

#[test]
fn godot_3_saves_become_godot_4_saves() {
    let folder = tempfile::tempdir().expect("a folder");
    let out = folder.path().join("out.sav");
    let out = out.to_str().expect("UTF-8");
    for name in [
        "rpg3.sav",
        "camp3.sav",
        "replay3.rec",
        "leaderboard3.dat",
        "voxel3.chunk",
    ] {
        let path = save(name);
        let path = path.to_str().expect("UTF-8");
        let args = ["convert", "--json", "--to", "godot4", path, "-o", out];
        let line = stdout(&args, b"", 0);
        let report: Value = serde_json::from_str(&line).expect("JSON");
        assert_eq!(report["changes"], Value::Array(Vec::new()), "{name}");
        let info = |path| -> Value {
            serde_json::from_str(&stdout(&["info", "--json", path], b"", 0)).expect("JSON")
        };
        let (old, new) = (info(path), info(out));
        assert_eq!(new["dialect"], "godot4", "{name}");
        for member in ["records", "values", "types", "depth"] {
            assert_eq!(old[member], new[member], "{name} {member}");
        }
    }
}

#[test]
fn losses_are_named_and_counted() {
    let path = save("rpg4.sav");
    let path = path.to_str().expect("UTF-8");
    let args = ["convert", "--to", "godot3", "--out-framing", "hex", path];
    let messages = stderr(&args, b"", 1);
    assert!(messages.contains("note: 106 × StringName became String, first at $.difficulty"));
    assert!(
        messages.contains("warning: 34 × Array lost its element type, first at $.party[0].inv")
    );
}

#[test]
fn what_cannot_be_converted_leaves_an_empty_line_and_the_old_file() {
    let lines = b"0200000005000000\nffffffff\n0200000006000000\n";
    let args = [
        "convert", "-d", "godot4", "-f", "hex", "--to", "godot4", "-",
    ];
    let text = stdout(&args, lines, 3);
    assert_eq!(text, "0200000005000000\n\n0200000006000000\n");

    let folder = tempfile::tempdir().expect("a folder");
    let out = folder.path().join("old.hex");
    fs::write(&out, "old").expect("a file");
    let out = out.to_str().expect("UTF-8");
    let args: Vec<&str> = args.iter().copied().chain(["-o", out]).collect();
    let messages = stderr(&args, lines, 3);
    assert!(messages.contains("nothing was written"), "{messages}");
    assert_eq!(fs::read(out).expect("the old file"), b"old");
}

#[test]
fn a_loss_can_be_refused() {
    // A StringName that becomes a String loses nothing; a Callable does.
    let name = b"150000000200000068700000\n";
    let args = [
        "convert",
        "-d",
        "godot4",
        "-f",
        "hex",
        "--to",
        "godot3",
        "--on-loss",
        "fail",
        "-",
    ];
    assert_eq!(stdout(&args, name, 0), "040000000200000068700000\n");
    assert_eq!(stdout(&args, b"19000000\n", 1), "\n");
    let args = [
        "convert", "-d", "godot4", "-f", "hex", "--to", "godot3", "-",
    ];
    assert_eq!(stdout(&args, b"19000000\n", 1), "00000000\n");
}

#[test]
fn framings_are_changed() {
    let bare = b"\x02\0\0\0\x05\0\0\0";
    let convert = |from: &str, to: &str, input: &[u8]| {
        let args = [
            "convert",
            "-d",
            "godot4",
            "--to",
            "godot4",
            "-f",
            from,
            "--out-framing",
            to,
            "-",
        ];
        let output = gdvar(&args, input);
        assert_eq!(output.status.code(), Some(0));
        output.stdout
    };
    assert_eq!(convert("bare", "hex", bare), b"0200000005000000\n");
    assert_eq!(convert("bare", "base64", bare), b"AgAAAAUAAAA=\n");
    assert_eq!(
        convert("bare", "len32", bare),
        [b"\x08\0\0\0", &bare[..]].concat()
    );
    assert_eq!(convert("base64", "bare", b"AgAAAAUAAAA="), bare);
    let args = [
        "convert",
        "-d",
        "godot4",
        "--to",
        "godot4",
        "-f",
        "hex",
        "--out-framing",
        "bare",
        "-",
    ];
    stderr(&args, b"00000000\n00000000\n", 2);
}

fn form(engine: &str, name: &str) -> String {
    let path = gdvar_conformance::vectors::testdata("forms").join(engine);
    path.join(name).to_str().expect("UTF-8").to_owned()
}

fn within(folder: &tempfile::TempDir, name: &str) -> String {
    let path = folder.path().join(name);
    path.to_str().expect("UTF-8").to_owned()
}

#[test]
fn the_ending_chooses_the_form_of_a_resource() {
    let folder = tempfile::tempdir().expect("a folder");
    let path = |name: &str| within(&folder, name);
    for engine in ["godot4", "godot3"] {
        for (first, text, binary) in [
            ("refs.res", "a.tres", "a.res"),
            ("scene01.scn", "a.tscn", "a.scn"),
        ] {
            let (first, text, binary) = (form(engine, first), path(text), path(binary));
            let said = stderr(&["convert", &first, "-o", &text], b"", 0);
            assert!(said.contains(", text"), "{said}");
            let start = fs::read_to_string(&text).expect("a text");
            assert!(start.starts_with("[gd_"), "{start}");
            let said = stderr(&["convert", &text, "-o", &binary], b"", 0);
            assert!(said.contains(", binary"), "{said}");
            let is_same = gdvar(&["diff", &first, &binary], b"").status.success();
            // The lists of a scene have another order.
            assert!(is_same || binary.ends_with(".scn"), "{first}");
            let again = path(&format!(
                "again.{}",
                text.rsplit('.').next().expect("an ending")
            ));
            stdout(&["convert", "-q", &binary, "-o", &again], b"", 0);
            assert_eq!(
                fs::read_to_string(&again).expect("a text"),
                start,
                "{first}"
            );
        }
    }
}

/// A loss is a warning and exit code 1, or with `--on-loss fail` nothing is written.
#[test]
fn the_other_form_lists_what_it_does_not_have() {
    let folder = tempfile::tempdir().expect("a folder");
    let path = |name: &str| within(&folder, name);
    let text = "[gd_resource type=\"Resource\" format=3]\n; by hand\n\n[resource]\n\
        metadata/a = Array[int]([1])\nmetadata/r = RID()\n";
    fs::write(path("a.tres"), text).expect("space");
    let args = ["convert", &path("a.tres"), "-o", &path("a.res")];
    let said = stderr(&[&args[..], &["--on-loss", "fail"]].concat(), b"", 1);
    assert!(said.contains("nothing was written"), "{said}");
    assert!(!fs::exists(path("a.res")).expect("a folder"));
    let said = stderr(&args, b"", 1);
    for loss in [
        "warning: the types of arrays and dictionaries (1)",
        "warning: comments",
        "warning: RIDs (1)",
    ] {
        assert!(said.contains(loss), "{said}");
    }
    let line = stdout(&[&args[..], &["--json"]].concat(), b"", 1);
    let line: Value = serde_json::from_str(&line).expect("JSON");
    let kinds = line["changes"].as_array().expect("a list").iter();
    let kinds: Vec<_> = kinds.map(|change| change["kind"].as_str()).collect();
    assert_eq!(kinds, [Some("Types"), Some("Comments"), Some("Rids")]);
    // 3.6.2 writes an RID into a text as nothing, and cannot read it. From a binary file it reads the number 0.
    let rid = gdvar_conformance::vectors::testdata("resources/godot3/all.res");
    let rid = rid.to_str().expect("UTF-8");
    let said = stderr(&["convert", rid, "-o", &path("b.tres")], b"", 1);
    assert!(said.contains("warning: RIDs (1)"), "{said}");
    let text = fs::read_to_string(path("b.tres")).expect("a text");
    assert!(text.contains("\"rid\": 0\n"), "{text}");
}

/// Each error says what was found and what to do, and nothing is written.
#[test]
fn what_has_no_other_form_is_an_error() {
    let folder = tempfile::tempdir().expect("a folder");
    let path = |name: &str| within(&folder, name);
    let put = |name: &str, text: &str| {
        fs::write(path(name), text).expect("space");
        path(name)
    };
    let head = "[gd_resource type=\"Resource\" format=3]\n\n[resource]\n";
    let old = "[gd_resource type=\"Resource\" load_steps=2 format=2]\n\n[sub_resource type=\"Resource\" id=\"a\"]\n\n[resource]\n__meta__ = {\n\"a\": SubResource( \"a\" )\n}\n";
    let scene = "[gd_scene format=3]\n\n[node name=\"A\" type=\"Node\"]\n\n[node name=\"B\" type=\"Node\" parent=\".\" index=\"9000\"]\n";
    let save = save("rpg4.sav");
    let save = save.to_str().expect("UTF-8");
    let refs = form("godot4", "refs.res");
    let rid = put(
        "rid.tres",
        &format!("{head}metadata/r = RID(54262616817724)\n"),
    );
    let object = put(
        "object.tres",
        &format!("{head}metadata/o = Object(Node,\"name\":\"x\")\n"),
    );
    let text = form("godot4", "refs.tres");
    for (args, code, expected) in [
        (vec![&*refs, "-o", "x.txt"], 2, "found x.txt"),
        (vec![&*refs], 2, "found neither"),
        (vec![&*refs, "-o", "x.res"], 2, "it is binary already"),
        (vec![&*text, "-o", "x.tres"], 2, "it is text already"),
        (
            vec![&*refs, "-o", "x.tscn"],
            2,
            "it is not a scene, and Godot goes by the ending: choose -o with .tres",
        ),
        (
            vec![&*refs, "-o", "x.tres", "--to", "godot3"],
            2,
            "it is for Godot 4, and --to asks for Godot 3",
        ),
        (
            vec![&*refs, "-o", "x.tres", "--out-framing", "hex"],
            2,
            "leave --out-framing out",
        ),
        (
            vec![save, "-o", "x.tres"],
            2,
            "expected a resource or a scene",
        ),
        (
            vec![&*rid, "-o", "x.res"],
            1,
            "line 4, metadata/r: a value that the engine of this format cannot hold; change or delete it",
        ),
        (
            vec![&*object, "-o", "x.res"],
            1,
            "line 4, metadata/o: expected a resource that has a tag of its own, found Node",
        ),
        (
            vec![&*put("old.tres", old), "-o", "x.res"],
            1,
            "line 3, id: the id of a resource that is not a number",
        ),
        (
            vec![&*put("bad.tscn", scene), "-o", "x.scn"],
            1,
            "line 5: expected a name, and an index from 0 to 8190",
        ),
        (
            vec![
                &*put(
                    "uid.tres",
                    &head.replace("format=3", "format=3 uid=\"uid://<invalid>\""),
                ),
                "-o",
                "x.res",
            ],
            1,
            "found \"uid://<invalid>\"",
        ),
    ] {
        let args: Vec<String> = { args.iter() }
            .map(|arg| match arg.starts_with("x.") {
                true => path(arg),
                false => (*arg).to_owned(),
            })
            .collect();
        let args: Vec<&str> = std::iter::once("convert")
            .chain(args.iter().map(String::as_str))
            .collect();
        let errors = stderr(&args, b"", code);
        assert!(
            errors.replace(&path(""), "").contains(expected),
            "{expected}: {errors}"
        );
        let left = fs::read_dir(folder.path()).expect("a folder");
        let left = left.filter(|entry| {
            let name = entry.as_ref().expect("an entry").file_name();
            name.to_string_lossy().starts_with("x.")
        });
        assert_eq!(left.count(), 0, "{expected}");
    }
}
