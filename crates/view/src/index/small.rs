//! Looking into small containers of plain data, which are not indexed. What is not plain is left
//! to the lazy reader.

use gdvar_wire::{Dialect, pad4};

use crate::{
    containers::{ArrayRef, DictRef},
    plain::{BOOL, FLOAT, INT, NIL, STRING, WIDE_FLOAT, WIDE_INT, Words, fixed_size, pair},
    text::is_text,
    variant::VariantRef,
};

/// How plain values are passed.
#[derive(Clone, Copy)]
struct Passing {
    dialect: Dialect,
    words: Words,
}

impl Passing {
    #[inline]
    fn over(owner: VariantRef<'_>) -> Option<Passing> {
        let dialect = owner.dialect();
        (!owner.options().is_special()).then(|| Passing {
            dialect,
            words: Words::of(dialect),
        })
    }

    /// What is behind the value that `rest` begins with, and behind all that is in it.
    #[inline(always)]
    fn pass(self, mut rest: &[u8]) -> Option<&[u8]> {
        let (word, second) = pair(rest, 0)?;
        if let Some(size) = self.size(word, second) {
            return rest.get(size..);
        }
        // How many values are to be passed: every container adds its own.
        let mut left = self.children(word, second)?;
        rest = rest.get(8..)?;
        while left > 0 {
            left -= 1;
            let (word, second) = pair(rest, 0)?;
            let size = match self.size(word, second) {
                Some(size) => size,
                None => {
                    left += self.children(word, second)?;
                    8
                }
            };
            rest = rest.get(size..)?;
        }
        Some(rest)
    }

    /// How many bytes a value without children takes.
    #[inline(always)]
    fn size(self, word: u32, second: u32) -> Option<usize> {
        match word {
            // Looked at once more by who takes so many bytes.
            STRING => Some(pad4(second as usize).saturating_add(8)),
            INT | BOOL | FLOAT => Some(8),
            WIDE_INT | WIDE_FLOAT => Some(12),
            NIL => Some(4),
            _ => fixed_size(word, self.dialect),
        }
    }

    /// How many children a value has.
    #[inline(always)]
    fn children(self, word: u32, count: u32) -> Option<u64> {
        if word == self.words.dict {
            return Some(2 * u64::from(count));
        }
        (word == self.words.array).then_some(u64::from(count))
    }
}

/// Asks memory for the lines ahead at once, instead of one after the other as the walk gets there:
/// in large data looked into at random, that wait is most of what a lookup takes.
#[inline(always)]
fn touch(rest: &[u8]) {
    let lines = [64, 128, 192].map(|at| rest.get(at).copied());
    core::hint::black_box(lines);
}

/// The text of the String at `at`.
#[inline(always)]
pub(super) fn text(bytes: &[u8], at: usize) -> Option<&[u8]> {
    let rest = bytes.get(at..)?;
    match pair(rest, 0)? {
        (STRING, len) => rest.get(8..)?.get(..len as usize),
        _ => None,
    }
}

/// Where the value of the last text key stands that is `key`; `None` inside if there is none,
/// outside if not all pairs are plain.
#[inline]
pub(super) fn find(dict: DictRef<'_>, key: &[u8]) -> Option<Option<usize>> {
    let passing = Passing::over(dict.value())?;
    let bytes = dict.value().bytes();
    let (mut rest, mut found) = (bytes.get(dict.first()..)?, None);
    touch(rest);
    for _ in 0..dict.len() {
        let (word, len) = pair(rest, 0)?;
        // A StringName may be the same key.
        if word != STRING {
            return None;
        }
        let value = rest.get(pad4(len as usize).saturating_add(8)..)?;
        if is_text(rest.get(8..8 + len as usize)?, key) {
            found = Some(bytes.len() - value.len());
        }
        rest = passing.pass(value)?;
    }
    Some(found)
}

/// Where element `n` of an array stands, which has so many. `None` if not all before it are plain.
#[inline]
pub(super) fn nth(array: ArrayRef<'_>, n: usize) -> Option<usize> {
    let passing = Passing::over(array.value())?;
    let bytes = array.value().bytes();
    let mut rest = bytes.get(array.first()..)?;
    for _ in 0..n {
        rest = passing.pass(rest)?;
    }
    Some(bytes.len() - rest.len())
}

#[cfg(test)]
mod tests;
