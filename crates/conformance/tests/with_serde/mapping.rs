//! Every row of the table in `gdvar-serde`'s documentation, against values built by hand.

use std::{
    collections::{BTreeMap, HashMap},
    error::Error as _,
};

use gdvar::{
    Dialect, Document, Objects, ReadOptions, Variant,
    math::{Vector2, Vector3},
    serde::{self as gd, Category, RawVariant, StringName},
    variant,
    write::{Target, Writer},
};
use serde::{Deserialize, Serialize, de::DeserializeOwned};

pub(super) fn bytes(value: &Variant) -> Vec<u8> {
    value.to_vec(Target::GODOT_4).expect("a value of Godot 4")
}

/// Fails unless writing `value` gives `expected`, and reading `expected` gives `value`.
pub(super) fn is<T: Serialize + DeserializeOwned + PartialEq + std::fmt::Debug>(
    value: T,
    expected: &Variant,
) {
    let written = gd::to_vec(&value).expect("it can be written");
    assert_eq!(
        Variant::from_slice(&written, Dialect::GODOT_4).as_ref(),
        Ok(expected)
    );
    reads(value, expected);
}

/// Fails unless reading `from` gives `value`.
pub(super) fn reads<T: DeserializeOwned + PartialEq + std::fmt::Debug>(value: T, from: &Variant) {
    assert_eq!(
        gd::from_slice::<T>(&bytes(from)).expect("it can be read"),
        value
    );
}

pub(super) fn refuses<T: DeserializeOwned + std::fmt::Debug>(from: &Variant, message: &str) {
    let error = gd::from_slice::<T>(&bytes(from)).expect_err("it is something else");
    assert_eq!(error.to_string(), message);
}

#[derive(Serialize, Deserialize, PartialEq, Debug, Clone)]
struct Unit;

#[derive(Serialize, Deserialize, PartialEq, Debug, Clone)]
struct Meters(f64);

#[derive(Serialize, Deserialize, PartialEq, Debug, Clone)]
struct Pair(i32, bool);

#[derive(Serialize, Deserialize, PartialEq, Eq, PartialOrd, Ord, Hash, Debug, Clone)]
pub(super) enum Choice {
    A,
    B(i32),
    C(i32, i32),
    D { x: i32 },
}

#[test]
fn scalars() {
    is(true, &variant!(true));
    is(-5_i8, &variant!(-5));
    is(u32::MAX, &variant!(i64::from(u32::MAX)));
    is(i64::MIN, &variant!(i64::MIN));
    is(i64::MAX as u64, &variant!(i64::MAX));
    is(1.5_f32, &variant!(1.5));
    is(0.1_f64, &variant!(0.1));
    is('é', &variant!("é"));
    is(String::from("Ann"), &variant!("Ann"));
    is(Some(3), &variant!(3));
    is(None::<i32>, &variant!(null));
    is((), &variant!(null));
    is(Unit, &variant!(null));
    is(Meters(2.5), &variant!(2.5));
    is(
        serde_bytes::ByteBuf::from(vec![1, 2, 3]),
        &Variant::packed([1_u8, 2, 3]),
    );
    reads(3.0_f64, &variant!(3));
    reads(String::from("hard"), &Variant::StringName("hard".into()));
    reads(None::<i32>, &Variant::Object(gdvar::tree::Object::Null));
}

#[test]
fn numbers_that_godot_does_not_have() {
    let error = gd::to_vec(&u64::MAX).expect_err("too large");
    assert_eq!(error.category(), Category::Data);
    assert!(
        error
            .to_string()
            .contains("more than Godot's largest int, 9223372036854775807")
    );
    assert!(
        gd::to_vec(&1_i128)
            .expect_err("too wide")
            .to_string()
            .contains("64 bits, not 128")
    );
    assert!(
        gd::to_vec(&1_u128)
            .expect_err("too wide")
            .to_string()
            .contains("64 bits, not 128")
    );
    let error = gd::from_slice::<i128>(&bytes(&variant!(1))).expect_err("too wide");
    assert!(error.to_string().contains("64 bits, not 128"));
    refuses::<u8>(
        &variant!(300),
        "$, at byte 0x0: expected u8, found the int 300",
    );
    let error = gd::to_vec_with(&i64::MAX, Target::GODOT_2).expect_err("too wide");
    assert_eq!(error.category(), Category::Target);
}

