//! The value under a key, found in one walk over the pairs.
//!
//! The loop over plain values (`walk/validate.rs`) passes keys and values, whatever is inside of them, and tells where each
//! begins. So there is no call for each value:
//!
//! ```text
//! for each child that the walk tells of:
//!     inside of another    → nothing
//!     a key                → is it the one?
//!     a value              → if its key was the one, it is the answer so far: the last of repeated keys wins
//! the last value           → only its head is read
//! ```

use crate::{
    bytes::{
        marks::Marks,
        plain::{self, Words},
        text,
    },
    error::Error,
    value::{dict::DictRef, variant::VariantRef},
    walk::{
        keys,
        skip::REACH,
        steps::Walk,
        validate::{Skip, flat},
    },
};

/// A key that is looked for.
#[derive(Clone, Copy)]
pub(super) enum Sought<'k> {
    /// A text, by its bytes; also as a StringName, where that is the same key.
    Text(&'k [u8]),
    /// An int of any width.
    Int(i64),
    /// A key that equals this value as the engine sees it.
    Value(VariantRef<'k>),
}

/// Looks for a key among the children of a dictionary that a walk tells of.
struct Lookup<'a, 'k> {
    dict: VariantRef<'a>,
    sought: Sought<'k>,
    /// The words that begin a text key.
    words: Words,
    /// The number of containers that are open.
    level: usize,
    /// True if a value comes next.
    is_value: bool,
    /// True if the key before it is the one.
    is_found: bool,
    /// The offset of the last value found.
    found: Option<usize>,
}

impl<'a, 'k> Lookup<'a, 'k> {
    fn new(dict: VariantRef<'a>, sought: Sought<'k>) -> Self {
        let mut words = Words::of(dict.dialect());
        if !dict.dialect().string_names_equal_strings() {
            words.name = plain::STRING;
        }
        Lookup {
            dict,
            sought,
            words,
            level: 0,
            is_value: false,
            is_found: false,
            found: None,
        }
    }

    /// True if the key at `at` is the one. The walk has passed it.
    #[inline(always)]
    fn is_it(&self, at: usize) -> bool {
        let rest = self.dict.bytes().get(at..).unwrap_or_default();
        match (plain::pair(rest, 0), &self.sought) {
            (Some((word, len)), Sought::Text(text)) if self.words.is_text(word) => {
                // Most keys differ in their length. One that a NUL ends has a NUL there.
                let is_cut = || rest.get(8 + text.len()) == Some(&0) || rest.get(8) == Some(&0xef);
                (len as usize == text.len() || is_cut())
                    && text::is_text(rest.get(8..8 + len as usize).unwrap_or_default(), text)
            }
            (Some((plain::INT, int)), Sought::Int(sought)) => i64::from(int as i32) == *sought,
            // Not by a reference to all of this, which would keep it in memory.
            _ => is_other(self.dict, self.sought, at),
        }
    }

    /// The value found, after a walk over all children but the last, a value, which begins at `last`.
    #[inline(always)]
    fn answer(self, last: usize) -> Result<Option<VariantRef<'a>>, Error> {
        let value = self.dict.child_at(last)?;
        match self.found {
            _ if self.is_found => Ok(Some(value)),
            Some(at) => Ok(Some(self.dict.child_at(at)?)),
            None => Ok(None),
        }
    }
}

/// True if the key at `at` is the one, for keys that have to be read.
#[inline(never)]
fn is_other(dict: VariantRef<'_>, sought: Sought<'_>, at: usize) -> bool {
    let Ok(key) = dict.child_at(at) else {
        return false;
    };
    match sought {
        Sought::Text(text) => {
            let is_text = keys::is_text_kind(key.kind(), key.dialect());
            is_text && key.as_text().is_some_and(|own| own.as_bytes() == text)
        }
        Sought::Int(sought) => key.as_i64() == Some(sought),
        Sought::Value(sought) => keys::equal(key, sought),
    }
}

impl Marks for Lookup<'_, '_> {
    const ENDS: bool = true;

    #[inline(always)]
    fn child(&mut self, at: usize) {
        if self.level > 0 {
            return;
        }
        if !self.is_value {
            self.is_found = self.is_it(at);
        } else if self.is_found {
            self.found = Some(at);
        }
        self.is_value = !self.is_value;
    }

    fn children(&mut self, at: usize, size: usize, count: u32) {
        for n in 0..count as usize {
            self.child(at + n * size);
        }
    }

    /// Texts come one by one where nobody looks at them.
    fn take_back(&mut self, _: u32) {}

    #[inline(always)]
    fn open(&mut self) {
        self.level += 1;
    }

    #[inline(always)]
    fn close(&mut self, _: usize) {
        self.level -= 1;
    }
}

impl<'a> DictRef<'a> {
    /// The value of the last pair with that key.
    #[inline]
    pub(super) fn find(self, sought: Sought<'_>) -> Result<Option<VariantRef<'a>>, Error> {
        let owner = self.value();
        let (bytes, options) = (owner.bytes(), owner.options());
        let depth = owner.depth().saturating_add(1);
        let Some(before_last) = (2 * self.len() as u64).checked_sub(1) else {
            return Ok(None);
        };
        // Most dictionaries are small, and a walk takes longer to prepare (`walk/skip.rs`).
        let first = self.first();
        let near = bytes.get(..first.saturating_add(REACH)).unwrap_or(bytes);
        let mut lookup = Lookup::new(owner, sought);
        match flat(
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

    /// [`DictRef::find`] in a dictionary that is large, nested deep, or not plain.
    #[inline(never)]
    fn find_far(
        self,
        sought: Sought<'_>,
        before_last: u64,
    ) -> Result<Option<VariantRef<'a>>, Error> {
        let owner = self.value();
        let depth = owner.depth().saturating_add(1);
        let (bytes, options) = (owner.bytes(), owner.options());
        let mut lookup = Lookup::new(owner, sought);
        let mut walk = Walk::<false>::several(bytes, self.first(), before_last, options, depth);
        walk.drain(&mut lookup)?;
        lookup.answer(walk.position())
    }
}

#[cfg(all(test, feature = "alloc"))]
mod tests;
