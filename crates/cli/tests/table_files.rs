//! `table` leaves every file alone that it did not write itself, and tells what a damaged log hides.

mod common;

use std::{
    fs,
    path::{Path, PathBuf},
};

use common::{gdvar, path, stderr};

/// `{"gold": N}` of Godot 4, with or without its length in front.
fn gold(number: i32, framed: bool) -> Vec<u8> {
    let mut value = b"\x1b\0\0\0\x01\0\0\0\x04\0\0\0\x04\0\0\0gold\x02\0\0\0".to_vec();
    value.extend(number.to_le_bytes());
    let len = (value.len() as u32).to_le_bytes();
    match framed {
        true => [&len[..], &value].concat(),
        false => value,
    }
}

/// A folder with a save and an empty folder for parts.
fn folder() -> (tempfile::TempDir, PathBuf, PathBuf) {
    let folder = tempfile::tempdir().expect("a folder");
    let save = folder.path().join("s.sav");
    fs::write(&save, gold(7, true)).expect("space");
    let parts = folder.path().join("parts");
    fs::create_dir(&parts).expect("a folder");
    (folder, save, parts)
}

/// Runs `table` with the folder for parts, and returns the messages.
#[track_caller]
fn run(inputs: &[&Path], parts: &Path, more: &[&str], code: i32) -> String {
    let inputs = inputs.iter().map(|input| path(input));
    let fixed = ["--columns", "gold", "--format", "csv", "--out", path(parts)];
    let args = ["table"].into_iter().chain(inputs).chain(fixed);
    let args: Vec<&str> = args.chain(more.iter().copied()).collect();
    stderr(&args, b"", code)
}

/// Returns the names and the bytes of all files below a folder, in order.
fn contents(folder: &Path) -> Vec<(PathBuf, Vec<u8>)> {
    let mut all = Vec::new();
    for entry in fs::read_dir(folder).expect("a folder").flatten() {
        match entry.path().is_dir() {
            true => all.extend(contents(&entry.path())),
            false => all.push((entry.path(), fs::read(entry.path()).expect("a file"))),
        }
    }
    all.sort();
    all
}

#[test]
fn files_that_no_run_wrote_are_left_alone() {
    // A file where a part would be, and a table.json of the user's, are refused before anything is touched.
    let others: [(&str, &[u8]); 4] = [
        ("part-00000.csv", b"mine"),
        ("table.json", b"{}"),
        ("table.json", b"[1, 2]"),
        (
            "table.json",
            b"{\"schema\": 1, \"columns\": [], \"mine\": true}",
        ),
    ];
    for (name, bytes) in others {
        for more in [&[][..], &["--resume"]] {
            let (_folder, save, parts) = folder();
            fs::write(parts.join(name), bytes).expect("space");
            fs::write(parts.join("part-1.sav"), b"mine too").expect("space");
            let before = contents(&parts);
            let told = run(&[&save], &parts, more, 2);
            assert!(
                told.contains(name) && told.contains("name a new folder"),
                "{told}"
            );
            assert_eq!(contents(&parts), before);
        }
    }
    // What only looks like a part stays, in the first run and in later ones.
    let (_folder, save, parts) = folder();
    let names = [
        "part-one.csv",
        "part-1.csv",
        "part-00001.csv",
        "part-00000.sav",
        "part-old/x",
    ];
    fs::create_dir(parts.join("part-old")).expect("a folder");
    for name in names {
        fs::write(parts.join(name), b"mine").expect("space");
    }
    for more in [&[][..], &[], &["--resume"]] {
        run(&[&save], &parts, more, 0);
        for name in names {
            assert_eq!(
                fs::read(parts.join(name)).expect("a file"),
                b"mine",
                "{name}"
            );
        }
        let part = fs::read_to_string(parts.join("part-00000.csv")).expect("a part");
        assert!(part.ends_with(",0,7,\n"), "{part}");
    }
}

#[test]
fn a_later_run_replaces_the_parts_of_an_earlier_one_only() {
    let (_folder, save, parts) = folder();
    run(&[&save], &parts, &[], 0);
    let args = [
        "table",
        path(&save),
        "--columns",
        "gold",
        "--out",
        path(&parts),
        "--format",
        "tsv",
    ];
    stderr(&args, b"", 0);
    assert!(!parts.join("part-00000.csv").exists() && parts.join("part-00000.tsv").exists());
    // A folder where a part should be is told, and nothing is touched.
    fs::remove_file(parts.join("part-00000.tsv")).expect("a part");
    fs::create_dir(parts.join("part-00000.tsv")).expect("a folder");
    let before = contents(&parts);
    assert!(stderr(&args, b"", 2).contains("part-00000.tsv"));
    assert_eq!(contents(&parts), before);
}

