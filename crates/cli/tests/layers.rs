//! Saves in the layers that games put around them by hand (`testdata/layers`, made by Godot 4.6.3 and 3.6.2), through
//! the command: every layer is taken off, and every edit puts all of them back.

mod common;

use std::{collections::HashMap, fs, path::Path};

use common::{gdvar, stderr, stdout};
use gdvar_conformance::{
    layered::{Layered, layered},
    vectors::testdata,
};
use gdvar_file::{Hints, Layer, Peeled};
use gdvar_io::encrypted::Key;
use serde_json::Value;

/// The layers that the command sees, the outermost first.
fn layers(file: &str) -> Vec<String> {
    let output = gdvar(&["info", "--json", "--password", "secret", file], b"");
    let first = output.stdout.split(|&byte| byte == b'\n').next();
    let line: Value = serde_json::from_slice(first.unwrap_or_default()).expect("JSON");
    let Some(all) = line["container"].as_str() else {
        return Vec::new();
    };
    let name = |name: &str| name.strip_prefix("text:").unwrap_or(name).to_owned();
    all.split(", ").map(name).collect()
}

fn peel(file: &[u8]) -> Peeled {
    let key = || Some(Key::from_password("secret"));
    gdvar_file::peel(file, &Hints::new().with_key(&key)).expect("layers")
}

fn names(peeled: &Peeled) -> Vec<String> {
    peeled.layers.iter().map(Layer::name).collect()
}

/// The verbs that change a file, for the saves of `testdata/layers`.
fn verbs(folder: &Path, row: &Layered) -> Vec<Vec<String>> {
    let patch = folder.join("patch.json");
    let other = folder.join("other");
    let path = |path: &Path| path.to_str().expect("UTF-8").to_owned();
    fs::write(folder.join("plain"), &row.plain).expect("space");
    let plain = path(&folder.join("plain"));
    stdout(&["set", &plain, "hp=81", "-o", &path(&other), "-q"], b"", 0);
    let differences = gdvar(&["diff", "--format", "patch", &plain, &path(&other)], b"");
    fs::write(&patch, differences.stdout).expect("space");
    let words = |text: &str| text.split(' ').map(str::to_owned).collect::<Vec<_>>();
    let (patch, other) = (path(&patch), path(&other));
    [
        words("set FILE hp=81 -o OUT"),
        words("set FILE name=\"a_longer_name_than_it_was_before\" -o OUT"),
        words("insert FILE bag[0]=7 -o OUT"),
        words("append FILE bag=7 -o OUT"),
        words("del FILE hp -o OUT"),
        words("rename-key FILE hp=health -o OUT"),
        words(&format!("patch FILE {patch} -o OUT")),
        words(&format!("merge {plain} FILE {other} -o OUT")),
        words(&format!("convert --to {} FILE -o OUT", row.engine)),
        words("recover FILE -o OUT"),
    ]
    .into()
}

#[test]
fn every_edit_puts_all_layers_back() {
    let folder = tempfile::tempdir().expect("a folder");
    let path = |name: &str| folder.path().join(name).to_str().expect("UTF-8").to_owned();
    let (file, plain, out, expected) = (path("file"), path("plain"), path("out"), path("expected"));
    let mut changed = 0;
    let mut made = HashMap::new();
    for row in layered().iter().filter(|row| !row.layers.is_empty()) {
        fs::write(&file, &row.file).expect("space");
        for verb in verbs(folder.path(), row) {
            let run = |input: &str, output: &str| {
                let _ = fs::remove_file(output);
                let mut args: Vec<&str> = verb
                    .iter()
                    .map(|word| match &word[..] {
                        "FILE" => input,
                        "OUT" => output,
                        word => word,
                    })
                    .collect();
                args.extend(["--password", "secret", "-q"]);
                let done = gdvar(&args, b"");
                let told = String::from_utf8_lossy(&done.stderr).into_owned();
                assert_eq!(
                    done.status.code(),
                    Some(0),
                    "{}: {args:?}: {told}",
                    row.name
                );
            };
            // The same edit of the same save without layers.
            let expected = made
                .entry((row.plain.clone(), verb.clone()))
                .or_insert_with(|| {
                    run(&plain, &expected);
                    fs::read(&expected).expect("a result")
                });
            run(&file, &out);
            let what = format!("{}: {}", row.name, verb.join(" "));
            let new = fs::read(&out).expect("a result");
            let (old, peeled) = (peel(&row.file), peel(&new));
            assert_eq!(names(&peeled), names(&old), "{what}");
            if row.header > 0 {
                // A size in the header is the new one; the other bytes stay.
                let same = |(old, new): (&u8, &u8)| usize::from(old != new);
                let differ: usize = row.file.iter().zip(&new).take(row.header).map(same).sum();
                assert!(differ <= 4, "{what}");
            }
            assert!(peeled.contents(&new) == *expected, "{what}");
            changed += 1;
        }
    }
    assert!(changed > 1000, "{changed}");
}

#[test]
fn every_layer_is_named() {
    let folder = tempfile::tempdir().expect("a folder");
    let file = folder.path().join("file");
    for row in layered() {
        fs::write(&file, &row.file).expect("space");
        let file = file.to_str().expect("UTF-8");
        // The size in front of FastLZ is not part of the name.
        let name = |name: &String| match name.strip_prefix("fastlz:") {
            Some(_) => "fastlz".to_owned(),
            None => name.clone(),
        };
        let expected: Vec<_> = row.layers.iter().map(name).collect();
        assert_eq!(layers(file), expected, "{}", row.name);
    }
}

/// An edit in place of a hex dump whose layout cannot be reproduced is refused, and the dump stays as it is. This
/// holds for the project settings of each engine.
#[test]
fn a_dump_of_any_engines_settings_stays_a_dump() {
    for engine in ["godot3", "godot4"] {
        let file = testdata("projects").join(format!("{engine}.binary"));
        let bytes = fs::read(file).expect("a file");
        let dump: String = bytes
            .chunks(16)
            .enumerate()
            .map(|(n, row)| {
                let digits: Vec<String> = row.iter().map(|byte| format!("{byte:02x}")).collect();
                format!("{:08x}: {}\n", 16 * n, digits.join(" "))
            })
            .collect();
        let folder = tempfile::tempdir().expect("a folder");
        let file = folder.path().join("dump");
        fs::write(&file, &dump).expect("space");
        let name = file.to_str().expect("UTF-8");
        let told = stderr(&["set", name, "[\"gdvar/0009\"]=254", "-i"], b"", 2);
        assert!(told.contains("write the values to another file"), "{told}");
        assert_eq!(fs::read_to_string(&file).expect("it"), dump);
    }
}