#[test]
fn widths_follow_the_target() {
    assert_eq!(gd::to_vec(&7).unwrap().len(), 8);
    assert_eq!(gd::to_vec_with(&7, Target::GODOT_3_0).unwrap().len(), 12);
    assert_eq!(gd::to_vec(&0.5).unwrap().len(), 8);
    assert_eq!(gd::to_vec(&0.1).unwrap().len(), 12);
}

#[test]
fn containers() {
    is(vec![1, 2, 3], &variant!([1, 2, 3]));
    is((1, String::from("a"), true), &variant!([1, "a", true]));
    is(Pair(1, true), &variant!([1, true]));
    is(
        BTreeMap::from([(String::from("a"), 1)]),
        &variant!({ "a": 1 }),
    );
    is(
        BTreeMap::from([(-1, 'x'), (7, 'y')]),
        &variant!({ (-1): "x", 7: "y" }),
    );
    is(BTreeMap::from([(true, ())]), &variant!({ true: null }));
    is(BTreeMap::from([('a', 1.5)]), &variant!({ "a": 1.5 }));
    is(BTreeMap::from([(Choice::A, 1)]), &variant!({ "A": 1 }));
    is(
        BTreeMap::from([((1, 2), 3)]),
        &variant!({ (variant!([1, 2])): 3 }),
    );
    let floats = variant!({ 0.5: "half" });
    let read: Vec<(f64, String)> = gd::from_slice::<Pairs>(&bytes(&floats)).unwrap().0;
    assert_eq!(read, [(0.5, String::from("half"))]);
    refuses::<(i32, i32)>(
        &variant!([1, 2, 3]),
        "$, at byte 0x0: expected 2 elements or pairs, found 3",
    );
}

/// A map with keys that no map of std can have.
struct Pairs(Vec<(f64, String)>);

impl<'de> Deserialize<'de> for Pairs {
    fn deserialize<D: serde::Deserializer<'de>>(deserializer: D) -> Result<Self, D::Error> {
        struct All;
        impl<'de> serde::de::Visitor<'de> for All {
            type Value = Pairs;
            fn expecting(&self, f: &mut std::fmt::Formatter<'_>) -> std::fmt::Result {
                f.write_str("a map")
            }
            fn visit_map<A: serde::de::MapAccess<'de>>(
                self,
                mut map: A,
            ) -> Result<Pairs, A::Error> {
                let mut all = Vec::new();
                while let Some(pair) = map.next_entry()? {
                    all.push(pair);
                }
                Ok(Pairs(all))
            }
        }
        deserializer.deserialize_map(All)
    }
}

