//! `hex`, `explain` and `stats` cover every byte of a file exactly once.

mod common;

use std::fs;

use common::{gdvar, save, stderr, stdout};
use gdvar_conformance::vectors::unhex;
use serde_json::Value;

fn lines(text: &str) -> Vec<Value> {
    let parse = |line| serde_json::from_str(line).expect("JSON");
    text.lines().map(parse).collect()
}

/// Runs `gdvar hex --json` and returns the fields. Fails unless they hold every byte of the file in
/// order.
#[track_caller]
fn whole(args: &[&str], bytes: &[u8], code: i32) -> Vec<Value> {
    let text = stdout(&[&["hex", "--json"], args].concat(), bytes, code);
    // What is wrong with a record follows its fields.
    let (errors, lines): (Vec<_>, Vec<_>) =
        { lines(&text).into_iter() }.partition(|line| line["ok"] == false);
    assert_eq!(errors.is_empty(), code == 0, "{errors:?}");
    let mut seen = Vec::new();
    for line in &lines {
        assert_eq!(line["schema"], 1);
        assert_eq!(line["offset"].as_u64(), Some(seen.len() as u64), "{line}");
        seen.extend(unhex(line["bytes"].as_str().expect("digits")));
    }
    assert!(
        seen == bytes,
        "{args:?}: {} of {} bytes",
        seen.len(),
        bytes.len()
    );
    lines
}

#[test]
fn every_byte_of_a_save_has_a_field() {
    for name in [
        "rpg3.sav",
        "rpg4.sav",
        "objects4.sav",
        "replay3.rec",
        "settings4.cfg",
        "voxel4.chunk",
    ] {
        let bytes = fs::read(save(name)).expect("a save");
        let lines = whole(&["-"], &bytes, 0);
        assert!(lines.iter().all(|line| line["field"] != "unread"), "{name}");
    }
}

#[test]
fn every_byte_of_a_damaged_save_has_a_field() {
    let bytes = fs::read(save("rpg4.sav")).expect("a save");
    let cut = whole(&["-d", "4", "-f", "len32", "-"], &bytes[..40_001], 3);
    assert_eq!(
        cut.last().map(|line| &line["field"]),
        Some(&Value::from("unread"))
    );
    // The count of the outermost Dictionary.
    let mut bad = bytes.clone();
    bad[8..12].copy_from_slice(&[0xff; 4]);
    let bad = whole(&["-d", "4", "-f", "len32", "-"], &bad, 3);
    assert_eq!(bad.len(), 4);
    let behind = [&bytes[..], b"\x07\x07\x07"].concat();
    let behind = whole(&["-d", "4", "-f", "len32", "-"], &behind, 3);
    assert_eq!(
        behind.last().map(|line| &line["bytes"]),
        Some(&Value::from("070707"))
    );
    let skipped = [b"GAME", &bytes[..]].concat();
    let skipped = whole(&["--skip", "4", "-"], &skipped, 0);
    assert_eq!(skipped[0]["field"], "skipped");
    let followed = [&bytes[..], b"\xde\xad\xbe\xef\x01"].concat();
    let told = whole(&["-"], &followed, 0);
    let last = told.last().expect("a row");
    assert_eq!(
        (&last["field"], &last["bytes"]),
        (&"after values".into(), &"deadbeef01".into())
    );
}

/// `explain` has an answer for each byte of a file with the game's own bytes on both sides.
#[test]
fn every_byte_of_a_file_is_explained() {
    let folder = tempfile::tempdir().expect("a folder");
    let file = folder.path().join("a.sav");
    let record = &stdout(&["from-text", "-"], b"{\"name\": \"Mira\", \"hp\": 3}", 0);
    let bytes = [b"SAVE\x01", record.as_bytes(), b"\xde\xad\xbe\xef\x01"].concat();
    fs::write(&file, &bytes).expect("space");
    for at in 0..bytes.len() {
        let place = format!("{}@{at}", file.display());
        let text = stdout(&["explain", &place], b"", 0);
        let own = match at {
            0..5 => "5 bytes of the game's own in front of the values",
            _ if at >= bytes.len() - 5 => "5 bytes of the game's own after the values",
            _ => "",
        };
        assert!(text.contains(own), "{at}: {text}");
        assert_eq!(
            text.contains("the game's own"),
            !own.is_empty(),
            "{at}: {text}"
        );
        let json = stdout(&["explain", "--json", &place], b"", 0);
        assert_eq!(lines(&json)[0]["schema"], 1, "{at}: {json}");
    }
}

