//! S4 and S3: a save as a game writes it, in the bytes of Godot 4 and of Godot 3.
//!
//! Dictionaries in dictionaries with fields that come and go in no fixed order, StringNames as keys
//! and values, typed arrays and dictionaries, vectors, transforms, colors, node paths, null, and texts
//! of 3 to 300 characters. Godot 3 has no StringName on the wire, no Vector2i and no typed
//! containers: it gets Strings, Vector2 and untyped ones.

use super::{Size, Tree};
use crate::{
    encode,
    model::{Pair, Value, types},
    random::Random,
};

/// The engine that wrote the bytes.
#[derive(Clone, Copy, PartialEq, Eq, Debug)]
pub(crate) enum Engine {
    /// Godot 4.
    Four,
    /// Godot 3.
    Three,
}

/// The save: 1 000 or 125 000 actors, about 1 or 129 MB.
pub(crate) fn realistic(size: Size, engine: Engine) -> Tree {
    let mut writer = Game {
        random: Random::new(0x5eed_005a),
        engine,
    };
    let value = writer.save(size.pick(1_000, 125_000));
    match engine {
        Engine::Four => {
            let title =
                "a realistic save of Godot 4: StringNames, optional fields, typed containers";
            Tree::of("S4", title, value, encode::GODOT_4)
        }
        Engine::Three => {
            let title = "the realistic save as Godot 3 writes it: Strings, untyped containers";
            Tree::of("S3", title, value, encode::GODOT_3)
        }
    }
}

const KINDS: [&str; 9] = [
    "goblin",
    "villager",
    "merchant",
    "wolf",
    "knight",
    "skeleton_archer",
    "door",
    "chest",
    "boss_dragon",
];
const STATES: [&str; 6] = ["idle", "patrol", "flee", "attack", "sleep", "talk"];
const ITEMS: [&str; 12] = [
    "sword",
    "bow",
    "arrow",
    "potion_small",
    "potion_large",
    "key_cellar",
    "map",
    "torch",
    "rope",
    "coin",
    "iron_ingot",
    "letter_from_the_king",
];
const EFFECTS: [&str; 6] = [
    "poison",
    "haste",
    "burning",
    "blessed",
    "stunned",
    "invisible",
];
const STATS: [&str; 8] = [
    "strength",
    "agility",
    "wit",
    "luck",
    "charm",
    "endurance",
    "perception",
    "faith",
];
const NODES: [&str; 7] = [
    "World", "Village", "Cellar", "Actors", "Doors", "Player", "Camera3D",
];

/// Makes the values of the save.
struct Game {
    random: Random,
    engine: Engine,
}

impl Game {
    fn save(&mut self, actors: usize) -> Value {
        let header = named([
            ("version", Value::Int(7)),
            ("game", self.name(&["lantern"])),
            ("saved_at", Value::Int(1_732_320_000_123)),
            ("played", Value::Float(48_213.25)),
            ("title", self.text(12, 40)),
            ("difficulty", self.name(&["easy", "normal", "hard"])),
            ("screenshot", Value::Nil),
        ]);
        let player = self.actor(0);
        let options = Value::dict([
            ("music", Value::Float(0.8)),
            ("sound", Value::Float(1.0)),
            ("fullscreen", Value::Bool(true)),
            ("language", Value::text("pt_BR")),
        ]);
        let all = (1..=actors).map(|id| self.actor(id)).collect();
        let quests = (0..actors / 20).map(|id| self.quest(id)).collect();
        let regions = (0..actors / 50).map(|id| self.region(id)).collect();
        let journal = (0..actors / 4).map(|_| self.text(20, 300)).collect();
        named([
            ("header", header),
            ("player", player),
            ("options", options),
            ("actors", Value::Array(all)),
            ("quests", Value::Named(quests)),
            ("regions", Value::TypedArray(types::DICTIONARY, regions)),
            ("journal", Value::TypedArray(types::STRING, journal)),
        ])
    }

    fn actor(&mut self, id: usize) -> Value {
        let mut fields = vec![
            pair("id", Value::Int(id as i64)),
            pair("kind", self.name(&KINDS)),
            pair("name", self.text(4, 24)),
            pair("cell", self.cell()),
            pair("hp", self.number(100_000)),
            pair("alive", Value::Bool(!self.random.one_in(6))),
            pair("state", self.name(&STATES)),
            pair("inventory", self.inventory()),
        ];
        if self.random.one_in(2) {
            fields.push(pair("transform", self.transform()));
        }
        if self.random.one_in(4) {
            fields.push(pair("tint", self.color()));
        }
        if self.random.one_in(3) {
            fields.push(pair("home", self.path()));
        }
        if self.random.one_in(2) {
            let target = match self.random.one_in(3) {
                true => Value::Nil,
                false => Value::Int(self.random.between(1, 125_000)),
            };
            fields.push(pair("target", target));
        }
        if self.random.one_in(2) {
            let tags = self.several(5, |game| game.name(&EFFECTS));
            fields.push(pair("tags", Value::TypedArray(types::STRING_NAME, tags)));
        }
        if !self.random.one_in(3) {
            fields.push(pair("stats", self.stats()));
        }
        if self.random.one_in(3) {
            let route = self.several(9, Game::cell);
            fields.push(pair("route", Value::TypedArray(types::VECTOR2I, route)));
        }
        if self.random.one_in(2) {
            let effects = self.several(3, Game::effect);
            fields.push(pair("effects", Value::Array(effects)));
        }
        if self.random.one_in(3) {
            fields.push(pair("equipment", self.equipment()));
        }
        if self.random.one_in(3) {
            fields.push(pair("notes", self.text(3, 300)));
        }
        if self.random.one_in(4) {
            let seen = self.several(8, |game| Value::Int(game.random.between(1, 125_000)));
            fields.push(pair("seen", Value::TypedArray(types::INT, seen)));
        }
        // Fields that were set one after the other stand in the order in which that happened.
        if self.random.one_in(3) {
            for n in (2..fields.len()).rev() {
                let other = self.random.between(1, n as i64) as usize;
                fields.swap(n, other);
            }
        }
        Value::Named(fields)
    }

