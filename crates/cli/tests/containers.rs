//! Compressed and encrypted files, opened by every command, packed and unpacked.

mod common;

use std::fs;

use common::{gdvar, save, stderr, stdout};
use serde_json::Value;

fn path(name: &str) -> String {
    save(name).to_str().expect("UTF-8").to_owned()
}

/// The description of a save.
fn about(name: &str) -> Value {
    let text = fs::read(save(&format!("{name}.json"))).expect("a description");
    serde_json::from_slice(&text).expect("JSON")
}

/// All containers, each with its description.
fn containers() -> Vec<(String, Value)> {
    let folder = fs::read_dir(save("")).expect("the saves");
    let mut all: Vec<(String, Value)> = folder
        .map(|entry| {
            entry
                .expect("a file")
                .file_name()
                .into_string()
                .expect("a name")
        })
        .filter(|name| name.ends_with(".gcpf") || name.ends_with(".gdec"))
        .map(|name| (name.clone(), about(&name)))
        .collect();
    all.sort_by(|a, b| a.0.cmp(&b.0));
    assert!(all.len() >= 20, "{}", all.len());
    all
}

/// The secret that opens it: a password, or a key in a file of that folder.
fn secret(about: &Value, folder: &std::path::Path) -> Vec<String> {
    if let Some(password) = about["password"].as_str() {
        return vec!["--password".to_owned(), password.to_owned()];
    }
    let Some(digits) = about["key_hex"].as_str() else {
        return Vec::new();
    };
    let key = folder.join("key.txt");
    fs::write(&key, format!("{digits}\n")).expect("space");
    vec![
        "--key-file".to_owned(),
        key.to_str().expect("UTF-8").to_owned(),
    ]
}

#[test]
fn every_command_opens_them() {
    let folder = tempfile::tempdir().expect("a folder");
    for (name, about) in containers() {
        let file = path(&name);
        let plain = path(about["same_values_as"].as_str().expect("a name"));
        let secret = secret(&about, folder.path());
        let with = |words: &[&str], file: &str| -> String {
            let mut args: Vec<&str> = words.to_vec();
            args.extend(secret.iter().map(String::as_str));
            args.push(file);
            stdout(&args, b"", 0)
        };
        let view = [
            "view",
            "-d",
            if name.contains('3') {
                "godot3"
            } else {
                "godot4"
            },
            "--format",
            "line",
        ];
        assert_eq!(with(&view, &file), with(&view, &plain), "{name}");
        assert!(
            with(&["check", "-d", view[2]], &file).contains(": ok, "),
            "{name}"
        );
        let line: Value = serde_json::from_str(&with(&["info", "--json"], &file)).expect("JSON");
        let engine = if name.contains('3') {
            "godot3"
        } else {
            "godot4"
        };
        let expected = match about["container"].as_str().expect("a container") {
            "encrypted-pass" | "encrypted-key" => format!("encrypted:{engine}"),
            compressed => compressed.to_owned(),
        };
        assert_eq!(line["container"], expected, "{name}");
        assert_eq!(line["size"], about["size"], "{name}");
        assert_eq!(line["records"], about["records"], "{name}");
        let unpacked = folder.path().join("unpacked");
        let unpacked = unpacked.to_str().expect("UTF-8");
        with(&["unpack", "-o", unpacked], &file);
        if !name.starts_with("rpg3") {
            assert!(fs::read(unpacked).expect("a file") == fs::read(&plain).expect("a save"));
        }
        with(
            &["convert", "--to", "godot4", "-o", unpacked, "-d", view[2]],
            &file,
        );
        assert!(fs::metadata(unpacked).expect("a file").len() > 100);
    }
}

