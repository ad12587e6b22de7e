//! Values in the form that most have are made without a handle; others are left to the general way, which gives equal values.

extern crate std;

use alloc::{collections::BTreeMap, string::String, vec, vec::Vec};
use core::fmt::Debug;
use std::collections::HashMap;

use gdvar_wire::Dialect;

use super::convert::{LEVELS, Place, next_plainly};
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

fn place(bytes: &[u8]) -> Place<'_> {
    Place {
        bytes,
        options: OPTIONS,
        depth: 0,
        levels: LEVELS,
    }
}

fn header(bytes: &[u8]) -> u32 {
    u32::from_le_bytes(*bytes.first_chunk().unwrap())
}

/// True if a value of that type is made of these bytes in the short way; it is the expected one then.
#[track_caller]
fn is_short<'a, T: FromVariant<'a> + PartialEq + Debug>(bytes: &'a [u8], expected: &T) -> bool {
    let root = VariantRef::new(bytes, 0, OPTIONS, 0).unwrap().0;
    assert_eq!(T::convert(root, LEVELS).as_ref(), Ok(expected));
    let found = T::expect(header(bytes), bytes, place(bytes));
    let Some((found, behind)) = found else {
        return false;
    };
    assert_eq!((&found, behind), (expected, &[][..]));
    let at_once = Place::before(root).and_then(T::at);
    assert_eq!(at_once.as_ref(), SHORTCUTS.then_some(expected));
    true
}

#[test]
fn plain_values_of_each_type_are_made_in_the_short_way() {
    let numbers = array(&[int(1), int(2)]);
    assert!(is_short(&numbers, &vec![1_i64, 2]));
    assert!(is_short(&numbers, &[1_i64, 2]));
    assert!(is_short(&numbers, &(1_i64, 2_u8)));
    assert!(is_short(&words(&[1, 1]), &true));
    let texts = array(&[string(b"a"), string(b"bc")]);
    assert!(is_short(&texts, &vec!["a", "bc"]));
    let pairs = dict(&[("a", int(1)), ("b", int(2))]);
    assert!(is_short(&pairs, &BTreeMap::from([("a", 1_i64), ("b", 2)])));
    assert!(is_short(&pairs, &HashMap::from([("a", 1_i64), ("b", 2)])));
    let nested = array(&[numbers.clone(), array(&[])]);
    assert!(is_short(&nested, &vec![vec![1_i64, 2], vec![]]));
    // A typed Array, and one that is too deep for an attempt, are for the general way.
    assert!(!is_short(&words(&[0x1_001c, 2, 1, 2, 7]), &vec![7_i64]));
    assert!(!is_short(&words(&[30, 2, 7, 8]), &vec![7_i32, 8]));
    assert!(!is_short(&words(&[0x1_001c, 2, 1, 2, 7]), &[7_i64]));
}

/// Fields that may be missing are missing in order, too.
#[test]
fn records_with_fields_left_out_are_made_in_the_short_way() {
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
        assert!(is_short(&bytes, &expected), "{expected:?}");
        let list = array(&[bytes.clone(), bytes.clone()]);
        assert!(is_short(
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
        assert!(!is_short(&bytes, &point), "{point:?}");
    }
}

fn root(bytes: &[u8]) -> VariantRef<'_> {
    Document::with_options(bytes, OPTIONS).root().unwrap()
}

/// Children are taken from where the walk stands.
#[test]
fn children_are_made_in_the_short_way() {
    let bytes = array(&[int(1), array(&[int(2), int(3)]), string(b"a")]);
    let list = root(&bytes).as_array().unwrap();
    let mut children = list.iter().0;
    if !SHORTCUTS {
        assert_eq!(next_plainly::<i64>(&children, LEVELS), None);
        return;
    }
    let (end, first) = next_plainly::<i64>(&children, LEVELS).unwrap();
    assert_eq!((end, first), (16, 1));
    assert!(next_plainly::<&str>(&children, LEVELS).is_none());
    children.jump_one(end);
    let (end, second) = next_plainly::<Vec<i64>>(&children, LEVELS).unwrap();
    assert_eq!((end, second), (40, vec![2, 3]));
    children.jump_one(end);
    let (end, third) = next_plainly::<&str>(&children, LEVELS).unwrap();
    assert_eq!((end, third), (bytes.len(), "a"));
    children.jump_one(end);
    assert!(next_plainly::<i64>(&children, LEVELS).is_none());
}
