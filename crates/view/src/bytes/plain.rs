//! The first decision about a value. Most values are plain: their header says nothing unusual, and the bytes
//! hold all that it promises. One of the two deciders of what stands at a
//! byte; [`head`](super::head) is the other, for every value.

use gdvar_wire::{
    Body, Dialect, Kind, NODE_PATH_NEW_FORMAT, NODE_PATH_PROPERTY, layout::MAX_SIZE, pad4,
};

// These have the same numbers and sizes in every dialect (`docs/FORMAT.md` §1.1).
pub(crate) const NIL: u32 = 0;
pub(crate) const BOOL: u32 = 1;
pub(crate) const INT: u32 = 2;
pub(crate) const FLOAT: u32 = 3;
pub(crate) const STRING: u32 = 4;
const WIDE: u32 = 1 << 16;
pub(crate) const WIDE_INT: u32 = INT | WIDE;
pub(crate) const WIDE_FLOAT: u32 = FLOAT | WIDE;

/// The words that begin a StringName, an untyped Array and an untyped Dictionary.
#[derive(Clone, Copy)]
pub(crate) struct Words {
    pub(crate) name: u32,
    pub(crate) array: u32,
    pub(crate) dict: u32,
}

impl Words {
    #[inline(always)]
    pub(crate) fn of(dialect: Dialect) -> Words {
        let word = |kind| dialect.type_id(kind).map_or(u32::MAX, |id| u32::from(id.0));
        Words {
            // A dialect without StringNames takes the word of a String: no other word may match.
            name: match word(Kind::StringName) {
                u32::MAX => STRING,
                name => name,
            },
            array: word(Kind::Array),
            dict: word(Kind::Dictionary),
        }
    }

    /// True for the word that begins a String or a StringName.
    #[inline(always)]
    pub(crate) fn is_text(self, word: u32) -> bool {
        word == STRING || word == self.name
    }
}

/// The header of a value of that kind that is not wide, if the dialect has it.
#[inline(always)]
pub(crate) fn header(kind: Kind, dialect: Dialect) -> Option<u32> {
    match kind {
        Kind::Bool => Some(BOOL),
        Kind::Int => Some(INT),
        Kind::String => Some(STRING),
        _ => dialect.type_id(kind).map(|id| u32::from(id.0)),
    }
}

/// The eight bytes at `at`.
#[inline(always)]
pub(crate) fn pair(bytes: &[u8], at: usize) -> Option<(u32, u32)> {
    let raw = bytes.get(at..)?.first_chunk::<8>()?;
    let both = u64::from_le_bytes(*raw);
    Some((both as u32, (both >> 32) as u32))
}

/// A header and the word behind it, which are loaded side by side.
#[inline(always)]
pub(crate) fn words(value: &[u8; 8]) -> (u32, u32) {
    let word = |raw: Option<&[u8; 4]>| raw.map_or(0, |raw| u32::from_le_bytes(*raw));
    (word(value.first_chunk()), word(value.last_chunk()))
}

/// The end of a string of length `len` whose text begins at `start`, padding included.
#[inline(always)]
pub(crate) fn text_end(bytes: &[u8], start: usize, len: u32) -> Option<usize> {
    // It wraps around, where addresses have 32 bits, only for lengths that are refused.
    let end = start.wrapping_add((len as usize).wrapping_add(3) & !3);
    (len as usize <= MAX_SIZE - 3 && end <= bytes.len()).then_some(end)
}

/// The children of a container that are still to come. Those of a Dictionary are keys and values.
#[derive(Clone, Copy, PartialEq, Eq, Debug)]
pub(crate) struct Pending {
    pub(crate) left: u32,
    pub(crate) is_dict: bool,
}

/// The part of a value behind `Plain::size`.
#[derive(Clone, Copy, PartialEq, Eq, Debug)]
pub(crate) enum Rest {
    /// Nothing: the value ends there.
    Nothing,
    /// Nothing, but the value has so many bytes of text behind its first eight.
    Text(u32),
    /// So many string fields: of a PackedStringArray, or of a NodePath.
    Fields(u32),
    /// Values.
    Children(Pending),
}

/// A plain value.
#[derive(Clone, Copy, Debug)]
pub(crate) struct Plain {
    pub(crate) kind: Kind,
    pub(crate) wide: bool,
    /// Bytes up to the end of the value, or to its first field or child.
    pub(crate) size: usize,
    pub(crate) rest: Rest,
}

/// The bytes behind the null that `rest` begins with.
#[inline(always)]
pub(crate) fn nil(rest: &[u8]) -> Option<&[u8]> {
    let (word, behind) = rest.split_first_chunk()?;
    (u32::from_le_bytes(*word) == NIL).then_some(behind)
}

/// Bytes of a value with this header, if all with this header have as many.
#[inline(always)]
pub(crate) fn fixed(header: u32, dialect: Dialect) -> Option<usize> {
    let entry = dialect.plain(header);
    (entry.body == Body::Fixed).then_some(entry.size.into())
}

