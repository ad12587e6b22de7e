//! A cache of the names that a document repeats.

use gdvar_view::Cursor;

use crate::text::Text;

/// Names that were read before. The length and the first bytes of a name choose its slot. Keys of
/// dictionaries repeat from record to record: cloning a cached name is several times as fast as
/// checking and creating its text, and clones of a long name share its memory.
pub(super) struct NameCache(Vec<Text>);

/// The number of slots, a power of two. A save has a few dozen different keys.
const PLACES: usize = 128;

/// A shorter document, in bytes, repeats too few names for a cache.
const LEAST: usize = 2048;

impl NameCache {
    /// Creates a cache for the document at the cursor.
    pub(super) fn of(cursor: &Cursor<'_>) -> NameCache {
        let places = if cursor.left() < LEAST { 0 } else { PLACES };
        NameCache(vec![Text::default(); places])
    }

    /// Reads a String or StringName. Returns `None`, and does not move the cursor, if the value is
    /// of another kind, if its text is not UTF-8, or if the cache is off.
    #[inline(always)]
    pub(super) fn take(&mut self, cursor: &mut Cursor<'_>) -> Option<&Text> {
        let place = self.0.get_mut(place(cursor)?)?;
        if !place.as_str().is_some_and(|name| cursor.name(name)) {
            *place = cursor.marked_text().ok()??.into();
        }
        Some(place)
    }
}

/// Returns the slot for the text at the cursor. `None` if there is no text.
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
