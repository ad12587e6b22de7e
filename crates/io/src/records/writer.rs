//! Writes records to a new file, or after the records of an existing one.

use std::{
    convert::Infallible,
    fmt,
    io::{BufReader, Read, Seek, SeekFrom, Write},
};

use gdvar_view::PrefixOrder;
use gdvar_write::{Target, Writer};

use crate::{
    Error, FileErrorKind, StreamError,
    records::{
        mistake::Mistake,
        prefix::{prefix, prefix_bytes},
    },
};

/// Writes records: values with their lengths in front, the format of `store_var` and `put_var`.
///
/// Each value is written into a buffer, which is reused, and then passed to `inner` with its
/// length. To write many small records to a file, use a `BufWriter` as `inner`.
///
/// ```
/// use gdvar_io::records::{PrefixOrder, RecordWriter};
/// use gdvar_write::Target;
///
/// let mut file = Vec::new();
/// let mut records = RecordWriter::new(&mut file, Target::GODOT_4, PrefixOrder::Little);
/// records.write(|value| value.int(5))?;
/// records.write(|value| value.root().array_from([1, 2], |slot, n| slot.int(n)))?;
/// assert_eq!(file[..12], *b"\x08\0\0\0\x02\0\0\0\x05\0\0\0");
/// # Ok::<(), gdvar_io::StreamError>(())
/// ```
pub struct RecordWriter<W> {
    inner: W,
    buffer: Vec<u8>,
    target: Target,
    order: PrefixOrder,
}

impl<W: Write> RecordWriter<W> {
    /// Creates a writer of records to `inner`, at its current position.
    #[must_use]
    pub fn new(inner: W, target: impl Into<Target>, order: PrefixOrder) -> RecordWriter<W> {
        RecordWriter {
            inner,
            buffer: Vec::new(),
            target: target.into(),
            order,
        }
    }

    /// Writes one record; `value` writes its value. Nothing is passed to `inner` unless the value
    /// is complete.
    ///
    /// # Errors
    ///
    /// Returns the error that the closure returns, the writer's error if the value is not whole,
    /// and the error of `inner`.
    pub fn write<T>(
        &mut self,
        value: impl FnOnce(&mut Writer<&mut Vec<u8>>) -> Result<T, gdvar_write::Error<Infallible>>,
    ) -> Result<T, StreamError> {
        self.write_with(value)
    }

    /// Writes one record like [`RecordWriter::write`], with a closure that may fail with its own
    /// error. To write values with serde, use the closure
    /// `|writer| gdvar::serde::to_sink(&value, writer).map_err(std::io::Error::from)`.
    ///
    /// ```
    /// use gdvar_io::records::{PrefixOrder, RecordWriter};
    /// use gdvar_write::Target;
    ///
    /// # fn main() -> Result<(), gdvar_io::StreamError> {
    /// let mut records = RecordWriter::new(Vec::new(), Target::GODOT_4, PrefixOrder::Little);
    /// records.write_with(|writer| -> std::io::Result<()> {
    ///     let text = std::io::read_to_string("Hello".as_bytes())?;
    ///     writer.string(&text).map_err(std::io::Error::other)
    /// })?;
    /// assert_eq!(records.into_inner().len(), 4 + 16);
    /// # Ok(())
    /// # }
    /// ```
    ///
    /// # Errors
    ///
    /// Returns the errors of [`RecordWriter::write`].
    pub fn write_with<T, E: Into<StreamError>>(
        &mut self,
        value: impl FnOnce(&mut Writer<&mut Vec<u8>>) -> Result<T, E>,
    ) -> Result<T, StreamError> {
        self.buffer.clear();
        let value = |writer: &mut Writer<&mut Vec<u8>>| value(writer).map_err(Into::into);
        let result: T = frame::<_, StreamError>(&mut self.buffer, self.target, self.order, value)?;
        self.inner.write_all(&self.buffer)?;
        Ok(result)
    }

    /// Writes one record from a value that is already encoded. The bytes are neither checked nor
    /// copied.
    ///
    /// # Errors
    ///
    /// Returns [`BadLength`](FileErrorKind::BadLength) above 2³¹ − 1 bytes, and the error of
    /// `inner`.
    pub fn write_bytes(&mut self, value: &[u8]) -> Result<(), StreamError> {
        let length = length_of(value)?;
        self.inner.write_all(&prefix_bytes(length, self.order))?;
        Ok(self.inner.write_all(value)?)
    }

