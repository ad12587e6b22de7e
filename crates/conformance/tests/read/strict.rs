//! Strict mode as a gate: what it refuses, no way to read lets through.

use gdvar::{Dialect, Document, Limits, Objects, ReadOptions, Record, Variant};
use gdvar_conformance::vectors::{ENGINES, Vector, hex, vectors};

#[derive(Record)]
#[allow(dead_code, reason = "only whether it can be read counts")]
struct Hero {
    hp: i64,
}

/// Whether each way to read a document gives a value.
fn ways(document: Document<'_>) -> [bool; 4] {
    [
        document.root().is_ok(),
        document.get("$").is_ok(),
        document
            .root()
            .is_ok_and(|root| Variant::from_ref(root).is_ok()),
        document
            .root()
            .is_ok_and(|root| gdvar::serde::from_ref::<Variant>(root).is_ok()),
    ]
}

/// Vectors of the engines, with each of their first bytes changed and with bytes after them.
#[test]
fn every_way_refuses_what_validation_refuses() {
    let (mut good, mut bad) = (0, 0);
    for engine in ENGINES {
        let options = ReadOptions::new(engine.dialect)
            .with_objects(Objects::Inert)
            .with_limits(Limits::MOST)
            .strict();
        for Vector { bytes, .. } in vectors(engine)
            .into_iter()
            .filter(|one| one.bytes.len() < 400)
        {
            let mut try_one = |bytes: &[u8]| {
                let document = Document::with_options(bytes, options);
                let is_valid = document.validate().is_ok();
                assert_eq!(ways(document), [is_valid; 4], "{engine:?} {}", hex(bytes));
                good += u32::from(is_valid);
                bad += u32::from(!is_valid);
            };
            try_one(&bytes);
            try_one(&[&bytes[..], &[0; 4]].concat());
            for at in 0..bytes.len().min(48) {
                let mut changed = bytes.clone();
                changed[at] ^= 0x81;
                try_one(&changed);
            }
        }
    }
    assert!(good > 10_000 && bad > 10_000, "{good} valid, {bad} not");
}

/// Bytes after the value, a repeated key and text after a NUL are in no value that is read.
#[test]
fn a_record_of_a_strict_document_is_valid() {
    let hp = |hp: u8| [&b"\x04\0\0\0\x02\0\0\0hp\0\0\x02\0\0\0"[..], &[hp, 0, 0, 0]].concat();
    let text = b"\x04\0\0\0\x03\0\0\0a\0b\0\x01\0\0\0\x01\0\0\0";
    let dict =
        |count: u8, pairs: &[&[u8]]| [&[27, 0, 0, 0, count, 0, 0, 0][..], &pairs.concat()].concat();
    let document = |bytes: &[u8]| {
        let document = Document::new(bytes, Dialect::GODOT_4);
        let lenient = document
            .root()
            .expect("an engine reads it")
            .read::<Hero>()
            .is_ok();
        (lenient, document.strict().root().is_ok())
    };
    assert_eq!(document(&dict(1, &[&hp(8)])), (true, true));
    assert_eq!(document(&dict(1, &[&hp(8), &[0; 4]])), (true, false));
    assert_eq!(document(&dict(2, &[&hp(8), &hp(9)])), (true, false));
    assert_eq!(document(&dict(2, &[&hp(8), text])), (true, false));
}
