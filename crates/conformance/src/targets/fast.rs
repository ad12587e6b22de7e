//! Compares walks that use shortcuts with the walk that uses none.

use gdvar::{Document, ReadOptions, index::Index};

use super::Input;
use crate::{fingerprint, vectors::hex};

/// Walks any bytes with shortcuts and without.
///
/// # Panics
/// If a walk with shortcuts reports something else than the walk without them.
pub fn run(data: &[u8]) {
    if let Some(input) = Input::split(data) {
        check(input.bytes, input.rules.options());
    }
}

/// Compares the reports of walks with shortcuts and of the plain walk.
///
/// # Panics
/// If a walk with shortcuts reports something else.
pub fn check(bytes: &[u8], options: ReadOptions) {
    let plain = Document::with_options(bytes, options.without_shortcuts(true));
    let document = Document::with_options(bytes, options);
    let who = |way: &str| format!("{way}, {options:?} {}", hex(bytes));
    let expected = fingerprint::events(plain);
    assert_eq!(fingerprint::events(document), expected, "{}", who("events"));
    assert_eq!(document.validate(), expected.0, "{}", who("validate"));
    let built = Index::build(document).map(drop);
    assert_eq!(built, expected.0.map(drop), "{}", who("index"));
    let strictly = Index::build(document.strict()).map(drop);
    let expected = plain.strict().validate().map(drop);
    assert_eq!(strictly, expected, "{}", who("index, strict"));
}
