//! `grep` and numbers: each number that it prints is the one in the save, and can be looked for as it was printed. And
//! `grep` finds the elements of packed arrays as it finds the elements of other arrays.

mod common;

use std::fs;

use common::{gdvar, path, stdout};

#[test]
fn numbers_are_printed_and_found_exactly() {
    let folder = tempfile::tempdir().expect("a folder");
    let (text, save) = (folder.path().join("text"), folder.path().join("save"));
    let values = [
        (
            "a",
            "PackedInt64Array(9007199254740992, 9007199254740993, 9223372036854775807, -9223372036854775808)",
        ),
        (
            "b",
            "[9007199254740992, 9007199254740993, 9223372036854775807]",
        ),
        ("f", "PackedFloat32Array(0.1, 10, 16777216)"),
        ("g", "PackedFloat64Array(0.1, 1e300, 5e-324)"),
        ("h", "[-0.0, 1e300, 5e-324, 0.1]"),
    ];
    let all = values
        .map(|(name, value)| format!("\"{name}\": {value}"))
        .join(", ");
    fs::write(&text, format!("{{{all}}}")).expect("written");
    stdout(
        &["-d", "godot4", "from-text", path(&text), "-o", path(&save)],
        b"",
        0,
    );
    // Every number is what `get` shows at its path, and its own pattern and its own range find it.
    let every = stdout(&["-q", "grep", "--range", "..", "", path(&save)], b"", 0);
    assert_eq!(every.lines().count(), 17, "{every}");
    for line in every.lines() {
        let (at, number) = line.split_once(" = ").expect("a path and a number");
        let shown = stdout(&["-q", "get", path(&save), at], b"", 0);
        assert_eq!(shown.trim_end(), number, "{line}");
        // A 32-bit 0.1 is a little more than 0.1.
        if at == "f[0]" {
            continue;
        }
        let range = format!("{number}..{number}");
        let found = stdout(&["-q", "grep", "--range", &range, "", path(&save)], b"", 0);
        assert!(found.lines().any(|one| one == line), "{line}: {found}");
        // No other int is in that range.
        let is_int = !number.contains(['.', 'e']);
        let is_other = |one: &str| !one.ends_with(&format!(" = {number}")) && !one.contains('.');
        assert!(!is_int || !found.lines().any(is_other), "{line}: {found}");
    }
    for (number, count) in [("-0", 1), ("1e300", 1), ("5e-324", 1)] {
        let found = gdvar(&["-q", "grep", "-c", "--", number, path(&save)], b"");
        assert_eq!(
            String::from_utf8_lossy(&found.stdout).trim(),
            count.to_string(),
            "{number}"
        );
    }
}

/// A save made of that text, and what `grep` prints.
fn found(text: &str, args: &[&str], code: i32) -> String {
    let save = gdvar(&["-d", "godot4", "from-text", "-"], text.as_bytes()).stdout;
    let args = [&["-q", "-d", "godot4", "-f", "len32", "grep"], args, &["-"]].concat();
    stdout(&args, &save, code)
}

/// `float` holds every other int beyond 2^53: these differ by one, and are the same as floats.
#[test]
fn ints_and_floats_are_compared_exactly() {
    let text = "[999999999999999999, 1000000000000000000, 9007199254740992, 9007199254740993, 9223372036854775807, \
                -9223372036854775808, -9007199254740993, 1e18, 9007199254740992.0, 9223372036854775808.0]";
    for (range, expected) in [
        ("1e18..", &["[1]", "[4]", "[7]", "[9]"][..]),
        (
            "..1e18",
            &["[0]", "[1]", "[2]", "[3]", "[5]", "[6]", "[7]", "[8]"],
        ),
        ("9007199254740992.0..9007199254740992.0", &["[2]", "[8]"]),
        ("9007199254740993..9007199254740993", &["[3]"]),
        ("-9007199254740993..-9007199254740992.5", &["[6]"]),
        ("9223372036854775808.0..", &["[9]"]),
        ("9223372036854775807..9223372036854775807", &["[4]"]),
        ("..-9223372036854775808.0", &["[5]"]),
        ("-inf..-9007199254740994", &["[5]"]),
    ] {
        let text = found(text, &["--range", range, ""], 0);
        let at = { text.lines() }.map(|line| line.split(" = ").next().expect("a path"));
        assert_eq!(at.collect::<Vec<_>>(), expected, "{range}");
    }
    for range in ["5..1", "1.5..1", "0..-1e300", "nan..", "..nan"] {
        let told = common::stderr(&["grep", "--range", range, "", "-"], b"", 2);
        let why = ["is not a number", "the smaller end first"];
        assert!(why.iter().any(|why| told.contains(why)), "{range}: {told}");
    }
}

/// The same texts and numbers in a packed array and in a plain one are the same matches, with every option.
#[test]
fn elements_of_packed_arrays_are_found_as_those_of_arrays() {
    for (packed, plain) in [
        (
            "PackedStringArray(\"sword\", \"map\", \"swords\")",
            "[\"sword\", \"map\", \"swords\"]",
        ),
        ("PackedInt64Array(1, 5, 9)", "[1, 5, 9]"),
        ("PackedFloat64Array(1.5, 5.5, 9.25)", "[1.5, 5.5, 9.25]"),
    ] {
        for options in [
            &["sword"][..],
            &["-v", "sword"],
            &["--type", "String", "sword"],
            &["--type", "String", "-v", "sword"],
            &["--type", "Int", "sword"],
            &["--json-lines", "sword"],
            &["-c", "sword"],
            &["-c", "-v", "sword"],
            &["--range", "2..9", ""],
            &["--range", "2..9", "5"],
            &["--range", "2..9", "-v", ""],
            &["--range", "2..9", "--type", "Int", ""],
            &["--range", "2..9", "--type", "Float", ""],
            &["--range", "2..9", "--json-lines", ""],
        ] {
            let is_searched = options.contains(&"--range") != packed.contains("String");
            if !is_searched {
                continue;
            }
            let run = |array: &str| {
                let save = gdvar(
                    &["-d", "godot4", "from-text", "-"],
                    format!("{{\"a\": {array}}}").as_bytes(),
                );
                let args = [
                    &["-q", "-d", "godot4", "-f", "len32", "grep"],
                    options,
                    &["-"],
                ];
                let output = gdvar(&args.concat(), &save.stdout);
                (
                    output.status.code(),
                    String::from_utf8(output.stdout).expect("UTF-8"),
                )
            };
            assert_eq!(run(packed), run(plain), "{options:?} {packed}");
        }
    }
    let text = "{\"ps\": PackedStringArray(\"sword\", \"map\"), \"n\": 1}";
    assert_eq!(
        found(text, &["--type", "String", "sword"], 0),
        "ps[0] = \"sword\"\n"
    );
    assert_eq!(found(text, &["-v", "sword"], 0), "ps[1] = \"map\"\nn = 1\n");
}
