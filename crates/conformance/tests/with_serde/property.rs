//! A thousand random structs are written and read back, in every dialect and through JSON.

use std::collections::BTreeMap;

use arbitrary::{Arbitrary, Unstructured};
use gdvar::{
    Dialect, Variant,
    math::{Color, Vector2, Vector3},
    serde as gd,
};
use serde::{Deserialize, Serialize};

#[derive(Arbitrary, Serialize, Deserialize, PartialEq, Debug)]
struct World {
    version: u16,
    name: Name,
    units: Vec<Unit>,
    scores: BTreeMap<Name, i32>,
    by_id: BTreeMap<i32, (bool, Name)>,
    best: Option<Box<World>>,
    #[serde(flatten)]
    more: BTreeMap<Prefixed, Thing>,
}

#[derive(Arbitrary, Serialize, Deserialize, PartialEq, Debug)]
struct Unit {
    id: i32,
    hp: Float,
    small: Float,
    #[serde(default, skip_serializing_if = "Option::is_none")]
    nick: Option<Name>,
    pos: Place,
    kind: Thing,
    action: Action,
    #[serde(with = "gdvar::serde::packed")]
    ints: Vec<i32>,
    #[serde(with = "serde_bytes")]
    blob: Vec<u8>,
    pair: (i8, char2::Char),
    unit: (),
}

#[derive(Arbitrary, Serialize, Deserialize, PartialEq, Debug)]
enum Thing {
    Nothing,
    One(i32),
    Two(Name, bool),
    Named { x: i16, y: Option<i16> },
}

#[derive(Arbitrary, Serialize, Deserialize, PartialEq, Debug)]
#[serde(tag = "what")]
enum Action {
    Wait,
    Say { text: Name, loud: bool },
    Go { to: Place },
}

/// Text without a NUL or a byte order mark, which engines do not read.
#[derive(Serialize, Deserialize, PartialEq, Eq, PartialOrd, Ord, Debug)]
struct Name(String);

impl<'a> Arbitrary<'a> for Name {
    fn arbitrary(u: &mut Unstructured<'a>) -> arbitrary::Result<Self> {
        let text: String = u.arbitrary()?;
        Ok(Name(text.replace(['\0', '\u{feff}'], "x")))
    }
}

/// A key that no field has.
#[derive(Serialize, Deserialize, PartialEq, Eq, PartialOrd, Ord, Debug)]
struct Prefixed(String);

impl<'a> Arbitrary<'a> for Prefixed {
    fn arbitrary(u: &mut Unstructured<'a>) -> arbitrary::Result<Self> {
        Ok(Prefixed(format!("more {}", u8::arbitrary(u)?)))
    }
}

/// A float that every dialect and JSON keep.
#[derive(Serialize, Deserialize, PartialEq, Debug)]
struct Float(f32);

impl<'a> Arbitrary<'a> for Float {
    fn arbitrary(u: &mut Unstructured<'a>) -> arbitrary::Result<Self> {
        Ok(Float(f32::from(i16::arbitrary(u)?) / 8.0))
    }
}

#[derive(Serialize, Deserialize, PartialEq, Debug)]
struct Place {
    at: Vector2<f32>,
    look: Vector3<f32>,
    tint: Color<f32>,
}

impl<'a> Arbitrary<'a> for Place {
    fn arbitrary(u: &mut Unstructured<'a>) -> arbitrary::Result<Self> {
        let mut real = || -> arbitrary::Result<f32> { Ok(Float::arbitrary(u)?.0) };
        Ok(Place {
            at: Vector2 {
                x: real()?,
                y: real()?,
            },
            look: Vector3 {
                x: real()?,
                y: real()?,
                z: real()?,
            },
            tint: Color {
                r: real()?,
                g: real()?,
                b: 0.1,
                a: 1.0,
            },
        })
    }
}

mod char2 {
    use super::*;

    #[derive(Serialize, Deserialize, PartialEq, Debug)]
    pub(super) struct Char(char);

    impl<'a> Arbitrary<'a> for Char {
        fn arbitrary(u: &mut Unstructured<'a>) -> arbitrary::Result<Self> {
            let char = char::arbitrary(u)?;
            Ok(Char(if matches!(char, '\0' | '\u{feff}') {
                'x'
            } else {
                char
            }))
        }
    }
}

/// Numbers made of chance that are the same every time.
fn random(seed: u64, len: usize) -> Vec<u8> {
    let mut state = seed.wrapping_mul(0x9e37_79b9_7f4a_7c15) | 1;
    (0..len)
        .map(|_| {
            state ^= state << 13;
            state ^= state >> 7;
            state ^= state << 17;
            (state >> 32) as u8
        })
        .collect()
}

#[test]
fn a_thousand_structs_come_back_in_every_dialect() {
    let (mut bytes_seen, mut units) = (0, 0);
    for seed in 0..1000 {
        let chance = random(seed, 200 + 3 * seed as usize);
        let Ok(world) = World::arbitrary(&mut Unstructured::new(&chance)) else {
            continue;
        };
        units += world.units.len();
        for dialect in Dialect::ALL {
            let who = format!("{} {seed}", dialect.name());
            let bytes = gd::to_vec_with(&world, dialect).expect(&who);
            bytes_seen += bytes.len();
            assert_eq!(
                gd::from_slice_with::<World>(&bytes, dialect).expect(&who),
                world,
                "{who}"
            );
            let strict = gdvar::ReadOptions::new(dialect).strict();
            assert_eq!(
                gd::from_slice_with::<World>(&bytes, strict).expect(&who),
                world,
                "{who}"
            );
            let value: Variant = gd::from_slice_with(&bytes, dialect).expect(&who);
            assert_eq!(
                gd::to_vec_with(&value, dialect).expect(&who),
                bytes,
                "{who}"
            );
            let mut out = Vec::new();
            gd::to_writer_with(&mut out, &world, dialect).expect(&who);
            assert_eq!(out, bytes, "{who}");
        }
        let json = serde_json::to_string(&world).expect("JSON");
        assert_eq!(
            serde_json::from_str::<World>(&json).expect("the same"),
            world
        );
    }
    assert!(
        bytes_seen > 5_000_000 && units > 500,
        "{bytes_seen} bytes, {units} units"
    );
}
