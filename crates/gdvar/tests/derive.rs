//! `#[derive(Record)]`: what is read into structs, and the message if it does not fit.
#![cfg(feature = "derive")]

use std::{
    borrow::Cow,
    collections::{BTreeMap, HashMap},
};

use gdvar::{
    Dialect, Document, FromVariant, Record, Variant, error::GetError, record::MismatchKind, variant,
};

fn bytes(value: &Variant) -> Vec<u8> {
    value.to_vec(Dialect::GODOT_4).expect("it can be written")
}

fn read<'a, T: FromVariant<'a>>(bytes: &'a [u8]) -> Result<T, gdvar::record::Mismatch> {
    Document::new(bytes, Dialect::GODOT_4).root()?.read()
}

#[derive(Debug, PartialEq, Record)]
struct Item<'a> {
    name: &'a str,
    count: u8,
}

#[derive(Debug, PartialEq, Record)]
#[record(rename_all = "camelCase")]
struct Unit<'a> {
    id: u32,
    display_name: Cow<'a, str>,
    #[record(rename = "hp")]
    hit_points: f32,
    at: gdvar::math::Vector3<f32>,
    bag: Vec<Item<'a>>,
    #[record(default)]
    level: i16,
    #[record(default = "one")]
    scale: f64,
    boss: Option<bool>,
    #[record(skip)]
    seen: u64,
    r#type: String,
}

fn one() -> f64 {
    1.0
}

fn unit() -> Variant {
    variant!({
        "id": 7,
        "displayName": "Ann",
        "hp": 2.5,
        "at": gdvar::math::Vector3 { x: 1.0_f32, y: 2.0, z: 3.0 },
        "bag": [{ "name": "rope", "count": 2 }, { "count": 255, "name": "nail" }],
        "type": "hero",
    })
}

fn expected() -> Unit<'static> {
    Unit {
        id: 7,
        display_name: "Ann".into(),
        hit_points: 2.5,
        at: [1.0, 2.0, 3.0].into(),
        bag: vec![
            Item {
                name: "rope",
                count: 2,
            },
            Item {
                name: "nail",
                count: 255,
            },
        ],
        level: 0,
        scale: 1.0,
        boss: None,
        seen: 0,
        r#type: "hero".to_owned(),
    }
}

