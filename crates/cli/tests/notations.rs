//! `json`, `from-json`, `text`, `from-text`.

mod common;

use std::fs;

use common::{gdvar, save, stderr, stdout};

/// The saves that are records as they are, without anything around them.
fn saves() -> Vec<String> {
    let folder = save("");
    let names = fs::read_dir(folder).expect("the saves");
    let mut names: Vec<String> = names
        .map(|entry| {
            entry
                .expect("an entry")
                .file_name()
                .to_string_lossy()
                .into_owned()
        })
        .filter(|name| {
            [".sav", ".dat", ".cfg", ".rec", ".chunk"]
                .iter()
                .any(|end| name.ends_with(end))
        })
        .collect();
    names.sort();
    assert!(names.len() >= 16, "{names:?}");
    names
}

/// Writes a save in a notation and makes a file of that again.
#[track_caller]
fn there_and_back(name: &str, to: &[&str], from: &[&str]) {
    let folder = tempfile::tempdir().expect("a folder");
    let (notation, back) = (folder.path().join("notation"), folder.path().join("back"));
    let path = save(name);
    let mut words = to.to_vec();
    words.push(path.to_str().expect("a path"));
    fs::write(&notation, stdout(&words, b"", 0)).expect("a file");
    let mut words = from.to_vec();
    words.extend([
        notation.to_str().expect("a path"),
        "-o",
        back.to_str().expect("a path"),
    ]);
    stdout(&words, b"", 0);
    let (old, new) = (
        fs::read(&path).expect("a save"),
        fs::read(&back).expect("a file"),
    );
    assert!(old == new, "{name} is another file after {to:?}");
}

/// Any engine's save comes back byte by byte without a word about its engine.
#[test]
fn saves_come_back_from_text_and_from_tagged_json() {
    for name in saves() {
        there_and_back(&name, &["text"], &["from-text"]);
        there_and_back(
            &name,
            &["json", "--style", "tagged"],
            &["from-json", "--style", "tagged"],
        );
    }
}

#[test]
fn native_json_of_a_godot_4_save_comes_back() {
    for name in [
        "exact4.sav",
        "camp4.sav",
        "settings4.cfg",
        "voxel4.chunk",
        "replay4.rec",
    ] {
        there_and_back(
            name,
            &["json", "--style", "native"],
            &["from-json", "--style", "native"],
        );
    }
}

const PLAYER: &str = "1b000000020000000400000002000000687000000200000050000000\
                      0400000003000000706f73000500000000002041 0000a041";

fn player() -> Vec<u8> {
    let hex: String = PLAYER.split_whitespace().collect();
    gdvar_conformance::vectors::unhex(&hex)
}

#[test]
fn each_style_looks_as_documented() {
    let json = |style| {
        stdout(
            &["json", "-q", "--style", style, "-f", "bare", "-"],
            &player(),
            0,
        )
    };
    assert_eq!(json("plain"), "{\"hp\":80,\"pos\":[10.0,20.0]}\n");
    assert_eq!(
        json("native"),
        "{\"type\":\"Dictionary\",\"args\":[\"s:hp\",\"i:80\",\"s:pos\",{\"type\":\"Vector2\",\"args\":[10.0,20.0]}]}\n"
    );
    assert_eq!(
        json("tagged"),
        "{\"gdvar\":\"godot4 bare\",\"Dictionary\":[[{\"String\":\"hp\"},{\"Int\":\"80\"}],\
         [{\"String\":\"pos\"},{\"Vector2\":[\"41200000\",\"41a00000\"]}]]}\n"
    );
    let text = stdout(&["text", "-q", "-f", "bare", "-"], &player(), 0);
    assert_eq!(
        text,
        "; gdvar godot4 bare\n{\"hp\": 80, \"pos\": Vector2(10, 20)}\n"
    );
}

#[test]
fn plain_json_says_how_much_it_loses() {
    let errors = stderr(&["json", "-f", "bare", "-"], &player(), 0);
    assert!(
        errors.contains("cannot hold everything: 1 type"),
        "{errors}"
    );
}

