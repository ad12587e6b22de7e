//! A `Variant` through every serde format, alone and inside of the types that serde copies first: it comes back to
//! the last bit, or it is an error.

use std::collections::BTreeMap;

use arbitrary::{Arbitrary, Unstructured};
use gdvar::{
    Array, Dialect, Dictionary, Objects, ReadOptions, Variant,
    math::Vector2,
    serde as gd,
    tree::{FullObject, Image, InputEvent, NodePath, Object, OwnedElementType, Signal},
    variant,
    write::{Precision, Target},
};
use gdvar_conformance::{alike::Random, vectors::ENGINES, vectors::vectors, with_big_stack};
use serde::{Deserialize, Serialize, de::DeserializeOwned};

#[derive(Serialize, Deserialize, PartialEq, Debug)]
struct Field {
    value: Variant,
    list: Vec<Variant>,
    map: BTreeMap<String, Variant>,
    none: Option<Variant>,
}

#[derive(Serialize, Deserialize, PartialEq, Debug)]
enum External {
    One(Variant),
    Two(i32, Variant),
    Named { value: Variant },
}

#[derive(Serialize, Deserialize, PartialEq, Debug)]
struct Flat {
    id: i32,
    #[serde(flatten)]
    rest: BTreeMap<String, Variant>,
}

#[derive(Serialize, Deserialize, PartialEq, Debug)]
#[serde(untagged)]
enum Untagged {
    Number { number: i32 },
    Value { value: Variant },
}

#[derive(Serialize, Deserialize, PartialEq, Debug)]
#[serde(untagged)]
enum Bare {
    Value(Variant),
}

#[derive(Serialize, Deserialize, PartialEq, Debug)]
#[serde(tag = "type")]
enum Internal {
    Value { value: Variant, n: i32 },
    Whole(Variant),
}

#[derive(Serialize, Deserialize, PartialEq, Debug)]
#[serde(tag = "t", content = "c")]
enum Adjacent {
    Value(Variant),
    Pair(i32, Variant),
}

/// The same enum with its content in front of its tag. serde keeps a copy of the content until it has read the
/// tag.
#[derive(Serialize)]
struct Turned<'v> {
    c: &'v Variant,
    t: &'static str,
}

/// A format that values are written to and read back from.
trait Format {
    const NAME: &'static str;
    /// `true` if the format stores the type of each value. Without that, serde cannot make a copy before it knows
    /// the type.
    const IS_SELF_DESCRIBING: bool = true;
    fn write<T: Serialize>(value: &T) -> Result<Vec<u8>, String>;
    fn read<T: DeserializeOwned>(bytes: &[u8]) -> Result<T, String>;
}

