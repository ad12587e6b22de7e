//! Every command that writes keeps the game's own bytes around the values, or reports what it drops.

mod common;

use std::fs;

use common::{gdvar, path, save, stderr, stdout};
use gdvar_conformance::vectors::testdata;

/// `{"gold": 5, "name": "a hero of the long valley"}` of Godot 4, from `testdata`'s notation.
fn value() -> Vec<u8> {
    let text = b"; gdvar godot4 bare\n{\"gold\": 5, \"name\": \"a hero of the long valley\"}";
    let made = gdvar(&["from-text", "-"], text);
    assert_eq!(made.status.code(), Some(0));
    made.stdout
}

fn record(value: &[u8]) -> Vec<u8> {
    [&(value.len() as u32).to_le_bytes()[..], value].concat()
}

/// Files with `contents` and its size in front, in every form that a script writes easily: as bytes, as decimal
/// digits, and in JSON.
fn sized(contents: &[u8]) -> Vec<(&'static str, Vec<u8>)> {
    let len = contents.len();
    let file = |header: &[u8]| [header, contents].concat();
    let word = (len as u32).to_le_bytes();
    vec![
        ("store_32", file(&[&b"SAVE"[..], &word].concat())),
        (
            "store_64",
            file(&[&b"SAVE"[..], &(len as u64).to_le_bytes()].concat()),
        ),
        (
            "big-endian",
            file(&[&b"SAVE"[..], &(len as u32).to_be_bytes()].concat()),
        ),
        ("store_line", file(format!("{len}\n").as_bytes())),
        ("fixed width", file(format!("SAVE {len:08}\n").as_bytes())),
        (
            "JSON",
            file(format!("{{\"v\":2,\"size\":{len}}}\n").as_bytes()),
        ),
    ]
}

/// A size in front of the record is corrected by every edit, also if the new size has more or fewer digits.
#[test]
fn a_size_in_front_is_mended_by_every_edit_and_by_recover() {
    let folder = tempfile::tempdir().expect("a folder");
    let (file, out) = (folder.path().join("file"), folder.path().join("out"));
    let value = value();
    let long = "x".repeat(1000);
    let set = format!("name=\"{long}\"");
    for (what, bytes) in sized(&record(&value)) {
        for args in [
            vec!["set", path(&file), &set, "-o", path(&out)],
            vec!["set", path(&file), "gold=6", "-o", path(&out)],
            vec!["del", path(&file), "name", "-o", path(&out)],
        ] {
            fs::write(&file, &bytes).expect("space");
            let told = stderr(&args, b"", 0);
            assert!(told.contains("the size, which is mended"), "{what}: {told}");
            let new = fs::read(&out).expect("a result");
            // The same file, made of the new contents.
            let start = new.len() - records_at_the_end(&new);
            let expected = sized(&new[start..]);
            let expected = expected.iter().find(|(name, _)| *name == what).expect("it");
            assert_eq!(new, expected.1, "{what}: {args:?}");
        }
        // A file that was cut. The size counts the whole file.
        let mut damaged = bytes.clone();
        let type_of_gold = damaged.len() - value.len() + 20;
        damaged[type_of_gold] = 0x7f;
        for cut in [&bytes[..bytes.len() - 8], &damaged] {
            fs::write(&file, cut).expect("space");
            let _ = fs::remove_file(&out);
            let told = gdvar(&["recover", path(&file), "-o", path(&out)], b"").stderr;
            let Ok(new) = fs::read(&out) else { continue };
            let told = String::from_utf8_lossy(&told);
            assert!(told.contains("the size, which is mended"), "{what}: {told}");
            let start = new.len() - records_at_the_end(&new);
            let expected = sized(&new[start..]);
            let expected = expected.iter().find(|(name, _)| *name == what).expect("it");
            assert_eq!(new, expected.1, "{what}");
        }
    }
}

