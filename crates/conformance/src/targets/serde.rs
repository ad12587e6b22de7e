//! Reads any bytes through serde. A `Variant` must be the same as from the reader. Derived types, JSON
//! and ignored values must not panic.

use gdvar::{
    Variant,
    serde::{RawVariant, ReadWith, from_slice_with, to_vec_with},
    write::{Precision, Target},
};
use serde::{Deserialize, de::IgnoredAny};

use super::Input;
use crate::vectors::hex;

/// A type with one field of each kind that derived types may have.
#[derive(Deserialize, Debug)]
#[allow(dead_code)]
struct Record<'a> {
    #[serde(borrow, default)]
    name: Option<&'a str>,
    #[serde(alias = "hp", default)]
    id: f64,
    #[serde(default)]
    items: Vec<Item>,
    #[serde(borrow, default)]
    rest: Option<RawVariant<'a>>,
}

#[derive(Deserialize, Debug)]
#[serde(untagged)]
#[allow(dead_code)]
enum Item {
    Number(i64),
    Pair(String, bool),
    Named { key: Box<Item> },
}

/// Reads the bytes as a `Variant` and as derived types.
///
/// # Panics
/// If serde and the reader return different results, serde writes other bytes, or an error has no message.
pub fn run(data: &[u8]) {
    let Some(input) = Input::split(data) else {
        return;
    };
    let options = input.rules.options();
    let who = || format!("{:?} {}", input.rules, hex(input.bytes));
    let read = crate::owned(input.bytes, options);
    let deep = ReadWith::deep(options).allow_trailing_bytes();
    let by_serde = from_slice_with::<Variant>(input.bytes, deep);
    match (&read, &by_serde) {
        (Ok(read), Ok(by_serde)) => {
            let target = Target::from(input.rules.dialect).with_precision(Precision::AsGiven);
            let (ours, theirs) = (read.to_vec(target), by_serde.to_vec(target));
            assert_eq!(theirs.is_ok(), ours.is_ok(), "{}", who());
            if let (Ok(ours), Ok(theirs)) = (ours, theirs) {
                assert_eq!(hex(&theirs), hex(&ours), "{}", who());
                match to_vec_with(read, target) {
                    Ok(written) => assert_eq!(hex(&written), hex(&ours), "{}", who()),
                    Err(error) => assert!(error.to_string().contains("nested deeper"), "{}", who()),
                }
            }
        }
        (Err(_), Err(error)) => assert!(!error.to_string().is_empty()),
        _ => panic!("{read:?} {by_serde:?} {}", who()),
    }
    let _ = from_slice_with::<IgnoredAny>(input.bytes, options);
    let _ = from_slice_with::<Record<'_>>(input.bytes, options);
    let _ = from_slice_with::<Vec<Record<'_>>>(input.bytes, options);
    let _ = from_slice_with::<Item>(input.bytes, options);
    let _ = from_slice_with::<serde_json::Value>(input.bytes, options);
}