#[test]
fn sequences_come_from_packed_and_typed_arrays_but_not_from_vectors() {
    reads(vec![1.0_f32, 2.0], &Variant::packed([1.0_f32, 2.0]));
    reads(vec![1.0_f64, 2.0], &Variant::packed([1.0_f32, 2.0]));
    reads(vec![1_u8, 2], &Variant::packed([1_u8, 2]));
    reads(vec![1_i64, 2], &Variant::packed([1_i32, 2]));
    let texts = Variant::PackedStringArray(vec!["a".into(), "b".into()]);
    reads(vec![String::from("a"), String::from("b")], &texts);
    let points = vec![Vector2 { x: 1.0_f32, y: 2.0 }; 2];
    reads(points.clone(), &Variant::packed(points.clone()));
    // These would be written as Arrays.
    let bytes = Variant::packed(points.clone())
        .to_vec(Target::GODOT_4)
        .unwrap();
    assert!(gd::from_slice::<Vec<(f32, f32)>>(&bytes).is_err());
    let bytes = variant!(points[0]).to_vec(Target::GODOT_4).unwrap();
    assert!(gd::from_slice::<[f32; 2]>(&bytes).is_err());
    let mut writer = Writer::new(Vec::new(), Target::GODOT_4);
    let int = gdvar::write::ElementType::Builtin(gdvar::Kind::Int);
    writer.begin_typed_array(int, 2).unwrap();
    writer.int(1).unwrap();
    writer.int(2).unwrap();
    writer.end().unwrap();
    let typed = writer.finish().unwrap();
    assert_eq!(gd::from_slice::<Vec<i32>>(&typed).unwrap(), [1, 2]);
}

#[derive(Serialize, Deserialize, PartialEq, Debug, Clone, Default)]
#[serde(rename_all = "camelCase", deny_unknown_fields)]
struct Strict {
    max_hp: i32,
    #[serde(default, skip_serializing_if = "Option::is_none")]
    nick: Option<String>,
    #[serde(rename = "class", alias = "job")]
    role: String,
}

#[test]
fn structs() {
    let full = Strict {
        max_hp: 3,
        nick: Some("A".into()),
        role: "mage".into(),
    };
    is(
        full.clone(),
        &variant!({ "maxHp": 3, "nick": "A", "class": "mage" }),
    );
    is(
        Strict {
            nick: None,
            ..full.clone()
        },
        &variant!({ "maxHp": 3, "class": "mage" }),
    );
    reads(
        full.clone(),
        &variant!({ "job": "mage", "nick": "A", "maxHp": 3 }),
    );
    let names: Variant = [
        (Variant::StringName("class".into()), variant!("mage")),
        (Variant::StringName("nick".into()), variant!("A")),
        (variant!("maxHp"), variant!(3)),
    ]
    .into_iter()
    .collect();
    reads(full.clone(), &names);
    reads(full.clone(), &variant!([3, "A", "mage"]));
    refuses::<Strict>(
        &variant!({ "maxHp": 3, "hat": 1 }),
        "${1:key}, at byte 0x20: unknown field `hat`, expected one of `maxHp`, `nick`, `class`, `job`",
    );
    // An int is not a number of a field.
    let error =
        gd::from_slice::<Strict>(&bytes(&variant!({ 0: 3, 2: "mage" }))).expect_err("no names");
    assert!(
        error.to_string().contains("unknown field `the int 0`"),
        "{error}"
    );
    refuses::<Strict>(
        &variant!({ "maxHp": 3 }),
        "$, at byte 0x0: the key `class` is missing; if it may be, mark the field with #[serde(default)] or make it an Option",
    );
    // Both names of one field, in the order of serde's list of names.
    let error = gd::from_slice::<Strict>(&bytes(
        &variant!({ "maxHp": 3, "nick": "A", "class": "x", "job": "y" }),
    ));
    assert!(
        error
            .expect_err("twice")
            .to_string()
            .contains("occurs twice in the Dictionary")
    );
}

/// Types that serde copies first take typed arrays and StringNames too.
#[test]
fn copies_are_read_as_rust_types() {
    #[derive(Deserialize, PartialEq, Debug)]
    #[serde(tag = "type")]
    enum Packet {
        Bag { items: Vec<String>, owner: String },
    }
    let mut writer = Writer::new(Vec::new(), Target::GODOT_4);
    writer.begin_dict(3).unwrap();
    writer.string_name("type").unwrap();
    writer.string_name("Bag").unwrap();
    writer.string_name("items").unwrap();
    let element = gdvar::write::ElementType::Builtin(gdvar::Kind::String);
    writer.begin_typed_array(element, 1).unwrap();
    writer.string("sword").unwrap();
    writer.end().unwrap();
    writer.string("owner").unwrap();
    writer.string_name("Ann").unwrap();
    writer.end().unwrap();
    let packet: Packet = gd::from_slice(&writer.finish().unwrap()).unwrap();
    let expected = Packet::Bag {
        items: vec!["sword".into()],
        owner: "Ann".into(),
    };
    assert_eq!(packet, expected);
}

