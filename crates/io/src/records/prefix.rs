//! [`RecordBytes`]: one record, and the four bytes with its length before it.

use gdvar_view::PrefixOrder;

/// One record of a file or stream.
#[derive(Clone, Copy, PartialEq, Eq, Debug)]
pub struct RecordBytes<'a> {
    /// The bytes of the value, without the length prefix.
    pub bytes: &'a [u8],
    /// The offset of the value, after its prefix, in the file or stream.
    pub offset: u64,
    /// The number of the record, counted from 0.
    pub index: u64,
}

/// Returns the length that the four bytes of a prefix store.
pub(crate) const fn prefix(four: [u8; 4], order: PrefixOrder) -> u32 {
    match order {
        PrefixOrder::Little => u32::from_le_bytes(four),
        PrefixOrder::Big => u32::from_be_bytes(four),
    }
}

/// Returns the four bytes that store `length` before a record.
pub(crate) const fn prefix_bytes(length: u32, order: PrefixOrder) -> [u8; 4] {
    match order {
        PrefixOrder::Little => length.to_le_bytes(),
        PrefixOrder::Big => length.to_be_bytes(),
    }
}
