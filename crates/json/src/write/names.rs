//! The member names of open objects in plain JSON, to find repeated ones.
//!
//! Most names of an object differ, and most objects have few. So an open object has a filter of 64
//! bits, one for each name by its hash:
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

/// A member name that was written.
pub(super) struct MemberName {
    hash: u64,
    /// The kind of its first key.
    pub(super) kind: Kind,
    /// The number of later members of this name.
    pub(super) later: u64,
}

/// The names of all open objects, those of the innermost one last.
#[derive(Default)]
pub(super) struct MemberNames(Vec<MemberName>);

/// Which of the [`MemberNames`] belong to one object.
pub(super) struct NameRange {
    start: usize,
    filter: u64,
    /// The indexes by hash, once there are more than [`MAX_COMPARED`].
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

    /// Adds a name of the innermost object by its `hash`, or returns the earlier member of that name.
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

/// The hash of a hash: the same number.
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
