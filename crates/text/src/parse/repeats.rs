//! Finds repeated keys: a dictionary keeps the position of the first and the value of the last.

use std::{collections::HashMap, ops::Range};

use gdvar_view::{Document, Objects, ReadOptions};
use gdvar_write::{
    Precision,
    wire::{Dialect, Kind, Limits},
};

use crate::dict;

/// The keys and values of a dictionary, as encoded bytes.
pub(crate) struct Entries<'b> {
    pub(crate) bytes: &'b [u8],
    /// The ranges of the keys and values in `bytes`, alternating.
    pub(crate) children: &'b [Range<usize>],
    pub(crate) dialect: Dialect,
    /// The precision of the engine that compares the keys.
    pub(crate) precision: Precision,
}

/// Up to this many keys are compared pair by pair. For more there is a table.
const FEW: usize = 8;

impl<'b> Entries<'b> {
    fn key(&self, n: usize) -> &'b [u8] {
        &self.bytes[self.children[2 * n].clone()]
    }

    /// Returns the kind and the bytes that identify a key of a simple type. `None` for other
    /// types. A String and a StringName with the same text are one key in Godot 4.
    fn simple(&self, key: &'b [u8]) -> Option<(Kind, &'b [u8])> {
        let kind = self.dialect.kind(gdvar_write::wire::TypeId(key[0]))?;
        let kind = match kind {
            // Only Godot 4 treats equal texts of both kinds as one key.
            Kind::StringName if self.dialect.string_names_equal_strings() => Kind::String,
            Kind::String | Kind::StringName | Kind::Nil | Kind::Bool | Kind::Int => kind,
            _ => return None,
        };
        Some((kind, &key[4..]))
    }

    /// Returns, for each repeated key, the index of its first occurrence and its own index, sorted
    /// by the latter.
    pub(crate) fn repeats(&self) -> Vec<(usize, usize)> {
        let count = self.children.len() / 2;
        let mut repeats = Vec::new();
        let mut others = Vec::new();
        let mut table = HashMap::new();
        for n in 0..count {
            let Some(key) = self.simple(self.key(n)) else {
                others.push(n);
                continue;
            };
            let first = if count > FEW {
                *table.entry(key).or_insert(n)
            } else {
                let same = |other: &usize| self.simple(self.key(*other)) == Some(key);
                (0..n).find(same).unwrap_or(n)
            };
            if first != n {
                repeats.push((first, n));
            }
        }
        if others.len() > 1 {
            repeats.extend(self.repeats_of(&others));
        }
        repeats
    }

    /// Returns the repeats among the keys in `keys`, which cannot be compared by their bytes.
    fn repeats_of(&self, keys: &[usize]) -> Vec<(usize, usize)> {
        let header = |kind| [self.dialect.type_id(kind).map_or(0, |id| id.0), 0, 0, 0];
        let mut dict = header(Kind::Dictionary).to_vec();
        dict.extend_from_slice(&(keys.len() as u32).to_le_bytes());
        for n in keys {
            dict.extend_from_slice(self.key(*n));
            dict.extend_from_slice(&header(Kind::Nil));
        }
        let options = ReadOptions::new(self.dialect)
            .with_objects(Objects::Inert)
            .with_limits(Limits::MOST);
        let root = Document::with_options(&dict, options).root();
        let repeats =
            root.and_then(|root| dict::repeats(root, self.dialect.notation(), self.precision));
        let numbered = |(first, n): (u32, u32)| (keys[first as usize], keys[n as usize]);
        // Reading cannot fail, because these bytes were written here.
        repeats
            .unwrap_or_default()
            .into_iter()
            .map(numbered)
            .collect()
    }
}
