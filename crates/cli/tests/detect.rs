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

/// Headers that games put in front of their values.
fn headers(rest: &[u8]) -> Vec<(String, Vec<u8>)> {
    let size = u32::try_from(rest.len()).expect("short").to_le_bytes();
    let pascal = |text: &str| [&(text.len() as u32).to_le_bytes(), text.as_bytes()].concat();
    let named = |name: &str, bytes: Vec<u8>| (name.to_owned(), bytes);
    let mut all = vec![
        named("a byte", vec![3]),
        named("16 bits", vec![3, 0]),
        named("64 bits", vec![3, 0, 0, 0, 0, 0, 0, 0]),
        named("two words", vec![3, 0, 0, 0, 7, 0, 0, 0]),
        named("a float", 1.5_f32.to_le_bytes().to_vec()),
        named("a double", 1.1_f64.to_le_bytes().to_vec()),
        named("the size", size.to_vec()),
        named("a text", pascal("v1.2.3")),
        named("a long text", pascal(&"long ".repeat(40))),
        named("a magic", b"SAVE".to_vec()),
        named(
            "a magic, a version, a size",
            [b"SAVE", &[2, 0, 0, 0], &size[..]].concat(),
        ),
        named(
            "a hash of 16 bytes",
            (0..16).map(|n: u8| n.wrapping_mul(97) ^ 0x5a).collect(),
        ),
        named(
            "a hash of 64 bytes",
            (0..64).map(|n: u8| n.wrapping_mul(97) ^ 0x5a).collect(),
        ),
        named("a line", b"{\"version\": 2, \"slot\": \"a\"}\n".to_vec()),
        named(
            "a long line",
            format!("{{\"name\": \"{}\"}}\r\n", "x".repeat(300)).into_bytes(),
        ),
    ];
    for version in (1..64_u32).chain([100, 200, 1000, 0x0102_0304]) {
        all.push((format!("version {version}"), version.to_le_bytes().to_vec()));
    }
    all
}

/// Saves of one large record, of many small ones, and of one value without its length.
fn headless() -> Vec<(&'static str, Vec<u8>)> {
    let read = |name| std::fs::read(save(name)).expect(name);
    let small = |n: u8| framed(&[&[27, 0, 0, 0], HP, &[]].concat()[..]).repeat(usize::from(n));
    vec![
        ("camp4.sav", read("camp4.sav")),
        ("camp3.sav", read("camp3.sav")),
        ("ten records", small(10)),
        ("a thousand records", small(250).repeat(4)),
        // Its first record. After version 4 or 21 it is a String to the last byte, with a NUL in it.
        ("one record", read("camp4.sav")[..4 + 0x3ac8].to_vec()),
        ("a bare value", read("camp4.sav")[4..][..0x3ac8].to_vec()),
    ]
}

#[test]
fn a_header_of_the_games_own_is_found() {
    for (file, plain) in headless() {
        let is_bare = file == "a bare value";
        let shown = stdout(&["json", "-q", "-"], &plain, 0);
        for (name, header) in headers(&plain) {
            if is_bare && (header.len() % 4 != 0 || name.ends_with("size")) {
                // The size in front of a value is the framing of store_var.
                continue;
            }
            if is_bare && name == "version 200" {
                // One byte of the right length, 0x3AC8, would be wrong: a damaged record.
                continue;
            }
            let bytes = [&header[..], &plain].concat();
            let what = format!("{name} in front of {file}");
            let found = gdvar(&["json", "-"], &bytes);
            let told = String::from_utf8_lossy(&found.stderr).into_owned();
            assert!(
                told.contains(&format!("--skip {}", header.len())),
                "{what}: {told}"
            );
            match found.status.code() {
                Some(0) => assert_eq!(String::from_utf8_lossy(&found.stdout), shown, "{what}"),
                // The file is a PackedByteArray, or a game's header and values: both are named.
                Some(4) => {
                    assert!(told.contains("--framing bare"), "{what}: {told}");
                    assert!(
                        ["version 20", "version 29"].contains(&&name[..]),
                        "{what}: {told}"
                    );
                    assert_eq!(
                        gdvar(&["check", "-"], &bytes).status.code(),
                        Some(4),
                        "{what}"
                    );
                }
                code => panic!("{what}: {code:?} {told}"),
            }
        }
    }
}

#[test]
fn a_header_of_the_games_own_stays_in_edits() {
    let folder = tempfile::tempdir().expect("a folder");
    let out = folder.path().join("out");
    let out = out.to_str().expect("UTF-8");
    let verbs: [&[&str]; 4] = [
        &["set", "-", "hp=81"],
        &["del", "-", "hp"],
        &["convert", "-d", "godot4", "--to", "godot3", "-"],
        &["recover", "-"],
    ];
    let one = framed(&[&[27, 0, 0, 0], HP].concat());
    let records = one.repeat(20);
    for (name, header) in headers(&records) {
        let bytes = [&header[..], &records].concat();
        for verb in verbs {
            let args = [verb, &["-o", out]].concat();
            let made = |input: &[u8], args: &[&str]| {
                let _ = std::fs::remove_file(out);
                let output = gdvar(args, input);
                (output, std::fs::read(out).ok())
            };
            let (_, expected) = made(&records, &args);
            let expected = expected.expect("a result");
            let (output, written) = made(&bytes, &args);
            let told = String::from_utf8_lossy(&output.stderr);
            match written {
                Some(written) => {
                    // A size in it is the new one.
                    let mut kept = header.clone();
                    if name.ends_with("size") {
                        let size = u32::try_from(expected.len()).expect("short");
                        kept.truncate(header.len() - 4);
                        kept.extend(size.to_le_bytes());
                    }
                    assert_eq!(
                        written,
                        [&kept[..], &expected].concat(),
                        "{name}, {verb:?}: {told}"
                    );
                    if verb[0] != "recover" {
                        assert!(told.contains("are kept"), "{name}, {verb:?}: {told}");
                    }
                }
                None => assert_eq!(output.status.code(), Some(4), "{name}, {verb:?}: {told}"),
            }
        }
    }
}

#[test]
fn a_value_that_leaves_nearly_all_of_a_file_is_not_its_reading() {
    // An Int, then what nobody can read.
    let noise: Vec<u8> = (0..4000_u32)
        .map(|n| (n.wrapping_mul(2_654_435_761) >> 13) as u8)
        .collect();
    let bytes = [b"\x02\0\0\0\xc8\x14\0\0", &noise[..]].concat();
    for verb in [
        "view", "check", "json", "text", "info", "recover", "stats", "gron",
    ] {
        let args: &[&str] = if verb == "recover" {
            &[verb, "-n", "-"]
        } else {
            &[verb, "-"]
        };
        let told = stderr(args, &bytes, 3);
        assert!(told.contains("--skip"), "{verb}: {told}");
    }
    assert_eq!(
        stdout(&["view", "-q", "-f", "bare", "-"], &bytes, 1),
        "5320\n"
    );
}
