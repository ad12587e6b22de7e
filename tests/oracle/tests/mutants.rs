//! Damaged inputs that the engines judged, and the list of those on which they differ.

use gdvar::Document;
use gdvar_conformance::vectors::{hex, testdata};
use gdvar_oracle::{
    ASKED,
    mutants::{
        classes::{MUTANTS, markdown},
        judge::{options, verdict_is_explained},
        stored::load,
    },
};

#[test]
fn stored_mutants_have_the_engines_verdict() {
    for asked in ASKED {
        let (all, mut accepted, mut explained) = (load(asked), 0, 0);
        for input in &all {
            let ours = Document::with_options(&input.bytes, options(asked, false)).validate();
            accepted += usize::from(input.accepted);
            if ours.is_ok() != input.accepted {
                let known = verdict_is_explained(asked, &input.bytes);
                assert!(known, "{} {}: {ours:?}", asked.name, hex(&input.bytes));
                explained += 1;
            }
        }
        let count = all.len();
        println!(
            "{}: {count} verdicts, {accepted} accepted, {explained} differ deliberately",
            asked.name
        );
        assert!(count > 2000 && accepted > count / 4 && accepted < count * 3 / 4);
        assert!(explained * 50 < count, "{explained} of {count} are excused");
    }
}

#[test]
fn the_document_lists_the_deliberate_differences() {
    let path = testdata("../tests/oracle/DIFFERENCES.md");
    let document = std::fs::read_to_string(&path).expect("the document");
    let (before, rest) = document
        .split_once("<!-- differences -->\n")
        .expect("the table");
    let (old, after) = rest.split_once("<!-- end -->").expect("its end");
    if std::env::var_os("UPDATE_DOCS").is_some() {
        let text = format!(
            "{before}<!-- differences -->\n{}<!-- end -->{after}",
            markdown()
        );
        std::fs::write(&path, text).expect("written");
    } else {
        assert_eq!(old, markdown());
    }
}

#[test]
fn every_deliberate_difference_is_listed_once() {
    for (n, known) in MUTANTS.iter().enumerate() {
        assert!(!known.why.is_empty(), "{known:?}");
        let again = MUTANTS[..n].iter().any(|other| {
            (other.aspect, other.has, other.engine) == (known.aspect, known.has, known.engine)
        });
        assert!(!again, "{known:?}");
    }
}
