//! All commands give the same verdict on the same file, and exit with the code in the manual's table.

mod common;

use std::fs;

use common::{gdvar, save, stdout};
use serde_json::Value;

/// The answer of a command about a file: its exit code, whether it could read the file, and whether
/// something was lost.
#[derive(PartialEq, Eq, Debug)]
struct Said {
    exit: Option<i32>,
    read: bool,
    lost: bool,
}

fn said(args: &[&str], input: &[u8]) -> Said {
    let args = [args, &["-"]].concat();
    let output = gdvar(&args, input);
    let out = String::from_utf8_lossy(&output.stdout);
    let err = String::from_utf8_lossy(&output.stderr);
    let json: Vec<Value> = out
        .lines()
        .filter_map(|line| serde_json::from_str(line).ok())
        .collect();
    let is_json = args.contains(&"--json");
    let error = err.contains("error[") || out.contains("error[");
    Said {
        exit: output.status.code(),
        read: match (is_json, args[0]) {
            (true, "check") => json.iter().all(|line| line["read"] == true),
            (true, "info") => json.iter().all(|line| line["verdict"]["refused"] == 0),
            _ => !error,
        },
        lost: match (is_json, args[0]) {
            (true, "check") => json.iter().any(|line| !line["lost"].is_null()),
            (true, "info") => json.iter().any(|line| line["verdict"]["lossy"] != 0),
            _ => err.contains("lost: "),
        },
    }
}

/// The commands that judge, each as people and as programs call it.
const COMMANDS: [&[&str]; 7] = [
    &["check"],
    &["check", "--json"],
    &["check", "-q"],
    &["info"],
    &["info", "--json"],
    &["view"],
    &["view", "--format", "line"],
];

/// The answers of all commands about a file, with the dialect named and without.
#[track_caller]
fn all_say(name: &str, dialect: &str, input: &[u8]) -> Said {
    let first = said(COMMANDS[0], input);
    for command in COMMANDS {
        for more in [&[][..], &["-d", dialect]] {
            let args = [command, more].concat();
            assert_eq!(said(&args, input), first, "{name}: {args:?}");
        }
    }
    first
}

#[test]
fn half_zeroed_saves_have_one_verdict() {
    for (name, dialect) in [("rpg4.sav", "godot4"), ("rpg3.sav", "godot3")] {
        let whole = fs::read(save(name)).expect("a save");
        let half = whole.len() / 2;
        let zeroed = [&whole[..half], &vec![0; whole.len() - half]].concat();
        let verdict = all_say(name, dialect, &zeroed);
        assert_eq!(
            (verdict.exit, verdict.read, verdict.lost),
            (Some(1), true, true),
            "{name}"
        );
        // Each of the lost things has its place.
        let lines = stdout(&["check", "--json", "-"], &zeroed, 1);
        let line: Value = serde_json::from_str(&lines).expect("JSON");
        let lost = |what: &str| {
            line["lost"]
                .as_array()
                .is_some_and(|all| all.iter().any(|one| one["change"] == what))
        };
        assert!(lost("RepeatedKeys") && lost("TrailingBytes"), "{line}");
        // If the file is cut off at this place instead, every command refuses it.
        let verdict = all_say(name, dialect, &whole[..half]);
        assert_eq!((verdict.exit, verdict.read), (Some(3), false), "{name}");
        let verdict = all_say(name, dialect, &whole);
        assert_eq!(
            (verdict.exit, verdict.read, verdict.lost),
            (Some(0), true, false),
            "{name}"
        );
    }
}

fn framed(value: &[u8]) -> Vec<u8> {
    let len = u32::try_from(value.len()).expect("short");
    [&len.to_le_bytes(), value].concat()
}

