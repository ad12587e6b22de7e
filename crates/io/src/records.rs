//! Records: values with their lengths in front, as in `store_var` files and blocking streams.
//!
//! [`frames`] splits bytes in memory into records. [`RecordReader`] does the same for any `Read` in
//! one buffer, whatever the size of the file. [`RecordWriter`] writes records, also after those
//! that a file has. [`rewrite`] copies a file record by record. The bytes of a record are one
//! value: give them to a [`Document`](gdvar_view::Document). Source: [`docs/FORMAT.md` §7.1].
//!
//! [`docs/FORMAT.md` §7.1]: https://github.com/gdvar/gdvar/blob/main/docs/FORMAT.md#71-length-prefixed-values

mod mistake;
mod reader;
mod rewrite;
mod writer;

pub use gdvar_view::{Frame, Frames, PrefixOrder, frames};
pub use mistake::Mistake;
pub use reader::RecordReader;
pub use rewrite::{Edit, Rewritten, rewrite};
pub use writer::RecordWriter;

pub(crate) use writer::frame;

/// One record of a file or stream.
#[derive(Clone, Copy, PartialEq, Eq, Debug)]
pub struct RecordBytes<'a> {
    /// The bytes of the value.
    pub bytes: &'a [u8],
    /// The offset of the value, after its prefix, in the file or stream.
    pub offset: u64,
    /// The number of the record, counted from 0.
    pub index: u64,
}

/// Reads a prefix.
pub(crate) const fn prefix(four: [u8; 4], order: PrefixOrder) -> u32 {
    match order {
        PrefixOrder::Little => u32::from_le_bytes(four),
        PrefixOrder::Big => u32::from_be_bytes(four),
    }
}

/// Returns the bytes of a prefix.
pub(crate) const fn prefix_bytes(length: u32, order: PrefixOrder) -> [u8; 4] {
    match order {
        PrefixOrder::Little => length.to_le_bytes(),
        PrefixOrder::Big => length.to_be_bytes(),
    }
}
