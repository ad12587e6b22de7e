//! The names that a document repeats, kept so that each is made once.

use gdvar_view::Cursor;

use crate::Text;

/// Names met before, each at the place that its length and its first bytes choose. Keys of dictionaries repeat from
/// record to record: to copy one that is there is several times as fast as to check its text and make it, and
/// long ones share their memory.
pub(super) struct Names(Vec<Text>);

/// A power of two: a save has some dozens of different keys.
const PLACES: usize = 128;

/// Documents with fewer bytes repeat too little.
const LEAST: usize = 2048;

impl Names {
    /// For the document that the cursor stands before.
    pub(super) fn of(cursor: &Cursor<'_>) -> Names {
        let places = if cursor.left() < LEAST { 0 } else { PLACES };
        Names(vec![Text::default(); places])
    }

    /// Takes a String or StringName. `None`, and nothing is taken, if something else stands here or the text is
    /// not UTF-8; or if the document has no names kept.
    #[inline(always)]
    pub(super) fn take(&mut self, cursor: &mut Cursor<'_>) -> Option<&Text> {
        let place = self.0.get_mut(place(cursor)?)?;
        if !place.as_str().is_some_and(|name| cursor.name(name)) {
            *place = cursor.marked_text().ok()??.into();
        }
        Some(place)
    }
}

/// The place of the text that stands here, if there is a text.
#[inline(always)]
fn place(cursor: &Cursor<'_>) -> Option<usize> {
    let (head, rest) = cursor
        .bytes()
        .get(cursor.offset()..)?
        .split_first_chunk::<8>()?;
    let len = u64::from_le_bytes(*head) >> 32;
    let word = u64::from_le_bytes(*rest.first_chunk()?);
    // The bytes behind a short text are no part of it.
    let behind = 64_u64.saturating_sub(8 * len) as u32;
    let text = word.checked_shl(behind).unwrap_or(0);
    let mixed = (text ^ len).wrapping_mul(0x9e37_79b9_7f4a_7c15);
    Some((mixed >> (64 - PLACES.ilog2())) as usize)
}
