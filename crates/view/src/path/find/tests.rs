//! Repeated keys along a path, and long paths.

use alloc::string::String;

use gdvar_wire::Dialect;

use crate::{
    Document, Path,
    bytes::samples::{array, dict, int},
};

fn found(bytes: &[u8], path: &str) -> Option<i64> {
    let root = Document::new(bytes, Dialect::GODOT_4).root().unwrap();
    let value = root.get_path(&Path::parse(path).unwrap()).unwrap();
    value.and_then(|value| value.as_i64())
}

/// The engines keep the last of equal keys, so the path continues in its last value.
#[test]
fn a_path_continues_in_the_last_of_equal_keys() {
    let one = dict(&[("b", int(1))]);
    let two = dict(&[("b", int(2))]);
    let twice = dict(&[("a", one.clone()), ("b", int(7)), ("a", two)]);
    assert_eq!(found(&twice, "a.b"), Some(2));
    assert_eq!(found(&twice, "b"), Some(7));
    // The last value lacks the next key, or has no keys at all.
    for last in [dict(&[]), int(3)] {
        let twice = dict(&[("a", one.clone()), ("a", last)]);
        assert_eq!(found(&twice, "a.b"), None);
    }
    let inside = dict(&[
        ("a", dict(&[("b", int(1)), ("a", int(9)), ("b", int(2))])),
        ("b", one),
    ]);
    assert_eq!(found(&inside, "a.b"), Some(2));
    assert_eq!(found(&inside, "b.b"), Some(1));
}

/// The rest of an array is read only if the search continues in an outer Dictionary.
#[test]
fn an_array_is_read_only_up_to_its_element() {
    let array = array(&[int(4), dict(&[("b", int(5))]), array(&[int(6)])]);
    assert_eq!(found(&array, "[1].b"), Some(5));
    assert_eq!(found(&array, "[-1][0]"), Some(6));
    assert_eq!(found(&array, "[3]"), None);
    let around = dict(&[("a", array.clone()), ("b", int(8))]);
    assert_eq!(found(&around, "a[1].b"), Some(5));
    assert_eq!(found(&around, "{1}"), Some(8));
    // The last element is cut off. A path in the array alone does not need it.
    let cut = &array[..array.len() - 4];
    assert_eq!(found(cut, "[1].b"), Some(5));
    let around = dict(&[("a", cut.to_vec())]);
    let root = Document::new(&around, Dialect::GODOT_4).root().unwrap();
    assert!(root.get_path(&Path::parse("a[1].b").unwrap()).is_err());
}

/// A thousand levels and a thousand steps.
#[test]
fn a_path_may_have_a_thousand_steps() {
    let mut nested = int(42);
    for _ in 0..1000 {
        nested = dict(&[("a", nested), ("b", int(1))]);
    }
    let path: String = [".a"; 1000].concat();
    assert_eq!(found(&nested, &path), Some(42));
    let path: String = [&path[..2 * 999], ".b"].concat();
    assert_eq!(found(&nested, &path), Some(1));
}
