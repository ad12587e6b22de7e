//! The table of the README lists the packages that each crate depends on. This compares it with what
//! cargo says.

use std::{
    collections::{BTreeMap, BTreeSet},
    process::Command,
};

use gdvar_conformance::vectors::testdata;

/// The packages that run in the compiler because of zerocopy's derive macros, and are part of
/// nothing.
const AT_COMPILE_TIME: [&str; 5] = [
    "proc-macro2",
    "quote",
    "syn",
    "unicode-ident",
    "zerocopy-derive",
];

/// The packages of others below a package with its default features.
fn below(package: &str, edges: &str) -> BTreeSet<String> {
    let cargo = std::env::var("CARGO").unwrap_or_else(|_| "cargo".to_owned());
    let output = Command::new(cargo)
        .args(["tree", "--locked", "--prefix", "none", "--format", "{p}"])
        .args(["--package", package, "--edges", edges])
        .current_dir(testdata(".."))
        .output()
        .expect("cargo runs");
    let errors = String::from_utf8_lossy(&output.stderr);
    assert!(output.status.success(), "{package}: {errors}");
    let text = String::from_utf8(output.stdout).expect("UTF-8");
    text.lines()
        .filter_map(|line| line.split_whitespace().next())
        .filter(|name| !name.starts_with("gdvar"))
        .map(str::to_owned)
        .collect()
}

/// Crate by crate what the last column of the README's table says.
fn table() -> BTreeMap<String, String> {
    let readme = std::fs::read_to_string(testdata("../README.md")).expect("the README");
    readme
        .lines()
        .filter_map(|line| {
            let rest = line.strip_prefix("| [`gdvar")?;
            let (name, _) = rest.split_once('`')?;
            let last = rest.trim_end_matches(['|', ' ']).rsplit('|').next()?;
            Some((format!("gdvar{name}"), last.trim().to_owned()))
        })
        .collect()
}

#[test]
fn the_readme_says_what_the_crates_depend_on() {
    let table = table();
    assert!(table.len() >= 6, "{table:?}");
    for (package, said) in &table {
        let linked = below(package, "normal,no-proc-macro");
        let (count, names) = said.split_once(':').unwrap_or((said, ""));
        let counted = linked.len().to_string();
        assert_eq!(
            count.trim(),
            counted,
            "{package}: {linked:?}, README: {said}"
        );
        if !names.is_empty() {
            let names = names.split(',').map(|name| name.trim().to_owned());
            assert_eq!(names.collect::<BTreeSet<_>>(), linked, "{package}");
        }
    }
}

#[test]
fn reader_and_writer_rest_on_four_packages() {
    let four = ["memchr", "simdutf8", "smallvec", "zerocopy"].map(str::to_owned);
    let four = BTreeSet::from(four);
    for package in [
        "gdvar-wire",
        "gdvar-view",
        "gdvar-write",
        "gdvar-text",
        "gdvar",
    ] {
        let mut allowed = four.clone();
        if package == "gdvar" {
            // Short texts of the owned tree, without an allocation each.
            allowed.insert("smol_str".to_owned());
        }
        let linked = below(package, "normal,no-proc-macro");
        assert!(linked.is_subset(&allowed), "{package}: {linked:?}");
        // Counted apart, and not one more.
        let all = below(package, "normal,build");
        let rest: Vec<&str> = all.difference(&linked).map(String::as_str).collect();
        assert_eq!(rest, AT_COMPILE_TIME, "{package}");
    }
}

#[test]
fn every_package_that_is_published_is_in_the_table() {
    let table = table();
    let crates = std::fs::read_dir(testdata("../crates")).expect("the crates");
    for folder in crates {
        let path = folder.expect("an entry").path().join("Cargo.toml");
        let manifest = std::fs::read_to_string(&path).unwrap_or_default();
        let name = manifest.lines().find_map(|line| {
            let name = line.strip_prefix("name = \"")?;
            name.strip_suffix('"')
        });
        if let (Some(name), false) = (name, manifest.contains("publish = false")) {
            assert!(table.contains_key(name), "{name} is not in the README");
        }
    }
}
