//! Arrays whose children are alike, or mostly so.

use gdvar_wire::Dialect;

use super::{numbers, template::Templates, text};
use crate::{
    marks::Marks,
    plain::{STRING, Words, fixed_size},
};

/// How many children an array must have left to be worth a look.
pub(super) const ENOUGH: u32 = 8;

/// How many children a look must pass on average; fewer are passed faster one at a time.
const WORTH: u32 = 6;

/// How much the looks so far may save up for later ones.
const SAVED: u32 = 64;

/// Advances over children of an array that are like their neighbours, as long as there are enough
/// of them in a row: where it stopped and how many children are left. Containers may be nested `room`
/// deep.
#[inline(never)]
pub(super) fn alike<const CHECK: bool>(
    bytes: &[u8],
    at: usize,
    left: u32,
    dialect: Dialect,
    room: usize,
    templates: &mut Option<Templates>,
    marks: &mut impl Marks,
) -> (usize, u32) {
    let words = Words::of(dialect);
    let (mut at, mut left, mut credit) = (at, left, WORTH);
    while left > 0 && credit >= WORTH {
        let Some(raw) = bytes.get(at..).and_then(<[u8]>::first_chunk) else {
            break;
        };
        let word = u32::from_le_bytes(*raw);
        let before = left;
        if word == words.dict {
            let templates = templates.get_or_insert(Templates::EMPTY);
            (at, left) = templates.run::<CHECK>(bytes, at, left, dialect, room, marks);
        } else if word == STRING && CHECK {
            (at, left) = text::run::<true>(bytes, at, left, marks);
        } else if let Some(size) = fixed_size(word, dialect) {
            let count = numbers::run(bytes, at, word, size, left);
            marks.children(at, size, count);
            at += count as usize * size;
            left -= count;
        }
        let passed = before - left;
        if passed == 0 {
            break;
        }
        credit = SAVED.min((credit - WORTH).saturating_add(passed));
    }
    (at, left)
}
