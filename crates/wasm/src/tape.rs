//! The tape: a value as a flat list of cells of eight bytes. JavaScript reads it or writes it.
//!
//! The low word of a cell holds the operation in its lowest byte and a small number above it. The meaning of
//! the high word depends on the operation. `npm/src/decode.js` and `npm/src/encode.js` have the same table.

/// The operations. `n` is the number above the operation, `hi` the high word.
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
    /// A text of `n` UTF-16 units. `hi` has the index of its text block in the high half, and its first unit
    /// there in the low half.
    pub(crate) const TEXT: u8 = 6;
    /// A long text. Decoding: `hi` is its offset in the input, the next cell its length in bytes. Encoding:
    /// `hi` is its length in bytes, and the padded bytes follow.
    pub(crate) const UTF8: u8 = 7;
    /// A text that UTF-8 cannot hold. `hi`: the number of UTF-16 units, which follow, padded.
    pub(crate) const UTF16: u8 = 8;
    /// `hi`: the number of the key.
    pub(crate) const KEY: u8 = 9;
    /// A text follows.
    pub(crate) const STRING_NAME: u8 = 10;
    /// `hi`: the number of elements.
    pub(crate) const ARRAY: u8 = 11;
    /// `hi`: the number of elements. `n`: 0, or 1 and 2 for the two typed arrays of Pandemonium. The element
    /// type follows.
    pub(crate) const TYPED_ARRAY: u8 = 12;
    /// A Dictionary that can be a JavaScript object. `hi`: the number of pairs.
    pub(crate) const OBJECT: u8 = 13;
    /// A Dictionary with any keys. `hi`: the number of pairs.
    pub(crate) const MAP: u8 = 14;
    /// `hi`: the number of pairs. The types of keys and values follow.
    pub(crate) const TYPED_MAP: u8 = 15;
    /// `hi`: the number of properties. The class follows, then names and values. Decoding: a name that is no
    /// valid text is [`RAW`], its length and its bytes.
    pub(crate) const GODOT_OBJECT: u8 = 16;
    pub(crate) const NULL_OBJECT: u8 = 17;
    /// The id is the next cell.
    pub(crate) const OBJECT_ID: u8 = 18;
    /// The id is the next cell.
    pub(crate) const RID: u8 = 19;
    pub(crate) const CALLABLE: u8 = 20;
    /// The next cell is the id of the object; then follows the name as a text.
    pub(crate) const SIGNAL: u8 = 21;
    /// `n`: 1 if absolute. `hi`: the number of names. The next cell is the number of subnames; then all names
    /// follow as texts.
    pub(crate) const NODE_PATH: u8 = 22;
    /// `n`: the kind, plus 256 if the components have 64 bits. `hi`: the number of components, which follow
    /// as floats.
    pub(crate) const MATH: u8 = 23;
    /// `n`: the kind. Decoding: `hi` is the offset in the input; the next cell has the length in bytes in its
    /// low word, and 1 in its high word if elements are wide. Encoding: `hi` is the length in bytes; the next
    /// cell is 1 if elements are wide, otherwise 0; then the padded bytes follow.
    pub(crate) const PACKED: u8 = 24;
    /// `hi`: the number of texts that follow.
    pub(crate) const PACKED_STRINGS: u8 = 25;
    /// The bytes of a value for which JavaScript has no form. `n`: the kind. Decoding: `hi` is the offset in
    /// the input, the next cell the length in bytes. Encoding: `hi` is the length in bytes, and the padded
    /// bytes follow.
    pub(crate) const RAW: u8 = 26;
    /// Element type: any.
    pub(crate) const UNTYPED: u8 = 27;
    /// Element type: values of the kind `n`.
    pub(crate) const BUILTIN: u8 = 28;
    /// Element type: objects of a class, whose name follows.
    pub(crate) const CLASS: u8 = 29;
    /// Element type: objects with a script, whose path follows.
    pub(crate) const SCRIPT: u8 = 30;
    /// Decoding: the last cell, which is no value. No read of a value can pass it.
    pub(crate) const END: u8 = 31;
}

/// Builds a cell.
pub(crate) const fn cell(op: u8, n: u32, hi: u32) -> u64 {
    (op as u64) | ((n as u64) << 8 & 0xffff_ffff) | ((hi as u64) << 32)
}
