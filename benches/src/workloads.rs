//! The data that is read and written. Everything comes from a fixed seed; `docs/BENCHMARKS.md` says
//! what each workload is for.

mod groups;
mod ints;
mod lookup;
mod matrix;
mod nested;
mod nine;
mod packed;
mod packets;
mod realistic;
mod records;
mod save;
mod strings;
mod tables;

pub(crate) use groups::{Group, groups, groups_of_godot_3};
pub(crate) use ints::ints;
pub(crate) use lookup::{Lookup, middle_actor};
pub(crate) use matrix::{CASES, INT_KEYS, case, many_fields};
pub(crate) use nested::{nested, nested_with_siblings, shallow};
pub(crate) use nine::{framed, nine_kinds, nine_kinds_scattered, thousands};
pub(crate) use packed::packed;
pub(crate) use packets::{Packets, packets};
pub(crate) use realistic::{Engine, realistic};
pub(crate) use records::{records, shapes};
pub(crate) use save::{Entity, batches, entities, flat_save, plain_save, save};
pub(crate) use strings::{packed_strings, strings};
pub(crate) use tables::{Keys, five_thousand_keys, leaderboard, megabyte, voxels};

use crate::{encode, model::Value, question};

/// How large.
#[derive(Clone, Copy, PartialEq, Eq, Debug)]
pub(crate) enum Size {
    /// About a quarter of a megabyte: stays in the second-level cache.
    Small,
    /// 28 to 268 MB: has to come from memory.
    Large,
}

impl Size {
    /// One of the two.
    pub(crate) fn pick<T>(self, small: T, large: T) -> T {
        match self {
            Size::Small => small,
            Size::Large => large,
        }
    }
}

/// One value, its bytes by the reference encoder, and the answer to the question.
#[derive(Debug)]
pub(crate) struct Tree {
    /// The name in tables: `W1`.
    pub(crate) id: &'static str,
    /// The data in a line.
    pub(crate) title: &'static str,
    /// The plain data.
    pub(crate) value: Value,
    /// The reference encoder's bytes of it.
    pub(crate) bytes: Vec<u8>,
    /// The number of Variants that the bytes hold.
    pub(crate) count: usize,
    /// The answer to [the question](question::answer).
    pub(crate) answer: u64,
}

impl Tree {
    /// Encodes the value and answers the question.
    pub(crate) fn new(id: &'static str, title: &'static str, value: Value) -> Tree {
        Tree::of(id, title, value, encode::GODOT_4)
    }

    /// The data in the bytes of the engine with these numbers.
    fn of(id: &'static str, title: &'static str, value: Value, numbers: encode::Numbers) -> Tree {
        Tree {
            id,
            title,
            bytes: encode::bytes_of(&value, numbers),
            count: value.count(),
            answer: question::answer(&value),
            value,
        }
    }
}