#[test]
fn what_is_converted_stays_in_its_container() {
    let folder = tempfile::tempdir().expect("a folder");
    let converted = folder.path().join("converted");
    let converted = converted.to_str().expect("UTF-8");
    let read = |path: &str| fs::read(path).expect("a file");
    let mut same = 0;
    for (name, about) in containers() {
        let file = path(&name);
        let plain = path(about["same_values_as"].as_str().expect("a name"));
        let secret = secret(&about, folder.path());
        let secret: Vec<&str> = secret.iter().map(String::as_str).collect();
        let from = if name.contains('3') {
            "godot3"
        } else {
            "godot4"
        };
        for to in ["godot3", "godot4"] {
            let convert = ["convert", "-d", from, "--to", to];
            // Losses on the way from 4 to 3 are another test's.
            let run = |words: &[&str]| {
                let args = [&convert[..], words].concat();
                let output = gdvar(&args, b"");
                let lost = from == "godot4" && to == "godot3";
                let code = output.status.code();
                assert!(code == Some(0) || lost && code == Some(1), "{output:?}");
                (
                    output.stdout,
                    String::from_utf8(output.stderr).expect("UTF-8"),
                )
            };
            let values = run(&[&plain]).0;
            let (_, message) = run(&[&["-o", converted, &file], &secret[..]].concat());
            let info = [&["info", "--json", "-d", to, converted], &secret[..]].concat();
            let line: Value = serde_json::from_str(&stdout(&info, b"", 0)).expect("JSON");
            let (container, what) = match about["container"].as_str().expect("a container") {
                "encrypted-pass" | "encrypted-key" => (
                    format!("encrypted:{to}"),
                    "encrypted, in the form of ".to_owned(),
                ),
                compressed => {
                    let mode = compressed.strip_prefix("compressed:").expect("a mode");
                    let what = format!("compressed ({mode}, blocks of ");
                    (compressed.to_owned(), what)
                }
            };
            assert_eq!(line["container"], container, "{name}");
            assert!(message.contains(&what), "{name}: {message}");
            assert!(
                message.trim_end().ends_with(" as before"),
                "{name}: {message}"
            );
            let unpacked = gdvar(&[&["unpack", converted], &secret[..]].concat(), b"").stdout;
            assert!(unpacked == values, "{name} to {to}");
            // To standard output too, and without the container if that is asked for. Godot 4 encrypts
            // with a number that is never used again.
            let random = container == "encrypted:godot4";
            let direct = run(&[&[&*file], &secret[..]].concat()).0;
            assert!(random || direct == read(converted), "{name} to {to}");
            let bare = run(&[&["--plain", &file], &secret[..]].concat()).0;
            assert!(bare == values, "{name} to {to}");
            // For values as the engine writes them, it is the engine's own file.
            let own = name.contains("fastlz")
                || name.contains("zstd") && to == "godot4"
                || container == "encrypted:godot3";
            let before = gdvar(&[&["unpack", &file], &secret[..]].concat(), b"").stdout;
            if from == to && own && values == before {
                assert!(read(converted) == read(&file), "{name}");
                same += 1;
            }
        }
    }
    assert!(same > 5, "{same}");
}

