//! Looking into small containers of plain data, which are not indexed. What is not plain is left
//! to the lazy reader.

use crate::{
    containers::{ArrayRef, DictRef},
    plain::{
        BOOL, FLOAT, INT, NIL, STRING, WIDE_FLOAT, WIDE_INT, Words, fixed_size, pair, text_end,
    },
    text::engine_text,
    variant::VariantRef,
};

/// Passes plain values.
#[derive(Clone, Copy)]
struct Passing<'a> {
    bytes: &'a [u8],
    dialect: gdvar_wire::Dialect,
    words: Words,
    flags_count: bool,
}

impl<'a> Passing<'a> {
    fn over(owner: VariantRef<'a>) -> Option<Passing<'a>> {
        let dialect = owner.dialect();
        // A size that no header tells.
        if owner.options().has_wide_vector4() {
            return None;
        }
        Some(Passing {
            bytes: owner.bytes(),
            dialect,
            words: Words::of(dialect),
            flags_count: !dialect.compares_whole_header(),
        })
    }

    /// Where the value at `at` ends, and all that is in it.
    #[inline(always)]
    fn end(self, at: usize) -> Option<usize> {
        // How many values are to be passed: every container adds its own.
        let (mut at, mut left) = (at, 1_u64);
        while left > 0 {
            left -= 1;
            let (word, second) = pair(self.bytes, at)?;
            at += match word {
                INT | BOOL | FLOAT => 8,
                STRING => text_end(self.bytes, at + 8, second)? - at,
                WIDE_INT | WIDE_FLOAT if self.flags_count => 12,
                NIL => 4,
                _ if word == self.words.array => {
                    left += u64::from(second);
                    8
                }
                _ if word == self.words.dict => {
                    left += 2 * u64::from(second);
                    8
                }
                _ => fixed_size(word, self.dialect)?,
            };
        }
        (at <= self.bytes.len()).then_some(at)
    }
}

/// Whether a text is that one, as the engine reads it.
#[inline(always)]
fn is_same(raw: &[u8], text: &[u8]) -> bool {
    // Most keys differ in length. What the engine leaves out is a mark in front, or a NUL and
    // what follows.
    if raw.len() == text.len() {
        return raw == text && engine_text(raw) == text;
    }
    let is_cut = raw.get(text.len()) == Some(&0) || raw.first() == Some(&0xef);
    is_cut && engine_text(raw) == text
}

/// Where the value of the last text key stands that is `key`; `None` inside if there is none,
/// outside if not all pairs are plain.
#[inline]
pub(super) fn find(dict: DictRef<'_>, key: &[u8]) -> Option<Option<usize>> {
    let passing = Passing::over(dict.value())?;
    let (mut at, mut found) = (dict.first(), None);
    for _ in 0..dict.len() {
        let (word, len) = pair(passing.bytes, at)?;
        // A StringName may be the same key.
        if word != STRING {
            return None;
        }
        let start = at + 8;
        let value = text_end(passing.bytes, start, len)?;
        if is_same(passing.bytes.get(start..start + len as usize)?, key) {
            found = Some(value);
        }
        at = passing.end(value)?;
    }
    Some(found)
}

/// Where element `n` of an array stands, which has so many. `None` if not all before it are plain.
#[inline]
pub(super) fn nth(array: ArrayRef<'_>, n: usize) -> Option<usize> {
    let passing = Passing::over(array.value())?;
    (0..n).try_fold(array.first(), |at, _| passing.end(at))
}
