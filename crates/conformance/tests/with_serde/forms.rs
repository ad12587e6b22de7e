//! Enums in all of serde's forms, and types that serde buffers.

use std::collections::{BTreeMap, HashMap};

use gdvar::{
    Dialect, Document, Variant,
    math::{Vector2, Vector3},
    serde as gd, variant,
};
use serde::{Deserialize, Serialize};

use super::mapping::{Choice, Strict2, bytes, is, reads};

#[test]
fn enums() {
    is(Choice::A, &variant!("A"));
    is(Choice::B(1), &variant!({ "B": 1 }));
    is(Choice::C(1, 2), &variant!({ "C": [1, 2] }));
    is(Choice::D { x: 1 }, &variant!({ "D": { "x": 1 } }));
    reads(Choice::A, &Variant::StringName("A".into()));
    reads(Choice::A, &variant!({ "A": null }));
    let error = gd::from_slice::<Choice>(&bytes(&variant!("E"))).expect_err("no such variant");
    assert!(error.to_string().contains("unknown variant `E`"), "{error}");
}

#[derive(Serialize, Deserialize, PartialEq, Debug, Clone)]
#[serde(tag = "type")]
enum Internal {
    Move { to: Vector2<f32>, path: Vec<i32> },
    Stop,
}

#[derive(Serialize, Deserialize, PartialEq, Debug, Clone)]
#[serde(tag = "t", content = "c")]
enum Adjacent {
    Move(Vector3<f32>),
    Both(i32, String),
    Stop,
}

#[derive(Serialize, Deserialize, PartialEq, Debug, Clone)]
#[serde(untagged)]
enum Untagged {
    // A list of two numbers would be taken for a vector, too.
    Many(Vec<i64>),
    Place(Vector2<i32>),
    Named { name: String },
    Number(f64),
}

#[derive(Serialize, Deserialize, PartialEq, Debug)]
struct Flat {
    id: i32,
    #[serde(flatten)]
    role: Strict2,
    #[serde(flatten)]
    rest: BTreeMap<String, Vec<f64>>,
}

/// `flatten` fills maps of any number, bool or text, and a struct that flattens another one ignores such keys, as
/// structs without `flatten` do.
#[test]
fn flatten_takes_keys_that_are_no_text() {
    #[derive(Serialize, Deserialize, PartialEq, Debug)]
    struct Tiles<K: std::hash::Hash + Eq> {
        id: i64,
        #[serde(flatten)]
        cells: HashMap<K, String>,
    }
    fn one<K>(key: K, value: impl Into<Variant>)
    where
        K: Serialize + for<'de> Deserialize<'de> + std::hash::Hash + Eq + std::fmt::Debug,
    {
        let mut dict = gdvar::Dictionary::new();
        dict.insert("id", 1);
        dict.insert(value, "grass");
        let cells = HashMap::from([(key, "grass".to_owned())]);
        is(Tiles { id: 1, cells }, &dict.into());
    }
    one(5_i64, 5);
    one(-7_i32, -7);
    one(1_u8 << 7, 128);
    one(i64::MIN, i64::MIN);
    one(true, true);
    one("5".to_owned(), "5");

    #[derive(Deserialize, PartialEq, Debug)]
    struct Hero {
        #[serde(flatten)]
        stats: Stats,
    }
    #[derive(Deserialize, PartialEq, Debug)]
    struct Stats {
        hp: i64,
    }
    for key in [Variant::from(5), 2.5.into(), true.into(), Variant::Nil] {
        let mut dict = gdvar::Dictionary::new();
        dict.insert(key, "grass");
        dict.insert("hp", 80);
        let hero = Hero {
            stats: Stats { hp: 80 },
        };
        reads(hero, &dict.into());
    }
}

#[test]
fn serdes_other_forms() {
    let to = Vector2 { x: 1.0_f32, y: 2.0 };
    is(
        Internal::Move {
            to,
            path: vec![1, 2],
        },
        &variant!({ "type": "Move", "to": to, "path": [1, 2] }),
    );
    is(Internal::Stop, &variant!({ "type": "Stop" }));
    let to3 = Vector3 {
        x: 1.0_f32,
        y: 2.0,
        z: 3.0,
    };
    is(Adjacent::Move(to3), &variant!({ "t": "Move", "c": to3 }));
    reads(Adjacent::Move(to3), &variant!({ "c": to3, "t": "Move" }));
    is(
        Adjacent::Both(1, "a".into()),
        &variant!({ "t": "Both", "c": [1, "a"] }),
    );
    is(Adjacent::Stop, &variant!({ "t": "Stop" }));
    let place = Vector2 { x: 1, y: 2 };
    is(Untagged::Place(place), &variant!(place));
    is(Untagged::Many(vec![1, 2]), &variant!([1, 2]));
    is(
        Untagged::Named { name: "a".into() },
        &variant!({ "name": "a" }),
    );
    is(Untagged::Number(0.5), &variant!(0.5));
    let rest = BTreeMap::from([("list".to_owned(), vec![1.5]), ("none".to_owned(), vec![])]);
    let flat = Flat {
        id: 1,
        role: Strict2 { hp: 2, at: to },
        rest,
    };
    is(
        flat,
        &variant!({ "id": 1, "hp": 2, "at": to, "list": [1.5], "none": [] }),
    );
}