#[test]
fn what_cannot_be_converted_leaves_the_container_as_it_is() {
    let folder = tempfile::tempdir().expect("a folder");
    let file = folder.path().join("slot1.dat");
    let file = file.to_str().expect("UTF-8");
    // 5 and a type that is none, in blocks of 8 bytes.
    let records = b"\x08\0\0\0\x02\0\0\0\x05\0\0\0\x04\0\0\0\xff\0\0\0";
    let pack = |records: &[u8]| {
        let args = [
            "pack",
            "--mode",
            "deflate",
            "--block-size",
            "8",
            "-",
            "-o",
            file,
        ];
        assert!(gdvar(&args, records).status.success());
        fs::read(file).expect("a file")
    };
    let before = pack(records);
    let convert = [
        "convert", "-d", "godot4", "-f", "len32", "--to", "godot4", file,
    ];
    let text = stderr(&[&convert[..], &["-o", file]].concat(), b"", 3);
    assert!(
        text.contains("nothing was written, 1 record cannot be"),
        "{text}"
    );
    assert!(fs::read(file).expect("a file") == before);
    // On standard output, no part of a file appears either.
    assert_eq!(stdout(&convert, b"", 3), "");
    // Without the damaged record, the conversion succeeds, and the new file has blocks of the same
    // length.
    let whole = pack(&records[..12]);
    stdout(&[&convert[..], &["-o", file]].concat(), b"", 0);
    assert_eq!(fs::read(file).expect("a file")[..16], whole[..16]);
    // Mode 4, Brotli, is not written by the engines either.
    let brotli = b"GCPF\x04\0\0\0\0\x10\0\0\x0c\0\0\0\x10\0\0\0\x8b\x05\x80\x08\0\0\0\x02\0\0\0\x05\0\0\0\x03GCPF";
    let convert = [
        "convert", "-d", "godot4", "-f", "len32", "--to", "godot4", "-",
    ];
    let text = stderr(&convert, brotli, 2);
    assert!(
        text.contains("brotli can be read but not written"),
        "{text}"
    );
    let plain = gdvar(&[&convert[..], &["--plain"]].concat(), brotli);
    assert_eq!(plain.stdout, records[..12]);
}

/// A game may write its header before the container, or into it; a conversion loses neither.
#[test]
fn headers_of_games_stay_where_they_are() {
    let values = b"\x08\0\0\0\x02\0\0\0\x05\0\0\0";
    let pack = |contents: &[u8], how: &[&str]| {
        let output = gdvar(&[&["pack"], how, &["-"]].concat(), contents);
        assert!(output.status.success(), "{output:?}");
        output.stdout
    };
    let convert = |file: &[u8], how: &[&str]| {
        let args = ["convert", "-d", "godot4", "--to", "godot4", "--skip", "5"];
        let output = gdvar(&[&args, how, &["-"]].concat(), file);
        assert!(output.status.success(), "{output:?}");
        output.stdout
    };
    let with_header = |rest: &[u8]| [b"GAME\x01", rest].concat();
    let compress = ["--mode", "deflate", "--block-size", "8"];
    let encrypt = ["--to", "godot3", "--password", "mellon"];
    // In front of the container.
    let file = with_header(&pack(values, &compress));
    assert!(convert(&file, &[]) == file);
    assert!(convert(&file, &["--plain"]) == with_header(values));
    let text = pack(b"0200000005000000\n", &compress);
    let hex = ["--out-framing", "hex"];
    assert!(convert(&file, &hex) == with_header(&text));
    // A file that is encrypted for Godot 3 is always the same, too.
    let file = with_header(&pack(values, &encrypt));
    let to = ["convert", "-d", "godot3", "--skip", "5", "-"];
    let output = gdvar(&[&to[..], &encrypt].concat(), &file);
    assert!(output.stdout == file, "{output:?}");
    // In it.
    let file = pack(&with_header(values), &compress);
    assert!(convert(&file, &[]) == file);
    assert!(convert(&file, &["--plain"]) == with_header(values));
    // Without one.
    assert!(convert(&with_header(values), &[]) == with_header(values));
    // Text has no header.
    assert_eq!(
        convert(&file, &[&hex[..], &["--plain"]].concat()),
        b"0200000005000000\n"
    );
}