/// The length of the record at the end of a file.
fn records_at_the_end(file: &[u8]) -> usize {
    let is_record = |at: &usize| {
        let len = file[*at..]
            .first_chunk()
            .map(|len| u32::from_le_bytes(*len));
        len.is_some_and(|len| len as usize == file.len() - at - 4) && file[at + 4] == 27
    };
    (0..file.len() - 8)
        .find(is_record)
        .map_or(0, |at| file.len() - at)
}

/// A size in front of a compressed file may be that of the compressed file, or that of its contents.
#[test]
fn a_size_in_text_in_front_of_a_container_is_mended() {
    let folder = tempfile::tempdir().expect("a folder");
    let (file, out) = (folder.path().join("file"), folder.path().join("out"));
    let container = fs::read(save("camp4.zstd.gcpf")).expect("a save");
    let contents = fs::read(save("camp4.sav")).expect("a save");
    for size in [container.len(), contents.len()] {
        fs::write(&file, [format!("{size}\n").as_bytes(), &container].concat()).expect("space");
        let long = format!("camp=\"{}\"", "long name ".repeat(200));
        stdout(&["set", path(&file), &long, "-o", path(&out)], b"", 0);
        let new = fs::read(&out).expect("a result");
        let end = new.iter().position(|byte| *byte == b'\n').expect("a line");
        let told: usize = std::str::from_utf8(&new[..end])
            .expect("digits")
            .parse()
            .expect("a size");
        let plain = stdout(&["info", "--json", path(&out)], b"", 0);
        let expected = match size == container.len() {
            true => new.len() - end - 1,
            false => contents.len() + long.len() - "camp=\"Old Mill\"".len(),
        };
        assert!(
            told.abs_diff(expected) < 4,
            "{told}, expected {expected}: {plain}"
        );
    }
}

/// A dry run gives the same exit code and the same messages as the run itself.
#[test]
fn a_dry_run_says_what_the_run_says() {
    let folder = tempfile::tempdir().expect("a folder");
    let (file, patch) = (folder.path().join("file"), folder.path().join("patch"));
    let value = value();
    let whole = record(&value);
    let other = gdvar(&["set", "-", "gold=6"], &whole).stdout;
    let (one, two) = (folder.path().join("one"), folder.path().join("two"));
    fs::write(&one, &whole).expect("space");
    fs::write(&two, &other).expect("space");
    let made = gdvar(&["diff", "--format", "patch", path(&one), path(&two)], b"").stdout;
    fs::write(&patch, made).expect("space");
    let mut files = sized(&whole);
    let trailer = [&b"SAVE\x01\0\0\0"[..], &whole, b"\xde\xad\xbe\xef"].concat();
    files.push(("header and trailer", trailer));
    files.push(("record", whole.clone()));
    files.push(("cut", whole[..whole.len() - 8].to_vec()));
    files.push(("empty", Vec::new()));
    files.push((
        "noise",
        (0..200_u32).map(|n| ((n * n * 31) >> 3) as u8).collect(),
    ));
    // An int with another one after it: a value of Godot 3 and of Godot 4, or two.
    files.push(("undecided", vec![3, 0, 0, 0, 0, 0, 0x80, 0x3f]));
    files.push((
        "dump",
        b"00000000: 1b00 0000 0000 0000  ........\n".to_vec(),
    ));
    for (name, from) in [
        ("settings", "projects/godot4.binary"),
        ("container", "saves/camp4.zstd.gcpf"),
        ("encrypted", "saves/camp4.pass.gdec"),
    ] {
        files.push((name, fs::read(testdata("").join(from)).expect("a file")));
    }
    files.push((
        "document",
        b"[player]\n\ngold=5\npos=Vector2(1, 2)\n".to_vec(),
    ));
    let patch = path(&patch).to_owned();
    let verbs: [&[&str]; 9] = [
        &["set", "FILE", "gold=6"],
        &["set", "FILE", "gold=half"],
        &["set", "FILE", "player.gold=Callable()"],
        &["insert", "FILE", "bag[0]=7"],
        &["append", "FILE", "bag=7"],
        &["del", "FILE", "gold"],
        &["rename-key", "FILE", "gold=silver"],
        &["patch", "FILE", &patch],
        &["set", "FILE", "day=3"],
    ];
    let mut refused = 0;
    for (what, bytes) in &files {
        for verb in verbs {
            let run = |more: &[&str]| {
                fs::write(&file, bytes).expect("space");
                let mut args: Vec<&str> = { verb.iter() }
                    .map(|word| if *word == "FILE" { path(&file) } else { *word })
                    .collect();
                args.extend(more);
                let done = gdvar(&args, b"");
                let told = String::from_utf8_lossy(&done.stderr).into_owned();
                let told: Vec<String> = told.lines().map(str::to_owned).collect();
                (done.status.code(), told)
            };
            let (dry, real) = (run(&["-i", "--dry-run"]), run(&["-i"]));
            let is_done =
                |line: &String| line.ends_with(": written") || line.ends_with("already so");
            let told: Vec<_> = real
                .1
                .iter()
                .filter(|line| !is_done(line))
                .cloned()
                .collect();
            refused += usize::from(real.0 != Some(0));
            assert_eq!(dry, (real.0, told), "{what}: {verb:?}");
        }
    }
    assert!(refused > 20, "{refused}");
}