/// What does not fit the type is an error, not another number.
#[test]
fn floats_are_not_narrowed_in_silence() {
    // An f32 takes the nearest number, as everywhere in Rust; the type asks for it.
    reads(0.1_f32, &variant!(0.1));
    reads(f32::INFINITY, &variant!(f64::INFINITY));
    refuses::<f32>(
        &variant!(1e300),
        "$, at byte 0x0: expected a float that 32 bits can hold, found 1e300; use an f64 for the field",
    );
    let exact = (1_i64 << 53) + 1;
    reads(9_007_199_254_740_992.0_f64, &variant!(exact - 1));
    for int in [exact, i64::MAX, i64::MIN + 1] {
        let message = format!(
            "$, at byte 0x0: a float cannot hold the int {int} exactly; use an i64 for the field"
        );
        refuses::<f64>(&variant!(int), &message);
        refuses::<f32>(&variant!(int), &message);
    }
    reads(-9_223_372_036_854_775_808.0_f64, &variant!(i64::MIN));
    // Vectors of 64 bits, as builds with `precision=double` write them: exact, or an error.
    let wide = |x: f64| Vector3::<f64>::new(x, 0.0, -1.5);
    reads(Vector3::<f32>::new(0.5, 0.0, -1.5), &variant!(wide(0.5)));
    reads(wide(0.1), &variant!(wide(0.1)));
    for x in [0.1, 1e300] {
        let message = format!(
            "32 bits cannot hold the 64-bit real {x:?} exactly; ask for the type of f64, and narrow it with `map`"
        );
        refuses::<Vector3<f32>>(&variant!(wide(x)), &format!("$, at byte 0x0: {message}"));
        for bytes in [
            bytes(&variant!({ "path": Variant::packed([wide(0.5), wide(x)]) })),
            bytes(&variant!({ "path": [(wide(0.5)), (wide(x))] })),
        ] {
            let error = gd::from_slice::<HashMap<String, Vec<Vector3<f32>>>>(&bytes);
            assert!(error.unwrap_err().to_string().ends_with(&message));
        }
        #[derive(Deserialize, Debug)]
        #[allow(dead_code)]
        struct Packed {
            #[serde(with = "gdvar::serde::packed")]
            path: Vec<Vector3<f32>>,
        }
        let bytes = bytes(&variant!({ "path": Variant::packed([wide(x)]) }));
        let error = gd::from_slice::<Packed>(&bytes).unwrap_err();
        assert!(error.to_string().ends_with(&message), "{error}");
        // With its own copy of a value, serde would narrow a float without an error.
        #[derive(Deserialize, Debug)]
        #[serde(untagged)]
        #[allow(dead_code)]
        enum Copied {
            Place(Vector3<f32>),
            Wide(Vector3<f64>),
        }
        let bytes = self::bytes(&variant!(wide(x)));
        let copied: Copied = gd::from_slice(&bytes).unwrap();
        assert!(matches!(copied, Copied::Wide(place) if place == wide(x)));
    }
    reads(vec![0.1_f32], &Variant::packed([0.1_f64]));
    let error = gd::from_slice::<Vec<f32>>(&bytes(&Variant::packed([1e300_f64])));
    assert!(error.unwrap_err().to_string().contains("32 bits can hold"));
}

/// As with `serde_json`: a value takes all of the bytes.
#[derive(Serialize, Deserialize, PartialEq, Debug)]
pub(super) struct Strict2 {
    pub(super) hp: i32,
    pub(super) at: Vector2<f32>,
}

