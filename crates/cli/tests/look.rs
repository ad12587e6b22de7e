//! `hex`: all bytes, once.

mod common;

use std::fs;

use common::{gdvar, save, stderr, stdout};
use gdvar_conformance::vectors::unhex;
use serde_json::Value;

fn lines(text: &str) -> Vec<Value> {
    let parse = |line| serde_json::from_str(line).expect("JSON");
    text.lines().map(parse).collect()
}

/// A file with its fields as JSON, which are its bytes.
#[track_caller]
fn whole(args: &[&str], bytes: &[u8], code: i32) -> Vec<Value> {
    let text = stdout(&[&["hex", "--json"], args].concat(), bytes, code);
    let lines = lines(&text);
    let mut seen = Vec::new();
    for line in &lines {
        assert_eq!(line["schema"], 1);
        assert_eq!(line["offset"].as_u64(), Some(seen.len() as u64), "{line}");
        seen.extend(unhex(line["bytes"].as_str().expect("digits")));
    }
    assert!(
        seen == bytes,
        "{args:?}: {} of {} bytes",
        seen.len(),
        bytes.len()
    );
    lines
}

#[test]
fn every_byte_of_a_save_has_a_field() {
    for name in [
        "rpg3.sav",
        "rpg4.sav",
        "objects4.sav",
        "replay3.rec",
        "settings4.cfg",
        "voxel4.chunk",
    ] {
        let bytes = fs::read(save(name)).expect("a save");
        let lines = whole(&["-"], &bytes, 0);
        assert!(lines.iter().all(|line| line["field"] != "unread"), "{name}");
    }
}

#[test]
fn every_byte_of_a_damaged_save_has_a_field() {
    let bytes = fs::read(save("rpg4.sav")).expect("a save");
    let cut = whole(&["-d", "4", "-f", "len32", "-"], &bytes[..40_001], 3);
    assert_eq!(
        cut.last().map(|line| &line["field"]),
        Some(&Value::from("unread"))
    );
    // The count of the outermost Dictionary.
    let mut bad = bytes.clone();
    bad[8..12].copy_from_slice(&[0xff; 4]);
    let bad = whole(&["-d", "4", "-f", "len32", "-"], &bad, 3);
    assert_eq!(bad.len(), 4);
    let behind = [&bytes[..], b"\x07\x07\x07"].concat();
    let behind = whole(&["-d", "4", "-f", "len32", "-"], &behind, 3);
    assert_eq!(
        behind.last().map(|line| &line["bytes"]),
        Some(&Value::from("070707"))
    );
    let skipped = [b"GAME", &bytes[..]].concat();
    let skipped = whole(&["--skip", "4", "-"], &skipped, 0);
    assert_eq!(skipped[0]["field"], "skipped");
}

/// The digits in the rows are the file, whatever the terminal is.
#[test]
fn rows_are_the_bytes() {
    let bytes = fs::read(save("objects4.sav")).expect("a save");
    for (width, most) in [("40", 40), ("80", 80), ("120", 120), ("200", 200)] {
        // A variable of the environment is one of the whole process.
        let output = std::process::Command::new(env!("CARGO_BIN_EXE_gdvar"))
            .args(["hex", "--full"])
            .arg(save("objects4.sav"))
            .env("COLUMNS", width)
            .output()
            .expect("gdvar runs");
        let text = String::from_utf8(output.stdout).expect("UTF-8");
        let mut seen = Vec::new();
        for line in text.lines() {
            assert!(line.chars().count() <= most, "{width}: {line}");
            assert_eq!(line, line.trim_end(), "{width}");
            let (offset, rest) = line.split_once("  ").expect("an offset");
            assert_eq!(usize::from_str_radix(offset, 16), Ok(seen.len()), "{line}");
            let hex = rest.split("  ").next().unwrap_or_default();
            seen.extend(unhex(&hex.replace(' ', "")));
        }
        assert!(seen == bytes, "{width}");
    }
}

#[test]
fn ranges_and_paths_leave_the_rest_out() {
    let path = save("rpg4.sav");
    let path = path.to_str().expect("a path");
    let text = stdout(&["hex", "--json", "--range", "0x400..0x410", path], b"", 0);
    for line in lines(&text) {
        let from = line["offset"].as_u64().expect("a number");
        let len = line["bytes"].as_str().expect("digits").len() as u64 / 2;
        assert!(from < 0x410 && from + len > 0x400, "{line}");
    }
    let text = stdout(&["hex", "--json", path, "party[0].name"], b"", 0);
    let fields: Vec<_> = lines(&text)
        .iter()
        .map(|line| line["field"].clone())
        .collect();
    assert_eq!(fields, ["header", "length", "text", "padding"]);
    let text = stdout(&["hex", "--json", path, "party[0].name"], b"", 0);
    assert!(
        lines(&text)
            .iter()
            .all(|line| line["path"] == "party[0].name")
    );
    // A component stands in its vector.
    let text = stdout(&["hex", "--json", path, "party[0].position.x"], b"", 0);
    assert_eq!(lines(&text)[0]["path"], "party[0].position");
    stderr(&["hex", path, "party[9]"], b"", 1);
    stderr(&["hex", "--range", "9..3", path], b"", 2);
    stderr(&["hex", "--record", "7", path], b"", 1);
}

#[test]
fn errors_show_what_stands_around() {
    let bytes = fs::read(save("rpg4.sav")).expect("a save");
    assert!(stderr(&["hex", "--errors", "-"], &bytes, 0).contains("all of it can be read"));
    let cut = gdvar(
        &["hex", "--errors", "-d", "4", "-f", "len32", "-"],
        &bytes[..1000],
    );
    assert_eq!(cut.status.code(), Some(3));
    let rows = String::from_utf8(cut.stdout).expect("UTF-8");
    assert_eq!(rows.matches("<- here").count(), 1, "{rows}");
    assert!(rows.lines().count() < 40, "{rows}");
    // A text that is not UTF-8 has its place, too.
    let bad = unhex("1c000000010000000400000003000000ffffff00");
    let rows = gdvar(&["hex", "--errors", "-d", "4", "-f", "bare", "-"], &bad).stdout;
    assert!(String::from_utf8_lossy(&rows).contains("<- here"));
}
