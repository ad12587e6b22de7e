//! A value of each kind in each dialect through the verbs: a kind that one of them forgot is named here.
//! `crates/conformance/tests/write/kinds.rs` does the same with the crates.

mod common;

use common::{gdvar, stdout};
use gdvar_conformance::samples::{all_samples, has_numbers, kinds_of};
use gdvar_view::{Dialect, Kind};

/// The options that say what one bare value of a dialect is.
fn bare(dialect: Dialect) -> [&'static str; 6] {
    let name = dialect.name();
    ["--dialect", name, "--framing", "bare", "--objects", "inert"]
}

/// Runs a verb on all samples of a dialect, which it gets as standard input.
fn run(dialect: Dialect, verb: &[&str]) -> String {
    let form = bare(dialect);
    let output = gdvar(&[verb, &form, &["-"]].concat(), &all_samples(dialect));
    let errors = String::from_utf8_lossy(&output.stderr);
    // `check --strict` reports that ids and Callables mean nothing in another run.
    let is_read = matches!(output.status.code(), Some(0 | 1)) && !errors.contains("error");
    assert!(is_read, "{dialect} {verb:?}: {errors}");
    String::from_utf8(output.stdout).expect("UTF-8")
}

#[test]
fn check_finds_nothing_wrong_with_any_kind() {
    for dialect in Dialect::ALL {
        run(dialect, &["check", "--strict"]);
    }
}

/// The names of the kinds are the keys, in the order of the kinds: a value lies between two of them.
#[test]
fn each_kind_is_shown_with_its_numbers() {
    let verbs: [&[&str]; 5] = [
        &["view", "--full"],
        &["text"],
        &["gron"],
        &["json"],
        &["json", "--style", "native"],
    ];
    for dialect in Dialect::ALL {
        let kinds: Vec<_> = kinds_of(dialect).collect();
        for verb in verbs {
            let shown = run(dialect, verb);
            for (n, kind) in kinds.iter().enumerate() {
                let Some((_, value)) = shown.split_once(kind.name()) else {
                    panic!("{dialect} {verb:?} misses {kind}: {shown}");
                };
                let next = kinds.get(n + 1).map_or("\0", |kind| kind.name());
                let value = value.split(next).next().unwrap_or_default();
                let has_value = value.contains('7') || value.contains("1.5");
                assert!(
                    has_value || !has_numbers(*kind),
                    "{dialect} {verb:?} shows no numbers of {kind}: {value}"
                );
            }
        }
    }
}

#[test]
fn text_and_tagged_json_give_the_same_bytes_back() {
    for dialect in Dialect::ALL {
        let bytes = all_samples(dialect);
        let json = run(dialect, &["json", "--style", "tagged"]);
        let form = ["--objects", "inert", "-", "-o", "-"];
        let again = gdvar(&[&["from-json"][..], &form].concat(), json.as_bytes());
        assert_eq!(
            again.stdout,
            bytes,
            "{dialect}: {}",
            String::from_utf8_lossy(&again.stderr)
        );
        if kinds_of(dialect).any(|kind| kind == Kind::Image) {
            // Godot 2's Image and InputEvent have no text.
            continue;
        }
        let text = run(dialect, &["text"]);
        let again = gdvar(&[&["from-text"][..], &form].concat(), text.as_bytes());
        let errors = String::from_utf8_lossy(&again.stderr);
        assert_eq!(again.status.code(), Some(0), "{dialect}: {errors}");
        let again = gdvar(
            &[&["text"][..], &bare(dialect), &["-"]].concat(),
            &again.stdout,
        );
        assert_eq!(String::from_utf8_lossy(&again.stdout), text, "{dialect}");
    }
}

#[test]
fn grep_finds_each_kind_by_its_name() {
    for dialect in Dialect::ALL {
        for kind in kinds_of(dialect) {
            let found = run(
                dialect,
                &["grep", "--type", kind.name_in(dialect.notation()), ""],
            );
            let is_found = found.lines().any(|line| line.starts_with(kind.name()));
            assert!(is_found, "{dialect} {kind}: {found}");
        }
    }
}

/// JSON has the numbers of a kind as a list, so its schema has a list.
#[test]
fn the_json_schema_knows_each_kind_of_numbers() {
    for dialect in Dialect::ALL {
        let schema = run(dialect, &["schema", "--style", "json-schema"]);
        let schema: serde_json::Value = serde_json::from_str(&schema).expect("JSON");
        for kind in kinds_of(dialect).filter(|kind| has_numbers(*kind)) {
            let of = &schema["properties"][kind.name()];
            let place = "crates/cli/src/commands/schema/json_schema.rs";
            assert_eq!(of["type"], "array", "{dialect} {kind}: {of}: {place}");
            assert!(
                of["items"]["type"].is_string() || of["items"]["type"].is_array(),
                "{dialect} {kind}: {of}"
            );
        }
    }
}

#[test]
fn explain_has_a_sample_of_each_kind() {
    for kind in Kind::ALL {
        let told = stdout(&["explain", kind.name()], b"", 0);
        assert!(
            told.contains("00 00"),
            "{kind}: crates/cli/src/commands/explain/samples.rs: {told}"
        );
    }
}

/// What is printed of a value can be put in its place.
#[test]
fn set_takes_the_text_of_each_kind() {
    for dialect in Dialect::ALL {
        let text = run(dialect, &["gron"]);
        for kind in kinds_of(dialect).filter(|kind| has_numbers(*kind)) {
            let path = format!("{} = ", kind.name());
            let line = text.lines().find_map(|line| line.strip_prefix(&path));
            let value = line.unwrap_or_else(|| panic!("{dialect} {kind}: {text}"));
            let value = value.trim_end_matches(';');
            let change = format!("{kind}={value}");
            let written = gdvar(
                &[&["set", "-", &change, "-o", "-"][..], &bare(dialect)].concat(),
                &all_samples(dialect),
            );
            let errors = String::from_utf8_lossy(&written.stderr);
            assert_eq!(
                written.stdout,
                all_samples(dialect),
                "{dialect} {change}: {errors}"
            );
        }
    }
}
