//! What messages contain: names, counts, suggestions, and no character that a terminal would obey.

mod common;

use std::fs;

use common::{gdvar, save, stderr, stdout};

/// The bytes of a text: its length, itself, and padding.
fn text(text: &str) -> Vec<u8> {
    let mut bytes = (text.len() as u32).to_le_bytes().to_vec();
    bytes.extend(text.as_bytes());
    bytes.resize(bytes.len().next_multiple_of(4), 0);
    bytes
}

/// A String of Godot 4 and 3.
fn string(value: &str) -> Vec<u8> {
    [&b"\x04\0\0\0"[..], &text(value)].concat()
}

/// A Dictionary of Godot 4.
fn dictionary(pairs: &[(&[u8], &[u8])]) -> Vec<u8> {
    let mut bytes = b"\x1b\0\0\0".to_vec();
    bytes.extend((pairs.len() as u32).to_le_bytes());
    for (key, value) in pairs {
        bytes.extend([*key, *value].concat());
    }
    bytes
}

fn framed(value: &[u8]) -> Vec<u8> {
    [&(value.len() as u32).to_le_bytes()[..], value].concat()
}

const BARE: [&str; 4] = ["-d", "godot4", "-f", "bare"];
const LEN32: [&str; 4] = ["-d", "godot4", "-f", "len32"];

/// 103, and Vector2i(1, 2).
const INT: &[u8] = b"\x02\0\0\0\x67\0\0\0";
const VECTOR: &[u8] = b"\x06\0\0\0\x01\0\0\0\x02\0\0\0";

const DANGEROUS: [&str; 6] = [
    "\u{1b}[31m",
    "\u{9b}31m",
    "\u{202e}",
    "\u{2066}",
    "\u{200b}",
    "\u{7f}",
];

fn is_tame(bytes: &[u8]) {
    let text = std::str::from_utf8(bytes).expect("UTF-8");
    for bad in DANGEROUS {
        let c = bad.chars().next().expect("a character");
        assert!(!text.contains(c), "{c:?} in {text:?}");
    }
}

#[test]
fn nothing_that_a_terminal_obeys_is_printed() {
    let nasty = DANGEROUS.concat();
    let value = dictionary(&[
        (&string(&nasty), &string(&nasty)),
        (&dictionary(&[(&string(&nasty), INT)]), INT),
        (INT, b"\x63\0\0\0"),
    ]);
    let folder = tempfile::tempdir().expect("a folder");
    // File names cannot hold all of it everywhere.
    let path = folder.path().join("sl\u{202e}ot\u{200b}1.dat");
    fs::write(&path, &value).expect("space");
    let path = path.to_str().expect("UTF-8");
    for command in [
        &["info"][..],
        &["view"],
        &["view", "--full", "--types"],
        &["check"],
        &["check", "--json"],
        &["info", "--json"],
        &["bench"],
        &["convert", "--to", "godot3", "--out-framing", "hex"],
    ] {
        let output = gdvar(&[command, &BARE, &[path]].concat(), b"");
        is_tame(&output.stdout);
        is_tame(&output.stderr);
        assert!(!output.stdout.is_empty() || !output.stderr.is_empty());
    }
    for args in [&["get", path, "x"][..], &["get", path, "$", "--json"]] {
        let output = gdvar(&[args, &BARE].concat(), b"");
        is_tame(&output.stdout);
        is_tame(&output.stderr);
    }
    // A file that is not there, and one without a reading.
    is_tame(stderr(&["view", "\u{1b}[31mx\u{202e}\n"], b"", 6).as_bytes());
    is_tame(stderr(&["hex", "--\u{202e}\u{9b}z"], b"", 2).as_bytes());
    let output = gdvar(&["info", path], b"");
    is_tame(&output.stdout);
    is_tame(&output.stderr);
    // JSON stays what it was.
    let whole = string(&nasty);
    let line = stdout(
        &[&["get", "--json", "-", "$"], &BARE[..]].concat(),
        &whole,
        0,
    );
    is_tame(line.as_bytes());
    assert_eq!(serde_json::from_str::<String>(&line).expect("JSON"), nasty);
}

/// A command that is suggested can be copied into a shell.
#[test]
fn what_is_meant_can_be_typed() {
    let value = dictionary(&[
        (INT, INT),
        (&string("odd name"), INT),
        (&string("hp"), INT),
        (VECTOR, INT),
        (&string("7"), INT),
    ]);
    let asked = |path: &str| stderr(&[&["get", "-", path], &BARE[..]].concat(), &value, 1);
    for (wrong, right) in [
        ("103", "[103]"),
        ("[7]", "7"),
        ("hpp", "hp"),
        ("[\"odd nam\"]", "[\"odd name\"]"),
    ] {
        let text = asked(wrong);
        assert!(
            text.ends_with(&format!("did you mean {right}?\n")),
            "{text}"
        );
        stdout(&[&["get", "-", right], &BARE[..]].concat(), &value, 0);
    }
    // Keys that are neither text nor numbers are listed in the form that a path has for them.
    let text = asked("nothing");
    assert!(
        text.contains("with [103], [\"odd name\"], hp, [Vector2i(1, 2)], 7"),
        "{text}"
    );
    assert_eq!(
        stdout(&[&["get", "-", "{3}"], &BARE[..]].concat(), &value, 0),
        "103\n"
    );
}

