//! [`RecordReader`]: reads records from any `Read`.

use std::{
    fmt,
    io::{self, Read},
};

use gdvar_view::PrefixOrder;

use crate::{Limits, StreamError, records::prefix::RecordBytes, stream::Decoder};

/// Reads the records of a `store_var` file or a blocking stream, in one buffer that is reused.
/// Files may be of any size, as long as one record fits into memory.
///
/// The reader reads ahead in pieces of 64 KiB, so wrapping `inner` in a `BufReader` gains nothing.
/// From a socket the reader takes what has arrived, and waits only for what the next record needs.
/// The buffer grows as bytes arrive, and not by the lengths that records declare: to at most four
/// times the longest record plus 128 KiB.
///
/// ```
/// use gdvar_io::{Limits, records::{PrefixOrder, RecordReader}};
/// use gdvar_view::{Dialect, Document};
///
/// let file = b"\x08\0\0\0\x02\0\0\0\x05\0\0\0\x08\0\0\0\x02\0\0\0\x06\0\0\0";
/// let mut reader = RecordReader::new(&file[..], PrefixOrder::Little, Limits::FILE);
/// let mut sum = 0;
/// while let Some(record) = reader.read()? {
///     let document = Document::new(record.bytes, Dialect::GODOT_4);
///     sum += document.root()?.as_i64().unwrap();
/// }
/// assert_eq!(sum, 11);
/// # Ok::<(), Box<dyn std::error::Error>>(())
/// ```
pub struct RecordReader<R> {
    inner: R,
    decoder: Decoder,
}

impl<R: Read> RecordReader<R> {
    /// Creates a reader of the records of `inner`, whose lengths have this byte order.
    #[must_use]
    pub fn new(inner: R, order: PrefixOrder, limits: Limits) -> RecordReader<R> {
        RecordReader {
            inner,
            decoder: Decoder::new(order, limits),
        }
    }

    /// Returns the next record, or `None` at the end.
    ///
    /// # Errors
    ///
    /// Returns the errors of [`Decoder::try_next`]. Returns
    /// [`Truncated`](crate::FileErrorKind::Truncated) if `inner` ends inside a record, or
    /// [`Mistaken`](crate::FileErrorKind::Mistaken) if the bytes are clearly framed differently. An
    /// error of `inner` is passed on, and the next call continues where it failed.
    pub fn read(&mut self) -> Result<Option<RecordBytes<'_>>, StreamError> {
        loop {
            let missing = self.decoder.missing()?;
            if missing == 0 {
                return Ok(self.decoder.try_next()?);
            }
            match self.decoder.read_from(&mut self.inner) {
                Ok(0) => {
                    self.decoder.finish()?;
                    return Ok(None);
                }
                Ok(_) => {}
                Err(error) if error.kind() == io::ErrorKind::Interrupted => {}
                Err(error) => return Err(error.into()),
            }
        }
    }

    /// Returns the offset of the first byte that belongs to no record returned yet.
    #[must_use]
    pub fn position(&self) -> u64 {
        self.decoder.position()
    }

    /// Returns the inner reader. Bytes that were read ahead are lost.
    pub fn into_inner(self) -> R {
        self.inner
    }
}

impl<R> fmt::Debug for RecordReader<R> {
    fn fmt(&self, f: &mut fmt::Formatter<'_>) -> fmt::Result {
        f.debug_struct("RecordReader")
            .field("decoder", &self.decoder)
            .finish_non_exhaustive()
    }
}
