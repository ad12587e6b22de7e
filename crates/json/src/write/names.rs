//! Finds repeated member names in plain JSON.
//!
//! Most objects have few names, and most of these differ. So an open object has a filter of 64 bits.
//! The hash of each name sets one of them:
//!
//! ```text
//! its bit is free      the name is new
//! up to 16 names       compare its hash with those before it
//! more names           look the hash up in a table
//! ```

use std::{
    collections::HashMap,
    hash::{BuildHasherDefault, Hasher},
};

use gdvar_view::Kind;

/// The most names of an object whose hashes are compared with each other.
const MAX_COMPARED: usize = 16;

/// A member name that has been written.
pub(super) struct MemberName {
    hash: u64,
    /// The kind of the first key with this name.
    pub(super) kind: Kind,
    /// The number of later members with the same name.
    pub(super) later: u64,
}

/// The names of all open objects. Those of the innermost one are last.
#[derive(Default)]
pub(super) struct MemberNames(Vec<MemberName>);

/// The part of [`MemberNames`] that belongs to one object.
pub(super) struct NameRange {
    start: usize,
    filter: u64,
    /// The indexes of the names by hash. Filled if there are more than [`MAX_COMPARED`].
    table: HashMap<u64, usize, BuildHasherDefault<SameHash>>,
}

impl MemberNames {
    /// Opens an object.
    pub(super) fn open(&self) -> NameRange {
        NameRange {
            start: self.0.len(),
            filter: 0,
            table: HashMap::default(),
        }
    }

    /// Closes the innermost object.
    pub(super) fn close(&mut self, range: &NameRange) {
        self.0.truncate(range.start);
    }

    /// Adds a name with this `hash` to the innermost object. If the name is repeated, returns the
    /// earlier member instead.
    pub(super) fn add(
        &mut self,
        range: &mut NameRange,
        hash: u64,
        kind: Kind,
    ) -> Option<&mut MemberName> {
        let bit = 1 << (hash & 63);
        let known = if range.filter & bit == 0 {
            None
        } else if range.table.is_empty() {
            let names = self.0.get(range.start..).unwrap_or_default();
            let at = names.iter().position(|name| name.hash == hash);
            at.map(|at| range.start + at)
        } else {
            range.table.get(&hash).copied()
        };
        if let Some(index) = known {
            return self.0.get_mut(index);
        }
        range.filter |= bit;
        let index = self.0.len();
        self.0.push(MemberName {
            hash,
            kind,
            later: 0,
        });
        if !range.table.is_empty() {
            range.table.insert(hash, index);
        } else if index - range.start == MAX_COMPARED {
            let names = self.0.iter().enumerate().skip(range.start);
            range
                .table
                .extend(names.map(|(index, name)| (name.hash, index)));
        }
        None
    }
}

/// A hasher for numbers that are already hashes. It returns them unchanged.
#[derive(Default)]
pub(super) struct SameHash(u64);

impl Hasher for SameHash {
    fn write(&mut self, _: &[u8]) {}

    fn write_u64(&mut self, hash: u64) {
        self.0 = hash;
    }

    fn finish(&self) -> u64 {
        self.0
    }
}