/// A text becomes records of Godot 4, unless the options or the first line of the text say
/// otherwise. The options come first.
#[test]
fn what_is_made_can_be_chosen() {
    let made = |words: &[&str], text: &str| {
        let output = gdvar(words, text.as_bytes());
        assert_eq!(output.status.code(), Some(0), "{words:?}");
        output.stdout
    };
    assert_eq!(
        made(&["from-text", "-"], "7"),
        [8, 0, 0, 0, 2, 0, 0, 0, 7, 0, 0, 0]
    );
    assert_eq!(
        made(&["from-text", "-f", "bare", "-"], "7"),
        [2, 0, 0, 0, 7, 0, 0, 0]
    );
    assert_eq!(
        made(&["from-json", "-f", "hex", "-"], "1 [2]\n"),
        *b"0200000001000000\n1c000000010000000200000002000000\n"
    );
    assert_eq!(
        made(&["from-json", "-f", "bare", "-d", "godot3", "-"], "[]"),
        [19, 0, 0, 0, 0, 0, 0, 0]
    );
    let noted = "; gdvar godot3 bare\n[]";
    assert_eq!(made(&["from-text", "-"], noted), [19, 0, 0, 0, 0, 0, 0, 0]);
    assert_eq!(
        made(&["from-text", "-d", "godot4", "-"], noted),
        [28, 0, 0, 0, 0, 0, 0, 0]
    );
    let errors = stderr(&["from-json", "-f", "bare", "-"], b"1 2", 2);
    assert!(errors.contains("a bare file holds one value"), "{errors}");
}

#[test]
fn mistakes_have_a_place_and_write_nothing() {
    let folder = tempfile::tempdir().expect("a folder");
    let old = folder.path().join("old.dat");
    fs::write(&old, b"old").expect("a file");
    let path = old.to_str().expect("a path");
    for (words, text, message) in [
        (
            ["from-text", "-"],
            "{\"a\": }",
            "-: line 1, column 7: expected a value, found '}'",
        ),
        (
            ["from-json", "-"],
            "{\n\"a\": nul}",
            "-: line 2, column 6: expected a value",
        ),
    ] {
        let mut words = words.to_vec();
        words.extend(["-o", path]);
        let errors = stderr(&words, text.as_bytes(), 3);
        assert!(errors.contains(message), "{errors}");
        assert_eq!(fs::read(&old).expect("a file"), b"old");
    }
    // A file that cannot be read is not half printed.
    let errors = stderr(
        &["json", "-d", "godot4", "-f", "bare", "-"],
        &player()[..50],
        3,
    );
    assert!(errors.contains("Truncated"), "{errors}");
}

/// A number or a word that touches the next value is a mistake: `01` is not two records. Texts and containers delimit
/// themselves.
#[test]
fn a_number_does_not_touch_the_next_value() {
    let words = ["0", "1", "-2", "1.5", "1e3", "true", "false", "null"];
    let others = ["\"a\"", "[]", "[1]", "{}", "{\"a\": 1}"];
    for first in words.iter().chain(&others) {
        for second in words.iter().chain(&others) {
            for space in ["", " ", "\t", "\n", "\r\n"] {
                let text = format!("{first}{space}{second}");
                // Another number or word altogether.
                let joined = ["1.5", "1e3"].contains(second) || second.parse::<u8>().is_ok();
                let is_one = joined && first.parse::<f64>().is_ok() && !first.starts_with('0');
                if is_one && space.is_empty() {
                    continue;
                }
                let touches = space.is_empty() && words.contains(first);
                for verb in ["from-json", "from-text"] {
                    // Godot's notation has numbers such as 01.
                    if verb == "from-text" && touches && first.starts_with('0') {
                        continue;
                    }
                    let output = gdvar(&[verb, "-f", "hex", "-"], text.as_bytes());
                    let errors = String::from_utf8_lossy(&output.stderr);
                    if touches {
                        assert_eq!(output.status.code(), Some(3), "{verb} {text:?}");
                        assert!(output.stdout.is_empty(), "{verb} {text:?}");
                        assert!(
                            errors.contains("line 1, column "),
                            "{verb} {text:?}: {errors}"
                        );
                    } else {
                        assert_eq!(output.status.code(), Some(0), "{verb} {text:?}: {errors}");
                        let lines = output.stdout.iter().filter(|byte| **byte == b'\n');
                        assert_eq!(lines.count(), 2, "{verb} {text:?}");
                    }
                }
            }
        }
    }
    let errors = stderr(&["from-json", "-"], b"[1]\n01", 3);
    let message = "-: line 2, column 2: expected white space after the number or word";
    assert!(errors.contains(message), "{errors}");
    let errors = stderr(&["from-text", "-"], b"[1]\n1-2", 3);
    assert!(errors.contains(message), "{errors}");
}

