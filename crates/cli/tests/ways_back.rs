//! What `text`, `gron` and `json --style tagged` do not hold of a file, and what they say about it. Their results are
//! read back by `from-text`, `gron -u` and `from-json`.

mod common;

use std::{fs, path::Path};

use common::{gdvar, path, stderr};
use gdvar_conformance::layered::layered;
use gdvar_file::{Hints, Layer, Peeled};
use gdvar_io::encrypted::Key;

/// Each notation: the command that writes it, and the command that reads it back.
const NOTATIONS: [(&[&str], &[&str]); 3] = [
    (&["text"], &["from-text"]),
    (&["gron"], &["gron", "-u"]),
    (&["json", "--style", "tagged"], &["from-json"]),
];

/// Writes `file` in a notation and makes a file of it again. Returns the file, and what the first command said.
#[track_caller]
fn there_and_back(to: &[&str], from: &[&str], file: &[u8], options: &[&str]) -> (Vec<u8>, String) {
    let there = gdvar(&[options, to, &["-"]].concat(), file);
    let said = String::from_utf8_lossy(&there.stderr).into_owned();
    assert_eq!(there.status.code(), Some(0), "{to:?}: {said}");
    let back = gdvar(&[from, &["-q", "-"]].concat(), &there.stdout);
    let told = String::from_utf8_lossy(&back.stderr);
    assert_eq!(back.status.code(), Some(0), "{from:?}: {told}");
    (back.stdout, said)
}

/// Packs `contents` as the note `said` tells.
fn packed(said: &str, contents: &[u8], folder: &Path) -> Option<Vec<u8>> {
    let (_, rest) = said.split_once("`gdvar pack ")?;
    let (options, _) = rest.split_once('`')?;
    let (plain, out) = (folder.join("plain"), folder.join("packed"));
    fs::write(&plain, contents).expect("space");
    let mut args = vec!["pack", "-q", path(&plain), "-o", path(&out)];
    args.extend(options.split(' '));
    if options.contains("--to") {
        args.extend(["--password", "secret"]);
    }
    stderr(&args, b"", 0);
    Some(fs::read(&out).expect("packed"))
}

fn peel(file: &[u8]) -> Peeled {
    let key = || Some(Key::from_password("secret"));
    gdvar_file::peel(file, &Hints::new().with_key(&key)).expect("layers")
}

fn names(peeled: &Peeled) -> Vec<String> {
    peeled.layers.iter().map(Layer::name).collect()
}

/// Every notation names the layers that it leaves out, and what keeps them. If it names `gdvar pack`, the result of this
/// has the same layers and values.
#[test]
fn every_layer_that_a_notation_leaves_out_is_named_with_what_puts_it_back() {
    let folder = tempfile::tempdir().expect("a folder");
    let (mut all, mut again) = (0, 0);
    for row in layered() {
        for (to, from) in NOTATIONS {
            let options = ["-d", row.engine, "--password", "secret"];
            let (back, said) = there_and_back(to, from, &row.file, &options);
            let what = format!("{} {to:?}: {said}", row.name);
            let lacks = said.contains("the result lacks what is around the values: ");
            assert_eq!(lacks, !row.layers.is_empty(), "{what}");
            if !lacks {
                continue;
            }
            all += 1;
            assert!(said.contains("gdvar edit, set and patch keep it"), "{what}");
            let Some(file) = packed(&said, &back, folder.path()) else {
                continue;
            };
            again += 1;
            let (old, new) = (peel(&row.file), peel(&file));
            assert_eq!(names(&new), names(&old), "{what}");
            assert!(new.contents(&file) == back, "{what}");
            // The game's own header is another note.
            if row.header == 0 && old.header_len == 0 && old.trailer_len == 0 {
                assert!(new.contents(&file) == old.contents(&row.file), "{what}");
            }
        }
    }
    assert!(all > 100 && again > 20, "{all} {again}");
}

