//! A path through repeated keys leads to the same value, or to none, by every way of looking up: of equal keys the last
//! counts (`docs/FORMAT.md` §6, row 22), whatever values the others have.

use gdvar::{
    Dialect, Document, Objects, ReadOptions, Variant, VariantRef,
    index::Index,
    path::{Path, Pattern},
};
use gdvar_conformance::assembler::{Assembler, Column};
use serde_json::{Value, json};

/// A value of Godot 4 that tagged JSON describes.
fn value(tagged: &Value) -> Vec<u8> {
    Assembler::new(Column::G4).value(tagged).done()
}

fn int(n: i64) -> Value {
    json!({ "Int": n.to_string() })
}

/// Values of every form that a path can go into, none of them like another, and one that has nothing inside.
fn inner() -> Vec<Value> {
    let ints = |all: &[i64]| -> Value { all.iter().map(|n| int(*n)).collect() };
    let pair = |key: Value, n: i64| json!([key, int(n)]);
    vec![
        json!({ "Array": ints(&[5]) }),
        json!({ "Array": ints(&[5, 6]) }),
        json!({ "Array": [{ "Array": ints(&[1, 2, 3]) }, int(8)] }),
        json!({ "Array": [] }),
        json!({ "Dictionary": [pair(json!({ "String": "x" }), 9)] }),
        json!({ "Dictionary": [pair(int(1), 11), pair(json!({ "String": "x" }), 12)] }),
        json!({ "Dictionary": [] }),
        json!({ "PackedInt32Array": [7, 8] }),
        json!({ "String": "x" }),
        int(3),
        json!({ "Nil": null }),
    ]
}

const STEPS: [&str; 8] = ["", "[0]", "[1]", "[-1]", ".x", "[0][2]", "[0][-3]", "[1].x"];

fn number(found: Option<VariantRef<'_>>) -> Option<(usize, Option<i64>)> {
    found.map(|value| (value.offset(), value.as_i64()))
}

/// A Dictionary has two values under one key, or an object has two under one name. Every look-up sees only the last of
/// them.
#[test]
fn every_way_of_looking_up_takes_the_last_of_repeated_keys() {
    let inner = inner();
    for first in &inner {
        for last in &inner {
            let (one, two) = (value(first), value(last));
            let key = value(&json!({ "String": "k" }));
            let name = || Assembler::new(Column::G4).field(b"k").done();
            let start = Assembler::new(Column::G4);
            let dict = start.clone().header("Dictionary", 0).word(2).done();
            let dict = [dict, key.clone(), one.clone(), key, two.clone()].concat();
            let object = start.header("Object", 0).field(b"Node").word(2).done();
            let object = [object, name(), one, name(), two].concat();
            for whole in [dict, object] {
                for steps in STEPS {
                    look_up(&whole, steps, &value(last));
                }
            }
        }
    }
}

/// Looks `k` with these steps up in every way; `last` is the value that `k` leads to.
fn look_up(whole: &[u8], steps: &str, last: &[u8]) {
    let options = ReadOptions::new(Dialect::GODOT_4).with_objects(Objects::Inert);
    let document = Document::with_options(whole, options);
    let path = format!("k{steps}");
    // In the last value alone no key is repeated, so that nothing depends on which one counts.
    let start = whole.len() - last.len();
    let alone = Document::with_options(last, options);
    let expected = number(alone.get(&format!("${steps}")).expect("in order"));
    let expected = expected.map(|(at, int)| (at + start, int));
    let parsed = Path::parse(&path).expect("a path");
    let who = |way: &str| format!("{path} by {way}");

    let found = document.get(&path).expect("in order");
    assert_eq!(number(found), expected, "{}", who("Document::get"));
    let root = document.root().expect("in order");
    let mut taken = Some(root);
    for &step in parsed.steps() {
        taken = taken.and_then(|value| value.take_step(step).expect("in order"));
    }
    assert_eq!(number(taken), expected, "{}", who("take_step"));
    let mut index = Index::build(document).expect("in order");
    for way in ["Index", "sorted Index"] {
        let found = index.open(document).expect("its own").get_path(&parsed);
        let found = found.map(|found| found.into_inner());
        assert_eq!(number(found), expected, "{}", who(way));
        index.sort_keys(document).expect("its own");
    }
    let tree = Variant::from_ref(root).expect("in order");
    let in_tree = tree.get_path(&parsed).expect("a path").cloned();
    let alone = found.map(|found| Variant::from_ref(found).expect("in order"));
    assert_eq!(in_tree, alone, "{}", who("Variant"));
    let pattern = Pattern::from(parsed);
    let mut selected = root.select(&pattern);
    let selected = selected.try_next().expect("in order");
    let selected = selected.and_then(|found| found.value());
    assert_eq!(number(selected), expected, "{}", who("select"));
}

/// A double and the single nearest to it are two keys. Both are found by the path that is told of them, and
/// the digits alone lead to the double, wherever it stands.
#[test]
fn a_float_and_the_single_nearest_to_it_are_told_apart() {
    let key =
        |float: f64| value(&json!({ "Float": { "bits": format!("{:016x}", float.to_bits()) } }));
    let (double, single) = (key(0.1), key(f64::from(0.1_f32)));
    for keys in [[&double, &single], [&single, &double]] {
        let start = Assembler::new(Column::G4)
            .header("Dictionary", 0)
            .word(2)
            .done();
        let mut bytes = start;
        for (n, key) in keys.into_iter().enumerate() {
            bytes.extend(key);
            bytes.extend(value(&int(n as i64)));
        }
        let document = Document::new(&bytes, Dialect::GODOT_4);
        let of_double = i64::from(keys[1] == &double);
        let found = |path: &str| {
            document
                .get(path)
                .expect("in order")
                .and_then(VariantRef::as_i64)
        };
        assert_eq!(found("[0.1]"), Some(of_double));
        let every = Pattern::parse("[*]").expect("a pattern");
        let mut select = document.root().expect("in order").select(&every);
        for n in 0..2 {
            let value = select.try_next().expect("in order").expect("two");
            assert_eq!(value.value().and_then(VariantRef::as_i64), Some(n));
            let path = select.path().to_string();
            assert_eq!(found(&path), Some(n), "{path}");
            let tree = Variant::from_slice(&bytes, Dialect::GODOT_4).expect("in order");
            let in_tree = tree.get_path(path.as_str()).expect("a path");
            assert_eq!(in_tree.and_then(Variant::as_i64), Some(n), "{path}");
        }
        // Alone the single is found by the digits that people type.
        let alone = [&bytes[..4], &[1, 0, 0, 0], &single, &value(&int(7))].concat();
        let found = Document::new(&alone, Dialect::GODOT_4).get("[0.1]");
        assert_eq!(
            found.expect("in order").and_then(VariantRef::as_i64),
            Some(7)
        );
    }
}
