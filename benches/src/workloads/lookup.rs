//! Random lookups in W1: `entities[i].items[1]`.

use super::{Entity, Size};
use crate::{question, random::Random};

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

    /// The sum of what is found; nothing counts as 0.
    #[inline]
    pub(crate) fn sum(&self, find: impl Fn(usize) -> Option<i64>) -> u64 {
        let found = self.places.iter().map(|&place| find(place).unwrap_or(0));
        found.map(question::int).fold(0, u64::wrapping_add)
    }
}