    fn inventory(&mut self) -> Value {
        let items = self.several(6, |game| {
            let mut fields = vec![
                pair("item", game.name(&ITEMS)),
                pair("count", Value::Int(game.random.between(1, 99))),
            ];
            if game.random.one_in(3) {
                fields.push(pair("wear", game.number(100)));
            }
            if game.random.one_in(8) {
                fields.push(pair("label", game.text(3, 30)));
            }
            Value::Named(fields)
        });
        Value::Array(items)
    }

    fn equipment(&mut self) -> Value {
        let slots = ["head", "body", "hand_left", "hand_right"].map(|slot| {
            let item = match self.random.one_in(2) {
                true => Value::Nil,
                false => self.name(&ITEMS),
            };
            pair(slot, item)
        });
        Value::Named(slots.into())
    }

    fn effect(&mut self) -> Value {
        named([
            ("effect", self.name(&EFFECTS)),
            ("left", self.number(30_000)),
            ("by", Value::Int(self.random.between(1, 125_000))),
        ])
    }

    fn stats(&mut self) -> Value {
        let first = self.random.below(4);
        let len = self.random.between(2, 4) as usize;
        let stats = STATS[first..first + len].iter().map(|stat| {
            let value = Value::Int(self.random.between(1, 20));
            pair(stat, value)
        });
        Value::TypedDict([types::STRING_NAME, types::INT], stats.collect())
    }

    fn quest(&mut self, id: usize) -> Pair {
        let steps = self.several(6, |game| {
            named([
                ("done", Value::Bool(game.random.one_in(2))),
                ("text", game.text(10, 120)),
                ("at", game.cell()),
            ])
        });
        let chances = ["win", "lose", "draw"].map(|key| pair(key, self.number(100)));
        let quest = named([
            ("state", self.name(&["open", "done", "failed"])),
            ("giver", self.path()),
            ("steps", Value::TypedArray(types::DICTIONARY, steps)),
            (
                "chances",
                Value::TypedDict([types::STRING, types::FLOAT], chances.into()),
            ),
            ("reward", self.inventory()),
        ]);
        pair(&format!("quest_{id:04}"), quest)
    }

    fn region(&mut self, id: usize) -> Value {
        let len = self.random.between(16, 96) as usize;
        let fog = (0..len).map(|_| self.random.bits() as u8).collect();
        let light = (0..8).map(|_| self.random.coordinate()).collect();
        let doors = self.several(6, |game| Value::Bool(game.random.one_in(2)));
        let doors = doors.into_iter().enumerate();
        let doors = doors.map(|(n, open)| pair(&format!("door_{n}"), open));
        named([
            ("id", Value::Int(id as i64)),
            ("fog", Value::Bytes(fog)),
            ("light", Value::Floats(light)),
            ("doors", Value::Dict(doors.collect())),
            ("sky", self.color()),
        ])
    }

    fn several(&mut self, most: i64, mut one: impl FnMut(&mut Game) -> Value) -> Vec<Value> {
        let len = self.random.between(0, most);
        (0..len).map(|_| one(self)).collect()
    }

    fn name(&mut self, names: &[&str]) -> Value {
        Value::Name((*self.random.pick(names)).to_owned())
    }

    /// Most texts are short.
    fn text(&mut self, from: i64, to: i64) -> Value {
        let most = match self.random.one_in(4) {
            true => to,
            false => from + (to - from) / 4,
        };
        let mut left = self.random.between(from, most) as usize;
        let accents = self.random.one_in(5);
        let mut text = String::new();
        while left > 0 {
            let part = left.min(100);
            text.push_str(&self.random.text(part, accents));
            left -= part;
        }
        Value::Text(text)
    }

    fn number(&mut self, most: i64) -> Value {
        Value::Float(self.random.between(0, most) as f64 / 100.0)
    }

    fn cell(&mut self) -> Value {
        let [x, y] = [(); 2].map(|()| self.random.between(-512, 512) as i32);
        match self.engine {
            Engine::Four => Value::Vector2i([x, y]),
            Engine::Three => Value::Vector2([x as f32, y as f32]),
        }
    }

    fn transform(&mut self) -> Value {
        Value::Transform(Box::new([(); 12].map(|()| self.random.coordinate())))
    }

    fn color(&mut self) -> Value {
        let color = [(); 4].map(|()| self.random.between(0, 256) as f32 / 256.0);
        Value::Color(Box::new(color))
    }

    fn path(&mut self) -> Value {
        let mut path = String::from("/root");
        for _ in 0..self.random.between(1, 3) {
            path.push('/');
            path.push_str(self.random.pick::<&str>(&NODES));
        }
        if self.random.one_in(4) {
            path.push_str(":position");
        }
        Value::Path(path)
    }
}

fn pair(key: &str, value: Value) -> Pair {
    Pair::from((key, value))
}

fn named<const N: usize>(pairs: [(&str, Value); N]) -> Value {
    Value::Named(pairs.into_iter().map(Pair::from).collect())
}
