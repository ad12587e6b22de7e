//! Copies a file record by record.

use std::io::{Read, Write};

use crate::{
    StreamError,
    records::{prefix::RecordBytes, reader::RecordReader, writer::RecordWriter},
};

/// What to do with a record.
#[derive(Clone, Copy, PartialEq, Eq, Hash, Debug)]
pub enum Edit {
    /// Copy the record.
    Keep,
    /// Write the bytes that the closure put into the vector instead.
    Replace,
    /// Omit the record.
    Drop,
}

/// How many records were kept, replaced and dropped.
#[derive(Clone, Copy, PartialEq, Eq, Debug, Default)]
#[non_exhaustive]
pub struct Rewritten {
    /// Records that were copied unchanged.
    pub kept: u64,
    /// Records that were replaced.
    pub replaced: u64,
    /// Records that were omitted.
    pub dropped: u64,
}

/// Copies records from `reader` to `writer`. For each record, the closure returns whether to keep,
/// replace or drop it. To replace a record, the closure appends a new value to the vector, which is
/// empty at each call and reused. Memory is needed for the longest old and the longest new record,
/// whatever the number of records.
///
/// Use this to change a save of `store_var`. In the closure, `?` works for errors of reading and of
/// writing a value. Write to another file than you read: with the feature `replace`, a
/// [`Replacement`](crate::replace::Replacement) replaces the old file after success.
///
/// ```
/// use gdvar_io::{Limits, records::{Edit, PrefixOrder, RecordReader, RecordWriter, rewrite}};
/// use gdvar_view::{Dialect, Document};
/// use gdvar_write::{Target, Writer};
///
/// let old = b"\x08\0\0\0\x02\0\0\0\x05\0\0\0\x04\0\0\0\0\0\0\0"; // 5 and null
/// let mut reader = RecordReader::new(&old[..], PrefixOrder::Little, Limits::FILE);
/// let mut writer = RecordWriter::new(Vec::new(), Target::GODOT_4, PrefixOrder::Little);
/// let done = rewrite(&mut reader, &mut writer, |record, new| {
///     let old = Document::new(record.bytes, Dialect::GODOT_4).root()?;
///     let Some(number) = old.as_i64() else {
///         return Ok(Edit::Drop);
///     };
///     let mut value = Writer::new(new, Target::GODOT_4);
///     value.int(number + 1)?;
///     value.finish()?;
///     Ok(Edit::Replace)
/// })?;
/// assert_eq!((done.replaced, done.dropped), (1, 1));
/// assert_eq!(writer.into_inner(), b"\x08\0\0\0\x02\0\0\0\x06\0\0\0");
/// # Ok::<(), gdvar_io::StreamError>(())
/// ```
///
/// # Errors
///
/// Returns the errors of [`RecordReader::read`], [`RecordWriter::write_bytes`] and the closure.
pub fn rewrite<R: Read, W: Write>(
    reader: &mut RecordReader<R>,
    writer: &mut RecordWriter<W>,
    mut edit: impl FnMut(&RecordBytes<'_>, &mut Vec<u8>) -> Result<Edit, StreamError>,
) -> Result<Rewritten, StreamError> {
    let mut done = Rewritten::default();
    let mut new = Vec::new();
    while let Some(record) = reader.read()? {
        new.clear();
        match edit(&record, &mut new)? {
            Edit::Keep => {
                writer.write_bytes(record.bytes)?;
                done.kept += 1;
            }
            Edit::Replace => {
                writer.write_bytes(&new)?;
                done.replaced += 1;
            }
            Edit::Drop => done.dropped += 1,
        }
    }
    Ok(done)
}