/// The digits in the rows are the bytes of the file, whatever the width of the terminal.
#[test]
fn rows_are_the_bytes() {
    let bytes = fs::read(save("objects4.sav")).expect("a save");
    for (width, most) in [("40", 40), ("80", 80), ("120", 120), ("200", 200)] {
        // Runs the program by hand, because setting `COLUMNS` in this process would affect other
        // tests.
        let output = std::process::Command::new(env!("CARGO_BIN_EXE_gdvar"))
            .args(["hex", "--full"])
            .arg(save("objects4.sav"))
            .env("COLUMNS", width)
            .output()
            .expect("gdvar runs");
        let text = String::from_utf8(output.stdout).expect("UTF-8");
        let mut seen = Vec::new();
        for line in text.lines() {
            assert!(line.chars().count() <= most, "{width}: {line}");
            assert_eq!(line, line.trim_end(), "{width}");
            let (offset, rest) = line.split_once("  ").expect("an offset");
            assert_eq!(usize::from_str_radix(offset, 16), Ok(seen.len()), "{line}");
            let hex = rest.split("  ").next().unwrap_or_default();
            seen.extend(unhex(&hex.replace(' ', "")));
        }
        assert!(seen == bytes, "{width}");
    }
}

#[test]
fn ranges_and_paths_leave_the_rest_out() {
    let path = save("rpg4.sav");
    let path = path.to_str().expect("a path");
    let text = stdout(&["hex", "--json", "--range", "0x400..0x410", path], b"", 0);
    for line in lines(&text) {
        let from = line["offset"].as_u64().expect("a number");
        let len = line["bytes"].as_str().expect("digits").len() as u64 / 2;
        assert!(from < 0x410 && from + len > 0x400, "{line}");
    }
    let text = stdout(&["hex", "--json", path, "party[0].name"], b"", 0);
    let fields: Vec<_> = lines(&text)
        .iter()
        .map(|line| line["field"].clone())
        .collect();
    assert_eq!(fields, ["header", "length", "text", "padding"]);
    let text = stdout(&["hex", "--json", path, "party[0].name"], b"", 0);
    assert!(
        lines(&text)
            .iter()
            .all(|line| line["path"] == "party[0].name")
    );
    // A component is found in the field of its vector.
    let text = stdout(&["hex", "--json", path, "party[0].position.x"], b"", 0);
    assert_eq!(lines(&text)[0]["path"], "party[0].position");
    stderr(&["hex", path, "party[9]"], b"", 1);
    stderr(&["hex", "--range", "9..3", path], b"", 2);
    stderr(&["hex", "--record", "7", path], b"", 1);
}

#[test]
fn errors_show_what_stands_around() {
    let bytes = fs::read(save("rpg4.sav")).expect("a save");
    assert!(stderr(&["hex", "--errors", "-"], &bytes, 0).contains("all of it can be read"));
    let cut = gdvar(
        &["hex", "--errors", "-d", "4", "-f", "len32", "-"],
        &bytes[..1000],
    );
    assert_eq!(cut.status.code(), Some(3));
    let rows = String::from_utf8(cut.stdout).expect("UTF-8");
    assert_eq!(rows.matches("<- here").count(), 1, "{rows}");
    assert!(rows.lines().count() < 40, "{rows}");
    // The error about a text that is not UTF-8 is marked in the rows, too.
    let bad = unhex("1c000000010000000400000003000000ffffff00");
    let rows = gdvar(&["hex", "--errors", "-d", "4", "-f", "bare", "-"], &bad).stdout;
    assert!(String::from_utf8_lossy(&rows).contains("<- here"));
}

/// Every byte of a file is explained as the field that `hex` gives it.
#[test]
fn explain_and_hex_agree() {
    let path = save("objects4.sav");
    let bytes = fs::read(&path).expect("a save");
    let all = lines(&stdout(
        &["hex", "--json", path.to_str().expect("a path")],
        b"",
        0,
    ));
    let mut asked = 0;
    for line in all.iter().step_by(23) {
        let at = line["offset"].as_u64().expect("a number") as usize;
        let what = format!("{}@{:#x}", path.display(), at);
        let told = lines(&stdout(&["explain", "--json", &what], b"", 0)).remove(0);
        for key in ["field", "path", "type", "text"] {
            assert_eq!(told[key], line[key], "{what}");
        }
        if let Some(parents) = told["parents"].as_array() {
            for parent in parents {
                let from = parent["offset"].as_u64().expect("a number") as usize;
                assert!(from < at, "{what}");
                let word = bytes[from];
                assert!(
                    [24, 27, 28].contains(&word),
                    "{what}: {word} is no container"
                );
            }
        }
        asked += 1;
    }
    assert!(asked > 20, "{asked}");
    let behind = format!("{}@{}", path.display(), bytes.len());
    stderr(&["explain", &behind], b"", 1);
}

