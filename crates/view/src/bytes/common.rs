//! Decodes common values: values whose header has no unusual bits and whose counts fit the bytes. Nearly all
//! values are common. [`head`](super::head) decodes every value, more slowly.

use gdvar_wire::{
    Body, Dialect, Kind, NODE_PATH_NEW_FORMAT, NODE_PATH_PROPERTY, layout::MAX_SIZE, pad4,
};

// Header words that mean the same type, of the same size, in every dialect (`docs/FORMAT.md` §1.1).
pub(crate) const NIL: u32 = 0;
pub(crate) const BOOL: u32 = 1;
pub(crate) const INT: u32 = 2;
pub(crate) const FLOAT: u32 = 3;
pub(crate) const STRING: u32 = 4;
const WIDE: u32 = 1 << 16;
pub(crate) const WIDE_INT: u32 = INT | WIDE;
pub(crate) const WIDE_FLOAT: u32 = FLOAT | WIDE;

/// The header words of a StringName, an untyped Array and an untyped Dictionary.
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
            // In a dialect without StringNames this is the word of a String, so that no other word matches.
            name: match word(Kind::StringName) {
                u32::MAX => STRING,
                name => name,
            },
            array: word(Kind::Array),
            dict: word(Kind::Dictionary),
        }
    }

    /// True for the header word of a String or a StringName.
    #[inline(always)]
    pub(crate) fn is_text(self, word: u32) -> bool {
        word == STRING || word == self.name
    }
}

/// Returns the header word of a value of `kind` that is not wide, or `None` if the dialect lacks the kind.
#[inline(always)]
pub(crate) fn header(kind: Kind, dialect: Dialect) -> Option<u32> {
    match kind {
        Kind::Bool => Some(BOOL),
        Kind::Int => Some(INT),
        Kind::String => Some(STRING),
        _ => dialect.type_id(kind).map(|id| u32::from(id.0)),
    }
}

/// Returns the two words at `at`.
#[inline(always)]
pub(crate) fn pair(bytes: &[u8], at: usize) -> Option<(u32, u32)> {
    let raw = bytes.get(at..)?.first_chunk::<8>()?;
    let both = u64::from_le_bytes(*raw);
    Some((both as u32, (both >> 32) as u32))
}

/// Returns a header word and the word after it, by two loads that do not wait for each other.
#[inline(always)]
pub(crate) fn words(value: &[u8; 8]) -> (u32, u32) {
    let word = |raw: Option<&[u8; 4]>| raw.map_or(0, |raw| u32::from_le_bytes(*raw));
    (word(value.first_chunk()), word(value.last_chunk()))
}

/// Returns the end of the string whose `len` bytes of text begin at `start`, padding included. `None` if the
/// buffer is shorter.
#[inline(always)]
pub(crate) fn text_end(bytes: &[u8], start: usize, len: u32) -> Option<usize> {
    // The sum wraps only on 32-bit hosts, and only for lengths that are refused here.
    let end = start.wrapping_add((len as usize).wrapping_add(3) & !3);
    (len as usize <= MAX_SIZE - 3 && end <= bytes.len()).then_some(end)
}

/// The children left in a container. Keys and values of a Dictionary count separately.
#[derive(Clone, Copy, PartialEq, Eq, Debug)]
pub(crate) struct Pending {
    pub(crate) left: u32,
    pub(crate) is_dict: bool,
}

/// What follows the first `Common::size` bytes of a value.
#[derive(Clone, Copy, PartialEq, Eq, Debug)]
pub(crate) enum Rest {
    /// Nothing: the value ends there.
    Nothing,
    /// Nothing: `Common::size` is the size of the whole value. The value has two words, then this many bytes of
    /// text, then padding.
    Text(u32),
    /// This many string fields, which are the elements of a PackedStringArray or the names of a NodePath.
    Fields(u32),
    /// An Array or Dictionary, and the number of its children.
    Children(Pending),
}

/// What the header and the first words of a common value say.
#[derive(Clone, Copy, Debug)]
pub(crate) struct Common {
    pub(crate) kind: Kind,
    pub(crate) wide: bool,
    /// The size of the value, or of its part before the first string field or child.
    pub(crate) size: usize,
    pub(crate) rest: Rest,
}

/// Returns the bytes after the null at the start of `rest`, or `None` if `rest` begins with something else.
#[inline(always)]
pub(crate) fn nil(rest: &[u8]) -> Option<&[u8]> {
    let (word, after) = rest.split_first_chunk()?;
    (u32::from_le_bytes(*word) == NIL).then_some(after)
}

