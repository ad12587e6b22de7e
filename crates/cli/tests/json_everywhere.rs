//! `--json` with every command, on a good file, a damaged one and none: each line of standard output is JSON, or the
//! command refuses `--json` and says what prints JSON.

mod common;

use std::{
    fs,
    path::PathBuf,
    process::{Command, Output, Stdio},
};

use common::{gdvar, stdout};
use serde_json::Value;

/// What `--json` does with a command.
#[derive(Clone, Copy, PartialEq, Eq, Debug)]
enum Answer {
    /// Every line of standard output is an object with `schema`, also about a file that cannot be read.
    Lines,
    /// Every line of standard output is a value of the file as JSON; objects about errors go to standard error.
    Values,
    /// Standard output is a file; objects go to standard error.
    Bytes,
    /// `--json` is refused, with a message that contains this text.
    Refused(&'static str),
}

use Answer::{Bytes, Lines, Refused, Values};

/// Arguments with `FILE` in them, and what `--json` does. Every command is in here.
const CALLS: &[(&str, Answer)] = &[
    ("FILE", Lines),
    ("info FILE", Lines),
    ("info FILE FILE", Lines),
    ("view FILE", Lines),
    ("view FILE --full", Lines),
    ("view FILE FILE day", Lines),
    ("view FILE --types", Refused("gdvar hex --json")),
    ("view FILE --offsets", Refused("gdvar hex --json")),
    ("view FILE --depth 1", Refused("--depth")),
    ("view FILE --format godot", Refused("--format")),
    ("view FILE --format line", Refused("--format")),
    ("check FILE", Lines),
    ("check FILE FILE", Lines),
    ("check FILE --max-errors 1", Lines),
    ("get FILE items", Values),
    ("get FILE --path items[*]", Values),
    ("get FILE FILE --path items", Lines),
    ("get FILE --path items --path day", Lines),
    ("get FILE items --json-lines", Lines),
    ("get FILE items --csv", Refused("--json-lines")),
    ("get FILE items --safe-csv", Refused("--json-lines")),
    ("get FILE items --tsv", Refused("--json-lines")),
    ("get FILE items --raw", Refused("--raw")),
    ("gron FILE", Refused("gdvar json")),
    ("grep day FILE", Lines),
    ("grep day FILE --json-lines", Lines),
    ("grep day FILE -c", Refused("-c")),
    ("grep day FILE -l", Refused("-l")),
    ("hex FILE", Lines),
    ("explain FILE@4", Lines),
    ("explain Vector2", Lines),
    ("schema FILE", Values),
    ("schema FILE --style rust", Refused("json-schema")),
    ("schema FILE --style gdscript", Refused("json-schema")),
    ("stats FILE", Lines),
    ("table FILE --columns day", Refused("--format json-lines")),
    ("scan FILE", Lines),
    ("scan FILE --sarif", Refused("--sarif")),
    ("query .items FILE", Values),
    ("packets FILE", Refused("--json-lines")),
    ("dissector", Refused("not JSON")),
    (
        "proxy --udp 127.0.0.1:1 127.0.0.1:2",
        Refused("--json-lines"),
    ),
    ("debug --exec tree", Refused("--json-lines")),
    ("records list FILE", Lines),
    (
        "records split FILE -o parts",
        Refused("records list --json"),
    ),
    ("records join FILE", Refused("records list --json")),
    ("records extract FILE 0", Refused("records list --json")),
    ("convert FILE --to godot3", Bytes),
    ("convert FILE --to godot3 -o out", Lines),
    ("json FILE", Values),
    ("from-json FILE", Refused("gdvar json")),
    ("text FILE", Refused("gdvar json")),
    ("from-text FILE", Refused("gdvar json")),
    ("set FILE day=3", Refused("gdvar diff --json")),
    ("insert FILE items[0]=3", Refused("gdvar diff --json")),
    ("append FILE items=3", Refused("gdvar diff --json")),
    ("del FILE day", Refused("gdvar diff --json")),
    ("rename-key FILE day=days", Refused("gdvar diff --json")),
    ("edit FILE day", Refused("gdvar diff --json")),
    ("diff FILE other", Lines),
    ("diff other FILE", Lines),
    ("diff FILE other --stat", Lines),
    ("diff FILE other --format patch", Refused("--format patch")),
    ("patch FILE patch", Refused("gdvar diff --json")),
    ("textconv FILE", Refused("gdvar json")),
    ("git-setup", Refused("settings of git")),
    ("merge FILE FILE FILE", Refused("gdvar diff --json")),
    ("recover FILE -o out", Lines),
    ("explore FILE", Refused("gdvar view --json")),
    ("watch FILE", Refused("gdvar diff --json")),
    ("unpack FILE", Refused("gdvar json")),
    ("pack --mode zstd --to godot4 FILE", Refused("gdvar json")),
    ("options", Refused("not JSON")),
    ("complete-path FILE d", Refused("not JSON")),
    ("completions bash", Refused("not JSON")),
    ("man", Refused("not JSON")),
];

const TEXT: &[u8] = b"{\"day\": 37, \"items\": [1, 2], \"name\": \"a name\"}";

/// Makes a folder with two good saves, a save that is cut off, a save with a wrong type number, and other files.
fn folder() -> tempfile::TempDir {
    let folder = tempfile::tempdir().expect("a folder");
    let good = gdvar(&["from-text", "-"], TEXT).stdout;
    let other = gdvar(&["from-text", "-"], b"{\"day\": 38, \"items\": [1]}").stdout;
    let mut wrong = good.clone();
    // The value of `day` is an Int.
    wrong[24] = 0x63;
    let path = |name: &str| folder.path().join(name);
    fs::write(path("cut"), &good[..good.len() - 6]).expect("space");
    fs::write(path("wrong"), wrong).expect("space");
    fs::write(path("good"), good).expect("space");
    fs::write(path("other"), other).expect("space");
    fs::write(path("empty"), b"").expect("space");
    fs::write(path("strange"), b"\x89PNG\r\n\x1a\n and more").expect("space");
    folder
}

fn run(folder: &tempfile::TempDir, words: &str, file: &str) -> Output {
    let _ = fs::remove_file(folder.path().join("out"));
    Command::new(env!("CARGO_BIN_EXE_gdvar"))
        .arg("--json")
        .args(words.split(' ').map(|word| word.replace("FILE", file)))
        .current_dir(folder.path())
        .stdin(Stdio::null())
        .output()
        .expect("it runs")
}

/// The objects with `schema` in a text; other lines are messages for people.
fn objects(text: &[u8]) -> Vec<Value> {
    let text = String::from_utf8_lossy(text);
    text.lines()
        .filter_map(|line| serde_json::from_str(line).ok())
        .filter(|value: &Value| value["schema"] == 1)
        .collect()
}

#[test]
fn no_command_is_missing_here() {
    let mut names = common::verbs();
    names.retain(|name| {
        let is_it = |words: &str| words.split(' ').next() == Some(name);
        name != "help" && !CALLS.iter().any(|(words, _)| is_it(words))
    });
    assert!(names.is_empty(), "what does --json do with {names:?}?");
}

#[test]
fn json_is_printed_or_refused() {
    const FILES: [&str; 6] = ["good", "cut", "wrong", "empty", "strange", "missing"];
    let folder = folder();
    for (words, answer) in CALLS {
        for file in FILES {
            let output = run(&folder, words, file);
            let (code, told) = (
                output.status.code(),
                String::from_utf8_lossy(&output.stderr),
            );
            let what = format!("gdvar --json {words}, {file} ({code:?})\n{told}");
            if let Refused(instead) = answer {
                assert_eq!(code, Some(2), "{what}");
                assert!(told.contains("--json"), "{what}");
                assert!(told.contains(instead), "{what}");
                assert!(output.stdout.is_empty(), "{what}");
                assert!(!folder.path().join("parts").exists(), "{what}");
                continue;
            }
            assert_ne!(code, Some(2), "{what}");
            let mut errors = objects(&output.stderr);
            if *answer != Bytes {
                let text = String::from_utf8(output.stdout).expect("UTF-8");
                for line in text.lines() {
                    let value: Value = serde_json::from_str(line).unwrap_or_else(|error| {
                        panic!("{what}: {error}: {line}");
                    });
                    if *answer == Lines {
                        assert_eq!(value["schema"], 1, "{what}: {line}");
                        errors.push(value);
                    }
                }
            }
            // Explaining a type needs no file.
            if file == "good" || !words.contains("FILE") {
                continue;
            }
            // `explain` can succeed on a byte in front of the damage, and `recover` on a file that is cut off.
            let may_be_silent = words.starts_with("explain") || words.starts_with("recover");
            if may_be_silent && file != "missing" {
                continue;
            }
            assert_ne!(code, Some(0), "{what}");
            // An empty file has no records and the other file has some: `diff` reports that as a difference, not as
            // an error.
            if file == "empty" && words.starts_with("diff") {
                continue;
            }
            let is_about = |value: &&Value| value["ok"] == false || value["error"].is_string();
            let error = errors.iter().find(is_about);
            let error = error.unwrap_or_else(|| panic!("{what}: no line about it"));
            assert!(
                error["error"].is_string() || error["bad"].is_u64(),
                "{what}: {error}"
            );
            assert_eq!(error["file"], file, "{what}: {error}");
        }
    }
}

/// Every line of `check` says which file it is about.
#[test]
fn lines_of_check_name_the_file() {
    let folder = folder();
    for (file, code) in [
        ("good", 0),
        ("cut", 3),
        ("wrong", 3),
        ("empty", 3),
        ("missing", 6),
    ] {
        let output = run(&folder, "check FILE", file);
        assert_eq!(output.status.code(), Some(code), "{file}");
        let lines = objects(&output.stdout);
        assert_eq!(lines.len(), 1, "{file}: {lines:?}");
        assert_eq!(lines[0]["file"], file);
        assert_eq!(lines[0]["ok"], code == 0);
    }
    // Also the line that counts the rest.
    let bad: Vec<u8> = b"\x04\0\0\0\x63\0\0\0".repeat(3);
    fs::write(folder.path().join("bad"), bad).expect("space");
    let output = run(
        &folder,
        "check -d godot4 -f len32 --max-errors 1 FILE",
        "bad",
    );
    let lines = objects(&output.stdout);
    let last = lines.last().expect("a line");
    assert_eq!(
        (&last["error"], &last["more"], &last["file"]),
        (&"MoreErrors".into(), &2.into(), &"bad".into())
    );
}

/// A damaged file is not a success, whoever looks at it.
#[test]
fn damage_is_in_the_exit_code() {
    let folder = folder();
    for words in [
        "stats FILE",
        "records list FILE",
        "info FILE",
        "view FILE",
        "hex FILE",
    ] {
        for file in ["cut", "wrong"] {
            for json in [&["--json"][..], &[]] {
                let path: PathBuf = folder.path().join(file);
                let path = path.to_str().expect("UTF-8");
                let args = words
                    .split(' ')
                    .map(|word| if word == "FILE" { path } else { word });
                let args: Vec<&str> = args.chain(json.iter().copied()).collect();
                stdout(&args, b"", 3);
            }
        }
    }
}

/// A limit is a limit: as with `table` and `--max-depth`, the code is 4.
#[test]
fn a_limit_of_query_has_its_own_exit_code() {
    let folder = folder();
    let good = folder.path().join("good");
    let good = good.to_str().expect("UTF-8");
    stdout(&["query", "--max-results", "1", ".items[]", good], b"", 4);
    stdout(&["query", "--max-json", "3", ".items", good], b"", 4);
    stdout(&["query", "error(\"mine\")", good], b"", 1);
    stdout(&["query", ".items[", good], b"", 2);
}

/// If no file of a table could be read, the exit code is that of the failed reading.
#[test]
fn a_table_without_a_file_that_was_read_is_no_success() {
    let folder = folder();
    let path = |name: &str| folder.path().join(name).to_str().expect("UTF-8").to_owned();
    let (good, missing, empty) = (path("good"), path("missing"), path("empty"));
    let table = |files: &[&str], code| {
        stdout(
            &[&["table"], files, &["--columns", "day"]].concat(),
            b"",
            code,
        );
    };
    table(&[&missing], 6);
    table(&[&missing, &missing], 6);
    table(&[&empty], 3);
    table(&[&empty, &missing], 6);
    // The reason is in the column of errors, as for a row that cannot be read.
    table(&[&good, &missing], 0);
}
