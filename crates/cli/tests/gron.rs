//! `gron`: a line for every value, and the file that the lines make again.

mod common;

use std::fs;

use common::{gdvar, path, save, stderr, stdout};

/// The lines of a save make the same save again.
#[test]
fn gron_leads_back() {
    let folder = tempfile::tempdir().expect("a folder");
    let again = folder.path().join("again.dat");
    for name in [
        "rpg3.sav",
        "rpg4.sav",
        "camp3.sav",
        "camp4.sav",
        "exact3.sav",
        "exact4.sav",
        "objects4.sav",
    ] {
        let file = save(name);
        let gron = stdout(&["-q", "gron", path(&file)], b"", 0);
        stdout(
            &["-q", "gron", "-u", "-", "-o", path(&again)],
            gron.as_bytes(),
            0,
        );
        assert!(
            fs::read(&again).expect("written") == fs::read(&file).expect("a save"),
            "{name}"
        );
    }
    let gron = stdout(&["gron", path(&save("rpg4.sav"))], b"", 0);
    assert!(gron.contains("\nparty[0].name = \"Aldis\";\n"));
    let part = stdout(&["gron", path(&save("rpg4.sav")), "party[0].name"], b"", 0);
    assert_eq!(part, "party[0].name = \"Aldis\";\n");
    // Lines may be missing.
    stdout(
        &["-q", "gron", "-u", "-", "-o", path(&again)],
        b"a.b[2] = 7;\n",
        0,
    );
    assert_eq!(
        stdout(&["view", "--format", "line", path(&again)], b"", 0),
        "{\"a\": {\"b\": [null, null, 7]}}\n"
    );
    let text = stderr(&["gron", "-u", "-"], b"a = 1;\nb[4294967295] = 1;\n", 3);
    assert!(
        text.contains("line 2: more than 10000 elements are missing"),
        "{text}"
    );
    let text = stderr(&["gron", "-u", "-"], b"a = 1;\nb = oops;\n", 3);
    assert!(text.contains("line 2:"), "{text}");
    let text = stderr(&["gron", "-u", "-"], b"not a line\n", 3);
    assert!(text.contains("this is not `path = value;`"), "{text}");
}

/// Of these keys, a path can name only the first and the last.
#[test]
fn gron_carries_every_key() {
    let folder = tempfile::tempdir().expect("a folder");
    let (file, again) = (
        folder.path().join("odd.dat"),
        folder.path().join("again.dat"),
    );
    let (file, again) = (path(&file), path(&again));
    let text = br#"{"a": 1, NodePath("b/c"): {"n": {NodePath("d"): 2}}, [1, "x\ny"]: 3, {"k": [4]}: [5,
        {PackedByteArray(1, 2): 6}], PackedVector2Array(1, 2): 7, Transform2D(1, 0, 0, 1, 0, 0): 8, 9: 9}"#;
    stdout(&["-q", "from-text", "-", "-o", file], text, 0);
    let gron = stdout(&["-q", "gron", file], b"", 0);
    assert!(gron.contains("{1:key} = NodePath(\"b/c\");\n"), "{gron}");
    assert!(gron.contains("{1}.n{0:key} = NodePath(\"d\");\n"), "{gron}");
    let back = |lines: &str| {
        stdout(&["-q", "gron", "-u", "-", "-o", again], lines.as_bytes(), 0);
    };
    back(&gron);
    assert!(fs::read(again).expect("written") == fs::read(file).expect("a file"));
    // The same pairs in another order, and without some of them.
    let mut lines: Vec<_> = gron.lines().collect();
    lines.sort_unstable();
    back(&lines.join("\n"));
    assert_eq!(stdout(&["get", again, "a"], b"", 0), "1\n");
    lines.retain(|line| !line.starts_with("{1") && !line.starts_with("a ="));
    back(&lines.join("\n"));
    let left = stdout(&["view", "--format", "line", again], b"", 0);
    assert!(left.contains("{PackedByteArray(1, 2): 6}"), "{left}");
    assert!(!left.contains("NodePath"), "{left}");
    for (lines, message) in [
        (
            "a = {};\na{3}.x = 4;\n",
            "line 2: the line of the key must come first: $.a{3:key} = KEY;",
        ),
        ("a = 1;\na{0:key} = [1];\n", "line 2: $.a has no keys"),
        (
            "{0:key} = [1];\n{1:key} = [1];\n",
            "line 2: the Dictionary has this key already",
        ),
    ] {
        let text = stderr(&["gron", "-u", "-"], lines.as_bytes(), 3);
        assert!(text.contains(message), "{text}");
    }
}

/// The engine reads the same key with and without a byte order mark, and writes the mark of a key that has one.
#[test]
fn gron_keeps_the_marks_of_texts() {
    for text in [
        "{\"\\ufeffx\": \"\\ufeffy\", \"z\": 1}",
        "{\"a\": {&\"\\ufeffx\": [&\"\\ufeffy\", {\"\\ufeff\": 2}]}, \"z\": 1}",
    ] {
        let made = gdvar(&["-q", "from-text", "-"], text.as_bytes()).stdout;
        let lines = gdvar(&["-q", "gron", "-"], &made).stdout;
        let back = gdvar(&["-q", "gron", "-u", "-"], &lines).stdout;
        assert_eq!(back, made, "{}", String::from_utf8_lossy(&lines));
    }
}

/// Floats have 64 bits in every engine. Keys that are one in 32 bits stay two on the way through `gron`.
#[test]
fn float_keys_come_back() {
    for engine in ["godot3", "godot4"] {
        for text in [
            "{0.0: 1, 1e-60: 2}",
            "{1e-60: 2, 0.0: 1}",
            "{0.10000000149011612: 1, 0.1: 2}",
            "{0.1: 2, 0.10000000149011612: 1}",
            "{16777216.0: 1, 16777217.0: 2}",
            "{-0.0: [1], 1e-46: {\"a\": [1]}, 5e-70: 2}",
        ] {
            let args = ["-q", "-d", engine, "from-text", "-", "--framing", "len32"];
            let made = gdvar(&args, text.as_bytes()).stdout;
            let lines = gdvar(&["-q", "-d", engine, "gron", "-"], &made).stdout;
            let back = gdvar(&["-q", "gron", "-u", "-"], &lines).stdout;
            assert!(back == made, "{text}: {}", String::from_utf8_lossy(&lines));
        }
    }
    // Two signs of zero are one key, as in the engine.
    let both = gdvar(&["-q", "gron", "-u", "-"], b"[0.0] = 1;\n[-0.0] = 2;\n").stdout;
    assert_eq!(stdout(&["-q", "text", "-"], &both, 0).trim(), "{0.0: 2}");
}
