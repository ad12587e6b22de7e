//! Saves of engines with double precision: keys keep all their digits on every way, and new vectors are as wide as those
//! that are there.

mod common;

use std::fs;

use common::{gdvar, path, stdout};

/// Makes a save of Godot 4 with 64-bit reals.
fn double(text: &str) -> Vec<u8> {
    let args = [
        "-q",
        "from-text",
        "-",
        "--precision",
        "double",
        "--framing",
        "len32",
    ];
    let made = gdvar(&args, text.as_bytes());
    assert_eq!(made.status.code(), Some(0), "{text}");
    made.stdout
}

#[test]
fn keys_that_differ_beyond_32_bits_come_back() {
    for key in [
        "Vector2({}, 1)",
        "Vector3(0, {}, 1)",
        "Rect2(0, 0, 1, {})",
        "Quaternion({}, 0, 0, 1)",
    ] {
        let (one, other) = (
            key.replace("{}", "0.1"),
            key.replace("{}", "0.10000000149011612"),
        );
        for text in [
            format!("{{{one}: 1}}"),
            format!("{{{other}: 1}}"),
            format!("{{{one}: 1, {other}: 2}}"),
            format!("{{{other}: [2], {one}: {{\"a\": 1}}}}"),
            format!("{{\"in\": {{{one}: {{{other}: 1, {one}: 2}}}}}}"),
        ] {
            let made = double(&text);
            for (to, from) in [
                (&["text", "-"][..], &["from-text", "-q", "-"][..]),
                (&["gron", "-"], &["gron", "-u", "-q", "-"]),
                (
                    &["json", "--style", "tagged", "-"],
                    &["from-json", "-q", "-"],
                ),
            ] {
                let there = gdvar(to, &made);
                let back = gdvar(from, &there.stdout).stdout;
                assert!(
                    back == made,
                    "{text}: {}",
                    String::from_utf8_lossy(&there.stdout)
                );
            }
        }
    }
}

#[test]
fn get_shows_the_digits_of_a_key_that_name_it() {
    let made = double("{Vector2(0.1, 0.1): 1, Vector2(0.10000000149011612, 0.5): 2}");
    for (place, shown) in [
        ("{0:key}", "Vector2(0.1, 0.1)"),
        ("{1:key}", "Vector2(0.10000000149011612, 0.5)"),
        ("{1:key}.x", "0.10000000149011612"),
        ("[Vector2(0.10000000149011612, 0.5)]", "2"),
    ] {
        assert_eq!(
            stdout(&["get", "-", place], &made, 0).trim_end(),
            shown,
            "{place}"
        );
    }
}

/// A new vector has the width of those that the save has, with every verb.
#[test]
fn new_vectors_are_as_wide_as_the_others() {
    let folder = tempfile::tempdir().expect("a folder");
    let file = folder.path().join("save.dat");
    let new = "Vector3(0.1, 2, 3)";
    for (verb, place, expected) in [
        (
            "set",
            "v",
            "{\"a\": Vector2(0.1, 1), \"l\": [7], \"v\": NEW}",
        ),
        ("set", "l", "{\"a\": Vector2(0.1, 1), \"l\": NEW}"),
        ("set", "l[0]", "{\"a\": Vector2(0.1, 1), \"l\": [NEW]}"),
        (
            "insert",
            "l[0]",
            "{\"a\": Vector2(0.1, 1), \"l\": [NEW, 7]}",
        ),
        (
            "insert",
            "v",
            "{\"a\": Vector2(0.1, 1), \"l\": [7], \"v\": NEW}",
        ),
        ("append", "l", "{\"a\": Vector2(0.1, 1), \"l\": [7, NEW]}"),
        ("rename-key", "l", "{\"a\": Vector2(0.1, 1), NEW: [7]}"),
    ] {
        let expected = expected.replace("NEW", new);
        let old = "{\"a\": Vector2(0.1, 1), \"l\": [7]}";
        let single = |text: &str| {
            gdvar(
                &["-q", "from-text", "-", "--framing", "len32"],
                text.as_bytes(),
            )
            .stdout
        };
        for (old, expected) in [
            (double(old), double(&expected)),
            (single(old), single(&expected)),
        ] {
            fs::write(&file, old).expect("space");
            let change = format!("{place}={new}");
            let out = gdvar(&["-q", verb, path(&file), &change], b"");
            assert!(out.stdout == expected, "{verb} {change}: {out:?}");
        }
    }
}
