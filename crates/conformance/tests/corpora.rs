//! Runs each fuzz target, without a fuzzer, on the inputs that fuzzing found worth keeping and on
//! those that once broke something.

use std::{
    collections::BTreeSet,
    fs,
    path::{Path, PathBuf},
};

use gdvar_conformance::{
    corpus::{SUFFIX, archive, fuzz, read},
    targets::{Input, TARGETS, seeds::seeds},
    with_big_stack,
};

/// The names of the files in a folder, without its `.md` files.
fn names(folder: &Path) -> BTreeSet<String> {
    let entries = fs::read_dir(folder).unwrap_or_else(|error| panic!("{folder:?}: {error}"));
    let names = entries.map(|entry| entry.expect("an entry").file_name());
    let names = names.map(|name| name.to_string_lossy().into_owned());
    names.filter(|name| !name.ends_with(".md")).collect()
}

/// Runs an input. If that panics, the message names the path of the input.
fn replay(place: &Path, data: &[u8], run: fn(&[u8])) {
    let outcome = std::panic::catch_unwind(|| run(data));
    assert!(outcome.is_ok(), "{} breaks a promise", place.display());
}

#[test]
fn corpora_break_no_promise() {
    with_big_stack(|| {
        for (name, run) in TARGETS {
            let archive = archive(name);
            let inputs = read(&archive).unwrap_or_else(|error| panic!("{archive:?}: {error}"));
            for (input, data) in &inputs {
                replay(&archive.join(input), data, run);
            }
            let count = inputs.len();
            assert!(count > 20, "the corpus of {name} has {count} inputs");
            println!("{name}: {count} inputs");
        }
    });
}

#[test]
fn what_once_broke_a_promise_does_so_no_more() {
    with_big_stack(|| {
        let folder = fuzz().join("regressions");
        for name in names(&folder) {
            let target = TARGETS.iter().find(|(target, _)| *target == name);
            let (_, run) = target.unwrap_or_else(|| panic!("{name} is no target"));
            let inputs = names(&folder.join(&name));
            for input in &inputs {
                let place = folder.join(&name).join(input);
                replay(&place, &fs::read(&place).expect("a file"), *run);
            }
            let count = inputs.len();
            assert!(count > 0, "regressions/{name} is empty");
            println!("{name}: {count} regressions");
        }
    });
}

#[test]
fn seeds_break_no_promise() {
    with_big_stack(|| {
        let mut broken = Vec::new();
        for (name, run) in TARGETS {
            let seeds = seeds(name);
            assert!(seeds.len() > 1000, "{name} has {} seeds", seeds.len());
            for (n, seed) in seeds.iter().enumerate() {
                let input = Input::split(seed).expect("a whole input");
                assert_eq!(input.join(), *seed);
                if std::panic::catch_unwind(|| run(seed)).is_err() {
                    broken.push(format!("{name} {n}"));
                }
            }
        }
        assert!(broken.is_empty(), "{broken:?}");
    });
}

#[test]
fn a_target_has_one_name() {
    let expected: BTreeSet<String> = TARGETS.iter().map(|(name, _)| (*name).to_owned()).collect();
    let stems = |folder: PathBuf| -> BTreeSet<String> {
        names(&folder)
            .iter()
            .map(|name| name.trim_end_matches(".rs").to_owned())
            .collect()
    };
    assert_eq!(stems(fuzz().join("fuzz_targets")), expected);
    let archives: BTreeSet<String> = expected
        .iter()
        .map(|name| format!("{name}{SUFFIX}"))
        .collect();
    assert_eq!(names(&fuzz().join("corpus")), archives);
    let manifest = fs::read_to_string(fuzz().join("Cargo.toml")).expect("the manifest");
    let mut binaries = BTreeSet::new();
    for entry in manifest.split("[[bin]]").skip(1) {
        let field = |name: &str| {
            let line = entry.lines().find(|line| line.starts_with(name));
            let value = line.and_then(|line| line.split('"').nth(1));
            value.expect("a field").to_owned()
        };
        assert_eq!(field("path"), format!("fuzz_targets/{}.rs", field("name")));
        binaries.insert(field("name"));
    }
    assert_eq!(binaries, expected);
    for name in expected {
        let source = fs::read_to_string(fuzz().join(format!("fuzz_targets/{name}.rs")));
        let call = format!("targets::{name}::run(data)");
        assert!(
            source.expect("a file").contains(&call),
            "{name} runs another target"
        );
    }
}