#[test]
fn inputs_are_never_replaced() {
    let (folder, save, parts) = folder();
    run(&[&save], &parts, &[], 0);
    let part = parts.join("part-00000.csv");
    // A save under the name of a part, by its own name, in its folder and by a link.
    fs::write(&part, gold(7, true)).expect("space");
    let before = contents(&parts);
    let link = folder.path().join("link.sav");
    fs::hard_link(&part, &link).expect("a link");
    for input in [&part, &parts, &link] {
        let told = run(&[input], &parts, &[], 2);
        assert!(told.contains("would be replaced"), "{told}");
        assert_eq!(contents(&parts), before);
    }
    let save_bytes = fs::read(&save).expect("a save");
    let args = [
        "table",
        path(&save),
        "--columns",
        "gold",
        "--format",
        "csv",
        "-o",
        path(&save),
    ];
    let told = stderr(&args, b"", 2);
    assert!(told.contains("would be replaced"), "{told}");
    assert_eq!(fs::read(&save).expect("a save"), save_bytes);
}

#[test]
fn parts_that_were_made_with_other_options_are_not_continued() {
    let (_folder, save, parts) = folder();
    run(&[&save], &parts, &[], 0);
    for more in [
        &["--no-origin"][..],
        &["-d", "godot4"],
        &["-f", "len32"],
        &["--objects", "deny"],
        &["--strict"],
    ] {
        let told = run(&[&save], &parts, &[more, &["--resume"]].concat(), 2);
        assert!(told.contains("other options"), "{told}");
    }
    assert!(run(&[&save], &parts, &["--resume"], 0).contains("1 complete parts"));
}

#[test]
fn a_record_whose_length_hides_the_rest_of_a_log_is_told_by_every_verb() {
    let folder = tempfile::tempdir().expect("a folder");
    let log = folder.path().join("hidden.log");
    let mut records: Vec<Vec<u8>> = (0..6).map(|n| gold(n, true)).collect();
    records[2][..4].copy_from_slice(&1_000_000_u32.to_le_bytes());
    fs::write(&log, records.concat()).expect("space");
    let log = path(&log);
    let base = ["-d", "godot4", "-f", "len32"];
    let verbs: [&[&str]; 9] = [
        &["get", log, "-p", "gold"],
        &["get", log, "-p", "nowhere", "-p", "gold"],
        &["get", log, "--record", "2", "gold"],
        &["get", log, "--record", "2", "nowhere", "--default", "0"],
        &["get", log, "-p", "gold", "--json-lines"],
        &["grep", "gold", log],
        &["query", ".gold", log],
        &["query", "--at", "gold", ".", log],
        &["json", log],
    ];
    for verb in verbs {
        let told = stderr(&[&base, verb].concat(), b"", 3);
        assert_eq!(
            told.matches("the record is cut off").count(),
            1,
            "{verb:?}: {told}"
        );
    }
    for more in [&[][..], &["--format", "json-lines"]] {
        let args = [&base, &["table", log, "--columns", "gold"], more].concat();
        let output = gdvar(&args, b"");
        let text = String::from_utf8_lossy(&output.stdout).into_owned();
        assert_eq!(output.status.code(), Some(3), "{text}");
        let last = text.lines().last().unwrap_or_default();
        assert!(last.contains("its length says 1000000 bytes"), "{last}");
    }
}

#[test]
fn empty_lists_are_values_and_what_no_column_holds_is_told() {
    let folder = tempfile::tempdir().expect("a folder");
    let log = folder.path().join("lists.log");
    // {"l": [], "d": {}}
    let value = b"\x1b\0\0\0\x02\0\0\0\x04\0\0\0\x01\0\0\0l\0\0\0\x1c\0\0\0\0\0\0\0\
                  \x04\0\0\0\x01\0\0\0d\0\0\0\x1b\0\0\0\0\0\0\0";
    let record = [&(value.len() as u32).to_le_bytes()[..], value].concat();
    fs::write(&log, record.repeat(3)).expect("space");
    let base = [
        "-d",
        "godot4",
        "-f",
        "len32",
        "table",
        path(&log),
        "--no-origin",
    ];
    let output = gdvar(&[&base[..], &["--columns", "l"]].concat(), b"");
    assert_eq!(
        String::from_utf8_lossy(&output.stdout),
        "l,error\n[],\n[],\n[],\n"
    );
    let told = stderr(&[&base[..], &["--columns", "d"]].concat(), b"", 0);
    assert!(
        told.contains("Dictionary in 3 rows") && !told.contains("no such value"),
        "{told}"
    );
}
