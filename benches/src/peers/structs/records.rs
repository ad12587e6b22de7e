//! The records of W1 and of the matrix.

use std::fmt;

use serde::{
    Deserialize, Deserializer, Serialize,
    de::{self, Visitor},
};

use super::{Format, Leaves, leaves, leaves_of};
use crate::{
    harness::{Note, Suite},
    model::Value,
    workloads::{Entity, Tree},
};

/// Which structs.
#[derive(Clone, Copy, PartialEq, Eq, Debug)]
pub(crate) enum Form {
    /// All fields are there.
    Whole,
    /// Any field may be missing.
    Parts,
    /// `pos` is a `Vector2i`.
    Vector2i,
    /// `items` are ints.
    Ints,
    /// There are `stats`.
    Stats,
    /// `items` are texts and ints, any number of them.
    Lists,
    /// All that the cases change.
    All,
}

/// A record of W1 that borrows its text.
#[derive(Clone, Debug, Serialize, Deserialize)]
pub(crate) struct EntityRef<'a, P, I> {
    pub(crate) id: i32,
    pub(crate) name: &'a str,
    pub(crate) hp: f64,
    pub(crate) pos: P,
    pub(crate) alive: bool,
    pub(crate) level: i32,
    pub(crate) items: I,
    pub(crate) gold: i32,
}

/// A record of W1 with a small Dictionary more.
#[derive(Clone, Debug, Deserialize)]
struct WithStats<'a, P, I> {
    id: i32,
    name: &'a str,
    hp: f64,
    pos: P,
    alive: bool,
    level: i32,
    items: I,
    gold: i32,
    stats: Stats,
}

/// A record of W1 whose fields may be missing.
#[derive(Clone, Debug, Deserialize)]
pub(crate) struct PartRef<'a, P, I> {
    pub(crate) id: Option<i32>,
    #[serde(borrow)]
    pub(crate) name: Option<&'a str>,
    pub(crate) hp: Option<f64>,
    pub(crate) pos: Option<P>,
    pub(crate) alive: Option<bool>,
    pub(crate) level: Option<i32>,
    pub(crate) items: Option<I>,
    pub(crate) gold: Option<i32>,
}

/// A record of W1 with a small Dictionary more, whose fields may be missing.
#[derive(Clone, Debug, Deserialize)]
struct PartWithStats<'a, P, I> {
    id: Option<i32>,
    #[serde(borrow)]
    name: Option<&'a str>,
    hp: Option<f64>,
    pos: Option<P>,
    alive: Option<bool>,
    level: Option<i32>,
    items: Option<I>,
    gold: Option<i32>,
    stats: Option<Stats>,
}

#[derive(Clone, Debug, Deserialize)]
struct Stats {
    str: i32,
    dex: i32,
    wit: i32,
}

/// The things that a record of W1 carries.
pub(crate) type Items<'a> = (&'a str, i32, i32);

impl Leaves for Items<'_> {
    #[inline]
    fn leaves(&self) -> u64 {
        let (item, count, quality) = self;
        item.leaves()
            .wrapping_add(count.leaves())
            .wrapping_add(quality.leaves())
    }
}

/// A text or an int.
#[derive(Clone, Copy, Debug)]
enum Item<'a> {
    Text(&'a str),
    Int(i64),
}

impl Leaves for Item<'_> {
    #[inline]
    fn leaves(&self) -> u64 {
        match self {
            Item::Text(text) => text.leaves(),
            Item::Int(int) => int.leaves(),
        }
    }
}

impl<'de: 'a, 'a> Deserialize<'de> for Item<'a> {
    #[inline]
    fn deserialize<D: Deserializer<'de>>(deserializer: D) -> Result<Item<'a>, D::Error> {
        struct TextOrInt;
        impl<'de> Visitor<'de> for TextOrInt {
            type Value = Item<'de>;

            fn expecting(&self, f: &mut fmt::Formatter<'_>) -> fmt::Result {
                f.write_str("a text or an int")
            }
            #[inline]
            fn visit_borrowed_str<E>(self, text: &'de str) -> Result<Item<'de>, E> {
                Ok(Item::Text(text))
            }
            #[inline]
            fn visit_i64<E>(self, int: i64) -> Result<Item<'de>, E> {
                Ok(Item::Int(int))
            }
            #[inline]
            fn visit_u64<E: de::Error>(self, int: u64) -> Result<Item<'de>, E> {
                i64::try_from(int).map(Item::Int).map_err(E::custom)
            }
        }
        deserializer.deserialize_any(TextOrInt)
    }
}