/// Returns the size of every value with this header word, if they all have the same size.
#[inline(always)]
pub(crate) fn fixed(header: u32, dialect: Dialect) -> Option<usize> {
    let entry = dialect.plain(header);
    (entry.body == Body::Fixed).then_some(entry.size.into())
}

/// Identifies the value at the start of `rest` if it is a common one. In engine mode a value is common if
/// its header has no unusual bits, its sizes and counts fit the bytes, and its element types exist. Text is not
/// validated. `None` means only that [`head`](super::head) has to decide; the bytes may be valid.
///
/// ```text
/// entry = table[header]                       one load (`Dialect::plain`)
/// Fixed       → ends after entry.size
/// Text        → ends after 8 + length, padded
/// containers  → count before entry.size; the bytes must be enough for that many children
/// others      → out of line
/// ```
///
/// Why it is fast: all offsets count from the header, so one comparison with the length covers several loads.
/// The forms are tested by branches, the most frequent first. A processor predicts a branch and goes on to
/// the next value, but it would wait for the target of a jump table.
#[inline(always)]
pub(crate) fn decode(rest: &[u8], dialect: Dialect) -> Option<Common> {
    let (word, second) = words(rest.first_chunk()?);
    let entry = dialect.plain(word);
    let (kind, wide) = (entry.kind, entry.wide);
    let common = |size, rest| Common {
        kind,
        wide,
        size,
        rest,
    };
    let size = usize::from(entry.size);
    if entry.body == Body::Fixed {
        return (size <= rest.len()).then(|| common(size, Rest::Nothing));
    }
    if entry.body == Body::Text {
        return Some(common(text_end(rest, 8, second)?, Rest::Text(second)));
    }
    if matches!(entry.body, Body::Array | Body::Dictionary) {
        let is_dict = entry.body == Body::Dictionary;
        let count = if size == 8 {
            second
        } else {
            typed(rest, size, dialect)?
        };
        return Some(common(
            size,
            Rest::Children(children(rest, size, count, is_dict)?),
        ));
    }
    if entry.body == Body::Packed {
        return Some(common(
            packed(rest, second, entry.size.into())?,
            Rest::Nothing,
        ));
    }
    let (size, rest) = rare(rest, entry, second)?;
    Some(common(size, rest))
}

/// Returns the size of a packed array of `count` elements of `element` bytes, or `None` if the buffer does not
/// hold all of it.
#[inline(always)]
fn packed(rest: &[u8], count: u32, element: usize) -> Option<usize> {
    let size = (count as usize).checked_mul(element)?;
    // Engines do not check that the last padding of a PackedByteArray is there (`docs/FORMAT.md` §6, row 19).
    // A missing one is rare, so `head` decides.
    let end = 8_usize.saturating_add(if element == 1 { pad4(size) } else { size });
    (size <= MAX_SIZE && end <= rest.len()).then_some(end)
}

/// Returns the children of a container whose first child is at `size`, if the bytes can hold `count` of them.
#[inline(always)]
pub(crate) fn children(rest: &[u8], size: usize, count: u32, is_dict: bool) -> Option<Pending> {
    let least = u64::from(count) << (2 + u32::from(is_dict));
    // A count with the shared bit of Godot 2 is not common.
    if count > i32::MAX as u32 || least > (rest.len() - size) as u64 {
        return None;
    }
    let left = count << u32::from(is_dict);
    Some(Pending { left, is_dict })
}

/// Returns the count of a container with element types, whose first child is at `size`. The words between
/// header and count are type numbers; returns `None` if one of them is not a type of `dialect`.
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

/// Decodes the head of a PackedStringArray or a NodePath. Returns the number of bytes before its strings, and
/// the number of strings.
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
            let is_common =
                word(0) & NODE_PATH_NEW_FORMAT != 0 && word(2) & NODE_PATH_PROPERTY == 0;
            let names = u64::from(word(0) & !NODE_PATH_NEW_FORMAT) + u64::from(word(1));
            fields(rest, 16, names).filter(|_| is_common)
        }
        _ => None,
    }
}

/// Returns `size`, and `count` as the number of string fields after it. Returns `None` if the bytes are too few
/// for them.
fn fields(rest: &[u8], size: usize, count: u64) -> Option<(usize, Rest)> {
    let fits = count <= i32::MAX as u64 && 4 * count <= rest.len().checked_sub(size)? as u64;
    fits.then_some((size, Rest::Fields(count as u32)))
}

#[cfg(all(test, feature = "alloc"))]
mod tests;
