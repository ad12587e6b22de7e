//! What `merge` says about changes that exclude each other.

mod common;

use std::fs;

use common::gdvar;

/// Whoever mends the named place must see what of theirs was left out.
#[test]
fn a_conflict_names_both_places_where_they_differ() {
    let folder = tempfile::tempdir().expect("a folder");
    let file = |name: &str, text: &str| {
        let path = folder.path().join(name);
        fs::write(&path, gdvar(&["from-text", "-"], text.as_bytes()).stdout).expect("space");
        path.into_os_string().into_string().expect("a path")
    };
    let base = file("base.sav", r#"{"a": {"b": 1}, "hp": 80}"#);
    for (ours, theirs, expected) in [
        (
            r#"{"hp": 80}"#,
            r#"{"a": {"b": 5}, "hp": 80}"#,
            "conflict at $.a: ours is kept, and theirs at $.a.b is left out\n",
        ),
        (
            r#"{"a": {"b": 5}, "hp": 80}"#,
            r#"{"hp": 80}"#,
            "conflict at $.a.b: ours is kept, and theirs at $.a is left out\n",
        ),
        (
            r#"{"a": {"b": 1}, "hp": 81}"#,
            r#"{"a": {"b": 1}, "hp": 82}"#,
            "conflict at $.hp: ours is kept\n",
        ),
    ] {
        let (ours, theirs) = (file("ours.sav", ours), file("theirs.sav", theirs));
        let out = folder.path().join("out.sav");
        let out = out.to_str().expect("a path");
        let output = gdvar(&["merge", &base, &ours, &theirs, "-o", out], b"");
        assert_eq!(output.status.code(), Some(1));
        let errors = String::from_utf8(output.stderr).expect("text");
        assert!(errors.starts_with(expected), "{errors}");
        assert_eq!(
            fs::read(out).expect("a file"),
            fs::read(&ours).expect("a file")
        );
    }
}
