//! Reads values and writes them again. Canonical bytes must give equal bytes. Other bytes must give an
//! equal value in canonical form.

use gdvar::{
    Dialect, Document, Variant,
    write::{Precision, Target, Writer, transcode},
};

use super::Input;
use crate::{
    reference::{Rules, decode},
    vectors::hex,
};

/// Writes the value in any bytes that can be read.
///
/// # Panics
/// If a value differs after it was written and read.
pub fn run(data: &[u8]) {
    let Some(input) = Input::split(data) else {
        return;
    };
    let rules = Rules {
        strict: false,
        ints_always_64: false,
        early_godot_3: false,
        unflagged_vector4_is_f64: false,
        ..input.rules.inert()
    };
    check(input.bytes, rules);
}

/// Checks that the value at the beginning of the bytes is the same after writing and reading.
///
/// # Panics
/// If the value differs.
pub fn check(bytes: &[u8], rules: Rules) {
    let who = || format!("{rules:?} {}", hex(bytes));
    let options = rules.options();
    let Ok(tree) = crate::owned(bytes, options) else {
        return;
    };
    let target = Target::from(rules.dialect).with_precision(Precision::AsGiven);
    // Not written are the images and events of Godot 2, and wide numbers that only its reader accepts.
    let Ok(written) = tree.to_vec(target) else {
        let is_opaque = rules.dialect == Dialect::GODOT_2;
        assert!(
            is_opaque || decode(bytes, rules.strictly()).is_err(),
            "{}",
            who()
        );
        return;
    };
    let again = Variant::from_slice_with(&written, options).expect("our own bytes");
    let reference = decode(&written, rules).expect("our own bytes");
    assert_eq!(reference.len, written.len(), "{}", who());
    assert!(!reference.dirty, "padding of {}", hex(&written));
    // Each reader drops one byte order mark, so a text with two of them changes.
    if !reference.odd {
        assert_eq!(
            again.to_vec(target).as_deref(),
            Ok(&written[..]),
            "{}",
            who()
        );
    }

    let mut writer = Writer::new(Vec::new(), target);
    let document = Document::with_options(bytes, options);
    if let Ok(report) = transcode(document, &mut writer) {
        let transcoded = writer.finish().expect("a whole value");
        if report.is_empty() {
            assert_eq!(hex(&transcoded), hex(&written), "{}", who());
        }
    }
    if let Ok(strict) = decode(bytes, rules.strictly()) {
        if !strict.dirty && !strict.odd {
            assert_eq!(hex(&written), hex(bytes), "{rules:?}");
        }
    }
}