#[test]
fn what_is_packed_is_the_engines_own_file() {
    let folder = tempfile::tempdir().expect("a folder");
    let packed = folder.path().join("packed");
    let packed = packed.to_str().expect("UTF-8");
    for name in ["camp4.fastlz.gcpf", "camp3.fastlz.gcpf", "camp4.zstd.gcpf"] {
        let mode = name.split('.').nth(1).expect("a mode");
        let plain = path(about(name)["same_values_as"].as_str().expect("a name"));
        let text = stderr(&["pack", "--mode", mode, &plain, "-o", packed], b"", 0);
        assert!(text.contains(&format!("compressed ({mode}, ")), "{text}");
        assert!(fs::read(packed).expect("a file") == fs::read(save(name)).expect("a save"));
    }
    // Godot 3's form has nothing random in it.
    let name = "camp3.pass.gdec";
    let about = about(name);
    let password = about["password"].as_str().expect("a password");
    let args = [
        "pack",
        "--to",
        "godot3",
        "--password",
        password,
        "-o",
        packed,
    ];
    stdout(&[&args[..], &[&path("camp3.sav")]].concat(), b"", 0);
    assert!(fs::read(packed).expect("a file") == fs::read(save(name)).expect("a save"));
    // Godot 4's form has. The contents come back, also if the password comes from standard input.
    let args = ["pack", "--to", "godot4", "--password", "été", "-o", packed];
    stdout(&[&args[..], &[&path("camp4.sav")]].concat(), b"", 0);
    let output = gdvar(
        &["unpack", "--password-stdin", packed],
        "été\r\nmore".as_bytes(),
    );
    assert!(output.stdout == fs::read(path("camp4.sav")).expect("a save"));
}