#[test]
fn records_are_counted_from_the_end_too() {
    let file = [b"first", b"other", b"thing"]
        .map(|one| framed(&string(std::str::from_utf8(one).expect("UTF-8"))));
    let file = file.concat();
    for (index, value) in [
        ("0", "first"),
        ("-1", "thing"),
        ("-3", "first"),
        ("2", "thing"),
    ] {
        let args = [&["get", "-", "$", "-r", index], &LEN32[..]].concat();
        assert_eq!(stdout(&args, &file, 0), format!("{value}\n"));
        let args = [&["view", "-", "--record", index], &LEN32[..]].concat();
        assert_eq!(stdout(&args, &file, 0), format!("\"{value}\"\n"));
    }
    for index in ["-4", "3"] {
        let text = stderr(
            &[&["get", "-", "$", "-r", index], &LEN32[..]].concat(),
            &file,
            1,
        );
        assert!(
            text.contains(&format!("there is no record {index}, only 3 records")),
            "{text}"
        );
    }
}

#[test]
fn text_behind_a_nul_is_marked() {
    let value = dictionary(&[(&string("a\0hidden"), &string("b\0more"))]);
    // The engine loses the text behind the NUL, so the exit code is 1, as for every loss.
    let text = stdout(&[&["view", "-"], &BARE[..]].concat(), &value, 1);
    let line = "  \"a\" (and 6 bytes after a NUL): \"b\" (and 4 bytes after a NUL)\n";
    assert!(text.ends_with(line), "{text}");
    for command in ["check", "view", "info"] {
        let text = stderr(&[&[command, "-"], &BARE[..]].concat(), &value, 1);
        let lost = "lost: -: the rest of 2 texts after a NUL";
        assert!(text.contains(lost), "{command}: {text}");
    }
    let output = gdvar(&[&["get", "-", "a"], &BARE[..]].concat(), &value);
    assert_eq!(output.stdout, b"b\n");
    let note = String::from_utf8_lossy(&output.stderr);
    assert!(note.contains("engines drop the 4 bytes after it"), "{note}");
    // The NUL that ends each element of a packed array loses nothing.
    let strings = [&b"\x22\0\0\0\x01\0\0\0"[..], &text_with_nul()].concat();
    let text = stdout(&[&["view", "-"], &BARE[..]].concat(), &strings, 0);
    assert_eq!(text, "PackedStringArray[1](\"abc\")\n");
}

fn text_with_nul() -> Vec<u8> {
    text("abc\0")
}

#[test]
fn one_byte_is_one_byte() {
    let value = [INT, b"\xff"].concat();
    let args = [&["check", "--strict", "-"], &BARE[..]].concat();
    let text = stdout(&args, &value, 1);
    assert!(text.contains("1 byte follows the value"), "{text}");
    assert!(!text.contains("1 bytes"), "{text}");
}

#[test]
fn every_file_has_a_line_and_all_have_a_summary() {
    let folder = tempfile::tempdir().expect("a folder");
    let put = |name: &str, bytes: &[u8]| {
        let path = folder.path().join(name);
        fs::write(&path, bytes).expect("space");
        path.to_str().expect("UTF-8").to_owned()
    };
    let good = save("rpg4.sav").to_str().expect("UTF-8").to_owned();
    let image = put("image.dat", b"\x89PNG\r\n\x1a\n\0\0\0\x0dIHDR");
    // A null behind its length, or a text of no characters.
    let both = put("both.dat", b"\x04\0\0\0\0\0\0\0");
    let empty = put("empty.dat", b"");
    let gone = folder.path().join("gone.dat");
    let gone = gone.to_str().expect("UTF-8");
    let text = stdout(&["check", &good, &image, &both, &empty, gone], b"", 6);
    let lines: Vec<&str> = text.lines().collect();
    assert_eq!(lines.len(), 6, "{text}");
    for (line, end) in lines.iter().zip([
        "rpg4.sav: ok, 1 record (godot4, len32)",
        "image.dat: no values (Png)",
        "both.dat: undecided (AmbiguousFraming)",
        "empty.dat: no values (Empty)",
        "gone.dat: not read",
        "5 files: 1 ok, 2 bad, 1 undecided, 1 not read",
    ]) {
        assert!(line.ends_with(end), "{line}");
    }
}

/// `get --help` says what is read.
#[test]
fn with_dialect_and_framing_only_the_way_to_the_value_is_read() {
    // Bytes behind an element of an Array are not looked at, nor are other records.
    let array = [&b"\x1c\0\0\0\x02\0\0\0"[..], INT, b"\x63\0\0\0"].concat();
    let file = [framed(&array), b"\xff\xff\xff\xff".to_vec()].concat();
    let output = gdvar(&[&["get", "-q", "-", "[0]"], &LEN32[..]].concat(), &file);
    assert_eq!(output.stdout, b"103\n");
    assert_eq!((output.stderr, output.status.code()), (vec![], Some(0)));
    // A Dictionary is passed to its end: a repeated key counts last.
    let twice = dictionary(&[
        (&string("hp"), INT),
        (&string("hp"), b"\x02\0\0\0\x01\0\0\0"),
    ]);
    assert_eq!(
        stdout(&[&["get", "-", "hp"], &BARE[..]].concat(), &twice, 0),
        "1\n"
    );
    let damaged = dictionary(&[(&string("hp"), INT), (INT, b"\x63\0\0\0")]);
    assert_eq!(
        stdout(&[&["get", "-", "hp"], &BARE[..]].concat(), &damaged, 3),
        "103\n"
    );
}