/// Every verb whose result has another form says which of the game's own bytes the result lacks.
#[test]
fn no_other_form_drops_bytes_of_the_game_without_a_word() {
    let folder = tempfile::tempdir().expect("a folder");
    let (file, out) = (folder.path().join("file"), folder.path().join("out"));
    let values = [
        &b"SAVE\x01\0\0\0"[..],
        &record(&value()),
        b"\xde\xad\xbe\xef",
    ]
    .concat();
    let container = fs::read(save("camp4.zstd.gcpf")).expect("a save");
    let packed = [&b"SAVE\x01\0\0\0"[..], &container, b"\xde\xad\xbe\xef"].concat();
    let verbs: [&[&str]; 10] = [
        &["text", "FILE"],
        &["json", "FILE"],
        &["json", "--style", "native", "FILE"],
        &["json", "--style", "tagged", "FILE"],
        &["gron", "FILE"],
        &["convert", "--to", "godot4", "--out-framing", "hex", "FILE"],
        &[
            "convert",
            "--to",
            "godot4",
            "--out-framing",
            "base64",
            "FILE",
        ],
        &["records", "split", "FILE", "-o", "OUT"],
        &["records", "extract", "FILE", "0", "-o", "OUT"],
        &["unpack", "FILE", "-o", "OUT"],
    ];
    for bytes in [&values, &packed] {
        fs::write(&file, bytes).expect("space");
        for verb in verbs {
            let _ = fs::remove_dir_all(&out);
            let _ = fs::remove_file(&out);
            let args = verb.iter().map(|word| match *word {
                "FILE" => path(&file),
                "OUT" => path(&out),
                word => word,
            });
            let done = gdvar(&args.collect::<Vec<_>>(), b"");
            let told = String::from_utf8_lossy(&done.stderr);
            // There is nothing to unpack.
            let is_refused = done.status.code() == Some(3);
            let lacks = "lacks the game's own 8 bytes in front and 4 bytes after";
            assert!(is_refused || told.contains(lacks), "{verb:?}: {told}");
        }
    }
}

