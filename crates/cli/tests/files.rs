//! Small files of every type, by three engines: all commands give the engine's verdict. The tables in
//! files.md are made here.

mod common;

use std::{collections::BTreeMap, fs, path::PathBuf, thread};

use common::gdvar;
use gdvar_conformance::vectors::{ENGINES, plain_saves, testdata, unhex, vectors};
use gdvar_view::{Choice, Detection, Detector, Dialect, PrefixOrder, frames};
use serde_json::Value;

/// A line of `testdata/files`.
struct Row {
    engine: String,
    dialect: &'static str,
    kind: String,
    shape: String,
    bytes: Vec<u8>,
    accepted: bool,
}

fn rows() -> Vec<Row> {
    let mut all = Vec::new();
    for (file, dialect) in [
        ("godot4.jsonl", "godot4"),
        ("godot3.2.jsonl", "godot3"),
        ("godot3.6.jsonl", "godot3"),
    ] {
        let text = fs::read_to_string(testdata("files").join(file)).expect("the files");
        all.extend(text.lines().map(|line| {
            let line: Value = serde_json::from_str(line).expect("JSON");
            let text = |name: &str| line[name].as_str().expect("text").to_owned();
            Row {
                engine: text("engine"),
                dialect,
                kind: text("type"),
                shape: text("shape"),
                bytes: unhex(&text("hex")),
                accepted: line["accepted"] == true,
            }
        }));
    }
    assert_eq!(
        all.len(),
        39 * 12 + 2 * 27 * 12,
        "every type, three forms, four shapes"
    );
    all
}

/// The commands that must all end with the same exit code for the same file.
const COMMANDS: [&[&str]; 5] = [
    &["info"],
    &["info", "--json"],
    &["check"],
    &["check", "--json"],
    &["view"],
];

fn exit(args: &[&str], row: &Row) -> i32 {
    let args = [args, &["-"]].concat();
    gdvar(&args, &row.bytes)
        .status
        .code()
        .expect("an exit code")
}

/// The expected exit code of a file: read with nothing lost, read with losses, or refused.
fn expected(row: &Row) -> i32 {
    let loses = matches!(&row.kind[..], "Callable" | "Object");
    match (row.accepted, row.shape == "padded" || loses) {
        (true, false) => 0,
        (true, true) => 1,
        (false, _) => 3,
    }
}

/// Returns `true` for a file that is cut off but that Godot 3.2 accepts: it reads unset memory in
/// place of the missing bytes.
fn is_made_up(row: &Row) -> bool {
    row.engine == "3.2.3" && row.shape == "cut" && row.accepted
}

/// The exit code of all commands for a file: first with dialect and framing given, then with both
/// detected.
fn judge(row: &Row) -> (i32, i32) {
    let framing = if row.shape == "bare" { "bare" } else { "len32" };
    let given = ["-d", row.dialect, "-f", framing];
    let what = format!(
        "{} {} {} {:02x?}",
        row.engine, row.kind, row.shape, row.bytes
    );
    let all = |more: &[&str]| {
        let codes = COMMANDS.map(|command| exit(&[command, more].concat(), row));
        assert!(
            codes.iter().all(|code| *code == codes[0]),
            "{what}: {more:?} {codes:?}"
        );
        codes[0]
    };
    let (told, found) = (all(&given), all(&[]));
    let expected = if is_made_up(row) { 3 } else { expected(row) };
    assert_eq!(told, expected, "{what}");
    assert!(found == expected || found == 4, "{what}: {found}");
    if found < 2 {
        let line = gdvar(&["info", "--json", "-"], &row.bytes).stdout;
        let line: Value = serde_json::from_slice(&line).expect("JSON");
        let also = line["also"].as_array().expect("a list");
        let own = line["dialect"] == row.dialect || also.iter().any(|one| *one == row.dialect);
        assert!(own, "{what}: {line}");
    }
    (told, found)
}

