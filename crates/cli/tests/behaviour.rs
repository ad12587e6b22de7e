//! Exit codes, messages and hostile input.

mod common;

use std::{
    fs,
    io::Read,
    process::{Command, Stdio},
};

use common::{gdvar, save, stderr, stdout};

/// `{"hp": 80}` of Godot 4, bare.
const BARE: &[u8] = b"\x1b\0\0\0\x01\0\0\0\x04\0\0\0\x02\0\0\0hp\0\0\x02\0\0\0\x50\0\0\0";

/// A value behind its length.
fn framed(value: &[u8]) -> Vec<u8> {
    let len = u32::try_from(value.len()).expect("small");
    [&len.to_le_bytes()[..], value].concat()
}

fn path(name: &str) -> String {
    save(name).to_str().expect("UTF-8").to_owned()
}

#[test]
fn usage_is_2() {
    stderr(&[], b"", 2);
    // Standard input, which is empty.
    stderr(&["view"], b"", 3);
    let text = stderr(&["chek"], b"", 2);
    assert!(text.contains("did you mean gdvar check?"), "{text}");
    stderr(&["check", "-d", "godot5", "-"], b"", 2);
    stderr(&["check", "--max-depth", "70000", "-"], b"", 2);
    let text = stderr(&["get", "-", "a b"], BARE, 2);
    assert!(text.contains("not a path"), "{text}");
}

#[test]
fn global_flags_stand_before_and_after_the_command() {
    for args in [
        ["-d", "godot4", "-f", "bare", "get", "-", "hp"],
        ["get", "-", "hp", "-d", "godot4", "-f", "bare"],
    ] {
        assert_eq!(stdout(&args, BARE, 0), "80\n");
    }
}

