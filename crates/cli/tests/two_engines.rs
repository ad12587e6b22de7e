//! `diff --format patch` and `merge` with files of two engines, and with parts that are no values: nothing is read as a
//! value of the other engine, and nothing of one side is dropped without a word.

mod common;

use std::{fs, path::PathBuf};

use common::{gdvar, path};

struct Files(tempfile::TempDir);

impl Files {
    fn new() -> Files {
        Files(tempfile::tempdir().expect("a folder"))
    }

    fn put(&self, name: &str, bytes: &[u8]) -> PathBuf {
        let file = self.0.path().join(name);
        fs::write(&file, bytes).expect("written");
        file
    }

    /// Writes the record that an engine reads from a text.
    fn record(&self, name: &str, dialect: &str, text: &str) -> PathBuf {
        let source = self.put("text", text.as_bytes());
        let file = self.0.path().join(name);
        let out = gdvar(
            &[
                "-d",
                dialect,
                "from-text",
                "--framing",
                "len32",
                path(&source),
                "-o",
                path(&file),
            ],
            b"",
        );
        assert_eq!(out.status.code(), Some(0), "{out:?}");
        file
    }
}

const OLD: &str = r#"{"hp": 1, "tint": Color(1, 0, 0, 1), "box": AABB(0, 0, 0, 1, 1, 1)}"#;
const NEW: &str = r#"{"hp": 5, "tint": Color(0, 1, 0, 1), "box": AABB(0, 0, 0, 2, 1, 1)}"#;
const ENGINES: [&str; 2] = ["godot4", "godot3"];

#[test]
fn values_of_two_engines_are_neither_patched_nor_merged() {
    let files = Files::new();
    let out = files.0.path().join("out");
    for one in ENGINES {
        for other in ENGINES {
            let old = files.record("old", one, OLD);
            let new = files.record("new", other, NEW);
            let made = gdvar(&["diff", "--format", "patch", path(&old), path(&new)], b"");
            let merged = [[&old, &old, &new], [&old, &new, &old], [&new, &old, &old]].map(
                |[base, ours, theirs]| {
                    let merged = gdvar(
                        &[
                            "merge",
                            path(base),
                            path(ours),
                            path(theirs),
                            "-o",
                            path(&out),
                        ],
                        b"",
                    );
                    let is_written = out.exists();
                    if is_written {
                        fs::remove_file(&out).expect("removed");
                    }
                    (merged, is_written)
                },
            );
            if one == other {
                assert!(!made.stdout.is_empty());
                assert!(merged.iter().all(|(_, is_written)| *is_written));
                continue;
            }
            assert_eq!(
                (made.status.code(), made.stdout.len()),
                (Some(2), 0),
                "{one} {other} {made:?}"
            );
            for (merged, is_written) in merged {
                assert_eq!(
                    (merged.status.code(), is_written),
                    (Some(2), false),
                    "{one} {other} {merged:?}"
                );
            }
        }
    }
}

#[test]
fn the_header_of_the_side_that_changed_it_is_merged() {
    let files = Files::new();
    let record = fs::read(files.record("value", "godot4", OLD)).expect("a file");
    let with = |name: &str, header: &[u8], trailer: &[u8]| {
        files.put(name, &[header, &record, trailer].concat())
    };
    let out = files.0.path().join("out");
    for (base, ours, theirs, expected, code) in [
        (
            ("GAME1\0\0\0", "end1"),
            ("GAME1\0\0\0", "end1"),
            ("GAME2\0\0\0", "end2"),
            ("GAME2\0\0\0", "end2"),
            0,
        ),
        (
            ("GAME1\0\0\0", "end1"),
            ("GAME2\0\0\0", "end2"),
            ("GAME1\0\0\0", "end1"),
            ("GAME2\0\0\0", "end2"),
            0,
        ),
        (
            ("GAME1\0\0\0", "end1"),
            ("GAME2\0\0\0", "end1"),
            ("GAME1\0\0\0", "end2"),
            ("GAME2\0\0\0", "end2"),
            0,
        ),
        (
            ("GAME1\0\0\0", "end1"),
            ("GAME2\0\0\0", "end1"),
            ("GAME3\0\0\0", "end1"),
            ("GAME2\0\0\0", "end1"),
            1,
        ),
    ] {
        let [base, ours, theirs] = [("base", base), ("ours", ours), ("theirs", theirs)]
            .map(|(name, (header, trailer))| with(name, header.as_bytes(), trailer.as_bytes()));
        let merged = gdvar(
            &[
                "-d",
                "godot4",
                "merge",
                path(&base),
                path(&ours),
                path(&theirs),
                "-o",
                path(&out),
            ],
            b"",
        );
        assert_eq!(merged.status.code(), Some(code), "{merged:?}");
        let (header, trailer) = expected;
        let expected = [header.as_bytes(), &record, trailer.as_bytes()].concat();
        assert!(
            fs::read(&out).expect("a file") == expected,
            "{header} {trailer}"
        );
    }
}

#[test]
fn bytes_after_a_value_are_compared() {
    let files = Files::new();
    let value = fs::read(files.record("value", "godot4", OLD)).expect("a file");
    let longer = |name: &str, rest: &[u8]| {
        let len = (value.len() - 4 + rest.len()) as u32;
        files.put(name, &[&len.to_le_bytes(), &value[4..], rest].concat())
    };
    let (one, other) = (longer("one", &[1, 2, 3, 4]), longer("other", &[1, 2, 3, 5]));
    let out = files.0.path().join("out");
    let same = gdvar(&["diff", path(&one), path(&one)], b"");
    assert_eq!(same.status.code(), Some(0), "{same:?}");
    let found = gdvar(&["diff", path(&one), path(&other)], b"");
    assert_eq!(found.status.code(), Some(1), "{found:?}");
    for args in [
        vec!["diff", "--format", "patch", path(&one), path(&other)],
        vec![
            "merge",
            path(&one),
            path(&one),
            path(&other),
            "-o",
            path(&out),
        ],
    ] {
        let refused = gdvar(&args, b"");
        assert_eq!(
            (refused.status.code(), out.exists()),
            (Some(2), false),
            "{refused:?}"
        );
    }
    let merged = gdvar(
        &[
            "merge",
            path(&one),
            path(&one),
            path(&one),
            "-o",
            path(&out),
        ],
        b"",
    );
    assert_eq!(merged.status.code(), Some(0), "{merged:?}");
    assert!(fs::read(&out).expect("a file") == fs::read(&one).expect("a file"));
}

/// The digits of `diff --json` are those of the value.
#[test]
fn floats_of_a_difference_read_back() {
    let files = Files::new();
    for number in [
        "-943305.0469559873",
        "1e-45",
        "0.1",
        "5e-324",
        "1.7976931348623157e308",
        "123456.789",
    ] {
        let (one, other) = (
            files.record("one", "godot4", "{\"x\": 0.5}"),
            files.record("other", "godot4", &format!("{{\"x\": {number}}}")),
        );
        let found = gdvar(&["diff", "--json", path(&one), path(&other)], b"");
        let line: serde_json::Value = serde_json::from_slice(&found.stdout).expect("JSON");
        let expected: f64 = number.parse().expect("a number");
        assert_eq!(
            line["to"].as_f64().map(f64::to_bits),
            Some(expected.to_bits()),
            "{found:?}"
        );
    }
}
