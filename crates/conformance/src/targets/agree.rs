//! Compares all ways of reading. They must return the same values, or the same error at the same
//! byte.

use gdvar::{Document, ReadOptions, VariantRef, index::Index};

use super::Input;
use crate::{
    fingerprint::{self, Fingerprint},
    vectors::hex,
};

/// Reads any bytes in all ways.
///
/// # Panics
/// If two ways return different values or errors.
pub fn run(data: &[u8]) {
    if let Some(input) = Input::split(data) {
        check(input.bytes, input.rules.options());
    }
}

/// Compares the walk by events with all other walks.
///
/// # Panics
/// If another walk reports something else.
pub fn check(bytes: &[u8], options: ReadOptions) {
    let document = Document::with_options(bytes, options);
    let who = |way: &str| format!("{way}, {options:?} {}", hex(bytes));
    let (result, seen) = fingerprint::events(document);
    assert_eq!(document.validate(), result, "{}", who("validate"));
    let indexed = Index::build(document).and_then(|index| fingerprint::indexed(&index, document));
    assert_eq!(indexed, result.map(|_| seen), "{}", who("index"));
    // A document reports trailing bytes, but the value in it does not.
    let Ok(end) = result else {
        let tree = crate::owned(bytes, options).err();
        let is_behind = |error: gdvar::Error| error.kind().name() == "TrailingBytes";
        if !result.is_err_and(is_behind) {
            assert_eq!(tree, result.err(), "{}", who("owned"));
        }
        return;
    };
    let lazily: Result<Fingerprint, _> = fingerprint::lazy(document);
    assert_eq!(lazily, Ok(seen), "{}", who("lazy"));
    let skipped = document.root().and_then(VariantRef::end);
    assert_eq!(skipped, Ok(end), "{}", who("skip"));
    let tree = crate::owned(bytes, options).map(drop);
    assert_eq!(tree, Ok(()), "{}", who("owned"));
}
