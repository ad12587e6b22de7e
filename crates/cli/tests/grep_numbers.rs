//! `grep` and numbers: each number that it prints is the one in the save, and can be looked for as it was printed.

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