/// No verb drops the bytes after a value without a message. Godot loads this file, and ignores them.
#[test]
fn no_other_form_drops_bytes_after_a_value_without_a_word() {
    let bytes = [&value()[..], &[0x7f; 100]].concat();
    for verb in [
        &["text"][..],
        &["json"],
        &["json", "--style", "tagged"],
        &["gron"],
        &["convert", "--to", "godot4", "--out-framing", "hex"],
    ] {
        let done = gdvar(
            &[&["-d", "godot4", "-f", "bare"][..], verb, &["-"]].concat(),
            &bytes,
        );
        let told = String::from_utf8_lossy(&done.stderr);
        let lacks = "bytes after the value of 1 record, which engines ignore, are left out";
        assert!(told.contains(lacks), "{verb:?}: {told}");
    }
}

/// Godot 4.6.3 drops the mark when it reads bytes, but `str_to_var` keeps it and `var_to_bytes` writes it.
#[test]
fn a_byte_order_mark_comes_back_or_is_named() {
    let text = |text: &str| {
        let mut bytes = vec![4, 0, 0, 0];
        bytes.extend((text.len() as u32).to_le_bytes());
        bytes.extend(text.as_bytes());
        bytes.resize(bytes.len().next_multiple_of(4), 0);
        bytes
    };
    let pair = [text("\u{feff}key"), text("\u{feff}value")].concat();
    let values = [
        text("\u{feff}abc"),
        text("\u{feff}"),
        text("\u{feff}\u{feff}z"),
        text("a\u{feff}b"),
        [&[28, 0, 0, 0, 1, 0, 0, 0][..], &text("\u{feff}abc")].concat(),
        [&[27, 0, 0, 0, 1, 0, 0, 0][..], &pair].concat(),
    ];
    for value in &values {
        let through = |to: &[&str], from: &[&str]| {
            let made = gdvar(
                &[&["-d", "godot4", "-f", "bare"][..], to, &["-"]].concat(),
                value,
            );
            let from = [&["-d", "godot4", "-f", "bare"][..], from, &["-"]].concat();
            let told = String::from_utf8_lossy(&made.stderr).into_owned();
            (gdvar(&from, &made.stdout).stdout, told)
        };
        assert_eq!(through(&["text"], &["from-text"]).0, *value);
        let tagged = ["--style", "tagged"];
        let to = [&["json"][..], &tagged].concat();
        let from = [&["from-json"][..], &tagged].concat();
        assert_eq!(through(&to, &from).0, *value);
        if value[0] != 27 {
            assert_eq!(through(&["gron"], &["gron", "-u"]).0, *value);
        }
        for style in ["plain", "native"] {
            let to = ["json", "--style", style];
            let (back, told) = through(&to, &["from-json", "--style", style]);
            assert!(
                back == *value || told.contains("byte order mark"),
                "{style}: {told}"
            );
        }
    }
}

/// Godot 4.6.3 reads U+FFFD in place of the byte, in all three forms.
#[test]
fn a_document_that_is_not_utf8_says_where() {
    let folder = tempfile::tempdir().expect("a folder");
    let forms: [(&str, &[u8], &str); 3] = [
        (
            "a.tres",
            b"[gd_resource type=\"Resource\" format=3]\n\n[resource]\nname = \"caf\xe9\"\nx = 3\n",
            "line 4, column 12",
        ),
        (
            "a.cfg",
            b"[player]\n\npos=Vector2(1, 2)\nname=\"caf\xe9\"\nx=3\n",
            "line 4, column 10",
        ),
        (
            "a.txt",
            b"{\n\"pos\": Vector2(1, 2),\n\"name\": \"caf\xe9\"\n}",
            "line 3, column 13",
        ),
    ];
    for (name, text, place) in forms {
        let file = folder.path().join(name);
        fs::write(&file, text).expect("space");
        for verb in [&["view"][..], &["check"], &["info"], &["get"]] {
            let more: &[&str] = if verb == ["get"] { &["$"] } else { &[] };
            let args = [verb, &[path(&file)], more].concat();
            let done = gdvar(&args, b"");
            let told = [done.stdout, done.stderr].concat();
            let told = String::from_utf8_lossy(&told);
            assert_eq!(done.status.code(), Some(3), "{args:?}: {told}");
            for part in [place, "byte 0xe9 is not UTF-8", "U+FFFD"] {
                assert!(told.contains(part), "{args:?}: {part} is not in {told}");
            }
        }
        let upto = &text[..text.iter().position(|byte| *byte == 0xe9).expect("it")];
        let offset = format!("{:#x}", upto.len());
        let told = stderr(&["view", path(&file)], b"", 3);
        let is_there = told.contains(&offset) || told.contains(&format!("byte {}", upto.len()));
        assert!(is_there, "{offset}: {told}");
    }
}