/// Numbers and names of types are those of `docs/FORMAT.md` §1.1.
#[test]
fn types_have_the_numbers_of_the_document() {
    let document = fs::read_to_string(gdvar_conformance::vectors::testdata("../docs/FORMAT.md"));
    let document = document.expect("the document");
    let (_, table) = document
        .split_once("### 1.1 Type numbers")
        .expect("the section");
    let rows = table
        .lines()
        .skip_while(|line| !line.starts_with("| logical"))
        .take_while(|line| line.starts_with('|'));
    let cells = |row: &str| {
        row.trim_matches('|')
            .split('|')
            .map(|cell| cell.trim().to_owned())
            .collect::<Vec<_>>()
    };
    let mut rows = rows.map(cells);
    let head = rows.next().expect("a head");
    let mut asked = 0;
    for row in rows.skip(1).filter(|row| !row[0].starts_with("**")) {
        let name = row[0].split(' ').next().expect("a name");
        let told = lines(&stdout(&["explain", "--json", name], b"", 0)).remove(0);
        let mut theirs = Vec::new();
        for (dialect, cell) in head.iter().zip(&row).skip(1) {
            if let Ok(number) = cell.split(' ').next().unwrap_or_default().parse::<u64>() {
                theirs.push((dialect.trim_matches('`').to_owned(), number));
            }
        }
        let mut ours: Vec<_> = { told["dialects"].as_array().expect("a list").iter() }
            .map(|one| {
                (
                    one["dialect"].as_str().expect("a name").to_owned(),
                    one["number"].as_u64().expect("a number"),
                )
            })
            .collect();
        theirs.sort();
        ours.sort();
        assert_eq!(ours, theirs, "{name}");
        // The layout is that of a value that can be read.
        assert!(
            !stdout(&["explain", name], b"", 0).contains("unread"),
            "{name}"
        );
        // Bytes of a sample.
        assert!(
            stdout(&["explain", name], b"", 0).contains("\n0000  "),
            "{name}"
        );
        asked += 1;
    }
    assert_eq!(asked, 46);
}

#[test]
fn types_are_found_by_any_name() {
    for (name, found) in [
        ("quat", "Quaternion"),
        ("PoolIntArray", "PackedInt32Array"),
        ("vector2", "Vector2"),
        ("INT", "Int"),
    ] {
        let told = lines(&stdout(&["explain", "--json", name], b"", 0)).remove(0);
        assert_eq!(told["type"], found);
    }
    assert!(stderr(&["explain", "Vectro2"], b"", 2).contains("Vector2"));
    let twenty_seven = stdout(&["explain", "27"], b"", 0);
    assert!(twenty_seven.contains("Dictionary") && twenty_seven.contains("no type"));
}

/// The bytes in each table add up to the size of the file, and `info`, which counts by other code,
/// finds the same numbers of values.
#[test]
fn stats_add_up() {
    let folder = save("");
    let mut weighed = 0;
    for entry in fs::read_dir(folder).expect("the saves") {
        let path = entry.expect("an entry").path();
        let name = path.to_string_lossy().into_owned();
        let is_plain = [".sav", ".dat", ".cfg", ".rec", ".chunk"];
        if !is_plain.iter().any(|end| name.ends_with(end)) {
            continue;
        }
        let len = fs::metadata(&path).expect("a file").len();
        let told = lines(&stdout(&["stats", "--json", &name], b"", 0)).remove(0);
        let info = gdvar(&["info", "--json", &name], b"").stdout;
        let info: Value = serde_json::from_slice(&info).expect("JSON");
        assert_eq!(told["bytes"], len, "{name}");
        assert_eq!(told["records"], info["records"], "{name}");
        let number = |value: &Value| value.as_u64().expect("a number");
        let parts = told["parts"].as_object().expect("parts");
        assert_eq!(parts.values().map(number).sum::<u64>(), len, "{name}");
        let outside: u64 = ["around_records", "skipped", "after_values", "unread"]
            .iter()
            .map(|part| number(&parts[*part]))
            .sum();
        assert_eq!(
            number(&parts["around_records"]),
            4 * number(&told["records"]),
            "{name}"
        );
        let types = told["types"].as_array().expect("types");
        assert_eq!(
            types.iter().map(|one| number(&one["bytes"])).sum::<u64>() + outside + names(&told),
            len,
            "{name}"
        );
        for one in types {
            let kind = one["type"].as_str().expect("a name");
            assert_eq!(one["values"], info["types"][kind], "{name} {kind}");
        }
        assert_eq!(told["paths"][0]["path"], "$");
        assert_eq!(number(&told["paths"][0]["bytes"]), len - outside, "{name}");
        weighed += 1;
    }
    assert!(weighed >= 14, "{weighed}");
}

