//! P: what a game sends, nine kinds in random order; F: small records in frames; T: different
//! saves, each read once.

use super::{Packets, Size, entities};
use crate::{
    encode,
    model::{Pair, Value, types},
    random::Random,
};

/// P: 1 000 or 500 000 packets, one behind the other.
pub(crate) fn nine_kinds(size: Size) -> Packets {
    let mut random = Random::new(0x5eed_0009);
    let packets = (0..size.pick(1_000, 500_000)).map(|_| packet(&mut random));
    Packets::new(packets.collect())
}

/// The nine kinds of packets, read in another order than that in which they lie in memory.
pub(crate) fn nine_kinds_scattered(size: Size) -> Packets {
    let mut packets = nine_kinds(size);
    packets.scatter(&mut Random::new(0x5eed_0099));
    packets
}

/// F: 1 000 or 1 000 000 records of three to six values, each behind its length.
pub(crate) fn framed(size: Size) -> Packets {
    let mut random = Random::new(0x5eed_000f);
    let records = (0..size.pick(1_000, 1_000_000)).map(|id| {
        let mut fields = vec![
            Value::Int(id),
            Value::Name((*random.pick(&["login", "logout", "buy", "sell", "die"])).to_owned()),
        ];
        match random.below(4) {
            0 => {}
            1 => fields.push(Value::Float(random.between(0, 100_000) as f64 / 100.0)),
            2 => {
                let chars = random.between(4, 24) as usize;
                fields.push(Value::Text(random.text(chars, false)));
                fields.push(Value::Int(random.between(0, 99)));
            }
            _ => {
                let at = [(); 3].map(|()| random.coordinate());
                fields.push(Value::Vector3(at));
                fields.push(Value::Bool(random.one_in(2)));
                fields.push(Value::Nil);
            }
        }
        Value::Array(fields)
    });
    let mut packets = Packets::new(records.collect());
    packets.frame();
    packets
}

/// T: 20 or 200 saves of a thousand records of W1 each, none like another.
pub(crate) fn thousands(size: Size) -> Packets {
    let entities = entities(Size::Large);
    let saves = entities.chunks(1_000).take(size.pick(20, 200)).map(|some| {
        let records = some.iter().map(super::Entity::value).collect();
        Value::dict([("entities", Value::Array(records))])
    });
    Packets::new(saves.collect())
}

fn packet(random: &mut Random) -> Value {
    let id = Value::Int(random.between(1, 5_000));
    let tick = Value::Int(random.between(0, 10_000_000));
    let name = |name: &str| Value::Name(name.to_owned());
    let mut vector = || Value::Vector3([(); 3].map(|()| random.coordinate()));
    let (position, velocity) = (vector(), vector());
    match random.below(9) {
        // Input.
        0 => named([
            ("tick", tick),
            (
                "move",
                Value::Vector2([(); 2].map(|()| random.coordinate())),
            ),
            ("buttons", Value::Int(random.between(0, 255))),
        ]),
        // Movement.
        1 => Value::Array(vec![name("pos"), id, position, velocity, tick]),
        // Chat.
        2 => {
            let (chars, accents) = (random.between(3, 80) as usize, random.one_in(4));
            let text = Value::Text(random.text(chars, accents));
            Value::dict([("type", Value::text("chat")), ("from", id), ("text", text)])
        }
        // Something appears.
        3 => {
            let transform = Box::new([(); 12].map(|()| random.coordinate()));
            named([
                ("type", name("spawn")),
                (
                    "kind",
                    name(random.pick::<&str>(&["goblin", "arrow", "chest", "villager"])),
                ),
                ("at", Value::Transform(transform)),
                ("owner", if random.one_in(2) { Value::Nil } else { id }),
            ])
        }
        // A hit.
        4 => Value::dict([
            ("type", Value::text("hit")),
            ("source", id),
            ("target", Value::Int(random.between(1, 5_000))),
            (
                "damage",
                Value::Float(random.between(0, 10_000) as f64 / 100.0),
            ),
            ("critical", Value::Bool(random.one_in(8))),
        ]),
        // An inventory.
        5 => {
            let slots = (0..random.below(12)).map(|_| Value::Int(random.between(0, 400)));
            let slots = Value::TypedArray(types::INT, slots.collect());
            named([("type", name("items")), ("of", id), ("slots", slots)])
        }
        // A snapshot.
        6 => {
            let units = (0..random.between(1, 8)).map(|_| {
                let cell = [(); 2].map(|()| random.between(-512, 512) as i32);
                Value::Array(vec![
                    Value::Int(random.between(1, 5_000)),
                    Value::Vector2i(cell),
                    Value::Int(random.between(0, 100)),
                ])
            });
            let units = Value::Array(units.collect());
            Value::Array(vec![name("snapshot"), tick, units])
        }
        // A call.
        7 => Value::Array(vec![
            Value::Path(format!("/root/World/Player{}", random.below(64))),
            name(random.pick::<&str>(&["open", "close", "use_item", "set_target"])),
            Value::Array(vec![id, Value::Bool(random.one_in(2))]),
        ]),
        // A piece of the world.
        _ => {
            let at = [(); 3].map(|()| random.between(-64, 64) as i32);
            let len = random.between(64, 256) as usize;
            let bytes = (0..len).map(|_| random.bits() as u8).collect();
            named([("at", Value::Vector3i(at)), ("blocks", Value::Bytes(bytes))])
        }
    }
}

fn named<const N: usize>(pairs: [(&str, Value); N]) -> Value {
    Value::Named(pairs.into_iter().map(Pair::from).collect())
}

impl Packets {
    /// Puts a length before each, as `store_var` does.
    fn frame(&mut self) {
        let mut bytes = Vec::with_capacity(self.bytes.len() + 4 * self.values.len());
        for (value, range) in self.values.iter().zip(&mut self.ranges) {
            let own = encode::bytes(value);
            bytes.extend((own.len() as u32).to_le_bytes());
            let start = bytes.len();
            bytes.extend(own);
            *range = start..bytes.len();
        }
        self.bytes = bytes;
    }
}