/// A zip archive in a byte array: Godot 4.6.3 opens it (`ZIPReader`), also with bytes in front.
#[test]
fn an_archive_in_a_byte_array_is_not_clean() {
    let folder = tempfile::tempdir().expect("a folder");
    let file = folder.path().join("file");
    for (name, is_code) in [("code.zip", true), ("clean.zip", false)] {
        let archive = fs::read(testdata("scan").join(name)).expect("an archive");
        for front in [&b""[..], b"HEAD", &[7; 300]] {
            let bytes = [front, &archive].concat();
            let mut value = vec![29, 0, 0, 0];
            value.extend((bytes.len() as u32).to_le_bytes());
            value.extend(&bytes);
            value.resize(value.len().next_multiple_of(4), 0);
            fs::write(&file, record(&value)).expect("space");
            let code = if is_code { 5 } else { 1 };
            let told = stdout(&["scan", path(&file)], b"", code);
            assert!(
                told.contains(if is_code {
                    "!a.tres: "
                } else {
                    "a zip archive"
                }),
                "{told}"
            );
        }
    }
}

/// A whole save in a container, with the game's own bytes in it and around it: nothing is lost.
#[test]
fn recover_keeps_what_is_whole_in_a_container() {
    let folder = tempfile::tempdir().expect("a folder");
    let (plain, packed) = (folder.path().join("plain"), folder.path().join("packed"));
    let (file, out) = (folder.path().join("file"), folder.path().join("out"));
    let own = record(&value());
    for header in [&b""[..], b"SAVE\n", b"SAVE\x01\0\0\0"] {
        for trailer in [&b""[..], b"\xde\xad\xbe\xef", b"\x7c\xe7\x2c\x64\0\0\0\0"] {
            let whole = [header, &own, trailer].concat();
            fs::write(&plain, &whole).expect("space");
            let pack = ["pack", "--mode", "zstd", path(&plain), "-o", path(&packed)];
            stdout(&pack, b"", 0);
            let container = fs::read(&packed).expect("it");
            for front in [&b""[..], b"v2\0\0"] {
                for bytes in [[front, &container].concat(), [front, &whole].concat()] {
                    if !front.is_empty() && bytes.ends_with(&whole) && !header.is_empty() {
                        continue;
                    }
                    fs::write(&file, &bytes).expect("space");
                    let told = stderr(&["recover", path(&file), "-o", path(&out)], b"", 0);
                    assert!(!told.contains("lost"), "{header:?} {trailer:?}: {told}");
                    assert!(
                        fs::read(&out).expect("a result") == bytes,
                        "{header:?} {trailer:?}"
                    );
                }
            }
        }
    }
}