/// The bytes that belong to no value: the names of properties of objects.
fn names(told: &Value) -> u64 {
    let number = |value: &Value| value.as_u64().expect("a number");
    let types = told["types"].as_array().expect("types").iter();
    let values: u64 = types.map(|one| number(&one["bytes"])).sum();
    let parts = told["parts"].as_object().expect("parts");
    let outside = ["around_records", "skipped", "after_values", "unread"];
    let parts = parts
        .iter()
        .filter(|(name, _)| !outside.contains(&name.as_str()));
    let all: u64 = parts.map(|(_, bytes)| number(bytes)).sum();
    // None but in files with objects.
    let has_objects = told["types"]
        .as_array()
        .expect("types")
        .iter()
        .any(|one| one["type"] == "Object");
    assert!(has_objects || all == values, "{told}");
    all - values
}

/// The bytes that a packed array would save are those that it saves, and texts cost their own.
#[test]
fn stats_foretell_sizes() {
    let made = |text: &str| {
        let output = gdvar(&["from-text", "-", "--framing", "bare"], text.as_bytes());
        assert_eq!(output.status.code(), Some(0), "{text}");
        output.stdout
    };
    for (array, packed) in [
        ("[1, 2, 3, -4]", "PackedInt32Array(1, 2, 3, -4)"),
        ("[1, 4294967296]", "PackedInt64Array(1, 4294967296)"),
        ("[0.5, 0.25, 8.0]", "PackedFloat32Array(0.5, 0.25, 8)"),
        ("[0.1, 0.25]", "PackedFloat64Array(0.1, 0.25)"),
        (
            "[\"a\", \"four\", \"sword\"]",
            "PackedStringArray(\"a\", \"four\", \"sword\")",
        ),
        (
            "[Vector3(1, 2, 3), Vector3(4, 5, 6)]",
            "PackedVector3Array(1, 2, 3, 4, 5, 6)",
        ),
        (
            "[Color(1, 0, 0, 1), Color(0, 0, 0, 1)]",
            "PackedColorArray(1, 0, 0, 1, 0, 0, 0, 1)",
        ),
    ] {
        let (array, packed) = (made(array), made(packed));
        let told = lines(&stdout(
            &["stats", "--json", "-d", "4", "-f", "bare", "-"],
            &array,
            0,
        ))
        .remove(0);
        let row = &told["packed"][0];
        let number = |name: &str| row[name].as_u64().expect("a number") as usize;
        assert_eq!(
            number("bytes") - number("packed_bytes"),
            array.len() - packed.len(),
            "{told}"
        );
    }
    for text in [
        "[1, \"a\"]",
        "[1]",
        "[[1], [2]]",
        "{\"a\": 1, \"b\": 2}",
        "[true, true]",
        "[&\"a\", &\"b\"]",
    ] {
        let told = lines(&stdout(
            &["stats", "--json", "-d", "4", "-f", "bare", "-"],
            &made(text),
            0,
        ))
        .remove(0);
        assert_eq!(told["packed"].as_array().map(Vec::len), Some(0), "{text}");
    }
    let told = made("[\"sword\", {\"sword\": \"sword\"}, \"axe\"]");
    let told = lines(&stdout(
        &["stats", "--json", "-d", "4", "-f", "bare", "-"],
        &told,
        0,
    ))
    .remove(0);
    assert_eq!(
        told["repeated"],
        serde_json::json!([{"text": "sword", "count": 3, "bytes": 32}])
    );
}
