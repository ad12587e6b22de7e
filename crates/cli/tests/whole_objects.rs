//! The first whole object in a save is told: engines refuse such a save, unless the game allows objects.

mod common;

use std::fs;

use common::{gdvar, path, save};

/// The start of what is told.
const TOLD: &str = "a whole object, which the game reads only if it allows objects";

const OBJECT: &str = "Object(Node,\"name\":\"q\")";

fn made(text: &str) -> Vec<u8> {
    gdvar(&["-q", "from-text", "-"], text.as_bytes()).stdout
}

#[test]
fn the_first_whole_object_is_told_by_every_verb_that_puts_it_in() {
    let folder = tempfile::tempdir().expect("a folder");
    let [file, out, patch] =
        ["save.dat", "out.dat", "change.patch"].map(|name| folder.path().join(name));
    let plain = made("{\"a\": [1], \"hp\": 8}");
    let with_one = made(&format!("{{\"a\": [1], \"hp\": 8, \"o\": {OBJECT}}}"));
    fs::write(&out, made(&format!("{{\"a\": [{OBJECT}], \"hp\": 8}}"))).expect("space");
    fs::write(&file, &plain).expect("space");
    let diff = gdvar(&["diff", "--format", "patch", path(&file), path(&out)], b"").stdout;
    fs::write(&patch, diff).expect("space");
    let set = format!("x={OBJECT}");
    let nested = format!("x=[{{\"n\": {OBJECT}}}]");
    let element = format!("a[0]={OBJECT}");
    let append = format!("a={OBJECT}");
    let all: &[&[&str]] = &[
        &["set", "FILE", &set],
        &["set", "FILE", &nested],
        &["set", "FILE", &element],
        &["insert", "FILE", &element],
        &["append", "FILE", &append],
        &["patch", "FILE", path(&patch)],
        &["edit", "FILE", "hp"],
    ];
    for words in all {
        for (old, is_first) in [(&plain, true), (&with_one, false)] {
            if words[0] == "patch" && !is_first {
                continue;
            }
            fs::write(&file, old).expect("space");
            let args: Vec<_> = words
                .iter()
                .map(|word| word.replace("FILE", path(&file)))
                .collect();
            let mut args: Vec<_> = args.iter().map(String::as_str).collect();
            args.extend(["-o", path(&out)]);
            let editor = format!("sed -i 's/8/{OBJECT}/'");
            let done = common::gdvar_with(&args, &[("EDITOR", &editor)]);
            let errors = String::from_utf8_lossy(&done.stderr);
            assert_eq!(done.status.code(), Some(0), "{words:?}: {errors}");
            assert_eq!(errors.contains(TOLD), is_first, "{words:?}: {errors}");
        }
    }
    // What holds no object says nothing, and neither does a text that holds objects as they are.
    fs::write(&file, &plain).expect("space");
    let done = gdvar(&["set", path(&file), "hp=24", "-o", path(&out)], b"");
    assert!(!String::from_utf8_lossy(&done.stderr).contains(TOLD));
    let config = folder.path().join("a.cfg");
    fs::write(&config, "[a]\n\nx=1\n").expect("space");
    let done = gdvar(
        &["set", path(&config), &format!("a.{set}"), "-o", path(&out)],
        b"",
    );
    let errors = String::from_utf8_lossy(&done.stderr);
    assert!(done.status.success() && !errors.contains(TOLD), "{errors}");
}

#[test]
fn a_file_that_is_made_with_a_whole_object_is_told() {
    let folder = tempfile::tempdir().expect("a folder");
    let out = folder.path().join("out.dat");
    for (verb, text) in [
        (&["from-text"][..], OBJECT.to_owned()),
        (&["gron", "-u"], format!("$ = {{}};\nx = {OBJECT};\n")),
    ] {
        for (text, is_told) in [(text, true), ("7".to_owned(), false)] {
            let text = match (verb[0], is_told) {
                ("gron", false) => "$ = 7;\n".to_owned(),
                _ => text,
            };
            let done = gdvar(&[verb, &["-", "-o", path(&out)]].concat(), text.as_bytes());
            let errors = String::from_utf8_lossy(&done.stderr);
            assert!(done.status.success(), "{errors}");
            assert_eq!(errors.contains(TOLD), is_told, "{verb:?} {text}: {errors}");
        }
    }
    let with_objects = gdvar(
        &[
            "-q",
            "json",
            "--style",
            "tagged",
            path(&save("objects4.sav")),
        ],
        b"",
    );
    let done = gdvar(&["from-json", "-", "-o", path(&out)], &with_objects.stdout);
    let errors = String::from_utf8_lossy(&done.stderr);
    assert!(errors.contains(TOLD), "{errors}");
}