/// Whole objects are written and read as data, except if `--objects ids` is given.
#[test]
fn objects_are_data() {
    let object = "Object(Node, \"name\": \"x\")";
    let made = gdvar(&["from-text", "-f", "bare", "-"], object.as_bytes());
    assert_eq!(made.status.code(), Some(0));
    let back = stdout(
        &["text", "-q", "-f", "bare", "-d", "godot4", "-"],
        &made.stdout,
        0,
    );
    assert_eq!(back, format!("; gdvar godot4 bare\n{object}\n"));
    let errors = stderr(
        &["from-text", "--objects", "ids", "-"],
        object.as_bytes(),
        3,
    );
    assert!(
        errors.contains("an object, which is not let in"),
        "{errors}"
    );
}

/// Godot 4.6.3 reads these texts as empty containers. Nobody who converts a file expects that.
#[test]
fn typed_containers_that_become_empty_are_told() {
    let cut = "one of them does not fit the type";
    for (text, places) in [
        ("Array[int]([\"x\", 5])", &["line 1, column 21"][..]),
        (
            "Dictionary[String, int]({1: 2, \"a\": 3})",
            &["line 1, column 40"],
        ),
        (
            "[Array[int]([\"x\"]),\n{\"a\": Array[Vector2]([1])}]",
            &["line 1, column 19", "line 2, column 26"],
        ),
        ("5\nArray[int]([\"x\"])", &["line 2, column 18"]),
        ("Array[int]([1, 2])", &[]),
        // The engine converts these.
        ("Array[int]([1.0, 2])", &[]),
        ("Array[int]([])", &[]),
        ("Dictionary[String, int]({&\"a\": 3})", &[]),
    ] {
        let output = gdvar(
            &["-d", "godot4", "-f", "len32", "from-text", "-"],
            text.as_bytes(),
        );
        let told = String::from_utf8(output.stderr).expect("UTF-8");
        let code = i32::from(!places.is_empty());
        assert_eq!(output.status.code(), Some(code), "{text}: {told}");
        assert_eq!(told.matches(cut).count(), places.len(), "{text}: {told}");
        for place in places {
            assert!(told.contains(&format!("{place}: ")), "{text}: {told}");
        }
        // The engine makes the same bytes.
        let json = stdout(
            &["json", "-q", "-d", "godot4", "-f", "len32", "-"],
            &output.stdout,
            0,
        );
        assert!(
            places.is_empty() || json.contains("[]") || json.contains("{}"),
            "{json}"
        );
        // A value for a file is refused.
        if !text.starts_with('5') {
            let edit = format!("hp={text}");
            let set = ["-d", "godot4", "-f", "len32", "set", "-", &edit];
            let output = gdvar(&set, common::SLOT);
            let told = String::from_utf8(output.stderr).expect("UTF-8");
            assert_eq!(output.status.code(), Some(code), "{edit}: {told}");
            assert_eq!(
                told.contains("does not fit the type"),
                code == 1,
                "{edit}: {told}"
            );
        }
    }
}