#[test]
fn fields_are_read_by_their_keys_in_any_order() {
    let save = unit();
    assert_eq!(read::<Unit<'_>>(&bytes(&save)), Ok(expected()));
    // Every order that begins with another field, with the optional ones, and with a key that no
    // field has.
    let mut pairs: Vec<(String, Variant)> = save
        .as_dict()
        .expect("a dictionary")
        .iter()
        .map(|(key, value)| (key.as_str().expect("text").to_owned(), value.clone()))
        .collect();
    pairs.push(("level".to_owned(), (-3).into()));
    pairs.push(("boss".to_owned(), true.into()));
    pairs.push(("unknown".to_owned(), unit()));
    for _ in 0..pairs.len() {
        pairs.rotate_left(1);
        let save: Variant = pairs.iter().cloned().collect::<gdvar::Dictionary>().into();
        let all = Unit {
            level: -3,
            boss: Some(true),
            ..expected()
        };
        assert_eq!(read::<Unit<'_>>(&bytes(&save)), Ok(all));
    }
}

#[test]
fn null_is_none_and_nothing_else() {
    let mut save = unit();
    save["boss"] = Variant::Nil;
    assert_eq!(read::<Unit<'_>>(&bytes(&save)), Ok(expected()));
    save["level"] = Variant::Nil;
    let wrong = read::<Unit<'_>>(&bytes(&save)).expect_err("a default is not for null");
    assert_eq!(wrong.key(), Some("level"));
    assert_eq!(
        wrong.kind(),
        MismatchKind::WrongKind {
            expected: gdvar::Kind::Int,
            found: gdvar::Kind::Nil
        }
    );
}

/// Returns the message about a field that does not fit, and its path.
#[track_caller]
fn said(save: &Variant) -> (String, String) {
    let bytes = bytes(save);
    let document = Document::new(&bytes, Dialect::GODOT_4);
    let wrong = document.get_as::<Vec<Unit<'_>>>("units");
    let Err(GetError::Type(wrong)) = wrong else {
        panic!("{wrong:?}");
    };
    let text = wrong.to_string();
    let (text, _) = text.rsplit_once(" at byte ").expect("a place");
    (text.to_owned(), document.locate(wrong.offset()).to_string())
}

#[test]
fn a_failure_names_key_path_and_reason() {
    let mut save = variant!({ "units": [unit(), unit()] });
    let path = "$.units[1].bag[0]";
    save["units"][1]["bag"][0]["count"] = 256.into();
    let too_large = "\"count\": the int 256 does not fit the type that was asked for";
    let place = format!("{path}.count");
    assert_eq!(said(&save), (too_large.to_owned(), place.clone()));
    save["units"][1]["bag"][0]["count"] = 2.0.into();
    let float = "\"count\": expected Int, found Float";
    assert_eq!(said(&save), (float.to_owned(), place));
    let bag = save["units"][1]["bag"][0].as_dict_mut().expect("one");
    bag.remove("count");
    let missing = "\"count\": the key is missing";
    assert_eq!(said(&save), (missing.to_owned(), path.to_owned()));
    save["units"][1] = 5.into();
    let none = "expected Dictionary, found Int";
    assert_eq!(said(&save), (none.to_owned(), "$.units[1]".to_owned()));
}

#[derive(Debug, PartialEq, Record)]
#[record(default)]
struct Options {
    volume: i32,
    names: Vec<String>,
    best: BTreeMap<String, i64>,
    cells: HashMap<i32, (bool, [i32; 2])>,
    #[record(skip)]
    kept: u8,
}

impl Default for Options {
    fn default() -> Options {
        Options {
            volume: 80,
            names: vec!["a".to_owned()],
            best: BTreeMap::new(),
            cells: HashMap::new(),
            kept: 9,
        }
    }
}

#[test]
fn missing_fields_are_those_of_the_default() {
    assert_eq!(read(&bytes(&variant!({}))), Ok(Options::default()));
    let save = variant!({
        "cells": { 4: [true, [1, 2]] },
        "best": { "Ann": 3, "Bob": 4 },
        "names": ["x", "y"],
    });
    let expected = Options {
        names: vec!["x".to_owned(), "y".to_owned()],
        best: [("Ann".to_owned(), 3), ("Bob".to_owned(), 4)].into(),
        cells: [(4, (true, [1, 2]))].into(),
        ..Options::default()
    };
    assert_eq!(read(&bytes(&save)), Ok(expected));
}

#[derive(Debug, PartialEq, Record)]
struct Pair<T, const N: usize> {
    left: T,
    right: [T; N],
}

/// A type that contains itself.
#[derive(Debug, PartialEq, Record)]
struct Node {
    children: Vec<Node>,
}

#[test]
fn types_with_parameters_and_types_in_themselves() {
    let save = bytes(&variant!({ "left": 1, "right": [2, 3] }));
    let pair = Pair {
        left: 1_i64,
        right: [2, 3],
    };
    assert_eq!(read(&save), Ok(pair));
    let mut nodes = variant!({ "children": [] });
    for levels in 1..200 {
        nodes = variant!({ "children": [nodes] });
        match read::<Node>(&bytes(&nodes)) {
            Ok(_) => assert!(levels < 32, "{levels}"),
            Err(wrong) => {
                let limit = gdvar::ErrorKind::DepthExceeded { limit: 64 };
                assert_eq!(wrong.kind(), MismatchKind::Unreadable(limit));
                assert!(levels >= 31, "{levels}");
            }
        }
    }
}

#[derive(Debug, PartialEq)]
struct Level(u8);

impl TryFrom<u8> for Level {
    type Error = ();

    fn try_from(level: u8) -> Result<Level, ()> {
        (level < 100).then_some(Level(level)).ok_or(())
    }
}

#[derive(Debug, PartialEq)]
enum Team {
    Red,
    Blue,
}

impl<'a> FromVariant<'a> for Team {
    fn from_variant(value: gdvar::VariantRef<'a>) -> Result<Self, gdvar::record::Mismatch> {
        match value.read()? {
            "red" => Ok(Team::Red),
            "blue" => Ok(Team::Blue),
            _ => Err(gdvar::record::Mismatch::refused(
                value,
                "there is no such team",
            )),
        }
    }
}

fn words(text: &str) -> Result<Vec<&str>, &'static str> {
    match text {
        "" => Err("there are no words"),
        text => Ok(text.split(' ').collect()),
    }
}

#[derive(Debug, PartialEq, Record)]
struct Member<'a> {
    #[record(try_from = "u8")]
    level: Level,
    #[record(try_from = "u8")]
    last: Option<Level>,
    #[record(with = "words", default)]
    tags: Vec<&'a str>,
    team: Team,
    rivals: Vec<Team>,
}

#[test]
fn fields_are_made_of_values_of_other_types() {
    let all = variant!({ "level": 7, "last": 6, "tags": "a b", "team": "blue", "rivals": ["red"] });
    let bytes = bytes(&all);
    let member = |level, last, tags: &[&'static str]| Member {
        level: Level(level),
        last,
        tags: tags.to_vec(),
        team: Team::Blue,
        rivals: vec![Team::Red],
    };
    assert_eq!(read(&bytes), Ok(member(7, Some(Level(6)), &["a", "b"])));
    let cases = [
        (
            variant!({ "rivals": ["red"], "team": "blue", "level": 7 }),
            Ok((None, &[][..])),
        ),
        (
            variant!({ "level": 7, "last": null, "tags": "x", "team": "blue", "rivals": ["red"] }),
            Ok((None, &["x"][..])),
        ),
        (
            variant!({ "level": 100, "team": "blue", "rivals": ["red"] }),
            Err("\"level\": the value is not a valid Level at byte 0x18"),
        ),
        (
            variant!({ "level": 256, "team": "blue", "rivals": ["red"] }),
            Err("\"level\": the int 256 does not fit the type that was asked for at byte 0x18"),
        ),
        (
            variant!({ "level": 7, "last": 100, "team": "blue", "rivals": ["red"] }),
            Err("\"last\": the value is not a valid Level at byte 0x2c"),
        ),
        (
            variant!({ "level": 7, "tags": "", "team": "blue", "rivals": ["red"] }),
            Err("\"tags\": there are no words at byte 0x2c"),
        ),
        (
            variant!({ "level": 7, "team": "teal", "rivals": ["red"] }),
            Err("\"team\": there is no such team at byte 0x2c"),
        ),
        (
            variant!({ "level": 7, "team": "blue", "rivals": ["red", 3] }),
            Err("\"rivals\": expected String, found Int at byte 0x5c"),
        ),
    ];
    for (value, expected) in cases {
        let bytes = self::bytes(&value);
        let read: Result<Member<'_>, String> = read(&bytes).map_err(|error| error.to_string());
        let expected = expected
            .map(|(last, tags)| member(7, last, tags))
            .map_err(str::to_owned);
        assert_eq!(read, expected);
    }
}

#[derive(Debug)]
struct Tree(Vec<Tree>);

impl<'a> FromVariant<'a> for Tree {
    fn from_variant(value: gdvar::VariantRef<'a>) -> Result<Self, gdvar::record::Mismatch> {
        value.read().map(Tree)
    }
}

/// A type of the caller that contains itself is read 64 levels deep, like a record, and in linear time.
#[test]
fn types_of_the_caller_do_not_recurse_without_limit() {
    fn depth(tree: &Tree) -> usize {
        1 + tree.0.first().map_or(0, depth)
    }
    let nested = |levels: usize, innermost: Variant| {
        bytes(&(0..levels).fold(innermost, |inner, _| variant!([inner])))
    };
    let tree: Tree = read(&nested(63, variant!([]))).unwrap();
    assert_eq!(depth(&tree), 64);
    for levels in [70, 500] {
        let deep = read::<Tree>(&nested(levels, variant!([]))).unwrap_err();
        let is_deep = |kind| {
            matches!(
                kind,
                MismatchKind::Unreadable(gdvar::ErrorKind::DepthExceeded { .. })
            )
        };
        assert!(is_deep(deep.kind()), "{deep}");
    }
    let wrong = read::<Tree>(&nested(60, variant!("x"))).unwrap_err();
    assert_eq!(
        wrong.to_string(),
        "expected Array, found String at byte 0x1e0"
    );
}
