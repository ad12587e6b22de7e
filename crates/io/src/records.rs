//! Records: values with their lengths in front, as in `store_var` files and blocking streams.
//!
//! [`frames`] splits bytes in memory into records. [`RecordReader`] does the same for any `Read` in
//! one buffer, whatever the size of the file. [`RecordWriter`] writes records to a new file, or
//! after the records of an existing one. [`rewrite`] copies a file record by record. The bytes of a
//! record are one value: give them to a [`Document`](gdvar_view::Document). Source:
//! [`docs/FORMAT.md` §7.1].
//!
//! [`docs/FORMAT.md` §7.1]: https://github.com/gdvar/gdvar/blob/main/docs/FORMAT.md#71-length-prefixed-values

pub(crate) mod mistake;
pub(crate) mod prefix;
mod reader;
mod rewrite;
mod writer;

pub use gdvar_view::{Frame, Frames, PrefixOrder, frames};
pub use mistake::Mistake;
pub use prefix::RecordBytes;
pub use reader::RecordReader;
pub use rewrite::{Edit, Rewritten, rewrite};
pub use writer::RecordWriter;

pub(crate) use writer::frame;
