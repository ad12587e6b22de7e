//! Numbers and types through every command that takes values: what is read back is what was typed, or the command
//! refused it.

mod common;

use std::{
    fs,
    path::{Path, PathBuf},
};

use common::{gdvar, stderr, stdout};

/// A save made of a text.
fn file(text: &str, options: &[&str]) -> (tempfile::TempDir, PathBuf) {
    let folder = tempfile::tempdir().expect("a folder");
    let path = folder.path().join("slot.sav");
    let args = [
        &["from-text", "-", "-o", path.to_str().expect("UTF-8")],
        options,
    ]
    .concat();
    stdout(&args, text.as_bytes(), 0);
    (folder, path)
}

/// The file as text.
fn text(path: &Path) -> String {
    stdout(&["text", path.to_str().expect("UTF-8")], b"", 0)
}

#[test]
fn typed_containers_and_floats_keep_their_types() {
    const SAVE: &str = r#"{"typed": Array[int]([7]), "hp": 80.5, "n": 3, "d": Dictionary[String, float]({"a": 1.0})}"#;
    for (verb, change, after, said) in [
        ("set", "typed=[1, 2]", r#""typed": Array[int]([1, 2])"#, ""),
        ("set", "typed[0]=2.0", r#""typed": Array[int]([2])"#, ""),
        ("append", "typed=2.0", r#""typed": Array[int]([7, 2])"#, ""),
        (
            "insert",
            "typed[0]=2.0",
            r#""typed": Array[int]([2, 7])"#,
            "",
        ),
        ("set", "hp=3", r#""hp": 3.0"#, ""),
        (
            "set",
            r#"d={"b": 3}"#,
            r#""d": Dictionary[String, float]({"b": 3.0})"#,
            "",
        ),
        ("set", "d.c=3", r#""c": 3.0"#, "added, it was not there"),
        ("insert", "d.c=3", r#""c": 3.0"#, ""),
        // Another type is said.
        ("set", "n=4.5", r#""n": 4.5"#, "was Int, becomes Float"),
        (
            "set",
            "typed=Array[float]([1])",
            r#""typed": Array[float]([1.0])"#,
            "was Array[int], becomes Array[float]",
        ),
    ] {
        let (_folder, path) = file(SAVE, &[]);
        let output = gdvar(&[verb, path.to_str().expect("UTF-8"), change, "-i"], b"");
        let errors = String::from_utf8_lossy(&output.stderr);
        assert_eq!(output.status.code(), Some(0), "{verb} {change}: {errors}");
        let now = text(&path);
        assert!(now.contains(after), "{verb} {change}: {now}");
        assert!(errors.contains(said), "{verb} {change}: {errors}");
    }
    for (verb, change, why) in [
        (
            "set",
            "typed=[1, 1.5]",
            "typed[1]: the container is typed and holds Int only",
        ),
        (
            "set",
            r#"typed=["a"]"#,
            "typed[0]: the container is typed and holds Int only",
        ),
        ("append", "typed=1.5", "holds Int only"),
        ("insert", r#"typed[0]="a""#, "holds Int only"),
        ("set", "hp=9007199254740993", "none equals 9007199254740993"),
    ] {
        let (_folder, path) = file(SAVE, &[]);
        let before = fs::read(&path).expect("the save");
        let errors = stderr(&[verb, path.to_str().expect("UTF-8"), change, "-i"], b"", 1);
        assert!(errors.contains(why), "{verb} {change}: {errors}");
        assert_eq!(
            fs::read(&path).expect("the save"),
            before,
            "{verb} {change}"
        );
    }
}
