//! `gdvar bench`: everything but the times, which are the machine's.

mod common;

use common::{save, stderr, stdout};
use serde_json::Value;

const ROWS: [&str; 5] = ["limit", "skip", "check", "walk", "rewrite"];

fn path(name: &str) -> String {
    save(name).to_str().expect("UTF-8").to_owned()
}

fn json(args: &[&str], input: &[u8], code: i32) -> Value {
    serde_json::from_str(&stdout(args, input, code)).expect("a line of JSON")
}

/// Measures it and compares what is known otherwise.
#[track_caller]
fn agrees_with_info(args: &[&str], input: &[u8]) -> Value {
    let with = |command| [&[command, "--json"], args].concat();
    // Objects of which only ids were stored are lost: no matter for a measurement.
    let lossy = args.iter().any(|arg| arg.contains("objects4"));
    let info = json(&with("info"), input, i32::from(lossy));
    let found = json(&with("bench"), input, 0);
    for fact in ["file", "size", "framing", "dialect", "records", "values"] {
        assert_eq!(found[fact], info[fact], "{fact}");
    }
    found
}

#[test]
fn counts_are_those_of_info() {
    for (name, values) in [("rpg4.sav", 1756), ("rpg3.sav", 1758)] {
        let found = agrees_with_info(&[&path(name)], b"");
        assert_eq!(found["values"], values, "{name}");
        assert_eq!(found["measured"], found["size"], "{name}");
    }
    // Whole objects are let in as by info.
    let found = agrees_with_info(&["--objects", "inert", &path("objects4.sav")], b"");
    assert_eq!(found["records"], 4);
}

#[test]
fn lines_of_text_are_decoded_first() {
    let lines = b"# two ints\n0200000005000000\n02 00 00 00 06 00 00 00\n";
    let found = agrees_with_info(&["-d", "godot4", "-f", "hex", "-"], lines);
    assert_eq!(found["records"], 2);
    // Eight bytes each, behind a length of four.
    assert_eq!(found["measured"], 24);
}

#[test]
fn rows_are_complete_and_consistent() {
    let found = json(&["bench", "--json", &path("rpg4.sav")], b"", 0);
    let rows = found["rows"].as_array().expect("rows");
    let names: Vec<_> = rows.iter().map(|row| row["name"].as_str()).collect();
    assert_eq!(names, ROWS.map(Some));
    let number = |value: &Value| value.as_f64().expect("a number");
    let close = |a: f64, b: f64| (a / b - 1.0).abs() < 1e-9;
    let limit = number(&rows[0]["nanoseconds"]);
    for row in rows {
        let time = number(&row["nanoseconds"]);
        assert!(time > 0.0, "{row}");
        assert!(close(
            number(&row["bytes_per_second"]),
            89_456.0 / time * 1e9
        ));
        assert!(close(number(&row["nanoseconds_per_value"]), time / 1756.0));
        assert!(close(number(&row["share_of_limit"]), limit / time));
    }
    assert!(found["rounds"].as_u64() > Some(0));
    let text = stdout(&["bench", &path("rpg4.sav")], b"", 0);
    let first = |line: &str| line.split_whitespace().next().map(str::to_owned);
    let table = text.lines().skip(3).take(ROWS.len());
    let names: Vec<_> = table.map(first).collect();
    assert_eq!(names, ROWS.map(|name| Some(name.to_owned())), "{text}");
}

#[test]
fn what_cannot_be_read_is_reported_and_not_measured() {
    let bytes = std::fs::read(save("rpg4.sav")).expect("a save");
    let cut = &bytes[..50];
    let args = ["bench", "-d", "godot4", "-f", "len32", "-"];
    let text = stderr(&args, cut, 3);
    // The very message of check, which prints it as its result.
    let checked = stdout(&["check", "-d", "godot4", "-f", "len32", "-"], cut, 3);
    let message = checked.split("\n\n").next().expect("a message");
    assert!(message.starts_with("error[Truncated]"), "{message}");
    assert!(text.contains(message), "{text}");
    assert_eq!(stdout(&args, cut, 3), "");
    let line = json(&[&args[..], &["--json"]].concat(), cut, 3);
    let checked = ["check", "-d", "godot4", "-f", "len32", "-", "--json"];
    let checked = json(&checked, cut, 3);
    for fact in ["ok", "record", "error", "offset", "path"] {
        assert_eq!(line[fact], checked[fact], "{fact}");
    }
}

#[test]
fn exit_codes_are_those_of_other_commands() {
    stderr(&["bench"], b"", 3);
    stderr(&["bench", "-"], b"", 3);
    stderr(&["bench", &path("camp4.pass.gdec")], b"", 3);
    let tint = b"\x14\0\0\0\x0e\0\0\0\0\0\0\x3f\0\0\0\x3f\0\0\x80\x3f\0\0\x80\x3f";
    stderr(&["bench", "-f", "len32", "-"], tint, 4);
    stderr(
        &["bench", "--objects", "deny", &path("objects4.sav")],
        b"",
        5,
    );
    stderr(&["bench", "/nowhere/slot1.dat"], b"", 6);
    let text = stderr(&["bench", "-d", "godot4", "-f", "len32", "-"], b"", 0);
    assert!(text.contains("nothing to measure"), "{text}");
}
