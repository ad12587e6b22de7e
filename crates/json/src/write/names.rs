//! The member names of open objects in plain JSON, to find repeated ones.
//!
//! Most names of an object differ, and most objects have few. So an open object has a filter of 64
//! bits. The length, the first byte and the last byte of a name select its bit:
//!
//! ```text
//! the bit is not set   the name is new
//! up to 16 names       compare it with those before it
//! more names           look its hash up in a table
//! ```

use std::{
    borrow::Cow,
    collections::HashMap,
    hash::{BuildHasher, BuildHasherDefault, Hasher, RandomState},
};

use gdvar_view::Kind;

/// The most names of an object that are compared with each other.
const MAX_COMPARED: usize = 16;

/// The name of a member, without quotes and escapes.
pub(super) enum KeyText<'a> {
    /// Printable ASCII that JSON needs no escapes for.
    Plain(&'a [u8]),
    Other(String),
}

impl KeyText<'_> {
    fn as_bytes(&self) -> &[u8] {
        match self {
            KeyText::Plain(text) => text,
            KeyText::Other(text) => text.as_bytes(),
        }
    }

    /// Returns the text.
    pub(super) fn to_str(&self) -> Cow<'_, str> {
        String::from_utf8_lossy(self.as_bytes())
    }

    /// Returns the bit of the filter for this name.
    fn bit(&self) -> u64 {
        let text = self.as_bytes();
        let (first, last) = (text.first(), text.last());
        let ends = first.map_or(0, |first| u32::from(*first))
            + 7 * last.map_or(0, |last| u32::from(*last));
        1 << ((ends + 5 * text.len() as u32) & 63)
    }
}

/// A member name that was written.
pub(super) struct MemberName<'a> {
    text: KeyText<'a>,
    /// The kind of its first key.
    pub(super) kind: Kind,
    /// The number of later members of this name.
    pub(super) later: u64,
}

/// The names of all open objects. The names of the innermost object come last.
#[derive(Default)]
pub(super) struct MemberNames<'a> {
    names: Vec<MemberName<'a>>,
    hashes: RandomState,
}

/// Which of the [`MemberNames`] belong to one object.
pub(super) struct NameRange {
    start: usize,
    filter: u64,
    /// The indexes by hash, once there are more than [`MAX_COMPARED`].
    table: HashMap<u64, usize, BuildHasherDefault<SameHash>>,
}

impl<'a> MemberNames<'a> {
    /// Opens an object.
    pub(super) fn open(&self) -> NameRange {
        NameRange {
            start: self.names.len(),
            filter: 0,
            table: HashMap::default(),
        }
    }

    /// Closes the innermost object.
    pub(super) fn close(&mut self, range: &NameRange) {
        self.names.truncate(range.start);
    }

    /// Returns the member of the innermost object that has the name `text`, if there is one.
    pub(super) fn find(
        &mut self,
        range: &NameRange,
        text: &KeyText<'_>,
    ) -> Option<&mut MemberName<'a>> {
        if range.filter & text.bit() == 0 {
            return None;
        }
        let same = |name: &MemberName<'_>| name.text.as_bytes() == text.as_bytes();
        if range.table.is_empty() {
            let names = self.names.get_mut(range.start..)?;
            return names.iter_mut().find(|name| same(name));
        }
        let index = range.table.get(&self.hash(text))?;
        self.names.get_mut(*index)
    }

    /// Adds a name to the innermost object, which must not have this name yet.
    pub(super) fn add(&mut self, range: &mut NameRange, text: KeyText<'a>, kind: Kind) {
        range.filter |= text.bit();
        let index = self.names.len();
        if !range.table.is_empty() {
            range.table.insert(self.hash(&text), index);
        }
        self.names.push(MemberName {
            text,
            kind,
            later: 0,
        });
        if index - range.start == MAX_COMPARED {
            let names = self.names.iter().enumerate().skip(range.start);
            let hashes = names.map(|(index, name)| (self.hash(&name.text), index));
            range.table.extend(hashes);
        }
    }

    /// Hashes a name with a random key, so that nobody can prepare many names with equal hashes.
    fn hash(&self, text: &KeyText<'_>) -> u64 {
        self.hashes.hash_one(text.as_bytes())
    }
}

/// A hasher for keys that are hashes already: the hash is the key itself.
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