/// The manual's table of exit codes: a file for each row.
#[test]
fn exit_codes_are_those_of_the_table() {
    let page = include_str!("../../../docs/cli/shell.md");
    let table = page.split("## Exit codes\n").nth(1).expect("the section");
    let rows: Vec<_> = table
        .lines()
        .filter(|line| line.starts_with("| `"))
        .collect();
    let code_of = |words: &str| -> i32 {
        let row = rows
            .iter()
            .find(|row| row.contains(words))
            .unwrap_or_else(|| panic!("{words}"));
        row[3..4].parse().expect("a digit")
    };
    let array = |items: u8, rest: &[u8]| framed(&[&[28, 0, 0, 0, items, 0, 0, 0], rest].concat());
    let plain = array(0, b"");
    let behind = array(0, b"abcd");
    let callable = array(1, &[25, 0, 0, 0]);
    let wide_bool = array(1, &[1, 0, 0, 0, 2, 0, 0, 0]);
    let unknown = array(1, &[200, 0, 0, 0]);
    let object = array(1, b"\x18\0\0\0\x01\0\0\0A\0\0\0\0\0\0\0");
    let tint = framed(b"\x0e\0\0\0\0\0\0\x3f\0\0\0\x3f\0\0\x80\x3f\0\0\x80\x3f");
    for (words, more, input) in [
        ("nothing is lost", &[][..], &plain),
        ("something is lost", &[], &behind),
        ("something is lost", &[], &callable),
        ("nothing is lost", &[], &wide_bool),
        ("with `--strict`", &["--strict"], &wide_bool),
        ("does not read", &[], &unknown),
        ("does not read", &[], &plain[..6].to_vec()),
        ("several engines", &["-f", "len32"], &tint),
        ("a limit", &["--max-depth", "0"], &callable),
        ("whole objects", &[], &object),
        ("nothing is lost", &["--objects", "inert"], &object),
    ] {
        for command in COMMANDS {
            let args = [command, more, &["-"]].concat();
            let exit = gdvar(&args, input).status.code();
            assert_eq!(exit, Some(code_of(words)), "{words}: {args:?}");
        }
    }
    for command in COMMANDS {
        let args = [command, &["/no/such/file"]].concat();
        assert_eq!(
            gdvar(&args, b"").status.code(),
            Some(code_of("cannot be read or written"))
        );
        let args = [command, &["--no-such-option"]].concat();
        assert_eq!(
            gdvar(&args, b"").status.code(),
            Some(code_of("wrong usage"))
        );
    }
    let missing = gdvar(&["get", "-", "nothing"], &plain).status.code();
    assert_eq!(missing, Some(code_of("not there")));
}

#[test]
fn a_cut_record_is_called_cut_and_a_damaged_length_damaged() {
    let whole = fs::read(save("rpg4.sav")).expect("a save");
    let text = |args: &[&str], input: &[u8]| {
        let output = gdvar(args, input);
        assert_eq!(output.status.code(), Some(3), "{args:?}");
        String::from_utf8([output.stdout, output.stderr].concat()).expect("UTF-8")
    };
    for more in [&[][..], &["-d", "4"], &["-d", "4", "--strict"]] {
        for command in COMMANDS {
            if command.contains(&"--json") {
                continue;
            }
            let args = [command, more, &["-"]].concat();
            let cut = text(&args, &whole[..whole.len() - 4]);
            assert!(
                cut.contains("the record is cut off: 89 448 of 89 452 bytes"),
                "{args:?} {cut}"
            );
            // The length of the first key, "version".
            let mut damaged = whole.clone();
            damaged[18] = 0x7f;
            let damaged = text(&args, &damaged);
            assert!(
                damaged.contains("a length or count is damaged"),
                "{args:?} {damaged}"
            );
            assert!(
                !damaged.contains("cut off") && !damaged.contains("TrailingBytes"),
                "{damaged}"
            );
        }
    }
}

/// Plain, compressed, encrypted without a password, projects, descriptions: whatever stands in testdata.
#[test]
fn commands_agree_on_everything_in_testdata() {
    let mut files = 0;
    for folder in ["saves", "projects", "files", "text"] {
        let folder = gdvar_conformance::vectors::testdata(folder);
        for entry in fs::read_dir(folder).expect("a folder") {
            let path = entry.expect("an entry").path();
            let path = path.to_str().expect("UTF-8");
            for more in [
                &[][..],
                &["-d", "4"],
                &["-d", "3"],
                &["-d", "any"],
                &["--strict"],
            ] {
                let codes = COMMANDS.map(|command| {
                    let args = [command, more, &[path]].concat();
                    gdvar(&args, b"").status.code()
                });
                assert!(
                    codes.iter().all(|code| *code == codes[0]),
                    "{path} {more:?}: {codes:?}"
                );
            }
            files += 1;
        }
    }
    assert!(files > 80, "{files}");
}
