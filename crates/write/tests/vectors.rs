//! Values that the engines wrote are written again: every canonical vector gives the same bytes.
#![cfg(feature = "std")]

mod driver;

use std::{fs, path::Path};

use driver::{unhex, write};
use gdvar_write::{IoSink, Measure, Precision, SliceSink, Target, WriteErrorKind, Writer};
use serde_json::Value;

struct Line {
    id: String,
    bytes: Vec<u8>,
    value: Value,
}

/// Returns the canonical lines of a file, with their padding zeroed.
fn canonical(file: &str) -> Vec<Line> {
    let path = Path::new(env!("CARGO_MANIFEST_DIR"))
        .join("../../testdata/vectors")
        .join(file);
    let mut lines = Vec::new();
    for line in fs::read_to_string(path).unwrap().lines() {
        let mut line: Value = serde_json::from_str(line).unwrap();
        if line["canonical"] != true {
            continue;
        }
        let mut bytes = unhex(line["hex"].as_str().unwrap());
        for at in line["dirty"].as_array().into_iter().flatten() {
            bytes[at.as_u64().unwrap() as usize] = 0;
        }
        lines.push(Line {
            id: line["id"].as_str().unwrap().to_owned(),
            bytes,
            value: line["value"].take(),
        });
    }
    lines
}

/// Writes every line to every kind of sink. `refused` are lines that the writer must refuse.
fn check(file: &str, target: Target, expected: usize, refused: &[&str]) {
    let lines = canonical(file);
    let mut equal = 0;
    for Line { id, bytes, value } in &lines {
        let mut writer = Writer::new(Vec::new(), target);
        let done = write(&mut writer, value);
        if refused.contains(&id.as_str()) {
            let error = done.unwrap_err();
            match error.kind() {
                WriteErrorKind::InvalidText { .. } => assert!(id.starts_with("string/"), "{id}"),
                WriteErrorKind::DepthExceeded { limit: 1024 } => assert!(id.starts_with("depth/")),
                other => panic!("{id}: {other}"),
            }
            continue;
        }
        done.unwrap_or_else(|error| panic!("{file} {id}: {error}"));
        assert_eq!(writer.position(), bytes.len() as u64, "{file} {id}");
        let written = writer.finish().unwrap();
        assert!(
            written == *bytes,
            "{file} {id}:\n{written:02x?}\n{bytes:02x?}"
        );

        let mut writer = Writer::new(Measure::new(), target);
        write(&mut writer, value).unwrap();
        assert_eq!(writer.finish().unwrap().len(), bytes.len() as u64, "{id}");

        let mut buffer = vec![0xaa; bytes.len()];
        let mut writer = Writer::new(SliceSink::new(&mut buffer), target);
        write(&mut writer, value).unwrap();
        assert_eq!(writer.finish().unwrap().into_written(), bytes, "{id}");

        let mut writer = Writer::new(IoSink::new(Vec::new()), target);
        write(&mut writer, value).unwrap();
        assert_eq!(
            writer.finish().unwrap().into_inner().unwrap(),
            *bytes,
            "{id}"
        );
        equal += 1;
    }
    assert_eq!(equal + refused.len(), lines.len());
    assert_eq!(equal, expected, "lines of {file}");
}

#[test]
fn godot_4() {
    check("godot4.jsonl", Target::GODOT_4, 830, &[]);
}

#[test]
fn godot_4_with_doubles() {
    let target = Target::GODOT_4.with_precision(Precision::Double);
    check("godot4-double.jsonl", target, 124, &[]);
}

/// This engine has no depth limit; ours is 1024 in every dialect.
#[test]
fn godot_3() {
    let refused = [
        "depth/array-1025",
        "depth/array-2000",
        "depth/dictionary-2000",
        "depth/mixed-2000",
    ];
    check("godot3.jsonl", Target::GODOT_3, 516, &refused);
}

/// This engine writes surrogates that it refuses to read; we refuse them too.
#[test]
fn pandemonium_5() {
    let refused = ["string/surrogate-high", "string/surrogate-pair"];
    check("pandemonium5.jsonl", Target::PANDEMONIUM_5, 327, &refused);
}

/// A buffer that is too short by any number of bytes is noticed.
#[test]
fn every_short_buffer_is_noticed() {
    for line in canonical("godot4.jsonl") {
        if line.bytes.len() > 400 {
            continue;
        }
        for len in 0..line.bytes.len() {
            let mut buffer = vec![0; len];
            let mut writer = Writer::new(SliceSink::new(&mut buffer), Target::GODOT_4);
            let error = write(&mut writer, &line.value).unwrap_err();
            assert!(error.is_fatal());
            let WriteErrorKind::Sink(full) = error.kind() else {
                panic!("{}: {error}", line.id)
            };
            assert!(
                full.needed > len && full.needed <= line.bytes.len(),
                "{}",
                line.id
            );
            let error = writer.finish().unwrap_err();
            assert_eq!(*error.kind(), WriteErrorKind::Broken, "{}", line.id);
        }
    }
}

/// The 64-bit forms are those of the double build; a single-precision target narrows them.
#[test]
fn doubles_narrow_for_a_single_precision_target() {
    let mut seen = 0;
    for line in canonical("godot4-double.jsonl") {
        let mut wide = Writer::new(
            Measure::new(),
            Target::GODOT_4.with_precision(Precision::Double),
        );
        let mut narrow = Writer::new(
            Measure::new(),
            Target::GODOT_4.with_precision(Precision::Single),
        );
        write(&mut wide, &line.value).unwrap();
        write(&mut narrow, &line.value).unwrap();
        let (wide, narrow) = (wide.finish().unwrap().len(), narrow.finish().unwrap().len());
        assert!(narrow <= wide);
        seen += usize::from(narrow < wide);
    }
    assert!(seen > 80, "{seen}");
}