    /// Flushes `inner`. Each record is passed to `inner` at once, so this matters only if `inner` has
    /// its own buffer.
    ///
    /// # Errors
    ///
    /// Returns the error of `inner`.
    pub fn flush(&mut self) -> Result<(), StreamError> {
        Ok(self.inner.flush()?)
    }

    /// Returns a reference to the inner writer.
    pub fn get_ref(&self) -> &W {
        &self.inner
    }

    /// Returns the inner writer. It has received all records.
    pub fn into_inner(self) -> W {
        self.inner
    }
}

impl<F: Read + Write + Seek> RecordWriter<F> {
    /// Creates a writer that continues after the last record of a file. First checks that the file
    /// ends with a whole record, by reading the length of every record but not its value. The file
    /// must be open for reading too, and not only for appending.
    ///
    /// # Errors
    ///
    /// Returns [`Truncated`](FileErrorKind::Truncated) if the last record is cut; the offset is
    /// where that record begins, so the file can be cut there and continued. Returns
    /// [`BadLength`](FileErrorKind::BadLength), or [`Mistaken`](FileErrorKind::Mistaken) if the
    /// first 64 KiB show that the file is framed differently. Also returns the file's own errors.
    pub fn append(
        mut file: F,
        target: impl Into<Target>,
        order: PrefixOrder,
    ) -> Result<RecordWriter<F>, StreamError> {
        let len = file.seek(SeekFrom::End(0))?;
        file.seek(SeekFrom::Start(0))?;
        if let Err(error) = pass_records(&mut file, len, order) {
            let StreamError::Bytes(error) = error else {
                return Err(error);
            };
            file.seek(SeekFrom::Start(0))?;
            let mut start = Vec::new();
            Read::by_ref(&mut file)
                .take(64 * 1024)
                .read_to_end(&mut start)?;
            return Err(match Mistake::of_records(&start, order) {
                Some(mistake) => Error::new(0, FileErrorKind::Mistaken(mistake)),
                None => error,
            }
            .into());
        }
        file.seek(SeekFrom::Start(len))?;
        Ok(RecordWriter::new(file, target, order))
    }
}

/// Skips the records of a file of length `len`.
fn pass_records(
    file: &mut (impl Read + Seek),
    len: u64,
    order: PrefixOrder,
) -> Result<(), StreamError> {
    let mut reader = BufReader::new(file);
    let mut at = 0;
    while at < len {
        if len - at < 4 {
            return Err(Error::truncated(at, 4 - (len - at)).into());
        }
        let mut four = [0; 4];
        reader.read_exact(&mut four)?;
        let length = prefix(four, order);
        if length > i32::MAX as u32 {
            return Err(Error::new(at, FileErrorKind::BadLength { length }).into());
        }
        let end = at + 4 + u64::from(length);
        if end > len {
            return Err(Error::truncated(at, end - len).into());
        }
        reader.seek_relative(i64::from(length))?;
        at = end;
    }
    Ok(())
}

/// Returns the length of a value for its prefix.
fn length_of(value: &[u8]) -> Result<u32, Error> {
    match u32::try_from(value.len()) {
        Ok(length) if length <= i32::MAX as u32 => Ok(length),
        other => {
            let length = other.unwrap_or(u32::MAX);
            Err(Error::new(0, FileErrorKind::BadLength { length }))
        }
    }
}

/// Appends a record to `buffer`: the length, and the value that `value` writes.
pub(crate) fn frame<T, E: From<gdvar_write::Error<Infallible>>>(
    buffer: &mut Vec<u8>,
    target: Target,
    order: PrefixOrder,
    value: impl FnOnce(&mut Writer<&mut Vec<u8>>) -> Result<T, E>,
) -> Result<T, E> {
    let start = buffer.len();
    buffer.extend_from_slice(&[0; 4]);
    let mut writer = Writer::new(&mut *buffer, target);
    let result = value(&mut writer)?;
    writer.finish()?;
    // The writer refuses values above 2³¹ − 1 bytes.
    let length = u32::try_from(buffer.len() - start - 4).unwrap_or(u32::MAX);
    buffer[start..start + 4].copy_from_slice(&prefix_bytes(length, order));
    Ok(result)
}

impl<W> fmt::Debug for RecordWriter<W> {
    fn fmt(&self, f: &mut fmt::Formatter<'_>) -> fmt::Result {
        f.debug_struct("RecordWriter")
            .field("target", &self.target)
            .field("order", &self.order)
            .finish_non_exhaustive()
    }
}
