//! Resources that engines made, with other values.

use std::{fs, path::PathBuf};

use gdvar_resource::{ErrorKind, Limits, Resource};

fn files(engine: &str) -> Vec<(String, Vec<u8>)> {
    let here = PathBuf::from(env!("CARGO_MANIFEST_DIR"));
    let folder = here.join("../../testdata/resources").join(engine);
    let paths = fs::read_dir(folder).expect("a folder");
    let paths = paths.map(|entry| entry.expect("a file").path());
    let paths = paths.filter(|path| path.extension().is_some_and(|end| end != "jsonl"));
    let named = paths.map(|path| {
        let name = path.file_name().expect("a name").to_string_lossy();
        (name.into_owned(), fs::read(&path).expect("a file"))
    });
    named.collect()
}

fn open(file: &[u8]) -> Resource<'_> {
    Resource::open(file, Limits::FILE).expect("a resource")
}

fn encode(file: &[u8]) -> Vec<u8> {
    open(file).encode(Limits::FILE).expect("a value")
}

fn find(bytes: &[u8], part: &[u8]) -> usize {
    let mut windows = bytes.windows(part.len());
    windows.position(|window| window == part).expect("the part")
}

#[test]
fn without_a_change_every_byte_stays() {
    let mut count = 0;
    for engine in ["godot4", "godot3", "godot3.2"] {
        for (name, file) in files(engine) {
            let resource = open(&file);
            let written = resource.rewrite(&encode(&file), Limits::FILE);
            let written = written.expect("the same resource");
            match resource.mode() {
                None => assert!(written == file, "{engine}/{name}"),
                Some(_) => assert!(
                    open(&written).contents() == resource.contents(),
                    "{engine}/{name}"
                ),
            }
            count += 1;
        }
    }
    assert!(count >= 165, "{count}");
}

#[test]
fn an_int_is_changed_in_place() {
    for engine in ["godot4", "godot3", "godot3.2"] {
        let (_, file) = files(engine)
            .into_iter()
            .find(|(name, _)| name == "tiny.res")
            .expect("tiny.res");
        let mut value = encode(&file);
        // The int 7 in the value, and in the file.
        let at = find(&value, &[2, 0, 0, 0, 7, 0, 0, 0]);
        value[at + 4] = 99;
        let written = open(&file).rewrite(&value, Limits::FILE).expect("written");
        let mut expected = file.clone();
        let at = find(&file, &[3, 0, 0, 0, 7, 0, 0, 0]);
        expected[at + 4] = 99;
        assert_eq!(written, expected, "{engine}");
        assert_eq!(encode(&written), value, "{engine}");
    }
}

#[test]
fn a_longer_text_moves_what_follows() {
    for engine in ["godot4", "godot3"] {
        let (_, file) = files(engine)
            .into_iter()
            .find(|(name, _)| name == "tiny.res")
            .expect("tiny.res");
        let value = encode(&file);
        let at = find(&value, b"\x04\0\0\0\x02\0\0\0hi\0\0");
        let mut longer = value.clone();
        longer.splice(at + 4..at + 12, *b"\x08\0\0\0a longer");
        let written = open(&file).rewrite(&longer, Limits::FILE).expect("written");
        assert_eq!(encode(&written), longer, "{engine}");
        assert_eq!(written.len(), file.len() + 6);
        let back = open(&written).rewrite(&value, Limits::FILE);
        assert_eq!(back.expect("written"), file);
    }
}

#[test]
fn another_property_is_refused() {
    let (_, file) = files("godot4")
        .into_iter()
        .find(|(name, _)| name == "tiny.res")
        .expect("tiny.res");
    let mut value = encode(&file);
    let at = find(&value, b"metadata/n");
    value[at + 9] = b'm';
    let error = open(&file).rewrite(&value, Limits::FILE).unwrap_err();
    assert_eq!(error.kind(), ErrorKind::OtherShape);
    let error = open(&file).rewrite(b"", Limits::FILE).unwrap_err();
    assert_eq!(error.kind(), ErrorKind::OtherShape);
}