/// Plain JSON is not a way back, and says what it loses itself.
#[test]
fn the_size_of_blocks_is_named_if_it_is_not_the_usual_one() {
    let value = [8, 0, 0, 0, 2, 0, 0, 0, 7, 0, 0, 0];
    for mode in ["fastlz", "deflate", "zstd", "gzip"] {
        for size in ["4096", "1024"] {
            let args = ["pack", "-q", "--mode", mode, "--block-size", size, "-"];
            let file = gdvar(&args, &value).stdout;
            let folder = tempfile::tempdir().expect("a folder");
            for (to, from) in NOTATIONS {
                let (back, said) = there_and_back(to, from, &file, &[]);
                let again = packed(&said, &back, folder.path());
                assert!(
                    again.as_ref() == Some(&file),
                    "{mode} {size} {to:?}: {said}"
                );
            }
            assert!(!stderr(&["json", "-"], &file, 0).contains("gdvar pack"));
        }
    }
}

/// A record of Godot 4 with these words.
fn record(words: &[u32]) -> Vec<u8> {
    let len = [4 * words.len() as u32];
    let words = len.iter().chain(words);
    words.flat_map(|word| word.to_le_bytes()).collect()
}

/// The words of reals with 64 bits.
fn wide(reals: &[f64]) -> Vec<u32> {
    let words = reals.iter().map(|real| real.to_bits());
    words
        .flat_map(|bits| [bits as u32, (bits >> 32) as u32])
        .collect()
}

/// Types made of reals: number in Godot 4, number of reals, `true` if it is an array of one.
const REALS: [(u32, usize, bool); 14] = [
    (5, 2, false),
    (7, 4, false),
    (9, 3, false),
    (11, 6, false),
    (12, 4, false),
    (14, 4, false),
    (15, 4, false),
    (16, 6, false),
    (17, 9, false),
    (18, 12, false),
    (19, 16, false),
    (35, 2, true),
    (36, 3, true),
    (38, 4, true),
];

/// What a build of Godot 4 with `precision=double` writes: the flag in the header, and reals of 64 bits.
fn double_values() -> Vec<Vec<u32>> {
    let value = |(kind, count, is_array): (u32, usize, bool)| {
        let reals: Vec<f64> = (1..=count).map(|n| 1.0 / (n + 2) as f64).collect();
        let head = if is_array {
            vec![kind | 0x1_0000, 1]
        } else {
            vec![kind | 0x1_0000]
        };
        [head, wide(&reals)].concat()
    };
    REALS.map(value).into()
}

#[test]
fn a_save_of_a_double_build_comes_back() {
    let mut files: Vec<Vec<u8>> = double_values().iter().map(|value| record(value)).collect();
    files.push(record(
        &[&[5 | 0x1_0000][..], &wide(&[1e300, 1.0 / 3.0])].concat(),
    ));
    // Two records, and values without reals beside them.
    files.push(files.concat());
    files.push([&record(&[2, 7])[..], &files[0], &record(&[1, 1])].concat());
    for file in files {
        for (to, from) in NOTATIONS {
            let (back, said) = there_and_back(to, from, &file, &["-d", "godot4", "-f", "len32"]);
            assert!(back == file, "{to:?} {file:?}: {back:?}");
            assert_eq!(said, "", "{to:?}");
        }
    }
}

/// The option decides if the user gives one.
#[test]
fn the_precision_of_the_command_line_comes_before_the_noted_one() {
    let file = record(&[&[5 | 0x1_0000][..], &wide(&[0.5, 0.25])].concat());
    let single = record(&[5, 0.5f32.to_bits(), 0.25f32.to_bits()]);
    let text = gdvar(&["-d", "godot4", "text", "-"], &file).stdout;
    assert_eq!(text, b"; gdvar godot4 len32 double\nVector2(0.5, 0.25)\n");
    for (precision, made) in [("single", &single), ("double", &file)] {
        let args = ["from-text", "--precision", precision, "-"];
        assert!(gdvar(&args, &text).stdout == *made, "{precision}");
    }
}

#[test]
fn reals_of_two_widths_are_counted() {
    let wide = [&[5 | 0x1_0000][..], &wide(&[0.1, 1.0 / 3.0])].concat();
    let narrow = [5, 0.1f32.to_bits(), 0.2f32.to_bits()];
    let file = record(&[&[28, 3][..], &wide, &narrow, &narrow].concat());
    for (to, from) in NOTATIONS {
        let (back, said) = there_and_back(to, from, &file, &["-d", "godot4"]);
        if to[0] == "json" {
            assert!(back == file && said.is_empty(), "{said}");
            continue;
        }
        let count = "1 value with 64-bit reals and 2 values with 32-bit reals";
        assert!(said.contains(count), "{to:?}: {said}");
        assert!(said.contains("--precision double"), "{to:?}: {said}");
        assert!(
            said.contains("json --style tagged keeps it"),
            "{to:?}: {said}"
        );
    }
}

