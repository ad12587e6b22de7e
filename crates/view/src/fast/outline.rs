//! Outlines of records: which values a record of a known template holds, and where.
//!
//! A template says whether the next record is like the one it was learned from. An outline says what
//! to take from one that is, without a look at its headers.

use core::ops::Range;

use gdvar_wire::{Dialect, Kind};

use super::{Pending, template::DEEP};
use crate::{
    events::Role,
    plain::{self, FLOAT, INT, WIDE_FLOAT, WIDE_INT},
};

/// How many parts an outline has. A record with more is left to others.
const PARTS: usize = 48;

/// What a part of a record is to who takes it.
#[derive(Clone, Copy, PartialEq, Eq, Debug)]
pub(crate) enum What {
    Nil,
    Bool,
    Int,
    WideInt,
    Float,
    WideFloat,
    Text,
    /// Another value without children.
    Value,
    /// A container; its parts follow.
    Begin,
    /// The end of the container begun last.
    End,
}

/// A value in a record, with its key, or the end of a container. Places are counted in words of
/// four bytes from the end of the value text before, or from the begin of the record: up to there all
/// records have the same size.
#[derive(Clone, Copy, Debug)]
pub(crate) struct Part {
    pub(crate) what: What,
    pub(crate) kind: Kind,
    pub(crate) wide: bool,
    /// How many containers are around it, the record included.
    pub(crate) deep: u8,
    /// A value has a key.
    pub(crate) role: Role,
    /// Where its header stands.
    at: u8,
    /// Where the text of its key begins, and how many bytes that is.
    key: u8,
    key_len: u8,
}

impl Part {
    const END: Part = Part {
        what: What::End,
        kind: Kind::Nil,
        wide: false,
        deep: 0,
        role: Role::Element,
        at: 0,
        key: 0,
        key_len: 0,
    };

    /// Where its header stands: less than [`REACH`].
    #[inline(always)]
    pub(crate) fn at(self) -> usize {
        4 * usize::from(self.at)
    }

    /// Where the text of its key stands.
    #[inline(always)]
    pub(crate) fn key(self) -> Range<usize> {
        let start = 4 * usize::from(self.key);
        start..start + usize::from(self.key_len)
    }
}

/// What all parts of a record up to the end of the next text lie within: the largest place, and the
/// longest key or the longest number there.
pub(crate) const REACH: usize = 4 * 255 + 256;

/// What is in a record, in its order.
#[derive(Clone, Debug)]
pub(crate) struct Outline {
    parts: [Part; PARTS],
    count: u8,
}

impl Outline {
    pub(crate) const EMPTY: Outline = Outline {
        parts: [Part::END; PARTS],
        count: 0,
    };

    #[inline]
    pub(crate) fn parts(&self) -> &[Part] {
        self.parts.get(..self.count.into()).unwrap_or_default()
    }

    /// Learns what is in the record at `at`, which a template was learned from. `None` if that is
    /// more than an outline has, or has keys that are no texts, or a flag that means nothing.
    pub(crate) fn learn(&mut self, bytes: &[u8], at: usize, dialect: Dialect) -> Option<()> {
        self.count = 0;
        let (_, record) = plain::any(bytes.get(at..)?, dialect)?;
        let Pending { left, is_dict } = record?;
        // What is left of the containers that are open: children, and whether they are pairs.
        let mut open = [(0_u32, false); DEEP];
        let mut depth = 1;
        let (mut left, mut pairs) = (left, is_dict);
        let mut start = at;
        let mut at = at + 8;
        let mut key = None;
        loop {
            while left == 0 {
                depth -= 1;
                if depth == 0 {
                    return Some(());
                }
                (left, pairs) = *open.get(depth)?;
                self.add(Part::END)?;
            }
            left -= 1;
            let rest = bytes.get(at..)?;
            let (plain, inside) = plain::any(rest, dialect)?;
            // The children of a dictionary are an even number: before a value, one is left.
            if pairs && left % 2 == 1 {
                key = Some((words(at + 8 - start)?, u8::try_from(plain.text?).ok()?));
                at += plain.size;
                continue;
            }
            let word = u32::from_le_bytes(*rest.first_chunk()?);
            let what = match (plain.kind, word) {
                (Kind::Array | Kind::Dictionary, _) => What::Begin,
                (Kind::String, _) => What::Text,
                (Kind::Nil, plain::NIL) => What::Nil,
                (Kind::Bool, plain::BOOL) => What::Bool,
                (Kind::Int, INT) => What::Int,
                (Kind::Int, WIDE_INT) => What::WideInt,
                (Kind::Float, FLOAT) => What::Float,
                (Kind::Float, WIDE_FLOAT) => What::WideFloat,
                (Kind::Nil | Kind::Bool | Kind::Int | Kind::Float, _) => return None,
                _ => What::Value,
            };
            let (role, (key, key_len)) = match key.take() {
                Some(key) => (Role::Value, key),
                None => (Role::Element, (0, 0)),
            };
            self.add(Part {
                what,
                kind: plain.kind,
                wide: plain.wide,
                deep: depth as u8,
                role,
                at: words(at - start)?,
                key,
                key_len,
            })?;
            at += plain.size;
            if let Some(inside) = inside {
                *open.get_mut(depth)? = (left, pairs);
                depth += 1;
                (left, pairs) = (inside.left, inside.is_dict);
            } else if plain.text.is_some() {
                start = at;
            }
        }
    }

    fn add(&mut self, part: Part) -> Option<()> {
        *self.parts.get_mut(usize::from(self.count))? = part;
        self.count += 1;
        Some(())
    }
}

/// So many bytes in words of four. All values take a multiple of that.
fn words(bytes: usize) -> Option<u8> {
    u8::try_from(bytes / 4).ok().filter(|_| bytes % 4 == 0)
}