#[test]
fn what_is_not_there_is_1() {
    stderr(&["get", "-", "mp"], BARE, 1);
    stderr(&["view", "-", "hp.x"], BARE, 1);
    stderr(&["get", "-", "hp", "--record", "1"], BARE, 1);
    let line = stderr(&["get", "--json", "-", "hpp"], BARE, 1);
    assert!(
        line.contains(r#""exists":"$","missing":".hpp","meant":"hp""#),
        "{line}"
    );
}

#[test]
fn files_that_cannot_be_read_are_6_and_win() {
    let args = ["check", "/nowhere/slot1.dat", &path("camp4.pass.gdec")];
    let text = stderr(&args, b"", 6);
    assert!(text.contains("/nowhere/slot1.dat") && text.contains("encrypted"));
    stderr(&["view", "/nowhere"], b"", 6);
    stderr(
        &["convert", "--to", "godot4", "-", "-o", "/nowhere/x"],
        BARE,
        6,
    );
}

#[test]
fn an_empty_file_is_named_so() {
    let text = stderr(&["check", "-"], b"", 3);
    assert!(text.contains("the file is empty"), "{text}");
    // If the dialect and the framing are given, a file without records is not an error.
    assert_eq!(
        stdout(
            &["check", "-d", "godot4", "-f", "len32", "--json", "-"],
            b"",
            0
        ),
        ""
    );
}

#[test]
fn ambiguous_bytes_are_4_with_every_reading() {
    let tint = framed(b"\x0e\0\0\0\0\0\0\x3f\0\0\0\x3f\0\0\x80\x3f\0\0\x80\x3f");
    for command in ["info", "view", "check"] {
        let text = stderr(&[command, "-f", "len32", "-"], &tint, 4);
        assert!(
            text.contains("godot4: $ is Plane(0.5, 0.5, 1, 1)"),
            "{text}"
        );
        assert!(
            text.contains("godot3: $ is Color(0.5, 0.5, 1, 1)"),
            "{text}"
        );
        assert!(text.contains("--dialect godot4"), "{text}");
    }
    // The number 4 and four zero bytes: a null behind its length, or a String without characters.
    let text = stderr(&["view", "-"], b"\x04\0\0\0\0\0\0\0", 4);
    assert!(text.contains("--framing len32"), "{text}");
    // Ints and Strings have the same bytes in every dialect.
    let text = stderr(
        &["view", "-f", "len32", "-"],
        &framed(b"\x02\0\0\0\x05\0\0\0"),
        0,
    );
    assert!(text.contains("the same values in godot4, godot3"), "{text}");
}

#[test]
fn wrong_framings_and_dialects_are_recognized() {
    let text = |args: &[&str], input: &[u8]| {
        let output = gdvar(args, input);
        assert_eq!(output.status.code(), Some(3), "{args:?}");
        String::from_utf8([output.stdout, output.stderr].concat()).expect("UTF-8")
    };
    let both = |framing| ["check", "-d", "godot4", "-f", framing, "-"];
    assert!(text(&both("bare"), &framed(BARE)).contains("try --framing len32"));
    assert!(text(&both("len32"), BARE).contains("try --framing bare"));
    assert!(text(&both("bare"), b"1b000000").contains("try --framing hex"));
    let other = text(&["check", "-d", "godot3", "-f", "bare", "-"], BARE);
    assert!(other.contains("it reads completely as godot4: try --dialect godot4"));
}

#[test]
fn damaged_files_are_shown_up_to_the_damage() {
    let whole = fs::read(save("rpg4.sav")).expect("a file");
    let cut = &whole[..50_000];
    let text = stderr(&["view", "-"], cut, 3);
    assert!(text.contains("error[Truncated]"), "{text}");
    assert!(text.contains("at $.maps.forest.layers[1]"), "{text}");
    let tree = stdout(&["view", "-"], cut, 3);
    assert!(tree.contains("game: \"Vale of Ash") && tree.contains("maps: "));
    // Values before the damage can be had.
    let args = ["get", "-q", "-d", "godot4", "-"];
    let get = |path| [&args[..], &[path]].concat();
    assert_eq!(stdout(&get("version"), cut, 3), "7\n");
    assert_eq!(stdout(&get("party[0].name"), cut, 3), "Aldis\n");
    assert_eq!(stdout(&get("maps"), cut, 3), "");
}

#[test]
fn check_goes_on_behind_a_bad_record() {
    let mut file = fs::read(save("replay4.rec")).expect("a file");
    // The type number of the first record.
    file[4] = 200;
    let output = gdvar(&["check", "--json", "-"], &file);
    assert_eq!(output.status.code(), Some(3));
    let text = String::from_utf8(output.stdout).expect("UTF-8");
    assert_eq!(text.lines().count(), 703);
    let bad: Vec<_> = text.lines().filter(|line| line.contains("false")).collect();
    let expected = r#"{"schema":1,"file":"-","record":0,"ok":false,"read":false,"error":"UnknownType","offset":4,"path":"$"}"#;
    assert_eq!(bad, [expected]);
}

#[test]
fn objects_are_let_in_as_told() {
    let file = path("objects4.sav");
    assert!(stdout(&["view", &file], b"", 5).contains("Object Resource(11)"));
    assert!(stdout(&["info", &file], b"", 5).contains(" whole ("));
    // Its last record has objects of which only ids were stored: read, and lost.
    stdout(&["view", "--objects", "inert", &file], b"", 1);
    stdout(&["check", "-q", &file], b"", 5);
    stdout(&["check", "-q", "--objects", "deny", &file], b"", 5);
    stdout(&["check", "-q", "--objects", "inert", &file], b"", 1);
    let text = stderr(&["view", "--objects", "ids", &file], b"", 5);
    assert!(text.contains("--objects inert"), "{text}");
    assert_eq!(stdout(&["get", &file, "child.id"], b"", 0), "ruby\n");
}

#[test]
fn a_limit_is_4() {
    let nested = [b"\x1c\0\0\0\x01\0\0\0".repeat(10), b"\0\0\0\0".to_vec()].concat();
    let args = ["check", "-d", "godot4", "-f", "bare", "-", "--max-depth"];
    let with = |depth| -> Vec<&str> { args.iter().copied().chain([depth]).collect() };
    stdout(&with("10"), &nested, 0);
    stdout(&with("9"), &nested, 4);

    // Godot 3.2 reads it, 3.6 refuses it.
    let deep = [b"\x13\0\0\0\x01\0\0\0".repeat(9000), b"\0\0\0\0".to_vec()].concat();
    for command in ["check", "view", "info"] {
        let args = [command, "-d", "godot3", "-f", "bare", "-", "--max-depth"];
        let with = |depth| -> Vec<&str> { args.iter().copied().chain([depth]).collect() };
        for (name, exit) in [("godot3", 4), ("godot3.6", 4), ("godot3.2", 0)] {
            let args = [command, "-d", name, "-f", "bare", "-"];
            let status = gdvar(&args, &deep).status;
            assert_eq!(status.code(), Some(exit), "{command} -d {name}");
        }
        assert_eq!(
            gdvar(&with("10000"), &deep).status.code(),
            Some(0),
            "{command}"
        );
        assert_eq!(
            gdvar(&with("1024"), &deep).status.code(),
            Some(4),
            "{command}"
        );
    }
}

#[test]
fn a_million_levels_end_quietly() {
    let deep = b"\x1c\0\0\0\x01\0\0\0".repeat(1_000_000);
    for command in ["info", "check", "view"] {
        let output = gdvar(&[command, "-d", "godot4", "-f", "bare", "-"], &deep);
        assert_eq!(output.status.code(), Some(4), "{command}");
    }
    // Dictionaries as keys of dictionaries.
    let keys = b"\x1b\0\0\0\x01\0\0\0".repeat(1000);
    let keys = [keys, b"\0\0\0\0".repeat(1001)].concat();
    let output = gdvar(&["view", "-d", "godot4", "-f", "bare", "-"], &keys);
    assert_eq!(output.status.code(), Some(0));
}

#[test]
fn colours_are_for_those_who_want_them() {
    let view = ["view", "--color", "always", "-"];
    assert!(stdout(&view, BARE, 0).contains("\u{1b}["));
    assert!(!stdout(&["view", "-"], BARE, 0).contains('\u{1b}'));
    // The contents of a file have no colour: they are passed on as they are, and escaped in the
    // tree.
    let evil = b"\x04\0\0\0\x04\0\0\0\x1b[2J";
    let bare = |command: &'static str| [command, "-d", "godot4", "-f", "bare", "-"];
    assert_eq!(stdout(&bare("view"), evil, 0), "\"\\u001b[2J\"\n");
    let args: Vec<&str> = bare("get").into_iter().chain(["$"]).collect();
    assert_eq!(stdout(&args, evil, 0), "\u{1b}[2J\n");
}

#[cfg(unix)]
#[test]
fn a_closed_pipe_ends_it_quietly() {
    let mut child = Command::new(env!("CARGO_BIN_EXE_gdvar"))
        .args(["view", "--full", &path("voxel4.chunk")])
        .stdout(Stdio::piped())
        .stderr(Stdio::piped())
        .spawn()
        .expect("gdvar runs");
    drop(child.stdout.take());
    let status = child.wait().expect("it ends");
    let mut messages = String::new();
    let stderr = child.stderr.as_mut().expect("a pipe");
    stderr.read_to_string(&mut messages).expect("UTF-8");
    assert_eq!((status.code(), messages.as_str()), (Some(0), ""));
}

#[test]
fn elements_and_components_are_found() {
    let file = path("voxel4.chunk");
    for (at, expected) in [
        ("coord", "Vector3i(-12, 0, 345)"),
        ("coord.z", "345"),
        ("palette[1]", "stone"),
        ("palette[-1]", "snow"),
        ("mesh.vertices[1]", "Vector3(13, 16, 15)"),
        ("mesh.vertices[1].y", "16"),
        ("ticks[1]", "8589934592"),
        ("dirty", "true"),
        ("entities[0].type", "cow"),
    ] {
        assert_eq!(
            stdout(&["get", &file, at], b"", 0),
            format!("{expected}\n"),
            "{at}"
        );
    }
    let text = stderr(&["get", &file, "height[256]"], b"", 1);
    assert!(text.contains("elements [0] to [255]"), "{text}");
    for (at, expected) in [
        ("coord", "[-12,0,345]"),
        ("coord.z", "345"),
        ("palette[1]", r#""stone""#),
        ("format", "3"),
    ] {
        let line = stdout(&["get", "--json", &file, at], b"", 0);
        assert_eq!(line, format!("{expected}\n"), "{at}");
    }
}

/// What clap would call an unexpected argument.
#[test]
fn a_command_that_does_not_exist_is_named() {
    for args in [
        &["chek", "f"][..],
        &["chek", "f", "g"],
        &["-d", "4", "chek", "f"],
        &["chek", "--strict", "f"],
    ] {
        let text = stderr(args, b"", 2);
        assert_eq!(
            text, "error: there is no command chek; did you mean gdvar check?\n",
            "{args:?}"
        );
    }
    let text = stderr(&["frobnicate", "f"], b"", 2);
    assert_eq!(
        text,
        "error: there is no command frobnicate; gdvar -h lists them all\n"
    );
    // If the command exists, the message is about its arguments.
    let text = stderr(&["get", "--frobnicate"], b"", 2);
    assert!(
        text.contains("unexpected argument '--frobnicate'"),
        "{text}"
    );
}

/// Messages are for people: no names of types of this program or of a library.
#[test]
fn messages_are_words() {
    let rpg = save("rpg4.sav");
    let rpg = rpg.to_str().expect("a path");
    let objects = save("objects4.sav");
    let objects = objects.to_str().expect("a path");
    for (args, expected) in [
        (&["query", "a b", rpg][..], "b was not expected there"),
        (&["query", ".a[", rpg], "no end of ["),
        (&["query", "if 1 then", rpg], "expected"),
        (&["query", "\"a", rpg], "no end of"),
        (&["check", "--objects", "deny", objects], "not let in"),
    ] {
        let output = gdvar(args, b"");
        let text = [output.stdout, output.stderr].concat();
        let text = String::from_utf8_lossy(&text);
        assert!(text.contains(expected), "{args:?}: {text}");
        for name in ["::", "Parse(", "Lex(", "Nothing", "Some(", "Expect"] {
            assert!(!text.contains(name), "{args:?}: {text}");
        }
    }
    // A key is written whole, however little room is left for values.
    let line = stdout(
        &["diff", rpg, save("rpg3.sav").to_str().expect("a path")],
        b"",
        1,
    );
    assert!(!line.contains("\"…\":"), "{line}");
    // A value of standard input.
    let save = std::fs::read(rpg).expect("a save");
    let text = stderr(&["view", "party"], &save, 6);
    assert!(
        text.contains("for that value of standard input, write - party"),
        "{text}"
    );
}
