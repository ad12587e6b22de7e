//! W1: a save as games write it, a long array of dictionaries with the same keys.

use serde::{Deserialize, Serialize};

use super::{Size, Tree};
use crate::{
    encode,
    model::{Pair, Value},
    random::Random,
};

/// One record of W1 as a Rust struct, for typed formats and for writers.
#[derive(Clone, Debug, PartialEq, Serialize, Deserialize, rkyv::Archive, rkyv::Serialize)]
pub(crate) struct Entity {
    pub(crate) id: i32,
    pub(crate) name: String,
    pub(crate) hp: f64,
    pub(crate) pos: [f32; 3],
    pub(crate) alive: bool,
    pub(crate) level: i32,
    pub(crate) items: (String, i32, i32),
    pub(crate) gold: i32,
}

/// The records of W1: 1 000 or 300 000.
pub(crate) fn entities(size: Size) -> Vec<Entity> {
    let mut random = Random::new(0x5eed_0001);
    let count = size.pick(1_000, 300_000);
    (0..count).map(|id| entity(id, &mut random)).collect()
}

/// The records of W1 as they are written: 400 at a time.
pub(crate) fn batches(size: Size) -> Vec<Vec<Entity>> {
    entities(size).chunks(400).map(<[_]>::to_vec).collect()
}

fn entity(id: i32, random: &mut Random) -> Entity {
    const ITEMS: [&str; 8] = [
        "sword", "shield", "potion", "bow", "arrows", "torch", "rope", "map",
    ];
    let accents = random.one_in(50);
    let chars = random.between(8, 18) as usize;
    Entity {
        id,
        name: random.text(chars, accents),
        // Two decimals: one in 25 fits an f32 and so is shorter on the wire.
        hp: random.between(0, 100_000) as f64 / 100.0,
        pos: [
            random.coordinate(),
            random.coordinate(),
            random.coordinate(),
        ],
        alive: !random.one_in(3),
        level: random.between(1, 99) as i32,
        items: (
            (*random.pick(&ITEMS)).to_owned(),
            random.between(1, 64) as i32,
            random.between(0, 999) as i32,
        ),
        gold: random.between(0, 2_000_000) as i32,
    }
}

impl Entity {
    /// The record as a dictionary.
    pub(crate) fn value(&self) -> Value {
        let (item, count, quality) = &self.items;
        self.with_items(Value::Array(vec![
            Value::text(item),
            Value::Int((*count).into()),
            Value::Int((*quality).into()),
        ]))
    }

    /// The record without an array, for what cannot read one.
    fn flat_value(&self) -> Value {
        let (item, count, quality) = &self.items;
        self.with_items(Value::dict([
            ("item", Value::text(item)),
            ("count", Value::Int((*count).into())),
            ("quality", Value::Int((*quality).into())),
        ]))
    }

    fn with_items(&self, items: Value) -> Value {
        Value::dict([
            ("id", Value::Int(self.id.into())),
            ("name", Value::text(&self.name)),
            ("hp", Value::Float(self.hp)),
            ("pos", Value::Vector3(self.pos)),
            ("alive", Value::Bool(self.alive)),
            ("level", Value::Int(self.level.into())),
            ("items", items),
            ("gold", Value::Int(self.gold.into())),
        ])
    }
}

/// W1: the records and a small `player` behind them.
pub(crate) fn save(entities: &[Entity]) -> Tree {
    let slot = |n| Value::dict([("item", Value::text("potion")), ("count", Value::Int(n))]);
    let player = Value::dict([
        ("name", Value::text("Ann")),
        ("level", Value::Int(12)),
        (
            "inventory",
            Value::dict([
                ("gold", Value::Int(250)),
                ("slots", Value::Array((1..=6).map(slot).collect())),
            ]),
        ),
    ]);
    let entities = entities.iter().map(Entity::value).collect();
    let value = Value::dict([("entities", Value::Array(entities)), ("player", player)]);
    Tree::new("W1", "a save: dictionaries with eight fixed keys", value)
}

/// W1f: 1 000 or 20 000 records of W1 without arrays, for godot-binary-serialization.
pub(crate) fn flat_save(size: Size, entities: &[Entity]) -> Tree {
    let pair = |entity: &Entity| Pair {
        key: format!("e{}", entity.id),
        value: entity.flat_value(),
    };
    let count = size.pick(1_000, 20_000);
    let value = Value::Dict(entities.iter().take(count).map(pair).collect());
    Tree::new("W1f", "W1's records without arrays", value)
}

/// W1n: 1 000 or 20 000 records of W1 with what the packages of npm read and write right, in the
/// bytes of Godot 3. No Vector3, which one of them writes as something else; no arrays in
/// records, behind which the other loses its place; floats of 32 bits that are not whole, because
/// JavaScript has one kind of number.
pub(crate) fn plain_save(size: Size) -> Tree {
    let record = |entity: &Entity| {
        let quarters = (entity.hp as i64 * 4) | 1;
        let hp = quarters as f64 / 4.0;
        let mut value = Entity {
            hp,
            ..entity.clone()
        }
        .flat_value();
        if let Value::Dict(pairs) = &mut value {
            pairs.retain(|pair| pair.key != "pos");
        }
        value
    };
    let count = size.pick(1_000, 20_000);
    let records = entities(size).iter().take(count).map(record).collect();
    let title = "W1's records as packages of npm can write them, in Godot 3's bytes";
    Tree::of("W1n", title, Value::Array(records), encode::GODOT_3)
}