#[test]
fn bytes_after_the_value_are_refused_unless_asked_for() {
    for value in [
        variant!(7),
        variant!([1, 2]),
        variant!({ "a": 1 }),
        variant!(null),
    ] {
        let whole = bytes(&value);
        for (extra, message) in [
            (
                1,
                "1 byte follows the value; ReadWith::allow_trailing_bytes ignores them, as the engines do",
            ),
            (
                8,
                "8 bytes follow the value; ReadWith::allow_trailing_bytes ignores them, as the engines do",
            ),
        ] {
            let more = [&whole[..], &vec![0; extra]].concat();
            let expected = format!("$, at byte {:#x}: {message}", whole.len());
            let allowed = gd::ReadWith::from(Dialect::GODOT_4).allow_trailing_bytes();
            assert_eq!(
                gd::from_slice_with::<Variant>(&more, allowed).unwrap(),
                value
            );
            let errors = [
                gd::from_slice::<Variant>(&more).map(drop),
                gd::from_slice::<serde::de::IgnoredAny>(&more).map(drop),
                gd::from_slice::<serde_json::Value>(&more).map(drop),
                gd::from_slice::<RawVariant<'_>>(&more).map(drop),
                gd::from_slice::<std::marker::PhantomData<()>>(&more).map(drop),
                gd::from_slice_with::<Variant>(&more, Dialect::GODOT_4).map(drop),
                gd::from_slice_with::<Variant>(&more, ReadOptions::new(Dialect::GODOT_4)).map(drop),
                gd::from_reader::<_, Variant>(&more[..]).map(drop),
                gd::from_reader_with::<_, Variant>(&more[..], Dialect::GODOT_4).map(drop),
            ];
            for error in errors {
                let error = error.expect_err("more bytes");
                if error.to_string().contains("PhantomData") || error.category() == Category::Data {
                    continue;
                }
                assert_eq!(error.to_string(), expected);
                assert_eq!(error.category(), Category::Bytes);
            }
            assert!(gd::from_reader_with::<_, Variant>(&more[..], allowed).is_ok());
        }
    }
}

#[test]
fn objects_are_data() {
    let object = Variant::from(gdvar::tree::FullObject {
        class: "Node".into(),
        properties: vec![
            ("hp".into(), variant!(3)),
            ("at".into(), variant!(Vector2 { x: 1.0_f32, y: 2.0 })),
        ],
    });
    let bytes = bytes(&object);
    let error = gd::from_slice::<Strict2>(&bytes).expect_err("not let in");
    assert_eq!(error.category(), Category::Bytes);
    assert!(error.to_string().contains("Objects::Inert"), "{error}");
    let options = ReadOptions::new(Dialect::GODOT_4).with_objects(Objects::Inert);
    let read: Strict2 = gd::from_slice_with(&bytes, options).unwrap();
    assert_eq!(read.hp, 3);
    let map: HashMap<String, serde_json::Value> = gd::from_slice_with(&bytes, options).unwrap();
    assert_eq!(map["hp"], 3);
    let any: serde_json::Value = gd::from_slice_with(&bytes, options).unwrap();
    assert_eq!(any["args"][0], "Node");
    assert_eq!(any["args"][1]["hp"], 3);
    let read: Variant = gd::from_slice_with(&bytes, options).unwrap();
    assert_eq!(gd::to_vec(&read).unwrap(), bytes);
}

