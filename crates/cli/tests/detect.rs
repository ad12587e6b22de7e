//! Which engine and which framing the command finds out.

mod common;

use std::process::Command;

use common::{gdvar, save, stderr, stdout};
use serde_json::Value;

fn framed(value: &[u8]) -> Vec<u8> {
    let len = u32::try_from(value.len()).expect("short");
    [&len.to_le_bytes(), value].concat()
}

/// `{"hp": 80}` behind its header.
const HP: &[u8] = b"\x01\0\0\0\x04\0\0\0\x02\0\0\0hp\0\0\x02\0\0\0\x50\0\0\0";

fn dict(id: u8, behind: &[u8]) -> Vec<u8> {
    framed(&[&[id, 0, 0, 0], HP, behind].concat())
}

fn info(input: &[u8], args: &[&str]) -> Value {
    let args = [&["info", "--json", "-q", "-"], args].concat();
    let output = gdvar(&args, input);
    serde_json::from_slice(&output.stdout).expect("JSON")
}

#[test]
fn the_first_save_of_a_beginner_is_read() {
    // store_var(42), which a fork would take for a Vector2i.
    let int = framed(b"\x02\0\0\0\x2a\0\0\0");
    assert_eq!(stdout(&["view", "-q", "-"], &int, 0), "42\n");
    assert_eq!(info(&int, &[])["sure"], "same");
}

#[test]
fn zeros_behind_a_value_do_not_make_it_another_engines() {
    for (id, dialect) in [(27, "godot4"), (18, "godot3")] {
        let padded = dict(id, &[0; 8]);
        let line = info(&padded, &[]);
        assert_eq!(
            (&line["dialect"], &line["framing"]),
            (&dialect.into(), &"len32".into())
        );
        let text = gdvar(&["view", "-"], &padded).stdout;
        assert_eq!(String::from_utf8_lossy(&text), "Dictionary(1)\n  hp: 80\n");
    }
}

#[test]
fn rarer_engines_are_tried_when_asked_for() {
    // [] of Pandemonium 5.
    let array = framed(b"\x1a\0\0\0\0\0\0\0");
    assert_eq!(info(&array, &[])["dialect"], "godot3");
    let empty = framed(b"\x19\0\0\0\0\0\0\0");
    assert_eq!(
        info(&empty, &["-d", "pandemonium5", "-f", "len32"])["types"]["Dictionary"],
        1
    );
    // A Dictionary of Pandemonium 5 with a pair: nothing that Godot reads.
    let pair = dict(25, b"");
    assert_eq!(info(&pair, &["-d", "any"])["dialect"], "pandemonium4");
    assert_ne!(info(&pair, &[])["dialect"], "pandemonium4");
}

#[test]
fn the_document_that_no_engine_follows_is_no_candidate() {
    // An empty array of int64, by the document: an array of Strings to Godot 3.
    let array = framed(b"\x16\0\0\0\0\0\0\0");
    let text = |args: &[&str]| {
        let args = [&["info", "-"], args].concat();
        let output = gdvar(&args, &array);
        String::from_utf8([output.stdout, output.stderr].concat()).expect("UTF-8")
    };
    assert!(!text(&[]).contains("docs") && !text(&["-d", "any"]).contains("docs"));
    assert!(text(&["-d", "godot4-docs"]).contains("PackedInt64Array"));
}

#[test]
fn engines_have_short_names_and_a_default() {
    let tint = framed(b"\x0e\0\0\0\0\0\0\x3f\0\0\0\x3f\0\0\x80\x3f\0\0\x80\x3f");
    assert!(stdout(&["view", "-d", "4", "-f", "len32", "-"], &tint, 0).starts_with("Plane"));
    assert!(stdout(&["view", "-d", "3", "-f", "len32", "-"], &tint, 0).starts_with("Color"));
    stderr(&["view", "-f", "len32", "-"], &tint, 4);
    let file = save("rpg3.sav");
    let file = file.to_str().expect("UTF-8");
    let out = stdout(
        &[
            "convert",
            "-q",
            "-d",
            "3",
            "--to",
            "4",
            "--out-framing",
            "hex",
            file,
        ],
        b"",
        0,
    );
    assert!(out.starts_with("1b000000"), "{}", &out[..20]);
    // The environment sets the default, the option wins.
    let folder = tempfile::tempdir().expect("a folder");
    let path = folder.path().join("tint.dat");
    std::fs::write(&path, &tint).expect("written");
    let view = |default: &str, args: &[&str]| {
        let output = Command::new(env!("CARGO_BIN_EXE_gdvar"))
            .args(["view", "-f", "len32"])
            .args(args)
            .arg(&path)
            .env("GDVAR_DIALECT", default)
            .output()
            .expect("gdvar runs");
        (
            output.status.code(),
            String::from_utf8_lossy(&output.stdout).into_owned(),
        )
    };
    assert!(view("godot3", &[]).1.starts_with("Color"));
    assert!(view("4", &[]).1.starts_with("Plane"));
    assert!(view("godot3", &["-d", "4"]).1.starts_with("Plane"));
    assert_eq!(view("godot9", &[]).0, Some(2));
}

#[test]
fn help_names_no_engine_that_reads_less() {
    // Every prefix of a save, as it is found out and as it is given: nobody is sent to another engine.
    for name in ["rpg4.sav", "rpg3.sav"] {
        let whole = std::fs::read(save(name)).expect("a save");
        let own = if name == "rpg4.sav" {
            "godot4"
        } else {
            "godot3"
        };
        for len in (10..whole.len()).step_by(whole.len() / 20) {
            for args in [
                &["check", "-"][..],
                &["check", "-d", own, "-"],
                &["check", "-d", own, "--strict", "-"],
            ] {
                let output = gdvar(args, &whole[..len]);
                assert_eq!(output.status.code(), Some(3), "{name} {len}");
                let text =
                    String::from_utf8([output.stdout, output.stderr].concat()).expect("UTF-8");
                assert!(!text.contains("TrailingBytes"), "{name} {len}: {text}");
                for other in ["godot2", "pandemonium", "docs", "try -"] {
                    assert!(!text.contains(other), "{name} {len}: {text}");
                }
            }
        }
    }
}
