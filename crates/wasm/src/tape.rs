//! The tape: a value as a flat list of cells of eight bytes, for JavaScript to read or written by it.
//!
//! A cell's low word is the operation in its lowest byte and a small number above it; its high word depends
//! on the operation. `npm/src/decode.js` and `npm/src/encode.js` have the same table.

/// The meaning of a cell. `n` is the number above the operation, `hi` the high word.
pub(crate) mod op {
    pub(crate) const NIL: u8 = 0;
    pub(crate) const FALSE: u8 = 1;
    pub(crate) const TRUE: u8 = 2;
    /// `hi`: the number.
    pub(crate) const INT: u8 = 3;
    /// The number is the next cell.
    pub(crate) const INT64: u8 = 4;
    /// The number is the next cell.
    pub(crate) const FLOAT: u8 = 5;
    /// Text of `n` UTF-16 units. `hi`: its block of decoded text, and its first unit there in the low half.
    pub(crate) const TEXT: u8 = 6;
    /// Long text. Decoding: `hi` is its offset in the input, the next cell its length in bytes. Encoding:
    /// `hi` is its length in bytes, which follow, padded.
    pub(crate) const UTF8: u8 = 7;
    /// Text that UTF-8 cannot hold. `hi`: UTF-16 units, which follow, padded.
    pub(crate) const UTF16: u8 = 8;
    /// `hi`: number of the text among the keys.
    pub(crate) const KEY: u8 = 9;
    /// A text follows.
    pub(crate) const STRING_NAME: u8 = 10;
    /// `hi`: elements.
    pub(crate) const ARRAY: u8 = 11;
    /// `hi`: elements, `n`: 0, or 1 and 2 for the two sorts of Pandemonium. The type of the elements follows.
    pub(crate) const TYPED_ARRAY: u8 = 12;
    /// A Dictionary that may be an object of JavaScript. `hi`: pairs.
    pub(crate) const OBJECT: u8 = 13;
    /// A Dictionary of any keys. `hi`: pairs.
    pub(crate) const MAP: u8 = 14;
    /// `hi`: pairs. The types of keys and values follow.
    pub(crate) const TYPED_MAP: u8 = 15;
    /// `hi`: properties. The class follows, then names and values.
    pub(crate) const GODOT_OBJECT: u8 = 16;
    pub(crate) const NULL_OBJECT: u8 = 17;
    /// The id is the next cell.
    pub(crate) const OBJECT_ID: u8 = 18;
    /// The id is the next cell.
    pub(crate) const RID: u8 = 19;
    pub(crate) const CALLABLE: u8 = 20;
    /// The id of the object, then the name as a text.
    pub(crate) const SIGNAL: u8 = 21;
    /// `n`: 1 if absolute, `hi`: names. A cell with the number of sub-names follows, then all as texts.
    pub(crate) const NODE_PATH: u8 = 22;
    /// `n`: kind, and 256 more if the components have 64 bits. `hi`: components, which follow as floats.
    pub(crate) const MATH: u8 = 23;
    /// `n`: kind. Decoding: `hi` is the offset in the input; the next cell has the length in bytes in its low word and 1
    /// in its high word if elements are wide. Encoding: `hi` is the length, then that cell, then the bytes, padded.
    pub(crate) const PACKED: u8 = 24;
    /// `hi`: how many texts follow.
    pub(crate) const PACKED_STRINGS: u8 = 25;
    /// A value that JavaScript has no form for, as its bytes. `n`: kind; the rest as in `PACKED`.
    pub(crate) const RAW: u8 = 26;
    /// The type of elements: any.
    pub(crate) const UNTYPED: u8 = 27;
    /// The type of elements: values of the kind `n`.
    pub(crate) const BUILTIN: u8 = 28;
    /// The type of elements: objects of a class, whose name follows.
    pub(crate) const CLASS: u8 = 29;
    /// The type of elements: objects with a script, whose path follows.
    pub(crate) const SCRIPT: u8 = 30;
}

/// A cell.
pub(crate) const fn cell(op: u8, n: u32, hi: u32) -> u64 {
    (op as u64) | ((n as u64) << 8 & 0xffff_ffff) | ((hi as u64) << 32)
}