#[test]
fn a_raw_value_belongs_to_its_dialect() {
    let three = gd::to_vec_with(&vec![vec![1]], Dialect::GODOT_3).unwrap();
    let raw: RawVariant<'_> = gd::from_slice_with(&three, Dialect::GODOT_3).unwrap();
    assert_eq!(gd::to_vec_with(&raw, Dialect::GODOT_3).unwrap(), three);
    let error = gd::to_vec(&raw).expect_err("other numbers");
    assert!(
        error
            .to_string()
            .contains("was read as Godot 3 cannot be written for Godot 4"),
        "{error}"
    );
    let cut = &three[..three.len() - 4];
    assert!(gd::from_slice_with::<RawVariant<'_>>(cut, Dialect::GODOT_3).is_err());
    let first: Vec<RawVariant<'_>> = gd::from_slice_with(&three, Dialect::GODOT_3).unwrap();
    assert_eq!(first[0].get().as_array().unwrap().len(), 1);
}

#[test]
fn a_part_of_a_document() {
    let save = bytes(
        &variant!({ "players": [{ "hp": 1, "at": Vector2 { x: 1.0_f32, y: 2.0 } }, { "hp": true }] }),
    );
    let doc = Document::new(&save, Dialect::GODOT_4);
    let first = doc.get("players[0]").unwrap().unwrap();
    assert_eq!(gd::from_ref::<Strict2>(first).unwrap().hp, 1);
    let second = doc.get("players[1]").unwrap().unwrap();
    let error = gd::from_ref::<Strict2>(second).expect_err("a bool");
    assert_eq!(error.path(), Some("$.players[1].hp"));
    assert!(
        error
            .to_string()
            .ends_with("expected i32, found the bool true"),
        "{error}"
    );
}

#[test]
fn errors_of_writing_name_the_path() {
    #[derive(Serialize)]
    struct Save {
        units: Vec<BTreeMap<String, u64>>,
    }
    let save = Save {
        units: vec![BTreeMap::new(), BTreeMap::from([("gold".into(), u64::MAX)])],
    };
    let error = gd::to_vec(&save).expect_err("too large");
    assert_eq!(error.path(), Some("$.units[1].gold"));
    let error = gd::to_vec_with(&[(StringName("a"),)], Dialect::GODOT_3).expect_err("no such type");
    assert_eq!(
        error.to_string(),
        "$[0][0]: Godot 3 has no StringName that could be written here; choose another type or target"
    );
    let error = gd::to_vec(&Choice2::D { x: u64::MAX }).expect_err("too large");
    assert_eq!(error.path(), Some("$.D.x"));
    struct Full;
    impl std::io::Write for Full {
        fn write(&mut self, _: &[u8]) -> std::io::Result<usize> {
            Err(std::io::Error::other("the disk is full"))
        }
        fn flush(&mut self) -> std::io::Result<()> {
            Ok(())
        }
    }
    let error = gd::to_writer(Full, &1).expect_err("full");
    assert_eq!(error.category(), Category::Io);
    assert_eq!(
        told(&error),
        ["the output could not be written", "the disk is full"]
    );
    assert_eq!(std::io::Error::from(error).to_string(), "the disk is full");
    struct Gone;
    impl std::io::Read for Gone {
        fn read(&mut self, _: &mut [u8]) -> std::io::Result<usize> {
            Err(std::io::Error::other("the disk is gone"))
        }
    }
    let error = gd::from_reader::<_, i32>(Gone).expect_err("gone");
    assert_eq!(
        told(&error),
        ["the input could not be read", "the disk is gone"]
    );
    assert!(
        error
            .source()
            .is_some_and(|source| source.is::<std::io::Error>())
    );
    assert_eq!(std::io::Error::from(error).to_string(), "the disk is gone");
    // What is wrong with the bytes is in one message.
    let error = gd::from_slice::<i32>(&[2, 0, 0]).expect_err("cut");
    assert_eq!(told(&error).len(), 1, "{error}");
    let error = std::io::Error::from(error);
    assert_eq!(error.kind(), std::io::ErrorKind::InvalidData);
}

/// The error and its sources.
fn told(error: &gd::Error) -> Vec<String> {
    let first: &dyn std::error::Error = error;
    let all = std::iter::successors(Some(first), |&error| error.source());
    all.map(ToString::to_string).collect()
}

#[derive(Serialize)]
enum Choice2 {
    D { x: u64 },
}
