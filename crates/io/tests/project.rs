//! `project.binary`, byte for byte as `docs/FORMAT.md` §7.2 has it.

use gdvar_io::{
    Envelope, ErrorKind,
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
    let options = ReadOptions::new(Dialect::GODOT_4).objects(Objects::Inert);
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
    assert_eq!((error.offset(), error.kind()), (12, ErrorKind::BadName));
    assert_eq!(project.count(), 2);
}

#[test]
fn the_writer_makes_the_same_file() {
    let mut writer = ProjectWriter::new(Target::GODOT_4);
    writer
        .setting("_custom_features", |value| value.string("demo"))
        .expect("a text");
    writer.setting_bytes("a/bad", b"\x63\0\0\0");
    // Half a value leaves nothing behind.
    let half = writer.setting("a/half", |value| value.begin_array(1));
    assert!(half.is_err());
    writer
        .setting("a/n", |value| value.int(5))
        .expect("a number");
    assert_eq!(writer.finish(), FILE);
}