leaves_of! {
    ['a, P, I] [P: Leaves, I: Leaves] EntityRef<'a, P, I> { id name hp pos alive level items gold }
    ['a, P, I] [P: Leaves, I: Leaves] WithStats<'a, P, I> { id name hp pos alive level items gold stats }
    ['a, P, I] [P: Leaves, I: Leaves] PartRef<'a, P, I> { id name hp pos alive level items gold }
    ['a, P, I] [P: Leaves, I: Leaves] PartWithStats<'a, P, I> { id name hp pos alive level items gold stats }
}

impl Leaves for Stats {
    #[inline]
    fn leaves(&self) -> u64 {
        let all = [self.str, self.dex, self.wit];
        all.iter().map(Leaves::leaves).fold(0, u64::wrapping_add)
    }
}

/// W1, of which only the records are wanted.
#[derive(Clone, Debug, Deserialize)]
pub(crate) struct SaveRef<T> {
    /// The records.
    pub(crate) entities: Vec<T>,
}

impl<T: Leaves> Leaves for SaveRef<T> {
    fn leaves(&self) -> u64 {
        self.entities.leaves()
    }
}

/// The answer for the structs of W1 or of a case of the matrix, from the plain data.
pub(crate) fn typed_answer(save: &Value) -> u64 {
    let (Value::Dict(pairs) | Value::Named(pairs)) = save else {
        return 0;
    };
    pairs.first().map_or(0, |pair| leaves(&pair.value))
}

/// Registers the structs of W1 or of a case of the matrix.
pub(crate) fn typed<'a, F: Format>(suite: &mut Suite<'a>, tree: &'a Tree, form: Form) {
    let bytes = F::encoded(tree);
    let note = Note::new("structure, text", "structs, borrowed text");
    let expected = typed_answer(&tree.value);
    suite.add(F::READ, note, bytes.len(), expected, move || {
        read::<F>(&bytes, form)
    });
}

fn read<F: Format>(bytes: &[u8], form: Form) -> u64 {
    fn of<'a, F: Format, T: Deserialize<'a> + Leaves>(bytes: &'a [u8]) -> u64 {
        F::read::<SaveRef<T>>(bytes, false).map_or(0, |save| save.leaves())
    }
    match form {
        Form::Whole => of::<F, EntityRef<'_, F::Vector3, Items<'_>>>(bytes),
        Form::Parts => of::<F, PartRef<'_, F::Vector3, Items<'_>>>(bytes),
        Form::Vector2i => of::<F, EntityRef<'_, F::Vector2i, Items<'_>>>(bytes),
        Form::Ints => of::<F, EntityRef<'_, F::Vector3, Vec<i32>>>(bytes),
        Form::Stats => of::<F, WithStats<'_, F::Vector3, Items<'_>>>(bytes),
        Form::Lists => of::<F, EntityRef<'_, F::Vector3, Vec<Item<'_>>>>(bytes),
        Form::All => of::<F, PartWithStats<'_, F::Vector2i, Vec<i32>>>(bytes),
    }
}

/// Registers the writer of W1's records by derived code.
pub(crate) fn write<'a, F: Format>(suite: &mut Suite<'a>, batches: &'a [Vec<Entity>]) {
    let record = |entity: &'a Entity| EntityRef {
        id: entity.id,
        name: entity.name.as_str(),
        hp: entity.hp,
        pos: F::Vector3::from(entity.pos),
        alive: entity.alive,
        level: entity.level,
        items: (entity.items.0.as_str(), entity.items.1, entity.items.2),
        gold: entity.gold,
    };
    let batches: Vec<Vec<_>> = batches
        .iter()
        .map(|batch| batch.iter().map(record).collect())
        .collect();
    super::packets::written::<F, _>(suite, batches);
}
