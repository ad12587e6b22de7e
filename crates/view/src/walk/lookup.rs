//! Finds the value of a key in one walk over the pairs.
//!
//! The fast loop (`walk/fast_loop.rs`) skips keys and values, whatever is in them. The loop reports to an
//! [`Observer`] where each child begins. The observer is compiled into the loop, so a value costs no call:
//!
//! ```text
//! for each child that the walk reports:
//!     inside of another    → ignore it
//!     a key                → compare it
//!     a value              → if its key matched, it is the answer so far: the last of repeated keys wins
//! the last value           → only its head is read
//! ```

use crate::{
    bytes::{
        common::{self, Words},
        observer::Observer,
        text,
    },
    error::Error,
    value::{dict::DictRef, variant::VariantRef},
    walk::{checks::Skip, keys::equality, skip::REACH, small, steps::Walk},
};

/// A key to find.
#[derive(Clone, Copy)]
pub(crate) enum LookupKey<'k> {
    /// A text, by its bytes. Also found as a StringName, if that is the same key in the dialect.
    Text(&'k [u8]),
    /// An int of either width.
    Int(i64),
    /// A key that is equal to this value in the engine.
    Value(VariantRef<'k>),
}

/// Compares the keys that a walk over a dictionary reports.
pub(crate) struct Lookup<'a, 'k> {
    dict: VariantRef<'a>,
    sought: LookupKey<'k>,
    /// The header words of text keys.
    words: Words,
    /// The number of open containers inside of the dictionary.
    level: usize,
    /// True if the next child is a value.
    is_value: bool,
    /// True if the last key matched.
    is_match: bool,
    /// The offset of the last value whose key matched.
    found: Option<usize>,
}

impl<'a, 'k> Lookup<'a, 'k> {
    #[inline]
    pub(crate) fn new(dict: VariantRef<'a>, sought: LookupKey<'k>) -> Self {
        let mut words = Words::of(dict.dialect());
        if !dict.dialect().string_names_equal_strings() {
            words.name = common::STRING;
        }
        Lookup {
            dict,
            sought,
            words,
            level: 0,
            is_value: false,
            is_match: false,
            found: None,
        }
    }

    /// True if the key at `at` matches. The walk has skipped it already, so it is complete.
    #[inline(always)]
    pub(crate) fn matches(&self, at: usize) -> bool {
        let rest = self.dict.bytes().get(at..).unwrap_or_default();
        match (common::pair(rest, 0), &self.sought) {
            (Some((word, len)), LookupKey::Text(text)) if self.words.is_text(word) => {
                // Most keys are rejected by their length. A longer key matches only if a NUL ends it early or
                // it begins with a byte order mark.
                let is_cut = || rest.get(8 + text.len()) == Some(&0) || rest.get(8) == Some(&0xef);
                (len as usize == text.len() || is_cut())
                    && text::is_text(rest.get(8..8 + len as usize).unwrap_or_default(), text)
            }
            (Some((common::INT, int)), LookupKey::Int(sought)) => i64::from(int as i32) == *sought,
            // Passed by value: a reference to `self` would keep all its fields in memory.
            _ => matches_slowly(self.dict, self.sought, at),
        }
    }

    /// Returns the answer after a walk over all children but the last. The last child is a value and begins at
    /// `last`.
    #[inline(always)]
    fn answer(self, last: usize) -> Result<Option<VariantRef<'a>>, Error> {
        let value = self.dict.child_at(last)?;
        if self.is_match {
            return Ok(Some(value));
        }
        self.found.map(|at| self.dict.child_at(at)).transpose()
    }
}

/// True if the key at `at` matches, for keys that need a handle.
#[inline(never)]
fn matches_slowly(dict: VariantRef<'_>, sought: LookupKey<'_>, at: usize) -> bool {
    let Ok(key) = dict.child_at(at) else {
        return false;
    };
    match sought {
        LookupKey::Text(text) => {
            let is_text = equality::is_text_kind(key.kind(), key.dialect());
            is_text && key.as_text().is_some_and(|own| own.as_bytes() == text)
        }
        LookupKey::Int(sought) => key.as_i64() == Some(sought),
        LookupKey::Value(sought) => equality::equal(key, sought),
    }
}

impl Observer for Lookup<'_, '_> {
    const ENDS: bool = true;

    #[inline(always)]
    fn child(&mut self, at: usize, _: u32) {
        if self.level > 0 {
            return;
        }
        if !self.is_value {
            self.is_match = self.matches(at);
        } else if self.is_match {
            self.found = Some(at);
        }
        self.is_value = !self.is_value;
    }

    fn children(&mut self, at: usize, size: usize, count: u32) {
        for n in 0..count as usize {
            self.child(at + n * size, 0);
        }
    }

    /// Only runs of text are retracted, and a walk that skips does not look for such runs.
    fn retract(&mut self, _: u32) {}

    #[inline(always)]
    fn open(&mut self, _: u32) {
        self.level += 1;
    }

    #[inline(always)]
    fn close(&mut self) {
        self.level -= 1;
    }
}

impl<'a> DictRef<'a> {
    /// Returns the value of the last pair whose key matches.
    #[inline]
    pub(super) fn find(self, sought: LookupKey<'_>) -> Result<Option<VariantRef<'a>>, Error> {
        let owner = self.value();
        let (bytes, options) = (owner.bytes(), owner.options());
        let depth = owner.depth().saturating_add(1);
        let Some(before_last) = (2 * self.len() as u64).checked_sub(1) else {
            return Ok(None);
        };
        // Most dictionaries are small enough to need no walk (`walk/skip.rs`).
        let first = self.first();
        let near = bytes.get(..first.saturating_add(REACH)).unwrap_or(bytes);
        let mut lookup = Lookup::new(owner, sought);
        match small::end(
            near,
            first,
            before_last,
            options,
            depth,
            &mut Skip,
            &mut lookup,
        ) {
            Some(last) => lookup.answer(last),
            None => self.find_far(sought, before_last),
        }
    }

    /// [`DictRef::find`] in a dictionary that is large, nested deep, or not common.
    #[inline(never)]
    fn find_far(
        self,
        sought: LookupKey<'_>,
        before_last: u64,
    ) -> Result<Option<VariantRef<'a>>, Error> {
        let owner = self.value();
        let depth = owner.depth().saturating_add(1);
        let (bytes, options) = (owner.bytes(), owner.options());
        let mut lookup = Lookup::new(owner, sought);
        let mut walk = Walk::<Skip>::several(bytes, self.first(), before_last, options, depth);
        walk.drain(&mut lookup)?;
        lookup.answer(walk.position())
    }
}

#[cfg(all(test, feature = "alloc"))]
mod tests;
