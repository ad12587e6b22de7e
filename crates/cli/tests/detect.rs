//! Which engine and which framing the command finds out.

mod common;

use std::process::Command;

use gdvar_conformance::layered::TRAILERS;

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
    // For prefixes of a save, with the dialect detected or given, no message advises to try another
    // engine.
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
        ("big-endian records", big_endian(&read("camp4.sav"))),
        ("ten big-endian records", big_endian(&small(10))),
        // The first ones say nothing, so only the lengths lead to the last one.
        (
            "big-endian numbers and a record",
            big_endian(
                &[
                    &framed(&[2, 0, 0, 0, 7, 0, 0, 0]).repeat(2),
                    &read("camp3.sav")[..],
                ]
                .concat(),
            ),
        ),
    ]
}

/// The records of a file whose `big_endian` was set.
fn big_endian(records: &[u8]) -> Vec<u8> {
    let mut bytes = records.to_vec();
    let mut at = 0;
    while let Some(len) = bytes.get(at..at + 4) {
        let next = at + 4 + u32::from_le_bytes(len.try_into().expect("four")) as usize;
        bytes[at..at + 4].reverse();
        at = next;
    }
    bytes
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
fn a_trailer_of_the_games_own_stays_in_edits() {
    let folder = tempfile::tempdir().expect("a folder");
    let out = folder.path().join("out");
    let out = out.to_str().expect("UTF-8");
    let verbs: [&[&str]; 5] = [
        &["set", "-", "hp=81"],
        &["set", "-", "hp=\"a text, so that the value is longer\""],
        &["del", "-", "hp"],
        &["convert", "-d", "godot4", "--to", "godot3", "-"],
        &["recover", "-"],
    ];
    let records = framed(&[&[27, 0, 0, 0], HP].concat());
    for (count, trailer) in [1, 20]
        .into_iter()
        .flat_map(|n| TRAILERS.map(|one| (n, one)))
    {
        let records = records.repeat(count);
        let none = [("none".to_owned(), Vec::new())];
        for (name, header) in headers(&records).into_iter().chain(none) {
            let plain = [&header[..], &records].concat();
            for verb in verbs {
                let args = [verb, &["-o", out]].concat();
                let made = |input: &[u8]| {
                    let _ = std::fs::remove_file(out);
                    let output = gdvar(&args, input);
                    (output, std::fs::read(out).ok())
                };
                let (before, expected) = made(&plain);
                let (output, written) = made(&[&plain[..], trailer].concat());
                let told = String::from_utf8_lossy(&output.stderr);
                if before.status.code() == Some(4) {
                    // Without the trailer the dialect is undecided, so the trailer may change the
                    // result.
                    continue;
                }
                if output.status.code() == Some(4) {
                    // As one value of another type, the file is as good.
                    let asks = ["--skip", "--dialect"]
                        .iter()
                        .any(|&way| told.contains(way));
                    assert!(asks, "{name}: {told}");
                    continue;
                }
                if told.contains("are the size") && !name.ends_with("size") {
                    // Version 40 of a file of 40 bytes.
                    continue;
                }
                let expected = expected.map(|file| [&file[..], trailer].concat());
                assert!(
                    written == expected,
                    "{name}, {verb:?}, {trailer:x?}: {told}"
                );
                assert_eq!(
                    output.status.code(),
                    before.status.code(),
                    "{name}, {verb:?}"
                );
                if written.is_some() && verb[0] != "recover" {
                    let count = format!("{} bytes of the game's own after", trailer.len());
                    assert!(told.contains(&count), "{name}, {verb:?}: {told}");
                }
            }
        }
    }
}

#[test]
fn a_checksum_after_one_value_is_no_damage() {
    let value = [&[27, 0, 0, 0], HP].concat();
    for trailer in TRAILERS {
        let file = [&value[..], trailer].concat();
        let output = gdvar(
            &["recover", "-f", "bare", "-d", "godot4", "-o", "-", "-"],
            &file,
        );
        assert_eq!(output.status.code(), Some(0));
        assert_eq!(output.stdout, file);
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

/// A whole object of Godot 4, a script: `Object(GDScript, "script/source": "x")`.
const SCRIPT: &[u8] = b"\x18\0\0\0\x08\0\0\0GDScript\x01\0\0\0\x0d\0\0\0script/source\0\0\0\x04\0\0\0\x01\0\0\0x\0\0\0";

#[test]
fn a_record_is_never_a_header() {
    let records = dict(27, &[]).repeat(20);
    for separator in [&b"\x07"[..], b"\n", b"\r\n", b"\x07\x07\x07", b"next\n"] {
        for count in [1, 3, 40] {
            let first = dict(27, &[]).repeat(count);
            let file = [&first, separator, &records].concat();
            let told = stderr(&["check", "-"], &file, 3);
            assert!(!told.contains("of the game's own"), "{separator:?}: {told}");
            let kept = gdvar(&["recover", "-o", "-", "-"], &file);
            assert_eq!(kept.status.code(), Some(1), "{separator:?}");
            assert!(
                kept.stdout == [&first[..], &records].concat(),
                "{separator:?}"
            );
        }
        let file = [&framed(SCRIPT), separator, &records].concat();
        let output = gdvar(&["check", "--objects", "deny", "-"], &file);
        assert_ne!(output.status.code(), Some(0), "{separator:?}");
    }
}

#[test]
fn the_size_of_the_file_before_one_value_is_a_header() {
    let save = std::fs::read(save("rpg4.sav")).expect("a save");
    let len = u32::from_le_bytes(*save.first_chunk().expect("a length")) as usize;
    let value = &save[4..4 + len];
    let size = u32::try_from(len + 4).expect("short").to_le_bytes();
    let file = [&size, value].concat();
    let told = stderr(&["check", "-"], &file, 0);
    assert!(told.contains("4 bytes of the game's own"), "{told}");
}

#[test]
fn text_of_records_is_read_at_every_width() {
    let save = std::fs::read(save("rpg4.sav")).expect("a save");
    let hex: String = save.iter().map(|byte| format!("{byte:02x}")).collect();
    let base64 = gdvar_file::line::to_base64(&save);
    let expected = stdout(&["view", "-q", "-"], &save, 0);
    for text in [hex, base64] {
        for width in [16, 20, 32, 60, 64, 76, 80, text.len()] {
            let lines: Vec<&str> = text
                .as_bytes()
                .chunks(width)
                .map(|line| std::str::from_utf8(line).expect("ASCII"))
                .collect();
            let text = lines.join("\n") + "\n";
            assert!(
                stdout(&["view", "-q", "-"], text.as_bytes(), 0) == expected,
                "{width}"
            );
        }
    }
}

#[test]
fn a_difference_around_the_values_is_a_difference() {
    let records = dict(27, &[]).repeat(20);
    let files = [
        [b"SAVE\x03\0\0\0", &records[..]].concat(),
        [b"SAVE\x04\0\0\0", &records[..]].concat(),
        [&records[..], b"d41d8cd98f00b204e9800998ecf8427e"].concat(),
        records.clone(),
    ];
    let folder = tempfile::tempdir().expect("a folder");
    let paths: Vec<String> = (0..files.len())
        .map(|n| {
            folder
                .path()
                .join(n.to_string())
                .to_str()
                .expect("UTF-8")
                .to_owned()
        })
        .collect();
    for (path, file) in paths.iter().zip(&files) {
        std::fs::write(path, file).expect("written");
    }
    for (n, one) in paths.iter().enumerate() {
        for (m, other) in paths.iter().enumerate() {
            let output = gdvar(&["diff", one, other], b"");
            assert_eq!(output.status.code(), Some(i32::from(n != m)), "{n} {m}");
            // Only theirs changed, or only ours: the change is taken.
            for args in [[one, one, other], [one, other, one]] {
                let output = gdvar(
                    &[&["merge", "-o", "-"], &args.map(String::as_str)[..]].concat(),
                    b"",
                );
                assert_eq!(output.status.code(), Some(0), "merge, {n} {m}");
                assert!(output.stdout == files[m], "merge, {n} {m}");
            }
        }
    }
}

/// The Dictionary of Godot 2 is Godot 3's PoolByteArray with all of its pairs left after it. No verb takes such a save
/// for Godot 3's: each names godot2, and nothing is written.
#[test]
fn saves_of_godot_2_are_not_read_as_godot_3() {
    let folder = tempfile::tempdir().expect("a folder");
    let (file, out) = (folder.path().join("a.sav"), folder.path().join("out"));
    let (file, out) = (
        file.to_str().expect("a path"),
        out.to_str().expect("a path"),
    );
    for text in [
        r#"{"name": "Mira"}"#,
        r#"{"name": "Mira", "gold": 5, "items": ["a", "b"]}"#,
        r#"["abc", 4, "hello", {"x": 1.5}]"#,
        "{\"a\": [1, 2]}\n{\"b\": \"text\"}",
    ] {
        let save = gdvar(
            &["from-text", "-d", "godot2", "-f", "len32", "-"],
            text.as_bytes(),
        );
        std::fs::write(file, save.stdout).expect("space");
        for verb in [
            &["info", file][..],
            &["check", file],
            &["json", file],
            &["get", file, "name"],
            &["text", file],
            &["set", file, "name=3", "-o", out],
            &["convert", "--to", "godot4", file, "-o", out],
        ] {
            let output = gdvar(verb, b"");
            let told = String::from_utf8_lossy(&output.stderr);
            assert_eq!(output.status.code(), Some(4), "{verb:?} {text}: {told}");
            assert!(told.contains("godot2"), "{verb:?} {text}: {told}");
            assert!(!std::path::Path::new(out).exists(), "{verb:?} {text}");
        }
        let json = gdvar(&["json", "-d", "godot2", file], b"");
        assert_eq!(json.status.code(), Some(0), "{text}");
    }
}
