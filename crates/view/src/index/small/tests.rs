use alloc::{vec, vec::Vec};

use gdvar_wire::Dialect;

use super::{find, nth, text};
use crate::{
    Document, ReadOptions, VariantRef,
    bytes::samples::{array, dict, int, starts, string, words},
};

fn root(bytes: &[u8], options: ReadOptions) -> VariantRef<'_> {
    Document::with_options(bytes, options).root().unwrap()
}

/// Values of all plain kinds, containers in containers too.
fn values() -> Vec<Vec<u8>> {
    vec![
        words(&[0]),
        int(7),
        words(&[1, 1]),
        words(&[3, 0]),
        words(&[0x1_0002, 1, 2]),
        words(&[0x1_0003, 1, 2]),
        words(&[9, 1, 2, 3]),
        string(b"text"),
        array(&[]),
        array(&[int(1), array(&[int(2), string(b"three")]), words(&[0])]),
        dict(&[("a", int(1)), ("b", dict(&[("c", array(&[int(4)]))]))]),
        int(8),
    ]
}

#[test]
fn elements_are_found_behind_all_that_is_plain() {
    let values = values();
    let bytes = array(&values);
    let places = starts(8, &values);
    let options = ReadOptions::new(Dialect::GODOT_4);
    let found = root(&bytes, options).as_array().unwrap();
    for (n, place) in places.into_iter().enumerate() {
        assert_eq!(nth(found, n), Some(place), "{n}");
    }
    let strict = root(&bytes, options.strict()).as_array().unwrap();
    assert_eq!(nth(strict, 1), None);
    // An object is not plain.
    let bytes = array(&[int(1), words(&[24 | 1 << 16, 7, 0]), int(2)]);
    let found = root(&bytes, options).as_array().unwrap();
    assert_eq!([0, 1, 2].map(|n| nth(found, n)), [Some(8), Some(16), None]);
}

#[test]
fn values_are_found_by_their_last_key() {
    let values = values();
    let keys = ["a", "b", "c", "d", "e", "f", "g", "h", "i", "j", "a", "k"];
    let pairs: Vec<_> = keys.into_iter().zip(values).collect();
    let bytes = dict(&pairs);
    let options = ReadOptions::new(Dialect::GODOT_4);
    let found = root(&bytes, options).as_dict().unwrap();
    for (n, (key, _)) in pairs.iter().enumerate().skip(1) {
        let parts: Vec<_> = pairs
            .iter()
            .flat_map(|(key, value)| [string(key.as_bytes()), value.clone()])
            .collect();
        let place = starts(8, &parts)[2 * n + 1];
        assert_eq!(find(found, key.as_bytes()), Some(Some(place)), "{key}");
    }
    assert_eq!(find(found, b"z"), Some(None));
    let strict = root(&bytes, options.strict()).as_dict().unwrap();
    assert_eq!(find(strict, b"a"), None);
    // A StringName may be the key, too.
    let bytes = [words(&[27, 1, 21]), string(b"a")[4..].to_vec(), int(1)].concat();
    let found = root(&bytes, options).as_dict().unwrap();
    assert_eq!(find(found, b"a"), Some(Some(bytes.len() - 8)));
}

#[test]
fn text_is_that_of_a_string() {
    let bytes = [int(1), string(b"abc")].concat();
    let behind = &b""[..];
    let found = text(&bytes[8..], Dialect::GODOT_4);
    assert_eq!(found, Some((&b"abc"[..], behind)));
    assert_eq!(text(&bytes, Dialect::GODOT_4), None);
    assert_eq!(text(&bytes[12..], Dialect::GODOT_4), None);
    assert_eq!(text(&words(&[4, 5, 0]), Dialect::GODOT_4), None);
}