#[test]
fn the_same_precision_is_refused_where_no_width_is_seen() {
    for (args, text, code) in [
        (&["from-text"][..], "1", 2),
        (&["gron", "-u"], "$ = 1;", 2),
        (&["from-json", "--style", "plain"], "1", 2),
        (&["from-json", "--style", "native"], "1", 2),
        (&["from-json"], "[1]", 3),
    ] {
        let args = [args, &["--precision", "same", "-"]].concat();
        let said = stderr(&args, text.as_bytes(), code);
        assert!(said.contains("only tagged JSON does"), "{args:?}: {said}");
    }
    for (kind, value) in [("3fb999999999999a", 8), ("3dcccccd", 4)] {
        let json = format!("{{\"Vector2\":[\"{kind}\",\"{kind}\"]}}");
        let args = ["from-json", "-q", "-f", "bare", "--precision", "same", "-"];
        let made = gdvar(&args, json.as_bytes()).stdout;
        assert_eq!(made.len(), 4 + 2 * value, "{json}");
    }
}

/// A number beyond 32 bits names the option with which it fits. Other mistakes do not.
#[test]
fn a_number_that_needs_64_bits_names_the_option() {
    for (args, text) in [
        (&["from-text"][..], "Vector2(1e300, 1)"),
        (&["from-text"], "{\"a\": PackedVector3Array(1, 1e-60, 1)}"),
        (&["gron", "-u"], "a = Vector2(1e300, 1);"),
    ] {
        let plain = [args, &["-"]].concat();
        let said = stderr(&plain, text.as_bytes(), 3);
        assert!(said.contains("--precision double"), "{text}: {said}");
        let double = [args, &["-q", "--precision", "double", "-"]].concat();
        assert_eq!(stderr(&double, text.as_bytes(), 0), "");
        let godot3 = [&["-d", "godot3"], &plain[..]].concat();
        let said = stderr(&godot3, text.as_bytes(), 3);
        assert!(!said.contains("--precision"), "{text}: {said}");
    }
    for text in [
        "Vector2(1, )",
        "Vector2i(1e300, 1)",
        "Color(1e300, 1, 1, 1)",
    ] {
        let said = stderr(&["from-text", "-"], text.as_bytes(), 3);
        assert!(!said.contains("--precision"), "{text}: {said}");
    }
}

/// The sign and payload of NaNs, repeated keys and widths of numbers, in files that Godot 4.6.3 reads.
#[test]
fn what_text_does_not_hold_of_a_value_is_counted() {
    let array =
        |values: &[&[u32]]| record(&[&[28, values.len() as u32][..], &values.concat()].concat());
    let nan = 0x7fc1_2345;
    let a = [4, 1, 0x61];
    for (file, note) in [
        // -NaN, as 0.0 / 0.0 makes it on x86.
        (
            record(&[3 | 0x1_0000, 0, 0xfff8_0000]),
            "1 NaN with its own",
        ),
        (record(&[5, nan, 0x3f80_0000]), "1 NaN with its own"),
        (record(&[20, nan, 0xffc0_0000, 0, 0]), "2 NaNs with its own"),
        (
            record(&[32, 3, nan, 0x7fc0_0000, nan]),
            "2 NaNs with its own",
        ),
        (record(&[33, 1, 1, 0x7ff8_0000]), "1 NaN with its own"),
        (record(&[35, 1, 0, nan]), "1 NaN with its own"),
        (record(&[37, 1, 0, 0, 0, nan]), "1 NaN with its own"),
        (
            record(&[&[27, 2][..], &a, &[2, 1], &a, &[2, 1]].concat()),
            "1 Dictionary has a key more than once",
        ),
        (
            array(&[
                &[&[27, 2][..], &a, &[2, 1], &a, &[2, 2]].concat(),
                &[&[27, 2][..], &a, &[2, 1], &a, &[2, 2]].concat(),
            ]),
            "2 Dictionaries have a key more than once",
        ),
        (record(&[2 | 0x1_0000, 7, 0]), "1 number with 64 bits"),
        (
            record(&[3 | 0x1_0000, 0, 0x3fe0_0000]),
            "1 number with 64 bits",
        ),
    ] {
        for (to, from) in NOTATIONS {
            let (back, said) = there_and_back(to, from, &file, &["-d", "godot4", "-f", "len32"]);
            if to[0] == "json" {
                assert!(back == file && said.is_empty(), "{note}: {said}");
                continue;
            }
            assert!(back != file, "{note}");
            assert!(said.contains(note), "{to:?}: {note}: {said}");
        }
    }
    // Nothing is said about the usual NaNs, and they come back.
    for file in [
        record(&[3 | 0x1_0000, 0, 0x7ff8_0000]),
        record(&[5, 0x7fc0_0000, 0x7f80_0000]),
        record(&[32, 1, 0x7fc0_0000]),
        record(&[33, 1, 0, 0x7ff8_0000]),
    ] {
        for (to, from) in NOTATIONS {
            let (back, said) = there_and_back(to, from, &file, &["-d", "godot4", "-f", "len32"]);
            assert!(
                back == file && said.is_empty(),
                "{to:?} {file:?} {back:?}: {said}"
            );
        }
    }
}