/// Fails unless the part of files.md under this heading is `table`. With `UPDATE_DOCS` set, it writes
/// `table` there instead.
fn documented(heading: &str, table: &str) {
    let path = PathBuf::from(env!("CARGO_MANIFEST_DIR")).join("tests/files.md");
    let text = fs::read_to_string(&path).expect("the document");
    let (before, rest) = text
        .split_once(&format!("<!-- {heading} -->\n"))
        .expect("the table");
    let (old, after) = rest.split_once("<!-- end -->").expect("its end");
    if std::env::var_os("UPDATE_DOCS").is_some() {
        let text = format!("{before}<!-- {heading} -->\n{table}<!-- end -->{after}");
        fs::write(&path, text).expect("written");
    } else {
        assert_eq!(old, table);
    }
}

#[test]
fn every_command_gives_the_engines_verdict() {
    let rows = rows();
    let half = rows.len() / 2;
    let codes: Vec<(i32, i32)> = thread::scope(|scope| {
        let parts = [&rows[..half], &rows[half..]];
        let parts = parts.map(|part| scope.spawn(|| part.iter().map(judge).collect::<Vec<_>>()));
        let parts = parts.map(|part| part.join().expect("no panic"));
        parts.concat()
    });
    let mut counts: BTreeMap<(String, String), [u32; 7]> = BTreeMap::new();
    for (row, (told, found)) in rows.iter().zip(codes) {
        let count = counts
            .entry((row.engine.clone(), row.shape.clone()))
            .or_default();
        count[0] += 1;
        count[1] += u32::from(row.accepted);
        match told {
            0 => count[2] += 1,
            1 => count[3] += 1,
            _ => count[4] += 1,
        }
        count[5] += u32::from(found == 4);
        count[6] += u32::from(is_made_up(row));
    }
    let mut table = String::from(
        "| engine | files | number | the engine reads | exit 0 | exit 1 | exit 3 | undecided without `-d` and `-f` (exit 4) | made up by the engine |\n\
         |---|---|---:|---:|---:|---:|---:|---:|---:|\n",
    );
    for ((engine, shape), count) in counts {
        let count: Vec<_> = count.iter().map(u32::to_string).collect();
        table += &format!("| {engine} | {shape} | {} |\n", count.join(" | "));
    }
    documented("files", &table);
}

/// Counts how the values of one engine were detected: all of them, then those found to be of the
/// right engine, those left open, and those taken for another engine's.
#[derive(Default)]
struct Tally([u32; 4]);

impl Tally {
    fn add(&mut self, dialect: Dialect, found: &Detection) {
        let same = found.same().any(|own| own == dialect);
        let column = match found.choice() {
            Choice::Ambiguous => 2,
            Choice::Same(_) | Choice::Furthest(_) if same => 1,
            Choice::Certain(own) | Choice::Likely(own) if own == dialect => 1,
            _ => 3,
        };
        self.0[0] += 1;
        self.0[column] += 1;
    }

    fn row(&self, what: &str) -> String {
        let [all, right, refused, wrong] = self.0;
        assert_eq!(wrong, 0, "{what}");
        assert!(refused * 20 < all, "{what}: {refused} of {all}");
        format!("| {what} | {all} | {right} | {refused} | {wrong} |\n")
    }
}

#[test]
fn few_values_are_refused_and_none_is_another_engines() {
    let mut table = String::from(
        "| records | number | read by their engine | refused as ambiguous | read by another |\n\
         |---|---:|---:|---:|---:|\n",
    );
    for engine in ENGINES {
        if !Detector::AUTO.contains(&engine.dialect) {
            continue;
        }
        let mut tally = Tally::default();
        for vector in vectors(engine) {
            let mut detector = Detector::new(&Detector::AUTO);
            detector.add(&vector.bytes);
            tally.add(engine.dialect, &detector.finish());
        }
        table += &tally.row(&format!("vectors of {}, each alone", engine.name));
    }
    let mut tally = Tally::default();
    for save in plain_saves() {
        let mut detector = Detector::new(&Detector::AUTO);
        for frame in frames(&save.bytes, PrefixOrder::Little).flatten() {
            detector.add(frame.bytes);
        }
        tally.add(save.dialect, &detector.finish());
    }
    table += &tally.row("saves");
    documented("detection", &table);
}