macro_rules! formats {
    ($($(#[$is:tt])? $format:ident: |$value:ident| $write:expr, |$bytes:ident| $read:expr;)*) => {$(
        struct $format;
        impl Format for $format {
            const NAME: &'static str = stringify!($format);
            $(const IS_SELF_DESCRIBING: bool = $is;)?
            fn write<T: Serialize>($value: &T) -> Result<Vec<u8>, String> {
                $write.map_err(|error| error.to_string())
            }
            fn read<T: DeserializeOwned>($bytes: &[u8]) -> Result<T, String> {
                $read.map_err(|error| error.to_string())
            }
        }
    )*};
}

fn godot4() -> ReadOptions {
    ReadOptions::new(Dialect::GODOT_4).with_objects(Objects::Inert)
}

formats! {
    Gdvar: |value| gd::to_vec(value), |bytes| gd::from_slice_with(bytes, godot4());
    Json: |value| serde_json::to_vec(value), |bytes| serde_json::from_slice(bytes);
    JsonTree: |value| serde_json::to_value(value).map(|tree| tree.to_string().into_bytes()),
        |bytes| serde_json::from_slice(bytes).and_then(serde_json::from_value);
    Positional: |value| rmp_serde::to_vec(value), |bytes| rmp_serde::from_slice(bytes);
    Named: |value| rmp_serde::to_vec_named(value), |bytes| rmp_serde::from_slice(bytes);
    Cbor: |value| {
        let mut bytes = Vec::new();
        ciborium::into_writer(value, &mut bytes).map(|()| bytes)
    }, |bytes| ciborium::from_reader(bytes);
    #[false]
    Postcard: |value| postcard::to_allocvec(value), |bytes| postcard::from_bytes(bytes);
}

/// How many values came back unchanged, and how many were refused.
#[derive(Default, Debug)]
struct Count {
    whole: u32,
    refused: u32,
}

impl Count {
    /// Writes a value and reads it back. Fails if another value comes back, and returns the error if it was
    /// refused.
    #[track_caller]
    fn add<F: Format, T>(&mut self, value: &T) -> Result<(), String>
    where
        T: Serialize + DeserializeOwned + PartialEq + std::fmt::Debug,
    {
        let done = F::write(value).and_then(|bytes| F::read::<T>(&bytes));
        match &done {
            Ok(again) => {
                assert_eq!(again, value, "{}", F::NAME);
                self.whole += 1;
            }
            Err(_) => self.refused += 1,
        }
        done.map(drop)
    }
}

/// Everything that serde reads in one pass.
fn direct<F: Format>(value: &Variant, count: &mut Count) {
    let who = |error: String| panic!("{}: {error}: {value:?}", F::NAME);
    let (one, two) = (value.clone(), value.clone());
    count.add::<F, _>(value).unwrap_or_else(who);
    let map = BTreeMap::from([("GodotInt".to_owned(), one.clone())]);
    let field = Field {
        value: one.clone(),
        list: vec![one, two.clone()],
        map,
        none: (!two.is_nil()).then_some(two),
    };
    count.add::<F, _>(&field).unwrap_or_else(who);
    for external in [
        External::One(value.clone()),
        External::Two(7, value.clone()),
        External::Named {
            value: value.clone(),
        },
    ] {
        count.add::<F, _>(&external).unwrap_or_else(who);
    }
}

/// Everything that serde copies first.
fn buffered<F: Format>(value: &Variant, count: &mut Count) -> Vec<Result<(), String>> {
    let own = || value.clone();
    let rest = BTreeMap::from([("a".to_owned(), own()), ("GodotInt".to_owned(), own())]);
    let mut all = vec![
        count.add::<F, _>(&Flat { id: 7, rest }),
        count.add::<F, _>(&Untagged::Value { value: own() }),
        count.add::<F, _>(&Bare::Value(own())),
        count.add::<F, _>(&Internal::Value { value: own(), n: 7 }),
        count.add::<F, _>(&Internal::Whole(own())),
    ];
    let turned = Turned {
        c: value,
        t: "Value",
    };
    let read = F::write(&turned).and_then(|bytes| F::read::<Adjacent>(&bytes));
    all.push(read.map(|read| assert_eq!(read, Adjacent::Value(own()), "{}", F::NAME)));
    all
}

/// All ways of a value through a format that is not gdvar's own.
fn foreign<F: Format>(value: &Variant, count: &mut Count) {
    direct::<F>(value, count);
    for adjacent in [
        Adjacent::Value(value.clone()),
        Adjacent::Pair(7, value.clone()),
    ] {
        let done = count.add::<F, _>(&adjacent);
        // postcard cannot even read the tag.
        assert_eq!(
            done.is_ok(),
            F::IS_SELF_DESCRIBING,
            "{}: {done:?}: {value:?}",
            F::NAME
        );
    }
    for done in buffered::<F>(value, count) {
        // ciborium reads the null of a variant without content as none: `Internal::Whole` of a null is refused.
        let is_refused = !F::IS_SELF_DESCRIBING
            || value.is_nil()
                && done
                    .as_ref()
                    .is_err_and(|error| error.contains("Option value"));
        assert_eq!(
            done.is_err(),
            is_refused,
            "{}: {done:?}: {value:?}",
            F::NAME
        );
    }
}

fn every_format(value: &Variant, count: &mut Count) {
    // Values that the engine itself would write differently, such as a null object, are left out.
    if value
        .to_vec(Target::GODOT_4)
        .is_ok_and(|bytes| Variant::from_slice_with(&bytes, godot4()).as_ref() == Ok(value))
    {
        direct::<Gdvar>(value, count);
        for done in buffered::<Gdvar>(value, count) {
            let error = done.expect_err("the copy has no types");
            let told = [
                "gdvar::Variant cannot be",
                // serde's own message, which it gives in place of the library's.
                "did not match any variant",
                // A path that cannot even be copied.
                "has no text",
                // What an empty String looks like after any other mistake.
                "as store_var and put_var write it",
            ];
            assert!(
                told.iter().any(|told| error.contains(told)),
                "{error}: {value:?}"
            );
        }
        // The tag comes first, so nothing is copied.
        for adjacent in [
            Adjacent::Value(value.clone()),
            Adjacent::Pair(7, value.clone()),
        ] {
            count.add::<Gdvar, _>(&adjacent).expect("read in one pass");
        }
    }
    foreign::<Json>(value, count);
    foreign::<JsonTree>(value, count);
    foreign::<Named>(value, count);
    foreign::<Cbor>(value, count);
    foreign::<Postcard>(value, count);
    direct::<Positional>(value, count);
}

/// Values that an encoder could take for something else.
fn odd() -> Vec<Variant> {
    let int = OwnedElementType::Builtin(gdvar::Kind::Int);
    let class = OwnedElementType::Class(Box::new("Node".into()));
    let script = OwnedElementType::Script(Box::new("res://a.gd".into()));
    let typed = |element: OwnedElementType, items: Vec<Variant>| {
        Variant::Array(Array::from(items).with_element_type(element))
    };
    let path = |names: &[&str], subnames: &[&str], absolute| {
        Variant::from(NodePath {
            names: names.iter().map(|&name| name.into()).collect(),
            subnames: subnames.iter().map(|&name| name.into()).collect(),
            absolute,
        })
    };
    let object = |properties: Vec<(gdvar::tree::Text, Variant)>| {
        Variant::from(FullObject {
            class: "Node".into(),
            properties,
        })
    };
    vec![
        Variant::Nil,
        Variant::Object(Object::Null),
        variant!("GodotNil"),
        variant!({ "GodotInt": 7 }),
        variant!({ "GodotTyped": [[], []] }),
        variant!({ "type": "Vector2", "args": [1, 2] }),
        variant!({ 1: null, "1": true, 1.0: [] }),
        typed(int.clone(), vec![]),
        typed(int.clone(), vec![variant!(7)]),
        typed(class.clone(), vec![]),
        typed(script.clone(), vec![Variant::Nil]),
        Variant::Dictionary(Dictionary::new().with_types(int.clone(), class)),
        Variant::Dictionary(
            Dictionary::from_pairs(vec![(variant!(1), variant!("a"))]).with_types(int, script),
        ),
        Variant::StringName("hard".into()),
        Variant::StringName("".into()),
        variant!(f64::NAN),
        variant!(f64::from_bits(0x7ff0_0000_0000_0001)),
        variant!(-f64::NAN),
        variant!(f64::INFINITY),
        variant!(f64::NEG_INFINITY),
        variant!(-0.0),
        variant!(0.1),
        variant!(5e-324),
        variant!(f64::MAX),
        variant!(i64::MIN),
        variant!(i64::MAX),
        // A signalling NaN of 32 bits; the number that two roundings make another.
        variant!(Vector2::new(f32::from_bits(0x7fa0_0001), -0.0)),
        variant!(Vector2::new(7.038_531e-26_f32, 0.1)),
        variant!(Vector2::new(0.1_f64, f64::NAN)),
        Variant::packed([f32::from_bits(0xffa0_0001), 7.038_531e-26]),
        Variant::packed([Vector2::new(0.1_f64, 1e300)]),
        Variant::packed([] as [Vector2<f64>; 0]),
        Variant::packed([0.1_f64, f64::NAN]),
        Variant::packed([0_u8, 255]),
        Variant::PackedStringArray(vec!["".into(), "a\"\\\n\u{7f}".into()]),
        path(&["a/b", ""], &[":"], false),
        path(&[], &[], true),
        path(&["root", "A"], &["b"], true),
        Variant::Rid(u64::MAX),
        Variant::Object(Object::Id(u64::MAX)),
        Variant::Callable,
        Variant::from(Signal {
            name: "s".into(),
            object_id: u64::MAX,
        }),
        object(vec![]),
        object(vec![
            ("hp".into(), variant!([1.5])),
            ("".into(), variant!(null)),
        ]),
        Variant::from(Image {
            format: 1,
            mipmaps: 2,
            width: 3,
            height: 4,
            data: vec![0, 255],
        }),
        Variant::from(InputEvent {
            kind: 1,
            device: -1,
            body: vec![9; 8],
        }),
        variant!("\u{feff}a\0b"),
    ]
}

#[test]
fn odd_values_survive_every_format_or_are_refused() {
    let mut count = Count::default();
    for value in odd() {
        every_format(&value, &mut count);
    }
    assert!(count.whole > 2000, "{count:?}");
}

#[test]
fn arbitrary_values_survive_every_format_or_are_refused() {
    with_big_stack(|| {
        let mut random = Random(7);
        let mut count = Count::default();
        for round in 0..1500 {
            let data: Vec<u8> = (0..round % 300)
                .map(|_| random.next_number() as u8)
                .collect();
            let value = Variant::arbitrary(&mut Unstructured::new(&data)).expect("it cannot fail");
            every_format(&value, &mut count);
        }
        assert!(count.whole > 90_000, "{count:?}");
    });
}

/// Values of every engine, odd kinds and texts among them.
#[test]
fn values_of_every_engine_survive_or_are_refused() {
    with_big_stack(|| {
        for engine in ENGINES {
            let (mut whole, mut refused) = (0, 0);
            for vector in vectors(engine) {
                let options = ReadOptions::new(engine.dialect).with_objects(Objects::Inert);
                let Ok(value) = gdvar_conformance::owned(&vector.bytes, options) else {
                    continue;
                };
                let who = format!("{} {}", engine.name, vector.id);
                let mut check = |name: &str, read: Result<Variant, String>| match read {
                    Ok(read) => {
                        assert_eq!(read, value, "{who} {name}");
                        whole += 1;
                    }
                    Err(error) => {
                        // Too deep, or what its own engine does not write again.
                        let target =
                            Target::from(engine.dialect).with_precision(Precision::AsGiven);
                        let written = value.to_vec(target);
                        let again = written.map(|bytes| Variant::from_slice_with(&bytes, options));
                        let is_deep =
                            vector.id.starts_with("depth") || error.contains("nested deeper");
                        assert!(
                            is_deep || again != Ok(Ok(value.clone())),
                            "{who} {name}: {error}"
                        );
                        refused += 1;
                    }
                };
                check(
                    "JSON",
                    Json::write(&value).and_then(|bytes| Json::read(&bytes)),
                );
                check(
                    "CBOR",
                    Cbor::write(&value).and_then(|bytes| Cbor::read(&bytes)),
                );
                check(
                    "MessagePack",
                    Named::write(&value).and_then(|bytes| Named::read(&bytes)),
                );
                check(
                    "postcard",
                    Postcard::write(&value).and_then(|bytes| Postcard::read(&bytes)),
                );
            }
            assert!(
                whole > 500 && refused < whole / 10,
                "{}: {whole}, {refused}",
                engine.name
            );
        }
    });
}

/// The documented form: the table at `Variant`'s `Deserialize`.
#[test]
fn the_form_in_other_formats() {
    for (value, json) in [
        (Variant::Nil, r#""GodotNil""#),
        (variant!(true), r#"{"GodotBool":true}"#),
        (variant!(-7), r#"{"GodotInt":-7}"#),
        (variant!(1.0), r#"{"GodotFloat":1.0}"#),
        (variant!("a"), r#"{"GodotString":"a"}"#),
        (
            variant!([1, Vector2::new(1.0_f32, 2.0)]),
            r#"{"GodotArray":[{"GodotInt":1},{"GodotText":"Vector2(1, 2)"}]}"#,
        ),
        (
            variant!({ "a": null }),
            r#"{"GodotDictionary":[{"GodotString":"a"},"GodotNil"]}"#,
        ),
        (
            Variant::Array(
                Array::from(vec![variant!(7)])
                    .with_element_type(OwnedElementType::Builtin(gdvar::Kind::Int)),
            ),
            r#"{"GodotTyped":[{"GodotText":"Array[int]([])"},[{"GodotInt":7}]]}"#,
        ),
        (Variant::StringName("a".into()), r#"{"GodotText":"&\"a\""}"#),
        (
            // var_to_bytes of a double-precision build.
            variant!(Vector2::new(0.5_f64, 0.0)),
            r#"{"GodotBytes":["godot4",[5,0,1,0,0,0,0,0,0,0,224,63,0,0,0,0,0,0,0,0]]}"#,
        ),
        (Variant::Object(Object::Null), r#""GodotNullObject""#),
    ] {
        assert_eq!(serde_json::to_string(&value).expect("JSON"), json);
        assert_eq!(
            serde_json::from_str::<Variant>(json).expect("the form"),
            value
        );
    }
    // MessagePack: {"GodotBytes": ["godot4", bin 12]}, the bytes of var_to_bytes.
    let packed = rmp_serde::to_vec(&variant!(Vector2::new(1.0_f32, 2.0))).expect("MessagePack");
    let expected = b"\x81\xaaGodotBytes\x92\xa6godot4\xc4\x0c\x05\0\0\0\0\0\x80\x3f\0\0\0\x40";
    assert_eq!(packed, expected);
    // postcard: the number of the variant, then the content.
    let int = postcard::to_allocvec(&variant!(-1)).expect("postcard");
    assert_eq!(int, [2, 1]);
}

/// A stranger's data is not a Variant, whatever it looks like.
#[test]
fn other_data_is_refused() {
    for json in [
        "null",
        "7",
        "[1]",
        r#""a""#,
        r#"{"a":1}"#,
        r#"{"Int":7}"#,
        r#"{"type":"Vector2","args":[1,2]}"#,
        r#"{"GodotInt":1.5}"#,
        r#"{"GodotInt":1,"GodotBool":true}"#,
        r#"{"GodotFloat":null}"#,
        r#"{"GodotNil":7}"#,
        r#"{"GodotDictionary":[{"GodotInt":1}]}"#,
        r#"{"GodotTyped":[{"GodotInt":1},[]]}"#,
        r#"{"GodotTyped":[{"GodotArray":[{"GodotInt":1}]},[{"GodotInt":1}]]}"#,
        r#"{"GodotText":"Vector2(1"}"#,
        r#"{"GodotText":"1 2"}"#,
        r#"{"GodotBytes":["godot4",[0,0,0,0,0,0,0,0]]}"#,
        r#"{"GodotBytes":["godot4",[2,0,0,0]]}"#,
        r#"{"GodotBytes":["godot9",[0,0,0,0]]}"#,
        r#"{"GodotBytes":["godot4",[256,0,0,0]]}"#,
    ] {
        assert!(serde_json::from_str::<Variant>(json).is_err(), "{json}");
        let tree = serde_json::from_str::<serde_json::Value>(json).expect("JSON");
        assert!(serde_json::from_value::<Variant>(tree).is_err(), "{json}");
    }
    assert!(postcard::from_bytes::<Variant>(&[11, 0]).is_err());
    // A count that lies buys nothing.
    let lie = b"\x81\xaaGodotArray\xdd\xff\xff\xff\xff";
    assert!(rmp_serde::from_slice::<Variant>(lie).is_err());
}

/// serde recurses, so depth is an error before it is a stack that overflows.
#[test]
fn depth_is_refused_on_both_ways() {
    let mut deep = variant!([]);
    for _ in 0..128 {
        deep = variant!([deep]);
    }
    with_big_stack(move || {
        let written = postcard::to_allocvec(&deep).expect("128 levels");
        assert_eq!(
            postcard::from_bytes::<Variant>(&written).as_ref(),
            Ok(&deep)
        );
        let bytes = gd::to_vec(&deep).expect("128 levels");
        assert_eq!(gd::from_slice::<Variant>(&bytes).expect("128 levels"), deep);
        let deeper = variant!([deep]);
        assert!(postcard::to_allocvec(&deeper).is_err());
        let error = gd::to_vec(&deeper).expect_err("129 levels");
        assert!(
            error.to_string().contains("nested deeper than 128"),
            "{error}"
        );
        // The number of GodotArray, a list of one.
        let bomb = [5, 1].repeat(100_000);
        assert!(postcard::from_bytes::<Variant>(&bomb).is_err());
    });
}