/// Lines of a part of a file, or of several files, are for people: nothing is said about a way back.
#[test]
fn lines_of_a_part_have_no_note() {
    let file = record(&[27, 1, 4, 1, 0x61, 3 | 0x1_0000, 0, 0xfff8_0000]);
    let packed = gdvar(&["pack", "-q", "--mode", "zstd", "-"], &file).stdout;
    let folder = tempfile::tempdir().expect("a folder");
    let name = folder.path().join("packed");
    fs::write(&name, packed).expect("space");
    let name = path(&name);
    assert_eq!(stderr(&["-d", "godot4", "gron", name, "a"], b"", 0), "");
    assert_eq!(stderr(&["-d", "godot4", "gron", name, name], b"", 0), "");
}

/// A text of Godot 3 that no notation can express, and a null of the type Object, are named, wherever they are.
#[test]
fn texts_and_nulls_that_change_are_named() {
    let word = |word: u32| word.to_le_bytes().to_vec();
    let field = |text: &[u8]| {
        let mut bytes = [word(text.len() as u32), text.to_vec()].concat();
        bytes.resize(bytes.len().next_multiple_of(4), 0);
        bytes
    };
    let string = |text: &[u8]| [word(4), field(text)].concat();
    let list = |value: Vec<u8>| [word(19), word(1), value].concat();
    let pair = |key: Vec<u8>, value: Vec<u8>| [word(18), word(1), key, value].concat();
    // The last column is true for texts that come back.
    let texts: [(&[u8], bool); 6] = [
        (b"\xf4\x90\x80\x80", false),
        (b"\xf8\x88\x80\x80\x80z", false),
        (b"\xfc\x84\x80\x80\x80\x80", false),
        (b"\xe0\x9f\xbf", false),
        (b"a\xed\xa0\x80b", true),
        ("gr\u{fc}n \u{10ffff}".as_bytes(), true),
    ];
    for (text, comes_back) in texts {
        for value in [
            string(text),
            list(string(text)),
            pair(string(text), word(0)),
            // In arrays of texts, the length counts a NUL at the end.
            list([word(23), word(1), field(&[text, b"\0"].concat())].concat()),
            list([word(15), word(0x8000_0001), word(0), word(0), field(text)].concat()),
        ] {
            let file = [word(value.len() as u32), value].concat();
            for (to, from) in &NOTATIONS[..2] {
                let options = ["-d", "godot3", "-f", "len32"];
                let (back, said) = there_and_back(to, from, &file, &options);
                let is_told = said.contains("characters above U+10FFFF");
                assert_eq!(back == file, comes_back, "{to:?} {file:x?}");
                assert_eq!(is_told, !comes_back, "{to:?} {file:x?}: {said}");
            }
        }
    }
    for (engine, null) in [("godot3", word(17)), ("godot4", word(24))] {
        let null = [null, word(0)].concat();
        let dict = if engine == "godot3" { 18 } else { 27 };
        let dict = [word(dict), word(1), string(b"o"), null.clone()].concat();
        for value in [null, dict] {
            let file = [word(value.len() as u32), value].concat();
            for (to, from) in &NOTATIONS[..2] {
                let options = ["-d", engine, "-f", "len32"];
                let (back, said) = there_and_back(to, from, &file, &options);
                assert!(
                    back != file && said.contains("1 null Object"),
                    "{to:?}: {said}"
                );
            }
        }
    }
}
