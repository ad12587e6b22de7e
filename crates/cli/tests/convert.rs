//! `convert`: canonical bytes come back as they are, and nothing is ever lost in silence.

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
                // An empty line stands for what is refused on purpose.
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

/// Lengths that are filled in later, in either byte order, are those that stand in front at once.
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