#[derive(Deserialize, Debug)]
#[serde(untagged)]
enum Floats {
    #[allow(dead_code)]
    Packed(#[serde(with = "gdvar::serde::packed")] Vec<f32>),
}

#[test]
fn anything() {
    let json: serde_json::Value = gd::from_slice(&bytes(&variant!({
        "a": [null, true, 1, 1.5],
        "pos": Vector2 { x: 1.0_f32, y: 2.0 },
        "all": Variant::packed([1, 2]),
    })))
    .unwrap();
    assert_eq!(
        json,
        serde_json::json!({
            "a": [null, true, 1, 1.5],
            "pos": { "type": "Vector2", "args": [1.0, 2.0] },
            "all": { "type": "PackedInt32Array", "args": [1, 2] },
        })
    );
    assert!(
        matches!(gd::from_slice::<Floats>(&bytes(&Variant::packed([1.0_f32]))), Ok(Floats::Packed(all)) if all == [1.0])
    );
}

/// serde reads these types from a copy of what it took, which knows no places: the place of the whole is kept, and
/// the message names what was wrong.
#[test]
fn errors_in_types_that_serde_buffers_have_a_path() {
    #[derive(Deserialize, Debug)]
    #[allow(dead_code)]
    struct Save {
        actions: Vec<Internal>,
        #[serde(default)]
        choices: HashMap<String, Untagged>,
        #[serde(default)]
        flat: Option<Flat>,
    }
    let move_to = |to: Variant| variant!({ "type": "Move", "to": (to), "path": [1] });
    let good = move_to(variant!(Vector2 { x: 1.0_f32, y: 2.0 }));
    let check = |save: Variant, path: &str, message: &str| {
        let bytes = bytes(&save);
        let error = gd::from_slice::<Save>(&bytes).expect_err("not what it wants");
        assert_eq!(error.path(), Some(path), "{error}");
        assert!(error.to_string().ends_with(message), "{error}");
        // The offset is where the value at the path begins.
        let document = Document::new(&bytes, Dialect::GODOT_4);
        let place = document
            .get(path.strip_prefix("$.").unwrap())
            .unwrap()
            .unwrap();
        assert_eq!(error.offset(), Some(place.offset()), "{error}");
    };
    check(
        variant!({ "actions": [(good.clone()), (move_to(variant!("home")))] }),
        "$.actions[1]",
        "expected Vector2, found the String \"home\"",
    );
    check(
        variant!({ "actions": [{ "type": "Fly" }] }),
        "$.actions[0].type",
        "unknown variant `Fly`, expected `Move` or `Stop`",
    );
    check(
        variant!({ "actions": [(good.clone()), { "type": "Move", "path": [1] }] }),
        "$.actions[1]",
        "the key `to` is missing; if it may be, mark the field with #[serde(default)] or make it an Option",
    );
    check(
        variant!({ "actions": [], "choices": { "a": 1.5, "b": true } }),
        "$.choices.b",
        "data did not match any variant of untagged enum Untagged",
    );
    let role = variant!({ "id": 1, "hp": "many", "at": Vector2 { x: 1.0_f32, y: 2.0 } });
    check(
        variant!({ "actions": [], "flat": (role) }),
        "$.flat",
        "expected i32, found the String \"many\"",
    );
}

/// An error inside a Variant field has the place and the category of the same error in any other field.
#[test]
fn errors_inside_a_variant_have_their_own_place() {
    let mut bytes = bytes(&variant!({ "v": { "deep": ["fine", "wrong"] } }));
    let at = bytes
        .windows(5)
        .position(|text| text == b"wrong")
        .expect("the text");
    bytes[at + 1] = 0xff;
    let lists =
        gd::from_slice::<HashMap<String, HashMap<String, Vec<String>>>>(&bytes).unwrap_err();
    let variants = gd::from_slice::<HashMap<String, Variant>>(&bytes).unwrap_err();
    assert_eq!(variants.offset(), lists.offset());
    assert_eq!(variants.category(), lists.category());
    assert_eq!(variants.to_string(), lists.to_string());
    let whole = gd::from_slice::<Variant>(&bytes).unwrap_err();
    assert_eq!(whole.offset(), lists.offset());
    assert_eq!(whole.to_string(), lists.to_string());
}
