//! The expected form of a value is read without a handle. Other forms are left to the handle, and both give
//! equal values.

extern crate std;

use alloc::{collections::BTreeMap, string::String, vec, vec::Vec};
use core::fmt::Debug;
use std::collections::HashMap;

use gdvar_wire::Dialect;

use super::{
    convert::{LEVELS, ReadContext},
    next_expected,
};
use crate::{
    Document, Fields, FromVariant, Key, Mismatch, ReadOptions, Record, VariantRef,
    bytes::samples::{array, int, string, words},
    options::SHORTCUTS,
};

const OPTIONS: ReadOptions = ReadOptions::new(Dialect::GODOT_4);

/// A Dictionary whose keys have the padding that engines write.
fn dict(pairs: &[(&str, Vec<u8>)]) -> Vec<u8> {
    let mut bytes = words(&[27, pairs.len() as u32]);
    for (key, value) in pairs {
        let mut own = string(key.as_bytes());
        own[8 + key.len()..].fill(0);
        bytes.extend(own);
        bytes.extend(value);
    }
    bytes
}

#[derive(Debug, PartialEq)]
struct Point {
    x: i32,
    y: Option<i32>,
    name: Option<String>,
}

impl<'a> Record<'a> for Point {
    const KEYS: &'static [Key] = &Key::all(["x", "y", "name"]);

    fn read(fields: &mut impl Fields<'a>) -> Result<Self, Mismatch> {
        Ok(Point {
            x: fields.next()?,
            y: fields.optional()?,
            name: fields.optional()?,
        })
    }
}

fn context(bytes: &[u8]) -> ReadContext<'_> {
    ReadContext {
        bytes,
        options: OPTIONS,
        depth: 0,
        levels: LEVELS,
    }
}

fn header(bytes: &[u8]) -> u32 {
    u32::from_le_bytes(*bytes.first_chunk().unwrap())
}

/// True if the bytes have the expected form of the type. Asserts that the value is `expected`, read in
/// either way.
#[track_caller]
fn has_expected_form<'a, T: FromVariant<'a> + PartialEq + Debug>(
    bytes: &'a [u8],
    expected: &T,
) -> bool {
    let root = VariantRef::new(bytes, 0, OPTIONS, 0).unwrap().0;
    assert_eq!(T::convert(root, LEVELS).as_ref(), Ok(expected));
    let found = T::expect(header(bytes), bytes, context(bytes));
    let Some((found, after)) = found else {
        return false;
    };
    assert_eq!((&found, after), (expected, &[][..]));
    let at_once = ReadContext::before(root).and_then(T::at);
    assert_eq!(at_once.as_ref(), SHORTCUTS.then_some(expected));
    true
}

#[test]
fn each_type_has_an_expected_form() {
    let numbers = array(&[int(1), int(2)]);
    assert!(has_expected_form(&numbers, &vec![1_i64, 2]));
    assert!(has_expected_form(&numbers, &[1_i64, 2]));
    assert!(has_expected_form(&numbers, &(1_i64, 2_u8)));
    assert!(has_expected_form(&words(&[1, 1]), &true));
    let texts = array(&[string(b"a"), string(b"bc")]);
    assert!(has_expected_form(&texts, &vec!["a", "bc"]));
    let pairs = dict(&[("a", int(1)), ("b", int(2))]);
    assert!(has_expected_form(
        &pairs,
        &BTreeMap::from([("a", 1_i64), ("b", 2)])
    ));
    assert!(has_expected_form(
        &pairs,
        &HashMap::from([("a", 1_i64), ("b", 2)])
    ));
    let nested = array(&[numbers.clone(), array(&[])]);
    assert!(has_expected_form(&nested, &vec![vec![1_i64, 2], vec![]]));
    // A typed Array and a packed array are read through the handle.
    assert!(!has_expected_form(
        &words(&[0x1_001c, 2, 1, 2, 7]),
        &vec![7_i64]
    ));
    assert!(!has_expected_form(&words(&[30, 2, 7, 8]), &vec![7_i32, 8]));
    assert!(!has_expected_form(
        &words(&[0x1_001c, 2, 1, 2, 7]),
        &[7_i64]
    ));
}

/// Optional fields may be left out of a record in order.
#[test]
fn a_record_without_optional_fields_has_the_expected_form() {
    let (x, y) = (("x", int(1)), ("y", int(2)));
    let name = ("name", string(b"Ann"));
    let point = |y, name: Option<&str>| Point {
        x: 1,
        y,
        name: name.map(String::from),
    };
    for (pairs, expected) in [
        (
            vec![x.clone(), y.clone(), name.clone()],
            point(Some(2), Some("Ann")),
        ),
        (vec![x.clone(), y.clone()], point(Some(2), None)),
        (vec![x.clone(), name.clone()], point(None, Some("Ann"))),
        (vec![x.clone()], point(None, None)),
    ] {
        let bytes = dict(&pairs);
        assert!(has_expected_form(&bytes, &expected), "{expected:?}");
        let list = array(&[bytes.clone(), bytes.clone()]);
        assert!(has_expected_form(
            &list,
            &vec![expected, Point::convert(root(&bytes), LEVELS).unwrap()]
        ));
    }
    for pairs in [
        vec![y.clone(), x.clone()],
        vec![x.clone(), ("another", int(5))],
        vec![x.clone(), name, y],
    ] {
        let bytes = dict(&pairs);
        let point = Point::convert(root(&bytes), LEVELS).unwrap();
        assert!(!has_expected_form(&bytes, &point), "{point:?}");
    }
}

fn root(bytes: &[u8]) -> VariantRef<'_> {
    Document::with_options(bytes, OPTIONS).root().unwrap()
}

/// Children are read from the position of the walk on.
#[test]
fn children_are_read_in_their_expected_form() {
    let bytes = array(&[int(1), array(&[int(2), int(3)]), string(b"a")]);
    let list = root(&bytes).as_array().unwrap();
    let mut children = list.iter().0;
    if !SHORTCUTS {
        assert_eq!(next_expected::<i64>(&children, LEVELS), None);
        return;
    }
    let (end, first) = next_expected::<i64>(&children, LEVELS).unwrap();
    assert_eq!((end, first), (16, 1));
    assert!(next_expected::<&str>(&children, LEVELS).is_none());
    children.jump_one(end);
    let (end, second) = next_expected::<Vec<i64>>(&children, LEVELS).unwrap();
    assert_eq!((end, second), (40, vec![2, 3]));
    children.jump_one(end);
    let (end, third) = next_expected::<&str>(&children, LEVELS).unwrap();
    assert_eq!((end, third), (bytes.len(), "a"));
    children.jump_one(end);
    assert!(next_expected::<i64>(&children, LEVELS).is_none());
}
