//! What most values are: a header that says nothing but its type, or its type and that it is wide,
//! before a number, a vector or a text.

use gdvar_wire::{Dialect, HeaderWord, Kind, layout::MAX_SIZE, pad4};

use crate::fast::Pending;

// These have the same numbers and sizes in every dialect (`docs/FORMAT.md` §1.1), and most values
// are one of them. Comparing with constants lets the processor guess where the next value begins
// instead of waiting for a table.
pub(crate) const NIL: u32 = 0;
pub(crate) const BOOL: u32 = 1;
pub(crate) const INT: u32 = 2;
pub(crate) const FLOAT: u32 = 3;
pub(crate) const STRING: u32 = 4;
const WIDE: u32 = 1 << 16;
pub(crate) const WIDE_INT: u32 = INT | WIDE;
pub(crate) const WIDE_FLOAT: u32 = FLOAT | WIDE;

/// The words that begin an untyped array, an untyped dictionary and a PackedStringArray.
#[derive(Clone, Copy)]
pub(crate) struct Words {
    pub(crate) array: u32,
    pub(crate) dict: u32,
    pub(crate) strings: u32,
}

impl Words {
    #[inline(always)]
    pub(crate) fn of(dialect: Dialect) -> Words {
        let word = |kind| dialect.type_id(kind).map_or(u32::MAX, |id| u32::from(id.0));
        Words {
            array: word(Kind::Array),
            dict: word(Kind::Dictionary),
            strings: word(Kind::PackedStringArray),
        }
    }

    /// Whether this word begins an untyped container.
    #[inline(always)]
    pub(crate) fn is_container(self, word: u32) -> bool {
        word == self.array || word == self.dict
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

/// The halves of a header, type and flags, which are loaded side by side.
#[inline(always)]
pub(crate) fn halves([a, b, c, d, ..]: &[u8; 8]) -> [u16; 2] {
    [u16::from_le_bytes([*a, *b]), u16::from_le_bytes([*c, *d])]
}

/// Bytes of a value with this header, if they are the same for all.
#[inline(always)]
pub(crate) fn fixed_size(word: u32, dialect: Dialect) -> Option<usize> {
    dialect.fixed_size([word as u16, (word >> 16) as u16])
}

/// Where the string ends whose length is `len` and whose text begins at `start`.
#[inline(always)]
pub(crate) fn text_end(bytes: &[u8], start: usize, len: u32) -> Option<usize> {
    // It wraps around, where addresses have 32 bits, only for lengths that are refused.
    let end = start.wrapping_add(pad4(len as usize));
    (len as usize <= MAX_SIZE - 3 && end <= bytes.len()).then_some(end)
}

/// A value without children whose size is known.
#[derive(Clone, Copy)]
pub(crate) struct Plain {
    pub(crate) kind: Kind,
    pub(crate) wide: bool,
    /// The length of a String.
    pub(crate) text: Option<u32>,
    /// With the header.
    pub(crate) size: usize,
}

/// What `rest` begins with, in engine mode, if it is plain.
#[inline(always)]
pub(crate) fn plain(rest: &[u8], dialect: Dialect) -> Option<Plain> {
    match any(rest, dialect)? {
        (plain, None) => Some(plain),
        (_, Some(_)) => None,
    }
}

/// The same, or the untyped array or dictionary that it is, header and count, and its children.
/// Text is not looked at. All offsets are counted from the header, so that one comparison with the
/// length serves several loads.
#[inline(always)]
pub(crate) fn any(rest: &[u8], dialect: Dialect) -> Option<(Plain, Option<Pending>)> {
    any_of(rest, dialect, &Words::of(dialect))
}

/// The same for who knows the dialect's words already.
#[inline(always)]
pub(crate) fn any_of(
    rest: &[u8],
    dialect: Dialect,
    known: &Words,
) -> Option<(Plain, Option<Pending>)> {
    let (word, second) = words(rest.first_chunk()?);
    let number = |kind, wide, size| {
        let text = None;
        let fits = size <= rest.len();
        let plain = Plain {
            kind,
            wide,
            text,
            size,
        };
        fits.then_some((plain, None))
    };
    // Text is every other value and has a branch of its own.
    if word == STRING {
        let plain = Plain {
            kind: Kind::String,
            wide: false,
            text: Some(second),
            size: text_end(rest, 8, second)?,
        };
        return Some((plain, None));
    }
    // One branch, which is guessed well: of one for each a compiler may make a jump by a table.
    if let BOOL..=FLOAT = word {
        const KINDS: [Kind; 4] = [Kind::Nil, Kind::Bool, Kind::Int, Kind::Float];
        return number(KINDS[word as usize % 4], false, 8);
    }
    match word {
        NIL => number(Kind::Nil, false, 4),
        WIDE_INT => number(Kind::Int, true, 12),
        WIDE_FLOAT => number(Kind::Float, true, 12),
        _ => {
            // Of what is left containers are most, and the table takes longer to say no.
            // A way for each, so that what follows knows which it is without asking again. Validation,
            // which cannot guess either, has one for both: `container`.
            if word == known.array {
                let (value, inside) = untyped(rest, second, false)?;
                return Some((value, Some(inside)));
            }
            if word == known.dict {
                let (value, inside) = untyped(rest, second, true)?;
                return Some((value, Some(inside)));
            }
            let size = fixed_size(word, dialect)?;
            let header = HeaderWord(word);
            let kind = dialect.kind(header.type_id())?;
            number(kind, dialect.is_wide(header), size)
        }
    }
}

/// The untyped array or dictionary that `rest` begins with, header and count, if the bytes suffice
/// for its children.
#[inline(always)]
pub(crate) fn container(rest: &[u8], dialect: Dialect) -> Option<(Plain, Pending)> {
    let both = u64::from_le_bytes(*rest.first_chunk()?);
    let (word, count) = (both as u32, (both >> 32) as u32);
    let words = Words::of(dialect);
    if !words.is_container(word) {
        return None;
    }
    untyped(rest, count, word == words.dict)
}

/// The same of that count, when it is known which it is.
#[inline(always)]
fn untyped(rest: &[u8], count: u32, is_dict: bool) -> Option<(Plain, Pending)> {
    let (kind, left, least) = if is_dict {
        let least = 8 * u64::from(count);
        (Kind::Dictionary, count.wrapping_mul(2), least)
    } else {
        (Kind::Array, count, 4 * u64::from(count))
    };
    // A count with the shared bit of Godot 2 is not plain.
    let fits = count <= i32::MAX as u32 && least <= rest.len() as u64 - 8;
    let value = Plain {
        kind,
        wide: false,
        text: None,
        size: 8,
    };
    fits.then_some((value, Pending { left, is_dict }))
}

#[cfg(all(test, feature = "alloc"))]
mod tests;