#[test]
fn secrets_that_are_missing_or_wrong_are_named() {
    let file = path("camp4.pass.gdec");
    let text = stderr(&["view", &file], b"", 3);
    assert!(
        text.contains("--password-stdin") && text.contains("--key-file"),
        "{text}"
    );
    let line = stdout(&["info", "--json", &file], b"", 3);
    assert!(line.contains(r#""ok":false,"error":"Encrypted""#), "{line}");
    let text = stderr(&["view", "--password", "wrong", &file], b"", 3);
    assert!(
        text.contains("wrong password or key, or the file is damaged"),
        "{text}"
    );
    let text = stderr(&["view", "--key-file", &path("camp4.sav"), &file], b"", 2);
    assert!(
        text.contains("32 bytes, or 64 hexadecimal digits"),
        "{text}"
    );
    stderr(&["view", "--key-file", "/nowhere/key", &file], b"", 6);
    stderr(
        &["view", "--password", "a", "--password-stdin", &file],
        b"",
        2,
    );
}

#[test]
fn packing_says_what_it_needs() {
    let file = path("camp4.sav");
    for (args, what) in [
        (&["pack", &file][..], "--mode to compress"),
        (
            &["pack", "--password", "x", &file],
            "add --to godot3 or --to godot4",
        ),
        (
            &["pack", "--password", "x", "--mode", "zstd", &file],
            "not both",
        ),
        (
            &["pack", "--mode", "zstd", &path("camp4.zstd.gcpf")],
            "gdvar unpack first",
        ),
    ] {
        let text = stderr(args, b"", 2);
        assert!(text.contains(what), "{text}");
    }
    let text = stderr(&["unpack", &file], b"", 3);
    assert!(text.contains("nothing to unpack"), "{text}");
}

#[test]
fn damage_is_named_with_its_place() {
    let whole = fs::read(save("camp4.fastlz.gcpf")).expect("a save");
    let text = stderr(&["check", "-"], &whole[..2000], 3);
    assert!(
        text.contains("error[Truncated]") && text.contains("-:0x"),
        "{text}"
    );
    let mut damaged = whole.clone();
    damaged[32] = 0xff;
    let text = stderr(&["view", "-"], &damaged, 3);
    assert!(
        text.contains("error[BadBlock]") && text.contains("block 0"),
        "{text}"
    );
    let text = stderr(&["view", "--max-unpacked", "1000", "-"], &whole, 4);
    assert!(text.contains("--max-unpacked"), "{text}");
    // Inside, offsets count in what was unpacked.
    let plain = fs::read(save("settings4.cfg")).expect("a save");
    let packed = gdvar(
        &["pack", "--mode", "deflate", "-"],
        &plain[..plain.len() - 2],
    )
    .stdout;
    let text = stdout(&["check", "-d", "godot4", "-f", "len32", "-"], &packed, 3);
    assert!(text.contains("- (unpacked):0x"), "{text}");
}

/// The bytes of a String, and those that are written in hex.
fn setting(line: &str) -> Vec<u8> {
    let (name, value) = line.split_once(' ').expect("a name and a value");
    let mut bytes = [4_u32.to_le_bytes(), (name.len() as u32).to_le_bytes()].concat();
    bytes.extend(name.as_bytes());
    bytes.resize(bytes.len().next_multiple_of(4), 0);
    bytes.extend(gdvar_conformance::vectors::unhex(value));
    bytes
}

/// The bytes that the engines' own `var_to_bytes` makes of the values stand beside their files.
#[test]
fn settings_of_a_game_are_a_dictionary() {
    let folder = tempfile::tempdir().expect("a folder");
    let plain = folder.path().join("plain");
    let plain = plain.to_str().expect("UTF-8");
    // The engines put one or two of their own in front.
    for (engine, dictionary, own) in [("godot3", 18_u32, 2), ("godot4", 27, 1)] {
        let projects = gdvar_conformance::vectors::testdata("projects");
        let file = projects.join(format!("{engine}.binary"));
        let file = file.to_str().expect("UTF-8");
        let settings = projects.join(format!("{engine}.settings"));
        let settings = fs::read_to_string(settings).expect("the settings");
        let settings: Vec<_> = settings.lines().filter(|line| line.contains(' ')).collect();
        let count = settings.len() as u32;
        let mut expected = [dictionary.to_le_bytes(), count.to_le_bytes()].concat();
        expected.extend(settings.into_iter().flat_map(setting));

        // The settings of Godot 4 have a Callable, of which nothing is stored.
        let lost = i32::from(engine == "godot4");
        let info = stdout(&["info", file], b"", lost);
        let count = count + own;
        let what = format!("the settings of a game (project.binary, {count} settings)");
        assert!(info.contains(&what), "{info}");
        stdout(&["unpack", file, "-o", plain], b"", 0);
        // Godot 3 leaves some padding unset: both are written anew, as the engine does.
        let anew = |args: &[&str], input: &[u8]| {
            let args = [
                &["convert", "-d", engine, "--to", engine, "--plain"][..],
                args,
            ]
            .concat();
            gdvar(&args, input).stdout
        };
        let canonical = anew(&["-"], &expected);
        assert_eq!(canonical.len(), expected.len(), "{engine}");
        let unpacked = anew(&[plain], b"");
        assert!(unpacked.ends_with(&canonical[8..]), "{engine}");
        assert_eq!(unpacked[..4], canonical[..4], "{engine}");
        assert_eq!(anew(&[file], b""), unpacked, "{engine}");
        assert_eq!(stdout(&["get", file, "[\"gdvar/0009\"]"], b"", 0), "255\n");
        // It is written again, for its own engine.
        stderr(&["convert", "--to", engine, file, "-o", plain], b"", 0);
        assert!(fs::read(plain).expect("a file") == fs::read(file).expect("a file"));
        let other = if engine == "godot3" {
            "godot4"
        } else {
            "godot3"
        };
        let text = stderr(&["convert", "--to", other, file, "-o", plain], b"", 2);
        assert!(
            text.contains(
                "a project.binary of another engine can be read but not written: add --plain"
            ),
            "{text}"
        );
    }
}

#[test]
fn settings_that_the_engine_drops_are_named() {
    // `a`: 7, `b`: a type that is none, a name with a NUL, and one that is not text: null, `c`: "x" and a
    // byte too many.
    let file = b"ECFG\x05\0\0\0\
        \x01\0\0\0a\x08\0\0\0\x02\0\0\0\x07\0\0\0\
        \x01\0\0\0b\x04\0\0\0\xfe\0\0\0\
        \x03\0\0\0d\0e\x04\0\0\0\0\0\0\0\
        \x01\0\0\0\xff\x04\0\0\0\0\0\0\0\
        \x01\0\0\0c\x0d\0\0\0\x04\0\0\0\x01\0\0\0x\0\0\0\xff";
    for command in ["info", "check", "view"] {
        let text = stderr(&[command, "-"], file, 1);
        let what = "note: -: 3 settings cannot be read, which the engine leaves out: ";
        assert!(text.contains(what), "{text}");
        // Names do nothing to a terminal.
        assert!(text.contains(r"b, d\u{0}e"), "{text}");
    }
    let view = stdout(&["view", "-"], file, 1);
    assert!(view.contains("a: 7") && view.contains("c: \"x\""), "{view}");
    let text = stderr(&["view", "-"], &file[..30], 3);
    assert!(
        text.contains("error[Truncated]") && text.contains("-:0x"),
        "{text}"
    );
    let none = stdout(&["view", "-d", "godot4", "-"], b"ECFG\0\0\0\0", 0);
    assert!(none.contains("Dictionary(0)"), "{none}");
}

/// Every game with an input map has whole objects in its settings, and the engine reads them.
#[test]
fn settings_with_objects_are_healthy() {
    for engine in ["godot3", "godot4"] {
        let file = gdvar_conformance::vectors::testdata("projects");
        let file = file.join(format!("{engine}.input.binary"));
        let file = file.to_str().expect("UTF-8");
        let text = stdout(&["check", file], b"", 0);
        assert!(text.contains(": ok, 1 record"), "{text}");
        stdout(&["check", "--json", file], b"", 0);
        let path = "[\"input/jump\"].events[0]";
        let text = stdout(&["view", file, path], b"", 0);
        assert!(text.contains("Object InputEventKey"), "{text}");
        // Nothing is lost on the way to the same engine.
        let hex = [
            "convert",
            "--to",
            engine,
            "--out-framing",
            "hex",
            "--plain",
            file,
        ];
        assert!(stdout(&hex, b"", 0).len() > 500);
        // `--objects` on the command line wins over the default for settings.
        stdout(&["check", "--objects", "ids", file], b"", 5);
    }
}

#[test]
fn constants_of_scripts_are_listed() {
    let scripts = gdvar_conformance::vectors::testdata("scripts");
    for (name, constants, names) in [
        ("godot3.gdc", 13, "version 13): 13 constants, 11 names"),
        ("godot4.gdc", 14, "version 101): 14 constants, 13 names"),
        (
            "godot4.zstd.gdc",
            14,
            "version 101, compressed): 14 constants, 13 names",
        ),
    ] {
        let file = scripts.join(name);
        let file = file.to_str().expect("UTF-8");
        let text = stdout(&["info", file], b"", 0);
        assert!(text.contains(names), "{text}");
        assert!(text.contains("as the file says"), "{text}");
        let text = stdout(&["view", file], b"", 0);
        assert!(text.contains(&format!("Array({constants})\n")), "{text}");
        assert_eq!(text.lines().count(), constants + 1, "all of them");
        assert!(text.contains("  [5]: 5000000000\n"), "{text}");
        assert_eq!(stdout(&["get", file, "[0]"], b"", 0), "Vale of Ash\n");
        stdout(&["check", file], b"", 0);
        let line = stdout(&["info", "--json", file], b"", 0);
        assert!(line.contains(r#""container":"script:1"#), "{line}");
        let text = stderr(&["convert", "--to", "godot4", file], b"", 2);
        assert!(
            text.contains("a compiled script can be read but not written: add --plain"),
            "{text}"
        );
    }
    // For an unknown version it is said why there is no list.
    let text = stderr(&["view", "-"], b"GDSC\x0a\0\0\0\0\0\0\0", 3);
    assert!(text.contains("error[UnknownVersion]"), "{text}");
    assert!(text.contains("version 10 is not known"), "{text}");
    // The engine does not load a script with a bad constant.
    let mut file = fs::read(scripts.join("godot4.gdc")).expect("a script");
    file[0x150] = 0x63;
    let text = stderr(&["view", "-"], &file, 3);
    assert!(
        text.contains("constant 1: ") && text.contains("-:0x150"),
        "{text}"
    );
}
