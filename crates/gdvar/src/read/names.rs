//! A cache of the names that a document repeats.

use gdvar_view::Cursor;

use crate::text::Text;

/// Names that were read before, each in a slot that its length and first bytes choose. Keys of
/// dictionaries repeat from record to record: cloning a cached one is several times as fast as
/// checking and creating its text, and long ones share their memory.
pub(super) struct NameCache(Vec<Text>);

/// The number of slots, a power of two. A save has some dozens of different keys.
const PLACES: usize = 128;

/// Shorter documents repeat too little.
const LEAST: usize = 2048;

impl NameCache {
    /// Creates a cache for the document at the cursor.
    pub(super) fn of(cursor: &Cursor<'_>) -> NameCache {
        let places = if cursor.left() < LEAST { 0 } else { PLACES };
        NameCache(vec![Text::default(); places])
    }

    /// Takes a String or StringName. Returns `None`, and takes nothing, if the value is something
    /// else, if its text is not UTF-8, or if the cache is off.
    #[inline(always)]
    pub(super) fn take(&mut self, cursor: &mut Cursor<'_>) -> Option<&Text> {
        let place = self.0.get_mut(place(cursor)?)?;
        if !place.as_str().is_some_and(|name| cursor.name(name)) {
            *place = cursor.marked_text().ok()??.into();
        }
        Some(place)
    }
}

/// Returns the slot for the text at the cursor, if there is a text.
#[inline(always)]
fn place(cursor: &Cursor<'_>) -> Option<usize> {
    let (head, rest) = cursor
        .bytes()
        .get(cursor.offset()..)?
        .split_first_chunk::<8>()?;
    let len = u64::from_le_bytes(*head) >> 32;
    let word = u64::from_le_bytes(*rest.first_chunk()?);
    // Shifts out the bytes after a short text.
    let behind = 64_u64.saturating_sub(8 * len) as u32;
    let text = word.checked_shl(behind).unwrap_or(0);
    let mixed = (text ^ len).wrapping_mul(0x9e37_79b9_7f4a_7c15);
    Some((mixed >> (64 - PLACES.ilog2())) as usize)
}
