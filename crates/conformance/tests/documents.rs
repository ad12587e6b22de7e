//! The table "Which way do I want?" is one text: `crates/gdvar/src/ways.md`. `UPDATE_DOCS=1` copies it into README.md and
//! docs/DESIGN.md.

use std::fs;

use gdvar_conformance::vectors::testdata;

/// A file of the repository, by its path from the top.
fn read(path: &str) -> String {
    fs::read_to_string(testdata("..").join(path)).expect(path)
}

/// The table as it stands outside of Rust's documentation: links to items are code, nothing else.
fn ways() -> String {
    read("crates/gdvar/src/ways.md")
        .replace("[`", "`")
        .replace("`]", "`")
}

#[test]
fn every_page_has_the_same_table_of_ways() {
    for path in ["README.md", "docs/DESIGN.md"] {
        let text = read(path);
        let (before, rest) = text.split_once("<!-- ways -->\n").expect("the table");
        let (old, after) = rest.split_once("<!-- end -->").expect("its end");
        if std::env::var_os("UPDATE_DOCS").is_some() {
            let text = format!("{before}<!-- ways -->\n{}<!-- end -->{after}", ways());
            fs::write(testdata("..").join(path), text).expect("written");
        } else {
            assert_eq!(old, ways(), "{path}");
        }
    }
}

#[test]
fn the_reader_tells_its_own_ways_in_the_same_words() {
    let all = read("crates/gdvar/src/ways.md");
    let head = read("crates/view/src/lib.rs");
    let rows: Vec<_> = head
        .lines()
        .filter_map(|line| line.strip_prefix("//! |"))
        .collect();
    assert!(rows.len() > 5, "{rows:?}");
    for row in rows {
        assert!(
            all.lines().any(|line| line.strip_prefix('|') == Some(row)),
            "{row}"
        );
    }
}
