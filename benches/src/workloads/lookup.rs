//! Random lookups in W1: `entities[i].items[1]`.

use super::{Entity, Size};
use crate::{
    model::{Pair, Value},
    question,
    random::Random,
};

/// Which records to look into, the same for everyone, and the answer.
#[derive(Debug)]
pub(crate) struct Lookup {
    /// Numbers of records.
    pub(crate) places: Vec<usize>,
    /// The sum of what is found there.
    pub(crate) answer: u64,
}

impl Lookup {
    /// 1 000 or 100 000 lookups, each from the outermost value on.
    pub(crate) fn new(size: Size, entities: &[Entity]) -> Lookup {
        let mut random = Random::new(0x5eed_0010);
        let last = entities.len() as i64 - 1;
        let places: Vec<usize> = (0..size.pick(1_000, 100_000))
            .map(|_| random.between(0, last) as usize)
            .collect();
        let found = places.iter().map(|&place| entities[place].items.1);
        let answer = found.map(|count| question::int(count.into()));
        Lookup {
            answer: answer.fold(0, u64::wrapping_add),
            places,
        }
    }

    /// As many, of actors of a realistic save.
    pub(crate) fn actors(size: Size, save: &Value) -> Lookup {
        let mut random = Random::new(0x5eed_0011);
        let ids = ids(save);
        let places: Vec<usize> = (0..size.pick(1_000, 100_000))
            .map(|_| random.below(ids.len()))
            .collect();
        let found = places.iter().map(|&place| question::int(ids[place]));
        Lookup {
            answer: found.fold(0, u64::wrapping_add),
            places,
        }
    }

    /// The sum of what is found; nothing counts as 0.
    #[inline]
    pub(crate) fn sum(&self, find: impl Fn(usize) -> Option<i64>) -> u64 {
        let found = self.places.iter().map(|&place| find(place).unwrap_or(0));
        found.map(question::int).fold(0, u64::wrapping_add)
    }
}

fn field<'v>(value: &'v Value, key: &str) -> Option<&'v Value> {
    let (Value::Named(pairs) | Value::Dict(pairs)) = value else {
        return None;
    };
    let pair: Option<&Pair> = pairs.iter().find(|pair| pair.key == key);
    pair.map(|pair| &pair.value)
}

fn actors(save: &Value) -> &[Value] {
    match field(save, "actors") {
        Some(Value::Array(actors)) => actors,
        _ => &[],
    }
}

fn ids(save: &Value) -> Vec<i64> {
    let ids = actors(save).iter().map(|actor| match field(actor, "id") {
        Some(Value::Int(id)) => *id,
        _ => 0,
    });
    ids.collect()
}

/// The path of the name of a realistic save's middle actor, and what it adds.
pub(crate) fn middle_actor(save: &Value) -> (String, u64) {
    let actors = actors(save);
    let at = actors.len() / 2;
    let name = field(&actors[at], "name").map_or(0, question::answer);
    (format!("actors[{at}].name"), name)
}
