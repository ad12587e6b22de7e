//! `project.godot` as `project.binary`, and back. `testdata/projects/README.md` says what engines made of the files.

mod common;

use std::fs;

use common::{stderr, stdout};
use gdvar_conformance::vectors::testdata;

/// Godot 4.6.3 has the same settings with either file.
#[test]
fn a_text_becomes_the_binary_file_that_the_engine_started_with() {
    let folder = tempfile::tempdir().expect("a folder");
    let made = folder.path().join("project.binary");
    let (made, text) = (common::path(&made), testdata("projects/godot4.text.godot"));
    stdout(&["convert", "-q", common::path(&text), "-o", made], b"", 0);
    let expected = fs::read(testdata("projects/godot4.text.binary")).expect("a file");
    assert!(fs::read(made).expect("a file") == expected);
    // The text has its own order and no comments, so it comes back as well.
    let again = folder.path().join("project.godot");
    stdout(&["convert", "-q", made, "-o", common::path(&again)], b"", 0);
    let [before, after] = [&text, &again].map(|path| fs::read_to_string(path).expect("a text"));
    assert_eq!(before.trim_end(), after.trim_end());
}

/// Godot 3.2.3 and 4.6.3 exported them, with an input map of whole objects.
#[test]
fn a_binary_file_of_the_engine_comes_back_from_text_byte_for_byte() {
    let folder = tempfile::tempdir().expect("a folder");
    for name in ["godot3.input.binary", "godot4.input.binary"] {
        let [text, again] = ["a.godot", "b.binary"].map(|name| folder.path().join(name));
        let (text, again) = (common::path(&text), common::path(&again));
        let old = testdata("projects").join(name);
        stdout(&["convert", "-q", common::path(&old), "-o", text], b"", 0);
        stdout(&["convert", "-q", text, "-o", again], b"", 0);
        let [old, again] = [common::path(&old), again].map(|path| fs::read(path).expect("a file"));
        assert!(old == again, "{name}");
    }
}

#[test]
fn what_is_lost_is_listed() {
    let folder = tempfile::tempdir().expect("a folder");
    let [text, made] = ["a.godot", "b.binary"].map(|name| folder.path().join(name));
    let (text, made) = (common::path(&text), common::path(&made));
    let put = |contents: &str| fs::write(text, contents).expect("space");
    put("; mine\nconfig_version=5\n\n[a]\n\nb=Vector2i(1, 2)\n");
    let said = stderr(&["convert", text, "-o", made, "--on-loss", "fail"], b"", 1);
    assert!(
        said.contains("comments") && !fs::exists(made).expect("a folder"),
        "{said}"
    );
    let line = stdout(&["convert", "--json", text, "-o", made], b"", 1);
    assert!(line.contains("\"kind\":\"Comments\""), "{line}");
    put("config_version=5\n\n[a]\n\nb=[Resource(\"res://a.tres\")]\n");
    let said = stderr(&["convert", text, "-o", made], b"", 1);
    assert!(
        said.contains("a/b") && said.contains("refer to a resource"),
        "{said}"
    );
    let said = stderr(&["convert", "--to", "godot3", text, "-o", made], b"", 2);
    assert!(said.contains("same engine"), "{said}");
}
