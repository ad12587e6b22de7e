//! `project.binary`, byte for byte as in `docs/FORMAT.md` §7.2.

mod common;

use std::{collections::BTreeMap, fs};

use common::{rewritten, testdata};
use gdvar_io::{
    Envelope, FileErrorKind,
    project::{Project, ProjectWriter},
    sniff,
};
use gdvar_view::{Dialect, Objects, ReadOptions};
use gdvar_write::Target;

const FILE: &[u8] = b"ECFG\x03\0\0\0\
\x10\0\0\0_custom_features\x0c\0\0\0\x04\0\0\0\x04\0\0\0demo\
\x05\0\0\0a/bad\x04\0\0\0\x63\0\0\0\
\x03\0\0\0a/n\x08\0\0\0\x02\0\0\0\x05\0\0\0";

#[test]
fn a_bad_value_is_skipped_and_the_rest_is_read() {
    assert_eq!(sniff(FILE), Envelope::Project);
    let options = ReadOptions::new(Dialect::GODOT_4).with_objects(Objects::Inert);
    let project = Project::open(FILE).expect("a header");
    assert_eq!(project.left(), 3);
    let mut good = Vec::new();
    let mut bad = Vec::new();
    for entry in project {
        let entry = entry.expect("an entry");
        assert_eq!(&FILE[entry.offset..][..entry.bytes.len()], entry.bytes);
        match entry.value(options) {
            Ok(value) => good.push((entry.key, value.as_i64())),
            Err(_) => bad.push(entry.key),
        }
    }
    assert_eq!(good, [("_custom_features", None), ("a/n", Some(5))]);
    assert_eq!(bad, ["a/bad"]);
}

#[test]
fn a_name_that_is_no_text_is_an_error_and_not_the_end() {
    let mut file = FILE.to_vec();
    file[12] = 0xff;
    let mut project = Project::open(&file).expect("a header");
    let error = project.try_next().expect_err("no text");
    assert_eq!((error.offset(), error.kind()), (12, FileErrorKind::BadName));
    assert_eq!(project.count(), 2);
}

#[test]
fn the_writer_makes_the_same_file() {
    let mut writer = ProjectWriter::new(Target::GODOT_4);
    writer
        .setting("_custom_features", |value| value.string("demo"))
        .expect("a text");
    writer.setting_bytes("a/bad", b"\x63\0\0\0");
    // A value that fails halfway leaves nothing in the file.
    let half = writer.setting("a/half", |value| value.begin_array(1));
    assert!(half.is_err());
    writer
        .setting("a/n", |value| value.int(5))
        .expect("a number");
    assert_eq!(writer.finish(), FILE);
}

/// Files of the real engines: `testdata/projects/README.md`.
#[test]
fn files_of_the_engines_have_their_settings() {
    for (name, dialect, own) in [
        ("godot4", Dialect::GODOT_4, 80),
        ("godot3", Dialect::GODOT_3, 50),
    ] {
        let folder = testdata("projects");
        let file = fs::read(folder.join(format!("{name}.binary"))).expect("a file");
        let told = fs::read_to_string(folder.join(format!("{name}.settings"))).expect("a text");
        let mut told: BTreeMap<_, _> = told.lines().filter_map(|l| l.split_once(' ')).collect();
        assert_eq!(told.len(), own);
        let options = ReadOptions::new(dialect).with_objects(Objects::Inert);
        let mut count = 0;
        for entry in Project::open(&file).expect("a header") {
            let entry = entry.expect("an entry");
            let value = entry.value(options).expect(entry.key);
            count += 1;
            let Some(hex) = told.remove(entry.key) else {
                // The engine wrote this one.
                assert!(!entry.key.starts_with("gdvar/"), "{}", entry.key);
                continue;
            };
            assert_eq!(
                rewritten(entry.bytes, dialect),
                rewritten(&unhex(hex), dialect)
            );
            assert_eq!(value.end(), Ok(entry.bytes.len()), "{}", entry.key);
        }
        assert!(told.is_empty(), "{told:?}");
        assert!(count > own);
    }
}

fn unhex(hex: &str) -> Vec<u8> {
    let byte = |at| u8::from_str_radix(&hex[at..at + 2], 16).expect("hex digits");
    (0..hex.len()).step_by(2).map(byte).collect()
}
