//! The structs that records are read into, and the answer to expect of them.

use serde::Deserialize;

use crate::{
    model::{Pair, Value},
    question,
};

/// Which structs.
#[derive(Clone, Copy, PartialEq, Eq, Debug)]
pub(crate) enum Form {
    /// All fields are there.
    Whole,
    /// Any field may be missing.
    Parts,
}

/// A record of W1 that borrows its text.
#[derive(Clone, Debug, Deserialize)]
pub(crate) struct EntityRef<'a> {
    pub(crate) id: i32,
    pub(crate) name: &'a str,
    pub(crate) hp: f64,
    pub(crate) pos: [f32; 3],
    pub(crate) alive: bool,
    pub(crate) level: i32,
    #[serde(borrow)]
    pub(crate) items: (&'a str, i32, i32),
    pub(crate) gold: i32,
}

/// A record of W1 whose fields may be missing.
#[derive(Clone, Debug, Deserialize)]
pub(crate) struct PartRef<'a> {
    pub(crate) id: Option<i32>,
    #[serde(borrow)]
    pub(crate) name: Option<&'a str>,
    pub(crate) hp: Option<f64>,
    pub(crate) pos: Option<[f32; 3]>,
    pub(crate) alive: Option<bool>,
    pub(crate) level: Option<i32>,
    #[serde(borrow)]
    pub(crate) items: Option<(&'a str, i32, i32)>,
    pub(crate) gold: Option<i32>,
}

/// W1, of which only the records are wanted.
#[derive(Clone, Debug, Deserialize)]
pub(crate) struct SaveRef<T> {
    /// The records.
    pub(crate) entities: Vec<T>,
}

/// A record that was read.
pub(crate) trait Typed {
    /// The answer to the question for structs.
    fn answer(&self) -> u64;
}

impl Typed for EntityRef<'_> {
    #[inline]
    fn answer(&self) -> u64 {
        let (item, count, quality) = self.items;
        let ints = i64::from(self.id) + i64::from(self.level) + i64::from(self.gold);
        question::int(ints)
            .wrapping_add(question::text(self.name.as_bytes()))
            .wrapping_add(question::float(self.hp))
            .wrapping_add(question::vector(self.pos))
            .wrapping_add(question::bool(self.alive))
            .wrapping_add(answer_of_items(item, count, quality))
    }
}

impl Typed for PartRef<'_> {
    #[inline]
    fn answer(&self) -> u64 {
        let ints = [self.id, self.level, self.gold];
        let ints = ints.into_iter().flatten().map(i64::from).sum();
        let parts = [
            self.name.map(|name| question::text(name.as_bytes())),
            self.hp.map(question::float),
            self.pos.map(question::vector),
            self.alive.map(question::bool),
            self.items
                .map(|(item, count, quality)| answer_of_items(item, count, quality)),
        ];
        let parts = parts.into_iter().flatten();
        parts.fold(question::int(ints), u64::wrapping_add)
    }
}

impl<T: Typed> SaveRef<T> {
    /// The sum of the records' answers.
    pub(crate) fn answer(&self) -> u64 {
        let answers = self.entities.iter().map(Typed::answer);
        answers.fold(0, u64::wrapping_add)
    }
}

/// What the small array in a record adds.
pub(crate) fn answer_of_items(item: &str, count: i32, quality: i32) -> u64 {
    question::text(item.as_bytes())
        .wrapping_add(question::int(i64::from(count) + i64::from(quality)))
}

/// The answer for the structs of W1 or of a case of the matrix, from the plain data: that of all
/// values of the records, their keys and containers left out.
pub(crate) fn typed_answer(save: &Value) -> u64 {
    let fields = |value: &Value| match value {
        Value::Dict(pairs) | Value::Named(pairs) => sum(pairs.iter().map(field)),
        _ => 0,
    };
    let (Value::Dict(pairs) | Value::Named(pairs)) = save else {
        return 0;
    };
    match pairs.first().map(|pair| &pair.value) {
        Some(Value::Array(records)) => sum(records.iter().map(fields)),
        _ => 0,
    }
}

fn field(pair: &Pair) -> u64 {
    match &pair.value {
        Value::Array(items) => sum(items.iter().map(question::answer)),
        value => question::answer(value),
    }
}

fn sum(answers: impl Iterator<Item = u64>) -> u64 {
    answers.fold(0, u64::wrapping_add)
}