/// `store_32(0)`, or space that was reserved, after the records: no verb takes it for a record, and every edit keeps it.
#[test]
fn zeros_after_the_records_are_no_record() {
    let folder = tempfile::tempdir().expect("a folder");
    let (file, out) = (folder.path().join("file"), folder.path().join("out"));
    let (plain_file, plain_out) = (folder.path().join("plain"), folder.path().join("plain-out"));
    let value = value();
    let len = value.len() as u32;
    let big_endian = [&len.to_be_bytes()[..], &value].concat();
    let number = record(&[2, 0, 0, 0, 7, 0, 0, 0]);
    let files = [
        record(&value),
        big_endian,
        [&record(&value)[..], &number].concat(),
        [&number[..], &record(&value)].concat(),
        [&b"SAVE\x02\0\0\0"[..], &record(&value)].concat(),
    ];
    let reading: [&[&str]; 17] = [
        &["check"],
        &["info"],
        &["view"],
        &["json"],
        &["json", "--style", "tagged"],
        &["text"],
        &["gron"],
        &["hex", "--json"],
        &["stats"],
        &["schema"],
        &["table", "--columns", "gold"],
        &["get", "-p", "gold", "--json-lines"],
        &["grep", "hero"],
        &["records", "list"],
        &["scan"],
        &["convert", "--to", "godot4", "--out-framing", "hex"],
        &["textconv"],
    ];
    let writing: [&[&str]; 5] = [
        &["set", "FILE", "$=5"],
        &[
            "set",
            "FILE",
            "--record",
            "-1",
            "$=\"a longer text than before\"",
        ],
        &["convert", "FILE", "--to", "godot4"],
        &["convert", "FILE", "--to", "godot3"],
        &["recover", "FILE"],
    ];
    for plain in &files {
        fs::write(&plain_file, plain).expect("space");
        for zeros in [4, 5, 8, 16, 65, 4096] {
            let whole = [&plain[..], &vec![0; zeros]].concat();
            fs::write(&file, &whole).expect("space");
            for verb in reading {
                let told = |file: &std::path::Path| {
                    let done = gdvar(&[verb, &[path(file)]].concat(), b"");
                    let text = String::from_utf8_lossy(&done.stdout).replace(path(file), "FILE");
                    let text = text
                        .replace(" bytes", "")
                        .replace(&whole.len().to_string(), "LEN");
                    (
                        done.status.code(),
                        text.replace(&plain.len().to_string(), "LEN"),
                    )
                };
                let (code, text) = told(&file);
                let (plain_code, plain_text) = told(&plain_file);
                assert_eq!(code, plain_code, "{verb:?} and {zeros} zeros: {text}");
                // These tell of all bytes.
                if !["textconv", "info", "stats", "hex"].contains(&verb[0]) {
                    assert_eq!(text, plain_text, "{verb:?} and {zeros} zeros");
                }
            }
            for verb in writing {
                let made = |file: &std::path::Path, out: &std::path::Path| {
                    let words = [verb, &["-o", path(out)]].concat();
                    let words = words.iter().map(|word| match *word {
                        "FILE" => path(file),
                        word => word,
                    });
                    let done = gdvar(&words.collect::<Vec<_>>(), b"");
                    (done.status.code(), fs::read(out).expect("a result"))
                };
                let (plain_code, mut expected) = made(&plain_file, &plain_out);
                expected.resize(expected.len() + zeros, 0);
                assert_eq!(
                    made(&file, &out),
                    (plain_code, expected),
                    "{verb:?} and {zeros} zeros"
                );
            }
        }
    }
    // Of one value without a length all bytes are the value's.
    for value in [
        "Rect2i(1, 0, 0, 0)",
        "Rect2i(0, 0, 0, 0)",
        "Vector4(0, 0, 0, 0)",
        "AABB(0, 0, 0, 0, 0, 0)",
        "PackedByteArray(0, 0, 0, 0, 0, 0, 0, 0)",
        "{\"a\": 0}",
        "[0, 0]",
    ] {
        let made = gdvar(&["from-text", "-", "--framing", "bare"], value.as_bytes()).stdout;
        fs::write(&file, made).expect("space");
        let done = gdvar(
            &[
                "-q",
                "-d",
                "godot4",
                "view",
                "--format",
                "line",
                path(&file),
            ],
            b"",
        );
        let shown = String::from_utf8_lossy(&done.stdout);
        // Zeros alone may also be a null after its length.
        let is_refused = done.status.code() == Some(4);
        assert!(is_refused || shown.trim_end() == value, "{value}: {shown}");
    }
}
