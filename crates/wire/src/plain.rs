//! Plain headers: a type number, with at most the flags of 64-bit numbers and of builtin element
//! types.

use crate::{Kind, layout};

/// The layout of the payload after a plain header: a type number with at most the flags of 64-bit
/// numbers and of builtin element types ([`docs/FORMAT.md` §3], §4).
///
/// [`docs/FORMAT.md` §3]: https://github.com/gdvar/gdvar/blob/main/docs/FORMAT.md#3-payload-layouts
#[derive(Clone, Copy, PartialEq, Eq, Hash, Debug)]
#[repr(u8)]
pub enum Body {
    /// The table does not decide the layout: the header is not plain, or the table does not cover
    /// the kind, such as Object.
    Rare,
    /// A payload of a fixed size.
    Fixed,
    /// A string field: String and StringName.
    Text,
    /// A count and values: an Array, untyped or of a builtin type.
    Array,
    /// A count and pairs of values: a Dictionary, each side untyped or of a builtin type.
    Dictionary,
    /// A count and elements of a fixed size.
    Packed,
    /// A count and string fields: PackedStringArray.
    Strings,
    /// The three words and the names of a NodePath.
    Names,
}

/// What the table says about a plain header: the result of
/// [`Dialect::plain`](crate::Dialect::plain). Four bytes long.
#[derive(Clone, Copy, PartialEq, Eq, Hash, Debug)]
pub struct Plain {
    /// The form of the payload.
    pub body: Body,
    /// For [`Body::Fixed`], the size of the value with its header. For a container, the bytes
    /// before its first child, count included. For a packed array, the size of an element.
    /// Otherwise 0.
    pub size: u8,
    /// The kind of the value, or Nil if the header is not plain.
    pub kind: Kind,
    /// True if the payload is 64 bits wide.
    pub wide: bool,
}

const _: () = assert!(size_of::<Plain>() == 4);

/// Type numbers below this have entries. No dialect has more than 40.
const TYPES: usize = 64;

/// The number of table entries. Flag bits 16 and 18 of a header become bits 6 and 8 of the index,
/// because one shift moves both. Entries with bit 7 are never used.
pub(crate) const ENTRIES: usize = 512;

/// The bits that a plain header may have: the type number, bit 16 (64 bits, or a typed Array or
/// key) and bit 18 (a typed Dictionary value).
const BITS: u32 = (TYPES as u32 - 1) | 1 << 16 | 1 << 18;

/// Returns the table index of `header`, or `None` if it has a bit that is not in [`BITS`].
///
/// ```text
/// header   18 flag of a typed value   16 flag of 64 bits, or of a typed Array or key   5…0 type number
/// index     8                          6                                              5…0
/// ```
#[inline(always)]
pub(crate) const fn index(header: u32) -> Option<usize> {
    if header & !BITS != 0 {
        return None;
    }
    Some((header | header >> 10) as usize & (ENTRIES - 1))
}

impl Plain {
    /// The entry of a header that is not plain.
    pub(crate) const RARE: Plain = Plain {
        body: Body::Rare,
        size: 0,
        kind: Kind::Nil,
        wide: false,
    };

    /// Builds the entry of `kind` with `flags`, which the dialect must define for it. `fixed` is
    /// the size of its fixed payload, or 255.
    const fn of(kind: Kind, flags: u16, fixed: u8) -> Plain {
        let wide = flags & 1 != 0;
        // The descriptor of a builtin type is one word (`docs/FORMAT.md` §4.3).
        let descriptors = (flags & 1) + (flags >> 2 & 1);
        let (body, size) = match kind {
            Kind::Array => (Body::Array, 8 + 4 * descriptors as u8),
            Kind::Dictionary => (Body::Dictionary, 8 + 4 * descriptors as u8),
            Kind::String | Kind::StringName => (Body::Text, 0),
            Kind::PackedStringArray => (Body::Strings, 0),
            Kind::NodePath => (Body::Names, 0),
            _ => match (layout::packed_element(kind, wide), fixed) {
                (Some(size), _) => (Body::Packed, size as u8),
                (None, u8::MAX) => return Plain::RARE,
                (None, fixed) => (Body::Fixed, 4 + fixed),
            },
        };
        let container = matches!(body, Body::Array | Body::Dictionary);
        Plain {
            body,
            size,
            kind,
            wide: wide && !container,
        }
    }
}

/// Builds the entries of a dialect. `order` lists its kinds by type number; `flags` and `sizes`
/// give, by type number, the defined flags and the fixed payload sizes without and with the 64-bit
/// flag.
pub(crate) const fn table(
    order: &[Kind],
    flags: &[u16; 256],
    sizes: &[[u8; 2]; 256],
) -> [Plain; ENTRIES] {
    let mut table = [Plain::RARE; ENTRIES];
    let mut id = 0;
    while id < order.len() {
        let mut combination = 0;
        while combination < 4 {
            let own = (combination & 1) | (combination >> 1) << 2;
            if own & !flags[id] == 0 {
                let fixed = sizes[id][(own & 1) as usize];
                let at = id | (own as usize) << 6;
                table[at] = Plain::of(order[id], own, fixed);
            }
            combination += 1;
        }
        id += 1;
    }
    table
}
