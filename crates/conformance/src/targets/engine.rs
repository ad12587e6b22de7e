//! Compares the reader with the reference decoder, which was written from docs/FORMAT.md alone: both
//! must accept or refuse the same bytes, and read the same value and length.

use gdvar::Document;

use super::Input;
use crate::{
    reference::{Rules, decode, tagged as described},
    tagged::{self, Precision},
    vectors::hex,
};

/// Reads any bytes with both decoders.
///
/// # Panics
/// If the decoders disagree.
pub fn run(data: &[u8]) {
    if let Some(input) = Input::split(data) {
        check(input.bytes, input.rules);
    }
}

/// Compares both decoders on these bytes.
///
/// # Panics
/// If the decoders disagree.
pub fn check(bytes: &[u8], rules: Rules) {
    let document = Document::with_options(bytes, rules.options());
    let ours = document.validate();
    let theirs = decode(bytes, rules);
    let who = || format!("{rules:?} {}", hex(bytes));
    match (ours, theirs) {
        (Ok(len), Ok(decoded)) => {
            assert_eq!(len, decoded.len, "length of {}", who());
            for precision in [Precision::Single, Precision::Double] {
                let value = tagged::events(document, precision);
                let expected = described(&decoded.value, precision);
                assert_eq!(value, Ok(expected), "{}", who());
            }
        }
        // Both refuse the bytes. docs/FORMAT.md does not define which of several faults is reported.
        (Err(_), Err(_)) => {}
        (ours, theirs) => panic!(
            "the reader says {ours:?}, the document {:?}: {}",
            theirs.map(|decoded| decoded.len),
            who()
        ),
    }
}