/// Decides which value `rest` begins with, if it is plain in engine mode: the header has defined bits only,
/// the sizes and counts fit the bytes, the element types are types. Text is not looked at. `None` says nothing:
/// not even whether the bytes are in order.
///
/// ```text
/// entry = table[header]                       one load (`Dialect::plain`)
/// Fixed       → ends after entry.size
/// Text        → ends after 8 + length, padded
/// containers  → count before entry.size, enough bytes for as many children
/// the others  → out of line
/// ```
///
/// All offsets are counted from the header, so that one comparison with the length serves several
/// loads. The forms are asked for by branches, the most frequent first: a processor guesses a branch and
/// goes on to the next value, but waits for the target of a jump by a table.
#[inline(always)]
pub(crate) fn look(rest: &[u8], dialect: Dialect) -> Option<Plain> {
    let (word, second) = words(rest.first_chunk()?);
    let entry = dialect.plain(word);
    let (kind, wide) = (entry.kind, entry.wide);
    let plain = |size, rest| Plain {
        kind,
        wide,
        size,
        rest,
    };
    let size = usize::from(entry.size);
    if entry.body == Body::Fixed {
        return (size <= rest.len()).then(|| plain(size, Rest::Nothing));
    }
    if entry.body == Body::Text {
        return Some(plain(text_end(rest, 8, second)?, Rest::Text(second)));
    }
    if matches!(entry.body, Body::Array | Body::Dictionary) {
        let is_dict = entry.body == Body::Dictionary;
        let count = if size == 8 {
            second
        } else {
            typed(rest, size, dialect)?
        };
        return Some(plain(
            size,
            Rest::Children(children(rest, size, count, is_dict)?),
        ));
    }
    if entry.body == Body::Packed {
        return Some(plain(
            packed(rest, second, entry.size.into())?,
            Rest::Nothing,
        ));
    }
    let (size, rest) = rare(rest, entry, second)?;
    Some(plain(size, rest))
}

/// The size of a packed array of so many elements of that size, if the bytes suffice.
#[inline(always)]
fn packed(rest: &[u8], count: u32, element: usize) -> Option<usize> {
    let size = (count as usize).checked_mul(element)?;
    // The engines do not ask for the last padding of bytes (`docs/FORMAT.md` §6, row 19).
    let end = 8_usize.saturating_add(if element == 1 { pad4(size) } else { size });
    (size <= MAX_SIZE && end <= rest.len()).then_some(end)
}

/// The children of an untyped container that `rest` begins with, if the bytes suffice for so many.
#[inline(always)]
pub(crate) fn children(rest: &[u8], size: usize, count: u32, is_dict: bool) -> Option<Pending> {
    let least = u64::from(count) << (2 + u32::from(is_dict));
    // A count with the shared bit of Godot 2 is not plain.
    if count > i32::MAX as u32 || least > (rest.len() - size) as u64 {
        return None;
    }
    let left = count << u32::from(is_dict);
    Some(Pending { left, is_dict })
}

/// The count of a container whose first child stands at `size`, if its element types, words between
/// header and count, are types.
#[inline(never)]
fn typed(rest: &[u8], size: usize, dialect: Dialect) -> Option<u32> {
    let words = rest.get(4..size)?;
    let mut words = words.chunks_exact(4).map(|raw| {
        let raw = raw.first_chunk();
        raw.map_or(u32::MAX, |raw| u32::from_le_bytes(*raw))
    });
    let count = words.next_back()?;
    let types = u32::from(dialect.type_count());
    words.all(|id| id < types).then_some(count)
}

/// The size and the rest of a PackedStringArray or a NodePath.
#[inline(never)]
fn rare(rest: &[u8], entry: gdvar_wire::Plain, second: u32) -> Option<(usize, Rest)> {
    match entry.body {
        Body::Strings => fields(rest, 8, second.into()),
        Body::Names => {
            let (_, words) = rest.split_first_chunk::<4>()?;
            let (words, _) = words.split_first_chunk::<12>()?;
            let word = |n: usize| {
                let raw = words.get(4 * n..).and_then(<[u8]>::first_chunk);
                raw.map_or(0, |raw| u32::from_le_bytes(*raw))
            };
            let plain = word(0) & NODE_PATH_NEW_FORMAT != 0 && word(2) & NODE_PATH_PROPERTY == 0;
            let names = u64::from(word(0) & !NODE_PATH_NEW_FORMAT) + u64::from(word(1));
            fields(rest, 16, names).filter(|_| plain)
        }
        _ => None,
    }
}

/// So many string fields from `size` on, if the bytes suffice.
fn fields(rest: &[u8], size: usize, count: u64) -> Option<(usize, Rest)> {
    let fits = count <= i32::MAX as u64 && 4 * count <= rest.len().checked_sub(size)? as u64;
    fits.then_some((size, Rest::Fields(count as u32)))
}

#[cfg(all(test, feature = "alloc"))]
mod tests;
